//! Matches lines against a quote, allowing for the ways in which models alter quotes.

use super::slip::is_slip;

/// The fewest characters, without white space, of a quote that may match a part of a line.
const PIECE: usize = 8;
/// The most lines of a quote that are examined.
const LINES: usize = 5;
/// The most bytes of a line of a quote that are examined.
const LENGTH: usize = 2_000;

/// How a line matches a quote, the best first, and which line of the quote it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    kind: Kind,
    line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Whole,
    Piece,
    /// All pieces around an ellipsis.
    Pieces,
    /// A whole line that is too short to be distinctive.
    Short,
    Slip,
}

impl Fit {
    /// Whether the match is good enough for a file that was not named.
    pub(super) fn is_certain(self) -> bool {
        self.kind == Kind::Whole && self.line == 0
    }
}

/// The lines of a quote, each in several forms: as given, and without the decorations that models add.
pub(super) struct Quote(Vec<Vec<String>>);

impl Quote {
    /// Reads a quote; `None` if it is empty.
    pub(super) fn of(quote: &str) -> Option<Self> {
        let lines = quote.lines().filter(|line| !line.trim().starts_with("```"));
        let forms = lines.map(forms).filter(|forms| !forms.is_empty());
        Some(Self(forms.take(LINES).collect())).filter(|quote| !quote.0.is_empty())
    }

    /// How a line, given without white space, matches the quote.
    pub(super) fn fit(&self, line: &str) -> Option<Fit> {
        let fits = self.0.iter().enumerate().filter_map(|(at, forms)| {
            let kind = forms.iter().filter_map(|form| kind(line, form)).min()?;
            Some(Fit { kind, line: at })
        });
        fits.min()
    }

    /// The match of a line that differs from the first line of the quote by a slip.
    pub(super) fn fit_with_slip(&self, line: &str) -> Option<Fit> {
        let is_near = self.0.first()?.iter().any(|form| is_slip(form, line));
        is_near.then_some(Fit {
            kind: Kind::Slip,
            line: 0,
        })
    }
}

fn kind(line: &str, form: &str) -> Option<Kind> {
    let is_long = |text: &str| text.chars().nth(PIECE - 1).is_some();
    if line == form {
        return Some(if is_long(form) {
            Kind::Whole
        } else {
            Kind::Short
        });
    }
    if !is_long(form) {
        return None;
    }
    if line.contains(form) {
        return Some(Kind::Piece);
    }
    has_pieces(line, form).then_some(Kind::Pieces)
}

/// Whether the line contains the pieces around an ellipsis in order.
fn has_pieces(line: &str, form: &str) -> bool {
    let form = form.replace("...", "…");
    let pieces = || form.split('…').filter(|piece| !piece.is_empty());
    let is_enough =
        form.contains('…') && pieces().map(|piece| piece.chars().count()).sum::<usize>() >= PIECE;
    let mut rest = Some(line);
    is_enough
        && pieces().all(|piece| {
            rest = rest
                .and_then(|rest| rest.split_once(piece))
                .map(|(_, rest)| rest);
            rest.is_some()
        })
}

/// The forms of a line of a quote: as given, and without the prompt's line number, a diff marker or surrounding quotes. Empty
/// if the line holds no code.
fn forms(line: &str) -> Vec<String> {
    let line = line
        .get(..line.floor_char_boundary(LENGTH))
        .unwrap_or_default()
        .trim();
    let mut forms = vec![line];
    for strip in [unframed, unmarked, unquoted, unframed, unmarked] {
        let barer = forms.last().and_then(|form| strip(form));
        forms.extend(barer.map(str::trim));
    }
    let mut forms: Vec<String> = forms.into_iter().map(compact).collect();
    forms.dedup();
    forms.retain(|form| form.contains(|c| !matches!(c, '.' | '…' | '`' | '"' | '+' | '-')));
    forms
}

/// The line without the side and the number that the prompt puts before it.
fn unframed(line: &str) -> Option<&str> {
    let framed = ["NEW:", "OLD:", "L"]
        .iter()
        .find_map(|side| line.strip_prefix(side));
    let number = framed.unwrap_or(line);
    let rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = rest.trim_start().trim_start_matches([':', '|']);
    (rest.len() < number.len() && (framed.is_some() || text.len() < rest.trim_start().len()))
        .then_some(text)
}

fn unmarked(line: &str) -> Option<&str> {
    line.strip_prefix(['+', '-'])
}

fn unquoted(line: &str) -> Option<&str> {
    let pairs = [
        ("```", "```"),
        ("`", "`"),
        ("\"", "\""),
        ("'", "'"),
        ("“", "”"),
    ];
    pairs
        .iter()
        .find_map(|(open, close)| line.strip_prefix(open)?.strip_suffix(close))
}

/// The text without white space, because models reformat code.
pub(super) fn compact(text: &str) -> String {
    #[cfg(test)]
    COMPACTED.with(|count| count.set(count.get() + 1));
    text.split_whitespace().collect()
}

#[cfg(test)]
thread_local! {
    /// Texts that this thread made compact.
    pub(super) static COMPACTED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
