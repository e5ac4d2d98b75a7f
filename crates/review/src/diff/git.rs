//! One file of a git diff: `diff --git` or `diff --cc`, extended header lines, and the content.

use super::cursor::{Cursor, Row};
use super::hunk;
use super::model::{DiffError, FileDiff, Hunk, Status};
use super::path::{self, Label, Pair};
use super::section::Section;
use super::{binary, form, plain};

const GIT: &str = "diff --git ";
const COMBINED: [&str; 2] = ["diff --cc ", "diff --combined "];
const UNCLEAR: &str =
    "the paths of the file header are ambiguous, or its lines name different files";

/// The extended header lines that are interpreted, by their prefix.
const FIELDS: [(&str, Field); 12] = [
    ("old mode ", Field::OldMode),
    ("new mode ", Field::NewMode),
    ("mode ", Field::Modes),
    ("new file mode ", Field::Created),
    ("deleted file mode ", Field::Deleted),
    ("rename from ", Field::RenameFrom),
    ("rename to ", Field::RenameTo),
    ("copy from ", Field::CopyFrom),
    ("copy to ", Field::CopyTo),
    ("index ", Field::Index),
    ("similarity index ", Field::Similarity),
    ("dissimilarity index ", Field::Similarity),
];

#[derive(Debug, Clone, Copy)]
enum Field {
    OldMode,
    NewMode,
    Modes,
    Created,
    Deleted,
    RenameFrom,
    RenameTo,
    CopyFrom,
    CopyTo,
    Index,
    Similarity,
}

/// Whether the line starts a file of a git diff.
pub(super) fn is_start(line: &str) -> bool {
    line.starts_with(GIT) || COMBINED.iter().any(|start| line.starts_with(start))
}

/// Whether the line is an extended header line.
pub(super) fn is_extended(line: &str) -> bool {
    field(line).is_some()
}

fn field(line: &str) -> Option<(Field, &str)> {
    FIELDS
        .iter()
        .find_map(|(start, field)| Some((*field, line.strip_prefix(start)?)))
}

/// Reads the file at the cursor, which is before a line that satisfies [`is_start`]. In an svn diff, which
/// has an `Index:` line with a path, a file with labels and no hunks has changed properties.
pub(super) fn read<'a>(
    cursor: &mut Cursor<'a>,
    index: Option<&'a str>,
) -> Result<FileDiff<'a>, DiffError> {
    let Some(row) = cursor.peek() else {
        return Err(cursor.error("a file header is missing"));
    };
    let mut header = Header::new(row);
    cursor.advance();
    header.fields(cursor)?;
    header.labels(cursor)?;
    header.binary(cursor)?;
    let section = Section {
        crlf: row.is_crlf(),
        combined: header.combined,
        abridged: row.bare().starts_with(COMBINED[0]),
    };
    let hunks = if header.has_labels() && !header.binary {
        hunk::read_all(cursor, section)?
    } else {
        Vec::new()
    };
    // Git writes labels before the first hunk, and in a merge always.
    let by_header =
        header.binary || (header.combined || !header.has_labels()) && header.tells_something();
    let only_properties = hunks.is_empty() && index.is_some() && plain::properties_follow(cursor);
    let complete = !hunks.is_empty() || by_header || only_properties;
    if !complete {
        let otherwise = format!(
            "no change follows the file header at line {}: expected a hunk; send the whole diff",
            row.number
        );
        return Err(form::error_below_header(cursor, otherwise));
    }
    header.file(hunks, index.filter(|_| only_properties))
}

/// The lines before the hunks.
#[derive(Debug)]
struct Header<'a> {
    row: Row<'a>,
    combined: bool,
    /// The rest of `diff --git `, or the path after `diff --cc `.
    names: &'a str,
    old_mode: Option<u32>,
    new_mode: Option<u32>,
    created: Option<u32>,
    deleted: Option<u32>,
    /// The mode of both sides, from the `index` line.
    mode: Option<u32>,
    renamed: (Option<&'a str>, Option<&'a str>),
    copied: (Option<&'a str>, Option<&'a str>),
    old: Option<Label<'a>>,
    new: Option<Label<'a>>,
    binary: bool,
}

impl<'a> Header<'a> {
    fn new(row: Row<'a>) -> Self {
        let line = row.bare();
        let merge = COMBINED.iter().find_map(|start| line.strip_prefix(start));
        let names = merge.or_else(|| line.strip_prefix(GIT)).unwrap_or_default();
        let (combined, none) = (merge.is_some(), (None, None));
        let (old_mode, new_mode, created, deleted, mode) = (None, None, None, None, None);
        let (renamed, copied, old, new, binary) = (none, none, None, None, false);
        Self {
            row,
            combined,
            names,
            old_mode,
            new_mode,
            created,
            deleted,
            mode,
            renamed,
            copied,
            old,
            new,
            binary,
        }
    }

