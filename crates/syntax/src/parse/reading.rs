//! Parses candidate contexts and keeps the best one.
//!
//! A wrong context usually fails early and is costly to recover from. So each candidate is first parsed only up to its
//! first error. If all have one, those that got furthest are parsed completely, and the one with the fewest errors is
//! kept.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use tree_sitter::{ParseOptions, Parser, Point, Tree};

use super::context::Context;
use super::limits::Limits;
use super::{contexts, repeats};
use crate::language::Grammar;

thread_local! {
    /// This thread's parsers by language: creating one costs more than parsing a hunk.
    static PARSERS: RefCell<HashMap<usize, Parser>> = RefCell::new(HashMap::new());
}

/// Maximum number of bytes parsed in search of a better context for one text.
const EFFORT: usize = 100_000;

/// A text of at least this size, in bytes, is parsed in one context only.
const LARGE: usize = 64 * 1024;

/// Number of candidates with an error that are parsed completely.
const FINALISTS: usize = 4;

/// Errors up to this score (a missing token or two) do not justify another attempt.
const TOLERATED: usize = 8;

/// A parsed candidate.
pub(super) struct Read {
    pub(super) source: String,
    pub(super) tree: Tree,
    pub(super) error_bytes: usize,
    /// Error bytes and missing tokens, weighted; 0 means no error.
    pub(super) score: usize,
}

/// The other side of a hunk, which is read in the same way if possible.
pub(super) struct Known<'a> {
    /// The context that fitted it, and its score there.
    pub(super) context: &'a Context,
    pub(super) score: usize,
    /// Its tree, edited to match this side. It has no errors.
    pub(super) edited: Option<Tree>,
}

/// The parse of `text` with the fewest errors, or `None` if none finished within the budget.
pub(super) fn best(
    grammar: Grammar,
    text: &str,
    heading: &str,
    whole: bool,
    known: Option<&Known<'_>>,
    limits: &Limits,
) -> Option<(Context, Read, usize)> {
    if let Some(read) = known.and_then(|known| reread(grammar, text, known, limits)) {
        return Some((Context::default(), read, 1));
    }
    let mut search = Search {
        grammar,
        text,
        limits,
        tries: 0,
        spent: 0,
        best: None,
        stopped: Vec::new(),
        repeated: repeats::find(text),
    };
    // The context of the other side fits this side as well as it fits that one.
    if let Some(&Known { context, score, .. }) = known {
        let fits = OnceCell::new();
        let fits = || *fits.get_or_init(|| score == 0 && contexts::fits(grammar, text, context));
        search.read(context.clone(), || score == 0 && !fits());
        // An error near the end is not reported before the parser has finished.
        if search.score().is_some_and(|own| own <= score || fits()) {
            return search.finish();
        }
    }
    // A large text is almost a whole file. A context would change little and cost much. In JSON, all of it is one value.
    let is_large = text.len() > LARGE && grammar.name() != "JSON";
    if whole || is_large {
        search.read(Context::default(), || false);
        return search.finish();
    }
    for context in contexts::candidates(grammar, text, heading) {
        search.read(context, || true);
        if search.score() == Some(0) || search.spent > EFFORT {
            break;
        }
    }
    search.finals();
    if search
        .best
        .as_ref()
        .is_none_or(|(_, read)| read.error_bytes * 2 > text.len())
    {
        contexts::prose(grammar)
            .into_iter()
            .for_each(|context| search.read(context, || false));
    }
    search.finish()
}

/// The parse of `text` in a given context, or `None` if it does not finish within the budget. `edited` is the tree of a
/// similar text, edited to match.
pub(super) fn within(
    grammar: Grammar,
    text: &str,
    context: &Context,
    edited: Option<&Tree>,
    limits: &Limits,
) -> Option<Read> {
    read(grammar, text, context, edited, || false, limits).ok()
}

/// The parse of a whole file from the tree of its other side, if both have no errors. An error could be placed elsewhere
/// than by a complete parse.
fn reread(grammar: Grammar, text: &str, known: &Known<'_>, limits: &Limits) -> Option<Read> {
    let edited = known.edited.as_ref()?;
    let tree = parse(grammar, ["", text, ""], Some(edited), || true, limits).ok()?;
    (!tree.root_node().has_error()).then(|| Read {
        source: text.to_owned(),
        tree,
        error_bytes: 0,
        score: 0,
    })
}

/// Like [`parse`], for a text in a context.
fn read(
    grammar: Grammar,
    text: &str,
    context: &Context,
    edited: Option<&Tree>,
    stops: impl FnMut() -> bool,
    limits: &Limits,
) -> Result<Read, Stop> {
    let parts = [context.before.as_str(), text, context.after.as_str()];
    let tree = parse(grammar, parts, edited, stops, limits)?;
    let start = context.before.len();
    let (error_bytes, score) = errors(&tree, start, start + text.len());
    Ok(Read {
        source: parts.concat(),
        tree,
        error_bytes,
        score,
    })
}

struct Search<'a> {
    grammar: Grammar,
    text: &'a str,
    limits: &'a Limits,
    tries: usize,
    /// Bytes parsed so far.
    spent: usize,
    best: Option<(Context, Read)>,
    /// Candidates with an error, and how far each of them parsed.
    stopped: Vec<(usize, Context)>,
    /// The repetition in the text, see [`repeats::find`].
    repeated: Option<(usize, Range<usize>)>,
}

