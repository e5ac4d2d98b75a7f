//! Counts the masked values in harmless changes: code that is hidden from a model is not reviewed by it.

use std::path::PathBuf;

use review::{Diff, FileDiff, LineKind};

use super::corpus;
use crate::run::{self, Result};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the corpora, or single files in it.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Also print each masked value with its line.
    #[arg(long)]
    list: bool,
}

#[derive(Default)]
struct Count {
    lines: usize,
    values: usize,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut count = Count::default();
    for item in corpus::read(&args.paths)? {
        let Ok(diff) = Diff::parse(&item.diff) else {
            continue;
        };
        for file in &diff.files {
            for (text, places) in added(file) {
                count.lines += 1;
                count.values += places.len();
                if args.list {
                    let mut values = places.into_iter().filter_map(|place| text.get(place));
                    values.try_for_each(|value| {
                        run::print(&format!("{}\t{}\t{value}\t{text}\n", item.id, file.path()))
                    })?;
                }
            }
        }
    }
    let rate = count.values as f64 * 1_000.0 / count.lines.max(1) as f64;
    run::print(&format!(
        "{} added lines, {} masked values, {rate:.2} per 1,000 lines\n",
        count.lines, count.values
    ))
}

/// The added lines of a file, with the ranges that look like secrets.
fn added<'a>(file: &'a FileDiff<'_>) -> Vec<(&'a str, Vec<std::ops::Range<usize>>)> {
    let sides: Vec<Vec<_>> = file
        .hunks
        .iter()
        .map(|hunk| {
            hunk.lines
                .iter()
                .filter(|line| line.kind != LineKind::Removed)
                .collect()
        })
        .collect();
    let texts: Vec<Vec<&str>> = sides
        .iter()
        .map(|side: &Vec<&review::Line<'_>>| side.iter().map(|line| line.text).collect())
        .collect();
    let passages: Vec<&[&str]> = texts.iter().map(Vec::as_slice).collect();
    let places = syntax::semantics::secrets::secret_places(file.path(), &passages);
    let lines = sides
        .into_iter()
        .flatten()
        .zip(places.into_iter().flatten());
    lines
        .filter(|(line, _)| line.kind == LineKind::Added)
        .map(|(line, places)| (line.text, places))
        .collect()
}
