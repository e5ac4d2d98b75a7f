//! Leaves statements of SQL out that the grammar cannot read.
//!
//! A statement ends where every dialect ends it: at a `;` outside strings, comments and parentheses. Where dialects differ, so
//! that one of them could see code in what another sees as a string, nothing is left out. In place of a statement is what its
//! tokens show: a `DELETE` or `UPDATE` without a condition, a dropped column, and a comparison with `NULL`.

mod tokens;

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{Node, Tree};

use self::tokens::{Statement, statements};
use super::text::{blank, errors};
use crate::parse::fragment::Fragment;
use crate::parse::limits::Limits;

/// Leaving a statement out can show that the next one cannot be read, either.
const ROUNDS: usize = 4;

/// How much is left out where something cannot be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// A statement.
    Statement,
    /// The whole definition of a function: without some of its statements, the others may not be readable.
    Definition,
}

/// The text without the statements that cannot be read.
pub(super) fn read(
    fragment: &Fragment,
    parsed: &Tree,
    limits: &Limits,
) -> Option<(Fragment, Tree)> {
    let statements = statements(fragment.text())?;
    [Extent::Statement, Extent::Definition]
        .into_iter()
        .find_map(|extent| read_without(fragment, parsed, &statements, extent, limits))
}

fn read_without(
    fragment: &Fragment,
    parsed: &Tree,
    statements: &[Statement<'_>],
    extent: Extent,
    limits: &Limits,
) -> Option<(Fragment, Tree)> {
    let mut unread = vec![false; statements.len()];
    let mut now = (fragment.clone(), parsed.clone());
    for _ in 0..ROUNDS {
        if now.0.score == 0 {
            return Some(now);
        }
        let shift = now.0.prefix;
        let places = errors(&now.1)
            .into_iter()
            .flat_map(unread_parts)
            .map(|part| part.start.saturating_sub(shift)..part.end.saturating_sub(shift));
        mark(
            statements,
            &places.collect::<Vec<_>>(),
            fragment.text(),
            now.0.text(),
            &mut unread,
        )?;
        if extent == Extent::Definition {
            mark_definitions(statements, &mut unread);
        }
        let text = without(fragment.text(), statements, &unread)?;
        now = fragment.with_text(&text, limits)?;
    }
    (now.0.score == 0).then_some(now)
}

/// The parts of an error that are not statements which could be read.
fn unread_parts(error: Node<'_>) -> Vec<Range<usize>> {
    let is_read = |node: &Node<'_>| node.kind() == "statement" && !node.has_error();
    let children: Vec<_> = error.children(&mut error.walk()).collect();
    if !children.iter().any(is_read) {
        return vec![error.byte_range()];
    }
    let parts = children.iter().filter(|node| !is_read(node));
    parts.map(Node::byte_range).collect()
}

/// Marks the statements that contain errors of a text. `None` if they are all marked already. The text has the lines of the
/// original text, but not its columns.
fn mark(
    statements: &[Statement<'_>],
    errors: &[Range<usize>],
    text: &str,
    read: &str,
    unread: &mut [bool],
) -> Option<()> {
    let rows = Rows::of(text);
    let read = Rows::of(read);
    let mut is_new = false;
    for error in errors {
        let (first, last) = (
            read.row(error.start),
            read.row(error.end.saturating_sub(1).max(error.start)),
        );
        let from = statements.partition_point(|own| rows.row(own.range.end) < first);
        let near = statements.iter().zip(unread.iter_mut()).skip(from);
        for (_, flag) in near.take_while(|(own, _)| rows.row(own.range.start) <= last) {
            is_new |= !*flag;
            *flag = true;
        }
    }
    is_new.then_some(())
}

/// Marks all statements of the definitions of which one is marked.
fn mark_definitions(statements: &[Statement<'_>], unread: &mut [bool]) {
    let marked: HashSet<usize> = statements
        .iter()
        .zip(&*unread)
        .filter(|(_, unread)| **unread)
        .map(|(own, _)| own.group)
        .collect();
    for (own, unread) in statements.iter().zip(unread) {
        *unread |= marked.contains(&own.group);
    }
}

/// The starts of the lines of a text.
struct Rows(Vec<usize>);

impl Rows {
    fn of(text: &str) -> Self {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Self([0].into_iter().chain(ends).collect())
    }

    fn row(&self, at: usize) -> usize {
        self.0
            .partition_point(|start| *start <= at)
            .saturating_sub(1)
    }
}

/// The text with what tokens show in place of the marked statements; `None` if a statement could end elsewhere.
fn without(text: &str, statements: &[Statement<'_>], unread: &[bool]) -> Option<String> {
    let mut result = text.to_owned();
    let mut notes: Vec<(usize, String)> = Vec::new();
    for (own, _) in statements.iter().zip(unread).filter(|(_, unread)| **unread) {
        if !own.is_balanced() {
            return None;
        }
        blank(&mut result, own.range.clone());
        notes.extend(own.shown());
    }
    // From the end, so that positions remain right.
    notes.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, note) in notes {
        let row_end = result
            .get(at..)?
            .find('\n')
            .map_or(result.len(), |end| at + end);
        let at = if result.get(at..row_end)?.trim().is_empty() {
            at
        } else {
            row_start(&result, at)
        };
        result.insert_str(at, &note);
    }
    Some(result)
}

fn row_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |at| at + 1)
}
