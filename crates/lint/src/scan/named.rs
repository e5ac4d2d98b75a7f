//! If two findings are about the same code, the one that names the defect is kept.

use std::collections::HashMap;

use review::{Candidate, Category, Priority, Side, Span};

/// Where a finding is and what kind of defect it is.
type Place = (Side, u32, Category);

/// Drops the findings of rules that compare old and new code, `compares`, where a rule on the new code alone reports
/// the same kind of defect at the same code with at least the same priority. The latter names the defect; the former
/// only says that something changed.
pub(super) fn keep_named(found: &mut Vec<Candidate>, compares: impl Fn(&Candidate) -> bool) {
    let place = |of: &Candidate| (of.side, of.line, of.category);
    let mut named: HashMap<Place, Vec<(Span, Priority)>> = HashMap::new();
    for candidate in found.iter().filter(|candidate| !compares(candidate)) {
        named
            .entry(place(candidate))
            .or_default()
            .extend(candidate.span.map(|span| (span, candidate.priority)));
    }
    let is_named = |candidate: &Candidate| {
        let spans = named.get(&place(candidate)).map_or(&[][..], Vec::as_slice);
        candidate.span.is_some_and(|own| {
            spans
                .iter()
                .filter(|(_, priority)| *priority <= candidate.priority)
                .any(|(other, _)| is_within(own, *other) || is_within(*other, own))
        })
    };
    found.retain(|candidate| !(compares(candidate) && is_named(candidate)));
}

/// Whether a span is within another one that begins on the same line.
fn is_within(inner: Span, outer: Span) -> bool {
    inner.start_column >= outer.start_column
        && (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
}
