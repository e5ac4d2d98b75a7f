//! Limits on the analysed part of a file. All limits are counts and not times, so that results are reproducible; the worker
//! process has the time limit.

/// Bounds on the work for one file of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one side of a hunk; only text rules read a larger one.
    pub bytes: usize,
    /// Syntax nodes of one side of a hunk; later ones are not analysed.
    pub nodes: usize,
    /// Depth of the syntax tree; deeper nodes and their ancestors are not analysed.
    pub depth: usize,
    /// Parser steps (of a hundred operations) in addition to one per 20 bytes. Of 40,000 real texts, none used more than half of
    /// it.
    pub parse_budget: usize,
    /// Reject texts that are known to make a grammar abort the process. Disabled only to test the consequences: then 256 nested
    /// YAML mappings, or 100,000 times `"$("` as PHP, abort the process.
    pub screen: bool,
    /// Bytes of one parsed line: no more than a chunk has, because a parser uses up to 300 bytes of memory per byte.
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
