//! The facts of a review while its files are scanned: only those that other files may need, and within the budget.
//!
//! A fact matters if it is about a function that the diff changes or removes, or about a name that it removes. Only a
//! part of a file with lines of the old side can change or remove anything. Once all such parts are known, facts about
//! other names are dropped: both those kept so far and those that arrive later. The order of arrival affects the memory
//! use in between, but not the result.

use std::collections::HashSet;

use impact::hash;
use review::{Budget, Chunk, LineKind, MemoryPermit, Spent};

use crate::facts::{Facts, PackedFacts, is_changed};

/// Bytes of a name in a set, including the set's free capacity.
const NAME_BYTES: usize = 2 * size_of::<Name>();

/// Hashes of the language family and of the name.
pub(crate) type Name = (u64, u64);

/// The facts so far.
#[derive(Debug)]
pub(crate) struct KeptFacts {
    budget: Budget,
    parts: Vec<Part>,
    /// The number of parts with an old side that are not done.
    awaited: usize,
    wanted: Wanted,
    /// The permits for the memory of `wanted`.
    held: Vec<MemoryPermit>,
}

#[derive(Debug)]
struct Part {
    /// Index of the chunk.
    chunk: usize,
    facts: PackedFacts,
    held: MemoryPermit,
}

/// The facts that other files may need.
#[derive(Debug, Default)]
struct Wanted {
    names: HashSet<Name>,
    /// Whether there are removed blocks to find among the added lines.
    blocks: bool,
}

/// Whether a part of a file can change or remove anything, that is, whether it has lines of the old side.
pub(crate) fn has_old_side(chunk: &Chunk<'_>) -> bool {
    chunk
        .hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .any(|line| line.kind != LineKind::Added)
}

impl KeptFacts {
    /// Empty, for a diff with this many parts that have an old side.
    pub(crate) fn new(awaited: usize, budget: Budget) -> Self {
        Self {
            budget,
            parts: Vec::new(),
            awaited,
            wanted: Wanted::default(),
            held: Vec::new(),
        }
    }

    /// Keeps the facts of a part that may matter.
    ///
    /// # Errors
    /// There is no memory for them. The other files are not compared with this part.
    pub(crate) fn add(&mut self, chunk: usize, mut facts: Facts) -> Result<(), Spent> {
        let before = self.wanted.names.len();
        let mut held = self
            .budget
            .hold(Wanted::count(&facts).saturating_mul(NAME_BYTES))?;
        self.wanted.add(&facts);
        let added = self.wanted.names.len().saturating_sub(before);
        if added > 0 {
            held.shrink(added.saturating_mul(NAME_BYTES));
            self.held.push(held);
        }
        if self.awaited == 0 {
            self.wanted.retain(&mut facts);
        }
        self.keep(chunk, &facts)
    }

    /// Records that a part with an old side is done, with or without facts.
    pub(crate) fn part_done(&mut self) {
        self.awaited = self.awaited.saturating_sub(1);
        if self.awaited > 0 {
            return;
        }
        for mut part in std::mem::take(&mut self.parts) {
            let mut facts = part.facts.unpack();
            self.wanted.retain(&mut facts);
            if is_of_use(&facts) {
                part.facts = PackedFacts::from(&facts);
                part.held.shrink(part.bytes());
                self.parts.push(part);
            }
        }
        self.parts.shrink_to_fit();
    }

    fn keep(&mut self, chunk: usize, facts: &Facts) -> Result<(), Spent> {
        if is_of_use(facts) {
            let facts = PackedFacts::from(facts);
            let held = self.budget.hold(size_of::<Part>() + facts.bytes())?;
            self.parts.push(Part { chunk, facts, held });
        }
        Ok(())
    }

    /// The facts in diff order, with the permits for their memory.
    pub(crate) fn take(mut self) -> (Vec<PackedFacts>, Vec<MemoryPermit>) {
        self.parts.sort_by_key(|part| (part.facts.file, part.chunk));
        self.parts
            .into_iter()
            .map(|part| (part.facts, part.held))
            .unzip()
    }
}

impl Part {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.facts.bytes()
    }
}

impl Wanted {
    /// The number of names that a part may add.
    fn count(facts: &Facts) -> usize {
        facts
            .definitions
            .iter()
            .filter(|definition| is_changed(definition))
            .count()
            + facts.removed_names.len()
    }

    fn add(&mut self, facts: &Facts) {
        let family = hash(&facts.family);
        self.names.extend(changed_names(facts));
        self.names
            .extend(facts.removed_names.iter().map(|name| (family, *name)));
        self.blocks |= !facts.removed_blocks.is_empty();
    }

    /// Drops the facts about other names, and added lines if no block was removed.
    fn retain(&self, facts: &mut Facts) {
        retain_names(facts, &self.names);
        if !self.blocks {
            facts.added.clear();
        }
    }
}

