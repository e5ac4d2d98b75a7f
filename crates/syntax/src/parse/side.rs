//! One side of a hunk as text.

use review::{LineKind, Side};

use super::hunk::Hunk;
use super::limits::Limits;

/// The lines of one side of a hunk as one text.
pub(crate) struct SideText {
    pub(crate) side: Side,
    /// The lines, each terminated by a line feed.
    pub(crate) text: String,
    pub(crate) lines: Vec<SideLine>,
    /// A line was truncated.
    pub(crate) cut: bool,
}

/// One line of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SideLine {
    /// Number on its side, from 1.
    pub(crate) number: u32,
    /// Index in the hunk's lines.
    pub(crate) index: u32,
    /// Added or removed.
    pub(crate) changed: bool,
}

impl SideText {
    pub(crate) fn new(hunk: Hunk<'_>, side: Side, limits: &Limits) -> Self {
        let mut text = String::new();
        let mut lines = Vec::with_capacity(hunk.lines.len());
        let mut cut = false;
        for (index, line) in (0_u32..).zip(hunk.lines) {
            let (number, own) = match side {
                Side::New => (line.new, LineKind::Added),
                Side::Old => (line.old, LineKind::Removed),
            };
            let Some(number) =
                number.filter(|_| line.kind == LineKind::Context || line.kind == own)
            else {
                continue;
            };
            let kept = shorten(line.text, limits.line_bytes);
            cut |= kept.len() < line.text.len();
            // To the parser, a NUL byte is the end of the file.
            text.extend(kept.chars().map(|c| if c == '\0' { ' ' } else { c }));
            text.push('\n');
            lines.push(SideLine {
                number,
                index,
                changed: line.kind == own,
            });
        }
        Self {
            side,
            text,
            lines,
            cut,
        }
    }

    pub(crate) fn has_changes(&self) -> bool {
        self.lines.iter().any(|line| line.changed)
    }
}

/// The text truncated to `bytes` bytes at a character boundary.
pub(crate) fn shorten(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
