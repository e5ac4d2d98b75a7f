//! The baselines of a run: one to compare with and one to write.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use git::Git;
use git::snapshot::{Owner, Snapshot};
use review::Diff;
use review::output::json::ReviewBody;
use review::output::{Coverage, counted};

use crate::baseline::Baseline;
use crate::out;
use crate::outcome::Error;
use crate::project::State;

/// The baselines of a run.
pub(super) struct Baselines {
    known: Option<Known>,
    write: Option<PathBuf>,
}

/// The baseline to compare with.
struct Known {
    file: PathBuf,
    baseline: Baseline,
    /// It is that of the commit.
    is_of_commit: bool,
    /// The checkout's version differs from the commit's.
    is_changed: bool,
}

impl Baselines {
    /// Reads the baseline to compare with, from the commit that decides about the review if there is one.
    ///
    /// # Errors
    /// It is unusable.
    pub(super) fn open(
        known: Option<PathBuf>,
        write: Option<PathBuf>,
        commit: Option<&Snapshot<'_>>,
    ) -> Result<Self, Error> {
        Ok(Self {
            known: known.map(|file| Known::open(file, commit)).transpose()?,
            write,
        })
    }

    /// The name of the baseline to compare with, if the change modifies it.
    pub(super) fn changed(
        &self,
        state: State<'_>,
        git: Option<&Git>,
        changed: &BTreeSet<&str>,
    ) -> Option<String> {
        let Known {
            file, is_changed, ..
        } = self.known.as_ref()?;
        let is_in_diff = || {
            let path = git.and_then(|git| git.path_from_top(file));
            path.as_deref()
                .and_then(Path::to_str)
                .is_some_and(|path| changed.contains(path))
        };
        let is_changed = match state {
            State::Commit(_) => *is_changed,
            State::Checkout(_) => is_in_diff(),
        };
        is_changed.then(|| file.display().to_string())
    }

    /// Marks the known findings. Before that, writes the new baseline if requested, provided that the review took
    /// place.
    ///
    /// # Errors
    /// The file cannot be written, or git failed.
    pub(super) fn mark(
        &self,
        body: &mut ReviewBody,
        diff: &Diff<'_>,
        commit: Option<&Snapshot<'_>>,
    ) -> Result<(), Error> {
        match (&self.write, &self.known) {
            (Some(file), _) if Coverage::of(body) != Coverage::Nothing => {
                let baseline = Baseline::of(body, diff);
                write(&baseline, file)?;
                baseline.mark(body, diff, None)
            }
            (_, Some(known)) => {
                let commit = commit.filter(|_| known.is_of_commit);
                known.baseline.mark(body, diff, commit)
            }
            (_, None) => Ok(()),
        }
    }

    /// Writes an empty baseline if requested.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write_empty(&self) -> Result<(), Error> {
        self.write
            .as_deref()
            .map_or(Ok(()), |file| write(&Baseline::default(), file))
    }
}

impl Known {
    fn open(file: PathBuf, commit: Option<&Snapshot<'_>>) -> Result<Self, Error> {
        let owner = match commit {
            Some(commit) => Some((commit, commit.owner(&file)?)),
            None => None,
        };
        let (baseline, is_of_commit, is_changed) = match owner {
            None | Some((_, Owner::Caller)) => (Baseline::read(&file)?, false, false),
            Some((_, Owner::Change)) => (Baseline::default(), true, true),
            Some((commit, Owner::Commit(_, entry))) => {
                let baseline = Baseline::read_entry(&file, commit, &entry)?;
                let is_changed = Baseline::read(&file).ok().as_ref() != Some(&baseline);
                (baseline, true, is_changed)
            }
        };
        Ok(Self {
            file,
            baseline,
            is_of_commit,
            is_changed,
        })
    }
}

fn write(baseline: &Baseline, file: &Path) -> Result<(), Error> {
    baseline.write(file)?;
    let findings = counted(baseline.entries.len(), "finding");
    out::note(&format!("note: wrote {findings} to {}", file.display()));
    Ok(())
}
