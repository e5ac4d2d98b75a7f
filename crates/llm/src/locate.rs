//! Places a model's finding on a line of the part. The code decides on the line, not the model: if the number and the
//! quote disagree, the quote wins; without a quote the stated line must exist. A finding that cannot be placed is
//! counted and dropped.

mod number;
mod path;
mod quote;
mod slip;
#[cfg(test)]
mod tests;

use review::{Category, LineKind, Priority, Reference, Side};

use crate::prompt::plain_line;
use crate::prompt_batch::{BatchLine, PromptBatch};
use crate::reply::{Evidence, RawFinding};
use number::Stated;
use quote::{Fit, Quote, compact};

/// The paths and lines of a batch, indexed for matching. Built once for all findings of an answer.
pub(crate) struct BatchIndex<'b> {
    batch: &'b PromptBatch<'b>,
    paths: Vec<String>,
    /// Each line with its text without white space.
    lines: Vec<(At, &'b BatchLine<'b>, String)>,
}

impl<'b> BatchIndex<'b> {
    pub(crate) fn of(batch: &'b PromptBatch<'b>) -> Self {
        let text = |line: &BatchLine<'_>| compact(&plain_line(line.shown.as_str()));
        let lines = lines(batch)
            .map(|(at, line)| (at, line, text(line)))
            .collect();
        let paths = batch
            .files
            .iter()
            .map(|file| plain_line(file.shown_path.as_str()))
            .collect();
        Self {
            batch,
            paths,
            lines,
        }
    }
}

/// Maximum characters of a summary or a fix.
const TEXT: usize = 1_000;

/// Index of the file in the part, of the hunk in the file, of the line in the hunk.
pub(crate) type At = (usize, usize, usize);

/// A finding on a line of a part. Its location is a position, not a line number, so that it is also valid for the same
/// code elsewhere in the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Located {
    /// Index of the file in the part, of the hunk in the file, of the line in the hunk.
    pub(crate) at: (usize, usize, usize),
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) summary: String,
    pub(crate) fix: Option<String>,
    pub(crate) evidence: Evidence,
    /// Its index in the finder's list, from 0.
    pub(crate) place: usize,
    pub(crate) standing: Standing,
    /// The evidence, in a sentence, if the model stated it.
    pub(crate) proof: Option<String>,
    /// Lines outside of the change that the model looked at.
    pub(crate) references: Vec<Reference>,
}

/// The result of the second look at a finding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// The model defends it, or was not asked a second time.
    #[default]
    Firm,
    /// There was no second look, or its result was contradictory: it is returned one priority lower.
    Unchecked,
    /// The model does not defend it: it is returned as P3.
    Minor,
}

impl Located {
    /// The summary, and the evidence for it.
    pub(crate) fn text(&self) -> String {
        match &self.proof {
            Some(proof) => format!("{} {proof}", self.summary),
            None => self.summary.clone(),
        }
    }

    /// The same finding with another result of the second look.
    pub(crate) fn with(self, standing: Standing) -> Self {
        Self { standing, ..self }
    }
}

#[cfg(test)]
impl Located {
    /// A finding on a line of the first hunk.
    pub(crate) fn sample(line: usize, summary: &str) -> Self {
        let (priority, category) = (Priority::P1, Category::LogicBug);
        let (summary, evidence) = (summary.to_owned(), Evidence::Shown);
        Self {
            at: (0, 0, line),
            priority,
            category,
            summary,
            fix: None,
            evidence,
            place: 0,
            standing: Standing::Firm,
            proof: None,
            references: Vec::new(),
        }
    }
}

/// Places a finding; `None` if it has no location or no summary.
pub(crate) fn locate(raw: &RawFinding, index: &BatchIndex<'_>) -> Option<Located> {
    let summary = tidy(&raw.summary)?;
    let at = line_of(raw, index)?;
    let (priority, category, evidence) = (raw.priority, raw.category, raw.evidence);
    Some(Located {
        at,
        priority,
        category,
        summary,
        fix: tidy(&raw.fix),
        evidence,
        place: 0,
        standing: Standing::Firm,
        proof: None,
        references: Vec::new(),
    })
}

