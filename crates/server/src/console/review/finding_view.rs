//! A finding as shown on the page.

use review::output::json::{FindingBody, RelatedLocation, ReplacementBody};
use review::{Hunk, Lexical, Priority, Reference, Side};

use super::places::Places;
use super::suggestion::Suggestion;
use crate::rule_pages::RulePages;
use crate::web::shown::{Prose, Shown};

/// A finding and its context.
pub(super) struct FindingView<'a> {
    /// Its number on the page, from 1.
    pub(super) number: usize,
    pub(super) priority: &'static str,
    /// Whether its text is shown before it is opened.
    pub(super) is_open: bool,
    /// The category in words.
    pub(super) kind: String,
    pub(super) summary: Prose<'a>,
    pub(super) fix: Option<Prose<'a>>,
    /// Why it matters, according to its rule.
    why: Option<String>,
    pub(super) rule: Option<&'a str>,
    /// The confidence in words, and as a number.
    pub(super) likelihood: &'static str,
    pub(super) confidence: String,
    pub(super) path: Shown<'a>,
    pub(super) line: u32,
    /// Whether it is on a removed line.
    pub(super) is_old: bool,
    pub(super) related: Vec<RelatedView<'a>>,
    /// Lines outside the diff that the summary refers to.
    pub(super) references: Vec<RelatedView<'a>>,
    /// The comment that suppresses it: its line and its reason.
    pub(super) suppressed: Option<(u32, Shown<'a>)>,
    /// The lines that remove the defect.
    pub(super) suggestion: Option<Suggestion>,
}

/// Another line, with the same defect or of the code that the summary refers to.
pub(super) struct RelatedView<'a> {
    pub(super) path: Shown<'a>,
    pub(super) line: u32,
    /// The line on the page, if it is there.
    pub(super) anchor: Option<String>,
}

impl<'a> FindingView<'a> {
    pub(super) fn new(
        number: usize,
        of: &'a FindingBody,
        places: &Places<'a>,
        rules: Option<&RulePages>,
    ) -> Self {
        let why = of
            .rule_id
            .as_deref()
            .zip(rules)
            .and_then(|(id, rules)| rules.text(id))
            .map(|text| text.why);
        let related = |place: &'a RelatedLocation| RelatedView {
            path: Shown(&place.file_path),
            line: place.line_number,
            anchor: places.anchor(&place.file_path, place.line_side, place.line_number),
        };
        let reference = |place: &'a Reference| RelatedView {
            path: Shown(&place.file_path),
            line: place.line_number,
            anchor: None,
        };
        Self {
            number,
            priority: of.priority.as_str(),
            is_open: of.priority <= Priority::P2,
            kind: in_words(of.category.as_str()),
            summary: Prose(&of.summary),
            fix: of.suggested_fix.as_deref().map(Prose),
            why,
            rule: of.rule_id.as_deref(),
            likelihood: match of.confidence {
                sure if sure >= 0.85 => "sure",
                likely if likely >= 0.65 => "likely",
                _ => "possible",
            },
            confidence: format!("{:.2}", of.confidence),
            path: Shown(&of.file_path),
            line: of.line_number,
            is_old: of.line_side == Side::Old,
            related: of.related_locations.iter().map(related).collect(),
            references: of.references.iter().map(reference).collect(),
            suppressed: of
                .suppression
                .as_ref()
                .map(|comment| (comment.line_number, Shown(&comment.reason))),
            suggestion: None,
        }
    }

    /// The finding with the edit that removes the defect.
    pub(super) fn with_edit(
        self,
        edit: Option<&ReplacementBody>,
        hunk: &Hunk<'_>,
        lexical: Option<&'static Lexical>,
    ) -> Self {
        let suggestion = edit.and_then(|edit| Suggestion::of(edit, hunk, lexical));
        Self { suggestion, ..self }
    }

    pub(super) fn why(&self) -> Option<Prose<'_>> {
        self.why.as_deref().map(Prose)
    }
}

/// `NULL_SAFETY` in words.
pub(super) fn in_words(name: &str) -> String {
    let mut words = name.to_ascii_lowercase().replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}
