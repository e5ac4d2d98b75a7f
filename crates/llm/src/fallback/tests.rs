//! Results of a chain, with scripted models and a paused clock, and with real sockets.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use review::TokenUsage;
use serde_json::json;
use tokio::time::Instant;

use super::*;
use crate::client::HttpModel;
use crate::model::{Finish, Schema};
use crate::settings::Protocol;
use crate::testing::{FaultKind, Script, ScriptedProvider, Turn};

const SECOND: Duration = Duration::from_secs(1);
/// Time limit of a call on a real socket: enough for an answer on a busy machine.
const CALL_TIME: Duration = Duration::from_secs(20);

/// A model that fails with these errors in order, and then answers.
struct Scripted {
    name: &'static str,
    context: u64,
    errors: Mutex<VecDeque<CallError>>,
    time: Duration,
    calls: AtomicUsize,
}

impl Scripted {
    fn new(name: &'static str, errors: &[CallError]) -> Self {
        let errors = Mutex::new(errors.iter().copied().collect());
        Self {
            name,
            context: 1000,
            errors,
            time: Duration::ZERO,
            calls: AtomicUsize::new(0),
        }
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }
}

impl ChatModel for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn window(&self) -> Window {
        Window {
            context: self.context,
            output: 5000 - self.context,
        }
    }

    fn complete<'a>(&'a self, _: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let error = self.errors.lock().unwrap().pop_front();
        let reply = Reply {
            text: "{}".to_owned(),
            finish: Finish::Stop,
            usage: TokenUsage::default(),
            cached_tokens: 0,
            model: self.name.into(),
        };
        async move {
            tokio::time::sleep(self.time).await;
            error.map_or(Ok(reply), Err)
        }
        .boxed()
    }
}

fn prompt() -> Prompt {
    let schema = Schema {
        name: "findings",
        json: json!({"type": "object"}),
    };
    Prompt {
        system: "".into(),
        user: String::new(),
        later: Vec::new(),
        schema: Arc::new(schema),
        max_output_tokens: 500,
    }
}

fn chain(models: &[&Arc<Scripted>]) -> Chain {
    let models = models
        .iter()
        .map(|model| Arc::clone(model) as Arc<dyn ChatModel>)
        .collect();
    Chain::new(models, RetryPolicy::default(), Arc::new(|| 1.0)).unwrap()
}

async fn ask(chain: &Chain) -> Result<String, CallError> {
    chain
        .complete(&prompt())
        .await
        .map(|reply| reply.model.to_string())
}

async fn ask_for(chain: &Chain, tenant: &str) -> Result<String, CallError> {
    chain
        .complete_for(&Call::new(tenant, 0), &prompt())
        .await
        .map(|reply| reply.model.to_string())
}

const BROKEN: CallError = CallError::Connection;
const DOWN: CallError = CallError::Unavailable(500, None);

#[test]
fn a_chain_needs_a_model() {
    assert!(Chain::new(Vec::new(), RetryPolicy::default(), Arc::new(|| 0.0)).is_none());
}

#[test]
fn the_window_is_the_smallest_of_all_models() {
    let small = Arc::new(Scripted {
        context: 500,
        ..Scripted::new("small", &[])
    });
    let large = Arc::new(Scripted {
        context: 4000,
        ..Scripted::new("large", &[])
    });
    let chain = chain(&[&large, &small]);
    assert_eq!(
        (chain.window(), chain.name()),
        (
            Window {
                context: 500,
                output: 1000
            },
            "large"
        )
    );
}

#[test]
fn waits_are_random_below_a_bound_that_grows_to_a_maximum() {
    let policy = RetryPolicy {
        attempts: 99,
        ..RetryPolicy::default()
    };
    let wait = |attempts, jitter| policy.wait(BROKEN, attempts, jitter);
    let bounds = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]
        .map(|ms| Some(Duration::from_millis(ms)));
    assert_eq!(
        [1, 2, 3, 4, 5, 6, 7, 90].map(|attempts| wait(attempts, 1.0)),
        bounds
    );
    assert_eq!(wait(2, 0.25), Some(Duration::from_millis(250)));
    for no_fraction in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert_eq!(wait(2, no_fraction), Some(Duration::ZERO));
    }
    assert_eq!(wait(2, 7.0), Some(SECOND));
}

