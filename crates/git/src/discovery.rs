//! Finds a folder's repository without starting git.
//!
//! Git looks for `.git` in the folder and its parents, and accepts a folder that looks like a bare repository, along
//! with its configuration. A clone can contain such a folder as ordinary files. Git 2.38 and later can be configured to
//! reject it (`safe.bareRepository`); this check works for all versions.

use std::path::{Path, PathBuf};

/// The nearest folder, this one or a parent, with a `.git`.
pub fn checkout(folder: &Path) -> Option<&Path> {
    folder
        .ancestors()
        .find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// The folder that git would take for a bare repository, because it is nearer than any `.git`. Folders inside of `.git`
/// do not count, because a clone cannot put files there.
pub(super) fn bare_repository(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    if is_in_git_folder(&folder) {
        return None;
    }
    let until = checkout(&folder);
    folder
        .ancestors()
        .take_while(|folder| Some(*folder) != until)
        .find(|folder| looks_bare(folder))
        .map(Path::to_owned)
}

/// The folder whose `.git` git takes as the repository of a folder, if the working tree `top` is outside of it. A clone cannot
/// set that, but an unpacked archive can (`core.worktree`), and so show any folder of the machine as its own. In the
/// linked working trees of a repository and in submodules, the `.git` is a file at the top.
pub(super) fn strayed_from(folder: &Path, top: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let holds_repository = |folder: &&Path| {
        let git = folder.join(".git");
        git.is_file() || looks_bare(&git)
    };
    let holder = folder.ancestors().find(holds_repository)?;
    let strays = !top.canonicalize().ok()?.starts_with(holder);
    strays.then(|| holder.to_owned())
}

/// Whether the path is a `.git` folder or inside of one.
pub(super) fn is_in_git_folder(path: &Path) -> bool {
    path.components()
        .any(|component| component.as_os_str() == ".git")
}

/// Whether a folder meets git's minimum for a repository: a `HEAD`, and `objects` and `refs`, which a `commondir` file
/// may place elsewhere.
fn looks_bare(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).symlink_metadata().is_ok();
    has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::bare_repository;

    #[test]
    fn a_bare_repository_is_found_only_below_the_nearest_checkout() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        for path in [
            ".git/objects", ".git/refs", "bare/objects", "bare/refs", "bare/src", "linked",
            "plain/objects",
        ] {
            fs::create_dir_all(top.join(path)).unwrap();
        }
        for path in [
            ".git/HEAD", "bare/HEAD", "linked/HEAD", "linked/commondir", "plain/HEAD",
        ] {
            fs::write(top.join(path), "ref: refs/heads/main\n").unwrap();
        }
        let found = |path: &str| {
            bare_repository(&top.join(path))
                .map(|found| found.strip_prefix(&top).unwrap().to_owned())
        };
        assert_eq!(found("bare"), Some("bare".into()));
        assert_eq!(found("bare/src"), Some("bare".into()));
        assert_eq!(found("linked"), Some("linked".into()));
        for path in [".", "plain", ".git", ".git/objects", "nowhere"] {
            assert_eq!(found(path), None, "{path}");
        }
        fs::create_dir(top.join("bare/.git")).unwrap();
        assert_eq!(found("bare/src"), None, "git finds a .git first");
    }
}
