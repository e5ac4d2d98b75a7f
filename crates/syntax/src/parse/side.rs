//! One side of a hunk as text.

use review::{LineKind, Side};

use super::hunk::Hunk;
use super::limits::Limits;

/// The lines of one side of a hunk as one text.
pub struct SideText {
    pub(crate) side: Side,
    /// The lines, each terminated by a line feed.
    pub text: String,
    /// The same lines, with their numbers.
    pub lines: Vec<SideLine>,
    /// A line was truncated.
    pub cut: bool,
}

/// One line of it.
#[derive(Debug, Clone, Copy)]
pub struct SideLine {
    /// Number on its side, from 1.
    pub number: u32,
    /// Index in the hunk's lines.
    pub index: u32,
    /// Added or removed.
    pub changed: bool,
}

impl SideText {
    /// The lines of a side of a hunk, with long ones truncated.
    pub fn new(hunk: Hunk<'_>, side: Side, limits: &Limits) -> Self {
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

    /// Whether any of its lines is added or removed.
    pub fn has_changes(&self) -> bool {
        self.lines.iter().any(|line| line.changed)
    }
}

/// The text truncated to `bytes` bytes at a character boundary.
pub fn shorten(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
