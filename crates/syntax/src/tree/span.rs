//! The position of a node in the lines of the diff.

use review::{Side, Span};

use super::node::{Node, Tree};

impl Tree<'_> {
    /// The byte offset of a row in the parsed text.
    fn row_start(&self, row: usize) -> Option<usize> {
        let starts = self.row_starts.get_or_init(|| {
            let breaks = self
                .source()
                .bytes()
                .enumerate()
                .filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0)
                .chain(breaks.map(|(at, _)| at + 1))
                .collect()
        });
        starts.get(row).copied()
    }

    /// A row without its line end, and its byte offset.
    fn row(&self, row: usize) -> Option<(usize, &str)> {
        let start = self.row_start(row)?;
        let end = self
            .row_start(row + 1)
            .map_or(self.source().len(), |next| next - 1);
        Some((start, self.slice(start, end).trim_end_matches('\r')))
    }
}

impl Node<'_> {
    /// From the reported line to the end of the node, or of its last line on the reported side. Columns count bytes; they are
    /// converted to characters once, for the final findings.
    pub fn span(self) -> Option<Span> {
        let (first, last) = (self.report_row()?, self.last_reported_row()?);
        let (start, text) = self.tree.row(first)?;
        let begin = if self.start() >= start {
            self.start() - start
        } else {
            text.len() - text.trim_start().len()
        };
        let (start, text) = self.tree.row(last)?;
        let end = self.end().saturating_sub(start).min(text.len());
        let (_, line) = self.tree.fragment.line_of_row(last)?;
        let column = |bytes: usize| u32::try_from(bytes + 1).ok();
        Some(Span {
            start_column: column(begin)?,
            end_line: line.number,
            end_column: column(end)?,
        })
    }

    /// Its last row that can have a finding: on the old side, a removed one.
    fn last_reported_row(self) -> Option<usize> {
        let last = self.rows().1;
        match self.tree.side() {
            Side::New => Some(last),
            Side::Old => self.tree.last_changed_row(last),
        }
    }
}
