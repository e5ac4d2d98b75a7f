//! Findings that depend on the code around a hunk.

use std::collections::HashSet;

use review::Candidate;
use syntax::parse::{Alternate, Context, Fragment, Hunk};

use super::Scan;
use crate::change::Added;

impl Scan<'_> {
    /// Drops the findings from `known` on that depend on the code around the hunk, which is not in the diff: they must
    /// be found in every context in which the hunk may be. Additional blocks around both sides do not change the
    /// comparison, so change rules need not agree there.
    pub(super) fn confirm(
        &mut self,
        hunk: Hunk<'_>,
        known: usize,
        (new, old): (&Fragment, Option<&Fragment>),
        added: &Added,
    ) {
        let mut found = self.report.candidates.split_off(known);
        let alternatives = if found.is_empty() {
            Vec::new()
        } else {
            new.alternatives(hunk.heading)
        };
        let mut of_old = old
            .map(|old| old.alternatives(hunk.heading))
            .unwrap_or_default()
            .into_iter();
        for Alternate { context, is_wider } in alternatives {
            let of_old = of_old.next().and_then(|other| other.context);
            let needs = |found: &Candidate| !(is_wider && self.compares(found));
            let rules: HashSet<String> = found
                .iter()
                .filter(|found| needs(found))
                .filter_map(Candidate::rule_id)
                .map(str::to_owned)
                .collect();
            if rules.is_empty() || context.is_none() && of_old.is_none() {
                continue;
            }
            let read = |side: &Fragment, context: Option<Context>| {
                side.within(
                    &context.unwrap_or_else(|| side.context.clone()),
                    self.limits,
                )
            };
            let Some((new, parsed)) = read(new, context) else {
                continue;
            };
            let old = match old.map(|old| read(old, of_old)) {
                Some(None) => continue,
                old => old.flatten(),
            };
            self.again = Some(rules);
            let tree = self.tree(&new, parsed);
            self.nodes(hunk, &new, &tree);
            if let Some((old, parsed)) = old.filter(|_| !is_wider) {
                let old = self.tree(&old, parsed);
                self.change(hunk, &old, &tree, added);
            }
            self.again = None;
            let key = |of: &Candidate| (of.side, of.line, of.rule_id().map(str::to_owned));
            let again: HashSet<_> = self
                .report
                .candidates
                .drain(known..)
                .map(|again| key(&again))
                .collect();
            found.retain(|found| is_wider && self.compares(found) || again.contains(&key(found)));
        }
        self.report.candidates.append(&mut found);
    }
}
