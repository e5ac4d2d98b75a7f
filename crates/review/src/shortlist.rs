//! The most important candidates of any number, in bounded memory.
//!
//! It contains several times as many as are returned, so that enough remain after refuting, anchoring and merging. The
//! result does not depend on the order of arrival.

use std::cmp::Ordering;

use crate::anchor::TEXT_CHARS;
use crate::candidate::{Candidate, MAX_RELATED};
use crate::span::Place;

/// Maximum number of bytes. While a list is being filled, it may contain twice as many.
const BYTES: usize = 2 << 20;
/// Maximum length of a scope's name, in characters.
const SCOPE_CHARS: usize = 200;

/// Candidates, each with a tag of the owner.
#[derive(Debug)]
pub struct Shortlist<T> {
    most: usize,
    held: Vec<(T, Candidate)>,
    bytes: usize,
    cut: usize,
}

impl<T: Ord> Shortlist<T> {
    /// A shortlist of at most `limit` candidates.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            most: most.max(1),
            held: Vec::new(),
            bytes: 0,
            cut: 0,
        }
    }

    /// Adds a candidate; its texts are truncated to the returned length.
    pub fn add(&mut self, tag: T, mut candidate: Candidate) {
        shorten(&mut candidate.summary, TEXT_CHARS);
        candidate
            .suggested_fix
            .iter_mut()
            .for_each(|fix| shorten(fix, TEXT_CHARS));
        candidate
            .scope
            .iter_mut()
            .for_each(|scope| shorten(scope, SCOPE_CHARS));
        candidate.related.truncate(MAX_RELATED);
        candidate.references.truncate(MAX_RELATED);
        self.bytes = self.bytes.saturating_add(bytes(&candidate));
        self.held.push((tag, candidate));
        // Pruning at twice the limit keeps the amortized cost low.
        if self.held.len() >= self.most.saturating_mul(2) || self.bytes >= 2 * BYTES {
            self.prune();
        }
    }

    /// The current number of candidates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The number of dropped candidates of lower rank.
    #[must_use]
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// Takes the candidates, in tag order, and leaves the list empty.
    pub fn take(&mut self) -> Vec<(T, Candidate)> {
        if self.held.len() > self.most || self.bytes > BYTES {
            self.prune();
        }
        self.bytes = 0;
        let mut held = std::mem::take(&mut self.held);
        held.sort_by(|(a, _), (b, _)| a.cmp(b));
        held
    }

    /// Takes the candidates, most important first, and leaves the list empty.
    pub fn take_ranked(&mut self) -> Vec<Candidate> {
        let mut held = self.take();
        held.sort_by(|(_, a), (_, b)| rank(a, b));
        held.into_iter().map(|(_, candidate)| candidate).collect()
    }

    fn prune(&mut self) {
        // Two findings of one rule on one line would be merged into one.
        self.held
            .sort_by(|(_, a), (_, b)| defect(a).cmp(&defect(b)).then_with(|| rank(a, b)));
        self.held.dedup_by(|(_, a), (_, b)| defect(a) == defect(b));
        self.held.sort_by(|(_, a), (_, b)| rank(a, b));
        let mut left = BYTES;
        let fits = self
            .held
            .iter()
            .take(self.most)
            .take_while(|(_, candidate)| {
                left = left.saturating_sub(bytes(candidate));
                left > 0
            });
        let kept = fits.count();
        self.cut += self.held.len() - kept;
        self.held.truncate(kept);
        self.bytes = self
            .held
            .iter()
            .map(|(_, candidate)| bytes(candidate))
            .sum();
    }
}

fn defect(of: &Candidate) -> impl Ord + use<'_> {
    (of.file, of.side, of.line, of.category, &of.origin)
}

