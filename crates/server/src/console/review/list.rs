//! The list of findings: the most serious first, and several findings of one rule together.

use std::collections::{HashMap, HashSet};

use review::Priority;
use review::output::json::{FindingBody, ReviewBody};

use crate::rule_pages::RulePages;
use crate::web::shown::{Prose, Shown};

/// The minimum number of findings of one rule in a group.
const GROUP: usize = 3;

/// An entry of the list.
pub(super) struct Entry<'a> {
    /// The common properties of its findings; `None` for a single finding.
    pub(super) group: Option<Group<'a>>,
    pub(super) rows: Vec<Row<'a>>,
}

/// Findings of one rule, with the same priority.
pub(super) struct Group<'a> {
    pub(super) priority: Priority,
    pub(super) title: String,
    pub(super) rule: &'a str,
    pub(super) files: String,
    pub(super) is_suppressed: bool,
}

impl Group<'_> {
    pub(super) fn title(&self) -> Prose<'_> {
        Prose(&self.title)
    }
}

/// A finding in the list.
pub(super) struct Row<'a> {
    /// Its number on the page, from 1.
    pub(super) number: usize,
    pub(super) priority: Priority,
    pub(super) summary: Prose<'a>,
    pub(super) path: Shown<'a>,
    pub(super) line: u32,
    pub(super) has_fix: bool,
    pub(super) is_suppressed: bool,
}

/// The findings in the order of the list, in their groups.
pub(super) fn grouped(body: &ReviewBody) -> Vec<Vec<&FindingBody>> {
    let mut findings: Vec<&FindingBody> = body.shown_findings().collect();
    let is_suppressed = |finding: &FindingBody| finding.suppression.is_some();
    findings.sort_by(|one, other| {
        let place = |finding: &FindingBody| (is_suppressed(finding), finding.priority);
        let by_confidence = || other.confidence.total_cmp(&one.confidence);
        place(one).cmp(&place(other)).then_with(by_confidence)
    });
    let key = |finding: &'_ FindingBody| {
        let rule = finding.rule_id.clone()?;
        Some((is_suppressed(finding), finding.priority, rule))
    };
    let mut counts: HashMap<_, usize> = HashMap::new();
    for key in findings.iter().filter_map(|finding| key(finding)) {
        *counts.entry(key).or_default() += 1;
    }
    let mut groups: Vec<Vec<&FindingBody>> = Vec::new();
    let mut at_of = HashMap::new();
    for finding in findings {
        let common = key(finding).filter(|key| counts.get(key) >= Some(&GROUP));
        let at = common.map(|key| *at_of.entry(key).or_insert(groups.len()));
        match at.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// The entries of the list. The findings are numbered in this order.
pub(super) fn entries<'a>(
    groups: &[Vec<&'a FindingBody>],
    rules: Option<&RulePages>,
) -> Vec<Entry<'a>> {
    let mut number = 0;
    let mut row = |finding: &&'a FindingBody| {
        number += 1;
        Row {
            number,
            priority: finding.priority,
            summary: Prose(&finding.summary),
            path: Shown(&finding.file_path),
            line: finding.line_number,
            has_fix: finding.replacement.is_some(),
            is_suppressed: finding.suppression.is_some(),
        }
    };
    let entry = |findings: &Vec<&'a FindingBody>| Entry {
        group: group(findings, rules),
        rows: findings.iter().map(&mut row).collect(),
    };
    groups.iter().map(entry).collect()
}

fn group<'a>(findings: &[&'a FindingBody], rules: Option<&RulePages>) -> Option<Group<'a>> {
    let (first, _) = findings
        .split_first()
        .filter(|(_, rest)| !rest.is_empty())?;
    let rule = first.rule_id.as_deref()?;
    let paths: HashSet<&str> = findings.iter().map(|of| of.file_path.as_str()).collect();
    let text = rules.and_then(|rules| rules.text(rule));
    Some(Group {
        priority: first.priority,
        title: text.map_or_else(|| first.summary.clone(), |text| text.title),
        rule,
        files: review::output::counted(paths.len(), "file"),
        is_suppressed: first.suppression.is_some(),
    })
}
