//! Drops findings about code that was removed together with the definition that it depended on.

use std::collections::{HashMap, HashSet};

use impact::hash;
use review::{Budget, Candidate, Side, Spent};

use crate::facts::{PackedFacts, is_changed};

/// Drops the candidates about removed code, `is_change`, if one of the names removed with it is no longer declared
/// anywhere in the diff. Also drops those on a call that was adapted to a function with changed parameters.
///
/// # Errors
/// The budget is exhausted. Nothing was dropped.
pub(crate) async fn drop_removed(
    facts: &[PackedFacts],
    candidates: &mut Vec<Candidate>,
    is_change: impl Fn(&Candidate) -> bool,
    budget: &Budget,
) -> Result<(), Spent> {
    if !candidates.iter().any(&is_change) {
        return Ok(());
    }
    // By family: names that are no longer declared, and functions that now take other arguments.
    let mut removed_names: HashSet<(u64, u64)> = HashSet::new();
    let mut adapted: HashSet<(u64, u64)> = HashSet::new();
    for own in facts.iter().map(PackedFacts::unpack) {
        let family = hash(&own.family);
        removed_names.extend(own.removed_names.iter().map(|name| (family, *name)));
        let changed = own
            .definitions
            .iter()
            .filter(|definition| is_changed(definition));
        for definition in changed {
            let name = (family, hash(&definition.name));
            if definition.after.is_none() {
                removed_names.insert(name)
            } else {
                adapted.insert(name)
            };
        }
        budget
            .draw_and_yield(u64::try_from(1 + own.count()).unwrap_or(u64::MAX))
            .await?;
    }
    for own in facts.iter().map(PackedFacts::unpack) {
        let family = hash(&own.family);
        for definition in own
            .definitions
            .iter()
            .filter(|definition| definition.after.is_some())
        {
            removed_names.remove(&(family, hash(&definition.name)));
        }
        budget
            .draw_and_yield(u64::try_from(1 + own.definitions.len()).unwrap_or(u64::MAX))
            .await?;
    }
    let mut void: HashMap<usize, HashSet<(Side, u32)>> = HashMap::new();
    for own in facts.iter().map(PackedFacts::unpack) {
        let family = hash(&own.family);
        let is_removed = |name: &u64| removed_names.contains(&(family, *name));
        let losses = own
            .losses
            .iter()
            .filter(|loss| loss.names.iter().any(is_removed))
            .map(|loss| (loss.side, loss.line));
        let follows = own
            .calls
            .iter()
            .filter(|call| call.adapted && adapted.contains(&(family, call.name)));
        void.entry(own.file)
            .or_default()
            .extend(losses.chain(follows.map(|call| (Side::New, call.line))));
        budget
            .draw_and_yield(u64::try_from(1 + own.count()).unwrap_or(u64::MAX))
            .await?;
    }
    candidates.retain(|found| {
        let is_void = void
            .get(&found.file)
            .is_some_and(|places| places.contains(&(found.side, found.line)));
        !(is_void && is_change(found))
    });
    Ok(())
}
