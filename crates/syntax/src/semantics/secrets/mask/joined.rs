//! Joins lines that form one text: a secret may be split over lines, or be below its name.

use std::ops::Range;

use super::named::has_name;

/// Maximum number of lines that are joined.
const LINES: usize = 64;
/// Bytes of a line that are looked at: a secret begins near its end or ends near its start.
const EDGE: usize = 1024;

/// Several lines as one text.
pub(super) struct Joined {
    text: String,
    /// For each part: its offset in the text, its line, and its range in that line.
    pieces: Vec<(usize, usize, Range<usize>)>,
}

impl Joined {
    /// All texts that continue on the next line.
    pub(super) fn all(lines: &[&str]) -> Vec<Self> {
        let mut all = Vec::new();
        let mut at = 0;
        while let Some((line, next)) = lines.get(at).zip(lines.get(at + 1)) {
            if continuation(line, next).is_none() {
                at += 1;
                continue;
            }
            let mut joined = Self {
                text: String::new(),
                pieces: Vec::new(),
            };
            let mut start = line.len() - last(line).len();
            for here in at..(at + LINES).min(lines.len()) {
                let line = lines.get(here).copied().unwrap_or_default();
                let link = lines
                    .get(here + 1)
                    .and_then(|next| continuation(line, next))
                    .filter(|_| here + 1 < at + LINES);
                joined.push(
                    here,
                    line,
                    start..link.as_ref().map_or(line.len(), |link| link.end),
                );
                let Some(link) = link else { break };
                start = link.start;
                if link.is_apart {
                    joined.text.push(' ');
                }
            }
            at += joined.pieces.len().saturating_sub(1).max(1);
            all.push(joined);
        }
        all
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn push(&mut self, at: usize, line: &str, range: Range<usize>) {
        let range = range.start.min(range.end)..range.end;
        let end = line.floor_char_boundary(range.end.min(range.start + 2 * EDGE));
        let range = range.start..end.max(range.start);
        self.pieces.push((self.text.len(), at, range.clone()));
        self.text.push_str(line.get(range).unwrap_or_default());
    }

    /// The ranges in the lines that a range of the text corresponds to.
    pub(super) fn parts(
        &self,
        range: &Range<usize>,
    ) -> impl Iterator<Item = (usize, Range<usize>)> {
        let parts = self.pieces.iter().map(move |(start, at, of)| {
            let from = range.start.max(*start) - start;
            let to = range.end.min(start + of.len()).saturating_sub(*start);
            (*at, of.start + from.min(to)..of.start + to)
        });
        parts.filter(|(_, range)| !range.is_empty())
    }
}

fn last(line: &str) -> &str {
    line.get(line.ceil_char_boundary(line.len().saturating_sub(EDGE))..)
        .unwrap_or(line)
}

/// How a line continues on the next one.
struct Link {
    /// Where the text ends on the first line, and where it starts on the second.
    end: usize,
    start: usize,
    /// There is something between the two.
    is_apart: bool,
}

fn continuation(line: &str, next: &str) -> Option<Link> {
    let trimmed = line.trim_end();
    let start = next.len() - next.trim_start().len();
    if let Some(text) = trimmed.strip_suffix('\\') {
        let end = text.trim_end_matches('"').len();
        // A string literal continues in others.
        let is_quoted =
            text.trim_end().ends_with(['"', '\'']) && next.trim_start().starts_with(['"', '\'']);
        return Some(if is_quoted {
            Link {
                end: text.trim_end().len() - 1,
                start: start + 1,
                is_apart: false,
            }
        } else {
            Link {
                end: if text.ends_with('"') { end } else { text.len() },
                start,
                is_apart: text.ends_with(' '),
            }
        });
    }
    let joint = trimmed.trim_end_matches([' ', '+', '.', '&', '~']);
    let tail = next
        .trim_start()
        .trim_start_matches(['+', '.', '&', '~', ' ', '(']);
    if let (Some(mark @ ('"' | '\'' | '`')), true) = (
        joint.chars().next_back(),
        tail.starts_with(['"', '\'', '`']),
    ) && tail.starts_with(mark)
    {
        return Some(Link {
            end: joint.len() - 1,
            start: next.len() - tail.len() + 1,
            is_apart: false,
        });
    }
    let is_open = (trimmed.ends_with(['=', ':', '(', '>', '`'])
        || ["\"\"\"", "'''"]
            .iter()
            .any(|quote| trimmed.ends_with(quote)))
        && !next.trim().is_empty()
        && has_name(last(trimmed));
    is_open.then_some(Link {
        end: trimmed.len(),
        start,
        is_apart: true,
    })
}
