//! The summary comment, which is on no line.

use forge::{SUMMARY, marked};
use review::Diff;
use review::output::json::{FindingBody, ReviewBody};
use review::output::{counted, markdown, missed};

/// The text of the summary: the findings that are on no line, and what was not reviewed.
pub(super) fn text(review: &ReviewBody, diff: &Diff<'_>, listed: &[&FindingBody]) -> String {
    let is_listed = |finding: &FindingBody| listed.iter().any(|one| std::ptr::eq(*one, finding));
    let page = markdown::render_some(review, diff, is_listed);
    let on_lines = review.findings.len() - listed.len();
    let comments = match on_lines {
        0 => String::new(),
        1 => "\n1 finding has a comment on its line.\n".to_owned(),
        n => format!(
            "\n{} have comments on their lines.\n",
            counted(n, "finding")
        ),
    };
    marked(&(page + &comments), SUMMARY)
}

/// Whether the summary has content that no comment on a line has.
pub(super) fn is_needed(review: &ReviewBody, listed: &[&FindingBody]) -> bool {
    !listed.is_empty() || missed(review).next().is_some()
}
