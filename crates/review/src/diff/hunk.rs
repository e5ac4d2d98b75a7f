//! The hunks of a file, one after another: their headers, their order, and what they have in common.

use super::body::Body;
use super::cursor::Cursor;
use super::header::HunkHeader;
use super::{DiffError, Hunk, Line, Span};

/// What all hunks of a file have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    /// Every line of the section ends in CRLF.
    pub(super) crlf: bool,
    /// The hunks are those of a merge (`@@@`).
    pub(super) combined: bool,
    /// The merge is abridged (`--cc`): git leaves removed lines out of the context of a hunk when all that they show
    /// is that one parent was taken, but counts them in the hunk header.
    pub(super) abridged: bool,
}

/// Reads the hunks at the cursor; none where there is no hunk header.
pub(super) fn read_all<'a>(cursor: &mut Cursor<'a>, section: Section) -> Result<Vec<Hunk<'a>>, DiffError> {
    let mut hunks: Vec<Hunk<'a>> = Vec::new();
    let mut parents = None;
    while let Some(row) = cursor.peek().filter(|row| row.raw.starts_with("@@")) {
        let text = row.in_section(section.crlf);
        let header = HunkHeader::parse(text).map_err(|reason| row.error(reason))?;
        if section.combined != (header.parents.len() > 1)
            || *parents.get_or_insert(header.parents.len()) != header.parents.len()
        {
            return Err(row.error("the hunk header has another number of parents than its file"));
        }
        if let Some(previous) = hunks.last() {
            check_order(previous, &header, section.combined).map_err(|reason| row.error(reason))?;
        }
        cursor.advance();
        let lines = Body::new(&header, row, section).read(cursor)?;
        hunks.push(Hunk { header: text, heading: header.heading, old: header.old(), new: header.new, lines });
    }
    hunks.shrink_to_fit();
    Ok(hunks)
}

fn check_order(previous: &Hunk<'_>, header: &HunkHeader<'_>, combined: bool) -> Result<(), &'static str> {
    let old = header.old();
    if old.bounds(combined).0 < previous.old.bounds(combined).1
        || header.new.bounds(combined).0 < previous.new.bounds(combined).1
    {
        return Err("the hunk overlaps the one before it, or the hunks are out of order");
    }
    let ended = |number: fn(&Line<'_>) -> Option<u32>| {
        previous.lines.iter().rev().find(|line| number(line).is_some()).is_some_and(|line| !line.terminated)
    };
    if (old.count > 0 && ended(|line| line.old)) || (header.new.count > 0 && ended(|line| line.new)) {
        return Err("the hunk follows one that reaches the end of the file");
    }
    Ok(())
}

impl Span {
    /// The number of the first line and of the line after the last. An empty side names the line before it; in a
    /// combined diff git names the line after it instead.
    fn bounds(self, combined: bool) -> (u64, u64) {
        let start = u64::from(self.start) + u64::from(self.count == 0 && !combined);
        (start, start + u64::from(self.count))
    }
}
