//! Moves a gap in the pairing to where the syntax has a seam.
//!
//! From `a.b != null && a.b.c` to `a.b.c` the first or the second `a.b` may be the one that stayed; equal tokens do not
//! tell. The gap belongs where the two ends of what was taken out lie between large pieces of the tree, not inside small
//! ones.

use super::token::Token;
use crate::tree::Node;

/// How far a gap is moved at most.
const FARTHEST: usize = 60;

/// Where the partner of each token of one side is in the tokens of the other side.
pub(super) type Links = Vec<Option<usize>>;

/// Moves the gaps of `tokens` (tokens without a partner, with nothing new in their place) to the best seams.
pub(super) fn align_gaps(tokens: &[Token<'_>], links: &mut Links) {
    let mut start = 0;
    while start < tokens.len() {
        if partner(links, start).is_some() {
            start += 1;
            continue;
        }
        let end = (start..tokens.len()).find(|index| partner(links, *index).is_some()).unwrap_or(tokens.len());
        move_gap(tokens, links, start, end);
        start = end;
    }
}

fn partner(links: &Links, index: usize) -> Option<usize> {
    links.get(index).copied().flatten()
}

fn text<'t>(tokens: &[Token<'t>], index: usize) -> Option<&'t str> {
    tokens.get(index).map(|token| token.text)
}

/// Moves the gap `start..end` to the left while the token before it equals its last one, as far as the best seam; a gap
/// is found at its rightmost place first, because equal tokens pair from the left.
fn move_gap(tokens: &[Token<'_>], links: &mut Links, start: usize, end: usize) {
    let follows = partner(links, end);
    let precedes = start.checked_sub(1).and_then(|before| partner(links, before));
    let replaced = matches!((precedes, follows), (Some(before), Some(after)) if after != before + 1);
    if replaced {
        return;
    }
    let mut best = (seams(tokens, start, end), 0);
    let mut steps = 0;
    while steps < FARTHEST {
        let Some(before) = start.checked_sub(steps + 1) else { break };
        let linked = partner(links, before);
        // The tokens that change partners must be partners in a row.
        let in_a_row = steps == 0 || linked.is_some_and(|linked| partner(links, before + 1) == Some(linked + 1));
        if linked.is_none() || !in_a_row || text(tokens, before) != text(tokens, end - steps - 1) {
            break;
        }
        steps += 1;
        best = best.min((seams(tokens, start - steps, end - steps), steps));
    }
    for step in 0..best.1 {
        let from = start - step - 1;
        let partner = partner(links, from);
        if let Some(slot) = links.get_mut(end - step - 1) {
            *slot = partner;
        }
        if let Some(slot) = links.get_mut(from) {
            *slot = None;
        }
    }
}

/// How deep in the tree the two ends of a gap lie: less is better.
fn seams(tokens: &[Token<'_>], start: usize, end: usize) -> usize {
    seam(tokens, start) + seam(tokens, end)
}

/// The depth of the smallest node around a place between two tokens.
fn seam(tokens: &[Token<'_>], place: usize) -> usize {
    let at = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map(|token| token.node);
    match (at(place.checked_sub(1)), at(Some(place))) {
        (Some(before), Some(after)) => common(before, after).map_or(0, |node| node.ancestors().count() + 1),
        _ => 0,
    }
}

fn common<'t>(one: Node<'t>, other: Node<'t>) -> Option<Node<'t>> {
    std::iter::once(one).chain(one.ancestors()).find(|node| other.is_inside(*node))
}
