//! Comments that suppress nothing although the rule that they name ran.
//!
//! Rules that compare old and new code, or several files, are about a single change. Their comments are not judged,
//! because the next change would not show whether they are needed.

use std::collections::{BTreeMap, BTreeSet};

use review::{Candidate, Chunk, LineKind, Side, Warning, WarningCode};

use crate::facts::suppress::{Idle, Suppressions};
use crate::registry::{Compiled, Examines};
use crate::rule::{Check, RuleMeta, Tests};

/// Warnings that do not mean that a line was not examined.
const HARMLESS: &[WarningCode] = &[
    WarningCode::LanguageNotSupported,
    WarningCode::FindingsSuppressed,
    WarningCode::RuleFailed,
];

/// The examined parts of a file.
pub(super) struct Looked<'a> {
    pub(super) compiled: &'a Compiled,
    /// Whether a rule ran.
    pub(super) ran: &'a dyn Fn(&RuleMeta<'_>, Tests) -> bool,
    /// Warnings about parts that were not examined.
    pub(super) warnings: &'a [Warning],
    /// The lines of the new side with nodes that were offered to rules, and whether all of their nodes were.
    pub(super) nodes: &'a BTreeMap<u32, bool>,
}

/// The findings about the comments of a file.
pub(super) fn unused(
    looked: &Looked<'_>,
    file: &Chunk<'_>,
    suppressions: &Suppressions<'_>,
) -> Vec<Candidate> {
    let is_whole = looked
        .warnings
        .iter()
        .all(|warning| HARMLESS.contains(&warning.code));
    if suppressions.idle.is_empty() || !is_whole {
        return Vec::new();
    }
    let lines = file
        .hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .filter(|line| line.kind == LineKind::Added);
    let added: BTreeSet<u32> = lines.filter_map(|line| line.new).collect();
    let could_find = |idle: &&Idle<'_>| {
        let rule = looked
            .compiled
            .examines(idle.rule)
            .filter(|(meta, tests, _)| (looked.ran)(meta, *tests));
        match rule {
            Some((.., Examines::Lines)) => added.contains(&idle.about),
            Some((.., Examines::Nodes)) => looked.nodes.get(&idle.about) == Some(&true),
            None => false,
        }
    };
    let mut found = Vec::new();
    for rule in looked
        .compiled
        .suppression
        .iter()
        .filter(|rule| (looked.ran)(&rule.meta(), rule.tests))
    {
        let Check::Suppression { summary } = rule.check else {
            continue;
        };
        let idle = suppressions
            .idle
            .iter()
            .filter(could_find)
            .filter(|idle| !suppressions.cover(idle.line, rule.id));
        found.extend(idle.map(|idle| {
            rule.meta()
                .candidate(file.index, Side::New, idle.line, &summary(idle.rule))
        }));
    }
    found
}
