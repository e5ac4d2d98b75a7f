//! Determines the change that the arguments name.

use std::cell::LazyCell;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use git::{Change, Git};
use review::Language;
use settings::Environment;

use super::pre_commit;
use super::task::{Checkout, FileContext, Source};
use crate::outcome::Error;

/// Bytes read from a file to detect whether it is a diff.
const SNIFFED: u64 = 64 * 1024;
/// Prefixes of the lines that start a file or a hunk of a diff.
const DIFF_HEADERS: &[&str] = &["diff --git ", "@@ -", "--- a/", "+++ b/", "Index: ", "*** "];

/// The selected change.
#[derive(Debug, Clone, clap::Args)]
#[command(group(clap::ArgGroup::new("source").args(["staged", "base", "commit"])))]
pub(super) struct Selection {
    /// A unified diff (- reads it from stdin); or the part of the checkout to review: paths, A..B, or A...B for the
    /// changes on B since it branched off A
    ///
    /// A single file whose name ends in .diff or .patch, or whose text is a diff, is read as a diff.
    #[arg(value_name = "FILE|PATH|A..B")]
    targets: Vec<PathBuf>,

    /// The change that is staged for the next commit
    #[arg(long)]
    staged: bool,

    /// All changes since this branch left REV: committed, staged and unstaged
    #[arg(long, value_name = "REV")]
    base: Option<String>,

    /// The change of one commit (a merge: against its first parent)
    #[arg(long, value_name = "REV")]
    commit: Option<String>,

    /// For use as a hook of pre-commit (pre-commit.com): the staged change; with --from-ref and --to-ref the change
    /// between them; with --all-files or --files the named files, as if all of their lines were added
    #[arg(long, conflicts_with_all = ["staged", "base", "commit", "untracked", "no_untracked"])]
    pre_commit: bool,

    /// Leave out untracked files. Without this option, those that git does not ignore are part of a change that includes the
    /// working tree
    #[arg(long)]
    no_untracked: bool,

    /// How much is analysed around the changed lines: repository, file or hunks [default: repository in a checkout; for
    /// a diff, the files that it contains completely]
    ///
    /// file reads each changed file of the checkout, up to 256 kB; for a diff, it declares that each hunk contains its
    /// whole file. repository also searches the other files of the checkout for uses of functions that the change
    /// removes or calls differently. By default, a diff contains a whole file if the only hunk begins on line 1 and
    /// ends with fewer unchanged lines than the diff's context. Findings are always on changed lines and those around
    /// them.
    #[arg(
        long,
        value_name = "repository|file|hunks",
        hide_possible_values = true
    )]
    context: Option<FileContext>,

    /// The default, kept for scripts
    #[arg(long, hide = true, conflicts_with_all = ["staged", "commit", "no_untracked"])]
    untracked: bool,
}

impl Selection {
    /// How much of the changed files is analysed; `None` for the default of the source.
    pub(super) fn context(&self) -> Option<FileContext> {
        self.context
    }

    /// Whether the change is certainly one of the checkout.
    pub(super) fn is_of_checkout(&self) -> bool {
        self.targets.is_empty()
            || named_change(self).is_some()
            || self.targets.iter().any(|target| range(target).is_some())
    }

    /// The revision that the change is compared with, at its merge base.
    pub(super) fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }
}

/// Determines the source of the change.
///
/// # Errors
/// The arguments conflict.
pub(super) fn of(selection: &Selection, environment: &Environment) -> Result<Source, Error> {
    if selection.pre_commit {
        return pre_commit::source(&selection.targets, environment).map(Source::Checkout);
    }
    let named = named_change(selection);
    match selection.targets.as_slice() {
        [only] if only.as_os_str() == "-" && named.is_none() && !selection.untracked => {
            return Ok(Source::Stdin);
        }
        [only] if named.is_none() && !selection.untracked => match kind(only) {
            Kind::Diff => return Ok(Source::File(only.clone())),
            Kind::Code => return Ok(Source::Code(only.clone())),
            Kind::OfCheckout => {}
        },
        targets if targets.iter().any(|target| target.as_os_str() == "-") => {
            return Err(Error::usage(
                "- reads a diff from stdin and cannot be combined with other selections",
            ));
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
        return Err(Error::usage(
            "pass only one of A..B, --staged, --base and --commit",
        ));
    }
    let change = named
        .or_else(|| ranges.pop())
        .unwrap_or(Change::Uncommitted);
    if selection.untracked && !change.has_working_tree() {
        return Err(Error::usage(
            "--untracked has no effect on a change between commits: leave it out",
        ));
    }
    let untracked = change.has_working_tree() && !selection.no_untracked;
    Ok(Source::Checkout(Checkout {
        change,
        paths,
        untracked,
    }))
}

/// The change selected by an option.
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

/// The meaning of the only path.
enum Kind {
    /// A diff.
    Diff,
    /// A source file outside of a checkout.
    Code,
    /// A path of the checkout.
    OfCheckout,
}

fn kind(path: &Path) -> Kind {
    let git = LazyCell::new(|| Git::open(Path::new(".")));
    let has_name = path
        .extension()
        .is_some_and(|extension| extension == "diff" || extension == "patch");
    let is_known = || {
        git.as_ref()
            .is_ok_and(|git| git.knows(path).unwrap_or(false))
    };
    match path.metadata() {
        Ok(found) if found.is_dir() => Kind::OfCheckout,
        // A pipe can be read only once.
        Ok(found) if has_name || !found.is_file() => Kind::Diff,
        Ok(_) if is_known() => Kind::OfCheckout,
        Ok(_)
            if holds_diff(path)
                || Language::of_path(&path.to_string_lossy(), String::new).is_none() =>
        {
            Kind::Diff
        }
        Ok(_) if is_within(git.as_ref().ok(), path) => Kind::OfCheckout,
        Ok(_) => Kind::Code,
        // Outside of a checkout, it must be a diff.
        Err(_) if range(path).is_none() && git.is_err() => Kind::Diff,
        Err(_) => Kind::OfCheckout,
    }
}

/// Whether a file is in the working tree.
fn is_within(git: Option<&Git>, path: &Path) -> bool {
    git.and_then(|git| git.path_from_top(path)).is_some()
}

/// Whether the start of a file looks like a diff, that is, has a line that starts a file or a hunk.
fn holds_diff(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(SNIFFED).read_to_end(&mut start));
    let is_header = |line: &[u8]| {
        DIFF_HEADERS
            .iter()
            .any(|header| line.starts_with(header.as_bytes()))
    };
    read.is_ok() && start.split(|byte| *byte == b'\n').any(is_header)
}
