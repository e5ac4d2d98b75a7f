//! The diff of a change, without skipped files and files that are too large.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::OsString;
use std::panic::resume_unwind;
use std::thread;

use review::{Warning, WarningCode};

use super::changed::Changed;
use super::comparison::Comparison;
use super::index::spec;
use super::new_side::NewSide;
use super::process::run_with;
use super::sections::{self, Bounds, Sections};
use super::{Change, Git, GitError};

/// Maximum number of files that git itself excludes from a diff. Further ones are dropped when the diff is read: each
/// pathspec takes space in the command line, and git compares it with every path.
const EXCLUDED: usize = 1_000;
/// Bytes of a diff that are read to get past large files, as a multiple of its limit.
const OVERSIZE_FACTOR: usize = 8;

/// The diff of a change.
#[derive(Debug, Default)]
pub struct Taken {
    /// A unified diff.
    pub diff: Vec<u8>,
    /// The skipped files, each with the reason.
    pub left_out: Vec<Warning>,
    /// Reads the files of the diff.
    pub new_side: Option<NewSide>,
}

impl Git {
    /// The diff of a change, within limits. `skip` returns the reason to skip each file, in order; skipped files are
    /// not read. Files beyond the limits are skipped as well.
    ///
    /// # Errors
    /// Git failed, or the change cannot be listed.
    pub fn diff(
        &self,
        change: &Change,
        bounds: &Bounds,
        skip: impl FnOnce(&[Changed]) -> Result<Vec<Option<Warning>>, GitError>,
    ) -> Result<Taken, GitError> {
        let comparison = self.comparison(change)?;
        // Few changes have files to skip, so git makes the diff of all files while they are listed.
        let (listed, all) = thread::scope(|scope| {
            let all = scope.spawn(|| self.sections(&comparison, &[], bounds, bounds.bytes));
            let listed = self.changed(&comparison).and_then(|files| {
                let reasons = if files.is_empty() {
                    Vec::new()
                } else {
                    skip(&files)?
                };
                Ok((files, reasons))
            });
            (
                listed,
                all.join().unwrap_or_else(|panic| resume_unwind(panic)),
            )
        });
        let (mut files, reasons) = listed?;
        if files.is_empty() {
            return Ok(Taken::default());
        }
        let mut reasons = reasons.into_iter();
        let (mut left_out, mut skipped) = (Vec::new(), Vec::new());
        files.retain(|file| match reasons.next().flatten() {
            Some(reason) => {
                left_out.push(reason);
                skipped.push(file.clone());
                false
            }
            None => true,
        });
        if files.is_empty() {
            return Ok(Taken {
                left_out,
                ..Taken::default()
            });
        }
        let mut found = match all {
            all if skipped.is_empty() => all?,
            Ok(all) if !all.is_cut => all.without(&skipped.iter().map(Changed::path).collect()),
            _ => self.sections(&comparison, &skipped, bounds, bounds.bytes)?,
        };
        if found.is_cut {
            let mut least = self.least_bytes(&files, &comparison)?.into_iter();
            files.retain(|file| {
                let is_large = least
                    .next()
                    .is_some_and(|bytes| bytes > bounds.file_bytes as u64)
                    && !self.is_binary(file, &comparison);
                if is_large {
                    left_out.push(too_large(&file.path(), bounds));
                    skipped.push(file.clone());
                }
                !is_large
            });
            // Largest first, because git itself excludes only a limited number.
            let mut by_size: Vec<_> = self
                .least_bytes(&skipped, &comparison)?
                .into_iter()
                .zip(skipped)
                .collect();
            by_size.sort_by_key(|(bytes, _)| Reverse(*bytes));
            skipped = by_size.into_iter().map(|(_, file)| file).collect();
            found = self.sections(
                &comparison,
                &skipped,
                bounds,
                bounds.bytes.saturating_mul(OVERSIZE_FACTOR),
            )?;
        }
        let paths = found.too_large;
        if found.is_cut {
            let seen: HashSet<String> = sections::split(&found.text)
                .into_iter()
                .map(sections::path)
                .chain(paths.iter().cloned())
                .collect();
            left_out.extend(
                files
                    .iter()
                    .map(Changed::path)
                    .filter(|path| !seen.contains(path))
                    .map(|path| {
                        let message = format!(
                            "not reviewed: the diff of the files before it is larger than {} bytes, a multiple of `limits.diff_bytes`",
                            bounds.bytes
                        );
                        Warning::file(WarningCode::FileSkippedTooLarge, &path, message)
                    }),
            );
        }
        left_out.extend(paths.iter().map(|path| too_large(path, bounds)));
        let (text, files) = self.with_split_renames(found.text, files, &comparison, bounds)?;
        let diff = self.with_hidden_text(text, &files, &comparison, bounds)?;
        let new_side = Some(NewSide {
            git: self.with_own_index(),
            place: comparison.new,
        });
        Ok(Taken {
            diff,
            left_out,
            new_side,
        })
    }

    /// Reads the diff without these files, at most `most` bytes of it.
    fn sections(
        &self,
        comparison: &Comparison,
        without: &[Changed],
        bounds: &Bounds,
        most: usize,
    ) -> Result<Sections, GitError> {
        let unwanted: HashSet<String> = without.iter().skip(EXCLUDED).map(Changed::path).collect();
        let mut command = self.comparing(comparison, &[], &self.specs(without));
        let (answer, found) = run_with(&mut command, &[], |diff| {
            diff.map(|diff| sections::read(diff, bounds, most, &unwanted))
                .unwrap_or_default()
        })?;
        // Git fails if its output is not read to the end.
        if !found.is_cut {
            Self::checked(answer, comparison)?;
        }
        Ok(found)
    }

    /// The pathspecs of the change, excluding some files.
    fn specs(&self, without: &[Changed]) -> Vec<OsString> {
        if without.is_empty() {
            return self.below.clone();
        }
        let all = [OsString::from(":/")];
        let below = if self.below.is_empty() {
            all.as_slice()
        } else {
            self.below.as_slice()
        };
        let excluded = without.iter().take(EXCLUDED).flat_map(|file| {
            let old = (file.old != file.new).then(|| spec(",exclude", &file.old));
            [Some(spec(",exclude", &file.new)), old]
                .into_iter()
                .flatten()
        });
        below.iter().cloned().chain(excluded).collect()
    }
}

/// The warning about a file with a diff that is too large.
fn too_large(path: &str, bounds: &Bounds) -> Warning {
    let message = format!(
        "not reviewed: its diff is larger than {} bytes (`limits.diff_bytes`) or {} lines (`limits.diff_lines`)",
        bounds.file_bytes, bounds.file_lines
    );
    Warning::file(WarningCode::FileSkippedTooLarge, path, message)
}