/// The line of a finding.
fn line_of(raw: &RawFinding, index: &BatchIndex<'_>) -> Option<At> {
    let files = path::files(&raw.file, &index.paths);
    let stated = number::stated(&raw.line);
    let Some(quote) = Quote::of(&raw.quote) else {
        return named(&files, stated?, index.batch);
    };
    let best = |fits: &dyn Fn(&str) -> Option<Fit>| {
        let lines = index.lines.iter().filter(|(at, ..)| files.contains(&at.0));
        let ranked =
            lines.filter_map(|(at, line, text)| Some((rank(line, fits(text)?, stated), *at)));
        ranked.min_by_key(|(rank, _)| *rank).map(|(_, at)| at)
    };
    let stands = |line: &str| quote.fit(line);
    let with_a_slip = |line: &str| quote.fit_with_slip(line);
    best(&stands)
        .or_else(|| best(&with_a_slip))
        .or_else(|| elsewhere(&quote, &files, index))
}

/// The only line of the other files that equals the quote. Models confuse files.
fn elsewhere(quote: &Quote, files: &[usize], index: &BatchIndex<'_>) -> Option<At> {
    let others = index.lines.iter().filter(|(at, ..)| !files.contains(&at.0));
    let mut same = others.filter(|(_, _, text)| quote.fit(text).is_some_and(Fit::is_certain));
    same.next()
        .filter(|_| same.next().is_none())
        .map(|(at, ..)| *at)
}

/// The line that was stated but not quoted, if it exists and the file is unambiguous. Without a side, the new side is
/// tried first.
fn named(files: &[usize], stated: Stated, batch: &PromptBatch<'_>) -> Option<At> {
    let [file] = files else { return None };
    let on = |side: Side| {
        let number = |line: &BatchLine<'_>| {
            if side == Side::New {
                line.line.new
            } else {
                line.line.old
            }
        };
        let mut there = lines(batch)
            .filter(move |(at, line)| at.0 == *file && number(line) == Some(stated.number));
        there.next().map(|(at, _)| at)
    };
    match stated.side {
        Some(side) => on(side),
        None => on(Side::New).or_else(|| on(Side::Old)),
    }
}

fn lines<'b>(batch: &'b PromptBatch<'_>) -> impl Iterator<Item = (At, &'b BatchLine<'b>)> {
    let hunks = batch.files.iter().enumerate().flat_map(|(file, hunks)| {
        hunks
            .hunks
            .iter()
            .enumerate()
            .map(move |(hunk, lines)| (file, hunk, lines))
    });
    hunks.flat_map(|(file, hunk, lines)| {
        lines
            .lines
            .iter()
            .enumerate()
            .map(move |(at, line)| ((file, hunk, at), line))
    })
}

/// Sort key for the lines that match a quote, best first: the stated line, then the closer match, then changed lines
/// before context, then the nearest, then the new side.
fn rank(line: &BatchLine<'_>, fit: Fit, stated: Option<Stated>) -> (bool, Fit, bool, u32, bool) {
    let is_context = line.line.kind == LineKind::Context;
    let Some(Stated { side, number }) = stated else {
        return (true, fit, is_context, 0, false);
    };
    let place = line.locate();
    let is_named = place.is_some_and(|(on, at)| at == number && side.is_none_or(|side| side == on));
    let apart = place.map_or(u32::MAX, |(_, at)| at.abs_diff(number));
    (
        !is_named,
        fit,
        is_context,
        apart,
        line.line.kind == LineKind::Removed,
    )
}

/// Trims white space and collapses it to single spaces.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text for display, if any: one paragraph without markup.
pub(crate) fn tidy(text: &str) -> Option<String> {
    let text = squeezed(&plain_line(&text.replace('\n', " ")));
    (!text.is_empty()).then(|| text.chars().take(TEXT).collect())
}
