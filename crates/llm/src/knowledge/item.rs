//! One item of knowledge.

/// A typical defect of a construct.
pub(super) struct Item {
    /// Languages, by Linguist's names; empty for all.
    pub(super) languages: &'static [&'static str],
    /// The added code contains one of these.
    pub(super) marks: &'static [&'static str],
    /// The defect.
    pub(super) text: &'static str,
    /// When it is not a defect.
    pub(super) unless: &'static str,
}

impl Item {
    pub(super) fn fits(&self, language: &str, added: &str) -> bool {
        let is_language = self.languages.is_empty() || self.languages.contains(&language);
        is_language && self.marks.iter().any(|mark| added.contains(mark))
    }

    pub(super) fn line(&self) -> String {
        format!("- {} Not a defect if {}.\n", self.text, self.unless)
    }
}
