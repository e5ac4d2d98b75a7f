//! The folders that the client allows the tools to read.

use std::path::{Path, PathBuf};

use git::Git;
use serde_json::Value;

use super::client::Client;
use crate::commands::file_uri;
use crate::outcome::Error;

/// The folders, with links resolved.
#[derive(Debug)]
pub(super) struct Roots(Vec<PathBuf>);

impl Roots {
    /// The roots that the client lists, or the current folder if the client does not support roots.
    ///
    /// # Errors
    /// None of them exists, or the client did not list them.
    pub(super) async fn of(client: &Client) -> Result<Self, Error> {
        if !client.has_roots() {
            return Self::existing([PathBuf::from(".")]);
        }
        let listed = client.request("roots/list").await?;
        let roots = listed
            .get("roots")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let uris = roots
            .iter()
            .filter_map(|root| root.get("uri").and_then(Value::as_str));
        Self::existing(uris.filter_map(file_uri::path))
    }

    fn existing(folders: impl IntoIterator<Item = PathBuf>) -> Result<Self, Error> {
        let roots: Vec<PathBuf> = folders
            .into_iter()
            .filter_map(|folder| folder.canonicalize().ok())
            .collect();
        if roots.is_empty() {
            return Err(Error::usage(
                "the client lists no root that is a folder here: open a folder in it first",
            ));
        }
        Ok(Self(roots))
    }

    /// The folder of a path, with links resolved. Without a path, the first root.
    ///
    /// # Errors
    /// It is not a folder or is outside of the roots.
    pub(super) fn resolve(&self, path: Option<&str>) -> Result<PathBuf, Error> {
        let first = self.0.first().cloned().unwrap_or_default();
        let Some(path) = path else { return Ok(first) };
        // The message does not reveal whether a path outside of the roots exists.
        let outside = || {
            Error::usage(format!(
                "path: {path:?} is not a folder in the client's roots: {}",
                self.names()
            ))
        };
        let folder = first.join(path).canonicalize().map_err(|_| outside())?;
        if self.contain(&folder) && folder.is_dir() {
            Ok(folder)
        } else {
            Err(outside())
        }
    }

    /// The top of a checkout, unless it is outside of the roots.
    pub(super) fn top(&self, git: &Git) -> Option<PathBuf> {
        git.root()
            .ok()
            .and_then(|top| top.canonicalize().ok())
            .filter(|top| self.contain(top))
    }

    /// Whether a path without links is in one of the roots.
    fn contain(&self, path: &Path) -> bool {
        self.0.iter().any(|root| path.starts_with(root))
    }

    fn names(&self) -> String {
        let names: Vec<String> = self
            .0
            .iter()
            .map(|root| root.display().to_string())
            .collect();
        names.join(", ")
    }
}