/// The functions that a part changes or removes.
pub(crate) fn changed_names(facts: &Facts) -> impl Iterator<Item = Name> {
    let family = hash(&facts.family);
    let changed = facts
        .definitions
        .iter()
        .filter(|definition| is_changed(definition));
    changed.map(move |definition| (family, hash(&definition.name)))
}

/// Drops the definitions and calls of other functions.
pub(crate) fn retain_names(facts: &mut Facts, names: &HashSet<Name>) {
    let family = hash(&facts.family);
    facts
        .definitions
        .retain(|definition| names.contains(&(family, hash(&definition.name))));
    facts
        .calls
        .retain(|call| names.contains(&(family, call.name)));
}

/// Whether the facts can change the result.
fn is_of_use(facts: &Facts) -> bool {
    facts.cut || facts.count() > facts.rules.len()
}

#[cfg(test)]
mod tests {
    use impact::{CallSite, ReceiverKind, Signature, hash};
    use review::Budget;

    use super::KeptFacts;
    use crate::facts::{Definition, Facts, RemovedBlock};

    fn definition(name: &str, is_changed: bool) -> Definition {
        let signature = Signature {
            min_args: 0,
            max_args: Some(0),
            names: Vec::new(),
            is_async: false,
        };
        let after = Signature {
            min_args: u8::from(is_changed),
            ..signature.clone()
        };
        let (name, before) = (name.to_owned(), Some(signature));
        Definition {
            name,
            line: 1,
            before,
            after: Some(after),
            is_member: false,
            replaced_by: None,
            replacement_line: None,
        }
    }

    fn call(name: &str) -> CallSite {
        CallSite {
            name: hash(name),
            line: 1,
            arguments: Some(0),
            named: 0,
            receiver: ReceiverKind::Bare,
            through: 0,
            added: true,
            adapted: false,
            unawaited: false,
        }
    }

    /// A file that calls both functions, one that changes the first, and one that does neither.
    fn files() -> [Facts; 3] {
        let of = |file| Facts {
            file,
            family: "Python".to_owned(),
            added: vec![1, 2, 3],
            ..Facts::default()
        };
        [
            Facts {
                calls: vec![call("area"), call("size")],
                ..of(0)
            },
            Facts {
                definitions: vec![definition("area", true), definition("size", false)],
                ..of(1)
            },
            Facts {
                calls: vec![call("other")],
                definitions: vec![definition("other", false)],
                ..of(2)
            },
        ]
    }

    /// The facts that remain of files that arrive in this order. Only the second file has an old side.
    fn kept(files: &[Facts; 3], order: [usize; 3]) -> Vec<Facts> {
        let mut kept = KeptFacts::new(1, Budget::of_bytes(0));
        for at in order {
            kept.add(at, files[at].clone()).unwrap();
            if at == 1 {
                kept.part_done();
            }
        }
        kept.take()
            .0
            .iter()
            .map(super::PackedFacts::unpack)
            .collect()
    }

    #[test]
    fn only_facts_about_changed_names_are_kept_in_any_order_of_arrival() {
        let expected = vec![
            Facts {
                calls: vec![call("area")],
                added: Vec::new(),
                ..files()[0].clone()
            },
            Facts {
                definitions: vec![definition("area", true)],
                added: Vec::new(),
                ..files()[1].clone()
            },
        ];
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
            assert_eq!(kept(&files(), order), expected, "{order:?}");
        }
    }

    #[test]
    fn added_lines_are_kept_if_removed_blocks_are_searched_for() {
        let mut files = files();
        files[1].removed_blocks.push(RemovedBlock {
            line: 1,
            lines: vec![2],
        });
        for order in [[0, 1, 2], [1, 2, 0]] {
            let added: Vec<_> = kept(&files, order)
                .into_iter()
                .map(|facts| facts.added)
                .collect();
            assert_eq!(added, vec![vec![1, 2, 3]; 3]);
        }
    }

    #[test]
    fn removed_names_of_one_file_keep_their_definitions_in_others() {
        let mut files = files();
        files[1].removed_names.push(hash("other"));
        let definitions: usize = kept(&files, [2, 0, 1])
            .iter()
            .map(|facts| facts.definitions.len())
            .sum();
        assert_eq!(definitions, 2);
    }

    #[test]
    fn memory_is_returned_when_the_changed_names_are_known() {
        let budget = Budget::new(0, 2_000);
        let mut kept = KeptFacts::new(1, budget.clone());
        let calls = Facts {
            calls: vec![call("other"); 30],
            ..Facts::default()
        };
        kept.add(0, calls.clone()).unwrap();
        assert!(
            kept.add(
                1,
                Facts {
                    calls: vec![call("other"); 100],
                    ..Facts::default()
                }
            )
            .is_err()
        );
        assert_eq!(budget.ended(), None);
        kept.part_done();
        assert!(budget.hold(2_000).is_ok(), "nothing is held");
        assert!((0..100).all(|chunk| kept.add(chunk, calls.clone()).is_ok()));
    }
}
