//! How much of a file the engine looks at. Every bound is a count, never a clock, so that the same input always gives
//! the same answer; the time limit is the worker process's.

/// Bounds on the work for one file of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one side of one hunk; a larger one is read by text rules only.
    pub bytes: usize,
    /// Syntax nodes of one side of one hunk; what comes after them is not looked at.
    pub nodes: usize,
    /// Depth of the syntax tree; what lies deeper, and what contains it, is not looked at.
    pub depth: usize,
    /// Parser steps (of a hundred operations) beyond one for each 20 bytes. Of 40,000 real texts, none took more than
    /// half of that.
    pub parse_budget: usize,
    /// Refuse texts that are known to make a grammar abort the process. Switched off only to test what happens when one
    /// does: then 256 nested YAML mappings, or `"$("` 100,000 times as PHP, end the process.
    pub screen: bool,
    /// Bytes of one line that are parsed: no more than of a chunk, because a parser takes up to 300 bytes for each.
    pub line_bytes: usize,
}

impl Limits {
    /// Parser steps for a text of this many bytes.
    pub(super) fn steps(&self, bytes: usize) -> usize {
        self.parse_budget + bytes / 20
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 20, nodes: 600_000, depth: 500, parse_budget: 100, screen: true, line_bytes: 1 << 20 }
    }
}
