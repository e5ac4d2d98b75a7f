//! Comparisons of two states of a checkout with `git diff`, without the programs that the repository names.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use super::Git;
use super::change::Change;
use super::command;
use super::comparison::{Comparison, Place};
use super::error::GitError;
use super::process::{Answer, SHORT, failed, run};

/// Plain unified diffs with renames, whatever the user's configuration: no colour, no external program, no conversion.
pub(crate) const DIFF: &[&str] = &[
    "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short",
    "--ignore-submodules=dirty", "--src-prefix=a/", "--dst-prefix=b/", "-M",
];

impl Git {
    /// Checks the output of a comparison.
    pub(crate) fn checked(answer: Answer, comparison: &Comparison) -> Result<Vec<u8>, GitError> {
        if !answer.success && answer.lacks_objects() {
            return Err(GitError::MissingObjects(format!(
                "diff --shortstat {}",
                comparison.range.join(" ")
            )));
        }
        answer.output()
    }

    /// The arguments of git for a change.
    pub(crate) fn comparison(&self, change: &Change) -> Result<Comparison, GitError> {
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
    pub(crate) fn compare(
        &self,
        comparison: &Comparison,
        options: &[&str],
        paths: &[OsString],
        limit: usize,
    ) -> Result<Answer, GitError> {
        run(&mut self.comparing(comparison, options, paths), &[], limit)
    }

    /// Builds the `git diff` process.
    pub(crate) fn comparing(
        &self,
        comparison: &Comparison,
        options: &[&str],
        paths: &[OsString],
    ) -> Command {
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
    pub(crate) fn harmless(&self) -> Result<Vec<OsString>, GitError> {
        if let Some(known) = self.harmless.get() {
            return Ok(known.clone());
        }
        let found = self.find_harmless()?;
        Ok(self.harmless.get_or_init(|| found).clone())
    }

    pub(crate) fn find_harmless(&self) -> Result<Vec<OsString>, GitError> {
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
    pub(crate) fn harmless_without_scopes(&self) -> Result<Vec<OsString>, GitError> {
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
}

/// A comparison of two commits.
fn between(from: String, to: String) -> (Vec<String>, Place, Place) {
    (
        vec![from.clone(), to.clone()],
        Place::Commit(from),
        Place::Commit(to),
    )
}
