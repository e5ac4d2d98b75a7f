//! Parses the candidates and keeps the best.
//!
//! A wrong context shows early and is costly to recover from. So each candidate is first parsed up to its first error
//! only; if all have one, those that came furthest are parsed whole, and the one with the fewest errors is kept.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use tree_sitter::{ParseOptions, Parser, Point, Tree};

use super::context::Context;
use super::limits::Limits;
use super::{contexts, repeats};
use crate::language::Grammar;

thread_local! {
    /// A parser for each language that this thread has met: making one costs more than parsing a hunk.
    static PARSERS: RefCell<HashMap<usize, Parser>> = RefCell::new(HashMap::new());
}

/// Bytes that are parsed in search of a better reading of one text.
const EFFORT: usize = 100_000;

/// Bytes of a text that is parsed as it stands.
const LARGE: usize = 64 * 1024;

/// Candidates with an error that are parsed whole.
const FINALISTS: usize = 4;

/// A missing token or two are not worth another reading.
const TOLERATED: usize = 8;

/// A candidate that was parsed.
pub(super) struct Read {
    pub(super) source: String,
    pub(super) tree: Tree,
    pub(super) error_bytes: usize,
    /// Error bytes and missing tokens, weighed; 0 is a text without any error.
    pub(super) score: usize,
}

/// The reading of `text` with the fewest errors, or `None` if none could be parsed in the budget.
pub(super) fn best(
    grammar: Grammar,
    text: &str,
    heading: &str,
    whole: bool,
    hint: Option<(&Context, usize)>,
    limits: &Limits,
) -> Option<(Context, Read, usize)> {
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
    // What fitted the other side fits this one as well as it can be fitted.
    if let Some((context, score)) = hint {
        let fits = OnceCell::new();
        let fits = || *fits.get_or_init(|| score == 0 && contexts::fits(grammar, text, context));
        search.read(context.clone(), || score == 0 && !fits());
        // An error near the end is not told before the parser is done.
        if search.score().is_some_and(|own| own <= score || fits()) {
            return search.finish();
        }
    }
    // A big text is a whole file or nearly so: completing it changes little and costs much.
    if whole || text.len() > LARGE {
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
    if search.best.as_ref().is_none_or(|(_, read)| read.error_bytes * 2 > text.len()) {
        contexts::prose(grammar).into_iter().for_each(|context| search.read(context, || false));
    }
    search.finish()
}

struct Search<'a> {
    grammar: Grammar,
    text: &'a str,
    limits: &'a Limits,
    tries: usize,
    /// Bytes that were parsed.
    spent: usize,
    best: Option<(Context, Read)>,
    /// Candidates with an error, and how far each was read.
    stopped: Vec<(usize, Context)>,
    /// What repeats itself in the text, see [`repeats::find`].
    repeated: Option<(usize, Range<usize>)>,
}

impl Search<'_> {
    fn score(&self) -> Option<usize> {
        self.best.as_ref().map(|(_, read)| read.score)
    }

    /// Parses a candidate: whole, or up to its first error if `stops` says so there.
    fn read(&mut self, context: Context, stops: impl FnMut() -> bool) {
        self.tries += 1;
        if !self.bears(&context) {
            return;
        }
        let parts = [context.before.as_str(), self.text, context.after.as_str()];
        match parse(self.grammar, parts, stops, self.limits) {
            Ok(tree) => {
                self.spent += parts.iter().map(|part| part.len()).sum::<usize>();
                let start = context.before.len();
                let (error_bytes, score) = errors(&tree, start, start + self.text.len());
                if self.score().is_none_or(|known| score < known) {
                    let source = parts.concat();
                    self.best = Some((context, Read { source, tree, error_bytes, score }));
                }
            }
            Err(Stop::Error(at)) => {
                self.spent += at;
                self.stopped.push((at.saturating_sub(context.before.len()), context));
            }
            Err(Stop::Budget) => self.spent += self.text.len(),
        }
    }

    /// Whether what repeats itself in the text makes sense in this context: a few times of it are read without an error.
    fn bears(&self, context: &Context) -> bool {
        let Some((start, cut)) = &self.repeated else { return true };
        let part = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let (head, tail) = (part(0..cut.start), part(cut.end..self.text.len()));
        let head = format!("{}{head}", context.before);
        let few = parse(self.grammar, [&head, tail, &context.after], || false, self.limits);
        few.is_ok_and(|tree| is_clean(&tree, &(context.before.len() + start..head.len())))
    }

    /// Parses whole those candidates that came furthest, if none is without an error.
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

/// Why a parse did not come to its end.
enum Stop {
    /// There is an error, and this many bytes were read.
    Error(usize),
    /// It takes too many steps.
    Budget,
}

/// Parses one text, given in parts, within the budget, which is a number of steps and so the same on every machine. At
/// the first error, `stops` is asked whether that is the end.
fn parse(grammar: Grammar, parts: [&str; 3], mut stops: impl FnMut() -> bool, limits: &Limits) -> Result<Tree, Stop> {
    PARSERS.with(|parsers| {
        let mut parsers = parsers.borrow_mut();
        let parser = parsers.entry(grammar.index()).or_insert_with(|| new_parser(grammar));
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
            if steps == 0 || error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        // What a scanner reads again and again is time that the steps do not show: then it is told that the text ends.
        let mut read = |at: usize, _: Point| {
            reads = reads.saturating_sub(1);
            if reads == 0 { &[][..] } else { piece(parts, at) }
        };
        let tree = parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut count)));
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

/// Bytes that the parser is given at once.
const CHUNK: usize = 4096;

/// How often it may read each of them. Tokens at the seam of two are read a few times.
const REREADS: usize = 100;

fn new_parser(grammar: Grammar) -> Parser {
    let mut parser = Parser::new();
    // It fails for a grammar of another version of tree-sitter only; then nothing can be parsed.
    let _ = parser.set_language(grammar.language());
    parser
}

/// What stands from a byte on in a text that is given in parts.
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

/// Whether no error starts in `range`, and no token is missing there.
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

/// Bytes of `from..to` under outermost error nodes, and the score: those bytes plus a weight for each missing token.
fn errors(tree: &Tree, from: usize, to: usize) -> (usize, usize) {
    const MISSING: usize = 4;
    let (mut bytes, mut score) = (0, 0);
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() {
            let inside = node.end_byte().min(to).saturating_sub(node.start_byte().max(from));
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
