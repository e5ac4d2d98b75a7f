//! A checkout whose files can be listed, read and searched.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::io::Read as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use review::repository::{
    Files, Hit, Hits, Listing, Lookup, MANY_BYTES, MANY_FILES, MAX_FILE_BYTES, MAX_HITS, Refusal,
    answer, checked_path, has_extension,
};

use crate::beneath::open_beneath;
use crate::comparison::{Comparison, Place};
use crate::index::spec;
use crate::index_file::Tracked;
use crate::kept_list::KeptList;
use crate::new_side::NewSide;
use crate::process::{SHORT, read as read_pipe, run_with};
use crate::{Change, Git, GitError, command};

/// Maximum size of a search's output that is read, in bytes.
pub(super) const SEARCH_BYTES: usize = 2 << 20;
/// Maximum size of the list of a checkout's files, in bytes.
pub(super) const LIST_BYTES: usize = 32 << 20;
/// The modes of links and submodules in git's lists.
const NO_FILES: [&str; 2] = ["120000", "160000"];

/// A checkout that can be searched.
#[derive(Debug, Clone)]
pub struct CheckoutRepository(pub(super) Arc<Checkout>);

/// The state that clones of a [`CheckoutRepository`] share.
#[derive(Debug)]
pub(super) struct Checkout {
    pub(super) git: Git,
    pub(super) new: Place,
    /// Where attributes come from: the old side of a change that others may have made, and otherwise the working tree.
    pub(super) attributes: Place,
    /// The paths of its files, once listed.
    paths: OnceLock<Arc<Vec<String>>>,
    /// The list that is kept between reviews.
    kept: Option<KeptList>,
    /// The paths are those of an earlier review.
    is_kept: AtomicBool,
    /// The size of its tracked files, once read.
    tracked: OnceLock<Tracked>,
}

impl CheckoutRepository {
    /// The repository around a checkout, on the new side of a change.
    ///
    /// # Errors
    /// Git failed, or does not know the change.
    pub fn of(git: &Git, change: &Change) -> Result<Self, GitError> {
        Self::with_list(git, change, None)
    }

    pub(super) fn with_list(
        git: &Git,
        change: &Change,
        kept: Option<KeptList>,
    ) -> Result<Self, GitError> {
        let git = git.below(&[])?;
        let Comparison { old, new, .. } = git.comparison(change)?;
        let attributes = match change {
            Change::Uncommitted | Change::Staged | Change::Whole => Place::WorkingTree,
            Change::Since(_)
            | Change::Commit(_)
            | Change::Between(..)
            | Change::SinceBranching(..) => old,
        };
        Ok(Self(Arc::new(Checkout {
            git,
            new,
            attributes,
            paths: OnceLock::new(),
            kept,
            is_kept: AtomicBool::new(false),
            tracked: OnceLock::new(),
        })))
    }

    /// The sorted paths of all files that can be read, listed once. A working tree may contain links; their text cannot
    /// be read.
    ///
    /// # Errors
    /// Git failed, or there are too many files.
    pub fn paths(&self) -> Result<&[String], GitError> {
        let paths = &self.0.paths;
        if let Some(known) = paths.get() {
            return Ok(known);
        }
        let listed = match &self.0.kept {
            Some(kept) => self.0.list_or_take(kept)?,
            None => Arc::new(self.0.list()?),
        };
        Ok(paths.get_or_init(|| listed))
    }

    /// Whether an earlier review's list was used and is no longer right. It is then discarded.
    pub(super) fn has_outdated_list(&self) -> bool {
        let Checkout { kept, is_kept, .. } = &*self.0;
        let (Some(kept), true) = (kept, is_kept.load(Ordering::Relaxed)) else {
            return false;
        };
        let is_right = self
            .0
            .list()
            .is_ok_and(|list| self.0.paths.get().is_some_and(|paths| **paths == list));
        if !is_right {
            kept.discard();
        }
        !is_right
    }

    /// The text of a file.
    ///
    /// # Errors
    /// It may not or cannot be read.
    pub fn text(&self, path: &str) -> Result<String, Refusal> {
        self.0.text(checked_path(path)?)
    }

