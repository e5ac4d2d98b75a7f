//! Bars of a chart as SVG path data, in a box that is stretched to fit.

use std::fmt::Write as _;

/// Height of the box, and width per bar.
pub(super) const HEIGHT: u64 = 1_000;
pub(super) const STEP: u64 = 10;
/// Width of a bar, and minimum height of one that is not zero.
const WIDTH: u64 = 8;
const LEAST: u64 = 12;

/// Bars for numbers up to a maximum.
pub(super) struct Bars {
    max: u64,
    /// How much of each column is already taken by the bars below.
    taken: Vec<u64>,
}

impl Bars {
    /// Columns for `count` bars.
    pub(super) fn new(count: usize, max: u64) -> Self {
        Self {
            max,
            taken: vec![0; count],
        }
    }

    /// Stacks a bar for each number on top of the existing ones.
    pub(super) fn stack(&mut self, numbers: &[u64]) -> String {
        let mut path = String::new();
        for ((number, taken), x) in numbers.iter().zip(&mut self.taken).zip((1..).step_by(10)) {
            let height = height(*number, self.max).min(HEIGHT - *taken);
            if height > 0 {
                *taken += height;
                // Writing to a string does not fail.
                let _ = write!(path, "M{x} {}h{WIDTH}v{height}h-{WIDTH}z", HEIGHT - *taken);
            }
        }
        path
    }

    /// A horizontal bar for a share of the maximum, in a box of the width [`HEIGHT`] and the height 1.
    pub(super) fn share(number: u64, max: u64) -> String {
        format!("M0 0h{}v1H0z", height(number, max))
    }
}

fn height(number: u64, max: u64) -> u64 {
    if number == 0 || max == 0 {
        return 0;
    }
    let scaled = u128::from(number) * u128::from(HEIGHT) / u128::from(max);
    u64::try_from(scaled).unwrap_or(HEIGHT).clamp(LEAST, HEIGHT)
}

#[cfg(test)]
mod tests {
    use super::Bars;

    #[test]
    fn bars_are_stacked_within_the_box() {
        let mut bars = Bars::new(3, 4);
        assert_eq!(bars.stack(&[4, 0, 1]), "M1 0h8v1000h-8zM21 750h8v250h-8z");
        assert_eq!(bars.stack(&[0, 2, 1]), "M11 500h8v500h-8zM21 500h8v250h-8z");
        assert_eq!(
            bars.stack(&[9, 9, 9]),
            "M11 0h8v500h-8zM21 0h8v500h-8z",
            "no bar leaves the box"
        );
        assert_eq!(Bars::new(1, 0).stack(&[0]), "");
        assert_eq!(
            Bars::new(1, u64::MAX).stack(&[1]),
            "M1 988h8v12h-8z",
            "a value above zero is visible"
        );
        assert_eq!(Bars::new(1, u64::MAX).stack(&[u64::MAX]), "M1 0h8v1000h-8z");
        assert_eq!(
            (Bars::share(1, 2), Bars::share(0, 0)),
            ("M0 0h500v1H0z".to_owned(), "M0 0h0v1H0z".to_owned())
        );
    }
}
