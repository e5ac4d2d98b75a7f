//! How well hunks are parsed.

use review::{Chunk, Side, Status};
use syntax::language::Grammar;
use syntax::parse::{Extent, Fragment, Limits, SideText, hunks};

/// How well one side of a hunk was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The side.
    pub side: Side,
    /// Bytes of its text.
    pub bytes: usize,
    /// Bytes within error nodes.
    pub error_bytes: usize,
    /// It was parsed without an error or a missing token.
    pub clean: bool,
    /// How many contexts were tried.
    pub tries: usize,
    /// The text added before and after it.
    pub context: (String, String),
}

/// How well the hunks of a file are parsed, the metric of fragment parsing. Empty without a grammar.
#[must_use]
pub fn readings(file: &Chunk<'_>, limits: &Limits) -> Vec<Reading> {
    let Some(grammar) = file
        .language
        .and_then(|language| Grammar::find(language.name()))
    else {
        return Vec::new();
    };
    let is_whole = file.is_complete && matches!(file.status, Status::Added | Status::Removed);
    let extent = if is_whole {
        Extent::Whole
    } else {
        Extent::Part
    };
    let sides = hunks(file).flat_map(|hunk| [(hunk, Side::New), (hunk, Side::Old)]);
    let read = sides.filter_map(|(hunk, side)| {
        let text = SideText::new(hunk, side, limits);
        let bytes = text.text.len();
        let (fragment, _) = Fragment::parse(grammar, text, hunk.heading, extent, None, limits)
            .ok()
            .filter(|_| bytes > 0)?;
        Some(Reading {
            side,
            bytes,
            error_bytes: fragment.error_bytes,
            clean: fragment.score == 0,
            tries: fragment.tries,
            context: (fragment.context.before, fragment.context.after),
        })
    });
    read.collect()
}
