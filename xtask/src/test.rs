//! `cargo test` for the whole workspace, with a summary line.
//!
//! A test that needs a missing component writes `SKIPPED: <what is missing>` to standard error and passes; here it counts as
//! skipped and not as passed.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::run::{self, Result, cargo, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Additional arguments for `cargo test`, for example `-p review`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}

#[derive(Default)]
struct Count {
    passed: usize,
    failed: usize,
    skipped: usize,
}

pub(crate) fn run(args: &Args) -> Result {
    // All failures are reported in one run.
    let mut command = cargo(&["test", "--no-fail-fast"]);
    if !args
        .words
        .iter()
        .any(|word| word == "-p" || word.starts_with("--package"))
    {
        command.args(["--workspace", run::FEATURES]);
    }
    command
        .args(&args.words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| format!("cargo test: {error}"))?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err("cargo test: no output".to_owned());
    };
    let errors = std::thread::spawn(move || {
        let lines = BufReader::new(stderr)
            .lines()
            .map_while(std::io::Result::ok);
        lines
            .inspect(|line| say(line))
            .filter(|line| line.starts_with("SKIPPED: "))
            .collect::<Vec<_>>()
    });
    let mut count = Count::default();
    for line in BufReader::new(stdout)
        .lines()
        .map_while(std::io::Result::ok)
    {
        run::print(&format!("{line}\n"))?;
        add(&mut count, &line);
    }
    let skipped = errors.join().unwrap_or_default();
    let status = child.wait().map_err(|error| error.to_string())?;
    count.skipped += skipped.len();
    count.passed = count.passed.saturating_sub(skipped.len());
    for line in &skipped {
        say(line);
    }
    run::print(&format!(
        "{} passed, {} failed, {} skipped\n",
        count.passed, count.failed, count.skipped
    ))?;
    if status.success() {
        Ok(())
    } else {
        Err("a test failed or did not compile".to_owned())
    }
}

/// Adds a test runner's closing line (`test result: ok. 3 passed; 0 failed; …`).
fn add(count: &mut Count, line: &str) {
    let Some(counts) = line.strip_prefix("test result: ") else {
        return;
    };
    for part in counts.split([';', '.']) {
        let mut words = part.split_whitespace();
        if let (Some(number), Some(what)) = (
            words.next().and_then(|n| n.parse::<usize>().ok()),
            words.next(),
        ) {
            match what {
                "passed" => count.passed += number,
                "failed" => count.failed += number,
                "ignored" => count.skipped += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Count, add};

    #[test]
    fn closing_lines_of_test_runners_are_summed() {
        let mut count = Count::default();
        add(
            &mut count,
            "test result: ok. 19 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
        );
        add(
            &mut count,
            "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9s",
        );
        add(&mut count, "test a::b ... ok");
        assert_eq!((count.passed, count.failed, count.skipped), (21, 3, 1));
    }
}
