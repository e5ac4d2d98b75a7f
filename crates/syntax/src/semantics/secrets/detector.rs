//! How kinds of secrets are recognised. Most detectors are gitleaks' (MIT, see data/secrets/README.md), some are our own.

use serde::Serialize;

/// How one kind of secret is recognised.
#[derive(Debug)]
pub struct Detector {
    /// Its name in findings and in docs/secrets.md.
    pub id: &'static str,
    /// What it finds, in words.
    pub title: &'static str,
    /// The secret is the first group of some length, else all that matches. Empty: the path alone tells.
    pub(crate) pattern: &'static str,
    /// The group that is the secret; 0 for the first of some length.
    pub(crate) group: usize,
    /// Texts in small letters, of which every match holds one; lines without are not looked at.
    pub(crate) keywords: &'static [&'static str],
    /// Bits a character that the secret must have more of.
    pub(crate) entropy: f64,
    /// Paths it is for; empty for all.
    pub(crate) path: &'static str,
    pub(crate) kind: Kind,
    /// A match can stretch over lines.
    pub(crate) lines: bool,
    /// What is no secret though it matches.
    pub(crate) allow: &'static [Allow],
}

/// What makes a match a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Its own form: a prefix that nothing else has.
    Form,
    /// The name of the service before it; the value alone could be anything.
    Named,
    /// A name such as `key` or `password` before it.
    Generic,
    /// It belongs to a secret but is itself no secret, or is made to be public.
    Public,
    /// What stands around it: a command, a file of a known kind.
    Context,
}

/// What is no secret though it matches.
#[derive(Debug)]
pub(crate) struct Allow {
    /// All that is given must agree, instead of any of it.
    pub(crate) all: bool,
    pub(crate) target: Target,
    /// Empty for none.
    pub(crate) pattern: &'static str,
    /// Paths where nothing is a secret; empty for none.
    pub(crate) path: &'static str,
    /// Words in the secret.
    pub(crate) words: &'static [&'static str],
}

/// What the pattern of an [`Allow`] looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Secret,
    Match,
    Line,
}

/// gitleaks' data, made from its configuration by `cargo xtask codegen`.
pub(super) struct Imported {
    pub(super) everywhere: Allow,
    pub(super) detectors: &'static [Detector],
}
