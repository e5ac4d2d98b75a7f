//! What `git` knows of the checkout around the current folder: its change, as a diff.
//!
//! The program itself is asked, never through a shell. What a person typed as a revision is first turned into a hash, so
//! that it can never be read as an option; and settings that would change the form of a diff are overruled.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::outcome::Error;

/// Plain unified diffs with renames, whatever the user's configuration: no colour, no external program, no conversion.
const DIFF: &[&str] = &[
    "-c",
    "diff.suppressBlankEmpty=false",
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "-M",
];

/// Bytes of an answer other than a diff.
const SHORT: usize = 16 * 1024 * 1024;

/// Which change is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// The working tree against the last commit.
    Uncommitted,
    /// The index against the last commit.
    Staged,
    /// The working tree against the place where this branch left that revision's history.
    Since(String),
    /// One commit against its (first) parent.
    Commit(String),
}

/// Why there is no diff.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitError {
    #[error("git was not found: install it, or give a FILE, or - to read a diff from stdin")]
    NoGit,
    #[error("not in a git checkout: change into one, or give a FILE, or - to read a diff from stdin")]
    NoCheckout,
    #[error(
        "there is no working tree here, only a repository: change into a checkout, name a commit with --commit, \
         or give a FILE, or - to read a diff from stdin"
    )]
    NoWorkTree,
    #[error("there is no commit {0:?} in this repository")]
    NoRevision(String),
    #[error("this branch has no commit yet, so there is nothing that {0:?} could be compared with")]
    NoCommits(String),
    #[error("this branch and {0:?} have no common ancestor here; in a shallow clone, fetch more history first")]
    NoMergeBase(String),
    #[error("the parent of {0:?} is not here: this is a shallow clone, so fetch more history first")]
    NoParent(String),
    #[error("the change is larger than {0} bytes: review it in parts")]
    TooLarge(usize),
    #[error("git failed: {0}")]
    Failed(String),
}

impl From<GitError> for Error {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Failed(_) => Self::failure(error),
            _ => Self::usage(error),
        }
    }
}

/// The checkout around a folder.
#[derive(Debug)]
pub(crate) struct Git {
    folder: PathBuf,
    /// What the change is looked at below; nothing for all of the checkout.
    below: Option<&'static str>,
}

/// What git answered.
struct Answer {
    success: bool,
    stdout: Vec<u8>,
    stderr: String,
}

impl Git {
    /// The checkout that `folder` is in.
    ///
    /// # Errors
    /// There is no git, or no checkout.
    pub(crate) fn open(folder: &Path) -> Result<Self, GitError> {
        let git = Self { folder: folder.to_owned(), below: None };
        let answer = git.run(["rev-parse", "--git-dir"], SHORT)?;
        if answer.success {
            Ok(git)
        } else if answer.stderr.contains("not a git repository") {
            Err(GitError::NoCheckout)
        } else {
            Err(failed(&answer))
        }
    }

    /// Only what changed in this folder and below it.
    pub(crate) fn below_folder(self) -> Self {
        Self { below: Some("."), ..self }
    }

    /// The top folder of the checkout.
    ///
    /// # Errors
    /// It has none, or git failed.
    pub(crate) fn root(&self) -> Result<PathBuf, GitError> {
        let answer = self.run(["rev-parse", "--show-toplevel"], SHORT)?;
        let path = answer.stdout.strip_suffix(b"\n").unwrap_or(&answer.stdout);
        if answer.success { Ok(PathBuf::from(OsStr::from_bytes(path))) } else { Err(failed(&answer)) }
    }