    /// The files with some extensions.
    pub(super) fn list(&self, extensions: &[&'static str]) -> Result<Listing, Refusal> {
        let paths = self.paths().map_err(|error| refusal(&error))?.iter();
        Ok(Listing {
            paths: paths
                .filter(|path| has_extension(path, extensions))
                .cloned()
                .collect(),
            is_complete: true,
        })
    }

    /// The texts of files that can be looked into, by their position.
    pub(super) fn texts<'p>(&self, paths: impl Iterator<Item = &'p str>) -> HashMap<usize, String> {
        let Checkout { git, new, .. } = &*self.0;
        let side = NewSide {
            git: git.with_own_index(),
            place: new.clone(),
        };
        side.read(paths.enumerate().collect())
    }

    /// Which of these paths git ignores.
    pub(super) fn ignored(&self, paths: &[String]) -> Result<BTreeSet<String>, Refusal> {
        let git = &self.0.git;
        let harmless = git.harmless().map_err(|error| refusal(&error))?;
        let mut arguments: Vec<&OsStr> = command::all(&harmless).collect();
        // Git quotes unusual characters in what it prints otherwise.
        arguments.extend(["-c", "core.quotePath=false", "check-ignore", "--"].map(OsStr::new));
        arguments.extend(paths.iter().map(OsStr::new));
        let listed = git
            .run(arguments, LIST_BYTES)
            .map_err(|error| refusal(&error))?;
        let lines = listed.stdout.split(|byte| *byte == b'\n');
        Ok(lines
            .filter_map(|path| str::from_utf8(path).ok())
            .map(str::to_owned)
            .collect())
    }

    /// The path of the only file that defines a name.
    pub fn definition(&self, name: &str) -> Option<String> {
        let found = answer(&*self.0, &Lookup::Definition(name.to_owned())).ok()?;
        let [only] = found.excerpts.as_slice() else {
            return None;
        };
        Some(only.path.clone())
    }
}

