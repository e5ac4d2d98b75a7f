//! `hunkwise rules test`: runs custom rules on their examples.

use std::fmt::Write as _;
use std::path::PathBuf;

use lint::custom::CustomRule;
use review::output::printable;

use crate::commands::{Context, block_on, print};
use crate::outcome::{Error, Exit, Outcome};
use crate::project::{self, Folder, Found};

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:
  hunkwise rules test .hunkwise/rules

Exit status: 0 all examples pass, 1 some fail, 2 a file is invalid or there are no rules.")]
pub(super) struct Args {
    /// The folder, searched with those below it for *.yml and *.yaml
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(args: &Args, context: &Context) -> Outcome {
    let workers = context.settings()?.workers;
    let name = args.folder.display();
    let files = project::read_all(&[Folder::given(&args.folder)])
        .map_err(|problems| project::refused(&problems))?;
    if files.is_empty() {
        return Err(Error::usage(format!(
            "{name}: there are no rules: no file ends in .yml or .yaml"
        )));
    }
    let found = block_on(project::inspect(&files, true, workers))?;
    if !found.problems.is_empty() {
        return Err(project::refused(&found.problems));
    }
    if found.rules.is_empty() {
        return Err(Error::usage(format!(
            "{name}: there are no rules in its files"
        )));
    }
    let failed = found.rules.iter().any(|rule| !rule.failures.is_empty());
    print(&report(&found))?;
    Ok(if failed {
        Exit::Findings
    } else {
        Exit::Success
    })
}

/// The failures with excerpts, the untested rules, and the counts.
fn report(found: &Found) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    for failure in found.rules.iter().flat_map(|rule| &rule.failures) {
        let _ = writeln!(out, "{}", printable(&failure.to_string()));
    }
    for (rule, missing) in found
        .rules
        .iter()
        .filter_map(|rule| Some((rule, missing(rule)?)))
    {
        let _ = writeln!(out, "note: {} has {missing}", rule.info.id);
    }
    let failed = found
        .rules
        .iter()
        .map(|rule| rule.failures.len())
        .sum::<usize>();
    let examples: usize = found
        .rules
        .iter()
        .map(|rule| rule.info.positive.len() + rule.info.negative.len())
        .sum();
    let (rules, examples) = (
        counted(found.rules.len(), "rule"),
        counted(examples, "example"),
    );
    let _ = match failed {
        0 => writeln!(out, "{rules}, {examples}: all pass"),
        n => writeln!(out, "{rules}, {examples}: {n} failed"),
    };
    out
}

/// The examples that a rule lacks, as a message.
fn missing(rule: &CustomRule) -> Option<&'static str> {
    match (rule.info.positive.is_empty(), rule.info.negative.is_empty()) {
        (true, true) => Some("no examples: the rule is not tested"),
        (true, false) => Some("no example in `positive`: findings are not tested"),
        (false, true) => Some("no example in `negative`: false positives are not tested"),
        (false, false) => None,
    }
}

fn counted(n: usize, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{n} {noun}s")
    }
}
