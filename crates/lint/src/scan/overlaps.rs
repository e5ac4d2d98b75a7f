//! Rules that recognize the same defect in different ways. Of their findings on one line, the most serious is kept.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use review::{Candidate, Priority, Side};

use crate::registry::Overlaps;

/// The defect that a finding is about, if several rules report it.
fn defect(found: &Candidate, overlaps: Overlaps) -> Option<usize> {
    let name = found.rule_id()?.rsplit('/').next()?;
    overlaps
        .same_defect
        .iter()
        .position(|rules| rules.contains(&name))
}

/// Drops findings that duplicate those of other rules. One rule may report several findings on one line.
pub(super) fn drop_overlaps(found: &mut Vec<Candidate>, overlaps: Overlaps) {
    let place = |found: &Candidate| Some((defect(found, overlaps)?, found.side, found.line));
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
        .filter(|one| is_one(one, overlaps.specific))
        .map(|one| (one.side, one.line))
        .collect();
    found.retain(|candidate| {
        if is_one(candidate, overlaps.general) && named.contains(&(candidate.side, candidate.line))
        {
            return false;
        }
        let kept = place(candidate).and_then(|place| kept.get(&place));
        kept.is_none_or(|(_, rule)| candidate.rule_id() == Some(rule))
    });
}

/// The severity and the certainty of a finding. The bits of a confidence, which is not negative, sort like its values.
type Rank = (Reverse<Priority>, u32);
