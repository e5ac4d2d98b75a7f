//! Removes files that are not reviewed from a diff.

use review::classify::{Kind, classify, counts_as_file};
use review::{Diff, FileDiff, Language, Status, Warning, WarningCode};
use server::Limits;

/// Removes the files beyond the limits, with a warning for each. The command line cannot send the rest in a
/// second request, so it reviews the part that fits: changed files before new ones, because a build may create many new
/// files. The size of data, such as translations, does not count: few rules look at it, and reading it has a limit of its own.
pub(crate) fn cut(
    diff: &mut Diff<'_>,
    language: Option<Language>,
    limits: &Limits,
) -> Vec<Warning> {
    let (all_bytes, all_lines) = diff
        .files
        .iter()
        .map(size)
        .fold((0, 0), |(bytes, lines), file| {
            (bytes + file.0, lines + file.1)
        });
    if all_bytes <= limits.diff_bytes
        && all_lines <= limits.diff_lines
        && diff.files.len() <= limits.diff_files
    {
        return Vec::new();
    }
    let mut order: Vec<_> = diff
        .files
        .iter()
        .enumerate()
        .map(|(at, file)| (file.status == Status::Added, at))
        .collect();
    order.sort_unstable();
    let (mut bytes, mut lines, mut files) = (0usize, 0usize, 0usize);
    let mut beyond: Vec<Option<String>> = vec![None; diff.files.len()];
    for (_, at) in order {
        let (Some(file), Some(beyond)) = (diff.files.get(at), beyond.get_mut(at)) else {
            continue;
        };
        let (file_bytes, file_lines) = if is_code(file, language) {
            size(file)
        } else {
            (0, 0)
        };
        let counts = counts_as_file(file, language);
        if bytes + file_bytes > limits.diff_bytes {
            *beyond = Some(format!("{} bytes (`limits.diff_bytes`)", limits.diff_bytes));
        } else if lines + file_lines > limits.diff_lines {
            *beyond = Some(format!("{} lines (`limits.diff_lines`)", limits.diff_lines));
        } else if counts && files == limits.diff_files {
            *beyond = Some(format!("{} files (`limits.diff_files`)", limits.diff_files));
        } else {
            (bytes, lines, files) = (
                bytes + file_bytes,
                lines + file_lines,
                files + usize::from(counts),
            );
        }
    }
    let mut warnings = Vec::new();
    let mut beyond = beyond.into_iter();
    diff.files.retain(|file| {
        let beyond = beyond.next().flatten();
        let fits = beyond.is_none();
        warnings.extend(beyond.map(|what| {
            let message = format!("not reviewed: with it the change is larger than {what}");
            Warning::file(WarningCode::FileSkippedTooLarge, file.path(), message)
        }));
        fits
    });
    warnings
}

/// Removes generated and other files that people did not write. For a change in which all lines count as added.
pub(crate) fn leave_out_unwritten(diff: &mut Diff<'_>, language: Option<Language>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    diff.files.retain(|file| {
        let skipped = classify(file, language).skipped(file.path());
        let is_written = skipped.is_none();
        warnings.extend(skipped);
        is_written
    });
    warnings
}

/// Whether a file is source code that is analysed. New files are, even if a tool wrote them.
fn is_code(file: &FileDiff<'_>, language: Option<Language>) -> bool {
    let class = classify(file, language);
    let is_code = class.language.is_none_or(Language::is_code);
    is_code && (class.kind == Kind::Source || file.status == Status::Added)
}

/// Bytes and lines of a file's hunks.
fn size(file: &FileDiff<'_>) -> (usize, usize) {
    let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let headers: usize = file.hunks.iter().map(|hunk| hunk.header.len() + 1).sum();
    (
        headers + lines().map(|line| line.text.len() + 2).sum::<usize>(),
        file.hunks.len() + lines().count(),
    )
}
