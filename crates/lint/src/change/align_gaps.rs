//! Aligns gaps in the pairing with the syntax.
//!
//! If `a.b != null && a.b.c` becomes `a.b.c`, equal tokens do not show which `a.b` remained. The gap belongs where both
//! ends of the removed tokens are between large subtrees, not inside small ones.

use syntax::tree::Node;

use super::token::Token;

/// Maximum distance by which a gap is moved, in tokens.
const MAX_DISTANCE: usize = 60;

/// For each token of one side, the index of its partner on the other side.
pub(super) type Links = Vec<Option<usize>>;

/// Moves the gaps of `tokens` (unpaired tokens without a replacement) to the best boundaries.
pub(super) fn align_gaps(tokens: &[Token<'_>], links: &mut Links) {
    let mut start = 0;
    while start < tokens.len() {
        if partner(links, start).is_some() {
            start += 1;
            continue;
        }
        let end = (start..tokens.len())
            .find(|index| partner(links, *index).is_some())
            .unwrap_or(tokens.len());
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

/// Moves the gap `start..end` to the left, while the token before it equals its last one, to the best boundary. Gaps start
/// at their rightmost position, because equal tokens are paired from the left.
fn move_gap(tokens: &[Token<'_>], links: &mut Links, start: usize, end: usize) {
    let follows = partner(links, end);
    let precedes = start
        .checked_sub(1)
        .and_then(|before| partner(links, before));
    let replaced =
        matches!((precedes, follows), (Some(before), Some(after)) if after != before + 1);
    if replaced {
        return;
    }
    let mut best = (seams(tokens, start, end), 0);
    let mut steps = 0;
    while steps < MAX_DISTANCE {
        let Some(before) = start.checked_sub(steps + 1) else {
            break;
        };
        let linked = partner(links, before);
        // The tokens that change partners must have consecutive partners.
        let in_a_row = steps == 0
            || linked.is_some_and(|linked| partner(links, before + 1) == Some(linked + 1));
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

/// The depth in the tree of the two ends of a gap. Less is better.
fn seams(tokens: &[Token<'_>], start: usize, end: usize) -> usize {
    seam(tokens, start) + seam(tokens, end)
}

/// The depth of the smallest node around a position between two tokens.
fn seam(tokens: &[Token<'_>], place: usize) -> usize {
    let at = |index: Option<usize>| {
        index
            .and_then(|index| tokens.get(index))
            .map(|token| token.node)
    };
    match (at(place.checked_sub(1)), at(Some(place))) {
        (Some(before), Some(after)) => {
            common(before, after).map_or(0, |node| node.ancestors().count() + 1)
        }
        _ => 0,
    }
}

fn common<'t>(one: Node<'t>, other: Node<'t>) -> Option<Node<'t>> {
    std::iter::once(one)
        .chain(one.ancestors())
        .find(|node| other.is_inside(*node))
}
