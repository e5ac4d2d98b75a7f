//! Output formats, one file each.
//!
//! A format is a pure function of a [`Subject`]. Text that may quote the diff passes through `text` and through the format's
//! own escaping, so that a diff cannot add structure to an output, nor control a terminal or the CI system that logs it.

pub mod agent;
mod counts;
mod gate;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod junit;
mod kinds;
mod left_out;
pub mod markdown;
mod place;
pub mod pretty;
pub mod rdjsonl;
mod rule_name;
#[cfg(test)]
mod samples;
pub mod sarif;
mod sent;
mod subject;
#[cfg(test)]
mod tests;
mod text;
mod unique;

use self::pretty::View;
use crate::finding::named;

pub use counts::counted;
pub use gate::Gate;
pub use left_out::{
    Coverage, cut_before, is_left_out, left_out, missed, model_failure, remarks, unreviewed_source,
};
pub use place::{Place, Range, in_new_file, related_in_new_file, remark};
pub use sent::sent;
pub use subject::{RuleText, Subject};
pub use text::{plain, printable, printable_json};

named! {
    "snake_case";
    /// An output format of the command line.
    Format {
        /// For terminals: code frames with the line marked.
        Pretty,
        /// The body of the HTTP response.
        Json,
        /// SARIF 2.1.0, for code scanning.
        Sarif,
        /// Annotations of a GitHub Actions workflow.
        Github,
        /// GitLab's Code Quality report.
        Gitlab,
        /// reviewdog's diagnostics, one JSON object per line.
        Rdjsonl,
        /// A comment for a pull request.
        Markdown,
        /// A JUnit test report with a test case per file.
        Junit,
        /// For coding agents: one line per finding.
        Agent,
    }
}

impl Format {
    /// The review in this format. `view` affects only [`Format::Pretty`].
    #[must_use]
    pub fn render(self, subject: &Subject<'_>, view: View) -> String {
        let Subject { body, diff, .. } = *subject;
        match self {
            Self::Pretty => pretty::render(subject, view),
            Self::Json => printable_json(json::render(body)),
            Self::Sarif => printable_json(sarif::render(subject)),
            Self::Github => github::render(body, diff),
            Self::Gitlab => printable_json(gitlab::render(body, diff)),
            Self::Rdjsonl => printable_json(rdjsonl::render(body, diff)),
            Self::Markdown => markdown::render(body, diff),
            Self::Junit => junit::render(body, diff, subject.gate),
            Self::Agent => agent::render(body, diff),
        }
    }

    /// Whether the format shows warnings. If none of the requested ones does, they must be reported elsewhere.
    #[must_use]
    pub fn shows_warnings(self) -> bool {
        !matches!(self, Self::Gitlab | Self::Rdjsonl)
    }
}
