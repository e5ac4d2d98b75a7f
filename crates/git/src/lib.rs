//! A checkout as reported by `git`: its changes as diffs, its files and their history.
//!
//! Git is started directly, never through a shell. A revision from the user is first resolved to a hash, so that it is
//! never parsed as an option. Settings that would change the format of a diff are overridden. No program named in the
//! repository is ever started (see `command.rs`).

pub mod attributes;
mod beneath;
pub mod changed;
mod command;
mod comparison;
pub mod discovery;
mod early_process;
mod environment;
mod error;
mod hidden_text;
mod index_file;
pub mod kept_list;
pub mod new_side;
mod objects;
pub mod old_file;
mod renamed;
pub mod repository;
mod revisions;
mod sections;
pub mod snapshot;
pub mod taken;
#[cfg(test)]
mod test_git;
mod version;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::thread;

use tempfile::TempPath;

use self::command::Hooks;
use self::comparison::{Comparison, Place};
use self::early_process::EarlyProcess;
use self::environment::Environment;
pub use self::error::GitError;
use self::index_file::IndexFile;
use self::objects::{Object, Objects};
pub use self::sections::Bounds;

/// Plain unified diffs with renames, whatever the user's configuration: no colour, no external program, no conversion.
const DIFF: &[&str] = &[
    "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short",
    "--ignore-submodules=dirty", "--src-prefix=a/", "--dst-prefix=b/", "-M",
];

/// Maximum size of an output other than a diff, in bytes.
const SHORT: usize = 16 * 1024 * 1024;

/// A change of the checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The working tree against the last commit.
    Uncommitted,
    /// The index against the last commit.
    Staged,
    /// The working tree against the merge base of this branch and that revision.
    Since(String),
    /// One commit against its (first) parent.
    Commit(String),
    /// From one commit to another.
    Between(String, String),
    /// The changes on a commit that are not in another one's history, starting from their merge base.
    SinceBranching(String, String),
    /// The files of the working tree as if all of them were new.
    Whole,
}

impl Change {
    /// Parses `A..B` or `A...B`; a missing end is HEAD. `None` if the text is not a range.
    pub fn range(text: &str) -> Option<Self> {
        let end = |text: &str| {
            if text.is_empty() {
                "HEAD".to_owned()
            } else {
                text.to_owned()
            }
        };
        let (from, to) = text.split_once("..")?;
        let is_path = from.ends_with('/') || to.starts_with('/');
        (!is_path).then(|| match to.strip_prefix('.') {
            Some(to) => Self::SinceBranching(end(from), end(to)),
            None => Self::Between(end(from), end(to)),
        })
    }

    /// Whether the working tree is part of the change, and with it possibly untracked files.
    pub fn has_working_tree(&self) -> bool {
        matches!(self, Self::Uncommitted | Self::Since(_) | Self::Whole)
    }

    /// Whether the change involves only commits.
    fn is_committed(&self) -> bool {
        matches!(
            self,
            Self::Commit(_) | Self::Between(..) | Self::SinceBranching(..)
        )
    }
}

/// Untracked files: their paths relative to the top, each terminated by a NUL.
#[derive(Debug, Default)]
pub struct Untracked(Vec<u8>);

impl Untracked {
    /// The paths with their NULs. A folder is a nested repository and is skipped.
    fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.0
            .split_inclusive(|byte| *byte == 0)
            .filter(|path| !path.ends_with(b"/\0"))
    }

    /// The number of files.
    pub fn count(&self) -> usize {
        self.paths().count()
    }
}

/// The checkout around a folder.
#[derive(Debug)]
pub struct Git {
    folder: PathBuf,
    /// The top folder of the working tree, if there is one.
    top: Option<PathBuf>,
    /// The checkout's own index, if there is a working tree.
    own_index: Option<IndexFile>,
    /// The pathspecs that limit the change; empty for the whole checkout.
    below: Vec<OsString>,
    /// The index to use instead of the checkout's own.
    index: Option<TempPath>,
    /// The first revision for which a merge base with HEAD was requested, and that merge base: one review needs it
    /// several times.
    base: OnceLock<(String, String)>,
    /// The arguments that disable the repository's own programs, once known.
    harmless: Arc<OnceLock<Vec<OsString>>>,
    /// The process that reads objects.
    objects: Arc<Objects>,
    /// The process that reads attributes of the working tree, if it was started early.
    attributes: Arc<EarlyProcess>,
}

/// Git's exit status for an unknown option.
const USAGE: i32 = 129;

