//! From evidence to confidence: the share of findings that would be useful, were one change in twenty-one a bug.
//!
//! `docs/writing-rules.md` explains it.

use lint::{Evidence, Kind, RuleInfo};

/// Merged changes for each that brings a bug.
const MERGED_PER_BUG: f64 = 20.0;
/// Lines of suites that a pattern must find to count as proven there.
const PROVEN_LINES: u32 = 5;
/// A proven pattern speaks of one clean line in so many of those at most.
const PROVEN_RATIO: u32 = 10;

/// What is believed of a rule before it has said anything of real code, as so many findings of which a share is useful.
struct Prior {
    share: f64,
    findings: f64,
}

/// How likely a finding of a rule is to be right.
pub(super) fn confidence(rule: &RuleInfo, evidence: &Evidence, looked_at: &Evidence) -> f64 {
    let prior = prior(rule, evidence);
    // How many changes that bring a bug come with as many merged ones as were looked at, for each that was looked at.
    let weight = f64::from(looked_at.merged) / MERGED_PER_BUG / f64::from(looked_at.bugs.max(1));
    // What is said of the bug and of its fix alike sees no difference.
    let useful = f64::from(evidence.useful) + weight * f64::from(evidence.bugs.saturating_sub(evidence.fixes));
    let wrong = f64::from(evidence.wrong) + weight * f64::from(evidence.fixes);
    // Each mistake has a twin of the same shape, so they need no weight. What is said of both sees no difference.
    let useful = useful + f64::from(evidence.mistakes.saturating_sub(evidence.twins));
    let wrong = wrong + f64::from(evidence.twins);
    (prior.share * prior.findings + useful) / (prior.findings + useful + wrong)
}

fn prior(rule: &RuleInfo, evidence: &Evidence) -> Prior {
    let is_proven = evidence.suites >= PROVEN_LINES && evidence.suites_clean * PROVEN_RATIO <= evidence.suites;
    let (share, findings) = match rule.kind {
        // What was taken away was mostly meant to go.
        Kind::Change | Kind::Diff => (0.3, 1.0),
        // A text has a fixed form or has not.
        Kind::Text => (0.92, 4.0),
        Kind::Pattern if is_proven && !rule.references.is_empty() => (0.92, 4.0),
        Kind::Pattern if is_proven => (0.75, 4.0),
        // Each use is traced to the changed file by its import.
        Kind::Repository => (0.6, 1.0),
        Kind::Pattern => (0.6, 2.0),
    };
    Prior { share, findings }
}

#[cfg(test)]
mod tests {
    use lint::{Evidence, Kind, RuleInfo, RuleSet};

    use super::confidence;

    fn of(kind: Kind, references: &[&str], evidence: Evidence) -> f64 {
        let some = RuleSet::builtin().rules()[0].clone();
        let references = references.iter().map(|text| (*text).to_owned()).collect();
        let looked_at = Evidence { bugs: 4_000, merged: 2_000, ..Evidence::default() };
        confidence(&RuleInfo { kind, references, ..some }, &evidence, &looked_at)
    }

    const PROVEN: Evidence = Evidence {
        suites: 40,
        suites_clean: 2,
        bugs: 0,
        fixes: 0,
        arrivals: 0,
        merged: 0,
        trees: 0,
        mistakes: 0,
        twins: 0,
        useful: 0,
        wrong: 0,
    };

    #[test]
    fn a_rule_that_has_said_nothing_is_believed_as_its_kind_is() {
        let nothing = Evidence::default();
        assert_eq!(of(Kind::Change, &["CWE-1"], nothing), 0.3);
        assert_eq!(of(Kind::Pattern, &["CWE-1"], nothing), 0.6);
        assert_eq!(of(Kind::Pattern, &[], PROVEN), 0.75);
        assert_eq!(of(Kind::Pattern, &["CWE-1"], PROVEN), 0.92);
        assert_eq!(of(Kind::Pattern, &["CWE-1"], Evidence { suites_clean: 5, ..PROVEN }), 0.6);
    }

    #[test]
    fn readers_move_it() {
        let read = |useful, wrong| of(Kind::Pattern, &["CWE-1"], Evidence { useful, wrong, ..PROVEN });
        assert!(read(1, 0) > 0.92);
        assert!((0.6..0.9).contains(&read(0, 1)));
        assert!(read(0, 3) < 0.6);
    }

    #[test]
    fn mistakes_that_it_finds_count_unless_their_twins_disturb_it() {
        let said = |mistakes, twins| of(Kind::Change, &[], Evidence { mistakes, twins, ..Evidence::default() });
        assert!(said(3, 0) > 0.8);
        assert!(said(3, 1) < said(3, 0));
        assert!(said(3, 3) < said(0, 0));
    }

    #[test]
    fn what_is_said_of_bugs_and_fixes_alike_is_worth_nothing() {
        let said = |bugs, fixes| of(Kind::Change, &[], Evidence { bugs, fixes, ..Evidence::default() });
        assert!(said(40, 0) > said(40, 10));
        assert!(said(40, 10) > said(0, 0));
        assert!(said(40, 40) < said(0, 0));
    }
}
