//! The gate: which findings fail a run.

use std::str::FromStr;

use crate::finding::Priority;
use crate::output::json::FindingBody;

/// The lowest priority and confidence that fail a run: `P1`, `P1:0.8` or `never`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate(Option<(Priority, f64)>);

impl Gate {
    /// The gate that never fails a run.
    pub const OPEN: Self = Self(None);

    /// Whether findings of this priority can fail the run.
    #[must_use]
    pub fn concerns(self, priority: Priority) -> bool {
        self.0.is_some_and(|(least, _)| priority <= least)
    }

    /// Whether a finding fails the run. Findings in the baseline do not.
    #[must_use]
    pub fn fails(self, finding: &FindingBody) -> bool {
        !finding.is_in_baseline()
            && self.0.is_some_and(|(least, sure)| {
                finding.priority <= least && finding.confidence >= sure
            })
    }
}

impl Default for Gate {
    /// P1, whatever the confidence.
    fn default() -> Self {
        Self(Some((Priority::P1, 0.0)))
    }
}

impl FromStr for Gate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("never") {
            return Ok(Self::OPEN);
        }
        let (priority, sure) = text.split_once(':').unwrap_or((text, "0"));
        let priority = priority
            .parse()
            .map_err(|known: String| format!("{known}, never"))?;
        let sure = sure.parse().ok().filter(|sure| (0.0..=1.0).contains(sure));
        let sure = sure.ok_or("expected a confidence from 0 to 1 after the colon, as in P1:0.8")?;
        Ok(Self(Some((priority, sure))))
    }
}

#[cfg(test)]
mod tests {
    use super::Gate;
    use crate::finding::Priority;
    use crate::output::json::BaselineState;
    use crate::output::samples;

    #[test]
    fn priority_and_confidence_must_both_be_reached() {
        let fails = |gate: &str, priority, confidence| {
            let mut finding = samples::finding();
            (finding.priority, finding.confidence) = (priority, confidence);
            gate.parse::<Gate>().unwrap().fails(&finding)
        };
        assert!(fails("P1", Priority::P1, 0.1) && fails("p1:0.8", Priority::P0, 0.8));
        assert!(!fails("P1:0.8", Priority::P1, 0.79) && !fails("P1:0", Priority::P2, 1.0));
        assert!(!fails("never", Priority::P0, 1.0));
        let mut known = samples::finding();
        known.baseline_state = Some(BaselineState::Unchanged);
        assert!(!"P3".parse::<Gate>().unwrap().fails(&known));
    }

    #[test]
    fn invalid_gates_are_rejected() {
        for text in ["", "P9", "P1:", "P1:2", "P1:NaN", "P1:x", ":0.5"] {
            assert!(text.parse::<Gate>().is_err(), "{text}");
        }
    }
}
