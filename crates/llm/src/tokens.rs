//! Estimates the tokens of a text before a provider reports them.
//!
//! Vocabularies differ, take tens of megabytes and are not all public, and one tokenizer panics on a megabyte of spaces. So
//! the count is an estimate from bytes. Diffs have 3.1 bytes per token in OpenAI's `o200k_base`. The estimate begins slightly
//! below that, and each reply with reported usage corrects it for its model. Budgets and windows use the estimate; bills are
//! the provider's.

use std::sync::atomic::{AtomicU64, Ordering};

/// Initial bytes per token, times 1,000.
const FIRST: u64 = 2_800;
/// The range of corrected estimates: base64 has 1.5 bytes per token, plain English 4.5.
const RANGE: std::ops::RangeInclusive<u64> = 1_500..=4_500;
/// Shorter prompts (in bytes) say more about the instructions than about the language of the change.
const MIN_BYTES: u64 = 2_000;

/// Estimates tokens for one model. It is shared by all reviews and learns from each.
#[derive(Debug)]
pub(crate) struct Estimator {
    /// Bytes per token, times 1,000.
    ratio: AtomicU64,
    /// Keeps its initial estimate, whatever a provider reports.
    is_fixed: bool,
}

impl Default for Estimator {
    fn default() -> Self {
        Self {
            ratio: AtomicU64::new(FIRST),
            is_fixed: false,
        }
    }
}

impl Estimator {
    /// An estimator that does not learn: it splits the same change into the same prompts, regardless of earlier
    /// answers.
    pub(crate) fn fixed() -> Self {
        Self {
            is_fixed: true,
            ..Self::default()
        }
    }

    /// Tokens of a text of this many bytes, rounded up.
    pub(crate) fn tokens(&self, bytes: usize) -> u64 {
        (bytes as u64)
            .saturating_mul(1_000)
            .div_ceil(self.ratio.load(Ordering::Relaxed))
    }

    /// Learns the number of tokens of a prompt of this many bytes. It moves an eighth of the way, so that one unusual
    /// prompt does not distort the next estimate.
    pub(crate) fn learn(&self, bytes: usize, tokens: u64) {
        let bytes = bytes as u64;
        if self.is_fixed || bytes < MIN_BYTES || tokens == 0 {
            return;
        }
        let seen = (bytes.saturating_mul(1_000) / tokens).clamp(*RANGE.start(), *RANGE.end());
        // A lost update does no harm.
        let old = self.ratio.load(Ordering::Relaxed);
        self.ratio.store((old * 7 + seen) / 8, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Estimator;

    #[test]
    fn an_estimate_approaches_the_reported_count_within_its_range() {
        let estimator = Estimator::default();
        assert_eq!(estimator.tokens(2_800), 1_000);
        for _ in 0..100 {
            estimator.learn(10_000, 2_500);
        }
        let learnt = estimator.tokens(10_000);
        assert!((2_500..=2_520).contains(&learnt), "{learnt}");
        estimator.learn(100, 100);
        assert_eq!(
            estimator.tokens(10_000),
            learnt,
            "a short prompt teaches nothing"
        );
        for _ in 0..100 {
            estimator.learn(10_000, 1);
            estimator.learn(10_000, 0);
        }
        assert!(estimator.tokens(4_500) >= 1_000);
    }

    #[test]
    fn a_fixed_estimate_learns_nothing() {
        let estimator = Estimator::fixed();
        estimator.learn(10_000, 2_500);
        assert_eq!(estimator.tokens(2_800), 1_000);
    }
}
