//! Links between a changed file and files that the change does not touch.

use review::{Chunk, LineKind, Side, Status};
use serde::{Deserialize, Serialize};
use syntax::parse::FileContext;
use syntax::semantics::symbols::borrowed::{Borrowed, borrowed_by_change};
use syntax::tree::Tree;

use crate::facts::{
    BothSides, Break, CalledMember, UnboundNames, breaks, breaks_by_name, called_members,
    defined_names, unbound_names,
};
use crate::keys::{KeyChanges, key_changes};
use crate::text::Edits;

/// Limits on the links of one file.
const BREAKS: usize = 200;
const BORROWED: usize = 500;

/// The links of a changed file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// Index of the file in the diff.
    #[serde(skip)]
    pub file: usize,
    /// Its path.
    #[serde(skip)]
    pub path: String,
    /// The lines that the change adds, in order.
    #[serde(skip)]
    pub added: Vec<u32>,
    /// The breaks that the change causes in files that import from this one.
    pub breaks: Vec<Break>,
    /// The hashes of the names that the new side defines, sorted, if it is a whole file.
    pub defined: Vec<u64>,
    /// Those of them whose definitions the change adds.
    pub introduced: Vec<u64>,
    /// The imports of other files that the change adds or alters, and the uses of names from them.
    pub borrowed: Vec<Borrowed>,
    /// The members that it calls on values whose types are certain.
    pub called: Vec<CalledMember>,
    /// The names that it uses and neither defines nor imports.
    pub unbound: UnboundNames,
    /// The keys that the change removes, adds and reads.
    pub keys: KeyChanges,
}

impl Links {
    /// The links that a worker recorded, as those of the file that it was given.
    #[must_use]
    pub fn of(self, file: &Chunk<'_>) -> Self {
        Self {
            file: file.index,
            path: file.path.to_string(),
            added: added_lines(file),
            ..self
        }
    }

    /// Records the new side of a hunk.
    pub fn add_new_side(&mut self, tree: &Tree<'_>, file: &FileContext<'_>) {
        self.borrowed = borrowed_by_change(tree);
        self.borrowed.truncate(BORROWED);
        self.called = called_members(tree, file.is_test);
        if file.status == Status::Added {
            self.unbound = unbound_names(None, tree);
        }
    }

    /// Records what the change to a file breaks in other files.
    pub fn add_breaks(&mut self, sides: &BothSides<'_>) {
        let found = &mut self.breaks;
        if sides.file.status != Status::Renamed {
            found.extend(breaks(sides));
        }
        if sides.file.status != Status::Added {
            found.extend(breaks_by_name(sides));
        }
        if sides.file.is_test {
            found.retain(|one| !is_test_function(&one.name, sides.file.language));
        }
        found.truncate(BREAKS);
        let edits = Edits::within(std::iter::once(sides.lines));
        for one in found {
            show_at_replacement(one, &edits);
        }
        (self.defined, self.introduced) = defined_names(sides.new);
        if !matches!(sides.file.status, Status::Added | Status::Removed) {
            self.unbound = unbound_names(Some(sides.old), sides.new);
        }
    }

    /// Records the keys that the change removes, adds and reads.
    pub fn add_keys(&mut self, file: &Chunk<'_>) {
        self.keys = key_changes(file);
    }
}

fn added_lines(file: &Chunk<'_>) -> Vec<u32> {
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    lines
        .filter(|line| line.kind == LineKind::Added)
        .filter_map(|line| line.new)
        .collect()
}

/// Whether a definition in a test file is a test, which only the test framework calls. A class `Test…` may be the base of others.
fn is_test_function(name: &str, language: &str) -> bool {
    let name = name.rsplit('.').next().unwrap_or(name);
    let prefix = if language == "Go" { "Test" } else { "test" };
    let is_start = |c: char| c == '_' || c.is_ascii_uppercase() || c.is_ascii_digit();
    name.strip_prefix(prefix)
        .is_some_and(|rest| rest.starts_with(is_start))
}

/// Moves a break on a removed line to the line that replaces it.
fn show_at_replacement(found: &mut Break, edits: &Edits<'_>) {
    if found.side == Side::Old
        && let Some(line) = edits.replacement(found.line)
    {
        (found.side, found.line) = (Side::New, line);
    }
}

#[cfg(test)]
mod tests {
    use review::Diff;
    use review::chunk::{Sizes, plan};

    use super::{Links, is_test_function};

    #[test]
    fn links_are_those_of_the_file_that_was_given_to_the_worker() {
        let diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1,2 @@\n a\n+b\n";
        let diff = Diff::parse(diff).expect("a diff");
        let plan = plan(&diff, None, &Sizes::default());
        let of_another = Links {
            file: 7,
            path: "y.py".to_owned(),
            added: vec![9],
            ..Links::default()
        };
        let links = of_another.of(&plan.chunks[0]);
        assert_eq!((links.file, links.path.as_str()), (0, "x.py"));
        assert_eq!(links.added, [2]);
    }

    #[test]
    fn only_the_framework_calls_tests() {
        for (name, language) in [
            ("test_total", "Python"),
            ("OrderTest.testTotal", "PHP"),
            ("TestTotal", "Go"),
        ] {
            assert!(is_test_function(name, language), "{name}");
        }
        for (name, language) in [
            ("TestBase", "Python"),
            ("testing", "Python"),
            ("test", "PHP"),
            ("testTotal", "Go"),
            ("make_order", "Python"),
        ] {
            assert!(!is_test_function(name, language), "{name}");
        }
    }
}
