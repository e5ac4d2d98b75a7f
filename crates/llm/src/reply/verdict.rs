//! A verdict as a model gave it.

use super::item::Item;
use super::lenient::Object;
use super::words::number;

const FINDING: &[&str] = &["finding", "finding_number", "finding_id", "number", "id", "index"];
const QUOTE: &[&str] = &["quote", "evidence", "code", "line"];
const SCORE: &[&str] = &["score", "rating", "verdict_score"];

/// A verdict as a model gave it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Verdict {
    /// The number of the finding, from 1.
    pub(crate) finding: usize,
    /// From 0 to 10.
    pub(crate) score: f64,
    /// The line that proves or refutes the finding; empty if the verifier names none.
    pub(crate) quote: String,
}

impl Item for Verdict {
    const OTHER_NAMES: &'static [&'static str] =
        &["scores", "results", "judgements", "judgments", "evaluations", "findings", "items"];

    fn read(object: &Object) -> Option<Self> {
        let finding = object.text(FINDING)?;
        let digits = finding.trim().trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let finding = digits.get(..end)?.parse().ok()?;
        let quote = object.text(QUOTE).unwrap_or_default();
        Some(Self { finding, score: score(&object.text(SCORE)?)?, quote })
    }

    fn is_like(object: &Object) -> bool {
        object.text(FINDING).is_some() && object.text(SCORE).is_some()
    }

    fn told(&self) -> String {
        self.finding.to_string()
    }
}

/// `7`, `7/10` or `70%`.
fn score(text: &str) -> Option<f64> {
    let (score, of) = number(text)?;
    Some(of.map_or(score, |of| score / of * 10.0)).filter(|score| score.is_finite())
}
