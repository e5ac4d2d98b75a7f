//! Positions of the protocol, offsets in a text, and lines and columns of a diff.
//!
//! The protocol's lines end with `\n`, `\r\n` or `\r`, and the client chooses the unit of its columns. A diff's lines
//! end with `\n`, and its columns count characters from 1. Byte offsets connect the two.

use gen_lsp_types::{Position, PositionEncodingKind, Range};
use review::byte_offset;

/// The unit of the columns of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// Finds an encoding by its name in the protocol.
    pub(super) fn find(name: &str) -> Option<Self> {
        match name {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, character: char) -> usize {
        match self {
            Self::Utf8 => character.len_utf8(),
            Self::Utf16 => character.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// A text with the offsets of its lines.
pub(super) struct Lines<'t> {
    text: &'t str,
    encoding: Encoding,
    /// The lines of the protocol.
    starts: Vec<usize>,
    /// The lines of a diff.
    diff_starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn of(text: &'t str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = |at: &usize| match bytes.get(*at) {
            Some(b'\n') => true,
            Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = |ends: &dyn Fn(&usize) -> bool| -> Vec<usize> {
            std::iter::once(0)
                .chain((0..bytes.len()).filter(ends).map(|at| at + 1))
                .collect()
        };
        let diff_starts = starts(&|at| bytes.get(*at) == Some(&b'\n'));
        Self {
            text,
            encoding,
            starts: starts(&ends),
            diff_starts,
        }
    }

    /// The byte offset of a position. As the protocol requires, a column beyond a line is the line's end, and a line
    /// beyond the text is the text's end.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Some(start) = usize::try_from(position.line)
            .ok()
            .and_then(|line| self.starts.get(line))
        else {
            return self.text.len();
        };
        let (mut left, mut offset) = (
            usize::try_from(position.character).unwrap_or(usize::MAX),
            *start,
        );
        for character in self.content(*start).chars() {
            let units = self.encoding.units(character);
            // A position in the middle of a character is before it.
            if units > left {
                break;
            }
            left -= units;
            offset += character.len_utf8();
        }
        offset
    }

    /// The position of a byte offset. Offsets within a line's end are at the end of its content.
    pub(super) fn position(&self, offset: usize) -> Position {
        let line = self
            .starts
            .partition_point(|start| *start <= offset)
            .saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let before = self
            .content(start)
            .char_indices()
            .take_while(|(at, _)| start + at < offset);
        let character: usize = before
            .map(|(_, character)| self.encoding.units(character))
            .sum();
        let number = |value| u32::try_from(value).unwrap_or(u32::MAX);
        Position::new(number(line), number(character))
    }

    /// The range between two byte offsets.
    pub(super) fn range(&self, start: usize, end: usize) -> Range {
        Range::new(self.position(start), self.position(end))
    }

    /// The rest of a line from a byte offset, without its end.
    fn content(&self, start: usize) -> &'t str {
        let rest = self.text.get(start..).unwrap_or_default();
        rest.split(['\n', '\r']).next().unwrap_or_default()
    }

    /// The byte offset of a line of a diff, and its text without the line's end. A number beyond the last line is the
    /// last line.
    pub(super) fn line(&self, number: u32) -> (usize, &'t str) {
        let last = self.diff_starts.len().saturating_sub(1);
        let index = usize::try_from(number)
            .unwrap_or(usize::MAX)
            .saturating_sub(1)
            .min(last);
        let start = self.diff_starts.get(index).copied().unwrap_or_default();
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        (start, line.strip_suffix('\r').unwrap_or(line))
    }

    /// The end of a line, or that of the text's first line if the line has none.
    pub(super) fn line_end(&self, number: u32) -> &'static str {
        let (start, line) = self.line(number);
        let rest = self.text.get(start + line.len()..).unwrap_or_default();
        let is_last = rest.is_empty() && number > 1;
        if rest.starts_with("\r\n") || (is_last && self.line_end(1) == "\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }

    /// The byte offset of a line and a column of a diff; a column beyond the line is the line's end.
    pub(super) fn diff_offset(&self, line: u32, column: u32) -> usize {
        let (start, text) = self.line(line);
        start + byte_offset(text, column).unwrap_or(text.len())
    }
}

#[cfg(test)]
mod tests {
    use gen_lsp_types::Position;
    use proptest::prelude::*;

    use super::{Encoding, Lines};

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    /// The protocol's definition, implemented by counting.
    fn counted(text: &str, offset: usize, encoding: Encoding) -> Position {
        let before = text[..offset].replace("\r\n", "\n").replace('\r', "\n");
        let last = before.rsplit('\n').next().unwrap();
        let units = match encoding {
            Encoding::Utf8 => last.len(),
            Encoding::Utf16 => last.encode_utf16().count(),
            Encoding::Utf32 => last.chars().count(),
        };
        Position::new(
            before.matches('\n').count().try_into().unwrap(),
            units.try_into().unwrap(),
        )
    }

    #[test]
    fn columns_count_the_agreed_unit() {
        let text = "a😀é = 1\n";
        let columns = ALL.map(|encoding| {
            Lines::of(text, encoding)
                .position(text.find('=').unwrap())
                .character
        });
        assert_eq!(columns, [8, 5, 4]);
        let middle = Lines::of(text, Encoding::Utf16).offset(Position::new(0, 2));
        assert_eq!(middle, 1, "in the middle of a surrogate pair");
    }

    #[test]
    fn positions_beyond_the_text_are_clamped() {
        let lines = Lines::of("ab\r\ncd", Encoding::Utf16);
        assert_eq!(lines.offset(Position::new(0, 99)), 2);
        assert_eq!(lines.offset(Position::new(9, 0)), 6);
        assert_eq!(lines.offset(Position::new(u32::MAX, u32::MAX)), 6);
        assert_eq!(
            lines.position(3),
            Position::new(0, 2),
            "between the two of a line's end"
        );
        assert_eq!(lines.position(usize::MAX), Position::new(1, 2));
        assert_eq!(lines.line(9), (4, "cd"));
        assert_eq!([1, 2, 9].map(|line| lines.line_end(line)), ["\r\n"; 3]);
        assert_eq!(lines.diff_offset(1, 99), 2);
        assert_eq!(lines.diff_offset(0, 0), 2);
    }

    #[test]
    fn a_carriage_return_ends_a_line_in_the_protocol_but_not_in_a_diff() {
        let lines = Lines::of("a\rb\nc", Encoding::Utf8);
        assert_eq!(lines.position(lines.diff_offset(1, 3)), Position::new(1, 0));
        assert_eq!(lines.position(lines.diff_offset(2, 1)), Position::new(2, 0));
    }

    proptest! {
        #[test]
        fn positions_and_offsets_are_inverse(text in "[a\\r\\n é😀]{0,24}") {
            for encoding in ALL {
                let lines = Lines::of(&text, encoding);
                for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                    if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') {
                        continue;
                    }
                    let position = counted(&text, offset, encoding);
                    prop_assert_eq!(lines.position(offset), position);
                    prop_assert_eq!(lines.offset(position), offset);
                }
            }
        }

        #[test]
        fn no_position_panics_or_splits_a_character(
            text in "[a\\r\\n é😀]{0,12}", line in 0u32..8, character in 0u32..12,
        ) {
            for encoding in ALL {
                let lines = Lines::of(&text, encoding);
                prop_assert!(text.is_char_boundary(lines.offset(Position::new(line, character))));
                prop_assert!(text.is_char_boundary(lines.diff_offset(line, character)));
            }
        }
    }
}