/// The output of a git process.
struct Answer {
    success: bool,
    is_usage: bool,
    stdout: Vec<u8>,
    stderr: String,
}

impl Answer {
    /// The standard output, if git succeeded.
    fn output(self) -> Result<Vec<u8>, GitError> {
        match self {
            Self {
                success: true,
                stdout,
                ..
            } => Ok(stdout),
            answer if answer.stderr.contains("is outside repository") => {
                Err(GitError::Outside(message(&answer)))
            }
            answer => Err(failed(&answer)),
        }
    }

    /// Whether git failed with a message. A failure without a message means that nothing was found.
    fn has_failed(&self) -> bool {
        !self.success && !self.stderr.is_empty()
    }

    /// Whether git failed because a partial clone lacks objects.
    fn lacks_objects(&self) -> bool {
        // Git 2.45 and later print the first message, earlier versions the second.
        self.stderr.contains("lazy fetching disabled")
            || self.stderr.contains("from promisor remote")
    }
}

impl Git {
    /// The checkout that `folder` is in.
    ///
    /// # Errors
    /// Git is not installed, or there is no checkout.
    pub fn open(folder: &Path) -> Result<Self, GitError> {
        Self::open_then(folder, |_| ())
    }

    /// As [`Git::open`]. The process that reads objects is started, so that a review does not wait for it.
    ///
    /// # Errors
    /// As for [`Git::open`].
    pub fn open_for_review(folder: &Path) -> Result<Self, GitError> {
        Self::open_then(folder, |git| git.objects.start(folder))
    }

    fn open_then(folder: &Path, prepare: impl FnOnce(&Self)) -> Result<Self, GitError> {
        if !Environment::of_process().names_repository
            && let Some(bare) = discovery::bare_repository(folder)
        {
            return Err(GitError::BareRepository(bare));
        }
        let mut git = Self {
            folder: folder.to_owned(),
            top: None,
            own_index: None,
            below: Vec::new(),
            index: None,
            base: OnceLock::new(),
            harmless: Arc::default(),
            objects: Arc::default(),
            attributes: Arc::default(),
        };
        prepare(&git);
        let answer = git.run(
            [
                "rev-parse", "--show-toplevel", "--git-path", "index", "--show-object-format",
            ],
            SHORT,
        )?;
        if answer.success {
            git.set_places(&answer.stdout)?;
            git.check_top()?;
        } else if answer.stderr.contains("not a git repository") {
            return Err(GitError::NoCheckout);
        } else if answer.stderr.contains("cannot use bare repository") {
            return Err(GitError::BareRepository(folder.to_owned()));
        } else if !answer.stderr.contains("must be run in a work tree") {
            return Err(failed(&answer));
        }
        Ok(git)
    }

    /// Takes the top folder and the index from the output of `rev-parse`.
    fn set_places(&mut self, printed: &[u8]) -> Result<(), GitError> {
        let mut lines = printed.split(|byte| *byte == b'\n');
        if let [Some(top), Some(index), Some(format), Some([]), None] =
            [(); 5].map(|()| lines.next())
        {
            self.top = Some(path(top).to_owned());
            self.own_index = Some(IndexFile {
                path: self.folder.join(path(index)),
                // Before version 2.28, git repeats the option that it does not know.
                has_long_ids: format == b"sha256",
            });
            return Ok(());
        }
        // A path contains a line feed.
        let top = self.run(["rev-parse", "--show-toplevel"], SHORT)?;
        self.top = Some(path(&top.output()?).to_owned());
        Ok(())
    }

    /// Refuses a working tree that only the repository's own configuration puts somewhere else.
    fn check_top(&self) -> Result<(), GitError> {
        let environment = Environment::of_process();
        if environment.names_repository || environment.names_work_tree {
            return Ok(());
        }
        let Some(top) = &self.top else {
            return Ok(());
        };
        match discovery::strayed_from(&self.folder, top) {
            Some(holder) => Err(GitError::StrayWorkTree(holder, top.clone())),
            None => Ok(()),
        }
    }

