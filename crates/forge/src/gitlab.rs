//! GitLab: discussions on lines of a merge request, and the summary among its notes.

mod wire;

use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::failure::{Failure, SetupError};
use super::files::HostFile;
use super::host::{Change, Draft, Host, Known, Note, Posted, Style, Thread};
use super::http::{Api, Pause, Scheme};
use super::marker::{SUMMARY, name_in};
use wire::{Discussion, File, Merge, User};

/// Identifies a merge request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergeRequest {
    /// The ID of the project, or its full path.
    pub project: String,
    /// The number of the merge request in its project.
    pub iid: u64,
}

/// A merge request on GitLab.
pub struct GitLab {
    api: Api,
    request: MergeRequest,
}

impl GitLab {
    /// A client for one merge request. A crypto provider of TLS must be installed.
    ///
    /// # Errors
    /// The address or the token is invalid.
    pub fn new(
        api_url: &str,
        token: &str,
        request: MergeRequest,
        pause: Pause,
    ) -> Result<Self, SetupError> {
        Ok(Self {
            api: Api::new(api_url, token, &Scheme::PrivateToken, pause)?,
            request,
        })
    }

    /// A URL below that of the merge request.
    fn url(&self, rest: &[&str]) -> Url {
        let MergeRequest { project, iid } = &self.request;
        self.api.url(
            &[
                &["projects", project, "merge_requests", &iid.to_string()],
                rest,
            ]
            .concat(),
        )
    }

    async fn post_one(&self, change: &Change, draft: &Draft) -> Result<(), Failure> {
        let body = json!({ "body": draft.text, "position": position(change, draft) });
        self.api
            .write::<Value>(Method::POST, self.url(&["discussions"]), &body)
            .await
            .map(drop)
    }
}

impl Host for GitLab {
    const STYLE: Style = Style::GitLab;

    async fn change(&self) -> Result<Change, Failure> {
        let url = self.url(&[]);
        let merge: Merge = self.api.get(url.clone()).await?;
        let files: Vec<File> = self.api.list(self.url(&["diffs"])).await?;
        let not_ready = || {
            self.api.failure(
                &url,
                "the merge request has no diff yet: try again in a minute",
            )
        };
        let commits = merge.diff_refs.ok_or_else(not_ready)?;
        Ok(Change {
            commits,
            files: files.into_iter().map(HostFile::from).collect(),
        })
    }

    async fn known(&self) -> Result<Known, Failure> {
        let user: User = self.api.get(self.api.url(&["user"])).await?;
        let discussions: Vec<Discussion> = self.api.list(self.url(&["discussions"])).await?;
        let mut known = Known::default();
        for discussion in discussions {
            let Some((id, note)) = discussion.first_of(&user) else {
                continue;
            };
            let Some(name) = name_in(&note.body).map(str::to_owned) else {
                continue;
            };
            if name == SUMMARY {
                known.summary.get_or_insert(Note {
                    id: note.id.to_string(),
                    text: note.body,
                });
            } else {
                known.threads.push(note.into_thread(id, name, &user));
            }
        }
        Ok(known)
    }

    async fn post(&self, change: &Change, drafts: &[Draft]) -> Result<Posted, Failure> {
        let mut posted = Posted::default();
        for (at, draft) in drafts.iter().enumerate() {
            match self.post_one(change, draft).await {
                Ok(()) => {}
                Err(Failure::Refused(_)) => posted.refused.push(at),
                Err(failure) => return Err(failure),
            }
        }
        Ok(posted)
    }

    async fn update(&self, thread: &Thread, text: &str) -> Result<(), Failure> {
        let url = self.url(&["notes", &thread.comment]);
        self.api
            .write::<Value>(Method::PUT, url, &json!({ "body": text }))
            .await
            .map(drop)
    }

    async fn set_resolved(&self, id: &str, resolved: bool) -> Result<(), Failure> {
        let url = self.url(&["discussions", id]);
        self.api
            .write::<Value>(Method::PUT, url, &json!({ "resolved": resolved }))
            .await
            .map(drop)
    }

    async fn summarize(&self, before: Option<&Note>, text: &str) -> Result<(), Failure> {
        let (method, url) = match before {
            Some(note) => (Method::PUT, self.url(&["notes", &note.id])),
            None => (Method::POST, self.url(&["notes"])),
        };
        self.api
            .write::<Value>(method, url, &json!({ "body": text }))
            .await
            .map(drop)
    }
}

/// A context line needs the line numbers of both sides.
fn position(change: &Change, draft: &Draft) -> Value {
    let mut position = json!({
        "position_type": "text",
        "base_sha": change.commits.base,
        "start_sha": change.commits.start,
        "head_sha": change.commits.head,
        "old_path": draft.old_path,
        "new_path": draft.new_path,
    });
    for (name, line) in [("old_line", draft.old_line), ("new_line", draft.new_line)] {
        if let Some(line) = line {
            position[name] = line.into();
        }
    }
    position
}
