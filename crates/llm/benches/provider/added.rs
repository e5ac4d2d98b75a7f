//! Time that a review takes beyond its provider's own, at a fixed rate.
//!
//! Reviews start at fixed times, whether or not earlier ones are done, and each is timed from its scheduled start. The
//! provider records how long it holds each request, from the last byte of the request to the first byte of the answer.
//! The rest counts as added: the start of the review, the diff, the prompt, HTTP in both directions (including the
//! kernel's and the provider's share), the reply and the findings. The provider runs on the same cores.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use llm::testing::ScriptedProvider;
use llm::{Protocol, Settings};
use review::Engine;
use tokio::runtime::{Builder, Runtime};

use crate::{Fallible, change, say, setup};

pub(crate) const NAME: &str = "added";

const LATENCY: Duration = Duration::from_millis(100);
/// Reviews per second.
const RATE: u32 = 500;
/// Upper bound for the 99th percentile.
const TARGET: Duration = Duration::from_millis(1);

pub(crate) fn measure(full: bool) -> Fallible<()> {
    let reviews = if full { 20 * RATE as usize } else { 20 };
    let side = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let provider = side.block_on(ScriptedProvider::start(
        Protocol::OpenAi,
        change::answers(LATENCY),
    ))?;
    let runtime = setup::runtime()?;
    let engine = setup::engine(provider.base_url(), &Settings::default())?;
    // Warm up: a service that has run for a while has open connections.
    let warm = reviews / 10;
    load(&runtime, &engine, 0..warm)?;
    let times = load(&runtime, &engine, warm..warm + reviews)?;
    let added = added(&provider, &times);
    if added.len() != reviews {
        return Err(format!("{} of {reviews} reviews reached the provider", added.len()).into());
    }
    let at = |percent: usize| {
        added
            .get((added.len() * percent).div_ceil(100).max(1) - 1)
            .copied()
            .unwrap_or_default()
    };
    say(&format!(
        "added to two calls of {LATENCY:?}, {reviews} reviews, {RATE} a second: p50 {:.0?}, p90 {:.0?}, p99 {:.2?}, most \
         {:.0?}; p99 should be at most {TARGET:?}",
        at(50),
        at(90),
        at(99),
        at(100),
    ))
}

/// Starts each review when it is due, and returns how long each took.
fn load(
    runtime: &Runtime,
    engine: &Arc<dyn Engine>,
    numbers: Range<usize>,
) -> Fallible<Vec<(usize, Duration)>> {
    let mut due = Instant::now();
    let mut running = Vec::with_capacity(numbers.len());
    for number in numbers {
        // The text belongs to the client.
        let text = change::file(number);
        due += Duration::from_secs(1) / RATE;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let engine = Arc::clone(engine);
        running.push(runtime.spawn(async move {
            setup::checked(&engine, &text, 1).await?;
            Fallible::Ok((number, due.elapsed()))
        }));
    }
    runtime
        .block_on(try_join_all(running))?
        .into_iter()
        .collect()
}

/// The time added to the provider's own, in ascending order.
fn added(provider: &ScriptedProvider, times: &[(usize, Duration)]) -> Vec<Duration> {
    let requests = provider.requests();
    let held = provider.held().into_iter();
    let held =
        held.filter_map(|(request, held)| Some((change::number(requests.get(request)?)?, held)));
    // A review holds one request in each turn.
    let mut of_review: HashMap<usize, Duration> = HashMap::new();
    for (number, held) in held {
        *of_review.entry(number).or_default() += held;
    }
    let added = times
        .iter()
        .filter_map(|(number, time)| Some(time.saturating_sub(*of_review.get(number)?)));
    let mut added: Vec<Duration> = added.collect();
    added.sort_unstable();
    added
}
