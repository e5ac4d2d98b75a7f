//! What a model brings forward against a finding.

use super::item::Item;
use super::lenient::Object;
use super::words::{self, count};

const FINDING: &[&str] = &["finding", "finding_number", "finding_id", "number", "id", "index"];
const QUOTE: &[&str] = &["quote", "evidence", "code", "line"];
const VERDICT: &[&str] = &["verdict", "refuted", "is_refuted", "result", "conclusion"];

/// What a model brings forward against a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Objection {
    /// The number of the finding, from 1.
    pub(crate) finding: usize,
    /// The line that refutes it; empty if the model names none.
    pub(crate) quote: String,
    pub(crate) is_refuted: bool,
}

impl Item for Objection {
    const OTHER_NAMES: &'static [&'static str] =
        &["verdicts", "results", "judgements", "judgments", "evaluations", "findings", "items"];

    fn read(object: &Object) -> Option<Self> {
        let finding = count(&object.text(FINDING)?)?;
        let quote = object.text(QUOTE).unwrap_or_default();
        Some(Self { finding, quote, is_refuted: words::is_refuted(&object.text(VERDICT)?) })
    }

    fn is_like(object: &Object) -> bool {
        object.text(FINDING).is_some() && object.text(VERDICT).is_some()
    }

    fn identity(&self) -> String {
        self.finding.to_string()
    }
}
