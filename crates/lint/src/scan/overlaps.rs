//! Rules that recognise one defect in different ways: of their findings on one line, the most serious stays.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use review::{Candidate, Priority, Side};

/// The rules that see one defect, by the part of their IDs after the slash.
const DEFECTS: &[&[&str]] = &[
    &[
        "certificate-by-its-name",
        "certificate-check-always-true",
        "certificate-check-off",
        "security-option-off",
        "trust-all-certificates",
    ],
    &[
        "hard-coded-key",
        "hard-coded-password",
        "hard-coded-secret",
        "hard-coded-signing-secret",
        "hard-coded-token",
        "password-in-address",
        "password-in-configuration",
        "password-in-connection-text",
        "private-key-in-code",
        "secret-in-code",
        "secret-in-image",
        "secret-in-text",
    ],
    &["definition-removed", "name-misspelt", "undefined-name"],
    &["password-hashed-fast", "weak-hash"],
    &["foreign-code-with-secrets", "trigger-with-secrets"],
    &["operand-dropped", "unit-changed"],
    &[
        "catch-everything-empty",
        "error-kept-quiet",
        "exception-swallowed",
    ],
    &[
        "file-not-closed",
        "release-not-guaranteed",
        "resource-not-closed",
        "resource-not-disposed",
    ],
    &["does-not-parse", "syntax-broken"],
    &["action-not-pinned", "action-unpinned"],
    &[
        "base-image-not-pinned",
        "dependency-from-moving-source",
        "version-unpinned",
    ],
    &[
        "delete-without-where",
        "update-without-where",
        "where-clause-removed",
    ],
    &[
        "file-open-to-everybody",
        "file-writable-by-all",
        "open-file-permission",
        "permission-widened",
    ],
];

/// Rules that name the defect.
const NAMING: &[&str] = &[
    "any/authorization-removed",
    "any/await-removed",
    "any/commit-removed",
    "any/input-check-removed",
    "any/lock-scope-lost",
    "any/owner-filter-removed",
    "any/password-hash-dropped",
    "any/release-not-guaranteed",
    "any/sanitizer-lost",
    "any/secure-random-lost",
    "any/token-lifetime-dropped",
    "any/verification-removed",
];

/// Rules that say of the same line only what was taken away.
const PLAIN: &[&str] = &[
    "any/argument-dropped",
    "any/assertion-removed",
    "any/call-removed",
    "any/condition-clause-removed",
    "any/condition-unwrapped",
    "any/error-handling-removed",
    "any/escaping-dropped",
    "any/guard-removed",
    "any/lock-removed",
    "any/operand-dropped",
    "any/release-removed",
    "any/special-case-removed",
    "any/validation-call-removed",
    "any/wrapper-call-dropped",
];

/// The defect that a finding is about, if several rules see it.
fn defect(found: &Candidate) -> Option<usize> {
    let name = found.rule_id()?.rsplit('/').next()?;
    DEFECTS.iter().position(|rules| rules.contains(&name))
}

/// Drops the findings of which another rule says the same. A rule may say several things of one line.
pub(super) fn drop_overlaps(found: &mut Vec<Candidate>) {
    let place = |found: &Candidate| Some((defect(found)?, found.side, found.line));
    let rank = |found: &Candidate| (Reverse(found.priority), found.confidence.to_bits());
    let mut kept = BTreeMap::<(usize, Side, u32), (Rank, String)>::new();
    for candidate in found.iter() {
        let (Some(place), Some(rule)) = (place(candidate), candidate.rule_id()) else {
            continue;
        };
        let own = (rank(candidate), rule.to_owned());
        let best = kept.entry(place).or_insert_with(|| own.clone());
        if own.0 > best.0 {
            *best = own;
        }
    }
    let is_one =
        |one: &Candidate, rules: &[&str]| one.rule_id().is_some_and(|rule| rules.contains(&rule));
    let named: BTreeSet<(Side, u32)> = found
        .iter()
        .filter(|one| is_one(one, NAMING))
        .map(|one| (one.side, one.line))
        .collect();
    found.retain(|candidate| {
        if is_one(candidate, PLAIN) && named.contains(&(candidate.side, candidate.line)) {
            return false;
        }
        let kept = place(candidate).and_then(|place| kept.get(&place));
        kept.is_none_or(|(_, rule)| candidate.rule_id() == Some(rule))
    });
}

/// How serious and how certain a finding is. The bits of a confidence, which is not negative, have the order of its values.
type Rank = (Reverse<Priority>, u32);

#[cfg(test)]
mod tests {
    use super::DEFECTS;
    use crate::parse::Limits;
    use crate::registry::RuleSet;
    use crate::scan::scan;
    use crate::scan::testing::files;

    /// The rules that report something of a change of a Python file.
    fn rules(diff: &str) -> Vec<String> {
        let text = format!("path: src/a.py\n{diff}");
        let rule = RuleSet::builtin().find("any/security-option-off").unwrap();
        let file = files(rule, &text).remove(0);
        let report = scan(&file, RuleSet::builtin(), &Limits::default());
        report
            .candidates
            .iter()
            .filter_map(|found| found.rule_id().map(str::to_owned))
            .collect()
    }

    #[test]
    fn one_defect_is_one_finding() {
        let switched = "-answer = requests.get(url, verify=True, timeout=3)\n+answer = requests.get(url, verify=False, timeout=3)\n";
        assert_eq!(rules(switched), ["python/certificate-check-off"]);
        let elsewhere = " def load(page):\n-    page.verify = True\n+    page.verify = False\n     return page\n";
        assert_eq!(
            rules(elsewhere),
            ["any/security-option-off"],
            "no other rule says it"
        );
        let two = "+import requests\n+url = input()\n+a = requests.get(url, verify=False, timeout=3)\n+b = requests.get(url, verify=False, timeout=3)\n";
        assert_eq!(rules(two), ["python/certificate-check-off"; 2]);
    }

    #[test]
    fn the_rules_of_a_defect_exist() {
        for name in DEFECTS.iter().copied().flatten() {
            assert!(
                RuleSet::builtin_ids().any(|id| id.rsplit('/').next() == Some(*name)),
                "{name}"
            );
        }
    }
}
