//! What is known of a change on a host, and what can be done there.

use std::future::Future;

use review::Side;

use super::failure::Failure;
use super::files::HostFile;

/// How a host offers to apply code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// A comment is on several lines, and its suggestion replaces them.
    GitHub,
    /// A comment is on one line, and its suggestion says how many lines around it are replaced.
    GitLab,
}

/// A pull or merge request.
#[derive(Debug)]
pub(crate) struct Change {
    /// The commits that positions refer to.
    pub(crate) commits: Commits,
    /// The files of its diff, as far as the host shows them.
    pub(crate) files: Vec<HostFile>,
}

/// Commits by hash. GitHub needs only the head.
#[derive(Debug, Clone, Default, serde::Deserialize)]
pub(crate) struct Commits {
    #[serde(rename = "head_sha")]
    pub(crate) head: String,
    #[serde(rename = "base_sha", default)]
    pub(crate) base: String,
    #[serde(rename = "start_sha", default)]
    pub(crate) start: String,
}

/// What this tool said before.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// In the order in which it was said.
    pub(crate) threads: Vec<Thread>,
    pub(crate) summary: Option<Note>,
}

/// A comment without a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// A comment on lines, with what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thread {
    /// Names the comment, to change its text.
    pub(crate) comment: String,
    /// Names the conversation, to resolve it; `None` where the host has none.
    pub(crate) id: Option<String>,
    pub(crate) fingerprint: String,
    pub(crate) path: String,
    pub(crate) text: String,
    /// The first and the last line; `None` if the lines are no longer in the diff.
    pub(crate) lines: Option<(u32, u32)>,
    pub(crate) resolved: Option<Resolver>,
}

/// The author of a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resolver {
    Us,
    SomeoneElse,
}

/// A comment to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Draft {
    pub(crate) fingerprint: String,
    /// The file before the change.
    pub(crate) old_path: String,
    /// The file after the change.
    pub(crate) new_path: String,
    pub(crate) side: Side,
    /// The first and the last line on that side.
    pub(crate) lines: (u32, u32),
    /// The number of the last line on the old side; a context line has both.
    pub(crate) old_line: Option<u32>,
    /// The number of the last line on the new side.
    pub(crate) new_line: Option<u32>,
    pub(crate) text: String,
}

/// A place for comments: one pull or merge request.
pub(crate) trait Host {
    const STYLE: Style;

    /// Reads the change.
    fn change(&self) -> impl Future<Output = Result<Change, Failure>>;

    /// Reads what this tool said before.
    fn known(&self) -> impl Future<Output = Result<Known, Failure>>;

    /// Makes comments. Gives the indices of those that the host refused for their place.
    fn post(
        &self,
        change: &Change,
        drafts: &[Draft],
    ) -> impl Future<Output = Result<Vec<usize>, Failure>>;

    /// Changes the text of a comment.
    fn update(&self, thread: &Thread, text: &str) -> impl Future<Output = Result<(), Failure>>;

    /// Resolves a conversation, or opens it again.
    fn set_resolved(&self, id: &str, resolved: bool) -> impl Future<Output = Result<(), Failure>>;

    /// Makes the summary, or changes it.
    fn summarize(
        &self,
        before: Option<&Note>,
        text: &str,
    ) -> impl Future<Output = Result<(), Failure>>;
}
