//! The whole text: files, one after another, and what may stand around them.
//!
//! Commit messages, mail headers, statistics and signatures are gone past. What looks like a line of a hunk and
//! belongs to none is an error: it is the mark of a hunk header that announces too little.
//!
//! A diff in the message of a mail is a change like any other: `git am` ends the message there and applies it. Only labels
//! without a hunk below them, and a hunk without labels above it, are text there, as `git am` takes them.

use std::borrow::Cow;

use super::cursor::{Cursor, Row};
use super::model::{Diff, DiffError, FileDiff, LineKind, Status, Unread};
use super::{git, hunk, plain};
use crate::budget::Budget;

/// Reads the text of a diff.
pub(super) fn read<'a>(text: &'a str, budget: &Budget) -> Result<Diff<'a>, Unread> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let cursor = Cursor::new(text, budget);
    let mut reader = Reader { cursor, files: Vec::new(), above: "", index: None, after_hunk: false, mail: None };
    let read = reader.all();
    if let Some(spent) = reader.cursor.spent() {
        return Err(spent.into());
    }
    read?;
    if reader.files.is_empty() {
        let found = if text.trim().is_empty() { "the text is blank" } else { "the text is no diff" };
        return Err(DiffError { line: 1, reason: format!("no file header or hunk was found: {found}") }.into());
    }
    Ok(Diff { files: reader.files })
}

/// How the lines of a hunk start, and what follows them.
const MARKERS: [char; 5] = [' ', '+', '-', '\\', '@'];

struct Reader<'a> {
    cursor: Cursor<'a>,
    files: Vec<FileDiff<'a>>,
    /// The line before, if it is outside all files.
    above: &'a str,
    /// An `Index:` line whose file has not come yet.
    index: Option<Index<'a>>,
    /// A hunk has ended, and only empty lines have come since.
    after_hunk: bool,
    mail: Option<Mail>,
}

/// A file that svn or CVS announced.
struct Index<'a> {
    path: &'a str,
    binary: bool,
}

/// How far a mail of `git format-patch` has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mail {
    /// In its message, which stands at the start of the line and may hold anything.
    Message,
    /// A file of it has been read.
    Files,
}

impl<'a> Reader<'a> {
    fn all(&mut self) -> Result<(), DiffError> {
        while let Some(row) = self.cursor.peek() {
            self.step(row)?;
        }
        self.close_index(Status::Modified);
        Ok(())
    }

    fn step(&mut self, row: Row<'a>) -> Result<(), DiffError> {
        let line = row.bare();
        let in_message = self.mail == Some(Mail::Message);
        if git::is_start(line) && (!in_message || git::is_extended(self.cursor.following())) {
            self.start_file();
            let svn = self.index.take().is_some();
            let file = git::read(&mut self.cursor, svn)?;
            self.push(file);
        } else if plain::is_start(&self.cursor) && (!in_message || plain::has_hunk(&self.cursor)) {
            self.start_file();
            self.plain_file()?;
        } else if is_hunk_header(line) && !in_message {
            return Err(row.error("the hunk belongs to no file: no file header stands above it"));
        } else {
            self.outside(row, line)?;
        }
        Ok(())
    }

    fn plain_file(&mut self) -> Result<(), DiffError> {
        let index = self.index.take_if(|index| plain::is_indexed(&self.cursor, index.path));
        self.close_index(Status::Modified);
        let above = plain::Above { index: index.map(|index| index.path), command: self.above };
        let file = plain::read(&mut self.cursor, above)?;
        self.push(file);
        Ok(())
    }

    fn push(&mut self, mut file: FileDiff<'a>) {
        self.after_hunk = !file.hunks.is_empty();
        self.above = "";
        let mut runs = hunk::runs(std::mem::take(&mut file.hunks)).into_iter();
        let first = runs.next().unwrap_or_default();
        let others: Vec<FileDiff<'a>> = runs.map(|hunks| FileDiff { hunks, ..file.clone() }).collect();
        self.files.push(FileDiff { hunks: first, ..file });
        self.files.extend(others);
    }