impl Files for Checkout {
    fn text(&self, path: &str) -> Result<String, Refusal> {
        let bytes = match &self.new {
            Place::WorkingTree => self.of_working_tree(path)?,
            Place::Index => self
                .git
                .in_index(path, MAX_FILE_BYTES)
                .map_err(|error| refusal(&error))?
                .ok_or(Refusal::NoSuchFile)?,
            Place::Commit(commit) => self.of_commit(commit, path)?,
        };
        if bytes.contains(&0) {
            return Err(Refusal::NotText);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn search(&self, text: &str, as_word: bool) -> Result<Hits, Refusal> {
        let options: &[&str] = if as_word {
            &["--line-number", "--word-regexp"]
        } else {
            &["--line-number"]
        };
        let (output, prefix) = self.grep(options, &[text], &[":/".to_owned()])?;
        let mut found = hits(&output, &prefix);
        self.retain_text(&mut found.hits, |hit| &hit.path)?;
        Ok(found)
    }
}

impl Checkout {
    /// The list that is kept, or else a new one.
    fn list_or_take(&self, kept: &KeptList) -> Result<Arc<Vec<String>>, GitError> {
        let (moment, known) = kept.get();
        if let Some(known) = known {
            self.is_kept.store(true, Ordering::Relaxed);
            return Ok(known);
        }
        let listed = Arc::new(self.list()?);
        kept.keep(moment, Arc::clone(&listed));
        Ok(listed)
    }

    fn list(&self) -> Result<Vec<String>, GitError> {
        let Self { git, new, .. } = self;
        let listed = match new {
            Place::WorkingTree => {
                let list = [
                    "ls-files", "--cached", "--others", "--exclude-standard", "--full-name", "-z",
                    "--", ":/",
                ];
                git.run(list, LIST_BYTES)?
            }
            Place::Index => git.run(
                ["ls-files", "--stage", "--full-name", "-z", "--", ":/"],
                LIST_BYTES,
            )?,
            Place::Commit(commit) => {
                git.run(["ls-tree", "-r", "-z", "--full-tree", commit], LIST_BYTES)?
            }
        };
        let entries = listed
            .stdout
            .split(|byte| *byte == 0)
            .filter_map(|entry| str::from_utf8(entry).ok());
        // The mode comes first, the path after a tab.
        let path = |entry: &str| match new {
            Place::WorkingTree => Some(entry.to_owned()),
            Place::Index | Place::Commit(_) => {
                let (about, path) = entry.split_once('\t')?;
                (!NO_FILES.iter().any(|mode| about.starts_with(mode))).then(|| path.to_owned())
            }
        };
        let mut paths: Vec<String> = entries
            .filter_map(path)
            .filter(|path| checked_path(path) == Ok(path))
            .collect();
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Whether there are more than [`MANY_FILES`] files, or more than [`MANY_BYTES`] in files with these extensions,
    /// according to the index. A bare repository has none.
    pub(super) fn is_large(&self, extensions: &[&str]) -> bool {
        let index = || self.git.own_index.as_ref()?.tracked();
        let tracked = self.tracked.get_or_init(|| index().unwrap_or_default());
        tracked.files > MANY_FILES || tracked.bytes(extensions) > MANY_BYTES
    }

    /// The output of `git grep` with these options for these texts, and the prefix that it prints before each path. All
    /// files are searched as text, because git would take the attributes of the working tree otherwise.
    pub(super) fn grep(
        &self,
        options: &[&str],
        texts: &[&str],
        paths: &[String],
    ) -> Result<(Vec<u8>, String), Refusal> {
        // For files of a commit, git starts no filter and writes no index.
        let harmless = match &self.new {
            Place::Commit(_) => Vec::new(),
            Place::WorkingTree | Place::Index => {
                self.git.harmless().map_err(|error| refusal(&error))?
            }
        };
        let mut arguments: Vec<&OsStr> = command::all(&harmless).collect();
        let always = [
            "grep", "--fixed-strings", "--full-name", "--null", "--text", "--no-color",
            "--no-textconv",
        ];
        arguments.extend(
            always
                .iter()
                .chain(&["--no-recurse-submodules"])
                .chain(options)
                .map(OsStr::new),
        );
        arguments.extend(texts.iter().flat_map(|text| ["-e", text]).map(OsStr::new));
        let prefix = match &self.new {
            Place::WorkingTree => {
                arguments.push(OsStr::new("--untracked"));
                String::new()
            }
            Place::Index => {
                arguments.push(OsStr::new("--cached"));
                String::new()
            }
            Place::Commit(commit) => {
                arguments.push(OsStr::new(commit));
                format!("{commit}:")
            }
        };
        arguments.push(OsStr::new("--"));
        arguments.extend(paths.iter().map(OsStr::new));
        let mut process = self.git.command(arguments);
        let (ended, output) = run_with(&mut process, &[], |stdout| read_pipe(stdout, SEARCH_BYTES))
            .map_err(|error| refusal(&error))?;
        if ended.has_failed() && output.is_empty() {
            return Err(Refusal::Failed);
        }
        Ok((output, prefix))
    }

    fn of_working_tree(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        let list = [
            "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--",
        ]
        .map(OsStr::new);
        let spec = spec("", path.as_bytes());
        let listed = self
            .git
            .run(list.into_iter().chain([spec.as_os_str()]), SHORT)
            .map_err(|error| refusal(&error))?;
        if !listed.success || listed.stdout.is_empty() {
            return Err(Refusal::NoSuchFile);
        }
        let top = self.git.root().map_err(|error| refusal(&error))?;
        let file = open_beneath(top, path).ok_or(Refusal::NoSuchFile)?;
        let metadata = file.metadata().map_err(|_| Refusal::NoSuchFile)?;
        if !metadata.is_file() {
            return Err(Refusal::NoSuchFile);
        }
        let mut bytes = Vec::new();
        file.take(MAX_FILE_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|_| Refusal::Failed)?;
        if bytes.len() > MAX_FILE_BYTES {
            Err(Refusal::NotText)
        } else {
            Ok(bytes)
        }
    }

    fn of_commit(&self, commit: &str, path: &str) -> Result<Vec<u8>, Refusal> {
        let answer = self
            .git
            .run(
                ["cat-file", "blob", &format!("{commit}:{path}")],
                MAX_FILE_BYTES,
            )
            .map_err(|error| refusal(&error))?;
        if answer.success {
            Ok(answer.stdout)
        } else {
            Err(Refusal::NoSuchFile)
        }
    }
}

/// Parses the output of git: for each line its path, a NUL, its number, a separator, and its text.
fn hits(output: &[u8], prefix: &str) -> Hits {
    let mut found = Hits {
        hits: Vec::new(),
        more: output.len() >= SEARCH_BYTES,
    };
    for line in output.split(|byte| *byte == b'\n') {
        let Some(end) = line.iter().position(|byte| *byte == 0) else {
            continue;
        };
        let (path, rest) = line.split_at(end);
        // Git prints a NUL after the path and one after the number.
        if rest.iter().filter(|byte| **byte == 0).count() > 2 {
            continue;
        }
        let digits: String = rest
            .iter()
            .skip(1)
            .take_while(|byte| byte.is_ascii_digit())
            .map(|b| char::from(*b))
            .collect();
        let (Ok(path), Ok(line)) = (str::from_utf8(path), digits.parse()) else {
            continue;
        };
        let Some(path) = path.strip_prefix(prefix) else {
            continue;
        };
        if found.hits.len() == MAX_HITS {
            found.more = true;
            break;
        }
        found.hits.push(Hit {
            path: path.to_owned(),
            line,
        });
    }
    found
}

pub(super) fn refusal(error: &GitError) -> Refusal {
    match error {
        GitError::TooLarge(_) => Refusal::NotText,
        _ => Refusal::Failed,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use review::repository::{Answer, Lookup, Refusal, answer};

    use super::CheckoutRepository;
    use crate::test_git::git;
    use crate::{Change, Git};

    fn places(answer: &Answer) -> Vec<String> {
        answer
            .excerpts
            .iter()
            .map(|excerpt| format!("{}:{}", excerpt.path, excerpt.first))
            .collect()
    }

    /// A commit, a staged change, and an unstaged one in the working tree.
    fn checkout() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        git(folder.path(), &["init", "-q"]);
        write(".gitignore", "ignored.py\n");
        write("sub/a b.py", "def total():\n    return 1\n");
        write("b.py", "total()\n");
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "-qm", "one"]);
        write("b.py", "\n\n\n\ntotal()\n");
        git(folder.path(), &["add", "."]);
        write("b.py", "\n\n\n\n\n\n\ntotal()\n");
        write("new.py", "total()\n");
        write("ignored.py", "total()\n");
        write(".env", "TOKEN=total\n");
        write("binary.py", "total\0\n");
        folder
    }

    #[test]
    fn only_files_on_the_new_side_of_a_change_are_read() {
        let folder = checkout();
        symlink("/etc", folder.path().join("link")).unwrap();
        symlink("/etc/passwd", folder.path().join("link.py")).unwrap();
        git(folder.path(), &["config", "submodule.recurse", "true"]);
        git(folder.path(), &["config", "grep.patternType", "perl"]);
        let opened = Git::open(&folder.path().join("sub")).unwrap();
        for (change, uses) in [
            (Change::Uncommitted, &["b.py:6", "new.py:1"][..]),
            (Change::Staged, &["b.py:3"]),
            (Change::Commit("HEAD".to_owned()), &["b.py:1"]),
        ] {
            let CheckoutRepository(files) = CheckoutRepository::of(&opened, &change).unwrap();
            let look_up = |lookup: Lookup| answer(&*files, &lookup);
            assert_eq!(
                places(&look_up(Lookup::Definition("total".into())).unwrap()),
                ["sub/a b.py:1"],
                "{change:?}"
            );
            assert_eq!(
                places(&look_up(Lookup::Callers("total".into())).unwrap()),
                uses,
                "{change:?}"
            );
            assert_eq!(
                look_up(Lookup::Search("root:".into())).unwrap(),
                Answer::default()
            );
            let read = |path: &str| {
                look_up(Lookup::Read {
                    path: path.into(),
                    first: 1,
                    last: 1,
                })
            };
            let first_line = read("sub/a b.py").unwrap();
            assert_eq!(places(&first_line), ["sub/a b.py:1"]);
            // Secrets are masked in the whole file.
            let whole = &*first_line.excerpts[0].file;
            assert_eq!(whole, "def total():\n    return 1\n");
            for path in [
                "ignored.py", "link/passwd", "link.py", "sub", "*.py", ":/b.py", "no.py",
                "binary.py",
            ] {
                let refused = read(path).unwrap_err();
                assert!(
                    matches!(refused, Refusal::NoSuchFile | Refusal::NotText),
                    "{change:?} {path}: {refused}"
                );
            }
            for path in ["../a", "/etc/passwd", ".git/config", ".env"] {
                assert!(read(path).unwrap_err().is_forbidden(), "{path}");
            }
        }
    }
}
