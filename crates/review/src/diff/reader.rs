//! The whole text: files, one after another, and what may stand around them.
//!
//! Commit messages, mail headers, statistics and signatures are gone past. What looks like a line of a hunk and
//! belongs to none is an error: it is the mark of a hunk header that announces too little.

use std::borrow::Cow;

use super::cursor::{Cursor, Row};
use super::{Diff, DiffError, FileDiff, LineKind, Status, git, plain};

/// Reads the text of a diff.
pub(super) fn read(text: &str) -> Result<Diff<'_>, DiffError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader =
        Reader { cursor: Cursor::new(text), files: Vec::new(), above: "", index: None, after_hunk: false, mail: None };
    while let Some(row) = reader.cursor.peek() {
        reader.step(row)?;
    }
    reader.close_mail()?;
    reader.close_index(Status::Modified);
    if reader.files.is_empty() {
        let found = if text.trim().is_empty() { "the text is blank" } else { "the text is no diff" };
        return Err(DiffError { line: 1, reason: format!("no file header or hunk was found: {found}") });
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

/// A mail of `git format-patch`. Its message stands at the start of the line and may hold anything, a diff too.
struct Mail {
    /// A file of it has been read.
    begun: bool,
    /// The number of the first line of the message that could be a plain diff.
    doubtful: Option<usize>,
    /// The number of a `---` line that ends the message, though a file was before it.
    late_separator: Option<usize>,
}

impl<'a> Reader<'a> {
    fn step(&mut self, row: Row<'a>) -> Result<(), DiffError> {
        let line = row.bare();
        let in_message = self.mail.as_ref().is_some_and(|mail| !mail.begun);
        if git::is_start(line) && (!in_message || git::is_extended(self.cursor.following())) {
            self.start_file()?;
            let svn = self.index.take().is_some();
            let file = git::read(&mut self.cursor, svn)?;
            self.push(file);
        } else if (plain::is_start(&self.cursor) || is_hunk_header(line)) && in_message {
            self.mail.as_mut().map(|mail| mail.doubtful.get_or_insert(row.number));
            self.pass(line);
        } else if plain::is_start(&self.cursor) {
            self.start_file()?;
            self.plain_file()?;
        } else if is_hunk_header(line) {
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

    fn push(&mut self, file: FileDiff<'a>) {
        self.after_hunk = !file.hunks.is_empty();
        self.above = "";
        self.files.push(file);
    }

    /// A line outside all files.
    fn outside(&mut self, row: Row<'a>, line: &'a str) -> Result<(), DiffError> {
        if self.after_hunk {
            self.check_surplus(row, line)?;
        }
        if is_mail_start(line) {
            self.close_mail()?;
            self.mail = Some(Mail { begun: false, doubtful: None, late_separator: None });
        } else if line == "---" {
            self.mail.as_mut().filter(|mail| mail.begun).map(|mail| mail.late_separator.get_or_insert(row.number));
        } else if let Some(path) = path_after(line, "Index: ").filter(|_| self.cursor.following().starts_with("====="))
        {
            self.close_index(Status::Modified);
            self.index = Some(Index { path, binary: false });
        } else if let Some(path) = path_after(line, "Property changes on: ") {
            self.properties(path);
        } else if let Some(file) = plain::binary_marker(line).map_err(|reason| row.error(reason))? {
            self.start_file()?;
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

    /// A file follows. In a mail it must not be in doubt whether it belongs to the message.
    fn start_file(&mut self) -> Result<(), DiffError> {
        let Some(mail) = self.mail.as_mut() else { return Ok(()) };
        mail.begun = true;
        match mail.late_separator {
            Some(line) => {
                Err(DiffError { line, reason: "the message of the mail cannot be told from its diff".into() })
            }
            None => Ok(()),
        }
    }

    /// A mail ends. A plain diff in one without a git diff would have been taken for its message.
    fn close_mail(&mut self) -> Result<(), DiffError> {
        let doubtful = self.mail.take().and_then(|mail| mail.doubtful.filter(|_| !mail.begun));
        doubtful.map_or(Ok(()), |line| {
            Err(DiffError { line, reason: "the message of the mail cannot be told from its diff".into() })
        })
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
