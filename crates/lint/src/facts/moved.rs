//! Removed checks that only moved to another file.

use std::collections::{HashMap, HashSet};

use review::{Budget, Candidate, Side, Spent};

use crate::facts::Facts;

/// Maximum number of positions tried for one line; a more frequent line is not distinctive.
const PLACES: usize = 64;

/// Drops candidates on removed lines whose removed block is, in sequence, among the added lines of another file.
///
/// # Errors
/// The budget has ended; nothing was dropped.
pub(crate) async fn drop_moved(facts: &[Facts], candidates: &mut Vec<Candidate>, budget: &Budget) -> Result<(), Spent> {
    let firsts: HashSet<u64> =
        facts.iter().flat_map(|own| &own.removed_blocks).filter_map(|gone| gone.lines.first()).copied().collect();
    if firsts.is_empty() {
        return Ok(());
    }
    let mut places: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    for (part, own) in facts.iter().enumerate() {
        for (at, line) in own.added.iter().enumerate().filter(|(_, line)| firsts.contains(line)) {
            places.entry(*line).or_default().push((part, at));
        }
        budget.draw_and_yield(u64::try_from(1 + own.added.len()).unwrap_or(u64::MAX)).await?;
    }
    let stands_elsewhere = |own: usize, lines: &[u64]| {
        let places = lines.first().and_then(|first| places.get(first));
        places.into_iter().flatten().take(PLACES).any(|(part, at)| {
            let there = facts.get(*part).and_then(|other| other.added.get(*at..at + lines.len()));
            *part != own && there == Some(lines)
        })
    };
    let mut moved = HashSet::new();
    for (part, own) in facts.iter().enumerate() {
        let gone = own.removed_blocks.iter().filter(|gone| stands_elsewhere(part, &gone.lines));
        moved.extend(gone.map(|gone| (own.file, gone.line)));
        budget.draw_and_yield(u64::try_from(1 + own.removed_blocks.len() * PLACES).unwrap_or(u64::MAX)).await?;
    }
    candidates.retain(|found| found.side != Side::Old || !moved.contains(&(found.file, found.line)));
    Ok(())
}
