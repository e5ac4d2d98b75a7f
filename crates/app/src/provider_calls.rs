//! Metrics of the calls to language-model providers. Each attempt is counted and timed separately.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use llm::{CallError, ChatModel, Finish, Prompt, Protocol, Reply, Window};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use server::{Durations, TRACES, Timer, durations};
use tracing::Instrument as _;

/// The counts. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct ProviderCalls {
    calls: Durations<Call>,
    tokens: Family<Tokens, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Call {
    protocol: &'static str,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Tokens {
    protocol: &'static str,
    kind: &'static str,
}

impl Default for ProviderCalls {
    fn default() -> Self {
        Self {
            calls: durations(),
            tokens: Family::default(),
        }
    }
}

impl ProviderCalls {
    /// Registers the metrics.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register(
            "provider_call_duration_seconds",
            "Time that a call of a language-model provider took",
            Durations::clone(&self.calls),
        );
        registry.register(
            "provider_tokens",
            "Language-model tokens of calls that were answered",
            self.tokens.clone(),
        );
    }

    /// Wraps a model so that its calls are counted.
    pub(crate) fn watch(
        &self,
        model: Arc<dyn ChatModel>,
        protocol: Protocol,
    ) -> Arc<dyn ChatModel> {
        let protocol = protocol.name();
        Arc::new(Watched {
            model,
            protocol,
            calls: self.clone(),
        })
    }

    fn count(&self, protocol: &'static str, reply: &Result<Reply, CallError>) -> &'static str {
        let reply = match reply {
            Ok(reply) => reply,
            Err(error) => return outcome(*error),
        };
        let usage = reply.usage;
        for (kind, count) in [
            ("prompt", usage.prompt_tokens),
            ("cached", reply.cached_tokens),
            ("completion", usage.completion_tokens),
        ] {
            self.tokens
                .get_or_create(&Tokens { protocol, kind })
                .inc_by(count);
        }
        match reply.finish {
            Finish::Stop => "success",
            Finish::Length => "truncated",
            Finish::Interrupted => "interrupted",
        }
    }
}

fn outcome(error: CallError) -> &'static str {
    match error {
        CallError::Credential(_) => "no_key",
        CallError::Key(_) => "auth",
        CallError::Unknown(_) => "not_found",
        CallError::Refused(_) => "refused",
        CallError::TooLong => "too_long",
        CallError::RateLimited(_) => "rate_limited",
        CallError::Unavailable(..) => "unavailable",
        CallError::Declined => "filtered",
        CallError::Connection => "connection",
        CallError::Certificate(_) => "certificate",
        CallError::TimedOut => "timed_out",
        CallError::TooLarge => "too_large",
        CallError::Garbled => "invalid_response",
    }
}

/// A model that counts the calls of another one.
struct Watched {
    model: Arc<dyn ChatModel>,
    protocol: &'static str,
    calls: ProviderCalls,
}

impl ChatModel for Watched {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Window {
        self.model.window()
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        let (protocol, calls) = (self.protocol, &self.calls);
        let span =
            tracing::info_span!(target: TRACES, "provider call", otel.kind = "client", protocol);
        let call = async move {
            let timer = Timer::start(|outcome, took| {
                calls
                    .calls
                    .get_or_create(&Call { protocol, outcome })
                    .observe(took.as_secs_f64());
            });
            let reply = self.model.complete(prompt).await;
            timer.end(calls.count(protocol, &reply));
            reply
        };
        Box::pin(call.instrument(span))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::Arc;

    use futures_util::FutureExt as _;
    use futures_util::future::BoxFuture;
    use llm::{CallError, ChatModel, Finish, Prompt, Protocol, Reply, Schema, Window};
    use prometheus_client::registry::Registry;
    use review::TokenUsage;

    use super::ProviderCalls;

    /// Succeeds once, fails once, and then never responds.
    struct FlakyModel(std::sync::atomic::AtomicU32);

    impl ChatModel for FlakyModel {
        fn name(&self) -> &str {
            "flaky"
        }

        fn window(&self) -> Window {
            Window {
                context: 1_000,
                output: 100,
            }
        }

        fn complete<'a>(&'a self, _: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
            let usage = TokenUsage {
                prompt_tokens: 30,
                completion_tokens: 4,
                total_tokens: 34,
                estimated: false,
            };
            let reply = Reply {
                text: "canary".to_owned(),
                finish: Finish::Stop,
                usage,
                cached_tokens: 0,
                model: "flaky".into(),
            };
            match self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
                0 => async { Ok(reply) }.boxed(),
                1 => async { Err(CallError::RateLimited(None)) }.boxed(),
                _ => std::future::pending().boxed(),
            }
        }
    }

    #[tokio::test]
    async fn calls_are_counted_with_every_outcome() {
        let calls = ProviderCalls::default();
        let model = calls.watch(Arc::new(FlakyModel(0.into())), Protocol::Anthropic);
        let schema = Arc::new(Schema {
            name: "none",
            json: serde_json::Value::Null,
        });
        let user = "canary".to_owned();
        let prompt = Prompt {
            system: Cow::Borrowed(""),
            user,
            later: Vec::new(),
            schema,
            max_output_tokens: 10,
        };
        assert!(model.complete(&prompt).await.is_ok() && model.complete(&prompt).await.is_err());
        assert!(model.complete(&prompt).now_or_never().is_none());
        let mut registry = Registry::with_prefix(server::METRICS_PREFIX);
        calls.register(&mut registry);
        let mut page = String::new();
        prometheus_client::encoding::text::encode(&mut page, &registry).unwrap();
        for outcome in ["success", "rate_limited", "cancelled"] {
            let labels = format!("{{protocol=\"anthropic\",outcome=\"{outcome}\"}}");
            assert!(
                page.contains(&format!(
                    "hunkwise_provider_call_duration_seconds_count{labels} 1"
                )),
                "{page}"
            );
        }
        assert!(
            page.contains(
                "hunkwise_provider_tokens_total{protocol=\"anthropic\",kind=\"prompt\"} 30"
            ),
            "{page}"
        );
        assert!(!page.contains("canary"));
    }
}
