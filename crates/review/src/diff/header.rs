//! The header of a hunk: `@@ -3,7 +3,8 @@ heading`, with an additional `-` range per further parent of a merge.

use super::model::Span;

const MALFORMED: &str = "the hunk header is malformed: expected `@@ -LINE,COUNT +LINE,COUNT @@`";
const TOO_LARGE: &str = "a number of the hunk header is too large: line numbers end at 4294967295";
const FROM_ZERO: &str = "the hunk header announces lines that start at line 0";

/// A parsed hunk header.
#[derive(Debug)]
pub(super) struct HunkHeader<'a> {
    /// The old side, per parent; never empty.
    pub(super) parents: Vec<Span>,
    /// The new side.
    pub(super) new: Span,
    /// The text after the closing `@@`.
    pub(super) heading: &'a str,
}

impl<'a> HunkHeader<'a> {
    /// Parses a header line. A file with `n` parents has `n + 1` `@` signs at either end.
    pub(super) fn parse(text: &'a str) -> Result<Self, &'static str> {
        let fence = text.bytes().take_while(|byte| *byte == b'@').count();
        let (fence, rest) = text.split_at_checked(fence).ok_or(MALFORMED)?;
        let mut rest = rest.strip_prefix(' ').ok_or(MALFORMED)?;
        let mut parents = Vec::new();
        while let Some(range) = rest.strip_prefix('-') {
            let (range, tail) = range.split_once(' ').ok_or(MALFORMED)?;
            parents.push(Span::parse(range)?);
            rest = tail;
        }
        let (range, tail) = rest
            .strip_prefix('+')
            .and_then(|range| range.split_once(' '))
            .ok_or(MALFORMED)?;
        let heading = tail.strip_prefix(fence).ok_or(MALFORMED)?;
        if parents.is_empty() || parents.len() + 1 != fence.len() || heading.starts_with('@') {
            return Err(MALFORMED);
        }
        Ok(Self {
            parents,
            new: Span::parse(range)?,
            heading: heading.trim(),
        })
    }

    /// The first parent's side.
    pub(super) fn old(&self) -> Span {
        self.parents
            .first()
            .copied()
            .unwrap_or(Span { start: 0, count: 0 })
    }
}

impl Span {
    /// Parses `start` or `start,count`.
    fn parse(range: &str) -> Result<Self, &'static str> {
        let (start, count) = range.split_once(',').unwrap_or((range, "1"));
        let (start, count) = (number(start)?, number(count)?);
        if start == 0 && count > 0 {
            return Err(FROM_ZERO);
        }
        start.checked_add(count).ok_or(TOO_LARGE)?;
        Ok(Self { start, count })
    }
}

fn number(digits: &str) -> Result<u32, &'static str> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(MALFORMED);
    }
    digits.parse().map_err(|_| TOO_LARGE)
}

#[cfg(test)]
mod tests {
    use super::{FROM_ZERO, HunkHeader, MALFORMED, TOO_LARGE};

    #[test]
    fn ranges_and_heading_are_separated() {
        let header = HunkHeader::parse("@@ -1,2 +3 @@  int f(void) { /* @@ -9 +9 @@ */").unwrap();
        assert_eq!((header.old().start, header.old().count), (1, 2));
        assert_eq!((header.new.start, header.new.count), (3, 1));
        assert_eq!(header.heading, "int f(void) { /* @@ -9 +9 @@ */");
        let merge = HunkHeader::parse("@@@@ -1 -2,0 -3,4 +5,6 @@@@").unwrap();
        assert_eq!(merge.parents.len(), 3);
        assert_eq!(merge.heading, "");
    }

    #[test]
    fn malformed_headers_are_rejected_with_a_reason() {
        for text in [
            "@@", "@@ ", "@@ -1 +1", "@@ -1 @@", "@@ +1 -1 @@", "@@ -1 +1 @", "@@ -1 -1 +1 @@",
            "@@@ -1 +1 @@@", "@ -1 +1 @", "@@ -1 +1 @@@", "@@ -+1 +1 @@", "@@ -1, +1 @@",
            "@@ -,1 +1 @@", "@@ -1,2,3 +1 @@", "@@ -x +1 @@", "@@@@@", "@@ -1  +1 @@",
            "@@ --1 +1 @@", "@@ -1 +1@@", "@@ -é +1 @@",
        ] {
            assert_eq!(HunkHeader::parse(text).unwrap_err(), MALFORMED, "{text}");
        }
        for text in [
            "@@ -4294967296 +1 @@", "@@ -1 +1,99999999999999999999 @@", "@@ -4294967295,2 +1 @@",
        ] {
            assert_eq!(HunkHeader::parse(text).unwrap_err(), TOO_LARGE, "{text}");
        }
        for text in ["@@ -0 +1 @@", "@@ -1 +0,1 @@"] {
            assert_eq!(HunkHeader::parse(text).unwrap_err(), FROM_ZERO, "{text}");
        }
        assert!(HunkHeader::parse("@@ -0,0 +0,0 @@").is_ok());
    }
}
