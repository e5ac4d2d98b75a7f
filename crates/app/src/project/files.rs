//! Reads the files of rules and the configuration, within limits.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use git::GitError;
use git::snapshot::{Entry, Kind, Snapshot};
use lint::custom::{Problem, RuleFile};

/// Maximum number of files with rules.
const FILES: usize = 500;
/// Maximum size of one file, in bytes.
const FILE_BYTES: usize = 64 * 1024;
/// Maximum size of all files with rules, in bytes.
const TOTAL_BYTES: usize = 2 * 1024 * 1024;
/// Maximum depth of nested folders.
const DEPTH: usize = 8;
/// Maximum number of names in all folders.
const NAMES: usize = 10_000;

/// Why a link that came with the code under review is not read.
const LINK: &str = "links are not followed here";
/// Why something that is neither a file nor a folder is not read.
const NOT_PLAIN: &str = "not a plain file; links are not followed here";
/// Why a submodule of a commit is not read.
const SUBMODULE: &str =
    "a submodule, whose files are not in the commit; --config-from checkout reads them";

/// A folder with rules.
#[derive(Debug)]
pub(crate) enum Folder<'a> {
    /// A folder on this machine.
    Here(FolderHere),
    /// A folder in a commit.
    InCommit {
        snapshot: &'a Snapshot<'a>,
        path: PathBuf,
        /// The prefix of its names.
        name: String,
    },
}

/// A folder with rules on this machine.
#[derive(Debug)]
pub(crate) struct FolderHere {
    path: PathBuf,
    /// It is part of the code under review: it may be missing, and a link in it could point anywhere.
    foreign: bool,
    /// The prefix of its names, instead of the path.
    name: String,
}

impl Folder<'_> {
    /// A folder that the caller named.
    pub(crate) fn given(path: &Path) -> Self {
        Self::Here(FolderHere {
            path: path.to_owned(),
            foreign: false,
            name: path.display().to_string(),
        })
    }

    /// A folder of a repository, which may be missing.
    pub(crate) fn of_project(root: &Path, name: &str) -> Self {
        Self::Here(FolderHere {
            path: root.join(name),
            foreign: true,
            name: name.to_owned(),
        })
    }
}

impl FolderHere {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        if self.foreign {
            fs::symlink_metadata(path)
        } else {
            fs::metadata(path)
        }
    }
}

/// The files with rules in some folders, sorted by name.
///
/// # Errors
/// All files that cannot be read.
pub(crate) fn read_all(folders: &[Folder<'_>]) -> Result<Vec<RuleFile>, Vec<Problem>> {
    let mut search = Search::default();
    for folder in folders {
        match folder {
            Folder::Here(folder) => search.folder(folder),
            Folder::InCommit {
                snapshot,
                path,
                name,
            } => search.commit(snapshot, path, name),
        }
    }
    if search.problems.is_empty() {
        Ok(search.files)
    } else {
        Err(search.problems)
    }
}

/// The text of the configuration at the top of a repository, if there is one.
///
/// # Errors
/// It cannot be read.
pub(super) fn config(root: &Path, name: &str) -> Result<Option<String>, Problem> {
    let path = root.join(name);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(problem(name, error.to_string())),
        Ok(metadata) if !metadata.is_file() => Err(problem(name, NOT_PLAIN)),
        Ok(_) => read(&path, name).map(Some),
    }
}

/// The same for a commit.
///
/// # Errors
/// It cannot be read.
pub(super) fn config_of_commit(
    snapshot: &Snapshot<'_>,
    name: &str,
) -> Result<Option<String>, Problem> {
    let entry = snapshot
        .entry(Path::new(name))
        .map_err(|error| problem(name, error.to_string()))?;
    entry
        .map(|entry| read_entry(snapshot, &entry, name))
        .transpose()
}

#[derive(Default)]
struct Search {
    files: Vec<RuleFile>,
    bytes: usize,
    names: usize,
    problems: Vec<Problem>,
}

