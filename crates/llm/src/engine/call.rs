//! One question to the models: within the budget and the bound on calls, and once more if the answer could not be read.

use review::TokenUsage;
use serde::de::DeserializeOwned;

use super::ReviewEngine;
use crate::model::{CallError, Finish, Prompt, Reply};
use crate::prompt;
use crate::reply::{self, Items};

/// What came of a question.
pub(super) struct Answered<T> {
    pub(super) result: Result<Items<T>, Trouble>,
    pub(super) usage: TokenUsage,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// No model answered.
    Call(CallError),
    /// The answers could not be read.
    Unreadable,
    /// The room for the answer was used up before it was complete.
    NoRoom,
    /// The review's budget is used up; the question was not asked.
    NoBudget,
}

impl Trouble {
    /// Whether a smaller question might well be answered.
    pub(super) fn is_lack_of_room(&self) -> bool {
        matches!(self, Self::NoRoom | Self::Call(CallError::TooLong))
    }
}

impl ReviewEngine {
    /// Asks for the list called `name`.
    pub(super) async fn ask<T: DeserializeOwned>(&self, prompt: &Prompt, name: &'static str) -> Answered<T> {
        let mut usage = TokenUsage::default();
        let first = match self.complete(prompt, &mut usage).await {
            Ok(reply) => reply,
            Err(trouble) => return Answered { result: Err(trouble), usage },
        };
        let result = match (reply::read(&first.text, name), first.finish) {
            (Ok(items), _) => Ok(items),
            (Err(_), Finish::Length) => {
                let kept = reply::salvage(&first.text, name);
                if kept.items.is_empty() { Err(Trouble::NoRoom) } else { Ok(kept) }
            }
            (Err(fault), Finish::Stop) => self.ask_again(prompt, fault, name, &mut usage).await,
        };
        Answered { result, usage }
    }

    async fn ask_again<T: DeserializeOwned>(
        &self,
        prompt: &Prompt,
        fault: &str,
        name: &'static str,
        usage: &mut TokenUsage,
    ) -> Result<Items<T>, Trouble> {
        let reply = self.complete(&prompt::repair(prompt, fault), usage).await?;
        reply::read(&reply.text, name).map_err(|_| Trouble::Unreadable)
    }

    /// Makes one call and pays for it.
    async fn complete(&self, prompt: &Prompt, usage: &mut TokenUsage) -> Result<Reply, Trouble> {
        let bytes = prompt.system.len() + prompt.user.len();
        let estimate = self.shared.estimator.tokens(bytes) + prompt.max_output_tokens;
        let reservation = self.budget.reserve(estimate).await.ok_or(Trouble::NoBudget)?;
        // The semaphore is never closed.
        let _call = self.calls.acquire().await;
        let reply = self.shared.model.complete(prompt).await.map_err(Trouble::Call)?;
        reservation.settle(reply.usage.total_tokens);
        if !reply.usage.estimated {
            self.shared.estimator.learn(bytes, reply.usage.prompt_tokens);
        }
        *usage += reply.usage;
        Ok(reply)
    }
}
