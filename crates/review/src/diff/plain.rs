//! One file of a diff without git's header: `--- old` and `+++ new`, as `diff -u`, svn, CVS, quilt and hg write it.

use std::borrow::Cow;

use super::cursor::Cursor;
use super::form;
use super::hunk;
use super::model::{DiffError, FileDiff, Hunk, Span, Status};
use super::path::{self, Label, Pair};
use super::section::Section;

/// The date of a missing file: the first second of 1970, in any time zone.
const EPOCH: [&str; 4] = [
    "1970-01-01 ", "1969-12-31 ", "Thu Jan 01 00:00:00 1970", "Thu Jan  1 00:00:00 1970",
];
/// svn's notes for a missing file.
const MISSING: [&str; 2] = ["(nonexistent)", "(revision 0)"];

/// The context above the labels.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Above<'a> {
    /// The path of an `Index:` line that belongs to this file.
    pub(super) index: Option<&'a str>,
    /// The preceding line: `diff -r 1f3a -r 2b4c path`.
    pub(super) command: &'a str,
}

/// Whether both labels of a file are at the cursor.
pub(super) fn is_start(cursor: &Cursor<'_>) -> bool {
    cursor.bare().starts_with("--- ") && cursor.following().starts_with("+++ ")
}

/// Whether a hunk follows the labels at the cursor.
pub(super) fn has_hunk(cursor: &Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    ahead.advance();
    ahead.following().starts_with("@@ -")
}

/// Whether a path of the labels at the cursor is that of the `Index:` line.
pub(super) fn is_indexed(cursor: &Cursor<'_>, index: &str) -> bool {
    let old = cursor
        .bare()
        .strip_prefix("--- ")
        .map(|text| label(text, Some(index)).name);
    let new = cursor
        .following()
        .strip_prefix("+++ ")
        .map(|text| label(text, Some(index)).name);
    [old, new]
        .into_iter()
        .flatten()
        .any(|name| path::may_be_one(name, index))
}

/// Reads the file at the cursor, which satisfies [`is_start`].
pub(super) fn read<'a>(
    cursor: &mut Cursor<'a>,
    above: Above<'a>,
) -> Result<FileDiff<'a>, DiffError> {
    let Some(row) = cursor.peek() else {
        return Err(cursor.error("a file header is missing"));
    };
    let old = label(
        row.bare().strip_prefix("--- ").unwrap_or_default(),
        above.index,
    );
    let new = label(
        cursor.following().strip_prefix("+++ ").unwrap_or_default(),
        above.index,
    );
    cursor.advance();
    cursor.advance();
    let hunks = hunk::read_all(
        cursor,
        Section {
            crlf: row.is_crlf(),
            combined: false,
            abridged: false,
        },
    )?;
    let binary = hunks.is_empty() && is_binary_note(cursor.bare());
    if binary {
        cursor.advance();
    }
    let only_properties = hunks.is_empty() && above.index.is_some() && properties_follow(cursor);
    if hunks.is_empty() && !binary && !only_properties {
        let otherwise = format!(
            "no hunk follows the file header at line {}: send the whole diff",
            row.number
        );
        return Err(form::error_below_header(cursor, otherwise));
    }
    let status = match (
        is_missing(old, &hunks, |hunk| hunk.old),
        is_missing(new, &hunks, |hunk| hunk.new),
    ) {
        (true, false) => Status::Added,
        (false, true) => Status::Removed,
        (true, true) => {
            return Err(row.error("the file header says that the file is on neither side"));
        }
        (false, false) if only_properties && !binary => Status::ModeChanged,
        (false, false) => Status::Modified,
    };
    let unclear = || row.error("the paths of the file header cannot be read");
    let (old, new) = paths(old, new, above)
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())
        .ok_or_else(unclear)?;
    let file = bare_file((old, new), status, binary);
    let old_path = file.old_path.filter(|_| status != Status::Added);
    let new_path = file.new_path.filter(|_| status != Status::Removed);
    Ok(FileDiff {
        old_path,
        new_path,
        hunks,
        ..file
    })
}

/// The label. Pasting often turns the tab before the note into spaces.
fn label<'a>(text: &'a str, index: Option<&str>) -> Label<'a> {
    let found = index.and_then(|index| {
        let (name, note) = text.split_at_checked(index.len())?;
        let note = note.strip_prefix(' ')?.trim_start();
        (name == index && note.starts_with('(')).then_some(Label { name, note })
    });
    found.unwrap_or_else(|| Label::parse_stamped(text))
}

/// Whether the label and the hunks agree that the file does not exist on this side.
fn is_missing(label: Label<'_>, hunks: &[Hunk<'_>], side: fn(&Hunk<'_>) -> Span) -> bool {
    let note = label.note.trim_start();
    let named = label.is_null()
        || MISSING.iter().any(|missing| note.contains(missing))
        || EPOCH.iter().any(|epoch| note.starts_with(epoch));
    named && hunks.iter().all(|hunk| side(hunk).count == 0)
}

fn paths<'a>(old: Label<'a>, new: Label<'a>, above: Above<'a>) -> Option<Pair<'a>> {
    match (old.is_null(), new.is_null()) {
        (true, true) => None,
        (true, false) => one_sided(new, "b/", above).map(|new| (new.clone(), new)),
        (false, true) => one_sided(old, "a/", above).map(|old| (old.clone(), old)),
        (false, false) => two_sided(old, new, above),
    }
}

