//! How the patterns of a rule are parsed.
//!
//! ast-grep parses a pattern as if it were a whole file. Some languages parse a statement differently there than in the
//! body of a function: Go parses the call `f($A)` as a conversion, C++ parses `a($B);` as a declaration. So a pattern
//! is also parsed in a function body, and that result is used.

use ast_grep_core::language::Language as _;
use serde_json::{Value, json};
use syntax::language::{Blocks, Grammar};
use syntax::tree::outline;
use tree_sitter::{Node, Parser, Tree};

/// The parts of a rule that contain rule objects.
pub(super) const PARTS: [&str; 3] = ["rule", "constraints", "utils"];

/// A pattern as its language parses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parsed {
    /// The form in which ast-grep parses the pattern this way, if it is not the pattern itself.
    pub(crate) rewritten: Option<Value>,
    /// The kinds of its nodes.
    pub(crate) outline: String,
    /// A part of it could not be parsed.
    pub(crate) has_error: bool,
}

impl Parsed {
    /// Parses a pattern: text, or a mapping with `context` and `selector`. `None` if it is not one node.
    pub(crate) fn of(pattern: &Value, grammar: Grammar) -> Option<Self> {
        if let Some(text) = pattern.as_str() {
            return Self::of_text(text, grammar);
        }
        let source = Source::parse(pattern.get("context")?.as_str()?, grammar)?;
        let node = match pattern.get("selector").and_then(Value::as_str) {
            Some(kind) => source.first_of_kind(kind)?,
            None => innermost(source.tree.root_node()),
        };
        Some(source.describe(node, None))
    }

    fn of_text(text: &str, grammar: Grammar) -> Option<Self> {
        let source = Source::parse(text, grammar)?;
        let alone = Some(innermost(source.tree.root_node())).filter(|node| node.parent().is_some());
        if alone.is_some_and(|node| node.child_count() == 0) {
            return alone.map(|node| source.describe(node, None));
        }
        let is_parsed_the_same = |in_body: Node<'_>| {
            alone.is_some_and(|node| !source.has_error(node) && node.to_sexp() == in_body.to_sexp())
        };
        let in_body = bodies(grammar).find_map(|(before, after)| {
            let source = Source::parse(&format!("{before}{text}{after}"), grammar)?;
            let start = before.len();
            let node = source.node_at(start, source.text.len() - after.len())?;
            let rewritten =
                json!({"context": format!("{before}{text}{after}"), "selector": node.kind()});
            Some(source.describe(node, Some(rewritten).filter(|_| !is_parsed_the_same(node))))
        });
        match in_body {
            Some(in_body) if in_body.rewritten.is_some() => Some(in_body),
            _ => alone.map(|node| source.describe(node, None)),
        }
    }
}

