//! What a review looks like outside: one file per format.
//!
//! A format is a pure function of a [`Subject`]. Texts that may quote the diff go through `text` and through the
//! escaping of the format itself, so that nothing in a diff can add structure to an output.

pub mod agent;
mod counts;
mod gate;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod junit;
mod left_out;
pub mod markdown;
mod place;
pub mod pretty;
pub mod rdjsonl;
mod rule_name;
#[cfg(test)]
mod samples;
pub mod sarif;
mod subject;
#[cfg(test)]
mod tests;
mod text;
mod unique;

use crate::finding::named;
use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

pub use gate::Gate;
pub use left_out::{Coverage, left_out};
pub use subject::{RuleText, Subject};

named! {
    /// An output format of the command line.
    Format {
        /// For people at a terminal: code frames with the line marked.
        Pretty = "pretty",
        /// The body of the HTTP answer.
        Json = "json",
        /// SARIF 2.1.0, for code scanning.
        Sarif = "sarif",
        /// Annotations of a GitHub Actions workflow.
        Github = "github",
        /// GitLab's Code Quality report.
        Gitlab = "gitlab",
        /// reviewdog's diagnostics, one JSON object a line.
        Rdjsonl = "rdjsonl",
        /// A comment for a pull request.
        Markdown = "markdown",
        /// A JUnit test report with a test case per file.
        Junit = "junit",
        /// For coding agents: one line a finding.
        Agent = "agent",
    }
}

impl Format {
    /// The review in this format. `colour` matters to [`Format::Pretty`] alone.
    #[must_use]
    pub fn render(self, subject: &Subject<'_>, colour: bool) -> String {
        let Subject { body, diff, .. } = *subject;
        match self {
            Self::Pretty => pretty::render(body, diff, colour, subject.mask),
            Self::Json => json::render(body),
            Self::Sarif => sarif::render(subject),
            Self::Github => github::render(body, diff),
            Self::Gitlab => gitlab::render(body, diff),
            Self::Rdjsonl => rdjsonl::render(body, diff),
            Self::Markdown => markdown::render(body, diff),
            Self::Junit => junit::render(body, diff, subject.gate),
            Self::Agent => agent::render(body, diff),
        }
    }

    /// Whether the format has a place for warnings. Where none of the requested ones has, they must be said elsewhere.
    #[must_use]
    pub fn shows_warnings(self) -> bool {
        !matches!(self, Self::Gitlab | Self::Rdjsonl)
    }
}
