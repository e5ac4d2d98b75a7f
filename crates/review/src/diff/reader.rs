//! The whole text: files, and the text around them.
//!
//! Commit messages, mail headers, statistics and signatures are skipped. A line that looks like part of a hunk but is
//! in none is an error, because the counts of the preceding hunk header are too small. A change that is not unified is
//! also an error: if it were skipped, it would count as reviewed.
//!
//! A diff in the message of a mail counts as a change, as for `git am`, which ends the message there and applies it. As for
//! `git am`, labels without a hunk and a hunk without labels in a message are text.

use std::borrow::Cow;

use super::cursor::{Cursor, Row};
use super::form::Form;
use super::index::{Index, Note};
use super::model::{Diff, DiffError, FileDiff, LineKind, Status, Unread};
use super::{git, hunk, index, mail, path, plain};
use crate::budget::Budget;

/// Reads the text of a diff.
pub(super) fn read<'a>(text: &'a str, budget: &Budget) -> Result<Diff<'a>, Unread> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_files(text, budget).map_err(|unread| match unread {
        Unread::Invalid(error) => escaped_line(text).map_or(error, escaped).into(),
        spent => spent,
    })
}

fn read_files<'a>(text: &'a str, budget: &Budget) -> Result<Diff<'a>, Unread> {
    let cursor = Cursor::new(text, budget);
    let mail = mail::is_head(cursor.bare()).then_some(Mail::Message);
    let mut reader = Reader {
        cursor,
        files: Vec::new(),
        above: "",
        index: None,
        after: After::Text,
        mail,
    };
    let read = reader.all();
    if let Some(spent) = reader.cursor.spent() {
        return Err(spent.into());
    }
    read?;
    if reader.files.is_empty() {
        let found = if text.trim().is_empty() {
            "the text is empty"
        } else if text.contains('\0') {
            "the text contains NUL characters, so it may be UTF-16; convert it to UTF-8"
        } else {
            "the text is not a diff; send the output of `git diff` or `diff -u`"
        };
        return Err(DiffError {
            line: 1,
            reason: format!("no file header or hunk was found: {found}"),
        }
        .into());
    }
    Ok(Diff {
        files: reader.files,
    })
}

/// The number of the line that contains a whole diff with `\n` for line ends, as in JSON; `None` if a hunk starts at a
/// line.
fn escaped_line(text: &str) -> Option<usize> {
    let mut lines = text.lines();
    let found = lines.position(|line| line.contains(r"\n+++ ") && line.contains(r"\n@@ -"))?;
    (!text.lines().any(|line| line.starts_with("@@ -"))).then_some(found + 1)
}

fn escaped(line: usize) -> DiffError {
    let reason = r"the diff is escaped as in JSON: it has `\n` where lines should end; decode it, for example with `jq -r`";
    DiffError {
        line,
        reason: reason.into(),
    }
}

/// First characters of a hunk's lines and of the lines after them.
const MARKERS: [char; 5] = [' ', '+', '-', '\\', '@'];
/// Prefixes of lines that a tool writes directly above the change of a file.
const COMMANDS: [&str; 3] = ["diff -", "Index: ", "==== "];

struct Reader<'a> {
    cursor: Cursor<'a>,
    files: Vec<FileDiff<'a>>,
    /// The previous line, if it is outside all files.
    above: &'a str,
    /// An `Index:` line whose file has not been read yet.
    index: Option<Index<'a>>,
    after: After,
    mail: Option<Mail>,
}

/// The kind of the last non-empty line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// A hunk.
    Hunk,
    /// The header of a file without hunks.
    Header,
    /// Text outside all files, or nothing.
    Text,
}

/// Minimum length of a line of dashes that cannot be a removed line.
const RULE_LENGTH: usize = 20;

const SURPLUS: &str = "the line is not part of a hunk: the hunk header above it announces fewer lines; \
    correct its numbers, or remove text that is not part of the diff";
const NOT_UNIFIED: &str = "this is not a unified diff: only `---` and `+++` or a note of svn or CVS can follow `Index:`; \
    use `svn diff` or `cvs diff -u`";

