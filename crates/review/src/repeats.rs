//! One edit in many places of a file: what a rule says of each copy of it is one finding with related places.
//!
//! Only copies of a whole edit count, which is a run of removed and added lines. A line that occurs twice in one edit is two
//! defects: fixing one does not fix the other. Copies in another file stay findings of their own, because files are
//! reviewed, owned and suppressed one by one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::anchor::Located;
use crate::budget::Budget;
use crate::candidate::MOST_RELATED;
use crate::diff::{Diff, Line, LineKind};

/// What remains when repetitions are gathered.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) kept: Vec<Located>,
    /// Repetitions beyond those that one finding names.
    pub(crate) unnamed: Vec<Located>,
}

type Hash = [u8; 32];

/// Gathers what repeats a finding under the one that comes first in the diff. Where the budget ends, the rest stays as it
/// is.
pub(crate) async fn gather(diff: &Diff<'_>, mut located: Vec<Located>, budget: &Budget) -> Gathered {
    located.sort_by_key(Located::place);
    let mut gathered = Gathered::default();
    let mut first: HashMap<Hash, usize> = HashMap::new();
    let mut edits = Edits { diff, last: None };
    for one in located {
        let key = if budget.turn(edits.steps(&one)).await.is_ok() { edits.key(&one) } else { None };
        match key.map(|key| first.entry(key)) {
            Some(Entry::Occupied(known)) => gathered.repeat(*known.get(), one),
            new => {
                if let Some(Entry::Vacant(new)) = new {
                    new.insert(gathered.kept.len());
                }
                gathered.kept.push(one);
            }
        }
    }
    gathered
}

impl Gathered {
    fn repeat(&mut self, of: usize, one: Located) {
        let Some(kept) = self.kept.get_mut(of) else { return };
        let place = one.candidate.place();
        let related = &mut kept.candidate.related;
        if related.len() < MOST_RELATED {
            related.extend((!related.contains(&place)).then_some(place));
        } else {
            self.unnamed.push(one);
        }
    }
}

/// The edits of a diff, in its order. Only the last one is kept: each is read once.
struct Edits<'d> {
    diff: &'d Diff<'d>,
    last: Option<Edit>,
}

/// A run of removed and added lines.
struct Edit {
    /// Indices of the file and of the hunk.
    hunk: (usize, usize),
    lines: Range<usize>,
    /// The same for copies, whatever their indentation.
    hash: Hash,
}

impl Edits<'_> {
    fn lines(&self, (file, hunk): (usize, usize)) -> &[Line<'_>] {
        let hunk = self.diff.files.get(file).and_then(|file| file.hunks.get(hunk));
        hunk.map_or(&[], |hunk| &hunk.lines)
    }

    /// The edit that a line is in, without its hash; `None` on an unchanged line.
    fn around(&self, (file, hunk, line): (usize, usize, usize)) -> Option<Range<usize>> {
        if let Some(last) = self.last.as_ref().filter(|_| self.is_last((file, hunk, line))) {
            return Some(last.lines.clone());
        }
        let (before, after) = self.lines((file, hunk)).split_at_checked(line)?;
        let is_changed = |line: &&Line<'_>| line.kind != LineKind::Context;
        let start = line - before.iter().rev().take_while(is_changed).count();
        let end = line + after.iter().take_while(is_changed).count();
        (end > line).then_some(start..end)
    }

    /// What the key of a finding takes: its own texts, and those of its edit if that is not the last one's.
    fn steps(&self, of: &Located) -> u64 {
        let place = of.place();
        let edit = self.around(place).filter(|_| !self.is_last(place)).unwrap_or_default();
        let lines = self.lines((place.0, place.1)).get(edit).unwrap_or_default();
        let bytes: usize = lines.iter().map(|line| 1 + line.text.len()).sum();
        u64::try_from(1 + (bytes + of.candidate.summary.len()) / 64).unwrap_or(u64::MAX)
    }

    fn is_last(&self, (file, hunk, line): (usize, usize, usize)) -> bool {
        self.last.as_ref().is_some_and(|last| last.hunk == (file, hunk) && last.lines.contains(&line))
    }

    /// The same for what the same rule says of the same line of copies of one edit; `None` for what is never gathered.
    fn key(&mut self, of: &Located) -> Option<Hash> {
        let candidate = &of.candidate;
        let rule = candidate.rule_id()?;
        let place = of.place();
        if !self.is_last(place) {
            let (hunk, lines) = ((place.0, place.1), self.around(place)?);
            let hash = hash_of(self.lines(hunk).get(lines.clone())?);
            self.last = Some(Edit { hunk, lines, hash });
        }
        let edit = self.last.as_ref()?;
        let fix = candidate.suggested_fix.as_deref().unwrap_or_default();
        let at = (place.2 - edit.lines.start).to_string();
        let kind = (candidate.priority.as_str(), candidate.category.as_str());
        let file = place.0.to_string();
        let parts = [rule, kind.0, kind.1, &candidate.summary, fix, &file, &at];
        let parts = parts.into_iter().map(str::as_bytes).chain([edit.hash.as_slice()]);
        Some(hash_parts(parts))
    }
}

fn hash_of(lines: &[Line<'_>]) -> Hash {
    let marker = |line: &Line<'_>| if line.kind == LineKind::Removed { b"-".as_slice() } else { b"+" };
    hash_parts(lines.iter().flat_map(|line| [marker(line), line.text.trim().as_bytes()]))
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
