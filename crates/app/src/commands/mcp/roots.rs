//! Which folders the client lets a tool look at.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rmcp::service::{RequestContext, RoleServer};

use crate::commands::file_uri;
use crate::git::Git;
use crate::outcome::Error;

/// A client that does not answer in this time does not answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The folders, links resolved.
#[derive(Debug)]
pub(super) struct Roots(Vec<PathBuf>);

impl Roots {
    /// Those that the client lists; the current folder for a client that knows no roots.
    ///
    /// # Errors
    /// It does not list any that is there.
    #[expect(deprecated, reason = "clients of today list their roots so")]
    pub(super) async fn of(context: &RequestContext<RoleServer>) -> Result<Self, Error> {
        if context.client_capabilities().is_none_or(|client| client.roots.is_none()) {
            return Self::existing([PathBuf::from(".")]);
        }
        let listed = tokio::time::timeout(PATIENCE, context.peer.list_roots()).await;
        let listed = listed.map_err(|_| Error::failure("the client did not answer roots/list"))?;
        let listed = listed.map_err(|error| Error::failure(format!("the client did not list its roots: {error}")))?;
        Self::existing(listed.roots.iter().filter_map(|root| file_uri::path(&root.uri)))
    }

    fn existing(folders: impl IntoIterator<Item = PathBuf>) -> Result<Self, Error> {
        let roots: Vec<PathBuf> = folders.into_iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        if roots.is_empty() {
            return Err(Error::usage("the client lists no root that is a folder here: open a folder in it first"));
        }
        Ok(Self(roots))
    }

    /// The folder of a path, links resolved; that of the first root without one.
    ///
    /// # Errors
    /// It is no folder, or outside of the roots.
    pub(super) fn resolve(&self, path: Option<&str>) -> Result<PathBuf, Error> {
        let first = self.0.first().cloned().unwrap_or_default();
        let Some(path) = path else { return Ok(first) };
        // Whether there is something outside of the roots is nobody's business.
        let outside =
            || Error::usage(format!("path: {path:?} is not a folder in the client's roots: {}", self.names()));
        let folder = first.join(path).canonicalize().map_err(|_| outside())?;
        if self.contain(&folder) && folder.is_dir() { Ok(folder) } else { Err(outside()) }
    }

    /// The top of a checkout, unless it is outside of the roots.
    pub(super) fn top(&self, git: &Git) -> Option<PathBuf> {
        git.root().ok().and_then(|top| top.canonicalize().ok()).filter(|top| self.contain(top))
    }

    /// Whether a path without links is in one of them.
    fn contain(&self, path: &Path) -> bool {
        self.0.iter().any(|root| path.starts_with(root))
    }

    fn names(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|root| root.display().to_string()).collect();
        names.join(", ")
    }
}
