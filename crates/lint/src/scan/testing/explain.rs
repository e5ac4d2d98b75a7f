//! Explains why a rule written as data does not match, by how its patterns and the marked lines of an example are
//! parsed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use review::{Chunk, Side};
use syntax::language::Grammar;
use syntax::parse::{Fragment, Hunk, Limits, SideText, hunks};
use syntax::tree::outline;

use crate::registry::RuleSet;
use crate::rule::RuleInfo;
use crate::scan::syntax_errors::extent;

/// Maximum number of patterns that are shown per rule.
const PATTERNS: usize = 5;

/// One line for each marked line that a rule did not report, and for each of its patterns. Empty for a rule in Rust.
pub(super) fn missed(
    set: &RuleSet,
    rule: &RuleInfo,
    files: &[Chunk<'_>],
    missed: &BTreeSet<(Side, u32)>,
) -> String {
    let mut out = String::new();
    for file in files {
        let Some(grammar) = file
            .language
            .and_then(|language| Grammar::find(language.name()))
        else {
            continue;
        };
        let patterns = set.patterns(&rule.id, grammar);
        let places = hunks(file).flat_map(|hunk| missed.iter().map(move |place| (hunk, *place)));
        for (hunk, place) in places.filter(|_| !patterns.is_empty()) {
            if let Some((text, kinds)) = parsed(file, grammar, hunk, place) {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "    `{text}` is parsed as {kinds}");
            }
        }
        if !out.is_empty() {
            for pattern in patterns.iter().take(PATTERNS) {
                let _ = writeln!(out, "    the pattern is parsed as {pattern}");
            }
            break;
        }
    }
    out
}

/// The innermost node with the same content.
fn without_wrappers(mut node: tree_sitter::Node<'_>) -> tree_sitter::Node<'_> {
    while let Some(only) = node
        .named_child(0)
        .filter(|child| child.byte_range() == node.byte_range())
    {
        node = only;
    }
    node
}

/// The outermost code that begins on a line of a hunk, and its kinds.
fn parsed(
    file: &Chunk<'_>,
    grammar: Grammar,
    hunk: Hunk<'_>,
    (side, number): (Side, u32),
) -> Option<(String, String)> {
    let limits = Limits::default();
    let text = SideText::new(hunk, side, &limits);
    let index = text.lines.iter().position(|line| line.number == number)?;
    let (fragment, tree) = Fragment::parse(
        grammar,
        text,
        hunk.heading,
        extent(file, hunk),
        None,
        &limits,
    )
    .ok()?;
    let row = fragment.prefix_rows + index;
    let is_there = |node: &tree_sitter::Node<'_>| {
        node.start_position().row == row
            && node.start_byte() >= fragment.prefix
            && node.end_byte() <= fragment.end
    };
    let mut stack = vec![tree.root_node()];
    while let Some(node) = stack.pop() {
        // A node that begins with the hunk may be the hunk itself.
        if node.is_named() && node.parent().is_some() && is_there(&node) {
            let node = without_wrappers(node);
            let code = fragment
                .source
                .get(node.byte_range())?
                .lines()
                .next()
                .unwrap_or_default();
            return Some((code.trim().to_owned(), outline(node, |_| None)));
        }
        let mut cursor = node.walk();
        let children: Vec<_> = node.children(&mut cursor).collect();
        stack.extend(children.into_iter().rev());
    }
    None
}
