//! The source of a rule: Rust or YAML.

use syntax::language::{Grammar, ROWS};

use super::definition::Rule;
use super::yaml::Document;

/// The source of a rule.
#[derive(Clone, Copy)]
pub enum Source {
    /// The folder and the rule.
    Rust(&'static str, &'static Rule),
    /// The folder, the ID and the text of the file.
    Data(&'static str, &'static str, &'static str),
}

impl Source {
    /// The ID of the rule.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self {
            Self::Rust(_, rule) => rule.id,
            Self::Data(_, id, _) => id,
        }
    }

    /// The folder of the rule.
    #[must_use]
    pub fn folder(&self) -> &'static str {
        match self {
            Self::Rust(folder, _) | Self::Data(folder, ..) => folder,
        }
    }

    /// The languages to which rules of its folder may apply.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> + use<> {
        let folder = self.folder();
        let rows = ROWS.iter().filter(move |row| match folder {
            "any" => true,
            "javascript" => matches!(row.folder, "javascript" | "typescript"),
            "c" => matches!(row.folder, "c" | "cpp"),
            folder => row.folder == folder,
        });
        rows.map(|row| row.name)
    }

    /// Whether rules of its folder may apply to a language.
    pub(crate) fn is_in_folder_of(&self, grammar: Grammar) -> bool {
        self.languages().any(|name| name == grammar.name())
    }

    /// The rule, if it is written in Rust.
    pub(crate) fn rule(&self) -> Option<&'static Rule> {
        match self {
            Self::Rust(_, rule) => Some(rule),
            Self::Data(..) => None,
        }
    }

    /// The rule, if it is written in YAML.
    ///
    /// # Errors
    /// The reason why its file cannot be read.
    pub(crate) fn document(&self) -> Result<Option<Document>, String> {
        match self {
            Self::Rust(..) => Ok(None),
            Self::Data(_, _, text) => Document::parse(text).map(Some),
        }
    }
}