    /// Limits the change to this folder and its subfolders.
    pub fn below_folder(self) -> Self {
        Self {
            below: vec![".".into()],
            ..self
        }
    }

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
    fn with_own_index(&self) -> Self {
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
    fn with_index(&self, index: TempPath, entries: &[u8]) -> Result<Self, GitError> {
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

    fn no_path(&self, path: &Path) -> GitError {
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

    /// The top folder of the checkout.
    ///
    /// # Errors
    /// There is no working tree.
    pub fn root(&self) -> Result<&Path, GitError> {
        self.top.as_deref().ok_or(GitError::NoWorkTree)
    }

    /// The same checkout, used from its top folder.
    fn at_top(self) -> Result<Self, GitError> {
        Ok(Self {
            folder: self.root()?.to_owned(),
            ..self
        })
    }

    /// The folder in which git looks for this checkout's hooks.
    ///
    /// # Errors
    /// There is no working tree, or git failed.
    pub fn hooks(&self) -> Result<PathBuf, GitError> {
        self.root()?;
        let mut command = command::command(&self.folder, Hooks::Shown);
        let answer = run(
            command.args(["rev-parse", "--git-path", "hooks"]),
            &[],
            SHORT,
        )?;
        Ok(self.folder.join(path(&answer.output()?)))
    }

    /// Checks the output of a comparison.
    fn checked(answer: Answer, comparison: &Comparison) -> Result<Vec<u8>, GitError> {
        if !answer.success && answer.lacks_objects() {
            return Err(GitError::MissingObjects(format!(
                "diff --shortstat {}",
                comparison.range.join(" ")
            )));
        }
        answer.output()
    }

    /// The arguments of git for a change.
    fn comparison(&self, change: &Change) -> Result<Comparison, GitError> {
        // Inside its own folder, git would compare with a working tree in which everything is deleted.
        if !change.is_committed() {
            self.root()?;
        }
        let (range, old, new): (Vec<String>, _, _) = match change {
            Change::Uncommitted => {
                let commit = self.hash("HEAD")?.map_or_else(|| self.empty_tree(), Ok)?;
                (
                    vec![commit.clone()],
                    Place::Commit(commit),
                    Place::WorkingTree,
                )
            }
            // On a branch without commits, git compares the index with nothing.
            Change::Staged => (
                vec!["--cached".to_owned()],
                Place::Commit("HEAD".to_owned()),
                Place::Index,
            ),
            Change::Whole => {
                let tree = self.empty_tree()?;
                (vec![tree.clone()], Place::Commit(tree), Place::WorkingTree)
            }
            Change::Since(revision) => {
                let commit = self.branching_point(revision)?;
                (
                    vec![commit.clone()],
                    Place::Commit(commit),
                    Place::WorkingTree,
                )
            }
            Change::Commit(revision) => {
                let commit = self.commit(revision)?;
                between(self.parent(&commit, revision)?, commit.hash)
            }
            Change::Between(from, to) => between(self.commit(from)?.hash, self.commit(to)?.hash),
            Change::SinceBranching(from, to) => {
                between(self.merge_base(from, to)?, self.commit(to)?.hash)
            }
        };
        let harmless = if change.has_working_tree() {
            self.harmless()?
        } else {
            Vec::new()
        };
        Ok(Comparison {
            harmless,
            range,
            old,
            new,
        })
    }

    /// Runs `git diff` with options, limited to paths.
    fn compare(
        &self,
        comparison: &Comparison,
        options: &[&str],
        paths: &[OsString],
        limit: usize,
    ) -> Result<Answer, GitError> {
        run(&mut self.comparing(comparison, options, paths), &[], limit)
    }

    /// Builds the `git diff` process.
    fn comparing(&self, comparison: &Comparison, options: &[&str], paths: &[OsString]) -> Command {
        let options = DIFF.iter().chain(options).copied();
        let arguments = options
            .chain(comparison.range.iter().map(String::as_str))
            .chain(["--"])
            .map(OsStr::new);
        self.command(
            command::all(&comparison.harmless)
                .chain(arguments)
                .chain(command::all(paths)),
        )
    }

    /// The arguments that disable this repository's own filters and hooks.
    fn harmless(&self) -> Result<Vec<OsString>, GitError> {
        if let Some(known) = self.harmless.get() {
            return Ok(known.clone());
        }
        let found = self.find_harmless()?;
        Ok(self.harmless.get_or_init(|| found).clone())
    }

    fn find_harmless(&self) -> Result<Vec<OsString>, GitError> {
        let answer = self.run(command::PROGRAMS, SHORT)?;
        if answer.is_usage {
            return self.harmless_without_scopes();
        }
        if answer.has_failed() {
            Err(failed(&answer))
        } else {
            Ok(command::harmless(&answer.stdout))
        }
    }

    /// The same for git before 2.26, which does not show the origin of a setting. Those versions have no hooks in
    /// settings.
    fn harmless_without_scopes(&self) -> Result<Vec<OsString>, GitError> {
        let local = self.run(command::programs_of("--local"), SHORT)?;
        if local.has_failed() {
            return Err(failed(&local));
        }
        // Fails if a working tree has no settings of its own.
        let of_worktree = self.run(command::programs_of("--worktree"), SHORT)?.stdout;
        let keys = [local.stdout, of_worktree].concat();
        let keys = keys.split_inclusive(|byte| *byte == 0);
        Ok(command::harmless(
            &keys
                .flat_map(|key| [b"local\0", key])
                .collect::<Vec<_>>()
                .concat(),
        ))
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

    fn others(&self, options: &[&str]) -> Result<Untracked, GitError> {
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

    /// The object with a name in the syntax of gitrevisions(7), of at most `limit` bytes; `None` if this clone has none.
    fn object(&self, name: &str, limit: usize) -> Result<Option<Object>, GitError> {
        self.objects.find(&self.folder, name, limit)
    }

    /// The hash of the empty tree, which depends on the repository's hash algorithm.
    fn empty_tree(&self) -> Result<String, GitError> {
        Ok(line(
            &self
                .run(["hash-object", "-t", "tree", "--stdin"], SHORT)?
                .output()?,
        ))
    }

    fn run<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        limit: usize,
    ) -> Result<Answer, GitError> {
        run(&mut self.command(arguments), &[], limit)
    }

    /// Runs git with these bytes on its stdin.
    fn send<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        input: &[u8],
    ) -> Result<Answer, GitError> {
        run(self.command(arguments).stdin(Stdio::piped()), input, SHORT)
    }

    fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = command::command(&self.folder, Hooks::Hidden);
        command.args(arguments);
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index.as_os_str());
        }
        command
    }
}