#[tokio::test(start_paused = true)]
async fn transient_errors_are_retried() {
    let model = Arc::new(Scripted::new("a", &[BROKEN, CallError::Garbled]));
    let start = Instant::now();
    assert_eq!(ask(&chain(&[&model])).await, Ok("a".to_owned()));
    assert_eq!(
        (model.calls(), start.elapsed()),
        (3, Duration::from_millis(1500))
    );
}

#[tokio::test(start_paused = true)]
async fn the_next_model_is_called_after_the_last_attempt() {
    let (first, second) = (
        Arc::new(Scripted::new("a", &[DOWN; 9])),
        Arc::new(Scripted::new("b", &[])),
    );
    assert_eq!(ask(&chain(&[&first, &second])).await, Ok("b".to_owned()));
    assert_eq!((first.calls(), second.calls()), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn permanent_errors_fall_back_without_a_retry() {
    use CallError::{Declined, Key, Refused, TooLarge, Unknown};
    for error in [Key(401), Unknown(404), Refused(400), Declined, TooLarge] {
        let (first, second) = (
            Arc::new(Scripted::new("a", &[error])),
            Arc::new(Scripted::new("b", &[])),
        );
        let start = Instant::now();
        assert_eq!(
            ask(&chain(&[&first, &second])).await,
            Ok("b".to_owned()),
            "{error}"
        );
        assert_eq!(
            (first.calls(), start.elapsed()),
            (1, Duration::ZERO),
            "{error}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_is_too_long_goes_only_to_a_larger_window() {
    let too_long = || Scripted::new("a", &[CallError::TooLong]);
    let same = Arc::new(Scripted::new("same", &[]));
    let larger = Arc::new(Scripted {
        context: 2000,
        ..Scripted::new("larger", &[])
    });
    assert_eq!(
        ask(&chain(&[&Arc::new(too_long()), &same])).await,
        Err(CallError::TooLong)
    );
    assert_eq!(
        ask(&chain(&[&Arc::new(too_long()), &same, &larger])).await,
        Ok("larger".to_owned())
    );
    assert_eq!((same.calls(), larger.calls()), (0, 1));
    let broken = Arc::new(Scripted {
        context: 2000,
        ..Scripted::new("broken", &[CallError::Key(401)])
    });
    assert_eq!(
        ask(&chain(&[&Arc::new(too_long()), &broken])).await,
        Err(CallError::TooLong)
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_timed_out_is_not_retried_while_there_is_another_model() {
    let slow = || Arc::new(Scripted::new("slow", &[CallError::TimedOut; 9]));
    let (first, second) = (slow(), Arc::new(Scripted::new("b", &[])));
    assert_eq!(ask(&chain(&[&first, &second])).await, Ok("b".to_owned()));
    assert_eq!(first.calls(), 1);
    let alone = slow();
    assert_eq!(ask(&chain(&[&alone])).await, Err(CallError::TimedOut));
    assert_eq!(alone.calls(), 3);
}

#[tokio::test(start_paused = true)]
async fn the_retry_delay_of_a_provider_is_respected() {
    for error in [
        CallError::RateLimited(Some(7 * SECOND)),
        CallError::Unavailable(503, Some(7 * SECOND)),
    ] {
        let model = Arc::new(Scripted::new("a", &[error]));
        let start = Instant::now();
        assert_eq!(ask(&chain(&[&model])).await, Ok("a".to_owned()));
        assert_eq!(start.elapsed(), Duration::from_millis(7500), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_provider_with_a_long_retry_delay_is_skipped_for_that_long() {
    let away = CallError::RateLimited(Some(120 * SECOND));
    let (first, second) = (
        Arc::new(Scripted::new("a", &[away])),
        Arc::new(Scripted::new("b", &[])),
    );
    let chain = chain(&[&first, &second]);
    for _ in 0..3 {
        assert_eq!(ask(&chain).await, Ok("b".to_owned()));
    }
    assert_eq!(first.calls(), 1);
    tokio::time::advance(120 * SECOND).await;
    assert_eq!(ask(&chain).await, Ok("a".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn the_time_a_provider_is_skipped_is_bounded() {
    let away = CallError::Unavailable(503, Some(Duration::MAX));
    let model = Arc::new(Scripted::new("a", &[away]));
    let chain = chain(&[&model]);
    assert_eq!(ask(&chain).await, Err(away));
    assert_eq!(ask(&chain).await, Err(away));
    tokio::time::advance(300 * SECOND).await;
    assert_eq!(ask(&chain).await, Ok("a".to_owned()));
    assert_eq!(model.calls(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_waiting_call_does_not_delay_others() {
    let model = Arc::new(Scripted::new(
        "a",
        &[CallError::RateLimited(Some(60 * SECOND))],
    ));
    let chain = chain(&[&model]);
    let start = Instant::now();
    let other = async {
        let reply = ask(&chain).await;
        (reply, start.elapsed())
    };
    let (first, (second, at)) = tokio::join!(ask(&chain), other);
    assert_eq!(
        (first, second, at),
        (Ok("a".to_owned()), Ok("a".to_owned()), Duration::ZERO)
    );
}

#[tokio::test(start_paused = true)]
async fn a_model_that_keeps_failing_is_skipped_and_then_probed_once() {
    let model = Arc::new(Scripted::new("a", &[DOWN; 6]));
    let chain = chain(&[&model]);
    assert_eq!((ask(&chain).await, model.calls()), (Err(DOWN), 3));
    assert_eq!(
        (ask(&chain).await, model.calls()),
        (Err(DOWN), 5),
        "the fifth failure opens it"
    );
    assert_eq!((ask(&chain).await, model.calls()), (Err(DOWN), 5));
    tokio::time::advance(30 * SECOND).await;
    assert_eq!(
        (ask(&chain).await, model.calls()),
        (Err(DOWN), 6),
        "the probe fails"
    );
    tokio::time::advance(29 * SECOND).await;
    assert_eq!((ask(&chain).await, model.calls()), (Err(DOWN), 6));
    tokio::time::advance(SECOND).await;
    assert_eq!((ask(&chain).await, model.calls()), (Ok("a".to_owned()), 7));
    assert_eq!((ask(&chain).await, model.calls()), (Ok("a".to_owned()), 8));
}

#[tokio::test(start_paused = true)]
async fn only_one_call_probes_a_model() {
    let model = Arc::new(Scripted {
        time: SECOND,
        ..Scripted::new("a", &[DOWN; 5])
    });
    let chain = chain(&[&model]);
    assert_eq!(
        (ask(&chain).await, ask(&chain).await),
        (Err(DOWN), Err(DOWN))
    );
    tokio::time::advance(30 * SECOND).await;
    let both = tokio::join!(ask(&chain), ask(&chain));
    assert_eq!((both, model.calls()), ((Ok("a".to_owned()), Err(DOWN)), 6));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_probe_is_replaced_by_the_next_call() {
    let model = Arc::new(Scripted {
        time: SECOND,
        ..Scripted::new("a", &[DOWN; 5])
    });
    let chain = chain(&[&model]);
    assert_eq!(
        (ask(&chain).await, ask(&chain).await),
        (Err(DOWN), Err(DOWN))
    );
    tokio::time::advance(30 * SECOND).await;
    assert!(tokio::time::timeout(SECOND / 2, ask(&chain)).await.is_err());
    assert_eq!(ask(&chain).await, Ok("a".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn failures_of_one_tenant_do_not_affect_another() {
    use CallError::{Declined, Garbled, Key, Refused, TimedOut, TooLarge, TooLong, Unavailable};
    let long = Unavailable(503, Some(120 * SECOND));
    for error in [
        DOWN,
        BROKEN,
        TimedOut,
        Garbled,
        long,
        Declined,
        Refused(400),
        TooLong,
        TooLarge,
        Key(401),
    ] {
        let model = Arc::new(Scripted::new("a", &[error; 30]));
        let chain = chain(&[&model]);
        for _ in 0..30 {
            let _ = ask_for(&chain, "hostile").await;
        }
        let failed = model.calls();
        model.errors.lock().unwrap().clear();
        assert_eq!(
            (ask_for(&chain, "good").await, model.calls()),
            (Ok("a".to_owned()), failed + 1),
            "{error}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn any_number_of_hostile_tenants_does_not_affect_another() {
    let model = Arc::new(Scripted::new("a", &[DOWN; 2_000]));
    let chain = chain(&[&model]);
    let tenants: Vec<String> = (0..100).map(|number| format!("hostile {number}")).collect();
    for tenant in &tenants {
        assert_eq!(
            (ask_for(&chain, tenant).await, ask_for(&chain, tenant).await),
            (Err(DOWN), Err(DOWN))
        );
    }
    model.errors.lock().unwrap().clear();
    for tenant in ["good", "better"] {
        assert_eq!(ask_for(&chain, tenant).await, Ok("a".to_owned()));
    }
}

#[tokio::test(start_paused = true)]
async fn one_failure_is_enough_after_several_tenants_failed() {
    let model = Arc::new(Scripted::new("a", &[DOWN; 100]));
    let chain = chain(&[&model]);
    let calls = async |tenant| {
        let before = model.calls();
        assert_eq!(ask_for(&chain, tenant).await, Err(DOWN));
        model.calls() - before
    };
    for tenant in ["one", "two"] {
        assert_eq!(
            (
                calls(tenant).await,
                calls(tenant).await,
                calls(tenant).await
            ),
            (3, 2, 0),
            "{tenant}"
        );
    }
    assert_eq!((calls("three").await, calls("three").await), (1, 0));

    model.errors.lock().unwrap().clear();
    assert_eq!(ask_for(&chain, "four").await, Ok("a".to_owned()));
    model.errors.lock().unwrap().extend([DOWN; 9]);
    assert_eq!(calls("five").await, 3, "a call has succeeded since");
}

#[tokio::test(start_paused = true)]
async fn a_long_retry_delay_for_the_key_applies_to_every_tenant() {
    let away = CallError::RateLimited(Some(120 * SECOND));
    let model = Arc::new(Scripted {
        time: SECOND,
        ..Scripted::new("a", &[away])
    });
    let chain = chain(&[&model]);
    for tenant in ["one", "two"] {
        assert_eq!(
            (ask_for(&chain, tenant).await, model.calls()),
            (Err(away), 1)
        );
    }
    tokio::time::advance(120 * SECOND).await;
    let both = tokio::join!(ask_for(&chain, "one"), ask_for(&chain, "two"));
    assert_eq!(
        (both, model.calls()),
        ((Ok("a".to_owned()), Err(away)), 2),
        "one call probes for all"
    );
    assert_eq!(ask_for(&chain, "two").await, Ok("a".to_owned()));
}

#[test]
fn the_number_of_remembered_tenants_is_bounded() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let breaker = Breaker::new(RetryPolicy {
            failures: 1,
            ..RetryPolicy::default()
        });
        for number in 0..5_000 {
            if let Ok(permit) = breaker.admit(&number.to_string()) {
                permit.finish(Some(DOWN));
            }
        }
        assert_eq!(breaker.remembered(), 4_096);
        assert!(breaker.admit("7").is_err() && breaker.admit("4999").is_ok());
        tokio::time::advance(30 * SECOND).await;
        breaker.admit("new").unwrap().finish(Some(DOWN));
        assert_eq!(
            breaker.remembered(),
            1,
            "a tenant whose wait is over makes room"
        );
    });
}

#[tokio::test(start_paused = true)]
async fn any_answer_resets_the_consecutive_failures() {
    let (declined, refused) = (CallError::Declined, CallError::Refused(400));
    let errors = [DOWN, DOWN, DOWN, declined, DOWN, DOWN, DOWN, refused, DOWN];
    let chain = chain(&[&Arc::new(Scripted::new("a", &errors))]);
    for expected in [
        Err(DOWN),
        Err(declined),
        Err(DOWN),
        Err(refused),
        Ok("a".to_owned()),
    ] {
        assert_eq!(ask(&chain).await, expected);
    }
}

#[tokio::test(start_paused = true)]
async fn rate_limits_are_not_failures_of_the_provider() {
    let model = Arc::new(Scripted::new("a", &[CallError::RateLimited(None); 9]));
    let chain = chain(&[&model]);
    for calls in [3, 6, 9] {
        assert_eq!(
            (ask(&chain).await, model.calls()),
            (Err(CallError::RateLimited(None)), calls)
        );
    }
    assert_eq!(ask(&chain).await, Ok("a".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn the_error_is_that_of_a_model_that_was_called() {
    let (first, second) = (
        Arc::new(Scripted::new("a", &[CallError::Key(401); 9])),
        Arc::new(Scripted::new("b", &[DOWN; 9])),
    );
    let chain = chain(&[&first, &second]);
    assert_eq!(
        (ask(&chain).await, ask(&chain).await, second.calls()),
        (Err(DOWN), Err(DOWN), 5)
    );
    assert_eq!(
        (ask(&chain).await, second.calls()),
        (Err(CallError::Key(401)), 5)
    );
}

/// Short waits for real sockets, where time cannot be paused.
fn short_waits() -> RetryPolicy {
    RetryPolicy {
        attempts: 2,
        first_wait: Duration::from_millis(1),
        longest_retry_after: SECOND,
        ..RetryPolicy::default()
    }
}

/// A chain for every fault of every protocol: a provider with that fault, followed by a working one if `second` is set.
async fn over_sockets(second: bool) -> Vec<(Protocol, FaultKind, ScriptedProvider, Chain)> {
    let mut chains = Vec::new();
    for protocol in [Protocol::OpenAi, Protocol::Anthropic, Protocol::Gemini] {
        for fault in FaultKind::ALL {
            let provider = ScriptedProvider::start(protocol, Script::always(Turn::fail(fault)))
                .await
                .unwrap();
            let mut models: Vec<Arc<dyn ChatModel>> = vec![Arc::new(
                HttpModel::new(&provider.settings(), CALL_TIME).unwrap(),
            )];
            models.extend(
                second.then(|| Arc::new(Scripted::new("second", &[])) as Arc<dyn ChatModel>),
            );
            let chain = Chain::new(models, short_waits(), Arc::new(|| 1.0)).unwrap();
            chains.push((protocol, fault, provider, chain));
        }
    }
    chains
}

/// The results of all chains, in order. They are called concurrently, except those whose provider causes a timeout.
async fn ask_all(
    chains: &[(Protocol, FaultKind, ScriptedProvider, Chain)],
) -> Vec<Result<String, CallError>> {
    let brief = chains.iter().filter(|(_, fault, _, _)| !fault.lasts());
    let mut brief = join_all(brief.map(|(_, _, _, chain)| ask(chain)))
        .await
        .into_iter();
    let mut results = Vec::new();
    for (_, fault, provider, chain) in chains {
        results.push(match fault.lasts() {
            true => provider.run_out(CALL_TIME, ask(chain)).await,
            false => brief.next().unwrap(),
        });
    }
    results
}

/// How often the first model is called, and whether its reply is returned.
fn expected(protocol: Protocol, fault: FaultKind) -> (usize, bool) {
    match fault {
        FaultKind::ProseAroundText | FaultKind::Length | FaultKind::NoUsage => (1, true),
        FaultKind::QuotaSpent if protocol == Protocol::OpenAi => (1, false),
        FaultKind::RateLimited
        | FaultKind::QuotaSpent
        | FaultKind::ServerError
        | FaultKind::HugeError
        | FaultKind::Overloaded => (2, false),
        FaultKind::CutBeforeAnswer
        | FaultKind::CutInsideAnswer
        | FaultKind::HalfJson
        | FaultKind::NoChoices => (2, false),
        // The provider sets a delay of two seconds, and these callers wait at most one.
        FaultKind::RateLimitedFor(_) => (1, false),
        FaultKind::HangBeforeAnswer | FaultKind::HangInsideAnswer | FaultKind::SlowTokens => {
            (1, false)
        }
        FaultKind::Refusal
        | FaultKind::ContentFilter
        | FaultKind::WrongModel
        | FaultKind::WrongKey
        | FaultKind::TooLong => (1, false),
        FaultKind::Huge | FaultKind::Redirect => (1, false),
    }
}

#[tokio::test]
async fn a_second_model_handles_every_fault_of_every_protocol() {
    let chains = over_sockets(true).await;
    for ((protocol, fault, provider, _), reply) in chains.iter().zip(ask_all(&chains).await) {
        let (calls, own) = expected(*protocol, *fault);
        assert_eq!(provider.requests().len(), calls, "{protocol} {fault:?}");
        let expected = match fault {
            // The second window is not larger than the first.
            FaultKind::TooLong => Err(CallError::TooLong),
            _ => Ok(if own { "scripted" } else { "second" }.to_owned()),
        };
        assert_eq!(reply, expected, "{protocol} {fault:?}");
    }
}

#[tokio::test]
async fn every_fault_of_every_protocol_is_an_error_without_another_model() {
    let chains = over_sockets(false).await;
    for ((protocol, fault, provider, _), reply) in chains.iter().zip(ask_all(&chains).await) {
        let (_, own) = expected(*protocol, *fault);
        assert_eq!(reply.is_ok(), own, "{protocol} {fault:?}");
        let again = reply.is_err_and(|error| error.is_transient() && error.retry_after().is_none());
        assert_eq!(
            provider.requests().len(),
            if again { 2 } else { 1 },
            "{protocol} {fault:?}"
        );
    }
}
