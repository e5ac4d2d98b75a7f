//! Files of rules and the configuration, read with bounds.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use lint::custom::{Problem, RuleFile};

/// Files with rules at most.
const FILES: usize = 500;
/// Bytes of one file.
const FILE_BYTES: usize = 64 * 1024;
/// Bytes of all files with rules.
const TOTAL_BYTES: usize = 2 * 1024 * 1024;
/// Folders within each other.
const DEPTH: usize = 8;
/// Names in all folders together.
const NAMES: usize = 10_000;

/// A folder with rules.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// It came with the code under review: it may be missing, and a link in it could lead anywhere.
    foreign: bool,
    /// What its names begin with instead of the path.
    name: String,
}

impl Folder {
    /// One that the caller named.
    pub(crate) fn given(path: &Path) -> Self {
        Self { path: path.to_owned(), foreign: false, name: path.display().to_string() }
    }

    /// One that a repository has, or has not.
    pub(crate) fn of_project(root: &Path, name: &str) -> Self {
        Self { path: root.join(name), foreign: true, name: name.to_owned() }
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        if self.foreign { fs::symlink_metadata(path) } else { fs::metadata(path) }
    }
}

/// The files with rules in some folders, in the order of their names.
///
/// # Errors
/// All that cannot be read.
pub(crate) fn read_all(folders: &[Folder]) -> Result<Vec<RuleFile>, Vec<Problem>> {
    let mut search = Search::default();
    folders.iter().for_each(|folder| search.folder(folder));
    if search.problems.is_empty() { Ok(search.files) } else { Err(search.problems) }
}

/// The text of the configuration at the top of a repository, if there is one.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn config(root: &Path, name: &str) -> Result<Option<String>, Problem> {
    let path = root.join(name);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(problem(name, error.to_string())),
        Ok(metadata) if !metadata.is_file() => Err(problem(name, "not a plain file; links are not followed here")),
        Ok(_) => read(&path, name).map(Some),
    }
}

#[derive(Default)]
struct Search {
    files: Vec<RuleFile>,
    bytes: usize,
    names: usize,
    problems: Vec<Problem>,
}

impl Search {
    fn folder(&mut self, folder: &Folder) {
        // A link in place of the folder, or of the one around it, leads out of the repository as well.
        let around = folder.path.parent().filter(|_| folder.foreign);
        for path in around.into_iter().chain([folder.path.as_path()]) {
            match folder.metadata(path) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(metadata) if metadata.is_symlink() => {
                    return self.refuse(&folder.name, "links are not followed here");
                }
                Ok(_) => return self.refuse(&folder.name, "not a folder"),
                Err(error) if folder.foreign && error.kind() == io::ErrorKind::NotFound => return,
                Err(error) => return self.refuse(&folder.name, error.to_string()),
            }
        }
        self.below(folder, &folder.path, &folder.name, 0);
    }

    fn below(&mut self, folder: &Folder, path: &Path, name: &str, depth: usize) {
        let entries: io::Result<Vec<PathBuf>> = fs::read_dir(path)
            .and_then(|entries| entries.take(NAMES + 1).map(|entry| entry.map(|entry| entry.path())).collect());
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.refuse(name, error.to_string()),
        };
        entries.sort();
        for path in entries {
            let name = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            self.names += 1;
            if self.names > NAMES {
                // Said once; the folders around this one end here too.
                if self.names == NAMES + 1 {
                    self.refuse(&name, format!("there are more than {NAMES} names in these folders"));
                }
                return;
            }
            match folder.metadata(&path) {
                Ok(metadata) if metadata.is_dir() && depth == DEPTH => {
                    self.refuse(&name, format!("more than {DEPTH} folders within each other"));
                }
                Ok(metadata) if metadata.is_dir() => self.below(folder, &path, &name, depth + 1),
                _ if !is_yaml(&path) => {}
                Ok(metadata) if metadata.is_file() => self.file(&path, name),
                Ok(_) => self.refuse(&name, "not a plain file; links are not followed here"),
                Err(error) => self.refuse(&name, error.to_string()),
            }
        }
    }

    fn file(&mut self, path: &Path, name: String) {
        match read(path, &name) {
            Ok(_) if self.files.len() == FILES => {
                self.refuse(&name, format!("there are more than {FILES} files with rules"));
            }
            Ok(text) if self.bytes + text.len() > TOTAL_BYTES => {
                self.refuse(&name, format!("all rules together are larger than {TOTAL_BYTES} bytes"));
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
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

fn read(path: &Path, name: &str) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| problem(name, error.to_string()))?;
    file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| problem(name, error.to_string()))?;
    if bytes.len() > FILE_BYTES {
        return Err(problem(name, format!("the file is larger than {FILE_BYTES} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| problem(name, "the file is not UTF-8"))
}

fn problem(name: &str, message: impl Into<String>) -> Problem {
    Problem { file: name.to_owned(), line: 1, column: 1, message: message.into() }
}