impl Search {
    fn folder(&mut self, folder: &FolderHere) {
        // A link in place of the folder or its parent leads out of the repository as well.
        let around = folder.path.parent().filter(|_| folder.foreign);
        for path in around.into_iter().chain([folder.path.as_path()]) {
            match folder.metadata(path) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(metadata) if metadata.is_symlink() => {
                    return self.refuse(&folder.name, LINK);
                }
                Ok(_) => return self.refuse(&folder.name, "not a folder"),
                Err(error) if folder.foreign && error.kind() == io::ErrorKind::NotFound => return,
                Err(error) => return self.refuse(&folder.name, error.to_string()),
            }
        }
        self.below(folder, &folder.path, &folder.name, 0);
    }

    fn below(&mut self, folder: &FolderHere, path: &Path, name: &str, depth: usize) {
        let entries: io::Result<Vec<PathBuf>> = fs::read_dir(path).and_then(|entries| {
            entries
                .take(NAMES + 1)
                .map(|entry| entry.map(|entry| entry.path()))
                .collect()
        });
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.refuse(name, error.to_string()),
        };
        entries.sort();
        for path in entries {
            let name = format!(
                "{name}/{}",
                path.file_name().unwrap_or_default().to_string_lossy()
            );
            if !self.counts(&name) {
                return;
            }
            match folder.metadata(&path) {
                Ok(metadata) if metadata.is_dir() && depth == DEPTH => self.refuse_depth(&name),
                Ok(metadata) if metadata.is_dir() => self.below(folder, &path, &name, depth + 1),
                _ if !is_yaml(&path) => {}
                Ok(metadata) if metadata.is_file() => self.file(read(&path, &name), name),
                Ok(_) => self.refuse(&name, NOT_PLAIN),
                Err(error) => self.refuse(&name, error.to_string()),
            }
        }
    }

    /// Reads the folder at this path of a commit, if it exists.
    fn commit(&mut self, snapshot: &Snapshot<'_>, folder: &Path, name: &str) {
        let entries = match snapshot.entry(folder) {
            Ok(None) => return,
            Ok(Some(Entry {
                kind: Kind::Folder, ..
            })) => snapshot.below(folder),
            Ok(Some(Entry {
                kind: Kind::File, ..
            })) => return self.refuse(name, "not a folder"),
            Ok(Some(Entry {
                kind: Kind::Link, ..
            })) => return self.refuse(name, LINK),
            Ok(Some(Entry {
                kind: Kind::Submodule,
                ..
            })) => return self.refuse(name, SUBMODULE),
            Err(error) => Err(error),
        };
        let entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.refuse(name, error.to_string()),
        };
        for entry in entries {
            let path = entry.path.strip_prefix(folder).unwrap_or(&entry.path);
            let (name, depth) = (
                format!("{name}/{}", path.display()),
                path.components().count() - 1,
            );
            if !self.counts(&name) {
                return;
            }
            match entry.kind {
                Kind::Folder if depth == DEPTH => self.refuse_depth(&name),
                Kind::Submodule => self.refuse(&name, SUBMODULE),
                Kind::File | Kind::Link if depth <= DEPTH && is_yaml(path) => {
                    self.file(read_entry(snapshot, &entry, &name), name);
                }
                Kind::Folder | Kind::File | Kind::Link => {}
            }
        }
    }

    /// Counts a name. Returns whether the limit is not exceeded; exceeding it is reported once.
    fn counts(&mut self, name: &str) -> bool {
        self.names += 1;
        if self.names == NAMES + 1 {
            self.refuse(
                name,
                format!("there are more than {NAMES} names in these folders"),
            );
        }
        self.names <= NAMES
    }

    fn refuse_depth(&mut self, name: &str) {
        self.refuse(
            name,
            format!("folders are nested more than {DEPTH} levels deep"),
        );
    }

    fn file(&mut self, text: Result<String, Problem>, name: String) {
        match text {
            Ok(_) if self.files.len() == FILES => {
                self.refuse(
                    &name,
                    format!("there are more than {FILES} files with rules"),
                );
            }
            Ok(text) if self.bytes + text.len() > TOTAL_BYTES => {
                self.refuse(
                    &name,
                    format!("all rules together are larger than {TOTAL_BYTES} bytes"),
                );
            }
            Ok(text) => {
                self.bytes += text.len();
                self.files.push(RuleFile { name, text });
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    fn refuse(&mut self, name: &str, message: impl Into<String>) {
        self.problems.push(problem(name, message));
    }
}

fn is_yaml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "yml" || extension == "yaml")
}

fn read(path: &Path, name: &str) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| problem(name, error.to_string()))?;
    file.take(FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| problem(name, error.to_string()))?;
    if bytes.len() > FILE_BYTES {
        Err(too_large(name))
    } else {
        decode(bytes, name)
    }
}

fn read_entry(snapshot: &Snapshot<'_>, entry: &Entry, name: &str) -> Result<String, Problem> {
    if entry.kind != Kind::File {
        return Err(problem(name, NOT_PLAIN));
    }
    let bytes = snapshot
        .read(entry, FILE_BYTES)
        .map_err(|error| match error {
            GitError::TooLarge(_) => too_large(name),
            error => problem(name, error.to_string()),
        })?;
    decode(bytes, name)
}

fn decode(bytes: Vec<u8>, name: &str) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|_| problem(name, "the file is not UTF-8"))
}

fn too_large(name: &str) -> Problem {
    problem(name, format!("the file is larger than {FILE_BYTES} bytes"))
}

fn problem(name: &str, message: impl Into<String>) -> Problem {
    Problem {
        file: name.to_owned(),
        line: 1,
        column: 1,
        message: message.into(),
    }
}
