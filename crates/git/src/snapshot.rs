//! Reads the files of a commit without checking it out.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use super::comparison::Place;
use super::process::SHORT;
use super::{Change, Git, GitError};

/// The files of a commit.
#[derive(Debug)]
pub struct Snapshot<'g> {
    pub(super) git: &'g Git,
    commit: String,
}

/// An entry of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The kind of entry.
    pub kind: Kind,
    /// The path relative to the top of the repository.
    pub path: PathBuf,
    pub(super) hash: String,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// The commit of another repository.
    Submodule,
}

/// The origin of the content at a path of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// The caller: the path is outside of the checkout, or git does not track it.
    Caller,
    /// The commit, with this path relative to the top and this entry.
    Commit(PathBuf, Entry),
    /// The change, which adds the content.
    Change,
}

impl Git {
    /// The files at the merge base of this branch and a revision.
    ///
    /// # Errors
    /// There is no working tree, no such revision or no common ancestor.
    pub fn at_merge_base(&self, revision: &str) -> Result<Snapshot<'_>, GitError> {
        self.root()?;
        Ok(Snapshot {
            git: self,
            commit: self.branching_point(revision)?,
        })
    }

    /// The files before a change of commits, which is where attributes that decide about its review come from. `None` for
    /// other changes.
    ///
    /// # Errors
    /// Git failed, or does not know the change.
    pub fn before(&self, change: &Change) -> Result<Option<Snapshot<'_>>, GitError> {
        if !change.is_committed() {
            return Ok(None);
        }
        Ok(self.snapshot_of(&self.comparison(change)?.old))
    }

    /// The files of a commit.
    pub(super) fn snapshot_of(&self, place: &Place) -> Option<Snapshot<'_>> {
        let Place::Commit(commit) = place else {
            return None;
        };
        Some(Snapshot {
            git: self,
            commit: commit.clone(),
        })
    }

    /// The path of a file relative to the top of the checkout, if it is in it. Links in the checkout are not resolved,
    /// because a change can add them.
    pub fn path_from_top(&self, file: &Path) -> Option<PathBuf> {
        let top = self.top.as_ref()?.canonicalize().ok()?;
        let file = self.folder.canonicalize().ok()?.join(file);
        let outermost_first = file.ancestors().collect::<Vec<_>>().into_iter().rev();
        let is_top = |folder: &&Path| folder.canonicalize().is_ok_and(|folder| folder == top);
        let around = outermost_first.into_iter().find(is_top)?;
        without_dots(file.strip_prefix(around).ok()?)
    }
}

