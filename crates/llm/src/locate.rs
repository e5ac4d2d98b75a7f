//! From what a model said to a line of the part. The code decides where a finding stands, not the model: the number and the
//! quote must agree, else the quote decides, and what has neither a place is counted and left out.

use review::{Category, Priority, Side};

use crate::prompt::plain_line;
use crate::prompt_batch::{BatchLine, PromptBatch};
use crate::reply::RawFinding;

/// Characters of a summary or a fix at most.
const TEXT: usize = 1_000;
/// Characters that a quote must have to be looked for as a piece of a line.
const PIECE: usize = 8;

/// A finding on a line of a part. It names its place by position, not by number, so that it holds for the same code
/// elsewhere in the file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Located {
    /// Index of the file in the part, of the hunk in the file, of the line in the hunk.
    pub(crate) at: (usize, usize, usize),
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) summary: String,
    pub(crate) fix: Option<String>,
    pub(crate) confidence: f32,
}

/// Places what was said; `None` when it has no place, or is no finding.
pub(crate) fn locate(raw: &RawFinding, batch: &PromptBatch<'_>) -> Option<Located> {
    let priority = raw.priority.trim().parse().ok()?;
    let category = raw.category.trim().parse().ok()?;
    let summary = tidy(&raw.summary)?;
    let confidence = raw.confidence.is_finite().then(|| raw.confidence.clamp(0.0, 1.0) as f32)?;
    let at = line_of(raw, batch)?;
    Some(Located { at, priority, category, summary, fix: tidy(&raw.fix), confidence })
}

/// The line that is meant.
fn line_of(raw: &RawFinding, batch: &PromptBatch<'_>) -> Option<(usize, usize, usize)> {
    let path = raw.file.trim();
    let quote = squeezed(unmarked(&raw.quote));
    if quote.is_empty() {
        return None;
    }
    let stated = number(&raw.line);
    // Two paths can be one where a secret in them is masked.
    let files = batch.files.iter().enumerate().filter(|(_, file)| plain_line(file.shown_path.as_str()) == path);
    let hunks =
        files.flat_map(|(file, hunks)| hunks.hunks.iter().enumerate().map(move |(hunk, lines)| (file, hunk, lines)));
    let lines = hunks
        .flat_map(|(file, hunk, lines)| lines.lines.iter().enumerate().map(move |(at, line)| ((file, hunk, at), line)));
    let quoted = lines.filter_map(|(at, line)| Some((rank(line, &quote, stated)?, at)));
    quoted.min_by_key(|(rank, _)| *rank).map(|(_, at)| at)
}

/// How badly a line fits what was said; `None` when it does not hold the quote. The line that was named is best, then whole
/// lines, then the nearest; lines that the change touches come before those around.
fn rank(line: &BatchLine<'_>, quote: &str, stated: Option<(Option<Side>, u32)>) -> Option<(bool, bool, bool, u32)> {
    let text = squeezed(line.shown.as_str());
    let whole = text == quote;
    if !whole && (quote.chars().count() < PIECE || !text.contains(quote)) {
        return None;
    }
    let context = line.line.kind == review::LineKind::Context;
    let Some((side, number)) = stated else { return Some((true, !whole, context, 0)) };
    let locate = line.locate();
    let named = locate.is_some_and(|(on, at)| at == number && side.is_none_or(|side| side == on));
    let apart = locate.map_or(u32::MAX, |(_, at)| at.abs_diff(number));
    Some((!named, !whole, context, apart))
}

/// `NEW:42`, `OLD:41`, or a bare number.
fn number(text: &str) -> Option<(Option<Side>, u32)> {
    let text = text.trim();
    let (side, digits) = match text.split_once(':') {
        Some((side, digits)) if side.trim().eq_ignore_ascii_case("NEW") => (Some(Side::New), digits),
        Some((side, digits)) if side.trim().eq_ignore_ascii_case("OLD") => (Some(Side::Old), digits),
        Some(_) => return None,
        None => (None, text),
    };
    digits.trim().parse().ok().map(|number| (side, number))
}

/// A quote without the frame that the prompt put around the line, which models like to copy.
fn unmarked(quote: &str) -> &str {
    let line = quote.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let framed = line.trim_start().strip_prefix("NEW:").or_else(|| line.trim_start().strip_prefix("OLD:"));
    match framed.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit())) {
        Some(rest) => rest.strip_prefix(' ').map_or(rest, |rest| rest.trim_start_matches(['+', '-', ' '])),
        None => line,
    }
}

/// Without white space at the ends and without any difference in that between.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text for people, or nothing: one paragraph, without markup that something further on might act on.
fn tidy(text: &str) -> Option<String> {
    let text = squeezed(&plain_line(&text.replace('\n', " ")));
    (!text.is_empty()).then(|| text.chars().take(TEXT).collect())
}
