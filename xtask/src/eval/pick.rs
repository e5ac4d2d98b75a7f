//! Picks a few representative items.

use std::collections::BTreeMap;

use super::corpus::{Item, Kind};

/// At most `limit` items of each kind, evenly spread over its files, and always the same ones.
pub(super) fn evenly(items: Vec<Item>, limit: usize) -> Vec<Item> {
    let mut kinds: BTreeMap<Kind, Vec<Item>> = BTreeMap::new();
    for item in items {
        kinds.entry(item.kind).or_default().push(item);
    }
    kinds
        .into_values()
        .flat_map(|items| spread(items, limit))
        .collect()
}

/// The middle of each of `limit` intervals of the same length.
fn spread<T>(items: Vec<T>, limit: usize) -> Vec<T> {
    let (all, limit) = (items.len(), limit.min(items.len()));
    let mut wanted = (0..limit)
        .map(|at| (2 * at + 1) * all / (2 * limit))
        .peekable();
    let taken = items
        .into_iter()
        .enumerate()
        .filter(|(at, _)| wanted.next_if_eq(at).is_some());
    taken.map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn items_are_evenly_spread_and_limited_by_their_number() {
        assert_eq!(spread((0..100).collect(), 4), [12, 37, 62, 87]);
        assert_eq!(spread((0..3).collect(), 3), [0, 1, 2]);
        assert_eq!(spread((0..3).collect(), 10), [0, 1, 2]);
        assert_eq!(spread(vec![0; 10], 0), [0; 0]);
        for limit in 1..50 {
            assert_eq!(spread((0..97).collect::<Vec<_>>(), limit).len(), limit);
        }
    }
}
