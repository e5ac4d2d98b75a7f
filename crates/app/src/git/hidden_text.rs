//! Text that git does not show in a diff.
//!
//! Git takes a file for binary if an attribute says so (`binary`, `-diff`) or if one of its sides has a NUL byte near its
//! start. Both may come with the change. Here attributes do not count, and neither do the NUL bytes that a change adds to
//! source code: a rule reports them.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use review::Language;

use super::changed::Changed;
use super::comparison::{Comparison, Place};
use super::sections::{self, Bounds};
use super::{Git, GitError, SHORT, read, spec};

/// Bytes of a file in which git looks for a NUL byte.
const START: usize = 8_000;
/// Files at most whose text is looked for: for each, git is started again.
const FILES: usize = 1_000;

/// A file that git takes for binary, by its paths on both sides.
struct Binary<'a> {
    old: &'a [u8],
    new: &'a [u8],
}

impl Git {
    /// The diff of a change at these pathspecs, with the text of files that are binary only for an attribute. Text beyond the
    /// bounds is left out: its file stays binary.
    pub(super) fn with_hidden_text(
        &self,
        diff: Vec<u8>,
        comparison: &Comparison,
        specs: &[OsString],
        bounds: &Bounds,
    ) -> Result<Vec<u8>, GitError> {
        // Lines of a file's text start with another character.
        if !diff.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"Binary files ")) {
            return Ok(diff);
        }
        let listed = self.compare(comparison, &["--numstat", "-z"], specs, SHORT)?.output()?;
        let (mut texts, mut shown) = (Vec::new(), HashSet::new());
        let present: HashSet<String> = sections::split(&diff).into_iter().map(sections::path).collect();
        let files = binaries(&listed).into_iter().filter(|file| present.contains(&*String::from_utf8_lossy(file.new)));
        for file in files.take(FILES).filter(|file| self.is_text(file, comparison)) {
            let paths = [spec("", file.old), spec("", file.new)];
            match self.compare(comparison, &["--text"], &paths, bounds.bytes.saturating_sub(texts.len())) {
                Ok(answer) => texts.extend(answer.output()?),
                Err(GitError::TooLarge(_)) => continue,
                Err(error) => return Err(error),
            }
            shown.insert(String::from_utf8_lossy(file.new).into_owned());
        }
        if shown.is_empty() {
            return Ok(diff);
        }
        let rest = sections::split(&diff).into_iter().filter(|section| !shown.contains(&sections::path(section)));
        let all = rest.chain([texts.as_slice()]).collect::<Vec<_>>().concat();
        let lines = all.iter().filter(|byte| **byte == b'\n').count();
        if all.len() > bounds.bytes || lines > bounds.lines { Ok(diff) } else { Ok(all) }
    }

    /// Whether git takes the content of a file for binary, on either side.
    pub(super) fn is_binary(&self, file: &Changed, comparison: &Comparison) -> bool {
        let has_nul = |place, path| self.start_of(place, path).contains(&0);
        has_nul(&comparison.old, &file.old) || has_nul(&comparison.new, &file.new)
    }

    fn is_text(&self, file: &Binary<'_>, comparison: &Comparison) -> bool {
        let has_nul = |place, path| self.start_of(place, path).contains(&0);
        !has_nul(&comparison.old, file.old) && (is_code(file.new) || !has_nul(&comparison.new, file.new))
    }

    /// How a file starts; empty where there is none.
    fn start_of(&self, place: &Place, path: &[u8]) -> Vec<u8> {
        let commit = match place {
            Place::WorkingTree => {
                return self.root().map(|top| start(&top.join(OsStr::from_bytes(path)))).unwrap_or_default();
            }
            Place::Index => ":0",
            Place::Commit(commit) => commit,
        };
        let name = [commit.as_bytes(), b":", path].concat();
        let mut command = self.command([OsStr::new("cat-file"), OsStr::new("blob"), OsStr::from_bytes(&name)]);
        let Ok(mut child) = command.spawn() else { return Vec::new() };
        let bytes = read(child.stdout.take(), START);
        // With the pipe closed, git ends.
        let _it_has_ended = child.wait();
        bytes
    }
}

fn is_code(path: &[u8]) -> bool {
    Language::of_path(&String::from_utf8_lossy(path), String::new).is_some_and(Language::is_code)
}

fn start(file: &Path) -> Vec<u8> {
    let is_plain = fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_file());
    read(File::open(file).ok().filter(|_| is_plain), START)
}

/// The binary files that `--numstat -z` lists: those without numbers of lines.
fn binaries(listed: &[u8]) -> Vec<Binary<'_>> {
    let mut fields = listed.split(|byte| *byte == 0);
    let mut files = Vec::new();
    while let Some(field) = fields.next() {
        let mut parts = field.splitn(3, |byte| *byte == b'\t');
        let (Some(added), Some(_), Some(path)) = (parts.next(), parts.next(), parts.next()) else { continue };
        // Of a renamed file both paths follow.
        let (old, new) = if path.is_empty() {
            (fields.next().unwrap_or_default(), fields.next().unwrap_or_default())
        } else {
            (path, path)
        };
        if added == b"-" {
            files.push(Binary { old, new });
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::binaries;

    #[test]
    fn binary_files_are_read_with_both_paths_of_a_rename() {
        let listed = b"1\t0\ta\tb.py\0-\t-\tx\ty.png\x000\t0\t\0old.py\0new.py\0-\t-\t\0-\t-\told\0new.bin\0";
        let files = binaries(listed);
        let pairs: Vec<(&[u8], &[u8])> = files.iter().map(|file| (file.old, file.new)).collect();
        assert_eq!(pairs, [(&b"x\ty.png"[..], &b"x\ty.png"[..]), (b"-\t-\told", b"new.bin")]);
    }
}
