//! The time of a review of many chunks, compared with the time of its calls alone at the same concurrency.

use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode};
use llm::testing::ScriptedProvider;
use llm::{Protocol, Settings};
use tokio::runtime::Builder;

use crate::{Fallible, change, say, setup};

pub(crate) const NAME: &str = "wide";

const CHUNKS: usize = 100;
const CONCURRENCY: usize = 16;
const LATENCY: Duration = Duration::from_millis(100);

pub(crate) fn measure() -> Fallible<()> {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let side = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let provider = side.block_on(ScriptedProvider::start(
        Protocol::OpenAi,
        change::answers(LATENCY),
    ))?;
    let runtime = setup::runtime()?;
    let settings = Settings {
        concurrency: CONCURRENCY,
        cache: false,
        review_tokens: 10_000_000,
        ..Settings::default()
    };
    let engine = setup::engine(provider.base_url(), &settings)?;
    let text: String = (0..CHUNKS).map(change::file).collect();
    let mut times = Vec::new();
    let mut failure = None;

    let mut group = criterion.benchmark_group(NAME);
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function(
        format!("{CHUNKS} chunks, {CONCURRENCY} at once"),
        |bencher| {
            bencher.iter_custom(|rounds| {
                let round = |_| {
                    let start = Instant::now();
                    failure = runtime
                        .block_on(setup::checked(&engine, &text, CHUNKS))
                        .err()
                        .or(failure.take());
                    start.elapsed()
                };
                let rounds: Vec<Duration> = (0..rounds).map(round).collect();
                times.extend_from_slice(&rounds);
                rounds.iter().sum()
            });
        },
    );
    group.finish();
    criterion.final_summary();
    if let Some(failure) = failure {
        return Err(failure);
    }
    let ideal = LATENCY * u32::try_from(CHUNKS.div_ceil(CONCURRENCY))?;
    let longest = times.into_iter().max().unwrap_or_default();
    say(&format!(
        "{CHUNKS} chunks, {CONCURRENCY} at once, {LATENCY:?} each: the slowest review took {longest:.0?}, {:.3} times the \
         ideal {ideal:?}; should be at most 1.1 times",
        longest.as_secs_f64() / ideal.as_secs_f64()
    ))
}