/// Candidates that may not be left out come first, then the most important, then in diff order; total, so that the order of arrival does not matter.
fn rank(a: &Candidate, b: &Candidate) -> Ordering {
    let key = |of: &Candidate| {
        (
            !of.reports_hidden_code(),
            of.priority,
            std::cmp::Reverse(permille(of.confidence)),
            of.file,
            of.line,
            of.side,
        )
    };
    let texts = |a: &Candidate, b: &Candidate| {
        (
            &a.origin, a.category, &a.summary, &a.suggested_fix, &a.scope,
        )
            .cmp(&(
                &b.origin, b.category, &b.summary, &b.suggested_fix, &b.scope,
            ))
    };
    let places = |a: &Candidate, b: &Candidate| (a.span, &a.related).cmp(&(b.span, &b.related));
    key(a)
        .cmp(&key(b))
        .then_with(|| texts(a, b))
        .then_with(|| places(a, b))
}

/// The confidence as an integer that can be ordered.
pub(crate) fn permille(confidence: f32) -> u32 {
    (confidence * 1_000.0) as u32
}

fn bytes(of: &Candidate) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let rule = of.rule_id().map_or(0, str::len);
    let references: usize = of
        .references
        .iter()
        .map(|one| size_of_val(one) + one.file_path.len())
        .sum();
    let related = of.related.len() * size_of::<Place>() + references;
    size_of::<Candidate>()
        + related
        + of.summary.len()
        + rule
        + text(&of.suggested_fix)
        + text(&of.scope)
}

/// Truncates a text to a number of characters and releases the excess memory.
fn shorten(text: &mut String, chars: usize) {
    if let Some((end, _)) = text.char_indices().nth(chars) {
        text.truncate(end);
        text.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, SCOPE_CHARS, Shortlist};
    use crate::candidate::{Candidate, Origin};
    use crate::diff::Side;
    use crate::finding::{Category, Priority};

    fn candidate(line: u32, priority: Priority) -> Candidate {
        Candidate {
            file: 0,
            side: Side::New,
            line,
            origin: Origin::Rule("any/x".into()),
            priority,
            category: Category::LogicBug,
            summary: "wrong".into(),
            suggested_fix: None,
            confidence: 0.5,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }
    }

    #[test]
    fn the_most_important_are_kept_in_any_order_of_arrival() {
        let all = (1..=1_000).map(|line| candidate(line, Priority::ALL[(line % 4) as usize]));
        let keep = |all: &mut dyn Iterator<Item = Candidate>| {
            let mut list = Shortlist::new(10);
            all.for_each(|candidate| list.add(candidate.line, candidate));
            (list.take(), list.cut())
        };
        let (forward, cut) = keep(&mut all.clone());
        assert_eq!((forward.len(), cut), (10, 990));
        assert!(
            forward
                .iter()
                .all(|(_, candidate)| candidate.priority == Priority::P0)
        );
        assert_eq!((forward, cut), keep(&mut all.rev()));
    }

    #[test]
    fn duplicates_do_not_crowd_out_the_rest() {
        let mut list = Shortlist::new(3);
        list.add(0, candidate(1, Priority::P3));
        (1..1_000).for_each(|tag| list.add(tag, candidate(2, Priority::P0)));
        assert_eq!(
            list.take()
                .iter()
                .map(|(_, one)| one.line)
                .collect::<Vec<_>>(),
            [1, 2]
        );
        assert_eq!(list.cut(), 0);
    }

    #[test]
    fn long_texts_are_truncated_in_memory() {
        let long = "é".repeat(3_000);
        let one = Candidate {
            summary: long.clone(),
            scope: Some(long),
            ..candidate(1, Priority::P1)
        };
        let mut list = Shortlist::new(1_000_000);
        (0..10_000).for_each(|line| {
            list.add(
                line,
                Candidate {
                    line,
                    ..one.clone()
                },
            )
        });
        let (held, cut) = (list.take(), list.cut());
        assert!(
            held.iter()
                .map(|(_, one)| one.summary.capacity())
                .sum::<usize>()
                <= BYTES
        );
        assert!(
            held.iter()
                .all(|(_, one)| one.scope.as_ref().unwrap().chars().count() == SCOPE_CHARS)
        );
        assert_eq!(held.len() + cut, 10_000);
    }
}
