//! Findings on lines that a change only formats: the code was there before, so the change is not the cause.

use std::collections::HashMap;

use review::{Candidate, Lexical, Line, LineKind, Side};
use syntax::parse::Hunk;

/// Shorter code can be the same by chance.
const DISTINCTIVE: usize = 12;
/// Marks of comments and strings that span lines. Code that comes out of one of them is new.
const BLOCKS: &[&str] = &["/*", "*/", "\"\"\"", "'''", "<!--", "`", "=begin"];

/// The edits of a hunk, for comparing what they add with what they remove.
pub(super) struct Reformatted<'h> {
    /// The added lines by their numbers, each with the edit that it is in.
    added: HashMap<u32, (usize, &'h str)>,
    edits: Vec<Removed<'h>>,
}

/// The removed lines of an edit without white space, one behind the other.
#[derive(Default)]
struct Removed<'h> {
    text: String,
    /// Where each line starts in it, and the indentation of the line.
    starts: Vec<(usize, &'h str)>,
    /// Those with the same beginning.
    by_beginning: HashMap<Box<[u8]>, Vec<usize>>,
    /// The lines have comments or strings out of which code can come.
    has_blocks: bool,
}

impl<'h> Reformatted<'h> {
    pub(super) fn of(hunk: Hunk<'h>, language: &str) -> Self {
        let lexical = Lexical::or_any(Some(language));
        let changed = hunk
            .lines
            .split(|line| line.kind == LineKind::Context)
            .filter(|edit| !edit.is_empty());
        let mut own = Self {
            added: HashMap::new(),
            edits: Vec::new(),
        };
        for edit in changed {
            let at = own.edits.len();
            let added = edit.iter().filter(|line| line.kind == LineKind::Added);
            own.added
                .extend(added.filter_map(|line| Some((line.new?, (at, line.text)))));
            own.edits.push(Removed::of(edit, lexical));
        }
        own
    }

    /// Whether the lines of a finding have, except for white space, the text of removed lines of the same edit. Code with
    /// another indentation may be in another block, where it can be wrong.
    pub(super) fn has(&self, found: &Candidate) -> bool {
        let last = found.span.map_or(found.line, |span| span.end_line);
        let Some((edit, first)) = self.added.get(&found.line) else {
            return false;
        };
        let is_of_edit = |line: u32| self.added.get(&line).filter(|(of, _)| of == edit);
        if found.side != Side::New || is_of_edit(last).is_none() {
            return false;
        }
        let lines = (found.line..=last).filter_map(is_of_edit);
        let now: String = lines.map(|(_, text)| squeezed(text)).collect();
        let now = now.trim_end_matches([',', ';']);
        self.edits
            .get(*edit)
            .is_some_and(|removed| removed.has(now, indent(first)))
    }
}

impl<'h> Removed<'h> {
    fn of(edit: &'h [Line<'_>], lexical: &Lexical) -> Self {
        let mut own = Self::default();
        for line in edit.iter().filter(|line| line.kind == LineKind::Removed) {
            own.has_blocks |= lexical.is_comment_line(line.text)
                || BLOCKS.iter().any(|mark| line.text.contains(mark));
            own.starts.push((own.text.len(), indent(line.text)));
            own.text.push_str(&squeezed(line.text));
        }
        for (line, (start, _)) in own.starts.iter().enumerate() {
            let bytes = own.text.as_bytes();
            if let Some(beginning) = bytes.get(*start..start + DISTINCTIVE) {
                own.by_beginning
                    .entry(beginning.into())
                    .or_default()
                    .push(line);
            }
        }
        own
    }

    /// Whether a line with this indentation begins a text that ends at the end of a line, or before a comma or a semicolon.
    fn has(&self, text: &str, indent: &str) -> bool {
        let beginning = text.as_bytes().get(..DISTINCTIVE);
        let lines = beginning.and_then(|beginning| self.by_beginning.get(beginning));
        let is_same = |line: &usize| {
            let Some((start, own)) = self.starts.get(*line) else {
                return false;
            };
            let rest = self.text.get(*start..).unwrap_or_default();
            *own == indent && rest.starts_with(text) && self.is_end(start + text.len())
        };
        !self.has_blocks && lines.into_iter().flatten().any(is_same)
    }

    /// Whether only commas and semicolons follow on the line.
    fn is_end(&self, at: usize) -> bool {
        let next = self.starts.partition_point(|(start, _)| *start < at);
        let end = self
            .starts
            .get(next)
            .map_or(self.text.len(), |(start, _)| *start);
        let rest = self.text.as_bytes().get(at..end).unwrap_or_default();
        rest.iter().all(|byte| matches!(byte, b',' | b';'))
    }
}

fn indent(text: &str) -> &str {
    text.get(..text.len() - text.trim_start().len())
        .unwrap_or_default()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use review::{Lexical, Line, LineKind};

    use super::{Removed, squeezed};

    #[test]
    fn lines_are_compared_without_white_space() {
        let is_same = |old: &[&str], new: &str| {
            let line = |text| Line {
                kind: LineKind::Removed,
                old: Some(1),
                new: None,
                text,
                terminated: true,
            };
            let edit: Vec<Line<'_>> = old.iter().copied().map(line).collect();
            Removed::of(&edit, Lexical::or_any(None)).has(&squeezed(new), "")
        };
        let old = ["a();", "const b = c()", "  .d(1)", "  .e(2);"];
        assert!(is_same(&old, "const b = c().d(1).e(2)"));
        assert!(is_same(&old, "const b = c().d(1)"));
        assert!(!is_same(&old, "const b = c().d(1).e(3)"));
        assert!(!is_same(&old, "b = c().d(1).e(2)"));
        assert!(!is_same(&["x = 'eval(a.b.c)'"], "eval(a.b.c)"));
    }
}
