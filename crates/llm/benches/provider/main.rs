//! The overhead of Hunkwise over a slow provider. The provider is the scripted one of the tests: a real HTTP server on
//! this machine. Each review is a small change that differs only in its names, so that none is served from the cache.
//! Secrets are not searched for, because that is the rule engine's part.
//!
//! Criterion can only measure the last figure. The others are a percentile under fixed load and an amount of memory, so
//! they are measured here and printed next to their targets.

mod added;
mod change;
mod setup;
mod waiting;
mod wide;

use std::error::Error;
use std::io::Write as _;

type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, milliseconds] = arguments.as_slice()
        && mode == waiting::PROVIDER
    {
        return waiting::provide(milliseconds.parse()?);
    }
    // Outside of `cargo bench` every case runs once at a small size, as a smoke test.
    let full = arguments.iter().any(|argument| argument == "--bench");
    let mut names = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .peekable();
    let all = names.peek().is_none();
    let names: Vec<&String> = names.collect();
    let wanted = |name: &str| all || names.iter().any(|wanted| name.contains(wanted.as_str()));
    if wanted(added::NAME) {
        added::measure(full)?;
    }
    if wanted(waiting::NAME) {
        waiting::measure(full)?;
    }
    if wanted(wide::NAME) {
        wide::measure()?;
    }
    Ok(())
}

/// Prints a line of the result.
fn say(line: &str) -> Fallible<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
