//! Syntax highlighting: comments, strings, numbers and keywords are recognized line by line, without a parser.
//!
//! Grammars parse hostile code only in worker processes, and a page does not need a tree. This scan is linear, cannot
//! fail, and keeps every byte of the text in place.

mod class;
mod scan;
#[cfg(test)]
mod tests;

use std::fmt::{self, Display, Formatter, Write as _};

use askama::filters::HtmlSafe;
use review::{FileDiff, Language, Lexical, Line, LineKind};

use crate::web::shown::Visible;
use class::{Class, Piece};
use scan::Open;

/// Maximum number of highlighted tokens of a page. The rest is plain, so that hostile code cannot produce an excessive
/// number of tags.
const PIECES: usize = 150_000;
/// Longer lines are not highlighted.
const LINE_BYTES: usize = 4_000;

/// A line of code, split into tokens.
#[derive(Debug)]
pub(super) struct Painted<'a>(Vec<Piece<'a>>);

impl HtmlSafe for Painted<'_> {}

impl Display for Painted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (class, text) in &self.0 {
            match class {
                Class::Plain => Visible(text).fmt(f)?,
                _ => write!(
                    f,
                    "<span class=\"{}\">{}</span>",
                    class.name(),
                    Visible(text)
                )?,
            }
        }
        // An empty line contains a line feed, so that it keeps its height and is copied as a line.
        if self.0.is_empty() {
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
            return Painted(if text.is_empty() {
                Vec::new()
            } else {
                vec![(Class::Plain, text)]
            });
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
        Painted(pieces)
    }
}

impl Sides<'_> {
    /// The state at the start of a hunk.
    pub(super) const fn new(lexical: Option<&'static Lexical>) -> Self {
        Self {
            lexical,
            old: None,
            new: None,
        }
    }
}
