//! Counts the tokens and time of each asker's calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use llm::{Call, CallError, ChatModel, Prompt, Reply, Window};

use super::lock::locked;

/// The cost of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Spent {
    pub(crate) calls: u64,
    pub(crate) sent: u64,
    pub(crate) received: u64,
}

impl std::ops::AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.sent += other.sent;
        self.received += other.received;
    }
}

/// A model with metered calls.
pub(crate) struct Meter {
    model: Arc<dyn ChatModel>,
    /// By asker.
    used: Mutex<HashMap<String, Spent>>,
}

impl Meter {
    pub(crate) fn new(model: Arc<dyn ChatModel>) -> Self {
        Self {
            model,
            used: Mutex::default(),
        }
    }

    /// The cost of an asker's calls.
    pub(crate) fn spent(&self, asker: &str) -> Spent {
        locked(&self.used).get(asker).copied().unwrap_or_default()
    }

    fn count(&self, asker: &str, reply: &Reply) {
        let (sent, received) = (reply.usage.prompt_tokens, reply.usage.completion_tokens);
        *locked(&self.used).entry(asker.to_owned()).or_default() += Spent {
            calls: 1,
            sent,
            received,
        };
    }
}

impl ChatModel for Meter {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Window {
        self.model.window()
    }

    fn count(&self) -> usize {
        self.model.count()
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        self.model.complete(prompt)
    }

    fn complete_for<'a>(
        &'a self,
        call: &'a Call<'a>,
        prompt: &'a Prompt,
    ) -> BoxFuture<'a, Result<Reply, CallError>> {
        Box::pin(async move {
            let reply = self.model.complete_for(call, prompt).await?;
            self.count(call.tenant, &reply);
            Ok(reply)
        })
    }
}
