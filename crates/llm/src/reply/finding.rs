//! A finding as a model reported it.

use review::{Category, Priority};

use super::lenient::Object;
use super::words::{self, Evidence};

const FILE: &[&str] = &["file", "path", "file_path", "file_name", "location"];
const LINE: &[&str] = &[
    "line", "line_number", "lineno", "lines", "line_range", "start_line", "start", "location",
    "position",
];
const SIDE: &[&str] = &["side", "line_side"];
const QUOTE: &[&str] = &[
    "quote", "code", "snippet", "code_snippet", "line_content", "line_text", "existing_code",
];
const PRIORITY: &[&str] = &["priority", "severity", "level", "importance"];
const CATEGORY: &[&str] = &["category", "type", "kind", "class"];
const SUMMARY: &[&str] = &[
    "summary", "description", "message", "comment", "issue", "problem", "explanation", "body",
    "details", "title", "scenario",
];
const FIX: &[&str] = &[
    "fix", "suggested_fix", "suggestion", "recommendation", "solution", "remedy",
];
const DEPENDS_ON: &[&str] = &["depends_on", "dependencies", "depends"];
const EVIDENCE: &[&str] = &["evidence", "evidence_class", "grounding"];
/// Maximum characters of a path or a line that are repeated to the model.
const IDENTITY: usize = 200;

/// A finding as a model reported it. Its location is still the model's text; the other properties are parsed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RawFinding {
    pub(crate) file: String,
    pub(crate) line: String,
    pub(crate) quote: String,
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) summary: String,
    pub(crate) fix: String,
    pub(crate) evidence: Evidence,
    /// The code that is not shown and on which it depends, one entry per line.
    pub(crate) depends_on: String,
}

impl RawFinding {
    /// Reads a finding; `None` if a required property is missing.
    pub(super) fn read(object: &Object) -> Option<Self> {
        let summary = object.text(SUMMARY)?;
        let (line, quote) = (object.text_of_place(LINE), object.text(QUOTE));
        if line.is_none() && quote.is_none() {
            return None;
        }
        let text = |names| object.text(names).unwrap_or_default();
        let depends_on = text(DEPENDS_ON);
        let depends_on = if words::is_nothing(&depends_on) {
            String::new()
        } else {
            depends_on
        };
        let evidence = if depends_on.trim().is_empty() {
            words::evidence(&text(EVIDENCE))
        } else {
            Evidence::Depends
        };
        Some(Self {
            file: object.text_of_place(FILE).unwrap_or_default(),
            line: format!("{} {}", text(SIDE), line.unwrap_or_default()),
            quote: quote.unwrap_or_default(),
            priority: words::priority(&text(PRIORITY)),
            category: words::category(&text(CATEGORY)),
            summary,
            fix: text(FIX),
            evidence,
            depends_on,
        })
    }

    /// Whether an object is recognizable as a finding outside a list. A minimum of properties quickly rules out most of
    /// a hostile reply.
    pub(super) fn is_like(object: &Object) -> bool {
        let has_place = || object.text_of_place(LINE).is_some() || object.text(QUOTE).is_some();
        object.properties.len() > 1 && has_place() && object.text(SUMMARY).is_some()
    }

    /// Identifies the finding to the model that reported it. This is the model's text, so it must be masked before use.
    pub(crate) fn identity(&self) -> String {
        let file: String = self.file.chars().take(IDENTITY).collect();
        let line: String = self.line.trim().chars().take(IDENTITY).collect();
        format!("{file} {line} {}", self.category)
    }
}
