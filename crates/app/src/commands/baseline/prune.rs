//! `hunkwise baseline prune`: removes findings that are no longer in the code.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use git::Git;
use review::Side;
use review::output::printable;

use crate::baseline::{Baseline, Entry};
use crate::commands::print;
use crate::out;
use crate::outcome::{Error, Outcome};

/// Maximum size of a file, in bytes. Larger files are not reviewed either.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Remove the findings on lines that are no longer in their files
///
/// The files are read as this checkout has them. Findings on removed lines stay: no checkout shows whether they are
/// still part of a change.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:
  hunkwise baseline prune hunkwise-baseline.json")]
pub(super) struct Args {
    /// The baseline, which is rewritten
    file: PathBuf,
}

pub(super) fn run(args: &Args) -> Outcome {
    let before = Baseline::read(&args.file)?;
    let git = Git::open(Path::new("."))?;
    let root = git.root()?;
    let mut by_path: HashMap<&str, Vec<&Entry>> = HashMap::new();
    for entry in &before.entries {
        by_path.entry(&entry.path).or_default().push(entry);
    }
    let mut kept = Vec::new();
    for (path, entries) in by_path {
        kept.extend(remaining(path, entries, text(&git, root, path)?.as_deref()));
    }
    let (after, count) = (Baseline::new(kept), before.entries.len());
    if after != before {
        after.write(&args.file)?;
    }
    let removed = after
        .entries
        .iter()
        .filter(|entry| entry.side == Side::Old)
        .count();
    if removed > 0 {
        out::note(&format!(
            "note: {removed} on removed lines stay, as no checkout shows whether they are needed"
        ));
    }
    print(&format!(
        "pruned {} of {count} findings\n",
        count - after.entries.len()
    ))
}

/// The entries with a line in the text. Of equal entries, as many are kept as there are lines.
fn remaining(path: &str, entries: Vec<&Entry>, text: Option<&str>) -> Vec<Entry> {
    let mut counts: HashMap<&str, HashMap<String, usize>> = HashMap::new();
    for rule in entries.iter().map(|entry| entry.rule.as_str()) {
        counts.entry(rule).or_insert_with(|| {
            let mut lines = HashMap::new();
            for line in text.unwrap_or_default().lines() {
                *lines
                    .entry(review::fingerprint(rule, path, line))
                    .or_default() += 1;
            }
            lines
        });
    }
    let mut is_there = |entry: &Entry| {
        let left = counts
            .get_mut(entry.rule.as_str())
            .and_then(|lines| lines.get_mut(&entry.fingerprint));
        left.filter(|left| **left > 0)
            .map(|left| *left -= 1)
            .is_some()
    };
    entries
        .into_iter()
        .filter(|entry| entry.side == Side::Old || is_there(entry))
        .cloned()
        .collect()
}

/// The text of a file of the checkout. A file that is only in the index, as in a sparse checkout, is read from there.
fn text(git: &Git, root: &Path, path: &str) -> Result<Option<String>, Error> {
    let is_below = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let file = root.join(path);
    let known = fs::symlink_metadata(&file).ok().filter(|_| is_below);
    let bytes = match known {
        Some(known) if !known.is_file() => None,
        Some(known) if known.len() > MAX_BYTES as u64 => {
            return Err(unreadable(path, &"it is too large"));
        }
        Some(_) => Some(fs::read(&file).map_err(|error| unreadable(path, &error))?),
        None => git.in_index(path, MAX_BYTES)?,
    };
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

fn unreadable(path: &str, why: &dyn std::fmt::Display) -> Error {
    Error::failure(printable(&format!(
        "cannot read {path}: {why}; nothing was pruned"
    )))
}
