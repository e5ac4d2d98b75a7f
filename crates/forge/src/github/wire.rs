//! The fields of GitHub's responses that are used.

use review::Status;
use serde::Deserialize;

use crate::files::HostFile;
use crate::host::{Resolver, Thread};

#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) login: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Pull {
    pub(super) head: Head,
}

#[derive(Debug, Deserialize)]
pub(super) struct Head {
    pub(super) sha: String,
}

/// A review that was posted.
#[derive(Debug, Deserialize)]
pub(super) struct Review {
    pub(super) user: Option<User>,
}

#[derive(Debug, Deserialize)]
pub(super) struct File {
    filename: String,
    previous_filename: Option<String>,
    status: String,
    patch: Option<String>,
}

impl From<File> for HostFile {
    fn from(file: File) -> Self {
        let status = match file.status.as_str() {
            "added" => Status::Added,
            "removed" => Status::Removed,
            "renamed" => Status::Renamed,
            "copied" => Status::Copied,
            _ => Status::Modified,
        };
        let before = file
            .previous_filename
            .unwrap_or_else(|| file.filename.clone());
        Self::new(
            before,
            file.filename,
            status,
            &file.patch.unwrap_or_default(),
        )
    }
}

/// A comment, on lines or on the whole pull request.
#[derive(Debug, Deserialize)]
pub(super) struct Comment {
    pub(super) id: u64,
    pub(super) node_id: String,
    pub(super) body: Option<String>,
    user: Option<User>,
    #[serde(default)]
    path: String,
    pub(super) in_reply_to_id: Option<u64>,
    start_line: Option<u32>,
    line: Option<u32>,
}

impl Comment {
    pub(super) fn is_by(&self, author: &str) -> bool {
        self.user
            .as_ref()
            .is_some_and(|user| user.login.eq_ignore_ascii_case(author))
    }

    pub(super) fn text(&self) -> &str {
        self.body.as_deref().unwrap_or_default()
    }

    pub(super) fn into_thread(
        self,
        fingerprint: String,
        id: Option<String>,
        resolved: Option<Resolver>,
    ) -> Thread {
        Thread {
            comment: self.id.to_string(),
            id,
            fingerprint,
            path: self.path,
            text: self.body.unwrap_or_default(),
            lines: self
                .line
                .map(|line| (self.start_line.unwrap_or(line), line)),
            resolved,
        }
    }
}