/// The patterns of a rule, as JSON.
pub(crate) fn patterns(core: &Value) -> Vec<&Value> {
    fn collect<'v>(value: &'v Value, found: &mut Vec<&'v Value>) {
        match value {
            Value::Object(entries) => {
                entries
                    .iter()
                    .for_each(|(name, value)| match name.as_str() {
                        "pattern" if value.is_string() || value.get("context").is_some() => {
                            found.push(value)
                        }
                        _ => collect(value, found),
                    })
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    PARTS
        .iter()
        .filter_map(|name| core.get(*name))
        .for_each(|part| collect(part, &mut found));
    found
}

/// Rewrites the patterns of a rule that are parsed differently in the body of a function.
pub(crate) fn rewrite(core: &mut Value, grammar: Grammar) {
    fn within(value: &mut Value, grammar: Grammar) {
        match value {
            Value::Object(entries) => entries.iter_mut().for_each(|(name, value)| {
                let pattern = Some(&*value).filter(|value| name == "pattern" && value.is_string());
                match pattern.and_then(|pattern| Parsed::of(pattern, grammar)?.rewritten) {
                    Some(rewritten) => *value = rewritten,
                    None => within(value, grammar),
                }
            }),
            Value::Array(items) => items.iter_mut().for_each(|item| within(item, grammar)),
            _ => {}
        }
    }
    for part in PARTS {
        if let Some(part) = core.get_mut(part) {
            within(part, grammar);
        }
    }
}

/// The code before and after a statement or an expression in the body of a function, in languages with braces.
fn bodies(grammar: Grammar) -> impl Iterator<Item = (String, String)> {
    let row = grammar.row();
    let openers = row.ladders.first().filter(|_| row.blocks == Blocks::Braces);
    openers.into_iter().flat_map(|openers| {
        let (before, after) = (
            format!("{}\n", openers.join(" ")),
            format!("\n{}", "}".repeat(openers.len())),
        );
        let statement = [
            (before.clone(), after.clone()),
            (before.clone(), format!(";{after}")),
        ];
        // Not every expression is a statement.
        statement
            .into_iter()
            .chain([(format!("{before}_x = "), format!(";{after}"))])
    })
}

/// A pattern, parsed.
struct Source {
    grammar: Grammar,
    /// The text for the grammar, without dollar signs that it does not accept.
    text: String,
    tree: Tree,
}

impl Source {
    fn parse(text: &str, grammar: Grammar) -> Option<Self> {
        let text = grammar.pre_process_pattern(text).into_owned();
        let mut parser = Parser::new();
        parser.set_language(grammar.language()).ok()?;
        let tree = parser.parse(text.as_bytes(), None)?;
        Some(Self {
            grammar,
            text,
            tree,
        })
    }

    /// The node with this text, if all of it could be parsed and a search for its kind finds this node first.
    fn node_at(&self, start: usize, end: usize) -> Option<Node<'_>> {
        let root = self.tree.root_node();
        let text = self.text.get(start..end)?;
        let start = start + text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        let node = innermost(root.named_descendant_for_byte_range(start, end)?);
        let is_all = node.byte_range() == (start..end) && !root.has_error();
        (is_all && node.is_named() && self.first_of_kind(node.kind()) == Some(node)).then_some(node)
    }

    fn first_of_kind(&self, kind: &str) -> Option<Node<'_>> {
        let mut stack = vec![self.tree.root_node()];
        while let Some(node) = stack.pop() {
            if node.is_named() && node.kind() == kind {
                return Some(node);
            }
            stack.extend(children(node).rev());
        }
        None
    }

    fn describe(&self, node: Node<'_>, rewritten: Option<Value>) -> Parsed {
        let name = |node: Node<'_>| {
            Some(
                self.variable(node)?
                    .replace(self.grammar.expando_char(), "$"),
            )
        };
        Parsed {
            rewritten,
            outline: outline(node, name),
            has_error: self.has_error(node),
        }
    }

    /// The text of a node, if it is a variable of the pattern.
    fn variable(&self, node: Node<'_>) -> Option<&str> {
        let text = self.text.get(node.byte_range())?;
        self.grammar.extract_meta_var(text).map(|_| text)
    }

    /// Whether a part could not be parsed. A missing token, such as the semicolon of a statement, is not part of a
    /// pattern, and it does not matter how a variable was parsed.
    fn has_error(&self, node: Node<'_>) -> bool {
        let is_wrong = || {
            node.is_error() || node.has_error() && children(node).any(|child| self.has_error(child))
        };
        self.variable(node).is_none() && is_wrong()
    }
}

fn children(node: Node<'_>) -> impl DoubleEndedIterator<Item = Node<'_>> {
    (0..node.child_count()).filter_map(move |index| node.child(index))
}

/// The innermost node with the same content, which ast-grep uses as the pattern.
fn innermost(mut node: Node<'_>) -> Node<'_> {
    loop {
        let mut children =
            children(node).filter(|child| !child.is_missing() && !child.kind().is_empty());
        match (children.next(), children.next()) {
            (Some(only), None) => node = only,
            _ => return node,
        }
    }
}

#[cfg(test)]
mod tests {
    use syntax::language::Grammar;

    use super::Parsed;

    #[test]
    fn a_pattern_that_is_parsed_the_same_everywhere_is_not_rewritten() {
        for (language, pattern) in [
            ("Go", "func $F() { $$$ }"),
            ("Go", "f($A, $B)"),
            ("Java", "class $C { $$$ }"),
            ("Rust", "fn $F() { $$$ }"),
            ("C", "int $X;"),
        ] {
            let parsed = Parsed::of(&pattern.into(), Grammar::find(language).unwrap()).unwrap();
            assert_eq!(
                (parsed.rewritten, parsed.has_error),
                (None, false),
                "{language}: {pattern}"
            );
        }
    }
}
