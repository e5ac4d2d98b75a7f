//! How many tokens a text will be, before a provider says how many it was.
//!
//! Vocabularies differ, take tens of megabytes and are not all public, and one tokenizer panics on a megabyte of spaces. So the count
//! is an estimate from bytes. Diffs have
//! 3.1 bytes a token in OpenAI's `o200k_base`; the estimate begins a little below, and each reply whose provider reports
//! its usage corrects it for that model. Budgets and windows are held by the estimate, bills are the provider's.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes a token that an estimate begins with, times 1,000.
const FIRST: u64 = 2_800;
/// The least and the most that an estimate may be corrected to: base64 has 1.5 bytes a token, plain English 4.5.
const RANGE: std::ops::RangeInclusive<u64> = 1_500..=4_500;
/// Prompts shorter than this (in bytes) say more of the frame around them than of the language in them.
const TELLING: u64 = 2_000;

/// Estimates for one model. It is shared by all reviews, and learns from each.
#[derive(Debug)]
pub(crate) struct Estimator {
    /// Bytes a token, times 1,000.
    ratio: AtomicU64,
    /// It keeps to its first estimate, whatever a provider reports.
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
    /// One that does not learn: it cuts the same change into the same prompts, whatever was answered before.
    pub(crate) fn fixed() -> Self {
        Self {
            is_fixed: true,
            ..Self::default()
        }
    }

    /// Tokens of a text of so many bytes, rounded up.
    pub(crate) fn tokens(&self, bytes: usize) -> u64 {
        (bytes as u64)
            .saturating_mul(1_000)
            .div_ceil(self.ratio.load(Ordering::Relaxed))
    }

    /// Learns that a prompt of so many bytes was so many tokens. It moves an eighth of the way, so that one odd prompt
    /// does not upset the next estimate.
    pub(crate) fn learn(&self, bytes: usize, tokens: u64) {
        let bytes = bytes as u64;
        if self.is_fixed || bytes < TELLING || tokens == 0 {
            return;
        }
        let seen = (bytes.saturating_mul(1_000) / tokens).clamp(*RANGE.start(), *RANGE.end());
        // A lost update is one lesson less.
        let old = self.ratio.load(Ordering::Relaxed);
        self.ratio.store((old * 7 + seen) / 8, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Estimator;

    #[test]
    fn an_estimate_nears_what_the_provider_reports_and_stays_in_its_range() {
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