    /// A line outside all files.
    fn outside(&mut self, row: Row<'a>, line: &'a str) -> Result<(), DiffError> {
        if self.after_hunk {
            self.check_surplus(row, line)?;
        }
        if is_mail_start(line) {
            self.mail = Some(Mail::Message);
        } else if let Some(path) = path_after(line, "Index: ").filter(|_| self.cursor.following().starts_with("====="))
        {
            self.close_index(Status::Modified);
            self.index = Some(Index { path, binary: false });
        } else if let Some(path) = path_after(line, "Property changes on: ") {
            self.properties(path);
        } else if let Some(file) = plain::binary_marker(line).map_err(|reason| row.error(reason))? {
            self.start_file();
            self.close_index(Status::Modified);
            self.push(file);
        } else if let Some(index) = self.index.as_mut().filter(|_| line.starts_with("Cannot display: ")) {
            index.binary = true;
        }
        self.pass(line);
        Ok(())
    }

    fn pass(&mut self, line: &'a str) {
        self.after_hunk &= line.is_empty();
        self.above = line;
        self.cursor.advance();
    }

    /// Refuses a line that follows a hunk as if it were in it.
    fn check_surplus(&self, row: Row<'_>, line: &str) -> Result<(), DiffError> {
        let is_signature = matches!(line, "-- " | "--") && self.could_be_signature(self.cursor.following());
        if line.starts_with(MARKERS) && !is_signature {
            return Err(row.error("the line belongs to no hunk: the hunk header above it announces fewer lines"));
        }
        if self.could_be_signature(line) && self.ends_like_a_signature() {
            return Err(
                row.error("the hunk above ends in what may be the signature of the mail: it announces more lines")
            );
        }
        Ok(())
    }

    /// The line could be the text of a signature: any in a mail, elsewhere the version of git that stands in one.
    fn could_be_signature(&self, line: &str) -> bool {
        let is_version = || line.split_once('.').is_some_and(|(major, _)| major.parse::<u8>().is_ok());
        let is_text = !line.is_empty() && !line.starts_with(MARKERS) && !is_mail_start(line);
        is_text && (self.mail.is_some() || is_version())
    }

    /// The last line of the last hunk is `-- `: a removed dash, or the line that opens a mail's signature.
    fn ends_like_a_signature(&self) -> bool {
        let last = self.files.last().and_then(|file| file.hunks.last()).and_then(|hunk| hunk.lines.last());
        last.is_some_and(|line| line.kind == LineKind::Removed && line.text.trim_end() == "-")
    }

    /// A file follows: the message of a mail is over.
    fn start_file(&mut self) {
        self.mail = self.mail.map(|_| Mail::Files);
    }

    /// An `Index:` line had no labels below it: a binary file, an empty one, or one whose properties changed.
    fn close_index(&mut self, status: Status) {
        if let Some(Index { path, binary }) = self.index.take() {
            let pair = (Cow::Borrowed(path), Cow::Borrowed(path));
            let status = if binary { Status::Modified } else { status };
            self.files.push(plain::bare_file(pair, status, binary));
        }
    }

    /// Properties (svn's modes) of a file changed. Often it has just been read.
    fn properties(&mut self, path: &'a str) {
        if self.index.is_some() {
            self.close_index(Status::ModeChanged);
        } else if self.files.last().is_none_or(|file| file.path() != path) {
            self.files.push(plain::bare_file((Cow::Borrowed(path), Cow::Borrowed(path)), Status::ModeChanged, false));
        }
    }
}

fn path_after<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    line.strip_prefix(start).filter(|path| !path.is_empty())
}

fn is_hunk_header(line: &str) -> bool {
    line.starts_with("@@") && line.trim_start_matches('@').starts_with(" -")
}

/// The line that opens a mail of git's: `From`, the commit's hash (SHA-1 or SHA-256), and a date.
fn is_mail_start(line: &str) -> bool {
    let hash = line.strip_prefix("From ").and_then(|rest| rest.split_once(' ')).map_or("", |(hash, _)| hash);
    matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}
