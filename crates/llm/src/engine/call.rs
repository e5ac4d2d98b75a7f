//! One call to the models, within the budget and the concurrency limit.
//!
//! An answer that cannot be parsed is requested once more, and then from the next model. The rest of an answer that was
//! cut off is requested once. A question has [`FOLLOW_UPS`] such calls in all, so it takes at most three. A batch whose
//! answer does not fit takes three as well: its halves have no follow-up calls.

use review::{Event, ModelUse, TokenUsage};

use super::run::ModelRun;
use crate::model::{Call, CallError, Finish, Prompt, Reply};
use crate::prompt;
use crate::reply::{self, Items, RawFinding};

/// Maximum follow-up calls, after an answer that could not be parsed or was cut off.
pub(super) const FOLLOW_UPS: u32 = 2;

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AskError {
    /// No model answered.
    Call(CallError),
    /// The answers could not be parsed.
    Unreadable,
    /// The answer was cut off, and its rest could not be obtained.
    BrokeOff,
    /// The token limit was reached before the answer was complete.
    NoRoom,
    /// The answer of the second turn decided on no candidate.
    Undecided,
    /// The review's budget is used up; the call was not made.
    NoBudget,
}

impl AskError {
    /// Why an answer is incomplete; `None` if it is not.
    pub(super) fn of(items: &Items) -> Option<Self> {
        match items.unreadable {
            _ if items.cut => Some(Self::BrokeOff),
            0 => None,
            _ => Some(Self::Unreadable),
        }
    }

    /// Whether the prompt was too long.
    pub(super) fn is_too_long(&self) -> bool {
        matches!(self, Self::NoRoom | Self::Call(CallError::TooLong))
    }
}

impl ModelRun<'_> {
    /// Asks for findings, with at most this many follow-up calls.
    pub(super) async fn ask(
        &self,
        prompt: &Prompt,
        mut follow_ups: u32,
    ) -> Result<Items, AskError> {
        let (first, model) = self.complete(prompt, 0).await?;
        let items = match (part(&first), first.finish) {
            (Ok(items), _) => items,
            (Err(_), Finish::Length) => return Err(AskError::NoRoom),
            (Err(fault), Finish::Stop | Finish::Interrupted) => {
                self.ask_again(prompt, fault, model, &mut follow_ups)
                    .await?
            }
        };
        Ok(if items.cut && follow_ups > 0 {
            self.ask_rest(prompt, items).await
        } else {
            items
        })
    }

    /// Calls the same model once more, and then the next one.
    async fn ask_again(
        &self,
        prompt: &Prompt,
        fault: &'static str,
        model: usize,
        follow_ups: &mut u32,
    ) -> Result<Items, AskError> {
        let repair = prompt::repair(prompt, fault);
        for (prompt, model) in [(&repair, model), (prompt, model + 1)] {
            if *follow_ups == 0 || model == self.shared.model.count() {
                break;
            }
            *follow_ups -= 1;
            let (reply, _) = match self.complete(prompt, model).await {
                // The original prompt did fit.
                Err(AskError::Call(CallError::TooLong)) => break,
                reply => reply?,
            };
            if let Ok(items) = part(&reply) {
                return Ok(items);
            }
        }
        Err(AskError::Unreadable)
    }

    /// Requests the rest of an answer that was cut off, once. If that fails, the items stay marked as cut off.
    async fn ask_rest(&self, prompt: &Prompt, mut items: Items) -> Items {
        let known: Vec<String> = items.items.iter().map(RawFinding::identity).collect();
        let known = known.join("\n");
        // The model may have guessed a masked secret.
        let known = self.shared.redactor.text(&known);
        if let Ok((reply, _)) = self.complete(&prompt::rest(prompt, &known), 0).await
            && let Ok(rest) = reply::read(&reply.text)
        {
            items.extend(rest);
        }
        items
    }

    /// Makes one call, beginning with the model at `skip` in fallback order, and charges it. Returns the index of the
    /// model that answered.
    pub(super) async fn complete(
        &self,
        prompt: &Prompt,
        skip: usize,
    ) -> Result<(Reply, usize), AskError> {
        let bytes = prompt.bytes();
        let prompt_tokens = self.shared.estimator.tokens(bytes);
        let reservation = self
            .budget
            .reserve(prompt_tokens + prompt.max_output_tokens)
            .await
            .ok_or(AskError::NoBudget)?;
        // The semaphore is never closed.
        let _call = self.calls.acquire().await;
        let call = Call::new(&self.tenant, skip);
        let max_output_tokens = prompt.max_output_tokens;
        let cost = Cost {
            run: self,
            call: &call,
            bytes,
            prompt_tokens,
            max_output_tokens,
        };
        let reply = self.shared.model.complete_for(&call, prompt).await;
        let failed = cost.of_failures().total_tokens;
        drop(cost);
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => {
                reservation.charge(failed);
                return Err(AskError::Call(error));
            }
        };
        reservation.charge(reply.usage.total_tokens + failed);
        if !reply.usage.estimated {
            self.shared
                .estimator
                .learn(bytes, reply.usage.prompt_tokens);
        }
        self.report.report(Event::Used(reply.usage));
        let (cached_tokens, cost) = (reply.cached_tokens, self.cost(call.asked(), reply.usage));
        self.report.report(Event::Sent(Box::new(ModelUse {
            cached_tokens,
            cost,
            ..ModelUse::default()
        })));
        Ok((reply, call.asked()))
    }

    /// The price of tokens with the model at this index in fallback order; `None` if it has no price.
    fn cost(&self, place: usize, usage: TokenUsage) -> Option<f64> {
        if usage.total_tokens == 0 {
            return Some(0.0);
        }
        self.shared
            .prices
            .get(place)
            .copied()
            .flatten()
            .map(|price| price.cost(usage))
    }
}

