//! Text that git does not show in a diff.
//!
//! Git treats a file as binary if an attribute says so (`binary`, `-diff`) or if one of its sides has a NUL byte near
//! its start. A change can introduce both. This module ignores attributes and the NUL bytes that a change adds to
//! source code, which a rule reports.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use review::Language;

use super::changed::Changed;
use super::comparison::{Comparison, Place};
use super::index::spec;
use super::process::read;
use super::sections::{self, Bounds};
use super::{Git, GitError};

/// Bytes of a file in which git looks for a NUL byte.
const START: usize = 8_000;
/// Maximum number of files to check for text: each takes another git process.
const FILES: usize = 1_000;

impl Git {
    /// The diff of these files, including the text of files that are binary only because of an attribute. Text beyond
    /// the limits is omitted, and its file remains binary.
    pub(super) fn with_hidden_text(
        &self,
        diff: Vec<u8>,
        files: &[Changed],
        comparison: &Comparison,
        bounds: &Bounds,
    ) -> Result<Vec<u8>, GitError> {
        if !says_binary(&diff) {
            return Ok(diff);
        }
        let sections = sections::split(&diff)
            .into_iter()
            .filter(|section| says_binary(section));
        let binary: HashSet<String> = sections.map(sections::path).collect();
        let (mut texts, mut shown) = (Vec::new(), HashSet::new());
        let files = files
            .iter()
            .filter(|file| binary.contains(&file.path()))
            .take(FILES);
        for file in files.filter(|file| self.is_text(file, comparison)) {
            let paths = [spec("", &file.old), spec("", &file.new)];
            match self.compare(
                comparison,
                &["--text"],
                &paths,
                bounds.bytes.saturating_sub(texts.len()),
            ) {
                Ok(answer) => texts.extend(answer.output()?),
                Err(GitError::TooLarge(_)) => continue,
                Err(error) => return Err(error),
            }
            shown.insert(file.path());
        }
        if shown.is_empty() {
            return Ok(diff);
        }
        let rest = sections::split(&diff)
            .into_iter()
            .filter(|section| !shown.contains(&sections::path(section)));
        let all = rest.chain([texts.as_slice()]).collect::<Vec<_>>().concat();
        let lines = all.iter().filter(|byte| **byte == b'\n').count();
        if all.len() > bounds.bytes || lines > bounds.lines {
            Ok(diff)
        } else {
            Ok(all)
        }
    }

    /// Whether git treats the content of a file as binary, on either side.
    pub(super) fn is_binary(&self, file: &Changed, comparison: &Comparison) -> bool {
        self.has_nul(&comparison.old, &file.old) || self.has_nul(&comparison.new, &file.new)
    }

    /// Whether a file is binary only because of an attribute, or of NUL bytes that the change adds to source code.
    fn is_text(&self, file: &Changed, comparison: &Comparison) -> bool {
        if self.has_nul(&comparison.old, &file.old) {
            return false;
        }
        let new = self.start_of(&comparison.new, &file.new);
        !new.contains(&0) || is_code(&file.path()) && !is_catalogue(&new)
    }

    fn has_nul(&self, place: &Place, path: &[u8]) -> bool {
        self.start_of(place, path).contains(&0)
    }

    /// The start of a file; empty if it does not exist.
    fn start_of(&self, place: &Place, path: &[u8]) -> Vec<u8> {
        let commit = match place {
            Place::WorkingTree => {
                return self
                    .root()
                    .map(|top| start(&top.join(OsStr::from_bytes(path))))
                    .unwrap_or_default();
            }
            Place::Index => ":0",
            Place::Commit(commit) => commit,
        };
        let name = [commit.as_bytes(), b":", path].concat();
        let mut command = self.command([
            OsStr::new("cat-file"),
            OsStr::new("blob"),
            OsStr::from_bytes(&name),
        ]);
        let Ok(mut child) = command.spawn() else {
            return Vec::new();
        };
        let bytes = read(child.stdout.take(), START);
        // Git ends because the pipe is closed.
        let _it_has_ended = child.wait();
        bytes
    }
}

/// Whether git treats a file of the diff as binary. Lines of a file's text start with another character.
fn says_binary(diff: &[u8]) -> bool {
    diff.split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(b"Binary files "))
}

/// Whether this is the start of a compiled message catalogue of gettext. Its extension is also Modelica's.
fn is_catalogue(start: &[u8]) -> bool {
    start.starts_with(b"\xde\x12\x04\x95") || start.starts_with(b"\x95\x04\x12\xde")
}

fn is_code(path: &str) -> bool {
    Language::of_path(path, String::new).is_some_and(Language::is_code)
}

fn start(file: &Path) -> Vec<u8> {
    let is_plain = fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file());
    read(File::open(file).ok().filter(|_| is_plain), START)
}
