//! A checkout as reported by `git`: its changes as diffs, its files and their history.
//!
//! Git is started directly, never through a shell. A revision from the user is first resolved to a hash, so that it is
//! never parsed as an option. Settings that would change the format of a diff are overridden. No program named in the
//! repository is ever started (see `command.rs`).

pub mod attributes;
mod beneath;
mod change;
pub mod changed;
mod command;
mod comparing;
mod comparison;
pub mod discovery;
mod early_process;
mod environment;
mod error;
mod hidden_text;
mod index;
mod index_file;
pub mod kept_list;
pub mod new_side;
mod objects;
pub mod old_file;
mod process;
mod renamed;
pub mod repository;
mod revisions;
mod sections;
pub mod snapshot;
pub mod taken;
#[cfg(test)]
mod test_git;
mod version;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

use tempfile::TempPath;

pub use self::change::{Change, Untracked};
use self::command::Hooks;
use self::early_process::EarlyProcess;
use self::environment::Environment;
pub use self::error::GitError;
use self::index_file::IndexFile;
use self::objects::{Object, Objects};
use self::process::{Answer, SHORT, failed, line, path, run};
pub use self::sections::Bounds;

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
