//! Limits on the part of a file that is analysed. All limits are counts, not times, so that results are reproducible.
//! The worker process enforces a time limit.

/// Bounds on the work for one file of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one side of a hunk. Only text rules read a larger one.
    pub bytes: usize,
    /// Syntax nodes of one side of a hunk. The nodes after them are not analysed.
    pub nodes: usize,
    /// Depth of the syntax tree. Deeper nodes and their ancestors are not analysed.
    pub depth: usize,
    /// Parser steps (of a hundred operations) in addition to one per 20 bytes. Of 40,000 real texts, none used more than half of
    /// it.
    pub parse_budget: usize,
    /// Rejects texts that are known to make a grammar abort the process. Tests disable it to show the consequences:
    /// without it, 256 nested YAML mappings abort the process, and so does PHP with 100,000 times `"$("`.
    pub screen: bool,
    /// Bytes of one parsed line. It equals the limit of a chunk, because a parser uses up to 300 bytes of memory per
    /// byte.
    pub line_bytes: usize,
}

impl Limits {
    /// Parser steps for a text of this size.
    pub(super) fn steps(&self, bytes: usize) -> usize {
        self.parse_budget + bytes / 20
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 1 << 20,
            nodes: 600_000,
            depth: 500,
            parse_budget: 100,
            screen: true,
            line_bytes: 1 << 20,
        }
    }
}
