//! One item of knowledge.

/// What goes wrong with a construct.
pub(super) struct Item {
    /// Languages by Linguist's names; none: all.
    pub(super) languages: &'static [&'static str],
    /// What the added code has of it: one of these.
    pub(super) marks: &'static [&'static str],
    /// What goes wrong.
    pub(super) text: &'static str,
    /// When it does not.
    pub(super) unless: &'static str,
}

impl Item {
    pub(super) fn fits(&self, language: &str, added: &str) -> bool {
        let is_language = self.languages.is_empty() || self.languages.contains(&language);
        is_language && self.marks.iter().any(|mark| added.contains(mark))
    }

    pub(super) fn line(&self) -> String {
        format!("- {} Not: {}.\n", self.text, self.unless)
    }
}