impl Search<'_> {
    fn score(&self) -> Option<usize> {
        self.best.as_ref().map(|(_, read)| read.score)
    }

    /// Parses a candidate: completely, or up to the first error at which `stops` returns true.
    fn read(&mut self, context: Context, stops: impl FnMut() -> bool) {
        self.tries += 1;
        if !self.parses_repetition(&context) {
            return;
        }
        match read(self.grammar, self.text, &context, None, stops, self.limits) {
            Ok(read) => {
                self.spent += read.source.len();
                if self.score().is_none_or(|known| read.score < known) {
                    self.best = Some((context, read));
                }
            }
            Err(Stop::Error(at)) => {
                self.spent += at;
                self.stopped
                    .push((at.saturating_sub(context.before.len()), context));
            }
            Err(Stop::Budget) => self.spent += self.text.len(),
        }
    }

    /// Whether the repeated part of the text parses in this context: whether a few repetitions of it parse without an
    /// error.
    fn parses_repetition(&self, context: &Context) -> bool {
        let Some((start, cut)) = &self.repeated else {
            return true;
        };
        let part = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let (head, tail) = (part(0..cut.start), part(cut.end..self.text.len()));
        let head = format!("{}{head}", context.before);
        let few = parse(
            self.grammar,
            [&head, tail, &context.after],
            None,
            || false,
            self.limits,
        );
        few.is_ok_and(|tree| is_clean(&tree, &(context.before.len() + start..head.len())))
    }

    /// If all candidates have an error, parses those that got furthest completely.
    fn finals(&mut self) {
        let mut stopped = std::mem::take(&mut self.stopped);
        stopped.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
        for (_, context) in stopped.into_iter().take(FINALISTS) {
            if self.score().is_some_and(|score| score <= TOLERATED) {
                break;
            }
            self.read(context, || false);
        }
    }

    fn finish(self) -> Option<(Context, Read, usize)> {
        self.best.map(|(context, read)| (context, read, self.tries))
    }
}

/// Why a parse stopped.
enum Stop {
    /// At an error, after this many bytes.
    Error(usize),
    /// At the limit on steps.
    Budget,
}

/// Parses a text that is given in parts, within a budget of steps that is the same on every machine. `edited` is the tree
/// of a similar text, edited to match. At the first error, `stops` decides whether to stop.
fn parse(
    grammar: Grammar,
    parts: [&str; 3],
    edited: Option<&Tree>,
    mut stops: impl FnMut() -> bool,
    limits: &Limits,
) -> Result<Tree, Stop> {
    PARSERS.with(|parsers| {
        let mut parsers = parsers.borrow_mut();
        let parser = parsers
            .entry(grammar.index())
            .or_insert_with(|| new_parser(grammar));
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let mut steps = limits.steps(length);
        let mut reads = REREADS * (length / CHUNK + 1);
        let (mut asked, mut error) = (false, None);
        let mut count = |state: &tree_sitter::ParseState| {
            if !asked && state.has_error() {
                asked = true;
                error = stops().then(|| state.current_byte_offset());
            }
            steps = steps.saturating_sub(1);
            if steps == 0 || error.is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        // Bytes that a scanner rereads cost time but no steps. Beyond a limit the scanner sees the end of the text.
        let mut read = |at: usize, _: Point| {
            reads = reads.saturating_sub(1);
            if reads == 0 {
                &[][..]
            } else {
                piece(parts, at)
            }
        };
        let tree = parser.parse_with_options(
            &mut read,
            edited,
            Some(ParseOptions::new().progress_callback(&mut count)),
        );
        if tree.is_none() {
            parser.reset();
        }
        match error {
            _ if reads == 0 => Err(Stop::Budget),
            Some(at) => Err(Stop::Error(at)),
            None => tree.ok_or(Stop::Budget),
        }
    })
}

/// Bytes passed to the parser at a time.
const CHUNK: usize = 4096;

/// Average number of times that it may read a chunk. Tokens at a chunk boundary are read several times.
const REREADS: usize = 100;

fn new_parser(grammar: Grammar) -> Parser {
    let mut parser = Parser::new();
    // This fails only for a grammar made for another version of tree-sitter. Then nothing is parsed.
    let _ = parser.set_language(grammar.language());
    parser
}

/// The rest of a text that is given in parts, from an offset on.
fn piece(parts: [&str; 3], at: usize) -> &[u8] {
    let mut at = at;
    for part in parts.map(str::as_bytes) {
        match part.get(at..) {
            Some([]) | None => at -= part.len(),
            Some(rest) => return rest.get(..CHUNK).unwrap_or(rest),
        }
    }
    &[]
}

/// Whether no error starts in `range` and no token is missing there.
fn is_clean(tree: &Tree, range: &Range<usize>) -> bool {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if (node.is_error() || node.is_missing()) && range.contains(&node.start_byte()) {
            return false;
        }
        let is_near = node.start_byte() <= range.end && node.end_byte() >= range.start;
        if node.has_error() && is_near && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return true;
            }
        }
    }
}

/// Bytes of `from..to` within outermost error nodes, and the score: those bytes plus a weight for each missing token.
fn errors(tree: &Tree, from: usize, to: usize) -> (usize, usize) {
    const MISSING: usize = 4;
    let (mut bytes, mut score) = (0, 0);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            let inside = node
                .end_byte()
                .min(to)
                .saturating_sub(node.start_byte().max(from));
            bytes += inside;
            score += inside.max(1);
        } else if node.is_missing() {
            score += MISSING;
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return (bytes, score);
            }
        }
    }
}
