//! Limits on the repair of a text, as counts.

/// How much is tried to repair a text.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// Bytes of texts that are parsed again after an edit. The parser takes most of each over from the tree before it.
    bytes: usize,
    fewest: usize,
    most: usize,
    /// Maximum number of places where something is left out.
    pub(super) places: usize,
}

/// In a whole file, what cannot be read is code.
pub(super) const WHOLE: Effort = Effort {
    bytes: 8_000_000,
    fewest: 8,
    most: 96,
    places: 40,
};
/// A part of a file can be prose, of which enough words left out would make code.
pub(super) const PART: Effort = Effort {
    bytes: 1_000_000,
    fewest: 4,
    most: 32,
    places: 16,
};

impl Effort {
    /// The number of edits to try in a text.
    pub(super) fn attempts(self, text: &str) -> usize {
        (self.bytes / text.len().max(1)).clamp(self.fewest, self.most)
    }
}
