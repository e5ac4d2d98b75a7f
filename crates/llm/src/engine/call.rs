//! One question to the models: within the budget and the bound on calls. An answer that cannot be read is requested once more,
//! and so is the rest of one that was cut off, so that a question takes at most three calls.

use review::TokenUsage;

use super::run::ModelRun;
use crate::model::{CallError, Finish, Prompt, Reply};
use crate::prompt;
use crate::reply::{self, Item, Items};

/// What came of a question.
pub(super) struct Answered<T> {
    pub(super) result: Result<Items<T>, AskError>,
    pub(super) usage: TokenUsage,
}

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

impl ModelRun {
    /// Asks for the list called `name`.
    pub(super) async fn ask<T: Item>(&self, prompt: &Prompt, name: &'static str) -> Answered<T> {
        let mut usage = TokenUsage::default();
        let result = self.ask_all(prompt, name, &mut usage).await;
        Answered { result, usage }
    }

    async fn ask_all<T: Item>(
        &self,
        prompt: &Prompt,
        name: &'static str,
        usage: &mut TokenUsage,
    ) -> Result<Items<T>, AskError> {
        let first = self.complete(prompt, usage).await?;
        let items = match (part(&first, name), first.finish) {
            (Ok(items), _) => items,
            (Err(_), Finish::Length) => return Err(AskError::NoRoom),
            (Err(fault), Finish::Stop) => {
                let second = self.complete(&prompt::repair(prompt, fault), usage).await?;
                part(&second, name).map_err(|_| AskError::Unreadable)?
            }
        };
        Ok(if items.cut { self.ask_rest(prompt, items, name, usage).await } else { items })
    }

    /// Asks once for the rest of an answer that was cut off. Without an answer, the items stay marked as cut.
    async fn ask_rest<T: Item>(
        &self,
        prompt: &Prompt,
        mut items: Items<T>,
        name: &'static str,
        usage: &mut TokenUsage,
    ) -> Items<T> {
        let known: Vec<String> = items.items.iter().map(Item::told).collect();
        let known = known.join("\n");
        // The model may have guessed a masked secret.
        let known = self.shared.redactor.text(&known);
        if let Ok(reply) = self.complete(&prompt::rest(prompt, &known), usage).await
            && let Ok(rest) = reply::read(&reply.text, name)
        {
            items.extend(rest);
        }
        items
    }

    /// Makes one call and pays for it.
    async fn complete(&self, prompt: &Prompt, usage: &mut TokenUsage) -> Result<Reply, AskError> {
        let bytes = prompt.system.len() + prompt.user.len();
        let estimate = self.shared.estimator.tokens(bytes) + prompt.max_output_tokens;
        let reservation = self.budget.reserve(estimate).await.ok_or(AskError::NoBudget)?;
        // The semaphore is never closed.
        let _call = self.calls.acquire().await;
        let reply = self.shared.model.complete_for(&self.tenant, prompt).await.map_err(AskError::Call)?;
        reservation.settle(reply.usage.total_tokens);
        if !reply.usage.estimated {
            self.shared.estimator.learn(bytes, reply.usage.prompt_tokens);
        }
        *usage += reply.usage;
        Ok(reply)
    }
}

/// Reads the list in a reply. One that was cut off before its first item was complete counts as unreadable.
fn part<T: Item>(reply: &Reply, name: &'static str) -> Result<Items<T>, &'static str> {
    match reply::read(&reply.text, name)? {
        Items { items, cut: true, .. } if items.is_empty() => Err("it broke off before its first item was complete"),
        items => Ok(items),
    }
}
