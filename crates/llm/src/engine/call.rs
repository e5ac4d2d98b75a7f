//! One question to the models: within the budget and the bound on calls.
//!
//! An answer that cannot be read is requested once more, then of the next model; the rest of an answer that was cut off is
//! requested once. So a question takes at most three calls of one model.

use std::sync::atomic::{AtomicBool, Ordering};

use review::{Event, Report, TokenUsage};

use super::run::ModelRun;
use crate::model::{Call, CallError, Finish, Prompt, Reply};
use crate::prompt;
use crate::reply::{self, Item, Items};

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskError {
    /// No model answered.
    Call(CallError),
    /// The answers could not be read.
    Unreadable,
    /// The answer was cut off, and its rest could not be had.
    BrokeOff,
    /// The room for the answer was used up before it was complete.
    NoRoom,
    /// The review's budget is used up; the question was not asked.
    NoBudget,
}

impl AskError {
    /// Why an answer is incomplete; `None` if it is not.
    pub(super) fn of<T>(items: &Items<T>) -> Option<Self> {
        match items.unreadable {
            _ if items.cut => Some(Self::BrokeOff),
            0 => None,
            _ => Some(Self::Unreadable),
        }
    }

    /// Whether a smaller question might well be answered.
    pub(super) fn is_lack_of_room(&self) -> bool {
        matches!(self, Self::NoRoom | Self::Call(CallError::TooLong))
    }
}

impl ModelRun<'_> {
    /// Asks for the list called `name`.
    pub(super) async fn ask<T: Item>(&self, prompt: &Prompt, name: &'static str) -> Result<Items<T>, AskError> {
        let (first, model) = self.complete(prompt, 0).await?;
        let items = match (part(&first, name), first.finish) {
            (Ok(items), _) => items,
            (Err(_), Finish::Length) => return Err(AskError::NoRoom),
            (Err(fault), Finish::Stop) => self.ask_again(prompt, fault, name, model).await?,
        };
        Ok(if items.cut { self.ask_rest(prompt, items, name).await } else { items })
    }

    /// Asks the same model once more, and then the next one.
    async fn ask_again<T: Item>(
        &self,
        prompt: &Prompt,
        fault: &'static str,
        name: &'static str,
        model: usize,
    ) -> Result<Items<T>, AskError> {
        let (reply, model) = self.complete(&prompt::repair(prompt, fault), model).await?;
        match part(&reply, name) {
            Ok(items) => Ok(items),
            Err(_) if model + 1 < self.shared.model.count() => {
                let (third, _) = self.complete(prompt, model + 1).await?;
                part(&third, name).map_err(|_| AskError::Unreadable)
            }
            Err(_) => Err(AskError::Unreadable),
        }
    }

    /// Asks once for the rest of an answer that was cut off. Without an answer, the items stay marked as cut.
    async fn ask_rest<T: Item>(&self, prompt: &Prompt, mut items: Items<T>, name: &'static str) -> Items<T> {
        let known: Vec<String> = items.items.iter().map(Item::told).collect();
        let known = known.join("\n");
        // The model may have guessed a masked secret.
        let known = self.shared.redactor.text(&known);
        if let Ok((reply, _)) = self.complete(&prompt::rest(prompt, &known), 0).await
            && let Ok(rest) = reply::read(&reply.text, name)
        {
            items.extend(rest);
        }
        items
    }

    /// Makes one call, beginning with the model at `skip` in the order of fallback, and pays for it. Says which model answered.
    async fn complete(&self, prompt: &Prompt, skip: usize) -> Result<(Reply, usize), AskError> {
        let bytes = prompt.system.len() + prompt.user.len();
        let prompt_tokens = self.shared.estimator.tokens(bytes);
        let reservation =
            self.budget.reserve(prompt_tokens + prompt.max_output_tokens).await.ok_or(AskError::NoBudget)?;
        // The semaphore is never closed.
        let _call = self.calls.acquire().await;
        let call = Call::new(&self.tenant, skip);
        let cost = Cost { report: self.report, call: &call, prompt_tokens, is_open: AtomicBool::new(true) };
        let reply = self.shared.model.complete_for(&call, prompt).await;
        cost.is_open.store(false, Ordering::Relaxed);
        let failed = cost.of_failures().total_tokens;
        drop(cost);
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => {
                reservation.settle(failed);
                return Err(AskError::Call(error));
            }
        };
        reservation.settle(reply.usage.total_tokens + failed);
        if !reply.usage.estimated {
            self.shared.estimator.learn(bytes, reply.usage.prompt_tokens);
        }
        self.report.report(Event::Used(reply.usage));
        Ok((reply, call.asked()))
    }
}

/// What a call costs besides its reply. It is reported when it is dropped, be it that the call was cut off.
struct Cost<'a> {
    report: &'a dyn Report,
    call: &'a Call<'a>,
    prompt_tokens: u64,
    /// Dropped in this state, the call was cut off.
    is_open: AtomicBool,
}

impl Cost<'_> {
    /// Of tries that failed although the provider worked on them: no provider reports it.
    fn of_failures(&self) -> TokenUsage {
        let tries = self.call.charged() + u32::from(self.is_open.load(Ordering::Relaxed));
        let prompt_tokens = self.prompt_tokens * u64::from(tries);
        TokenUsage { prompt_tokens, completion_tokens: 0, total_tokens: prompt_tokens, estimated: true }
    }
}

impl Drop for Cost<'_> {
    fn drop(&mut self) {
        let cost = self.of_failures();
        if cost.total_tokens > 0 {
            self.report.report(Event::Used(cost));
        }
    }
}

/// Reads the list in a reply. One that was cut off before its first item was complete counts as unreadable.
fn part<T: Item>(reply: &Reply, name: &'static str) -> Result<Items<T>, &'static str> {
    match reply::read(&reply.text, name)? {
        Items { items, cut: true, .. } if items.is_empty() => Err("it broke off before its first item was complete"),
        items => Ok(items),
    }
}
