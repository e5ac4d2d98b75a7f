//! The change of one file, from git's version to the editor's, as a diff.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use git::old_file::{OldFile, checkout_of};
use git::{Git, GitError};
use review::classify::is_reviewed_alike;
use review::{Diff, Status};
use server::Limits;

use crate::analysis::input::{Input, diff_of_file};
use crate::outcome::Error;
use crate::project::{Sources, State, Texts};

/// The change of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The top of the checkout.
    pub(super) top: PathBuf,
    /// The file's path, relative to it.
    pub(super) path: String,
    /// The old path, if the file existed before.
    old_path: Option<String>,
    /// The change as a diff.
    pub(super) diff: String,
    /// The file after the change.
    pub(super) text: String,
    /// The repository's configuration and rules. With a base, they are read from the merge base.
    pub(super) texts: Texts,
    /// Why the change against HEAD is reviewed despite a base.
    pub(super) without_base: Option<String>,
}

/// Why there is nothing to review.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Nothing {
    /// The file is unchanged, or git ignores it.
    Unchanged,
    /// A reason for the log.
    Because(String),
    /// A failure that the user has to fix.
    Failed(String),
}

/// Compares a file's text with git's version; returns the checkout and the change. Runs git, and so blocks.
pub(super) fn of(
    file: &Path,
    text: &str,
    base: Option<&str>,
    limit: usize,
) -> Result<(Git, Change), Nothing> {
    let name = file.display();
    let too_large = || {
        Nothing::Because(format!(
            "{name}: not reviewed: the file is larger than {limit} bytes"
        ))
    };
    if text.len() > limit {
        return Err(too_large());
    }
    let (git, top, path) = checkout_of(file).map_err(|error| match error {
        GitError::NoGit => {
            Nothing::Failed("git was not found: install it, or put it on the path".to_owned())
        }
        GitError::NoCheckout | GitError::NoWorkTree => Nothing::Because(format!(
            "{name}: not reviewed: the file is not in a git checkout"
        )),
        error => Nothing::Because(format!("{name}: not reviewed: {error}")),
    })?;
    let (commit, without_base) = match base.map(|revision| git.at_merge_base(revision)).transpose()
    {
        Ok(commit) => (commit, None),
        // The base is an option of the editor, and so applies to all repositories.
        Err(error) if error.is_no_revision() => (
            None,
            Some(format!(
                "{error}, so `base` has no effect here: the change against HEAD is reviewed"
            )),
        ),
        Err(error) => return Err(Nothing::Failed(error.to_string())),
    };
    let old = git
        .old_file(&path, commit.as_ref(), limit)
        .map_err(|error| match error {
            GitError::TooLarge(_) => too_large(),
            error => Nothing::Failed(error.to_string()),
        })?;
    let (old_path, old) = match old {
        OldFile::Ignored => return Err(Nothing::Unchanged),
        OldFile::New => (None, String::new()),
        // As in a diff of git, the file is new.
        OldFile::Known { path: old, .. } if !is_reviewed_alike(&old, &path) => {
            (None, String::new())
        }
        OldFile::Known { path, content } => {
            (Some(path), alike(&String::from_utf8_lossy(&content), text))
        }
    };
    if old == text {
        return Err(Nothing::Unchanged);
    }
    let diff = diff(old_path.is_some().then_some(old.as_str()), text);
    let state = commit
        .as_ref()
        .map_or(State::Checkout(Some(&top)), State::Commit);
    let texts = Sources::default()
        .read(state)
        .map_err(|error| Nothing::Failed(error.message))?;
    let change = Change {
        top,
        path,
        old_path,
        diff,
        text: text.to_owned(),
        texts,
        without_base,
    };
    Ok((git, change))
}

/// The old text with the line ends and the byte order mark of the new one: git may convert line ends, and editors hide
/// the mark.
fn alike(old: &str, new: &str) -> String {
    let old = if new.starts_with('\u{feff}') {
        old
    } else {
        old.trim_start_matches('\u{feff}')
    };
    match (old.contains("\r\n"), new.contains("\r\n")) {
        (true, false) => old.replace("\r\n", "\n"),
        (false, true) => old.replace('\n', "\r\n"),
        _ => old.to_owned(),
    }
}

/// The change as a diff. [`Change::parse`] replaces the path in it by the file's, which may contain any character.
fn diff(old: Option<&str>, new: &str) -> String {
    diff_of_file("file", old, new)
}

impl Change {
    /// Parses the diff and sets its paths.
    ///
    /// # Errors
    /// It is beyond the limits.
    pub(super) fn parse<'i>(&self, input: &'i Input, limits: &Limits) -> Result<Diff<'i>, Error> {
        let mut diff = input.parse(limits)?;
        for file in &mut diff.files {
            file.old_path = self.old_path.clone().map(Cow::Owned);
            file.new_path = Some(Cow::Owned(self.path.clone()));
            if self.old_path.as_ref().is_some_and(|old| *old != self.path) {
                file.status = Status::Renamed;
            }
        }
        Ok(diff)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use review::Status;
    use server::Limits;

    use super::{Change, Nothing, alike, diff, of};
    use crate::analysis::input::Input;
    use crate::project::Texts;

    fn parsed(
        old: Option<(&str, &str)>,
        (path, text): (&str, &str),
    ) -> (Option<String>, String, Status) {
        let (old_path, old) = old.unzip();
        let diff = diff(old, text);
        let change = Change {
            top: "/".into(),
            path: path.into(),
            old_path: old_path.map(str::to_owned),
            diff,
            text: text.to_owned(),
            texts: Texts::default(),
            without_base: None,
        };
        let limits = Limits::default();
        let input = Input::of(String::new(), change.diff.clone().into_bytes(), &limits).unwrap();
        let diff = change.parse(&input, &limits).unwrap();
        let file = &diff.files[0];
        (
            file.old_path.as_deref().map(str::to_owned),
            file.path().to_owned(),
            file.status,
        )
    }

    #[test]
    fn the_diff_has_the_paths_of_the_change_with_any_characters() {
        let odd = "sub/a \"b\"\té\\c\n.py";
        let same = parsed(Some((odd, "a\nb\n")), (odd, "a\nc"));
        assert_eq!(
            same,
            (Some(odd.to_owned()), odd.to_owned(), Status::Modified)
        );
        assert_eq!(parsed(Some(("b.py", "a\n")), (odd, "")).2, Status::Renamed);
        assert_eq!(
            parsed(None, (odd, "a\n")),
            (None, odd.to_owned(), Status::Added)
        );
    }

    #[test]
    fn conversions_by_git_and_editors_are_not_changes() {
        assert_eq!(alike("a\nb\n", "a\r\nb\r\n"), "a\r\nb\r\n");
        assert_eq!(alike("a\r\nb\r\n", "a\nb\n"), "a\nb\n");
        assert_eq!(alike("\u{feff}a\n", "a\n"), "a\n");
        assert_eq!(alike("\u{feff}a\n", "\u{feff}a\n"), "\u{feff}a\n");
    }

    #[test]
    fn the_reason_is_reported_for_a_file_that_cannot_be_reviewed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.py");
        fs::write(&file, "x\n").unwrap();
        let because = |file: &Path, limit| match of(file, "x = 1\n", None, limit) {
            Err(Nothing::Because(why)) => why,
            other => panic!("{other:?}"),
        };
        assert!(because(&file, 3).ends_with("a.py: not reviewed: the file is larger than 3 bytes"));
        assert!(
            because(&folder.path().join("none/a.py"), 99)
                .ends_with("the file is not in a git checkout")
        );
    }
}
