//! Parses the candidates and keeps the best.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

use super::{Context, contexts};
use crate::grammar::Grammar;
use crate::limits::Limits;

thread_local! {
    /// A parser for each language that this thread has met: making one costs more than parsing a hunk.
    static PARSERS: RefCell<HashMap<usize, Parser>> = RefCell::new(HashMap::new());
}

/// Bytes that are parsed in search of a better reading of one text.
const EFFORT: usize = 100_000;

/// Bytes of a text that is parsed as it stands.
const LARGE: usize = 64 * 1024;

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
    let mut best: Option<(Context, Read)> = None;
    let mut tries: usize = 0;
    // What fitted the other side fits this one as well as it can be fitted.
    let known_score = hint.map(|(_, score)| score);
    let mut try_one = |context: Context| {
        let source = format!("{}{text}{}", context.before, context.after);
        tries += 1;
        // What one reading makes run away, the others do too.
        let Some(tree) = parse(grammar, &source, limits) else { return true };
        let (error_bytes, score) = errors(&tree, context.before.len(), context.before.len() + text.len());
        // The longer the search, the smaller the errors that are not worth another try.
        let tolerated = tries.saturating_sub(4).max(known_score.filter(|_| tries == 1).unwrap_or(0));
        if best.as_ref().is_none_or(|(_, known)| score < known.score) {
            best = Some((context, Read { source, tree, error_bytes, score }));
        }
        score <= tolerated
    };
    // A big text is a whole file or nearly so: completing it changes little and costs much.
    let done = hint.map(|(context, _)| context.clone()).is_some_and(&mut try_one)
        || (whole || text.len() > LARGE) && try_one(Context::default());
    if !done && !whole && text.len() <= LARGE {
        let most = (EFFORT / (text.len() + 1)).max(4);
        contexts::candidates(grammar, text, heading).into_iter().take(most).any(try_one);
    }
    best.map(|(context, read)| (context, read, tries))
}

/// Parses one text within the budget, which is a number of steps and so the same on every machine.
fn parse(grammar: Grammar, source: &str, limits: &Limits) -> Option<Tree> {
    PARSERS.with(|parsers| {
        let mut parsers = parsers.borrow_mut();
        let parser = parsers.entry(grammar.index()).or_insert_with(Parser::new);
        parser.set_language(grammar.language()).ok()?;
        let budget = limits.parse_budget + source.len() / 10;
        let mut steps = 0;
        let mut count = |_: &tree_sitter::ParseState| {
            steps += 1;
            if steps > budget { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let bytes = source.as_bytes();
        let options = ParseOptions::new().progress_callback(&mut count);
        let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    })
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
