//! Links between a changed file and files that the change does not touch.

use review::{Chunk, LineKind};
use serde::{Deserialize, Serialize};
use syntax::semantics::symbols::borrowed::Borrowed;

use super::called::CalledMember;
use super::impact::Break;
use super::keys::KeyChanges;
use super::model::{ActiveRule, Facts, Ignored};
use super::unbound::UnboundNames;

/// The links of a changed file, and the settings that decide whether findings about them are reported.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Links {
    /// Index of the file in the diff.
    pub(crate) file: usize,
    /// Its path.
    pub(crate) path: String,
    /// The rules that may report on it.
    pub(crate) rules: Vec<ActiveRule>,
    /// The lines of its new side that suppression comments cover.
    pub(crate) ignored: Vec<Ignored>,
    /// The breaks that the change causes in other files.
    pub(crate) breaks: Vec<Break>,
    /// The hashes of the names that its new side defines, sorted.
    pub(crate) defined: Vec<u64>,
    /// Those of them whose definitions the change adds.
    pub(crate) introduced: Vec<u64>,
    /// The imports that the change adds or alters, and the uses of imported names.
    pub(crate) borrowed: Vec<Borrowed>,
    /// The members that it calls on values of other types.
    pub(crate) called: Vec<CalledMember>,
    /// The lines that the change adds, in order.
    pub(crate) added: Vec<u32>,
    /// The names that it uses and neither defines nor imports.
    pub(crate) unbound: UnboundNames,
    /// The keys that the change removes, adds and reads.
    pub(crate) keys: KeyChanges,
}

impl Links {
    /// Takes the links from the facts of a changed file; `None` if there are none.
    pub(crate) fn take(file: &Chunk<'_>, facts: &mut Facts) -> Option<Self> {
        let breaks = std::mem::take(&mut facts.breaks);
        let defined = std::mem::take(&mut facts.defined);
        let introduced = std::mem::take(&mut facts.introduced);
        let borrowed = std::mem::take(&mut facts.borrowed);
        let called = std::mem::take(&mut facts.called);
        let unbound = std::mem::take(&mut facts.unbound);
        let mut keys = std::mem::take(&mut facts.keys);
        let has_any = !breaks.is_empty()
            || !borrowed.is_empty()
            || !called.is_empty()
            || facts.calls.iter().any(|call| call.added)
            || !unbound.names.is_empty()
            || !defined.is_empty()
            || !keys.rules.is_empty();
        let own = facts.rules.iter().cloned();
        let more = keys.rules.drain(..).map(|id| ActiveRule { id });
        let rules = own.chain(more).collect();
        has_any.then(|| Self {
            file: facts.file,
            path: facts.path.clone(),
            rules,
            ignored: facts.ignored.clone(),
            breaks,
            defined,
            introduced,
            borrowed,
            called,
            added: added_lines(file),
            unbound,
            keys,
        })
    }

    /// The settings that decide whether findings on the file are reported.
    pub(crate) fn settings(&self) -> Facts {
        Facts {
            file: self.file,
            path: self.path.clone(),
            rules: self.rules.clone(),
            ignored: self.ignored.clone(),
            ..Facts::default()
        }
    }
}

fn added_lines(file: &Chunk<'_>) -> Vec<u32> {
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    lines
        .filter(|line| line.kind == LineKind::Added)
        .filter_map(|line| line.new)
        .collect()
}