/// The cost of a call in addition to the reply that was received. It is reported on drop, also if the call is
/// cancelled.
struct Cost<'a> {
    run: &'a ModelRun<'a>,
    call: &'a Call<'a>,
    /// Bytes of the prompt.
    bytes: usize,
    prompt_tokens: u64,
    max_output_tokens: u64,
}

impl Cost<'_> {
    /// The cost of attempts whose usage no provider reports. A reply that was not received counts with the most tokens
    /// that it may have, because the provider may have generated and charged all of them.
    fn of_failures(&self) -> TokenUsage {
        let unreceived = u64::from(self.call.unreceived());
        let prompt_tokens = self.prompt_tokens * (u64::from(self.call.charged()) + unreceived);
        let completion_tokens = self.max_output_tokens * unreceived;
        let total_tokens = prompt_tokens + completion_tokens;
        TokenUsage {
            prompt_tokens,
            completion_tokens,
            total_tokens,
            estimated: true,
        }
    }
}

impl Drop for Cost<'_> {
    fn drop(&mut self) {
        let failures = self.of_failures();
        if failures.total_tokens > 0 {
            self.run.report.report(Event::Used(failures));
        }
        let calls = u64::from(self.call.sent());
        if calls == 0 {
            return;
        }
        let recipients = &self.run.shared.recipients;
        let sent = ModelUse {
            recipients: self
                .call
                .sent_to()
                .filter_map(|place| recipients.get(place).cloned())
                .collect(),
            calls,
            sent_bytes: calls.saturating_mul(self.bytes as u64),
            cost: self.run.cost(self.call.asked(), failures),
            ..ModelUse::default()
        };
        self.run.report.report(Event::Sent(Box::new(sent)));
    }
}

/// Reads the list in a reply. A reply that was cut off before its first item was complete counts as unreadable.
fn part(reply: &Reply) -> Result<Items, &'static str> {
    match reply::read(&reply.text)? {
        Items {
            items, cut: true, ..
        } if items.is_empty() => Err("it broke off before its first item was complete"),
        items => Ok(items),
    }
}
