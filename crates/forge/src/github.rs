//! GitHub: review comments, their threads (available only through GraphQL), and the summary among the issue comments.

mod threads;
mod wire;

use reqwest::{Method, Url};
use review::Side;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::failure::{Failure, SetupError};
use super::files::HostFile;
use super::host::{Change, Commits, Draft, Host, Known, Note, Posted, Style, Thread};
use super::http::{Api, Pause, Scheme};
use super::marker::{SUMMARY, name_in};
use wire::{Comment, File, Pull, Review, User};

/// The user of a workflow's token, which may not query its own user.
const ACTIONS: &str = "github-actions[bot]";

/// `OWNER/NAME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    owner: String,
    name: String,
}

impl std::str::FromStr for Repository {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_name = |part: &str| {
            let known = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            !matches!(part, "" | "." | "..") && part.chars().all(known)
        };
        match text.split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => Ok(Self {
                owner: owner.to_owned(),
                name: name.to_owned(),
            }),
            _ => Err("expected OWNER/NAME".to_owned()),
        }
    }
}

/// A pull request on GitHub.
pub struct GitHub {
    api: Api,
    repository: Repository,
    number: u64,
    author: OnceCell<String>,
}

impl GitHub {
    /// A client for one pull request. A crypto provider of TLS must be installed.
    ///
    /// # Errors
    /// The address or the token is invalid.
    pub fn new(
        api_url: &str,
        token: &str,
        repository: Repository,
        number: u64,
        author: Option<String>,
        pause: Pause,
    ) -> Result<Self, SetupError> {
        let api = Api::new(api_url, token, &Scheme::Bearer, pause)?;
        Ok(Self {
            api,
            repository,
            number,
            author: OnceCell::new_with(author),
        })
    }

    /// A URL below that of the repository.
    fn url(&self, rest: &[&str]) -> Url {
        let Repository { owner, name } = &self.repository;
        self.api.url(&[&["repos", owner, name], rest].concat())
    }

    fn pull(&self, rest: &[&str]) -> Url {
        self.url(&[&["pulls", &self.number.to_string()], rest].concat())
    }

    /// The user who writes this tool's comments.
    async fn author(&self) -> Result<&str, Failure> {
        let ask = || async {
            match self.api.get::<User>(self.api.url(&["user"])).await {
                Ok(user) => Ok(user.login),
                Err(Failure::Forbidden(_)) => Ok(ACTIONS.to_owned()),
                Err(failure) => Err(failure),
            }
        };
        self.author.get_or_try_init(ask).await.map(String::as_str)
    }

    async fn summary(&self, author: &str) -> Result<Option<Note>, Failure> {
        let comments: Vec<Comment> = self
            .api
            .list(self.url(&["issues", &self.number.to_string(), "comments"]))
            .await?;
        let is_summary =
            |comment: &Comment| comment.is_by(author) && name_in(comment.text()) == Some(SUMMARY);
        Ok(comments.into_iter().find(is_summary).map(|comment| Note {
            id: comment.id.to_string(),
            text: comment.body.unwrap_or_default(),
        }))
    }

    /// A warning about comments posted by another user, which would not be recognized in the next run.
    async fn check_author(&self, poster: Option<&User>) -> Result<Option<String>, Failure> {
        let author = self.author().await?;
        let poster = poster.filter(|poster| !poster.login.eq_ignore_ascii_case(author));
        Ok(poster.map(|poster| {
            format!(
                "the comments are by {0}, not by {author}: pass --author '{0}'",
                poster.login
            )
        }))
    }
}

impl Host for GitHub {
    const STYLE: Style = Style::GitHub;

    async fn change(&self) -> Result<Change, Failure> {
        let pull: Pull = self.api.get(self.pull(&[])).await?;
        let files: Vec<File> = self.api.list(self.pull(&["files"])).await?;
        let commits = Commits {
            head: pull.head.sha,
            ..Commits::default()
        };
        Ok(Change {
            commits,
            files: files.into_iter().map(HostFile::from).collect(),
        })
    }

    async fn known(&self) -> Result<Known, Failure> {
        let author = self.author().await?;
        let comments: Vec<Comment> = self.api.list(self.pull(&["comments"])).await?;
        let ours: Vec<Comment> = comments
            .into_iter()
            .filter(|one| one.in_reply_to_id.is_none() && one.is_by(author))
            .collect();
        let ours: Vec<(String, Comment)> = ours
            .into_iter()
            .filter_map(|one| {
                Some((
                    name_in(one.text())
                        .filter(|name| *name != SUMMARY)?
                        .to_owned(),
                    one,
                ))
            })
            .collect();
        let states = if ours.is_empty() {
            Vec::new()
        } else {
            self.threads(author).await?
        };
        let threads = ours.into_iter().map(|(fingerprint, comment)| {
            let state = states.iter().find(|state| state.comment == comment.node_id);
            comment.into_thread(
                fingerprint,
                state.map(|state| state.id.clone()),
                state.and_then(|state| state.resolved),
            )
        });
        Ok(Known {
            threads: threads.collect(),
            summary: self.summary(author).await?,
        })
    }

    async fn post(&self, change: &Change, drafts: &[Draft]) -> Result<Posted, Failure> {
        let comments: Vec<Value> = drafts.iter().map(comment).collect();
        let review =
            json!({ "commit_id": change.commits.head, "event": "COMMENT", "comments": comments });
        match self
            .api
            .write::<Review>(Method::POST, self.pull(&["reviews"]), &review)
            .await
        {
            Ok(posted) => Ok(Posted {
                refused: Vec::new(),
                warning: self.check_author(posted.user.as_ref()).await?,
            }),
            // GitHub accepts all or none, and does not reliably report which one is invalid.
            Err(Failure::Refused(_)) => Ok(Posted {
                refused: (0..drafts.len()).collect(),
                warning: None,
            }),
            Err(failure) => Err(failure),
        }
    }

    async fn update(&self, thread: &Thread, text: &str) -> Result<(), Failure> {
        let url = self.url(&["pulls", "comments", &thread.comment]);
        self.api
            .write::<Value>(Method::PATCH, url, &json!({ "body": text }))
            .await
            .map(drop)
    }

    async fn set_resolved(&self, id: &str, resolved: bool) -> Result<(), Failure> {
        self.resolve(id, resolved).await
    }

    async fn summarize(&self, before: Option<&Note>, text: &str) -> Result<(), Failure> {
        let (method, url) = match before {
            Some(note) => (Method::PATCH, self.url(&["issues", "comments", &note.id])),
            None => (
                Method::POST,
                self.url(&["issues", &self.number.to_string(), "comments"]),
            ),
        };
        self.api
            .write::<Value>(method, url, &json!({ "body": text }))
            .await
            .map(drop)
    }
}

fn comment(draft: &Draft) -> Value {
    let side = match draft.side {
        Side::New => "RIGHT",
        Side::Old => "LEFT",
    };
    let (start, end) = draft.lines;
    let mut comment =
        json!({ "path": draft.new_path, "line": end, "side": side, "body": draft.text });
    if start < end {
        comment["start_line"] = start.into();
        comment["start_side"] = side.into();
    }
    comment
}

#[cfg(test)]
mod tests {
    use super::Repository;

    #[test]
    fn repositories_are_parsed_as_owner_and_name() {
        assert!("acme/shop.js".parse::<Repository>().is_ok());
        for text in [
            "", "acme", "acme/", "/shop", "acme/..", "a/b/c", "acme/shop?x", "acme/sh op",
        ] {
            assert!(text.parse::<Repository>().is_err(), "{text}");
        }
    }
}
