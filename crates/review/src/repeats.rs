//! Merges repeats: the same finding of a rule in several places of a file becomes one finding with related places.
//!
//! Repeats are copies of a whole edit block (a run of removed and added lines), or at least three findings with the
//! same text: a reader decides on those once. Two equal lines in one edit stay two findings, because fixing one does
//! not fix the other. Repeats in other files stay separate, because files are reviewed, owned and suppressed one by
//! one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::{Range, RangeInclusive};

use sha2::{Digest, Sha256};

use crate::anchor::Located;
use crate::budget::Budget;
use crate::candidate::MAX_RELATED;
use crate::diff::{Diff, Line, LineKind};

/// The result of grouping repeats.
#[derive(Default)]
pub(crate) struct Grouped {
    pub(crate) kept: Vec<Located>,
    /// Repeats beyond the number of related places of one finding.
    pub(crate) unnamed: Vec<Located>,
}

type Hash = [u8; 32];

/// This many findings with the same text in a file become one. More could not all be listed as related places.
const SAME_TEXT: RangeInclusive<usize> = 3..=MAX_RELATED + 1;

/// Groups repeats under the first of them in the diff. When the budget ends, the remaining ones stay unchanged.
pub(crate) async fn group(diff: &Diff<'_>, mut located: Vec<Located>, budget: &Budget) -> Grouped {
    located.sort_by_key(Located::place);
    let mut grouped = Grouped::default();
    let mut first: HashMap<Hash, usize> = HashMap::new();
    let mut counts: HashMap<Hash, usize> = HashMap::new();
    for hash in located.iter().filter_map(|one| hash_of_text(one, None)) {
        *counts.entry(hash).or_default() += 1;
    }
    let mut edits = Edits { diff, last: None };
    for one in located {
        let key = if budget.draw_and_yield(edits.steps(&one)).await.is_ok() {
            let same = hash_of_text(&one, None).filter(|hash| {
                counts
                    .get(hash)
                    .is_some_and(|count| SAME_TEXT.contains(count))
            });
            same.or_else(|| edits.key(&one))
        } else {
            None
        };
        match key.map(|key| first.entry(key)) {
            Some(Entry::Occupied(known)) => grouped.repeat(*known.get(), one),
            new => {
                if let Some(Entry::Vacant(new)) = new {
                    new.insert(grouped.kept.len());
                }
                grouped.kept.push(one);
            }
        }
    }
    grouped
}

impl Grouped {
    fn repeat(&mut self, of: usize, one: Located) {
        let Some(kept) = self.kept.get_mut(of) else {
            return;
        };
        let place = one.candidate.place();
        let related = &mut kept.candidate.related;
        if related.len() < MAX_RELATED {
            related.extend((!related.contains(&place)).then_some(place));
        } else {
            self.unnamed.push(one);
        }
    }
}

/// The edits of a diff, read in order; only the last one is kept.
struct Edits<'d> {
    diff: &'d Diff<'d>,
    last: Option<Edit>,
}

/// A run of removed and added lines.
struct Edit {
    /// Indices of the file and of the hunk.
    hunk: (usize, usize),
    lines: Range<usize>,
    /// Equal for copies, regardless of their indentation.
    hash: Hash,
}

impl Edits<'_> {
    fn lines(&self, (file, hunk): (usize, usize)) -> &[Line<'_>] {
        let hunk = self
            .diff
            .files
            .get(file)
            .and_then(|file| file.hunks.get(hunk));
        hunk.map_or(&[], |hunk| &hunk.lines)
    }

    /// The edit around a line, without its hash; `None` for an unchanged line.
    fn around(&self, (file, hunk, line): (usize, usize, usize)) -> Option<Range<usize>> {
        if let Some(last) = self
            .last
            .as_ref()
            .filter(|_| self.is_last((file, hunk, line)))
        {
            return Some(last.lines.clone());
        }
        let (before, after) = self.lines((file, hunk)).split_at_checked(line)?;
        let is_changed = |line: &&Line<'_>| line.kind != LineKind::Context;
        let start = line - before.iter().rev().take_while(is_changed).count();
        let end = line + after.iter().take_while(is_changed).count();
        (end > line).then_some(start..end)
    }

    /// The cost of a finding's key: its texts, and those of its edit unless it is the last one.
    fn steps(&self, of: &Located) -> u64 {
        let place = of.place();
        let edit = self
            .around(place)
            .filter(|_| !self.is_last(place))
            .unwrap_or_default();
        let lines = self.lines((place.0, place.1)).get(edit).unwrap_or_default();
        let bytes: usize = lines.iter().map(|line| 1 + line.text.len()).sum();
        u64::try_from(1 + (bytes + of.candidate.summary.len()) / 64).unwrap_or(u64::MAX)
    }

    fn is_last(&self, (file, hunk, line): (usize, usize, usize)) -> bool {
        self.last
            .as_ref()
            .is_some_and(|last| last.hunk == (file, hunk) && last.lines.contains(&line))
    }

    /// Equal for the same rule, text and line in copies of one edit; `None` for findings that are never grouped.
    fn key(&mut self, of: &Located) -> Option<Hash> {
        let place = of.place();
        if !self.is_last(place) {
            let (hunk, lines) = ((place.0, place.1), self.around(place)?);
            let hash = hash_of(self.lines(hunk).get(lines.clone())?);
            self.last = Some(Edit { hunk, lines, hash });
        }
        let edit = self.last.as_ref()?;
        hash_of_text(of, Some((place.2 - edit.lines.start, &edit.hash)))
    }
}

/// Equal for the same rule, text and file, and for the same line of the same edit if there is one; `None` for findings that
/// are never grouped.
fn hash_of_text(of: &Located, edit: Option<(usize, &Hash)>) -> Option<Hash> {
    let candidate = &of.candidate;
    let rule = candidate.rule_id()?;
    let fix = candidate.suggested_fix.as_deref().unwrap_or_default();
    let file = candidate.file.to_string();
    let parts = [
        rule,
        candidate.priority.as_str(),
        candidate.category.as_str(),
        &candidate.summary,
        fix,
        &file,
    ];
    let line = edit.map(|(line, _)| line.to_string());
    let parts = parts.into_iter().chain(line.as_deref()).map(str::as_bytes);
    Some(hash_parts(
        parts.chain(edit.map(|(_, hash)| hash.as_slice())),
    ))
}

fn hash_of(lines: &[Line<'_>]) -> Hash {
    let marker = |line: &Line<'_>| {
        if line.kind == LineKind::Removed {
            b"-".as_slice()
        } else {
            b"+"
        }
    };
    hash_parts(
        lines
            .iter()
            .flat_map(|line| [marker(line), line.text.trim().as_bytes()]),
    )
}

fn hash_parts<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Hash {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests;