fn two_sided<'a>(old: Label<'a>, new: Label<'a>, above: Above<'a>) -> Option<Pair<'a>> {
    let pair = (
        path::unquote_lenient(old.name)?,
        path::unquote_lenient(new.name)?,
    );
    // CVS writes only the file name in the labels, and the whole path in the index line.
    let index = above
        .index
        .filter(|index| pair.0 == pair.1 && index.ends_with(&*pair.0));
    Some(index.map_or_else(
        || path::without_prefixes(pair),
        |index| (Cow::Borrowed(index), Cow::Borrowed(index)),
    ))
}

/// The path of a file that exists on one side only. Its prefix is recognized by convention, unless a line above
/// contains the path without one.
fn one_sided<'a>(label: Label<'a>, prefix: &str, above: Above<'a>) -> Option<Cow<'a, str>> {
    let name = path::unquote_lenient(label.name)?;
    let as_it_is = above.index == Some(&*name) || names_alone(above.command, &name);
    let length = if !as_it_is && name.starts_with(prefix) {
        prefix.len()
    } else {
        0
    };
    Some(path::cut(name, length))
}

/// Whether the command contains the path and no other, as hg writes it: `diff -r 1f3a -r 2b4c path`.
fn names_alone(command: &str, path: &str) -> bool {
    let before = command
        .strip_suffix(path)
        .and_then(|rest| rest.strip_suffix(' '))
        .unwrap_or_default();
    let other = before.rsplit(' ').next().unwrap_or_default();
    !before.is_empty() && !other.contains('/')
}

/// Whether the next non-empty line announces changed properties.
pub(super) fn properties_follow(cursor: &Cursor<'_>) -> bool {
    let mut ahead = cursor.clone();
    while ahead.peek().is_some_and(|row| row.bare().is_empty()) {
        ahead.advance();
    }
    ahead.bare().starts_with("Property changes on: ")
}

/// A file without hunks.
pub(super) fn bare_file<'a>((old, new): Pair<'a>, status: Status, binary: bool) -> FileDiff<'a> {
    let (old_path, new_path) = (Some(old), Some(new));
    FileDiff {
        old_path,
        new_path,
        status,
        old_mode: None,
        new_mode: None,
        binary,
        is_unshown: false,
        is_test: None,
        hunks: Vec::new(),
    }
}

/// Whether the line, in the block of a file, states that its content is binary: `Binary files x and y differ`, `Files x
/// and y differ` of BSD's diff, `Binary files differ` of JGit, or `Binary file x has changed` of hg.
pub(super) fn is_binary_note(line: &str) -> bool {
    let files = line.starts_with("Binary files ") || line.starts_with("Files ");
    files && line.ends_with(" differ")
        || line.starts_with("Binary file ") && line.ends_with(" has changed")
}

/// Whether the line has the form of a [`named`] one.
pub(super) fn is_named(line: &str) -> bool {
    !matches!(named(line), Ok(None))
}

/// The file that a line of `diff -r` or hg outside all sections mentions without its content. `Err` if the paths are
/// ambiguous.
pub(super) fn named(line: &str) -> Result<Option<FileDiff<'_>>, &'static str> {
    match unshown(line) {
        Some(path) => {
            let file = bare_file((path.clone(), path), Status::Modified, false);
            Ok(Some(FileDiff {
                is_unshown: true,
                ..file
            }))
        }
        None => binary(line),
    }
}

/// The path in `Only in folder: name`, or `File x is a regular file while file y is a directory`.
fn unshown(line: &str) -> Option<Cow<'_, str>> {
    if let Some((folder, name)) = line
        .strip_prefix("Only in ")
        .and_then(|rest| rest.split_once(": "))
    {
        let is_path = !folder.is_empty() && !name.is_empty();
        return is_path.then(|| Cow::Owned(format!("{}/{name}", folder.trim_end_matches('/'))));
    }
    let (_, new) = line.strip_prefix("File ")?.split_once(" while file ")?;
    let (path, _) = new
        .rsplit_once(" is a ")
        .filter(|(path, _)| !path.is_empty())?;
    Some(Cow::Borrowed(path))
}

/// The file that a line reports as binary: see [`is_binary_note`].
fn binary(line: &str) -> Result<Option<FileDiff<'_>>, &'static str> {
    let hg = line
        .strip_prefix("Binary file ")
        .and_then(|rest| rest.strip_suffix(" has changed"));
    if let Some(name) = hg.filter(|name| !name.is_empty()) {
        return Ok(Some(bare_file(
            (Cow::Borrowed(name), Cow::Borrowed(name)),
            Status::Modified,
            true,
        )));
    }
    let names = line
        .strip_prefix("Binary files ")
        .or_else(|| line.strip_prefix("Files "));
    let Some(names) = names.and_then(|rest| rest.strip_suffix(" differ")) else {
        return Ok(None);
    };
    let pair = pair_with_and(names).ok_or("the two paths of the binary file are ambiguous")?;
    let file = bare_file(path::without_prefixes(pair), Status::Modified, true);
    Ok(Some(
        match (file.old_path.as_deref(), file.new_path.as_deref()) {
            (Some("/dev/null"), _) => FileDiff {
                old_path: None,
                status: Status::Added,
                ..file
            },
            (_, Some("/dev/null")) => FileDiff {
                new_path: None,
                status: Status::Removed,
                ..file
            },
            _ => file,
        },
    ))
}

fn pair_with_and(names: &str) -> Option<Pair<'_>> {
    let (old, new) = names
        .split_once(" and ")
        .filter(|(old, new)| !old.is_empty() && !new.is_empty())?;
    (!new.contains(" and ")).then_some((Cow::Borrowed(old), Cow::Borrowed(new)))
}
