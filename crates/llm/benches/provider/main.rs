//! What Hunkwise adds to a provider that takes its time. The provider is the scripted one of the tests: a real HTTP server
//! on this machine. Each review is a small change, the same but for its names, so that none is in the cache; secrets are
//! not searched for, which is the rule engine's part.
//!
//! Only the last figure is one that criterion can measure. The others are a percentile under a fixed load and an amount of
//! memory, so they are measured here and printed beside what they should be.

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
    // Outside of `cargo bench` everything runs once, small, so that it still works.
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

/// A line of the result.
fn say(line: &str) -> Fallible<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