    fn fields(&mut self, cursor: &mut Cursor<'a>) -> Result<(), DiffError> {
        while let Some((row, (field, value))) = cursor
            .peek()
            .and_then(|row| Some((row, field(row.bare())?)))
        {
            self.field(field, value)
                .map_err(|reason| row.error(reason))?;
            cursor.advance();
        }
        if self.renamed.0.is_some() != self.renamed.1.is_some()
            || self.copied.0.is_some() != self.copied.1.is_some()
        {
            return Err(self
                .row
                .error("the file header names only one side of a rename or a copy"));
        }
        let events = [
            self.created.is_some(),
            self.deleted.is_some(),
            self.renamed.0.is_some(),
            self.copied.0.is_some(),
        ];
        if events.iter().filter(|event| **event).count() > 1 {
            return Err(self.row.error("the file header contradicts itself"));
        }
        Ok(())
    }

    fn field(&mut self, field: Field, value: &'a str) -> Result<(), &'static str> {
        match field {
            Field::OldMode => set(&mut self.old_mode, mode(value)?),
            Field::NewMode => set(&mut self.new_mode, mode(value)?),
            Field::Created => set(&mut self.created, mode(value)?),
            Field::Deleted => set(&mut self.deleted, mode(first(value))?),
            Field::Modes => {
                let (old, new) = value.split_once("..").ok_or(BAD_MODE)?;
                set(&mut self.old_mode, mode(first(old))?)?;
                set(&mut self.new_mode, mode(new)?)
            }
            Field::Index => match value.split_once(' ') {
                Some((_, value)) => set(&mut self.mode, mode(value)?),
                None => Ok(()),
            },
            Field::RenameFrom => set(&mut self.renamed.0, value),
            Field::RenameTo => set(&mut self.renamed.1, value),
            Field::CopyFrom => set(&mut self.copied.0, value),
            Field::CopyTo => set(&mut self.copied.1, value),
            Field::Similarity => Ok(()),
        }
    }

    /// Reads `--- ` and `+++ `. A combined diff may name every parent (`--combined-all-paths`); the first one counts.
    fn labels(&mut self, cursor: &mut Cursor<'a>) -> Result<(), DiffError> {
        while let Some(name) = cursor
            .bare()
            .strip_prefix("--- ")
            .filter(|_| self.combined || self.old.is_none())
        {
            self.old.get_or_insert(Label::parse(name));
            cursor.advance();
        }
        self.new = cursor.bare().strip_prefix("+++ ").map(Label::parse);
        if self.new.is_some() {
            cursor.advance();
        }
        if self.old.is_some() == self.new.is_some() {
            return Ok(());
        }
        Err(cursor.error(format!(
            "one of the lines `---` and `+++` is missing in the file header at line {}",
            self.row.number
        )))
    }

    fn binary(&mut self, cursor: &mut Cursor<'a>) -> Result<(), DiffError> {
        let is_patch = cursor.bare() == "GIT binary patch";
        if !is_patch && !plain::is_binary_note(cursor.bare()) {
            return Ok(());
        }
        self.binary = true;
        cursor.advance();
        if is_patch {
            binary::skip(cursor)
        } else {
            Ok(())
        }
    }

    fn has_labels(&self) -> bool {
        self.old.is_some()
    }

    /// Whether the header alone, without a hunk, is a change.
    fn tells_something(&self) -> bool {
        let modes = [self.old_mode, self.new_mode, self.created, self.deleted];
        self.binary
            || self.renamed.0.is_some()
            || self.copied.0.is_some()
            || modes.iter().any(Option::is_some)
    }

    fn status(&self, hunks: &[Hunk<'_>]) -> Status {
        if self.created.is_some() || self.old.is_some_and(Label::is_null) {
            Status::Added
        } else if self.deleted.is_some() || self.new.is_some_and(Label::is_null) {
            Status::Removed
        } else if self.renamed.0.is_some() {
            Status::Renamed
        } else if self.copied.0.is_some() {
            Status::Copied
        } else if hunks.is_empty() && !self.binary {
            Status::ModeChanged
        } else {
            Status::Modified
        }
    }

    /// The file. If only properties changed, the path is that of the `Index:` line, because svn names the root folder
    /// `a/`.
    fn file(
        &self,
        hunks: Vec<Hunk<'a>>,
        index: Option<&'a str>,
    ) -> Result<FileDiff<'a>, DiffError> {
        let status = self.status(&hunks);
        let has = |count: fn(&Hunk<'_>) -> u32| hunks.iter().any(|hunk| count(hunk) > 0);
        let both_null =
            self.old.is_some_and(Label::is_null) && self.new.is_some_and(Label::is_null);
        let contradiction = match status {
            Status::Added => {
                self.new.is_some_and(Label::is_null) || !self.combined && has(|hunk| hunk.old.count)
            }
            Status::Removed => self.old.is_some_and(Label::is_null) || has(|hunk| hunk.new.count),
            _ => false,
        };
        if both_null || contradiction {
            return Err(self
                .row
                .error("the file header contradicts its hunks or itself"));
        }
        let (old, new) = match index {
            Some(index) => (index.into(), index.into()),
            None => self.paths()?,
        };
        Ok(FileDiff {
            old_path: (status != Status::Added).then_some(old),
            new_path: (status != Status::Removed).then_some(new),
            status,
            old_mode: self.old_mode.or(self.deleted).or(self.mode),
            new_mode: self.new_mode.or(self.created).or(self.mode),
            binary: self.binary,
            is_unshown: false,
            is_test: None,
            hunks,
        })
    }

    fn paths(&self) -> Result<Pair<'a>, DiffError> {
        let pair = match (self.renamed, self.copied) {
            _ if self.combined => self.merged_paths(),
            ((Some(from), Some(to)), _) | (_, (Some(from), Some(to))) => self.moved_paths(from, to),
            _ => self.names().map(path::without_prefixes),
        };
        pair.filter(|(old, new)| !old.is_empty() && !new.is_empty())
            .ok_or_else(|| self.row.error(UNCLEAR))
    }

    /// A merge has one path, without a prefix. The first parent's path may differ, and only its label shows it.
    fn merged_paths(&self) -> Option<Pair<'a>> {
        let new = path::unquote(self.names)?;
        let Some(label) = self.old.filter(|label| !label.is_null()) else {
            return Some((new.clone(), new));
        };
        let old = path::unquote(label.name)?;
        if old.ends_with(&*new) {
            return Some((new.clone(), new));
        }
        let prefix = if old.starts_with("a/") { 2 } else { 0 };
        Some((path::cut(old, prefix), new))
    }

