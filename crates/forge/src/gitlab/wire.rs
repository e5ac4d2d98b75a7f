//! The fields of GitLab's responses that are used.

use review::Status;
use serde::Deserialize;

use crate::files::HostFile;
use crate::host::{Commits, Resolver, Thread};

#[derive(Debug, Deserialize)]
pub(super) struct User {
    id: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct Merge {
    pub(super) diff_refs: Option<Commits>,
}

#[derive(Debug, Deserialize)]
pub(super) struct File {
    old_path: String,
    new_path: String,
    #[serde(default)]
    diff: String,
    #[serde(default)]
    new_file: bool,
    #[serde(default)]
    renamed_file: bool,
    #[serde(default)]
    deleted_file: bool,
}

impl From<File> for HostFile {
    fn from(file: File) -> Self {
        let status = match file {
            File { new_file: true, .. } => Status::Added,
            File {
                deleted_file: true, ..
            } => Status::Removed,
            File {
                renamed_file: true, ..
            } => Status::Renamed,
            File { .. } => Status::Modified,
        };
        Self::new(file.old_path, file.new_path, status, &file.diff)
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Discussion {
    id: String,
    notes: Vec<Comment>,
}

impl Discussion {
    /// The discussion's ID and its first note, if the user started it.
    pub(super) fn first_of(self, user: &User) -> Option<(String, Comment)> {
        let first = self.notes.into_iter().next()?;
        (first.author.id == user.id).then_some((self.id, first))
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Comment {
    pub(super) id: u64,
    pub(super) body: String,
    author: User,
    #[serde(default)]
    resolvable: bool,
    #[serde(default)]
    resolved: bool,
    resolved_by: Option<User>,
    position: Option<Position>,
}

#[derive(Debug, Deserialize)]
struct Position {
    new_path: Option<String>,
    old_line: Option<u32>,
    new_line: Option<u32>,
}

impl Comment {
    pub(super) fn into_thread(
        self,
        discussion: String,
        fingerprint: String,
        user: &User,
    ) -> Thread {
        let by_us = self
            .resolved_by
            .is_some_and(|resolver| resolver.id == user.id);
        let resolver = if by_us {
            Resolver::Us
        } else {
            Resolver::SomeoneElse
        };
        let line = self
            .position
            .as_ref()
            .and_then(|position| position.new_line.or(position.old_line));
        Thread {
            comment: self.id.to_string(),
            id: self.resolvable.then_some(discussion),
            fingerprint,
            path: self
                .position
                .and_then(|position| position.new_path)
                .unwrap_or_default(),
            text: self.body,
            lines: line.map(|line| (line, line)),
            resolved: self.resolved.then_some(resolver),
        }
    }
}
