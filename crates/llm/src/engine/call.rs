//! One question to the models: within the budget and the bound on calls, and once more if the answer could not be read.

use review::TokenUsage;
use serde::de::DeserializeOwned;

use super::run::ModelRun;
use crate::model::{CallError, Finish, Prompt, Reply};
use crate::prompt;
use crate::reply::{self, Items};

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
    /// The room for the answer was used up before it was complete.
    NoRoom,
    /// The review's budget is used up; the question was not asked.
    NoBudget,
}

impl AskError {
    /// Whether a smaller question might well be answered.
    pub(super) fn is_lack_of_room(&self) -> bool {
        matches!(self, Self::NoRoom | Self::Call(CallError::TooLong))
    }
}

impl ModelRun {
    /// Asks for the list called `name`.
    pub(super) async fn ask<T: DeserializeOwned>(&self, prompt: &Prompt, name: &'static str) -> Answered<T> {
        let mut usage = TokenUsage::default();
        let first = match self.complete(prompt, &mut usage).await {
            Ok(reply) => reply,
            Err(error) => return Answered { result: Err(error), usage },
        };
        let result = match (reply::read(&first.text, name), first.finish) {
            (Ok(items), _) => Ok(items),
            (Err(_), Finish::Length) => {
                let kept = reply::salvage(&first.text, name);
                if kept.items.is_empty() { Err(AskError::NoRoom) } else { Ok(kept) }
            }
            (Err(fault), Finish::Stop) => self.ask_again(prompt, fault, name, &mut usage).await,
        };
        Answered { result, usage }
    }

    async fn ask_again<T: DeserializeOwned>(
        &self,
        prompt: &Prompt,
        fault: &'static str,
        name: &'static str,
        usage: &mut TokenUsage,
    ) -> Result<Items<T>, AskError> {
        let reply = self.complete(&prompt::repair(prompt, fault), usage).await?;
        reply::read(&reply.text, name).map_err(|_| AskError::Unreadable)
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
