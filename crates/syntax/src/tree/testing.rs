//! Trees of code, for tests.

use std::borrow::Cow;

use review::{Chunk, ChunkHunk, Language, Line, LineKind, Side, Status};

use super::{Node, Tree};
use crate::language::Grammar;
use crate::parse::{Extent, Fragment, Limits, SideText, hunks};

/// Applies `ask` to the tree of an added file with this code.
pub(crate) fn with_tree<T>(
    language: &str,
    code: &str,
    ask: impl for<'t> FnOnce(&'t Tree<'t>) -> T,
) -> T {
    with_lines(language, code.lines().zip(1..), true, ask).unwrap()
}

/// `None` if the text exceeds the parser's budget of steps.
fn with_lines<'c, T>(
    language: &str,
    lines: impl Iterator<Item = (&'c str, u32)>,
    is_whole: bool,
    ask: impl for<'t> FnOnce(&'t Tree<'t>) -> T,
) -> Option<T> {
    let lines = lines.map(|(text, number)| Line {
        kind: LineKind::Added,
        old: None,
        new: Some(number),
        text,
        terminated: true,
    });
    let hunk = ChunkHunk {
        heading: Cow::Borrowed(""),
        lines: Cow::Owned(lines.collect()),
    };
    let file = Chunk {
        index: 0,
        is_test: false,
        is_complete: true,
        version: None,
        around: review::Around::Unknown,
        hidden: None,
        by_tool: false,
        path: Cow::Borrowed("a"),
        language: Language::find(language),
        status: Status::Added,
        hunks: vec![hunk],
    };
    let (grammar, limits) = (Grammar::find(language).unwrap(), Limits::default());
    let text = SideText::new(hunks(&file).next().unwrap(), Side::New, &limits);
    let extent = if is_whole {
        Extent::Whole
    } else {
        Extent::Part
    };
    let (fragment, parsed) = Fragment::parse(grammar, text, "", extent, None, &limits).ok()?;
    Some(ask(&Tree::new(&fragment, parsed, &limits)))
}

/// Applies `ask` to the tree of a hunk that shows only some lines of a file.
pub(crate) fn with_part<T>(
    language: &str,
    code: &str,
    shown: std::ops::Range<usize>,
    ask: impl for<'t> FnOnce(&'t Tree<'t>) -> T,
) -> T {
    let lines = code.lines().zip(1..).skip(shown.start).take(shown.len());
    with_lines(language, lines, false, ask).unwrap()
}

/// Applies `ask` to each usable node of that tree.
pub(crate) fn each<T>(
    language: &str,
    code: &str,
    ask: impl for<'t> Fn(Node<'t>) -> Option<T>,
) -> Vec<T> {
    each_of_any(language, code, ask).unwrap()
}

/// The same for a text that may exceed the parser's budget; `None` if it does.
pub(crate) fn each_of_any<T>(
    language: &str,
    code: &str,
    ask: impl for<'t> Fn(Node<'t>) -> Option<T>,
) -> Option<Vec<T>> {
    with_lines(language, code.lines().zip(1..), true, |tree| {
        tree.nodes()
            .filter(|node| node.is_usable())
            .filter_map(ask)
            .collect()
    })
}

/// Applies `ask` to the last node with this text.
pub(crate) fn of_last<T>(
    language: &str,
    code: &str,
    text: &str,
    ask: impl for<'t> Fn(Node<'t>) -> T,
) -> T {
    each(language, code, |node| {
        (node.text() == text).then(|| ask(node))
    })
    .pop()
    .unwrap()
}