/// The state within a mail of `git format-patch`, or another text that has messages between its changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mail {
    /// In the message, which may contain anything.
    Message,
    /// In the message of a revision of `svn log --diff`. It ends at `Index:`, which svn writes above each change.
    Log,
    /// After its first file.
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
        let in_message = self.in_message();
        if git::is_start(line) && (!in_message || git::is_extended(self.cursor.following())) {
            self.start_file();
            let index = self.index.take();
            let file = git::read(&mut self.cursor, index.map(|index| index.path))?;
            let other = index.filter(|index| !path::may_be_one(index.path, file.path()));
            self.files
                .extend(other.map(|index| index.file(Status::Modified)));
            self.push(file);
        } else if plain::is_start(&self.cursor) && (!in_message || plain::has_hunk(&self.cursor)) {
            self.start_file();
            self.plain_file()?;
        } else if is_hunk_header(line) && !in_message {
            return Err(row.error("the hunk has no file header above it"));
        } else {
            self.outside(row, line)?;
        }
        Ok(())
    }

    fn plain_file(&mut self) -> Result<(), DiffError> {
        let index = self
            .index
            .take_if(|index| plain::is_indexed(&self.cursor, index.path));
        self.close_index(Status::Modified);
        let above = plain::Above {
            index: index.map(|index| index.path),
            command: self.above,
        };
        let file = plain::read(&mut self.cursor, above)?;
        self.push(file);
        Ok(())
    }

    fn push(&mut self, mut file: FileDiff<'a>) {
        self.after = if file.hunks.is_empty() {
            After::Header
        } else {
            After::Hunk
        };
        self.above = "";
        let mut runs = hunk::runs(std::mem::take(&mut file.hunks)).into_iter();
        let first = runs.next().unwrap_or_default();
        let others: Vec<FileDiff<'a>> = runs
            .map(|hunks| FileDiff {
                hunks,
                ..file.clone()
            })
            .collect();
        self.files.push(FileDiff {
            hunks: first,
            ..file
        });
        self.files.extend(others);
    }

    /// A line outside all files.
    fn outside(&mut self, row: Row<'a>, line: &'a str) -> Result<(), DiffError> {
        let next = self.cursor.following();
        if !self.in_message() {
            self.check_form(row, line, next)?;
        }
        if self.after == After::Hunk {
            self.check_surplus(row, line)?;
        }
        if is_message_start(line, next) {
            self.close_index(Status::Modified);
            self.mail = Some(Mail::Message);
        } else if self.above.starts_with("-----") && index::is_revision(line) {
            self.close_index(Status::Modified);
            self.mail = Some(Mail::Log);
        } else if let Some(index) = Index::at(line, next) {
            self.close_index(Status::Modified);
            self.mail.take_if(|mail| *mail == Mail::Log);
            self.index = Some(index);
        } else if let Some(path) = path_after(line, "Property changes on: ") {
            self.properties(path);
        } else if let Some(index) = self.index {
            self.in_index(index, row, line)?;
        } else {
            self.outside_blocks(row, line)?;
        }
        self.pass(line);
        Ok(())
    }

    fn outside_blocks(&mut self, row: Row<'a>, line: &'a str) -> Result<(), DiffError> {
        let named = plain::named(line).map_err(|reason| row.error(reason))?;
        if let Some(file) = named.filter(|file| !(file.is_unshown && self.in_message())) {
            self.start_file();
            self.push(file);
        }
        Ok(())
    }

    /// Rejects a change that is not unified.
    fn check_form(&self, row: Row<'_>, line: &str, next: &str) -> Result<(), DiffError> {
        let follows_command = || COMMANDS.iter().any(|start| self.above.starts_with(start));
        let is_below_header =
            self.index.is_some() || self.after == After::Header || follows_command();
        let form = if is_below_header {
            Form::below_header(line, next)
        } else {
            Form::at(line, next)
        };
        form.map_or(Ok(()), |form| Err(row.error(form.reason())))
    }

    /// A line in the block of an `Index:` line. In the message of a mail the block may be text.
    fn in_index(
        &mut self,
        mut index: Index<'a>,
        row: Row<'a>,
        line: &'a str,
    ) -> Result<(), DiffError> {
        match index.note(line, self.cursor.following()) {
            Some(Note::Header) => {}
            Some(Note::Binary) => {
                index.set_binary();
                self.index = Some(index);
            }
            Some(Note::Properties) => self.close_index(Status::ModeChanged),
            Some(Note::End) => {
                self.close_index(Status::Modified);
                return self.outside_blocks(row, line);
            }
            None if self.in_message() => self.index = None,
            None => return Err(row.error(NOT_UNIFIED)),
        }
        Ok(())
    }

    fn pass(&mut self, line: &'a str) {
        let stays_in_doubt = self.after == After::Hunk && self.is_surplus_context(line);
        if !line.is_empty() && !stays_in_doubt {
            self.after = After::Text;
        }
        self.above = line;
        self.cursor.advance();
    }

    fn in_message(&self) -> bool {
        matches!(self.mail, Some(Mail::Message | Mail::Log))
    }

    /// Rejects a surplus line after a hunk. Surplus context is not a change; like git, we treat it as text.
    fn check_surplus(&self, row: Row<'_>, line: &str) -> Result<(), DiffError> {
        if line.starts_with(MARKERS) && !self.is_surplus_context(line) && !self.is_separator(line) {
            return Err(row.error(SURPLUS));
        }
        if self.could_be_signature(line) && self.ends_like_a_signature() {
            return Err(
                row.error("the hunk above ends in what may be the signature of the mail: it announces more lines")
            );
        }
        Ok(())
    }

    /// Whether the line, which is below a hunk, is context. In a merge, a changed line may also start with a blank.
    fn is_surplus_context(&self, line: &str) -> bool {
        let hunk = self.files.last().and_then(|file| file.hunks.last());
        line.starts_with(' ') && hunk.is_some_and(|hunk| !hunk.header.starts_with("@@@"))
    }

    /// Whether the line of dashes separates the hunk from text: a mail's signature, the end of a quotation, or a
    /// revision in svn's log. Without text below it, a short one could be a removed line.
    fn is_separator(&self, line: &str) -> bool {
        let dashes = line.trim_end();
        if dashes.len() < 2 || !dashes.bytes().all(|byte| byte == b'-') {
            return false;
        }
        let mut ahead = self.cursor.clone();
        ahead.advance();
        while ahead.peek().is_some_and(|row| row.bare().is_empty()) {
            ahead.advance();
        }
        match ahead.bare() {
            "" => dashes.len() >= RULE_LENGTH,
            text => {
                let is_file =
                    git::is_start(text) || COMMANDS.iter().any(|start| text.starts_with(start));
                !is_file && !text.starts_with(MARKERS)
            }
        }
    }

    /// Whether the line could be a signature's text: any text in a mail, elsewhere only git's version number.
    fn could_be_signature(&self, line: &str) -> bool {
        let is_version = || {
            line.split_once('.')
                .is_some_and(|(major, _)| major.parse::<u8>().is_ok())
        };
        let is_text = !line.is_empty() && !line.starts_with(MARKERS) && !is_message_start(line, "");
        is_text && (self.mail.is_some() || is_version())
    }

    /// Whether the last line of the last hunk is `-- `: a removed dash, or the start of a mail's signature.
    fn ends_like_a_signature(&self) -> bool {
        let last = self
            .files
            .last()
            .and_then(|file| file.hunks.last())
            .and_then(|hunk| hunk.lines.last());
        last.is_some_and(|line| line.kind == LineKind::Removed && line.text.trim_end() == "-")
    }

    /// Starts a file, which ends the message of a mail.
    fn start_file(&mut self) {
        self.mail = self
            .mail
            .filter(|mail| *mail != Mail::Log)
            .map(|_| Mail::Files);
    }

    /// Ends the block of an `Index:` line without a change of the file's content.
    fn close_index(&mut self, status: Status) {
        let file = self.index.take().map(|index| index.file(status));
        self.files.extend(file);
    }

    /// Changed properties (svn's modes) of a file, often the one just read.
    fn properties(&mut self, path: &'a str) {
        if self.index.is_some() {
            self.close_index(Status::ModeChanged);
        } else if self.files.last().is_none_or(|file| file.path() != path) {
            self.files.push(plain::bare_file(
                (Cow::Borrowed(path), Cow::Borrowed(path)),
                Status::ModeChanged,
                false,
            ));
        }
    }
}

fn path_after<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    line.strip_prefix(start).filter(|path| !path.is_empty())
}

fn is_hunk_header(line: &str) -> bool {
    line.starts_with("@@") && line.trim_start_matches('@').starts_with(" -")
}

/// Whether the line starts a mail, or a change of `hg export`: a message follows.
fn is_message_start(line: &str, next: &str) -> bool {
    line == "# HG changeset patch" || mail::is_start(line, next)
}
