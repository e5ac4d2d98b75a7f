//! Comments that suppress nothing, where the rule that they name looked.
//!
//! A rule that compares old and new code, or files with each other, speaks of one change. Its comment is not judged, because the
//! next change tells nothing about it.

use std::collections::BTreeSet;

use review::{Candidate, Chunk, LineKind, Side, WarningCode};

use super::file::Scan;
use crate::facts::suppress::{Idle, Suppressions};
use crate::registry::Looks;
use crate::rule::Check;

/// Warnings after which every line was looked at all the same.
const HARMLESS: &[WarningCode] =
    &[WarningCode::LanguageNotSupported, WarningCode::FindingsSuppressed, WarningCode::RuleFailed];

/// What is to be said of the comments of a file.
pub(super) fn unused(scan: &Scan<'_>, file: &Chunk<'_>, suppressions: &Suppressions<'_>) -> Vec<Candidate> {
    let is_whole = scan.report.warnings.iter().all(|warning| HARMLESS.contains(&warning.code));
    if suppressions.idle.is_empty() || !is_whole {
        return Vec::new();
    }
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter()).filter(|line| line.kind == LineKind::Added);
    let added: BTreeSet<u32> = lines.filter_map(|line| line.new).collect();
    let looked =
        |idle: &&Idle<'_>| match scan.compiled.looks(idle.rule).filter(|(meta, tests, _)| scan.wants(meta, *tests)) {
            Some((.., Looks::Lines)) => added.contains(&idle.about),
            Some((.., Looks::Nodes)) => scan.seen.contains(&idle.about),
            None => false,
        };
    let mut found = Vec::new();
    for rule in scan.compiled.suppression.iter().filter(|rule| scan.wants(&rule.meta(), rule.tests)) {
        let Check::Suppression { summary } = rule.check else { continue };
        let idle = suppressions.idle.iter().filter(looked).filter(|idle| !suppressions.cover(idle.line, rule.id));
        found.extend(idle.map(|idle| rule.meta().candidate(file.index, Side::New, idle.line, &summary(idle.rule))));
    }
    found
}
