//! How many findings a baseline still covers.

use std::collections::HashMap;

use git::snapshot::Snapshot;
use review::{Diff, FileDiff, LineKind, fingerprint};

use super::place::{Place, line};
use crate::outcome::Error;

/// Maximum size of a file of the commit, in bytes.
const FILE_BYTES: usize = 64 * 1024 * 1024;

/// The entries of a baseline that do not cover a finding yet.
pub(super) struct Left<'a> {
    /// The number of entries, by fingerprint.
    entries: HashMap<&'a str, usize>,
    /// Of these, how many may cover added lines, once counted.
    for_added: HashMap<String, usize>,
    diff: &'a Diff<'a>,
    /// The commit that the baseline describes.
    commit: Option<&'a Snapshot<'a>>,
    /// The lines of its files, by path.
    old: HashMap<&'a str, OldLines>,
}

/// The number of equal lines of a file, by their words: in the commit, and of these the ones that the change removes.
#[derive(Default)]
struct OldLines(HashMap<String, (usize, usize)>);

impl<'a> Left<'a> {
    pub(super) fn new(
        known: impl Iterator<Item = &'a str>,
        diff: &'a Diff<'_>,
        commit: Option<&'a Snapshot<'_>>,
    ) -> Self {
        let mut entries = HashMap::new();
        for fingerprint in known {
            *entries.entry(fingerprint).or_default() += 1;
        }
        Self {
            entries,
            for_added: HashMap::new(),
            diff,
            commit,
            old: HashMap::new(),
        }
    }

    /// Whether each place of a finding is known, by the ID of its rule or a former one. If so, they no longer cover others.
    ///
    /// # Errors
    /// A file of the commit cannot be read.
    pub(super) fn take(&mut self, sources: &[&str], places: &[Place<'_>]) -> Result<bool, Error> {
        let mut taken = Vec::new();
        for place in places {
            let known = self.take_one(sources, place)?;
            let is_known = known.is_some();
            taken.extend(known);
            if !is_known {
                taken.iter().for_each(|taken| self.give_back(taken));
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn take_one(&mut self, sources: &[&str], place: &Place<'_>) -> Result<Option<Taken>, Error> {
        let diff = self.diff;
        let Some(line) = line(diff, place) else {
            return Ok(None);
        };
        for source in sources {
            let name = fingerprint(source, place.path, line.text);
            let Some(left) = self
                .entries
                .get(name.as_str())
                .copied()
                .filter(|left| *left > 0)
            else {
                continue;
            };
            let is_added = line.kind == LineKind::Added;
            if is_added {
                let may_be_added = match self.for_added.get(&name) {
                    Some(known) => *known,
                    None => self.coverable(place.path, line.text, left)?,
                };
                if may_be_added == 0 {
                    self.for_added.insert(name, 0);
                    continue;
                }
                self.for_added.insert(name.clone(), may_be_added - 1);
            }
            if let Some(left) = self.entries.get_mut(name.as_str()) {
                *left -= 1;
            }
            return Ok(Some(Taken { name, is_added }));
        }
        Ok(None)
    }

    fn give_back(&mut self, taken: &Taken) {
        let for_added = self.for_added.get_mut(&taken.name);
        for_added
            .into_iter()
            .filter(|_| taken.is_added)
            .for_each(|left| *left += 1);
        if let Some(left) = self.entries.get_mut(taken.name.as_str()) {
            *left += 1;
        }
    }

    /// How many of this many entries may cover added lines with this text. Lines of the commit that the change keeps have
    /// theirs already; a line that it only moves is removed elsewhere.
    fn coverable(&mut self, path: &str, text: &str, entries: usize) -> Result<usize, Error> {
        let Some(commit) = self.commit else {
            return Ok(entries);
        };
        let Some(file) = self.diff.files.iter().find(|file| file.path() == path) else {
            return Ok(entries);
        };
        let old = match self.old.remove(file.path()) {
            Some(known) => known,
            None => OldLines::of(file, commit)?,
        };
        let (all, removed) = old.0.get(&words(text)).copied().unwrap_or_default();
        self.old.insert(file.path(), old);
        let kept = all.saturating_sub(removed);
        let free = entries.saturating_sub(kept);
        Ok(if all == 0 { free } else { free.min(removed) })
    }
}

/// An entry that covers a place.
struct Taken {
    name: String,
    is_added: bool,
}

impl OldLines {
    fn of(file: &FileDiff<'_>, commit: &Snapshot<'_>) -> Result<Self, Error> {
        let mut lines = Self::default();
        let Some(path) = file.old_path.as_deref() else {
            return Ok(lines);
        };
        let text = commit.text(path, FILE_BYTES)?.unwrap_or_default();
        for line in text.lines() {
            lines.0.entry(words(line)).or_default().0 += 1;
        }
        let changed = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        for line in changed.filter(|line| line.kind == LineKind::Removed) {
            lines.0.entry(words(line.text)).or_default().1 += 1;
        }
        Ok(lines)
    }
}

/// The words of a line, which is what fingerprints are made of.
fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
