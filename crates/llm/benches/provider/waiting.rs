//! The memory of a review that waits for a provider.
//!
//! The provider is a separate process, so that only Hunkwise's memory is counted: the peak resident memory of this
//! process, less its memory before the first review. That is the text of the diff, the parsed diff, the prompt, the
//! request, the connection with its buffers, and allocator overhead. Socket buffers belong to the kernel and are not
//! included.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::try_join_all;
use llm::testing::ScriptedProvider;
use llm::{Protocol, Settings};
use review::Engine;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::time::{Instant, sleep_until};

use crate::{Fallible, change, say, setup};

pub(crate) const NAME: &str = "waiting";
/// The argument that makes this program the provider.
pub(crate) const PROVIDER: &str = "--provider";

/// Open files in addition to the connections.
const FILES: usize = 200;
/// Upper bound for a review.
const TARGET: &str = "40 kB";

pub(crate) fn measure(full: bool) -> Fallible<()> {
    let (reviews, latency) = if full {
        (10_000, Duration::from_secs(5))
    } else {
        (20, Duration::from_secs(1))
    };
    let needed = reviews + FILES;
    let allowed = allow_files(needed)?;
    if allowed < needed {
        return say(&format!(
            "SKIPPED: {reviews} reviews waiting at once: {needed} files must be open for that, and this process may open \
             {allowed} (raise it with `ulimit -Hn`)"
        ));
    }
    let provider = Provider::start(latency)?;
    let runtime = setup::runtime()?;
    let engine = setup::engine(&provider.base_url, &Settings::default())?;
    runtime.block_on(wait(&engine, reviews, latency))
}

/// Makes all reviews wait concurrently, and prints their memory.
async fn wait(engine: &Arc<dyn Engine>, reviews: usize, latency: Duration) -> Fallible<()> {
    // The first review creates everything that is created only once.
    setup::checked(engine, &change::file(reviews), 1).await?;
    let before = resident("VmRSS:")?;
    let start = Instant::now();
    // The starts are spread over two fifths of the latency, so that the last review starts long before the first is
    // done.
    let apart = latency * 2 / 5 / u32::try_from(reviews)?;
    let running = (0..reviews).map(|number| {
        let engine = Arc::clone(engine);
        tokio::spawn(async move {
            sleep_until(start + apart * u32::try_from(number)?).await;
            let began = Instant::now();
            setup::checked(&engine, &change::file(number), 1).await?;
            Fallible::Ok((began, Instant::now()))
        })
    });
    let results = try_join_all(running.collect::<Vec<_>>()).await?;
    let time = start.elapsed();
    let each = resident("VmHWM:")?.saturating_sub(before) / reviews;
    let failed = results.iter().filter(|result| result.is_err()).count();
    let times = results.into_iter().collect::<Fallible<Vec<_>>>();
    let times = times.map_err(|error| format!("{failed} of {reviews} reviews failed: {error}"))?;
    let last = times.iter().map(|(began, _)| *began).max();
    if times.iter().map(|(_, done)| *done).min() < last {
        return Err("the first review was done before the last one began: this machine is too slow or too busy".into());
    }
    say(&format!(
        "{reviews} reviews waiting at once for a provider that takes {latency:?}: none failed, all done after \
         {time:.2?}, {:.1} kB of memory each; should be at most {TARGET}",
        each as f64 / 1_000.0
    ))
}

/// Resident memory of this process in bytes: the current value (`VmRSS:`) or the peak (`VmHWM:`).
fn resident(what: &str) -> Fallible<usize> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix(what)?.trim().strip_suffix(" kB"));
    Ok(kib
        .ok_or("/proc/self/status does not show the memory")?
        .parse::<usize>()?
        * 1024)
}

/// Raises the limit of open files to `wanted`, or as far as possible, and returns it. Child processes inherit it.
fn allow_files(wanted: usize) -> Fallible<usize> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = wanted as u64;
    let allowed = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    if current.is_some_and(|current| current < allowed) {
        setrlimit(
            Resource::Nofile,
            Rlimit {
                current: Some(allowed),
                maximum,
            },
        )?;
    }
    Ok(usize::try_from(
        current.map_or(allowed, |current| current.max(allowed)),
    )?)
}

/// The provider as a separate process, which ends when this is dropped.
struct Provider {
    process: Child,
    base_url: String,
}

impl Provider {
    fn start(latency: Duration) -> Fallible<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args([PROVIDER, &latency.as_millis().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut base_url = String::new();
        BufReader::new(process.stdout.take().ok_or("no output of the provider")?)
            .read_line(&mut base_url)?;
        Ok(Self {
            process,
            base_url: base_url.trim().to_owned(),
        })
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs as the provider: prints its address, and serves until its standard input is closed.
pub(crate) fn provide(milliseconds: u64) -> Fallible<()> {
    let runtime = setup::runtime()?;
    let script = change::answers(Duration::from_millis(milliseconds));
    let provider = runtime.block_on(ScriptedProvider::start(Protocol::OpenAi, script))?;
    say(provider.base_url())?;
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}