/// A comparison of two commits.
fn between(from: String, to: String) -> (Vec<String>, Place, Place) {
    (
        vec![from.clone(), to.clone()],
        Place::Commit(from),
        Place::Commit(to),
    )
}

fn run(command: &mut Command, input: &[u8], limit: usize) -> Result<Answer, GitError> {
    finish(spawn(command)?, input, limit)
}

/// Starts a git process.
fn spawn(command: &mut Command) -> Result<Child, GitError> {
    let started = command.spawn();
    started.map_err(|error| GitError::not_started(&error))
}

/// Sends this input to a process and waits for its answer.
fn finish(child: Child, input: &[u8], limit: usize) -> Result<Answer, GitError> {
    // Output beyond the limit is not read. Git then ends because the pipe is closed.
    let (answer, stdout) =
        finish_with(child, input, |stdout| read(stdout, limit.saturating_add(1)))?;
    if stdout.len() > limit {
        Err(GitError::TooLarge(limit))
    } else {
        Ok(Answer { stdout, ..answer })
    }
}

/// Runs git and passes its stdout to `read`. Unread output is not in the answer.
fn run_with<T>(
    command: &mut Command,
    input: &[u8],
    consume: impl FnOnce(Option<ChildStdout>) -> T,
) -> Result<(Answer, T), GitError> {
    finish_with(spawn(command)?, input, consume)
}

fn finish_with<T>(
    mut child: Child,
    input: &[u8],
    consume: impl FnOnce(Option<ChildStdout>) -> T,
) -> Result<(Answer, T), GitError> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (consumed, stderr) = thread::scope(|scope| {
        let messages = scope.spawn(|| read(stderr, SHORT));
        // If git stopped reading, its exit status shows why.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        let consumed = consume(stdout);
        (consumed, messages.join().unwrap_or_default())
    });
    let status = child
        .wait()
        .map_err(|error| GitError::Failed(error.to_string()))?;
    let stderr = String::from_utf8_lossy(&stderr).into_owned();
    let is_usage = status.code() == Some(USAGE);
    Ok((
        Answer {
            success: status.success(),
            is_usage,
            stdout: Vec::new(),
            stderr,
        },
        consumed,
    ))
}

/// A pathspec that matches a path literally.
fn literal(path: &Path) -> OsString {
    let mut spec = OsString::from(":(literal)");
    spec.push(path);
    spec
}

/// A pathspec that matches a path from the top literally.
fn spec(magic: &str, path: &[u8]) -> OsString {
    let mut spec = OsString::from(format!(":(top,literal{magic})"));
    spec.push(OsStr::from_bytes(path));
    spec
}

