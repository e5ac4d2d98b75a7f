//! Syntax highlighting: comments, strings, numbers and keywords are recognized line by line, without a parser.
//!
//! Grammars parse hostile code only in worker processes, and a page does not need a tree. This scan is linear, cannot
//! fail, and keeps every byte of the text in place.

mod class;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};
use std::ops::Range;

use askama::filters::HtmlSafe;
use review::{FileDiff, Language, Lexical, Line, LineKind, Priority};

use crate::web::shown::Visible;
use class::{Class, Piece};
use scan::Open;

/// Maximum number of highlighted tokens of a page. The rest is plain, so that hostile code cannot produce an excessive
/// number of tags.
const PIECES: usize = 150_000;
/// Longer lines are not highlighted.
const LINE_BYTES: usize = 4_000;

/// A line of code with its tokens, its changed words and the code that findings are about.
#[derive(Debug)]
pub(super) struct Painted<'a> {
    text: Cow<'a, str>,
    /// The classes of the tokens and their lengths, which add up to that of the text.
    tokens: Vec<(Class, usize)>,
    /// The changed words, in order.
    changes: Vec<Range<usize>>,
    /// The code of findings.
    hits: Vec<(Range<usize>, Priority)>,
}

/// More findings about code in one line are not underlined.
const HITS: usize = 20;

impl<'a> Painted<'a> {
    fn new(text: &'a str, tokens: &[Piece<'_>]) -> Self {
        Self {
            text: Cow::Borrowed(text),
            tokens: tokens
                .iter()
                .map(|(class, token)| (*class, token.len()))
                .collect(),
            changes: Vec::new(),
            hits: Vec::new(),
        }
    }

    /// The line without tags.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Marks changed words.
    pub(super) fn mark_changes(&mut self, changes: Vec<Range<usize>>) {
        self.changes = changes;
    }

    /// Underlines the code of a finding.
    pub(super) fn underline(&mut self, code: Range<usize>, priority: Priority) {
        if !code.is_empty() && self.hits.len() < HITS {
            self.hits.push((code, priority));
        }
    }

    /// The first place after `from` where a mark starts or ends, at most `end`.
    fn cut(&self, from: usize, end: usize) -> usize {
        let ranges = self
            .changes
            .iter()
            .chain(self.hits.iter().map(|(code, _)| code));
        let cuts = ranges.flat_map(|range| [range.start, range.end]);
        cuts.filter(|cut| (from + 1..end).contains(cut))
            .min()
            .unwrap_or(end)
    }
}

impl HtmlSafe for Painted<'_> {}

impl Display for Painted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut from = 0;
        for (class, bytes) in &self.tokens {
            let token_end = from + bytes;
            while from < token_end {
                let end = self.cut(from, token_end);
                let text = Visible(self.text.get(from..end).unwrap_or_default());
                let is_changed = self.changes.iter().any(|range| range.contains(&from));
                let about = self.hits.iter().filter(|(code, _)| code.contains(&from));
                let hit = about.map(|(_, priority)| *priority).min();
                let priority = hit.map(Priority::as_str);
                let classes = [
                    class.name(),
                    if is_changed { "w" } else { "" },
                    if hit.is_some() { "hit" } else { "" },
                    priority.unwrap_or_default(),
                ];
                let mut classes = classes.iter().filter(|class| !class.is_empty());
                match classes.next() {
                    None => text.fmt(f)?,
                    Some(first) => {
                        write!(f, "<span class=\"{first}")?;
                        classes.try_for_each(|class| write!(f, " {class}"))?;
                        write!(f, "\">{text}</span>")?;
                    }
                }
                from = end;
            }
        }
        // An empty line contains a line feed, so that it keeps its height and is copied as a line.
        if self.text.is_empty() {
            f.write_char('\n')
        } else {
            Ok(())
        }
    }
}

/// Highlights the files of one page.
pub(super) struct Painter {
    fallback: Option<Language>,
    pieces: usize,
}

/// The scanner's state on the two sides of a hunk: a token that starts on one line may end on a later line of the same
/// side.
pub(super) struct Sides<'a> {
    lexical: Option<&'static Lexical>,
    old: Option<Open<'a>>,
    new: Option<Open<'a>>,
}

impl Painter {
    /// `fallback` is the language of files whose path does not determine it.
    pub(super) const fn new(fallback: Option<Language>) -> Self {
        Self {
            fallback,
            pieces: PIECES,
        }
    }

    /// The syntax of a file's language.
    pub(super) fn lexical(&self, file: &FileDiff<'_>) -> Option<&'static Lexical> {
        let language = Language::of_path(file.path(), String::new).or(self.fallback)?;
        Lexical::of(language.name())
    }

    /// The next line of a hunk.
    pub(super) fn paint<'a>(&mut self, sides: &mut Sides<'a>, line: &Line<'a>) -> Painted<'a> {
        let text = line.text.trim_end_matches('\r');
        let Some(lexical) = sides
            .lexical
            .filter(|_| self.pieces > 0 && text.len() <= LINE_BYTES)
        else {
            return Painted::new(text, &[(Class::Plain, text)]);
        };
        let pieces = match line.kind {
            LineKind::Added => scan::line(lexical, &mut sides.new, text),
            LineKind::Removed => scan::line(lexical, &mut sides.old, text),
            LineKind::Context if sides.old == sides.new => {
                let pieces = scan::line(lexical, &mut sides.new, text);
                sides.old = sides.new;
                pieces
            }
            LineKind::Context => {
                scan::line(lexical, &mut sides.old, text);
                scan::line(lexical, &mut sides.new, text)
            }
        };
        self.pieces = self.pieces.saturating_sub(pieces.len());
        Painted::new(text, &pieces)
    }
}

/// The next line of a text of its own.
pub(super) fn paint_text<'a>(sides: &mut Sides<'a>, text: &'a str) -> Painted<'static> {
    let painted = match sides.lexical.filter(|_| text.len() <= LINE_BYTES) {
        Some(lexical) => Painted::new(text, &scan::line(lexical, &mut sides.new, text)),
        None => Painted::new(text, &[(Class::Plain, text)]),
    };
    Painted {
        text: Cow::Owned(text.to_owned()),
        tokens: painted.tokens,
        changes: Vec::new(),
        hits: Vec::new(),
    }
}

impl Sides<'_> {
    /// The syntax of their language.
    pub(super) const fn lexical(&self) -> Option<&'static Lexical> {
        self.lexical
    }

    /// The state at the start of a hunk.
    pub(super) const fn new(lexical: Option<&'static Lexical>) -> Self {
        Self {
            lexical,
            old: None,
            new: None,
        }
    }
}
