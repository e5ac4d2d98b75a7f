//! Colours for code: comments, strings, numbers and keywords, told apart line by line without a parser.
//!
//! Grammars parse hostile code in worker processes only, and a page needs less than a tree: a scan that is linear, cannot
//! fail, and leaves every byte of the text where it was.

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

/// Coloured pieces of a page; what comes after them is plain, so that hostile code does not make a page of tags.
const PIECES: usize = 150_000;
/// A longer line is not for reading.
const LINE_BYTES: usize = 4_000;

/// A line of code in its pieces.
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
        // A line without text has its height all the same, and is copied as a line.
        if self.0.is_empty() {
            f.write_char('\n')
        } else {
            Ok(())
        }
    }
}

/// Colours the files of one page.
pub(super) struct Painter {
    fallback: Option<Language>,
    pieces: usize,
}

/// Where the two sides of a hunk stand: what began on an earlier line ends on a later one of the same side.
pub(super) struct Sides<'a> {
    lexical: Option<&'static Lexical>,
    old: Option<Open<'a>>,
    new: Option<Open<'a>>,
}

impl Painter {
    /// `fallback` is the language of files whose path does not tell it.
    pub(super) const fn new(fallback: Option<Language>) -> Self {
        Self {
            fallback,
            pieces: PIECES,
        }
    }

    /// How the language of a file is written.
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
    /// The start of a hunk.
    pub(super) const fn new(lexical: Option<&'static Lexical>) -> Self {
        Self {
            lexical,
            old: None,
            new: None,
        }
    }
}
