//! Checks rules: YAML files against their own examples, without compiling them into the program, and the style of all
//! rule texts.

use std::path::PathBuf;

use crate::prose;
use crate::run::{Result, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rule files, or prefixes of the IDs of built-in rules, such as `python/`.
    #[arg(required = true)]
    rules: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut bad = 0;
    for file in &args.rules {
        let faults = if file.extension().is_some_and(|extension| extension == "yml") {
            let text = std::fs::read_to_string(file)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            match lint::testing::check_yaml(&text) {
                Ok(set) => prose(&set, ""),
                Err(reason) => vec![reason],
            }
        } else {
            prose(rules::built_in(), &file.to_string_lossy())
        };
        if !faults.is_empty() {
            bad += 1;
            say(&format!("{}:\n{}\n", file.display(), faults.join("\n")));
        }
    }
    if bad == 0 {
        Ok(())
    } else {
        Err(format!("{bad} of {} failed", args.rules.len()))
    }
}

/// The style problems of the rules in a set whose IDs have this prefix.
fn prose(set: &lint::RuleSet, start: &str) -> Vec<String> {
    set.rules()
        .iter()
        .filter(|rule| rule.id.starts_with(start))
        .flat_map(|rule| prose::faults(set, rule))
        .collect()
}
