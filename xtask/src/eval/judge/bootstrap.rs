//! Confidence intervals of the difference between two arms: items are drawn with replacement, and both arms are counted
//! on the same draw (Efron's paired bootstrap, percentiles).

use super::count::{Count, total};

const DRAWS: usize = 2_000;
/// A fixed seed, so that the draws are always the same.
const SEED: u64 = 20_261_125;

/// The 95 % interval of the difference of F1.
pub(super) fn interval(ours: &[Count], other: &[Count]) -> (f64, f64) {
    let items = ours.len().min(other.len());
    if items == 0 {
        return (0.0, 0.0);
    }
    let mut random = Random(SEED);
    let mut differences: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let drawn: Vec<usize> = (0..items).map(|_| random.below(items)).collect();
            let f1 = |counts: &[Count]| total(drawn.iter().filter_map(|at| counts.get(*at))).f1();
            f1(ours) - f1(other)
        })
        .collect();
    differences.sort_by(f64::total_cmp);
    let at = |share: usize| {
        differences
            .get(DRAWS * share / 1_000)
            .copied()
            .unwrap_or_default()
    };
    (at(25), at(975))
}

/// SplitMix64 (Steele, Lea and Flood, 2014): small, and identical on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap_or(0)
    }
}
