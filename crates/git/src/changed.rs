//! Lists the files of a change without their content.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use super::comparison::{Comparison, Place};
use super::process::SHORT;
use super::{Git, GitError};

/// A file of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The path before and after the change; both are equal unless the file was renamed.
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    /// The hashes of both contents; zeros if a side does not exist or git does not know it.
    hashes: [String; 2],
}

impl Changed {
    /// The path after the change, or before it if the file was deleted, relative to the top of the repository.
    pub fn path(&self) -> String {
        String::from_utf8_lossy(&self.new).into_owned()
    }

    /// A renamed file as two files: one that is removed, and one that is new.
    pub(super) fn split(&self) -> [Self; 2] {
        let one = |path: &[u8]| Self {
            old: path.to_vec(),
            new: path.to_vec(),
            hashes: self.hashes.clone(),
        };
        [one(&self.old), one(&self.new)]
    }

    /// The same path as bytes.
    pub fn path_bytes(&self) -> &[u8] {
        &self.new
    }
}

impl Git {
    /// The files of a change.
    pub(super) fn changed(&self, comparison: &Comparison) -> Result<Vec<Changed>, GitError> {
        let listed = self.compare(
            comparison,
            &["--raw", "--no-abbrev", "-z"],
            &self.below,
            SHORT,
        );
        let answer = listed.map_err(|error| match error {
            GitError::TooLarge(_) => GitError::TooManyFiles,
            error => error,
        })?;
        Ok(parse(&Self::checked(answer, comparison)?))
    }

    /// For each file, a lower bound on the bytes of its diff: the difference in size of its two sides. 0 for a binary
    /// file, whose diff has no lines.
    pub(super) fn least_bytes(
        &self,
        files: &[Changed],
        comparison: &Comparison,
    ) -> Result<Vec<u64>, GitError> {
        let hashes: String = files
            .iter()
            .flat_map(|file| &file.hashes)
            .map(|hash| format!("{hash}\n"))
            .collect();
        let answer = self.send(
            ["cat-file", "--batch-check=%(objectname) %(objectsize)"],
            hashes.as_bytes(),
        )?;
        let text = String::from_utf8_lossy(&answer.stdout);
        // The hash of a missing object is followed by "missing".
        let sizes: HashMap<&str, u64> = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter_map(|(hash, size)| Some((hash, size.parse().ok()?)))
            .collect();
        let size = |hash: &str| sizes.get(hash).copied().unwrap_or(0);
        let least = |file: &Changed| {
            let [old, new] = &file.hashes;
            let new = match &comparison.new {
                Place::WorkingTree => self.size_here(&file.new),
                Place::Index | Place::Commit(_) => size(new),
            };
            new.abs_diff(size(old))
        };
        Ok(files.iter().map(least).collect())
    }

    /// The size of a file in the working tree, in bytes; 0 for anything but a plain file.
    fn size_here(&self, path: &[u8]) -> u64 {
        let metadata = self
            .root()
            .ok()
            .and_then(|top| fs::symlink_metadata(top.join(OsStr::from_bytes(path))).ok());
        metadata
            .filter(fs::Metadata::is_file)
            .map_or(0, |metadata| metadata.len())
    }
}

/// Parses the output of `diff --raw -z`.
fn parse(listed: &[u8]) -> Vec<Changed> {
    let mut fields = listed.split(|byte| *byte == 0);
    let mut files = Vec::new();
    while let Some(head) = fields.next() {
        let head = String::from_utf8_lossy(head);
        let mut parts = head.split(' ').skip(2);
        let (Some(old_hash), Some(new_hash), Some(status)) =
            (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let Some(old) = fields.next() else { break };
        // A renamed file has both paths.
        let new = if status.starts_with(['R', 'C']) {
            fields.next().unwrap_or(old)
        } else {
            old
        };
        let hashes = [old_hash.to_owned(), new_hash.to_owned()];
        files.push(Changed {
            old: old.to_vec(),
            new: new.to_vec(),
            hashes,
        });
    }
    files
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn files_are_listed_with_both_paths_of_a_rename() {
        let listed = b":100644 100644 11 00 M\0a \t:b.py\0:100644 100644 22 33 R086\0old.py\0new.py\0:000000 100644 00 44 A\0:c\0";
        let files: Vec<(String, String, [String; 2])> = parse(listed)
            .into_iter()
            .map(|file| {
                (
                    String::from_utf8(file.old.clone()).unwrap(),
                    file.path(),
                    file.hashes,
                )
            })
            .collect();
        let entry = |old: &str, new: &str, hashes: [&str; 2]| {
            (old.to_owned(), new.to_owned(), hashes.map(str::to_owned))
        };
        assert_eq!(
            files,
            [
                entry("a \t:b.py", "a \t:b.py", ["11", "00"]),
                entry("old.py", "new.py", ["22", "33"]),
                entry(":c", ":c", ["00", "44"]),
            ]
        );
    }
}
