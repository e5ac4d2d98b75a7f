//! Findings about the repository around a change: what the rules say of the conflicts with it.

use impact::{Judge, Ruling};
use review::{Candidate, Priority, Warning};

use crate::facts::{Facts, ReportFilter};
use crate::registry::Catalog;
use crate::rule::{Check, RatedRule};

/// The rules about the repository, as judges.
pub(super) fn judges(catalog: &Catalog) -> Vec<Judge> {
    let judge = |rule: RatedRule| match rule.check {
        Check::Repository { judge, .. } => Some(Judge {
            rule: rule.rule.id,
            run: judge,
        }),
        _ => None,
    };
    catalog.of_repositories().filter_map(judge).collect()
}

/// The findings that settings and comments allow, and warnings about those suppressed by comments.
pub(super) fn findings(
    catalog: &Catalog,
    settings: &[Facts],
    rulings: Vec<Ruling>,
) -> (Vec<Candidate>, Vec<Warning>) {
    let rules: Vec<RatedRule> = catalog.of_repositories().collect();
    let finding = |ruling: Ruling| {
        let rule = rules.iter().find(|rule| rule.rule.id == ruling.rule)?;
        Some(candidate(*rule, ruling))
    };
    let mut found: Vec<Candidate> = rulings.into_iter().filter_map(finding).collect();
    let mut filter = ReportFilter::new(settings);
    filter.filter(&mut found);
    let warnings = filter.warnings().collect();
    (found, warnings)
}

/// The finding of a rule. Uses that might still work are P2.
fn candidate(rule: RatedRule, ruling: Ruling) -> Candidate {
    let (place, judgement) = (ruling.place, ruling.judgement);
    let candidate = rule
        .meta()
        .candidate(place.file, place.side, place.line, &judgement.summary);
    let priority = if judgement.is_certain {
        candidate.priority
    } else {
        candidate.priority.max(Priority::P2)
    };
    Candidate {
        priority,
        references: judgement.references,
        related: ruling.related,
        ..candidate
    }
}
