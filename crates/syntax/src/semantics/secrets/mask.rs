//! The places of secrets in a text that is sent elsewhere.
//!
//! A finding has to be right, whereas a mask costs a reader next to nothing. So masking is broader than detection: it
//! covers all that the detectors match, regardless of checksum and randomness, and everything in the place of a
//! credential. Each part below looks at every line once, with bounded memory of the lines before it.

mod apart;
mod armour;
mod encoded;
mod forms;
mod joined;
mod manifest;
mod named;
#[cfg(test)]
mod tests;
mod value;

use std::ops::Range;

use self::joined::Joined;
use self::value::FileKind;
use super::placeholder::is_random;
use super::scanner::{BLOCKS, GENERIC, TOKENS};

/// Lines of a text without gaps, such as one side of a hunk.
pub type Passage<'p, 't> = &'p [&'t str];

/// Number of characters of a token that are shown, to identify its kind.
const SHOWN: usize = 4;
/// Minimum length in bytes of a value of which these characters are shown.
const LONG: usize = 16;

/// The places of secrets in the passages of one file, for each line of each passage. They are in order, do not touch,
/// and are on character boundaries. The path is empty for a text that is not a file.
#[must_use]
pub fn secret_places(path: &str, passages: &[Passage<'_, '_>]) -> Vec<Vec<Vec<Range<usize>>>> {
    let kind = FileKind::of(path);
    let is_secret_file = manifest::is_secret(passages);
    let places = |passage: &Passage<'_, '_>| {
        let mut places = Places::new(passage);
        for (at, line) in passage.iter().enumerate() {
            in_line(line, path, kind, &mut |range| places.add(at, range));
        }
        for joined in Joined::all(passage) {
            in_line(joined.text(), path, kind, &mut |range| {
                joined
                    .parts(&range)
                    .for_each(|(at, part)| places.add(at, part))
            });
        }
        armour::find(passage, &mut |at, range| places.add(at, range));
        apart::find(passage, &mut |at, range| places.add(at, range));
        manifest::find(passage, path, is_secret_file, &mut |at, range| {
            places.add(at, range)
        });
        places.united()
    };
    passages.iter().map(places).collect()
}

/// The secrets that one line shows by itself.
fn in_line(line: &str, path: &str, kind: FileKind, add: &mut dyn FnMut(Range<usize>)) {
    for range in TOKENS
        .places(line, path)
        .into_iter()
        .chain(BLOCKS.places(line, path))
    {
        add(without_prefix(line, range));
    }
    for secret in GENERIC
        .find(line, path)
        .iter()
        .filter(|secret| is_random(secret.value))
    {
        add(without_prefix(
            line,
            secret.start..secret.start + secret.value.len(),
        ));
    }
    forms::find(line, path, add);
    named::find(line, kind, &mut |range| add(without_prefix(line, range)));
    encoded::find(line, add);
}

/// A secret without the first few characters, which identify its kind.
fn without_prefix(line: &str, range: Range<usize>) -> Range<usize> {
    if range.len() < LONG {
        return range;
    }
    line.ceil_char_boundary(range.start + SHOWN).min(range.end)..range.end
}

/// The places found so far.
struct Places<'p, 't> {
    passage: Passage<'p, 't>,
    of_lines: Vec<Vec<Range<usize>>>,
}

impl<'p, 't> Places<'p, 't> {
    fn new(passage: &Passage<'p, 't>) -> Self {
        Self {
            passage,
            of_lines: vec![Vec::new(); passage.len()],
        }
    }

    fn add(&mut self, at: usize, range: Range<usize>) {
        let (Some(line), Some(places)) = (self.passage.get(at), self.of_lines.get_mut(at)) else {
            return;
        };
        let range = line.floor_char_boundary(range.start)..line.ceil_char_boundary(range.end);
        if !range.is_empty() {
            places.push(range);
        }
    }

    fn united(self) -> Vec<Vec<Range<usize>>> {
        self.of_lines.into_iter().map(united).collect()
    }
}

/// The ranges in order, with adjacent and overlapping ones merged.
fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut out: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match out.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => out.push(range),
        }
    }
    out
}
