//! Reads a file of the working tree as it was before the change.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::comparing::DIFF;
use super::process::SHORT;
use super::snapshot::Snapshot;
use super::{Git, GitError, command, discovery};

/// The old state of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldFile {
    /// It had this path and this content.
    Known {
        /// Relative to the top of the checkout.
        path: String,
        /// At that time.
        content: Vec<u8>,
    },
    /// It did not exist.
    New,
    /// Git ignores it.
    Ignored,
}

impl Git {
    /// The file at a path relative to the top of the checkout, as it was in a commit, by default the last one. A file
    /// that was renamed since then is found under its old path, provided that git knows the new one.
    ///
    /// # Errors
    /// The file is larger than `limit` bytes, or git failed.
    pub fn old_file(
        &self,
        path: &str,
        commit: Option<&Snapshot<'_>>,
        limit: usize,
    ) -> Result<OldFile, GitError> {
        let commit = match commit {
            Some(snapshot) => Some(snapshot.commit().to_owned()),
            None => self.hash("HEAD")?,
        };
        let known = match &commit {
            Some(commit) => self.file_of(commit, path, limit)?,
            None => None,
        };
        match known {
            Some(known) => Ok(known),
            None if self.ignores(path)? => Ok(OldFile::Ignored),
            None => Ok(OldFile::New),
        }
    }

    /// The file in a commit, under this path or the one that it had before it was renamed.
    fn file_of(&self, commit: &str, path: &str, limit: usize) -> Result<Option<OldFile>, GitError> {
        if let Some(content) = self.blob(commit, path, limit)? {
            let path = path.to_owned();
            return Ok(Some(OldFile::Known { path, content }));
        }
        let Some(path) = self.renamed(commit, path)? else {
            return Ok(None);
        };
        let content = self.blob(commit, &path, limit)?;
        Ok(content.map(|content| OldFile::Known { path, content }))
    }

    fn blob(&self, commit: &str, path: &str, limit: usize) -> Result<Option<Vec<u8>>, GitError> {
        let name = format!("{commit}:{path}");
        if let Some(object) = self.object(&name, limit)? {
            return Ok((object.kind == "blob").then_some(object.content));
        }
        // This also finds a path with a line feed, and shows whether a partial clone lacks the object.
        let answer = self.run(["cat-file", "blob", &name], limit)?;
        if !answer.success && answer.lacks_objects() {
            return Err(GitError::MissingObjects(format!(
                "diff --shortstat {commit}"
            )));
        }
        Ok(answer.success.then_some(answer.stdout))
    }

    /// The old path of a file that was renamed.
    fn renamed(&self, commit: &str, path: &str) -> Result<Option<String>, GitError> {
        if !self.knows(Path::new(path))? {
            return Ok(None);
        }
        let list = ["--diff-filter=R", "--name-status", "-z", commit, "--"];
        let harmless = self.harmless()?;
        let arguments =
            command::all(&harmless).chain(DIFF.iter().copied().chain(list).map(OsStr::new));
        let answer = self.run(arguments, SHORT)?.output()?;
        let fields: Vec<&[u8]> = answer.split(|byte| *byte == 0).collect();
        let old = fields.chunks(3).find_map(|fields| match fields {
            [_, old, new] if *new == path.as_bytes() => Some(old),
            _ => None,
        });
        Ok(old.map(|old| String::from_utf8_lossy(old).into_owned()))
    }

    /// Whether git ignores a file. Git never ignores a tracked file.
    fn ignores(&self, path: &str) -> Result<bool, GitError> {
        Ok(self
            .run(["check-ignore", "--quiet", "--", path], SHORT)?
            .success)
    }
}

/// The checkout that a file is in, used from its top, and the file's path relative to it, with links resolved. The file
/// need not exist yet.
///
/// # Errors
/// It is not in a checkout.
pub fn checkout_of(file: &Path) -> Result<(Git, PathBuf, String), GitError> {
    let outside = || GitError::NoCheckout;
    let file = file.canonicalize().ok().or_else(|| {
        let folder = file.parent()?.canonicalize().ok()?;
        Some(folder.join(file.file_name()?))
    });
    let file = file.ok_or_else(outside)?;
    if discovery::is_in_git_folder(&file) {
        return Err(outside());
    }
    // From the top, git finds the checkout itself, even if folders below look like repositories.
    let folder = file.parent().ok_or_else(outside)?;
    let git = Git::open(discovery::checkout(folder).unwrap_or(folder))?.at_top()?;
    let top = git.root()?.canonicalize().map_err(|_| outside())?;
    let path = file
        .strip_prefix(&top)
        .ok()
        .and_then(Path::to_str)
        .ok_or_else(outside)?
        .to_owned();
    Ok((git, top, path))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::{OldFile, checkout_of};
    use crate::GitError;

    fn git(folder: &Path, arguments: &[&str]) {
        let mut command = Command::new("git");
        command
            .current_dir(folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        command
            .args([
                "-c", "user.name=A Tester", "-c", "user.email=tester@example.com",
            ])
            .args(arguments);
        assert!(command.status().unwrap().success(), "git {arguments:?}");
    }

    fn old(folder: &Path, path: &str) -> OldFile {
        let (git, _, path) = checkout_of(&folder.join(path)).unwrap();
        git.old_file(&path, None, 1_000).unwrap()
    }

    #[test]
    fn an_old_file_is_found_at_its_old_path() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        git(folder, &["init", "--quiet"]);
        fs::create_dir(folder.join("sub")).unwrap();
        fs::write(folder.join("sub/a.py"), "one\ntwo\nthree\n").unwrap();
        fs::write(folder.join(".gitignore"), "*.log\n").unwrap();
        assert_eq!(
            old(folder, "sub/a.py"),
            OldFile::New,
            "before the first commit"
        );
        git(folder, &["add", "--all"]);
        git(folder, &["commit", "--quiet", "--message", "start"]);
        let was = |path: &str| OldFile::Known {
            path: path.into(),
            content: b"one\ntwo\nthree\n".to_vec(),
        };
        assert_eq!(old(folder, "sub/a.py"), was("sub/a.py"));
        assert_eq!(old(folder, "sub/not-there-yet.py"), OldFile::New);
        assert_eq!(old(folder, "x.log"), OldFile::Ignored);
        git(folder, &["mv", "sub/a.py", "b.py"]);
        assert_eq!(old(folder, "b.py"), was("sub/a.py"));
        let (git, ..) = checkout_of(&folder.join("b.py")).unwrap();
        assert!(matches!(
            git.old_file("sub/a.py", None, 3),
            Err(GitError::TooLarge(3))
        ));
    }

    #[test]
    fn a_file_outside_of_a_working_tree_has_no_checkout() {
        let folder = tempfile::tempdir().unwrap();
        assert!(checkout_of(&folder.path().join("none/a.py")).is_err());
        git(folder.path(), &["init", "--quiet"]);
        assert!(
            checkout_of(&folder.path().join(".git/COMMIT_EDITMSG")).is_err(),
            "not of the working tree"
        );
    }
}
