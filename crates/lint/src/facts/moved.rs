//! Removed checks that only moved to another file.

use std::collections::{HashMap, HashSet};

use review::{Budget, Candidate, Side, Spent};

use crate::facts::PackedFacts;

/// Maximum number of positions tried for one line. A more frequent line is not distinctive.
const PLACES: usize = 64;

/// A removed block.
struct Block {
    /// The part of a file that it was removed from.
    part: usize,
    file: usize,
    /// The line of the finding.
    line: u32,
    lines: Vec<u64>,
}

/// Drops candidates on removed lines if their removed block is among the added lines of another file, in sequence.
///
/// # Errors
/// The budget is exhausted. Nothing was dropped.
pub(crate) async fn drop_moved(
    facts: &[PackedFacts],
    candidates: &mut Vec<Candidate>,
    budget: &Budget,
) -> Result<(), Spent> {
    let mut blocks: HashMap<u64, Vec<Block>> = HashMap::new();
    for (part, own) in facts.iter().enumerate().filter(|(_, own)| own.has_removed) {
        let own = own.unpack();
        budget
            .draw_and_yield(u64::try_from(1 + own.removed_blocks.len()).unwrap_or(u64::MAX))
            .await?;
        for gone in own.removed_blocks {
            let Some(first) = gone.lines.first() else {
                continue;
            };
            let block = Block {
                part,
                file: own.file,
                line: gone.line,
                lines: gone.lines.clone(),
            };
            blocks.entry(*first).or_default().push(block);
        }
    }
    if blocks.is_empty() {
        return Ok(());
    }
    let mut moved = HashSet::new();
    let mut tried: HashMap<u64, usize> = HashMap::new();
    for (part, own) in facts.iter().enumerate() {
        let added = own.unpack().added;
        let mut steps = 1 + added.len();
        for (at, line) in added.iter().enumerate() {
            let Some(blocks) = blocks.get(line) else {
                continue;
            };
            let places = tried.entry(*line).or_default();
            *places += 1;
            if *places > PLACES {
                continue;
            }
            steps += blocks.len();
            let rest = added.get(at..).unwrap_or_default();
            let here = blocks
                .iter()
                .filter(|block| block.part != part && rest.starts_with(&block.lines));
            moved.extend(here.map(|block| (block.file, block.line)));
        }
        budget
            .draw_and_yield(u64::try_from(steps).unwrap_or(u64::MAX))
            .await?;
    }
    candidates
        .retain(|found| found.side != Side::Old || !moved.contains(&(found.file, found.line)));
    Ok(())
}
