//! The lines of a hunk, counted on each side against the hunk header.
//!
//! One reader serves ordinary and combined diffs; an ordinary diff has a single parent. A line has one marker column
//! per parent. A line with a `-` in any column is not in the result, but in the parents with `-` in their column. Any
//! other line is in the result, and in the parents whose column is blank.

use super::cursor::{Cursor, Row};
use super::header::HunkHeader;
use super::model::{DiffError, Line, LineKind, Span};
use super::parents::{Excess, Parents};
use super::section::Section;

/// Text that git and svn write after an empty line below a hunk.
const SEPARATED: [&str; 2] = ["commit ", "Property changes on: "];

/// The progress on the new side of a hunk.
struct LineCount {
    next: u32,
    left: u32,
    /// The last line is on this side.
    touched: bool,
    /// The end-of-file marker for this side was read.
    ended: bool,
}

impl LineCount {
    fn new(span: Span) -> Self {
        Self {
            next: span.start,
            left: span.count,
            touched: false,
            ended: false,
        }
    }

    /// The line's number on this side, if it is present there.
    fn take(&mut self, present: bool) -> Result<Option<u32>, Excess> {
        self.touched = present;
        if !present {
            return Ok(None);
        }
        if self.ended {
            return Err(Excess::AfterEnd("new"));
        }
        self.left = self.left.checked_sub(1).ok_or(Excess::Surplus("new"))?;
        let number = self.next;
        self.next = number.saturating_add(1);
        Ok(Some(number))
    }
}

/// A hunk while its lines are being read.
pub(super) struct Body<'a> {
    section: Section,
    header_line: usize,
    parents: Parents,
    new: LineCount,
    /// The marker columns of the last line.
    columns: &'a [u8],
    lines: Vec<Line<'a>>,
}

impl<'a> Body<'a> {
    pub(super) fn new(header: &HunkHeader<'_>, row: Row<'_>, section: Section) -> Self {
        let (parents, new) = (Parents::new(&header.parents), LineCount::new(header.new));
        Self {
            section,
            header_line: row.number,
            parents,
            new,
            columns: &[],
            lines: Vec::new(),
        }
    }

    pub(super) fn read(mut self, cursor: &mut Cursor<'a>) -> Result<Vec<Line<'a>>, DiffError> {
        let mut is_unmarked = false;
        loop {
            let row = cursor.peek();
            if let Some(row) = row.filter(|row| row.raw.starts_with("\\ ")) {
                self.end_file(row)?;
            } else if self.is_complete() || self.is_abridged(cursor.bare()) {
                // The empty line was a separator and not a context line, so the hunk is one line short.
                if is_unmarked
                    && SEPARATED
                        .iter()
                        .any(|start| cursor.bare().starts_with(start))
                {
                    return Err(cursor.error(format!(
                        "the hunk header at line {} announces 1 more line",
                        self.header_line
                    )));
                }
                self.unset_doubtful();
                // Shrinking each hunk keeps the memory of a diff with many lines near the size of its text.
                self.lines.shrink_to_fit();
                return Ok(self.lines);
            } else {
                let row = row.ok_or_else(|| cursor.error(self.missing("the text ends")))?;
                let line = self.line(row)?;
                self.lines.push(line);
                is_unmarked = row.bare().is_empty();
            }
            cursor.advance();
        }
    }

    fn is_complete(&self) -> bool {
        self.new.left == 0 && self.parents.are_complete()
    }

    /// Whether the new side is complete, the next line is outside the hunk, and git may have omitted the rest.
    fn is_abridged(&self, next: &str) -> bool {
        let has_context = || self.lines.iter().any(|line| line.kind == LineKind::Context);
        self.section.abridged
            && self.new.left == 0
            && !next.starts_with([' ', '+', '-'])
            && has_context()
    }

    /// Unsets line numbers of the first parent where lines of it may have been omitted.
    fn unset_doubtful(&mut self) {
        if self.parents.first_left() > 0 {
            self.lines.iter_mut().for_each(|line| line.old = None);
        }
    }

    fn line(&mut self, row: Row<'a>) -> Result<Line<'a>, DiffError> {
        let content = row.in_section(self.section.crlf);
        // If trailing white space was stripped, the missing marker columns were blank.
        let columns = content
            .as_bytes()
            .get(..self.parents.len())
            .unwrap_or(content.as_bytes());
        let (mut plus, mut minus) = (false, false);
        for column in columns {
            match column {
                b' ' => {}
                b'+' => plus = true,
                b'-' => minus = true,
                _ => return Err(row.error(self.missing("the line is not a line of a hunk"))),
            }
        }
        let kind = match (plus, minus) {
            (false, false) => LineKind::Context,
            (true, false) => LineKind::Added,
            (false, true) => LineKind::Removed,
            (true, true) => return Err(row.error("the line is marked as both added and removed")),
        };
        let [old, new] = self
            .count(kind, columns)
            .map_err(|excess| row.error(self.excess(excess)))?;
        self.columns = columns;
        let text = content.get(self.parents.len()..).unwrap_or_default();
        Ok(Line {
            kind,
            old,
            new,
            text,
            terminated: true,
        })
    }

    /// Counts the line on every side that has it, and returns its numbers on the first parent and the new side.
    fn count(&mut self, kind: LineKind, columns: &[u8]) -> Result<[Option<u32>; 2], Excess> {
        let old = match kind {
            LineKind::Removed => self.parents.take_removed(columns)?,
            LineKind::Context | LineKind::Added => self.parents.take_kept(columns)?,
        };
        Ok([old, self.new.take(kind != LineKind::Removed)?])
    }

    /// Handles `\ No newline at end of file`: the last line ends the file on the sides that have it.
    fn end_file(&mut self, row: Row<'_>) -> Result<(), DiffError> {
        let last = self.lines.last_mut().filter(|line| line.terminated);
        let last = last.ok_or_else(|| {
            row.error("the marker for a missing line feed follows no line of the hunk")
        })?;
        last.terminated = false;
        self.parents
            .end(self.columns, last.kind == LineKind::Removed);
        self.new.ended |= self.new.touched;
        Ok(())
    }

    fn excess(&self, excess: Excess) -> String {
        match excess {
            Excess::AfterEnd(side) => {
                format!("the line follows the end of the file on the {side} side")
            }
            Excess::Surplus(side) => {
                format!(
                    "the hunk header at line {} announces fewer lines on the {side} side",
                    self.header_line
                )
            }
        }
    }

    fn missing(&self, what: &str) -> String {
        let more = match (self.parents.max_left(), i64::from(self.new.left)) {
            (1, 1) => "1 more line".to_owned(),
            (old, new) if old == new => format!("{new} more lines"),
            (0, new) => format!("{new} more new lines"),
            (old, 0) => format!("{old} more old lines"),
            (old, new) => format!("{old} more old and {new} more new lines"),
        };
        format!(
            "{what}, but the hunk header at line {} announces {more}",
            self.header_line
        )
    }
}
