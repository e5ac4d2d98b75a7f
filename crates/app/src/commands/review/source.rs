//! Where the change is that the arguments name.

use std::path::{Path, PathBuf};

use super::pre_commit;
use super::task::{Checkout, Source};
use crate::git::{Change, Git};
use crate::outcome::Error;
use crate::settings::Environment;

/// Which change is meant.
#[derive(Debug, Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("source").args(["staged", "base", "commit"])))]
pub(super) struct Selection {
    /// A unified diff (- reads it from stdin); or what to review of the checkout: paths, A..B, or A...B for what B has since it
    /// left A
    ///
    /// A single file is read as a diff if git does not know it or its name ends in .diff or .patch.
    #[arg(value_name = "FILE|PATH|A..B")]
    targets: Vec<PathBuf>,

    /// The change that is staged for the next commit
    #[arg(long)]
    staged: bool,

    /// All changes since this branch left REV: committed, staged and neither
    #[arg(long, value_name = "REV")]
    base: Option<String>,

    /// What one commit changed (a merge: against its first parent)
    #[arg(long, value_name = "REV")]
    commit: Option<String>,

    /// As a hook of pre-commit (pre-commit.com): the staged change; with --from-ref and --to-ref the change between them;
    /// with --all-files or --files the named files, as if all of their lines were added
    #[arg(long, conflicts_with_all = ["staged", "base", "commit", "untracked"])]
    pre_commit: bool,

    /// Files that git does not know, and does not ignore, are part of the change
    #[arg(long, conflicts_with_all = ["staged", "commit"])]
    untracked: bool,
}

impl Selection {
    /// The revision whose merge base the change is compared with.
    pub(super) fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }
}

/// Where the change is.
///
/// # Errors
/// The arguments do not go together.
pub(super) fn of(selection: &Selection, environment: &Environment) -> Result<Source, Error> {
    if selection.pre_commit {
        return pre_commit::source(&selection.targets, environment).map(Source::Checkout);
    }
    let named = named_change(selection);
    match selection.targets.as_slice() {
        [only] if only.as_os_str() == "-" && named.is_none() && !selection.untracked => return Ok(Source::Stdin),
        [only] if named.is_none() && !selection.untracked && is_diff(only) => return Ok(Source::File(only.clone())),
        targets if targets.iter().any(|target| target.as_os_str() == "-") => {
            return Err(Error::usage("- reads a diff from stdin, so nothing else can say what to review"));
        }
        _ => {}
    }
    let (mut ranges, mut paths) = (Vec::new(), Vec::new());
    for target in &selection.targets {
        match range(target) {
            Some(range) => ranges.push(range),
            None => paths.push(target.clone()),
        }
    }
    if ranges.len() + usize::from(named.is_some()) > 1 {
        return Err(Error::usage("give only one of A..B, --staged, --base and --commit"));
    }
    let change = named.or_else(|| ranges.pop()).unwrap_or(Change::Uncommitted);
    if selection.untracked && !change.has_working_tree() {
        return Err(Error::usage("--untracked: the files of the working tree are no part of a change between commits"));
    }
    Ok(Source::Checkout(Checkout { change, paths, untracked: selection.untracked }))
}

/// The change that an option names.
fn named_change(selection: &Selection) -> Option<Change> {
    match (&selection.base, &selection.commit) {
        (Some(revision), _) => Some(Change::Since(revision.clone())),
        (None, Some(revision)) => Some(Change::Commit(revision.clone())),
        (None, None) => selection.staged.then_some(Change::Staged),
    }
}

fn range(target: &Path) -> Option<Change> {
    Change::range(target.to_str()?).filter(|_| target.symlink_metadata().is_err())
}

/// Whether a path is read as a diff, and not reviewed as part of the checkout.
fn is_diff(path: &Path) -> bool {
    let is_known = || Git::open(Path::new(".")).and_then(|git| git.knows(path)).unwrap_or(false);
    let has_name = path.extension().is_some_and(|extension| extension == "diff" || extension == "patch");
    match path.metadata() {
        Ok(known) if known.is_dir() => false,
        Ok(_) => has_name || !is_known(),
        // Outside of a checkout it can be nothing else.
        Err(_) => range(path).is_none() && Git::open(Path::new(".")).is_err(),
    }
}