/// Copies an index to a temporary file. A checkout without commits may have no index yet.
fn copy(index: &Path) -> io::Result<TempPath> {
    let copy = no_index()?;
    match fs::copy(index, &copy) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        outcome => drop(outcome?),
    }
    Ok(copy)
}

/// A path for a temporary index that does not exist yet, because git takes an empty file for a broken index.
fn no_index() -> io::Result<TempPath> {
    let index = tempfile::Builder::new()
        .prefix("hunkwise-index")
        .tempfile()?
        .into_temp_path();
    fs::remove_file(&index)?;
    Ok(index)
}

/// Reads a pipe up to a limit. If reading failed, git's exit status shows it.
fn read(pipe: Option<impl Read>, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        let _shown_by_the_status = pipe.take(limit as u64).read_to_end(&mut bytes);
    }
    bytes
}

/// The path in git's output.
fn path(stdout: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(
        stdout.strip_suffix(b"\n").unwrap_or(stdout),
    ))
}

fn line(stdout: &[u8]) -> String {
    String::from_utf8_lossy(stdout).trim().to_owned()
}

fn failed(answer: &Answer) -> GitError {
    let reason = message(answer);
    if !answer.is_usage {
        return GitError::Failed(reason);
    }
    let version = run(
        command::command(Path::new("/"), Hooks::Hidden).arg("version"),
        &[],
        SHORT,
    );
    version::unknown_option(
        &version
            .map(|version| line(&version.stdout))
            .unwrap_or_default(),
        reason,
    )
}

/// The first line of git's message, and the command for trusting the repository if git suggests one.
fn message(answer: &Answer) -> String {
    let reason = answer
        .stderr
        .lines()
        .next()
        .unwrap_or("no reason was given")
        .trim_start_matches("fatal: ");
    let remedy = answer
        .stderr
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("git config --global --add safe."));
    match remedy {
        Some(remedy) => format!("{reason}; to trust this repository, run `{remedy}`"),
        None => reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::test_git::git;
    use super::{Git, GitError};

    /// Submodules and linked working trees are in the tests of the command line.
    #[test]
    fn a_working_tree_outside_of_its_repository_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (outer, wt) = (top.join("outer"), top.join("outer/wt"));
        fs::create_dir_all(wt.join("src/.git")).unwrap();
        fs::create_dir_all(top.join("outer/wt2")).unwrap();
        git(&wt, &["init", "-q"]);
        std::os::unix::fs::symlink(&outer, wt.join("link")).unwrap();
        let set = |value: &str| git(&wt, &["config", "core.worktree", value]);
        for (value, is_refused) in [
            (outer.to_str().unwrap(), true),
            ("../..", true),
            ("../../../outer/wt2", true),
            ("../link", true),
            ("..", false),
            ("../src", false),
            (wt.to_str().unwrap(), false),
        ] {
            set(value);
            for opened in [&wt, &wt.join("src")] {
                let refused = matches!(Git::open(opened), Err(GitError::StrayWorkTree(..)));
                assert_eq!(refused, is_refused, "{value} in {}", opened.display());
            }
        }
        set("../..");
        fs::write(outer.join(".git"), "gitdir: wt/.git\n").unwrap();
        assert!(
            Git::open(&outer).is_ok(),
            "from its own folder it is none outside"
        );
        fs::write(top.join("outer/wt2/.git"), "gitdir: ../wt/.git\n").unwrap();
        let refused = Git::open(&top.join("outer/wt2"));
        assert!(
            matches!(refused, Err(GitError::StrayWorkTree(..))),
            "{refused:?}"
        );
    }

    #[test]
    fn the_top_and_the_index_are_known_even_if_a_path_contains_a_line_feed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["plain", "line\nfeed"] {
            let top = folder.path().join(name);
            fs::create_dir_all(top.join("sub")).unwrap();
            git(&top, &["init", "-q"]);
            let top = top.canonicalize().unwrap();
            for opened in [&top, &top.join("sub")] {
                let git = Git::open_for_review(opened).unwrap();
                assert_eq!(git.root().unwrap(), top, "{name:?}");
                // Without the path of the index, copying it would fail.
                git.and_untracked(&git.untracked().unwrap()).unwrap();
                let index = git.own_index.map(|index| index.path);
                let expected = (name == "plain").then(|| top.join(".git/index"));
                let index =
                    index.map(|path| path.parent().unwrap().canonicalize().unwrap().join("index"));
                assert_eq!(index, expected, "{name:?}");
            }
        }
    }
}
