//! `--fix`: applies the replacements of findings to the files of this checkout.

mod edit;
mod file;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use review::output::json::{ReplacementBody, ReviewBody};
use review::output::{counted, printable};
use review::{Diff, FileDiff, Side};

use crate::out;
use crate::outcome::Error;
use edit::{Edited, edit};

/// Maximum number of passes of a run: one fix can make another one possible. ESLint has the same limit.
pub(super) const MAX_PASSES: usize = 10;

/// Fixes the findings of a checkout.
pub(super) struct Fix {
    /// The top folder of the checkout.
    pub(super) root: PathBuf,
    /// Print a patch and change no file.
    pub(super) print: bool,
}

/// The fixes so far.
#[derive(Debug, Default)]
pub(super) struct Fixed {
    findings: usize,
    files: BTreeSet<String>,
}

impl Fix {
    /// Applies the replacements of findings that are not in the baseline, and returns whether there were any. Findings
    /// that cannot be fixed are named on stderr.
    ///
    /// # Errors
    /// A file cannot be written. Files that were written before it remain fixed.
    pub(super) fn apply(
        &self,
        body: &ReviewBody,
        diff: &Diff<'_>,
        fixed: &mut Fixed,
    ) -> Result<bool, Error> {
        let before = fixed.findings;
        for (path, edit) in self.edits(body, diff) {
            let write = file::replace(&self.root.join(path), &edit.old, &edit.new.content);
            write.map_err(|error| {
                Error::failure(format!("cannot fix {}: {error}", printable(path)))
            })?;
            fixed.findings += edit.new.applied;
            fixed.files.insert(path.to_owned());
        }
        Ok(fixed.findings > before)
    }

    /// The fixes as a patch.
    pub(super) fn patch(&self, body: &ReviewBody, diff: &Diff<'_>) -> String {
        let patches = self.edits(body, diff).filter_map(|(path, edit)| {
            let patch = file::patch(path, &edit.old, &edit.new.content);
            patch.inspect_err(|reason| note(path, None, reason)).ok()
        });
        patches.collect()
    }

    /// The files that change, each with its content before and after.
    fn edits<'d>(
        &self,
        body: &ReviewBody,
        diff: &'d Diff<'_>,
    ) -> impl Iterator<Item = (&'d str, Edit)> {
        let files = diff.files.iter().filter(|file| file.new_path.is_some());
        files.filter_map(|file| Some((file.path_on(Side::New), self.edit(file, body)?)))
    }

    fn edit(&self, file: &FileDiff<'_>, body: &ReviewBody) -> Option<Edit> {
        let path = file.path_on(Side::New);
        let replacements: Vec<&ReplacementBody> = replacements(body, path).collect();
        if replacements.is_empty() {
            return None;
        }
        let old = file::read(&self.root.join(path))
            .inspect_err(|reason| note(path, None, reason))
            .ok()?;
        let new = edit(&old, &file.hunks, &replacements);
        for line in &new.stale {
            note(path, Some(*line), "the file has changed since the diff");
        }
        (new.applied > 0).then_some(Edit { old, new })
    }
}

/// A file that changes.
struct Edit {
    old: Vec<u8>,
    new: Edited,
}

/// The replacements of a file's findings.
fn replacements<'b>(body: &'b ReviewBody, path: &str) -> impl Iterator<Item = &'b ReplacementBody> {
    let findings = body
        .open_findings()
        .filter(move |finding| finding.file_path == path);
    findings
        .filter(|finding| finding.line_side == Side::New)
        .filter_map(|finding| finding.replacement.as_ref())
}

fn note(path: &str, line: Option<u32>, reason: &str) {
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    out::note(&format!("note: {path}{line}: not fixed: {reason}"));
}

/// Reports the number of fixes.
pub(super) fn summarize(fixed: &Fixed) {
    if fixed.findings > 0 {
        out::note(&format!(
            "fixed {} in {}",
            counted(fixed.findings, "finding"),
            counted(fixed.files.len(), "file")
        ));
    }
}

/// The top folder of the checkout, which the paths of a diff are relative to.
///
/// # Errors
/// There is no checkout.
pub(super) fn root(root: Option<&Path>) -> Result<PathBuf, Error> {
    let missing = || Error::usage("--fix changes files of a git checkout: run it inside one");
    root.map(Path::to_path_buf).ok_or_else(missing)
}
