//! The index of a checkout, its untracked files, and the paths that limit a change.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempPath;

use super::Git;
use super::change::Untracked;
use super::error::GitError;
use super::process::{SHORT, line, path};

impl Git {
    /// Limits the change to these paths and their subfolders, if there are any.
    ///
    /// # Errors
    /// One of them neither exists nor is known to git.
    pub fn below(&self, paths: &[PathBuf]) -> Result<Self, GitError> {
        for path in paths
            .iter()
            .filter(|path| fs::symlink_metadata(self.folder.join(path)).is_err())
        {
            if !self.knows(path)? {
                return Err(self.no_path(path));
            }
        }
        Ok(Self {
            below: paths.iter().map(|path| literal(path)).collect(),
            ..self.with_own_index()
        })
    }

    /// The same checkout with its own index.
    pub(crate) fn with_own_index(&self) -> Self {
        Self {
            folder: self.folder.clone(),
            top: self.top.clone(),
            own_index: self.own_index.clone(),
            below: self.below.clone(),
            index: None,
            base: self.base.clone(),
            harmless: Arc::clone(&self.harmless),
            objects: Arc::clone(&self.objects),
            attributes: Arc::clone(&self.attributes),
        }
    }

    /// The same checkout with a temporary index, to which entries are added in the form of `update-index -z --index-info`.
    pub(crate) fn with_index(&self, index: TempPath, entries: &[u8]) -> Result<Self, GitError> {
        let git = Self {
            index: Some(index),
            ..self.with_own_index()
        };
        if !entries.is_empty() {
            let update = ["update-index", "-z", "--index-info"].map(OsString::from);
            git.send([git.harmless()?, update.into()].concat(), entries)?
                .output()?;
        }
        Ok(git)
    }

    pub(crate) fn no_path(&self, path: &Path) -> GitError {
        let text = path.display().to_string();
        let is_revision = self.hash(&text).is_ok_and(|hash| hash.is_some());
        GitError::NoPath(
            text,
            if is_revision {
                "; for the change since a revision, use --base"
            } else {
                ""
            },
        )
    }

    /// Whether git has a file at a path, in the index or in the last commit.
    ///
    /// # Errors
    /// Git failed.
    pub fn knows(&self, path: &Path) -> Result<bool, GitError> {
        let spec = literal(path);
        let lists = |start: &[&str]| {
            let arguments = start
                .iter()
                .map(OsStr::new)
                .chain([OsStr::new("--"), spec.as_os_str()]);
            self.run(arguments, SHORT)
                .map(|answer| answer.success && !answer.stdout.is_empty())
        };
        Ok(lists(&["ls-files", "-z"])? || lists(&["diff", "--cached", "--name-only", "-z"])?)
    }

    /// The same checkout with untracked files as part of its change. The checkout's own index is unchanged.
    ///
    /// # Errors
    /// Git failed, or the copy of the index cannot be written.
    pub fn and_untracked(&self, untracked: &Untracked) -> Result<Self, GitError> {
        self.root()?;
        let own = match &self.own_index {
            Some(index) => index.path.clone(),
            None => {
                let answer = self.run(["rev-parse", "--git-path", "index"], SHORT)?;
                self.folder.join(path(&answer.output()?))
            }
        };
        let blob = self
            .run(["hash-object", "-t", "blob", "--stdin"], SHORT)?
            .output()?;
        let index = copy(&own).map_err(|error| GitError::NoIndex(error.to_string()))?;
        // An empty index entry makes a diff show the file as it is in the working tree. A folder is a nested
        // repository.
        let mut entries = Vec::new();
        for path in untracked.paths() {
            entries.extend_from_slice(format!("100644 {}\t", line(&blob)).as_bytes());
            entries.extend_from_slice(path);
        }
        self.with_index(index, &entries)
    }

    /// The paths, relative to the top, of the files that differ between the last commit and the index.
    ///
    /// # Errors
    /// Git failed.
    pub fn staged(&self) -> Result<HashSet<PathBuf>, GitError> {
        let listed = self
            .run(
                ["diff", "--cached", "--name-only", "--no-renames", "-z"],
                SHORT,
            )?
            .output()?;
        Ok(listed
            .split(|byte| *byte == 0)
            .map(|path| PathBuf::from(OsStr::from_bytes(path)))
            .collect())
    }

    /// The untracked files that git does not ignore.
    ///
    /// # Errors
    /// Git failed.
    pub fn untracked(&self) -> Result<Untracked, GitError> {
        self.others(&["--exclude-standard"])
    }

    /// The untracked files, whether or not git ignores them.
    ///
    /// # Errors
    /// Git failed.
    pub fn untracked_or_ignored(&self) -> Result<Untracked, GitError> {
        self.others(&[])
    }

    pub(crate) fn others(&self, options: &[&str]) -> Result<Untracked, GitError> {
        let list = ["ls-files", "--others", "--full-name", "-z"]
            .iter()
            .chain(options)
            .chain(&["--"])
            .map(OsStr::new);
        let all = [OsString::from(":/")];
        let below = if self.below.is_empty() {
            all.as_slice()
        } else {
            self.below.as_slice()
        };
        self.run(list.chain(below.iter().map(OsString::as_os_str)), SHORT)?
            .output()
            .map(Untracked)
    }

    /// The content of a file in the index, at most `limit` bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// Git failed.
    pub fn in_index(&self, path: &str, limit: usize) -> Result<Option<Vec<u8>>, GitError> {
        let answer = self.run(["cat-file", "blob", &format!(":0:{path}")], limit)?;
        Ok(answer.success.then_some(answer.stdout))
    }
}

/// A pathspec that matches a path literally.
pub(crate) fn literal(path: &Path) -> OsString {
    let mut spec = OsString::from(":(literal)");
    spec.push(path);
    spec
}

/// A pathspec that matches a path from the top literally.
pub(crate) fn spec(magic: &str, path: &[u8]) -> OsString {
    let mut spec = OsString::from(format!(":(top,literal{magic})"));
    spec.push(OsStr::from_bytes(path));
    spec
}

/// Copies an index to a temporary file. A checkout without commits may have no index yet.
pub(crate) fn copy(index: &Path) -> io::Result<TempPath> {
    let copy = no_index()?;
    match fs::copy(index, &copy) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        outcome => drop(outcome?),
    }
    Ok(copy)
}

/// A path for a temporary index that does not exist yet, because git takes an empty file for a broken index.
pub(crate) fn no_index() -> io::Result<TempPath> {
    let index = tempfile::Builder::new()
        .prefix("hunkwise-index")
        .tempfile()?
        .into_temp_path();
    fs::remove_file(&index)?;
    Ok(index)
}
