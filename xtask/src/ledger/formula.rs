//! From evidence to confidence: the share of useful findings, assuming that one change in twenty-one introduces a
//! bug.
//!
//! `docs/writing-rules.md` explains it.

use lint::{Evidence, Kind, RuleInfo};

/// Merged changes per change that introduces a bug.
const MERGED_PER_BUG: f64 = 20.0;
/// Lines of test suites that a pattern must find to count as proven there.
const PROVEN_LINES: u32 = 5;
/// A proven pattern matches at most one in this many clean lines of the suites.
const PROVEN_RATIO: u32 = 10;

/// The prior of a rule without findings on real code: a number of findings and the share that is useful.
struct Prior {
    share: f64,
    findings: f64,
}

/// The probability that a finding of a rule is right.
pub(super) fn confidence(rule: &RuleInfo, evidence: &Evidence, looked_at: &Evidence) -> f64 {
    let prior = prior(rule, evidence);
    // Scales the bug-introducing changes to the number of merged changes examined.
    let weight = f64::from(looked_at.merged) / MERGED_PER_BUG / f64::from(looked_at.bugs.max(1));
    // A rule that reports the bug and its fix alike does not distinguish them.
    let useful = f64::from(evidence.useful)
        + weight * f64::from(evidence.bugs.saturating_sub(evidence.fixes));
    let wrong = f64::from(evidence.wrong) + weight * f64::from(evidence.fixes);
    // Each mistake has a twin of the same shape, so they need no weight. A rule that reports both does not
    // distinguish them.
    let useful = useful + f64::from(evidence.mistakes.saturating_sub(evidence.twins));
    let wrong = wrong + f64::from(evidence.twins);
    (prior.share * prior.findings + useful) / (prior.findings + useful + wrong)
}

fn prior(rule: &RuleInfo, evidence: &Evidence) -> Prior {
    let is_proven =
        evidence.suites >= PROVEN_LINES && evidence.suites_clean * PROVEN_RATIO <= evidence.suites;
    let (share, findings) = match rule.kind {
        // Most removed code was removed deliberately.
        Kind::Change | Kind::Diff => (0.3, 1.0),
        // A text either has a fixed form or does not.
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
    use lint::{Evidence, Kind, RuleInfo};

    use super::confidence;

    fn of(kind: Kind, references: &[&str], evidence: Evidence) -> f64 {
        let some = rules::built_in().rules()[0].clone();
        let references = references.iter().map(|text| (*text).to_owned()).collect();
        let looked_at = Evidence {
            bugs: 4_000,
            merged: 2_000,
            ..Evidence::default()
        };
        confidence(
            &RuleInfo {
                kind,
                references,
                ..some
            },
            &evidence,
            &looked_at,
        )
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
    fn a_rule_without_findings_gets_the_prior_of_its_kind() {
        let nothing = Evidence::default();
        assert_eq!(of(Kind::Change, &["CWE-1"], nothing), 0.3);
        assert_eq!(of(Kind::Pattern, &["CWE-1"], nothing), 0.6);
        assert_eq!(of(Kind::Pattern, &[], PROVEN), 0.75);
        assert_eq!(of(Kind::Pattern, &["CWE-1"], PROVEN), 0.92);
        assert_eq!(
            of(
                Kind::Pattern,
                &["CWE-1"],
                Evidence {
                    suites_clean: 5,
                    ..PROVEN
                }
            ),
            0.6
        );
    }

    #[test]
    fn verdicts_change_the_confidence() {
        let read = |useful, wrong| {
            of(
                Kind::Pattern,
                &["CWE-1"],
                Evidence {
                    useful,
                    wrong,
                    ..PROVEN
                },
            )
        };
        assert!(read(1, 0) > 0.92);
        assert!((0.6..0.9).contains(&read(0, 1)));
        assert!(read(0, 3) < 0.6);
    }

    #[test]
    fn found_mistakes_count_unless_their_twins_are_reported_too() {
        let said = |mistakes, twins| {
            of(
                Kind::Change,
                &[],
                Evidence {
                    mistakes,
                    twins,
                    ..Evidence::default()
                },
            )
        };
        assert!(said(3, 0) > 0.8);
        assert!(said(3, 1) < said(3, 0));
        assert!(said(3, 3) < said(0, 0));
    }

    #[test]
    fn reporting_bugs_and_fixes_alike_is_no_evidence() {
        let said = |bugs, fixes| {
            of(
                Kind::Change,
                &[],
                Evidence {
                    bugs,
                    fixes,
                    ..Evidence::default()
                },
            )
        };
        assert!(said(40, 0) > said(40, 10));
        assert!(said(40, 10) > said(0, 0));
        assert!(said(40, 40) < said(0, 0));
    }
}
