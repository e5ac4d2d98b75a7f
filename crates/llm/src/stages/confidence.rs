//! The probability that a finding is right, computed from its rank in the quota, its category, and whether it can be
//! seen in the change. A model's own confidence ranks hardly better than chance, so it is not requested.
//!
//! It is a logistic model. The weight of the rank is fitted to a measurement (docs/models.md): the odds that a finding
//! matches a label fell by a factor of 2.4 from the first to the second and again to the third, and no further after
//! that. A finder's claim that a defect can be seen in the change made no difference there, and there was too little
//! data on categories. The level is set by hand, because the measurement counts unlabelled defects as wrong: about
//! three in four of the first findings are assumed to be right, as in published evaluations.

use review::Category;

use crate::locate::Located;
use crate::reply::Evidence;

/// The contribution of each signal to the log-odds.
#[derive(Debug, Clone, Copy)]
struct Weights {
    chosen: f32,
    each_rank: f32,
    passed_over: f32,
    depends: f32,
}

/// For models that are not in the table.
const DEFAULT: Weights = Weights {
    chosen: 1.0,
    each_rank: -0.85,
    passed_over: -0.9,
    depends: 0.0,
};

/// By prefix of the model's name, more specific names first. Small models rank worse and mention code that does not
/// exist. Not measured.
const BY_MODEL: &[(&str, Weights)] = &[
    ("gpt-5-nano", SMALL),
    ("gpt-5-mini", SMALL),
    ("claude-haiku", SMALL),
    ("gemini-2.5-flash", SMALL),
    ("llama", SMALL),
    ("qwen", SMALL),
    ("mistral", SMALL),
];
const SMALL: Weights = Weights {
    chosen: 0.3,
    each_rank: -0.4,
    passed_over: -0.7,
    depends: -0.9,
};

/// The rank after which confidence no longer falls.
const RANKS: usize = 2;
/// No finding of a model is certain either way.
const RANGE: (f32, f32) = (0.05, 0.95);

/// The confidence in a finding of `model`. `rank` is its index among those that keep their priority, from 0.
pub(crate) fn confidence(model: &str, found: &Located, rank: Option<usize>) -> f32 {
    let weights = BY_MODEL
        .iter()
        .find(|(start, _)| model.starts_with(start))
        .map_or(DEFAULT, |(_, weights)| *weights);
    let place = match rank {
        Some(rank) => weights.chosen + weights.each_rank * rank.min(RANKS) as f32,
        None => weights.passed_over,
    };
    let depends = if found.evidence == Evidence::Depends {
        weights.depends
    } else {
        0.0
    };
    let odds = place + depends + base(found.category);
    (1.0 / (1.0 + (-odds).exp())).clamp(RANGE.0, RANGE.1)
}

/// The category's contribution: how much more or less often than others its findings are right.
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

    use super::confidence;
    use crate::locate::Located;
    use crate::reply::Evidence;

    fn sample() -> Located {
        Located::sample(0, "It is wrong.")
    }

    #[test]
    fn each_signal_changes_the_confidence_in_the_right_direction() {
        let best = confidence("m", &sample(), Some(0));
        let depends = Located {
            evidence: Evidence::Depends,
            ..sample()
        };
        let style = Located {
            category: Category::Maintainability,
            ..sample()
        };
        for less in [
            confidence("m", &sample(), Some(3)),
            confidence("m", &sample(), None),
            confidence("m", &style, Some(0)),
            confidence("claude-haiku-4-5", &sample(), Some(0)),
        ] {
            assert!(less < best, "{less} < {best}");
        }
        let small = |found| confidence("claude-haiku-4-5", found, Some(0));
        assert!(small(&depends) < small(&sample()));
    }

    #[test]
    fn confidence_falls_over_the_first_three_ranks() {
        let of = |rank| (100.0 * confidence("m", &sample(), rank)).round();
        assert_eq!(
            [Some(0), Some(1), Some(2), Some(9), None].map(of),
            [75.0, 56.0, 35.0, 35.0, 31.0]
        );
    }

    #[test]
    fn confidence_stays_in_its_range_at_any_rank() {
        for rank in [Some(0), Some(usize::MAX), None] {
            assert!((0.05..=0.95).contains(&confidence("", &sample(), rank)));
        }
    }
}