    /// The diff of a change, of `limit` bytes at most.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn diff(&self, change: &Change, limit: usize) -> Result<Vec<u8>, GitError> {
        // In its own folder git would compare with a working tree in which everything is deleted.
        if !matches!(change, Change::Commit(_)) && self.root().is_err() {
            return Err(GitError::NoWorkTree);
        }
        let range: Vec<String> = match change {
            Change::Uncommitted => vec![self.hash("HEAD")?.map_or_else(|| self.empty_tree(), Ok)?],
            // On a branch without commits git itself compares the index with nothing.
            Change::Staged => vec!["--cached".to_owned()],
            Change::Since(revision) => vec![self.merge_base(revision)?],
            Change::Commit(revision) => {
                let commit = self.commit(revision)?;
                vec![self.parent(&commit, revision)?, commit]
            }
        };
        let arguments = DIFF.iter().copied().chain(range.iter().map(String::as_str)).chain(["--"]).chain(self.below);
        let answer = self.run(arguments, limit)?;
        if answer.success { Ok(answer.stdout) } else { Err(failed(&answer)) }
    }

    /// How many files git does not know: they are in no diff.
    ///
    /// # Errors
    /// Git failed.
    pub(crate) fn untracked(&self) -> Result<usize, GitError> {
        let answer =
            self.run(["ls-files", "--others", "--exclude-standard", "-z", "--", self.below.unwrap_or(":/")], SHORT)?;
        if !answer.success {
            return Err(failed(&answer));
        }
        Ok(answer.stdout.iter().filter(|byte| **byte == 0).count())
    }

    /// The content of a file in the index, of `limit` bytes at most; `None` where there is none.
    ///
    /// # Errors
    /// Git failed.
    pub(crate) fn in_index(&self, path: &str, limit: usize) -> Result<Option<Vec<u8>>, GitError> {
        let answer = self.run(["cat-file", "blob", &format!(":0:{path}")], limit)?;
        Ok(answer.success.then_some(answer.stdout))
    }

    fn merge_base(&self, revision: &str) -> Result<String, GitError> {
        let commit = self.commit(revision)?;
        let head = self.hash("HEAD")?.ok_or_else(|| GitError::NoCommits(revision.to_owned()))?;
        let answer = self.run(["merge-base", &commit, &head], SHORT)?;
        if answer.success { Ok(line(&answer.stdout)) } else { Err(GitError::NoMergeBase(revision.to_owned())) }
    }

    /// The first parent of a commit; the empty tree for a commit that has none.
    fn parent(&self, commit: &str, revision: &str) -> Result<String, GitError> {
        // The commit itself is read: in a shallow clone, git would say that it has no parent.
        let answer = self.run(["cat-file", "commit", commit], SHORT)?;
        let text = String::from_utf8_lossy(&answer.stdout);
        let mut header = text.lines().take_while(|line| !line.is_empty());
        match header.find_map(|line| line.strip_prefix("parent ")) {
            Some(parent) => self.hash(parent)?.ok_or_else(|| GitError::NoParent(revision.to_owned())),
            None if answer.success => self.empty_tree(),
            None => Err(failed(&answer)),
        }
    }

    fn commit(&self, revision: &str) -> Result<String, GitError> {
        self.hash(revision)?.ok_or_else(|| GitError::NoRevision(revision.to_owned()))
    }

    /// The hash of the commit that a revision names.
    fn hash(&self, revision: &str) -> Result<Option<String>, GitError> {
        let revision = format!("{revision}^{{commit}}");
        let answer = self.run(["rev-parse", "--verify", "--quiet", "--end-of-options", &revision], SHORT)?;
        Ok(answer.success.then(|| line(&answer.stdout)))
    }

    /// The hash of the tree without files, which depends on the repository's kind of hash.
    fn empty_tree(&self) -> Result<String, GitError> {
        let answer = self.run(["hash-object", "-t", "tree", "--stdin"], SHORT)?;
        if answer.success { Ok(line(&answer.stdout)) } else { Err(failed(&answer)) }
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>, limit: usize) -> Result<Answer, GitError> {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(&self.folder);
        // Looking must not take locks that the user's own git then waits for; and its messages are compared above.
        command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C").env("GIT_PAGER", "cat");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        run(&mut command, limit)
    }
}

fn run(command: &mut Command, limit: usize) -> Result<Answer, GitError> {
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => GitError::NoGit,
        _ => GitError::Failed(error.to_string()),
    })?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (stdout, stderr) = thread::scope(|scope| {
        let messages = scope.spawn(|| read(stderr, SHORT));
        let stdout = read(stdout, limit.saturating_add(1));
        // An answer beyond the limit is not read on; git, which still writes, ends on the closed pipe.
        (stdout, messages.join().unwrap_or_default())
    });
    let status = child.wait().map_err(|error| GitError::Failed(error.to_string()))?;
    if stdout.len() > limit {
        return Err(GitError::TooLarge(limit));
    }
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    Ok(Answer { success: status.success(), stdout, stderr })
}

/// What a pipe holds, up to a limit. That reading failed shows in how git ended.
fn read(pipe: Option<impl Read>, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let _shown_by_the_status = pipe.take(limit as u64).read_to_end(&mut bytes);
    }
    bytes
}

fn line(stdout: &[u8]) -> String {
    String::from_utf8_lossy(stdout).trim().to_owned()
}

fn failed(answer: &Answer) -> GitError {
    let message = answer.stderr.lines().next().unwrap_or("it gave no reason");
    GitError::Failed(message.trim_start_matches("fatal: ").to_owned())
}
