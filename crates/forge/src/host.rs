//! The interface of a host: the data and the operations of a pull or merge request.

use std::future::Future;

use review::Side;

use super::failure::Failure;
use super::files::HostFile;

/// How a host applies suggestions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// A comment covers several lines, and its suggestion replaces them.
    GitHub,
    /// A comment is on one line, and its suggestion states how many lines around it are replaced.
    GitLab,
}

/// A pull or merge request.
#[derive(Debug)]
pub(crate) struct Change {
    /// The commits that positions refer to.
    pub(crate) commits: Commits,
    /// The files of its diff that the host returns.
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

/// The existing comments of this tool.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// In order of creation.
    pub(crate) threads: Vec<Thread>,
    pub(crate) summary: Option<Note>,
}

/// A comment that is on no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// A comment on lines, with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thread {
    /// The ID of the comment, for updates.
    pub(crate) comment: String,
    /// The ID of the conversation, for resolving it; `None` if the host has no conversations.
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

/// A comment to create.
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

    /// Reads the pull or merge request.
    fn change(&self) -> impl Future<Output = Result<Change, Failure>>;

    /// Reads the existing comments of this tool.
    fn known(&self) -> impl Future<Output = Result<Known, Failure>>;

    /// Creates comments. Returns the indices of those with positions that the host refused.
    fn post(
        &self,
        change: &Change,
        drafts: &[Draft],
    ) -> impl Future<Output = Result<Vec<usize>, Failure>>;

    /// Changes the text of a comment.
    fn update(&self, thread: &Thread, text: &str) -> impl Future<Output = Result<(), Failure>>;

    /// Resolves or reopens a conversation.
    fn set_resolved(&self, id: &str, resolved: bool) -> impl Future<Output = Result<(), Failure>>;

    /// Creates or updates the summary.
    fn summarize(
        &self,
        before: Option<&Note>,
        text: &str,
    ) -> impl Future<Output = Result<(), Failure>>;
}
