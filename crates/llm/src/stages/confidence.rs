//! How likely a finding is right, computed from what is known of it: whether it was chosen and at which rank, how many finders agreed,
//! whether it can be seen in the change, how often its kind is right, and whether a line of code speaks against it. What a model says
//! of its own confidence ranks hardly better than chance, so it is not asked.
//!
//! It is a logistic model. How much each place in the order counts is fitted to a measurement (docs/models.md): the odds that a finding
//! hits a label fell by a factor of 2.4 from the first to the second and again to the third, and no further from there to the last.
//! Whether a finder says that a defect can be seen in the change made no difference there, and kinds of defects too little to tell. The
//! level is set by hand, because what nobody labelled counts as wrong in a measurement: of the first ones about three in four are taken
//! to be right, as published evaluations have it. What several finders agree on, and what a line of code contradicts, is set by hand as well.

use review::Category;

use crate::locate::Located;
use crate::reply::Evidence;

/// What is known of a finding beside its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signals {
    /// The place among those chosen, from 0.
    pub(crate) rank: Option<usize>,
    /// Finders that looked.
    pub(crate) finders: usize,
    /// A line of code contradicts it.
    pub(crate) is_doubted: bool,
}

/// What each signal adds to the logarithm of the odds.
#[derive(Debug, Clone, Copy)]
struct Weights {
    chosen: f32,
    each_rank: f32,
    passed_over: f32,
    /// From no finder but one to all of them.
    agreement: f32,
    depends: f32,
    doubted: f32,
}

/// For a model that is not in the table.
const DEFAULT: Weights =
    Weights { chosen: 1.0, each_rank: -0.85, passed_over: -0.9, agreement: 1.2, depends: 0.0, doubted: -1.2 };

/// By how a model's name begins, more specific names first. Small models order worse, agree with themselves on what is wrong, and name code
/// that is not there. Not measured.
const BY_MODEL: &[(&str, Weights)] = &[
    ("gpt-5-nano", SMALL),
    ("gpt-5-mini", SMALL),
    ("claude-haiku", SMALL),
    ("gemini-2.5-flash", SMALL),
    ("llama", SMALL),
    ("qwen", SMALL),
    ("mistral", SMALL),
];
const SMALL: Weights =
    Weights { chosen: 0.3, each_rank: -0.4, passed_over: -0.7, agreement: 0.8, depends: -0.9, ..DEFAULT };

/// Places in the order beyond which a rank says no more.
const RANKS: usize = 2;
/// Nothing that a model says is certain either way.
const RANGE: (f32, f32) = (0.05, 0.95);

/// The confidence in a finding of a model.
pub(crate) fn confidence(model: &str, found: &Located, signals: Signals) -> f32 {
    let weights = BY_MODEL.iter().find(|(start, _)| model.starts_with(start)).map_or(DEFAULT, |(_, weights)| *weights);
    let place = match signals.rank {
        Some(rank) => weights.chosen + weights.each_rank * rank.min(RANKS) as f32,
        None => weights.passed_over,
    };
    let depends = if found.evidence == Evidence::Depends { weights.depends } else { 0.0 };
    let doubted = if signals.is_doubted { weights.doubted } else { 0.0 };
    let odds = place + weights.agreement * agreement(found.votes, signals.finders) + depends + doubted;
    (1.0 / (1.0 + (-(odds + base(found.category))).exp())).clamp(RANGE.0, RANGE.1)
}

/// From -0.5, where one of many finders saw it, to 0.5, where all did; 0 where only one looked.
fn agreement(votes: usize, finders: usize) -> f32 {
    match finders.checked_sub(1) {
        None | Some(0) => 0.0,
        Some(others) => votes.saturating_sub(1).min(others) as f32 / others as f32 - 0.5,
    }
}

/// How much more or less often than others a kind of finding is right.
fn base(category: Category) -> f32 {
    match category {
        Category::SecretExposure => 0.4,
        Category::LogicBug | Category::DataIntegrity => 0.1,
        Category::NullSafety | Category::ResourceLeak | Category::Security => 0.0,
        Category::ErrorHandling | Category::ApiCompatibility | Category::Concurrency => -0.2,
        Category::Configuration | Category::Performance => -0.4,
        Category::Testing | Category::Maintainability => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use review::Category;

    use super::{Signals, confidence};
    use crate::locate::Located;
    use crate::reply::Evidence;

    const FIRST: Signals = Signals { rank: Some(0), finders: 1, is_doubted: false };

    fn sample() -> Located {
        Located::sample(0, "It is wrong.")
    }

    #[test]
    fn each_signal_moves_it_the_way_it_should() {
        let of = |found: &Located, signals| confidence("m", found, signals);
        let best = of(&sample(), FIRST);
        let depends = Located { evidence: Evidence::Depends, ..sample() };
        let style = Located { category: Category::Maintainability, ..sample() };
        let lone = Signals { finders: 4, ..FIRST };
        for less in [
            of(&sample(), Signals { rank: Some(3), ..FIRST }),
            of(&sample(), Signals { rank: None, ..FIRST }),
            of(&sample(), Signals { is_doubted: true, ..FIRST }),
            of(&sample(), lone),
            of(&style, FIRST),
            confidence("claude-haiku-4-5", &sample(), FIRST),
        ] {
            assert!(less < best, "{less} < {best}");
        }
        assert!(of(&Located { votes: 4, ..sample() }, lone) > best);
        assert!(confidence("claude-haiku-4-5", &depends, FIRST) < confidence("claude-haiku-4-5", &sample(), FIRST));
    }

    #[test]
    fn first_ones_are_mostly_right_and_each_of_the_next_two_less_often() {
        let of = |rank| (100.0 * confidence("m", &sample(), Signals { rank, ..FIRST })).round();
        assert_eq!([Some(0), Some(1), Some(2), Some(9), None].map(of), [75.0, 56.0, 35.0, 35.0, 31.0]);
    }

    #[test]
    fn no_counts_lead_outside_the_bounds() {
        for (votes, finders) in [(0, 0), (9, 2), (usize::MAX, 1), (1, usize::MAX)] {
            let found = Located { votes, ..sample() };
            let signals = Signals { rank: Some(usize::MAX), finders, is_doubted: true };
            assert!((0.05..=0.95).contains(&confidence("", &found, signals)));
        }
    }
}
