//! The interface of a host: the data and the operations of a pull or merge request.

use std::future::Future;

use review::Side;

use super::failure::Failure;
use super::files::HostFile;

/// How a host applies suggestions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A comment covers several lines, and its suggestion replaces them.
    GitHub,
    /// A comment is on one line, and its suggestion states how many lines around it are replaced.
    GitLab,
}

/// A pull or merge request.
#[derive(Debug)]
pub struct Change {
    /// The commits that positions refer to.
    pub commits: Commits,
    /// The files of its diff that the host returns.
    pub files: Vec<HostFile>,
}

/// Commits by hash. GitHub needs only the head.
#[derive(Debug, Clone, Default, serde::Deserialize)]
pub struct Commits {
    /// The last commit of the change.
    #[serde(rename = "head_sha")]
    pub head: String,
    /// The commit that the diff starts from.
    #[serde(rename = "base_sha", default)]
    pub base: String,
    /// The last commit of the target branch.
    #[serde(rename = "start_sha", default)]
    pub start: String,
}

/// The existing comments of this tool.
#[derive(Debug, Default)]
pub struct Known {
    /// The comments on lines, in order of creation.
    pub threads: Vec<Thread>,
    /// The summary comment.
    pub summary: Option<Note>,
}

/// A comment that is on no line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its ID.
    pub id: String,
    /// Its text, with the marker.
    pub text: String,
}

/// A comment on lines, with its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    /// The ID of the comment, for updates.
    pub comment: String,
    /// The ID of the conversation, for resolving it; `None` if the host has no conversations.
    pub id: Option<String>,
    /// The fingerprint of the finding.
    pub fingerprint: String,
    /// The file.
    pub path: String,
    /// Its text, with the marker.
    pub text: String,
    /// The first and the last line; `None` if the lines are no longer in the diff.
    pub lines: Option<(u32, u32)>,
    /// The user who resolved the conversation; `None` if it is open.
    pub resolved: Option<Resolver>,
}

/// The author of a resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolver {
    /// The user of the token.
    Us,
    /// Any other user.
    SomeoneElse,
}

/// A comment to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The fingerprint of the finding.
    pub fingerprint: String,
    /// The file before the change.
    pub old_path: String,
    /// The file after the change.
    pub new_path: String,
    /// The side of the diff that it is on.
    pub side: Side,
    /// The first and the last line on that side.
    pub lines: (u32, u32),
    /// The number of the last line on the old side; a context line has both.
    pub old_line: Option<u32>,
    /// The number of the last line on the new side.
    pub new_line: Option<u32>,
    /// Its text, with the marker.
    pub text: String,
}

/// The results of posting new comments.
#[derive(Debug, Default)]
pub struct Posted {
    /// The indices of those with positions that the host refused.
    pub refused: Vec<usize>,
    /// A change that the user must make so that the next run recognizes the comments.
    pub warning: Option<String>,
}

/// A place for comments: one pull or merge request.
pub trait Host {
    /// How it applies suggestions.
    const STYLE: Style;

    /// Reads the pull or merge request.
    fn change(&self) -> impl Future<Output = Result<Change, Failure>>;

    /// Reads the existing comments of this tool.
    fn known(&self) -> impl Future<Output = Result<Known, Failure>>;

    /// Creates comments.
    fn post(
        &self,
        change: &Change,
        drafts: &[Draft],
    ) -> impl Future<Output = Result<Posted, Failure>>;

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
