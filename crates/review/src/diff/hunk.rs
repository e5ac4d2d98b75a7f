//! The hunks of a file: headers, order, and common properties.

use super::body::Body;
use super::cursor::Cursor;
use super::header::HunkHeader;
use super::model::{DiffError, Hunk, Line, Span};
use super::section::Section;

/// Reads the hunks at the cursor; none if there is no hunk header.
pub(super) fn read_all<'a>(
    cursor: &mut Cursor<'a>,
    section: Section,
) -> Result<Vec<Hunk<'a>>, DiffError> {
    let mut hunks: Vec<Hunk<'a>> = Vec::new();
    let mut parents = None;
    while let Some(row) = cursor.peek().filter(|row| row.raw.starts_with("@@")) {
        let text = row.in_section(section.crlf);
        let header = HunkHeader::parse(text).map_err(|reason| row.error(reason))?;
        if section.combined != (header.parents.len() > 1)
            || *parents.get_or_insert(header.parents.len()) != header.parents.len()
        {
            return Err(row.error("the hunk header has another number of parents than the file"));
        }
        if let Some(previous) = hunks.last() {
            check_order(previous, &header, section.combined).map_err(|reason| row.error(reason))?;
        }
        cursor.advance();
        let lines = Body::new(&header, row, section).read(cursor)?;
        hunks.push(Hunk {
            header: text,
            heading: header.heading,
            old: header.old(),
            new: header.new,
            lines,
        });
    }
    hunks.shrink_to_fit();
    Ok(hunks)
}

/// The hunks of a file in runs with ascending numbers on both sides; most diffs have one run.
///
/// `git apply` treats the numbers of a hunk header as a hint, so diffs with overlapping or unordered hunks exist. A
/// side and a number must identify one line of a file, so each run becomes a separate file.
pub(super) fn runs(hunks: Vec<Hunk<'_>>) -> Vec<Vec<Hunk<'_>>> {
    let mut runs: Vec<Vec<Hunk<'_>>> = Vec::new();
    for hunk in hunks {
        match runs.last_mut() {
            Some(run)
                if run
                    .last()
                    .is_some_and(|last| follows(last, hunk.old, hunk.new, is_combined(&hunk))) =>
            {
                run.push(hunk);
            }
            _ => runs.push(vec![hunk]),
        }
    }
    runs
}

fn is_combined(hunk: &Hunk<'_>) -> bool {
    hunk.header.starts_with("@@@")
}

/// Whether the hunk starts after the end of the previous one, on both sides.
fn follows(previous: &Hunk<'_>, old: Span, new: Span, combined: bool) -> bool {
    old.bounds(combined).0 >= previous.old.bounds(combined).1
        && new.bounds(combined).0 >= previous.new.bounds(combined).1
}

fn check_order(
    previous: &Hunk<'_>,
    header: &HunkHeader<'_>,
    combined: bool,
) -> Result<(), &'static str> {
    let old = header.old();
    if !follows(previous, old, header.new, combined) {
        // A merge cannot be applied, and in an added or removed file a hunk cannot be moved.
        let on_nothing = [old, previous.old].iter().all(|span| span.start == 0);
        let refused = combined || on_nothing;
        return if refused {
            Err("the hunk overlaps the one before it, or the hunks are out of order")
        } else {
            Ok(())
        };
    }
    let ended = |number: fn(&Line<'_>) -> Option<u32>| {
        previous
            .lines
            .iter()
            .rev()
            .find(|line| number(line).is_some())
            .is_some_and(|line| !line.terminated)
    };
    if (old.count > 0 && ended(|line| line.old)) || (header.new.count > 0 && ended(|line| line.new))
    {
        return Err("the hunk follows one that reaches the end of the file");
    }
    Ok(())
}

impl Span {
    /// The numbers of the first line and of the line after the last. An empty side states the line before it, except in
    /// a combined diff, where git states the line after it.
    fn bounds(self, combined: bool) -> (u64, u64) {
        let start = u64::from(self.start) + u64::from(self.count == 0 && !combined);
        (start, start + u64::from(self.count))
    }
}
