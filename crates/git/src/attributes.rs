//! Reads from `.gitattributes` whether files are generated (`linguist-generated`) or third-party code
//! (`linguist-vendored`).
//!
//! Git itself matches the patterns. Only version 2.41 and later can read the attributes of a commit (`--attr-source`),
//! but all versions can read those of an index, so a commit's attributes are copied to a temporary index.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::snapshot::{Kind, Snapshot};
use super::{Git, GitError};

const GENERATED: &str = "linguist-generated";
const VENDORED: &str = "linguist-vendored";
const MARKS: &[&str] = &[GENERATED, VENDORED];
const DIFF: &str = "diff";
const FILE: &str = ".gitattributes";
/// Maximum number of paths in one command line.
const PATHS: usize = 1_000;

/// Why a file is not human-written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `linguist-generated`.
    Generated,
    /// `linguist-vendored`.
    Vendored,
}

impl Git {
    /// Starts the process that [`Git::marks`] needs before the paths are known. If that fails, `marks` starts it again and fails.
    pub fn start_marks(&self) {
        if let Ok(child) = super::process::spawn(&mut self.check_attributes(&[], MARKS)) {
            self.attributes.keep(child);
        }
    }

    /// The marks of files in the `.gitattributes` files of the working tree. Paths are relative to the top.
    ///
    /// # Errors
    /// There is no working tree, or git failed.
    pub fn marks(&self, paths: &[&[u8]]) -> Result<Vec<Option<Mark>>, GitError> {
        let process = match self.attributes.take() {
            Some(early) => early,
            None => super::process::spawn(&mut self.check_attributes(&[], MARKS))?,
        };
        self.marks_by(process, paths)
    }

    /// Whether each of these files has `-diff` in the working tree, as `binary` has: it is not meant to be read.
    ///
    /// # Errors
    /// There is no working tree, or git failed.
    pub(super) fn are_without_diff(&self, paths: &[&[u8]]) -> Result<Vec<bool>, GitError> {
        let process = super::process::spawn(&mut self.check_attributes(&[], &[DIFF]))?;
        self.without_diff_by(process, paths)
    }

    fn without_diff_by(&self, process: Child, paths: &[&[u8]]) -> Result<Vec<bool>, GitError> {
        let printed = self.attributes_by(process, paths)?;
        let mut fields = printed.split(|byte| *byte == 0);
        let unset = paths.iter().map(|_| fields.nth(2) == Some(b"unset"));
        Ok(unset.collect())
    }

    /// Builds the process that prints these attributes of the paths on its stdin.
    fn check_attributes(&self, options: &[&str], names: &[&str]) -> Command {
        let arguments = [&["check-attr", "-z", "--stdin"], options, names].concat();
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped());
        command
    }

    fn marks_by(&self, process: Child, paths: &[&[u8]]) -> Result<Vec<Option<Mark>>, GitError> {
        Ok(parse(&self.attributes_by(process, paths)?, paths.len()))
    }

    /// The output of the process for these paths, in their order: for each attribute the path, its name and its value.
    fn attributes_by(&self, process: Child, paths: &[&[u8]]) -> Result<Vec<u8>, GitError> {
        let top = self.root()?.as_os_str().as_bytes();
        let input: Vec<u8> = paths
            .iter()
            .flat_map(|path| [top, b"/", path, b"\0"])
            .collect::<Vec<_>>()
            .concat();
        let limit = input
            .len()
            .saturating_mul(4)
            .saturating_add(super::process::SHORT);
        let answer = super::process::finish(process, &input, limit)?;
        if !answer.success && answer.lacks_objects() {
            return Err(GitError::MissingObjects("diff --shortstat HEAD".to_owned()));
        }
        answer.output()
    }
}

impl Snapshot<'_> {
    /// The marks of files in the `.gitattributes` files of this commit. Paths are relative to the top.
    ///
    /// # Errors
    /// Git failed, or no temporary file can be written.
    pub fn marks(&self, paths: &[&[u8]]) -> Result<Vec<Option<Mark>>, GitError> {
        let git = self.with_attributes_of(paths)?;
        let process = super::process::spawn(&mut git.check_attributes(&["--cached"], MARKS))?;
        git.marks_by(process, paths)
    }

    /// As [`Git::are_without_diff`], in this commit.
    ///
    /// # Errors
    /// Git failed, or no temporary file can be written.
    pub(super) fn are_without_diff(&self, paths: &[&[u8]]) -> Result<Vec<bool>, GitError> {
        let git = self.with_attributes_of(paths)?;
        let process = super::process::spawn(&mut git.check_attributes(&["--cached"], &[DIFF]))?;
        git.without_diff_by(process, paths)
    }

    /// The checkout with an index that has the `.gitattributes` files of this commit that apply to these files.
    fn with_attributes_of(&self, paths: &[&[u8]]) -> Result<Git, GitError> {
        let folders = paths
            .iter()
            .flat_map(|path| Path::new(OsStr::from_bytes(path)).ancestors().skip(1));
        let files: Vec<_> = folders
            .collect::<BTreeSet<_>>()
            .into_iter()
            .map(|folder| folder.join(FILE))
            .collect();
        let mut entries = Vec::new();
        for files in files.chunks(PATHS) {
            for entry in self.list(&[], files.iter().map(|file| file.as_path()))? {
                // Links are not followed.
                if entry.kind == Kind::File && entry.path.ends_with(FILE) {
                    entries.extend_from_slice(format!("100644 {}\t", entry.hash).as_bytes());
                    entries.extend_from_slice(entry.path.as_os_str().as_bytes());
                    entries.push(0);
                }
            }
        }
        let index =
            super::index::no_index().map_err(|error| GitError::NoIndex(error.to_string()))?;
        self.git.below(&[])?.with_index(index, &entries)
    }
}

/// Parses the output of `check-attr -z` for this many files: for each of the two attributes, the path, its name and its
/// value.
fn parse(printed: &[u8], files: usize) -> Vec<Option<Mark>> {
    let mut fields = printed.split(|byte| *byte == 0);
    let mut value = || -> bool {
        let value = fields.nth(2).unwrap_or_default();
        !matches!(value, b"" | b"unspecified" | b"unset" | b"false")
    };
    let mut mark = || match (value(), value()) {
        (true, _) => Some(Mark::Generated),
        (false, true) => Some(Mark::Vendored),
        (false, false) => None,
    };
    (0..files).map(|_| mark()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Mark, parse};

    #[test]
    fn an_attribute_counts_unless_it_is_unset_or_false() {
        let printed = |generated: &str, vendored: &str| {
            format!("a\0linguist-generated\0{generated}\0a\0linguist-vendored\0{vendored}\0")
        };
        for (generated, vendored, expected) in [
            ("set", "unspecified", Some(Mark::Generated)),
            ("true", "set", Some(Mark::Generated)),
            ("unset", "set", Some(Mark::Vendored)),
            ("false", "true", Some(Mark::Vendored)),
            ("unspecified", "unset", None),
            ("false", "false", None),
        ] {
            let text = printed(generated, vendored) + &printed("set", "unset");
            assert_eq!(
                parse(text.as_bytes(), 2),
                [expected, Some(Mark::Generated)],
                "{generated} {vendored}"
            );
        }
        assert_eq!(parse(b"", 1), [None]);
    }
}
