//! The second reading of a hunk, without the parts that its grammar does not know.
//!
//! An error makes the nodes around it unusable for rules, so nothing may rely on the first reading alone.

use std::collections::HashSet;

use review::{Candidate, Category, Priority};
use syntax::parse::{Hunk, LeftOut, Repaired};
use syntax::tree::Tree;

use super::Scan;
use crate::change::Added;

impl Scan<'_> {
    /// Applies the rules to a repaired hunk, and keeps what they had not found in it.
    pub(super) fn reread(
        &mut self,
        hunk: Hunk<'_>,
        repaired: &Repaired,
        old: Option<&Tree<'_>>,
        added: &Added,
    ) {
        let key = |of: &Candidate| (of.side, of.line, of.rule_id().map(str::to_owned));
        let known: HashSet<_> = self.report.candidates.iter().map(key).collect();
        let count = self.report.candidates.len();
        let Repaired {
            left_out,
            fragment,
            parsed,
            ..
        } = repaired;
        let tree = self.tree(fragment, parsed.clone());
        self.nodes(hunk, fragment, &tree);
        if let Some(old) = old.filter(|_| *left_out == LeftOut::Words) {
            self.change(hunk, old, &tree, added);
        }
        let found = self.report.candidates.split_off(count);
        let new = found
            .into_iter()
            .filter(|found| counts(found, *left_out) && !known.contains(&key(found)));
        // Columns and replacements are those of the other text.
        self.report.candidates.extend(new.map(|found| Candidate {
            span: None,
            replacement: None,
            ..found
        }));
    }
}

/// Whether a finding cannot result from what was left out. Of a template, all branches are read as one text, so that keys
/// seem to be repeated.
fn counts(found: &Candidate, left_out: LeftOut) -> bool {
    match left_out {
        LeftOut::Words => found.priority <= Priority::P2,
        LeftOut::Statements => true,
        LeftOut::Actions => found.category == Category::Security,
    }
}
