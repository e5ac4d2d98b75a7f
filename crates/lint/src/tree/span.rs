//! Where a node stands in the lines of the diff.

use review::{Side, Span};

use super::node::{Node, Tree};

impl Tree<'_> {
    /// The byte of the parsed text that a row begins at.
    fn row_start(&self, row: usize) -> Option<usize> {
        let starts = self.row_starts.get_or_init(|| {
            let breaks = self.source().bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        });
        starts.get(row).copied()
    }

    /// A row without its line end, and where it begins.
    fn row(&self, row: usize) -> Option<(usize, &str)> {
        let start = self.row_start(row)?;
        let end = self.row_start(row + 1).map_or(self.source().len(), |next| next - 1);
        Some((start, self.slice(start, end).trim_end_matches('\r')))
    }
}

impl Node<'_> {
    /// From the line to report to the end of the node, or of its last line that is on the side that is reported. Columns
    /// count bytes: characters are counted for what remains of the findings in the end, once.
    pub(crate) fn span(self) -> Option<Span> {
        let (first, last) = (self.report_row()?, self.last_reported_row()?);
        let (start, text) = self.tree.row(first)?;
        let begin = if self.start() >= start { self.start() - start } else { text.len() - text.trim_start().len() };
        let (start, text) = self.tree.row(last)?;
        let end = self.end().saturating_sub(start).min(text.len());
        let (_, line) = self.tree.fragment.line_of_row(last)?;
        let column = |bytes: usize| u32::try_from(bytes + 1).ok();
        Some(Span { start_column: column(begin)?, end_line: line.number, end_column: column(end)? })
    }

    /// The last row of it that a finding can be on: of the old side, one that was removed.
    fn last_reported_row(self) -> Option<usize> {
        let last = self.rows().1;
        match self.tree.side() {
            Side::New => Some(last),
            Side::Old => self.tree.last_changed_row(last),
        }
    }
}