impl Snapshot<'_> {
    /// The hash of the commit.
    pub(super) fn commit(&self) -> &str {
        &self.commit
    }

    /// The entry at a path, or the link or submodule in place of one of its parent folders.
    ///
    /// # Errors
    /// Git failed.
    pub fn entry(&self, path: &Path) -> Result<Option<Entry>, GitError> {
        if path.as_os_str().is_empty() {
            return Ok(Some(Entry {
                kind: Kind::Folder,
                path: PathBuf::new(),
                hash: self.commit.clone(),
            }));
        }
        let entries = self.list(&["-t"], parts(path))?;
        let ends = |entry: &Entry| {
            entry.path == path || matches!(entry.kind, Kind::Link | Kind::Submodule)
        };
        Ok(entries.into_iter().find(ends))
    }

    /// All entries below a folder, sorted.
    ///
    /// # Errors
    /// Git failed.
    pub fn below(&self, folder: &Path) -> Result<Vec<Entry>, GitError> {
        let mut entries = self.list(&["-r", "-t"], parts(folder).next())?;
        entries.retain(|entry| entry.path != folder && entry.path.starts_with(folder));
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(entries)
    }

    /// The text of a file, at most `limit` bytes; `None` if there is no file at the path.
    ///
    /// # Errors
    /// It is larger, or git failed.
    pub fn text(&self, path: &str, limit: usize) -> Result<Option<String>, GitError> {
        let object = self.git.object(&format!("{}:{path}", self.commit), limit)?;
        let file = object.filter(|object| object.kind == "blob");
        Ok(file.map(|file| String::from_utf8_lossy(&file.content).into_owned()))
    }

    /// The content of a file, at most `limit` bytes.
    ///
    /// # Errors
    /// It is larger, it is missing in this partial clone, or git failed.
    pub fn read(&self, file: &Entry, limit: usize) -> Result<Vec<u8>, GitError> {
        let answer = self.git.run(["cat-file", "blob", &*file.hash], limit)?;
        if !answer.success && answer.lacks_objects() {
            // With sizes, git needs all of these objects, and so fetches them.
            return Err(GitError::MissingObjects(format!(
                "ls-tree -r -l {}",
                self.commit
            )));
        }
        answer.output()
    }

    /// The origin of the content at a path of the machine, which may be in the checkout.
    ///
    /// # Errors
    /// Git failed.
    pub fn owner(&self, path: &Path) -> Result<Owner, GitError> {
        let Some(from_top) = self.git.path_from_top(path) else {
            return Ok(Owner::Caller);
        };
        if let Some(entry) = self.entry(&from_top)? {
            return Ok(Owner::Commit(from_top, entry));
        }
        // A link in the checkout may come from the change, wherever it points.
        let top = self.git.root()?;
        let is_link =
            |path: &Path| fs::symlink_metadata(top.join(path)).is_ok_and(|at| at.is_symlink());
        let is_of_change = parts(&from_top).any(is_link) || self.git.knows(path)?;
        Ok(if is_of_change {
            Owner::Change
        } else {
            Owner::Caller
        })
    }

    /// Entries at paths, which git takes literally here.
    pub(super) fn list<'p>(
        &self,
        options: &[&str],
        paths: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Vec<Entry>, GitError> {
        let mut arguments: Vec<OsString> =
            ["ls-tree", "-z", "--full-tree"].map(OsString::from).into();
        arguments.extend(
            options
                .iter()
                .copied()
                .chain([self.commit.as_str(), "--"])
                .map(OsString::from),
        );
        arguments.extend(paths.into_iter().map(OsString::from));
        let answer = self.git.run(arguments, SHORT)?;
        if !answer.success && answer.lacks_objects() {
            return Err(GitError::MissingObjects(format!(
                "ls-tree -r {}",
                self.commit
            )));
        }
        Ok(answer
            .output()?
            .split(|byte| *byte == 0)
            .filter_map(entry)
            .collect())
    }
}

/// Parses an entry of `ls-tree -z`: mode, type, hash, and after a tab the path.
fn entry(record: &[u8]) -> Option<Entry> {
    let tab = record.iter().position(|byte| *byte == b'\t')?;
    let (fields, path) = record.split_at(tab);
    let mut fields = std::str::from_utf8(fields).ok()?.split(' ');
    let kind = match (fields.next()?, fields.next()?) {
        ("120000", _) => Kind::Link,
        (_, "blob") => Kind::File,
        (_, "tree") => Kind::Folder,
        _ => Kind::Submodule,
    };
    Some(Entry {
        kind,
        path: OsStr::from_bytes(&path[1..]).into(),
        hash: fields.next()?.to_owned(),
    })
}

/// A path relative to the top of the repository and its parent folders, innermost first.
fn parts(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().filter(|path| !path.as_os_str().is_empty())
}

/// A path without `.` and `..`; `None` if it leads out of its starting folder.
fn without_dots(path: &Path) -> Option<PathBuf> {
    let mut parts: Vec<OsString> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => parts.push(name.to_owned()),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Some(parts.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Kind, entry, without_dots};

    #[test]
    fn paths_of_entries_may_contain_any_characters() {
        let link = entry(b"120000 blob 0123abcd\ta \t\"b\"\n").unwrap();
        assert_eq!(
            (link.kind, link.path, link.hash.as_str()),
            (Kind::Link, "a \t\"b\"\n".into(), "0123abcd")
        );
        for (text, kind) in [
            ("100755 blob 1\tx", Kind::File),
            ("040000 tree 1\tx", Kind::Folder),
        ] {
            assert_eq!(entry(text.as_bytes()).unwrap().kind, kind, "{text}");
        }
        assert_eq!(entry(b"160000 commit 1\tx").unwrap().kind, Kind::Submodule);
        assert_eq!(entry(b""), None);
    }

    #[test]
    fn dots_are_resolved_lexically_and_cannot_leave_the_root() {
        for (path, expected) in [
            ("./a/../b/c", Some("b/c")),
            ("a/b/../..", Some("")),
            ("a/../../b", None),
        ] {
            assert_eq!(
                without_dots(Path::new(path)),
                expected.map(PathBuf::from),
                "{path}"
            );
        }
    }
}
