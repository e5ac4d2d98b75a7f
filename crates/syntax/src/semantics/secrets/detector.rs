//! How kinds of secrets are recognized. Most detectors are gitleaks' (MIT, see data/secrets/README.md), some are our
//! own.

use serde::Serialize;

/// How one kind of secret is recognized.
#[derive(Debug)]
pub struct Detector {
    /// Its name in findings and in docs/secrets.md.
    pub id: &'static str,
    /// A short description of the secret that it finds.
    pub title: &'static str,
    /// The secret is the first group that is long enough, or the whole match. Empty if the path alone decides.
    pub(crate) pattern: &'static str,
    /// The group that is the secret; 0 for the first one that is long enough.
    pub(crate) group: usize,
    /// Texts in lower case, one of which is in every match. Lines without any of them are not looked at.
    pub(crate) keywords: &'static [&'static str],
    /// The secret must have more than this many bits per character.
    pub(crate) entropy: f64,
    /// The paths that it applies to; empty for all.
    pub(crate) path: &'static str,
    pub(crate) kind: Kind,
    /// A match can extend over several lines.
    pub(crate) lines: bool,
    /// Matches that are not secrets.
    pub(crate) allow: &'static [Allow],
}

/// The evidence that a match is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Its own form: a prefix that nothing else has.
    Form,
    /// The name of the service before it; the value alone could be anything.
    Named,
    /// A name such as `key` or `password` before it.
    Generic,
    /// It belongs to a secret but is not secret itself, or it is made to be public.
    Public,
    /// Its surroundings: a command, a file of a known kind.
    Context,
}

/// Matches that are not secrets.
#[derive(Debug)]
pub(crate) struct Allow {
    /// All given criteria must match, instead of any of them.
    pub(crate) all: bool,
    pub(crate) target: Target,
    /// Empty for none.
    pub(crate) pattern: &'static str,
    /// Paths in which nothing is a secret; empty for none.
    pub(crate) path: &'static str,
    /// Words in the secret.
    pub(crate) words: &'static [&'static str],
}

/// The text that the pattern of an [`Allow`] is matched against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Secret,
    Match,
    Line,
}

/// gitleaks' data, generated from its configuration by `cargo xtask codegen`.
pub(super) struct Imported {
    pub(super) everywhere: Allow,
    pub(super) detectors: &'static [Detector],
}