    /// The names of a rename have no prefix; the labels must agree with them.
    fn moved_paths(&self, from: &'a str, to: &'a str) -> Option<Pair<'a>> {
        let (from, to) = (path::unquote(from)?, path::unquote(to)?);
        for (label, name) in [(self.old, &from), (self.new, &to)] {
            let agrees = label.is_none_or(|label| {
                path::unquote(label.name).is_some_and(|label| label.ends_with(&**name))
            });
            if !agrees {
                return None;
            }
        }
        Some((from, to))
    }

    /// The names with their prefixes. Labels are unambiguous; if they exist, the `diff --git` line must agree with them, and
    /// supplies the other side's name of an added or removed file.
    fn names(&self) -> Option<Pair<'a>> {
        let (Some(old), Some(new)) = (self.old, self.new) else {
            return path::split(self.row.bare(), self.names);
        };
        self.names_of(old, new)
            .or_else(|| self.names_around(old, new))
    }

    /// The labels' names, if those of the `diff --git` line are the same.
    fn names_of(&self, old: Label<'a>, new: Label<'a>) -> Option<Pair<'a>> {
        let (old, new) = if old.is_null() {
            (
                self.names.strip_suffix(new.name)?.strip_suffix(' ')?,
                new.name,
            )
        } else if new.is_null() {
            (
                old.name,
                self.names.strip_prefix(old.name)?.strip_prefix(' ')?,
            )
        } else {
            let agree = self.names.starts_with(old.name) && self.names.ends_with(new.name);
            agree.then_some((old.name, new.name))?
        };
        Some((path::unquote(old)?, path::unquote(new)?))
    }

    /// The names of the `diff --git` line, if the labels are the same without prefixes: some tools write prefixes only
    /// there.
    fn names_around(&self, old: Label<'a>, new: Label<'a>) -> Option<Pair<'a>> {
        let pair = path::split(self.row.bare(), self.names)?;
        let agrees = |label: Label<'a>, name: &str| {
            label.is_null()
                || path::unquote(label.name).is_some_and(|label| path::ends_with(name, &label))
        };
        (agrees(old, &pair.0) && agrees(new, &pair.1)).then_some(pair)
    }
}

const BAD_MODE: &str = "the file mode is not an octal number";

fn mode(digits: &str) -> Result<u32, &'static str> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    u32::from_str_radix(digits, 8)
        .ok()
        .filter(|_| plain)
        .ok_or(BAD_MODE)
}

/// The first parent's item of a comma-separated list.
fn first(list: &str) -> &str {
    list.split_once(',').map_or(list, |(first, _)| first)
}

fn set<T>(slot: &mut Option<T>, value: T) -> Result<(), &'static str> {
    match slot.replace(value) {
        Some(_) => Err("the line repeats one of the same file header"),
        None => Ok(()),
    }
}
