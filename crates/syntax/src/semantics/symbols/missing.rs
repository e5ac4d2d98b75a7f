//! Names that are used but that nothing can define.

use std::collections::HashSet;

use super::Symbols;
use super::builtins::{is_builtin, is_easily_confused, is_of_python_2};
use super::{go, java_calls, ruby, rust};
use crate::language::Role;
use crate::tree::{Node, Tree};

/// The uses of names that are certainly undefined, in document order.
pub fn missing<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    match tree.grammar().name() {
        "Go" => go::misspelt(tree),
        // `php/variable-never-set` reports its variables.
        "PHP" => Vec::new(),
        "Java" => java_calls::missing_methods(tree),
        // A bare name without a variable is a call of a method, which a class may inherit.
        "Ruby" => ruby::unset_fields(tree),
        "Rust" => rust::names(tree).map_or_else(Vec::new, |names| names.missing()),
        _ => missing_without(tree, is_builtin),
    }
}

/// The same for a file that only Python 3 runs.
pub fn missing_in_python_3<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    let found = missing_without(tree, |language, name| {
        is_builtin(language, name) && !is_of_python_2(name)
    });
    let is_for_others = |around: Node<'_>| {
        const MARKS: &[&str] = &["version", "PY2", "PY3", "six"];
        let condition = around
            .field("condition")
            .filter(|_| around.is(&["if_statement", "conditional_expression"]));
        let text = condition.unwrap_or(around).text();
        around.is(&["if_statement", "conditional_expression", "elif_clause"])
            && MARKS.iter().any(|mark| text.contains(mark))
    };
    found
        .into_iter()
        .filter(|name| !is_of_python_2(name.text()) || !name.ancestors().any(is_for_others))
        .collect()
}

/// The same if a definition of each name may have been removed. Code that used `name` as a variable does not mean
/// `window.name`.
pub fn missing_after_removal<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    missing_without(tree, |language, name| {
        is_builtin(language, name) && (language == "Python" || !is_easily_confused(name))
    })
}

fn missing_without<'t>(tree: &'t Tree<'t>, is_known: fn(&str, &str) -> bool) -> Vec<Node<'t>> {
    let language = tree.grammar().name();
    let Some(symbols) = Symbols::of(tree).filter(|_| tree.is_whole()) else {
        return Vec::new();
    };
    if language == "PHP" {
        return symbols.undefined_locals(tree);
    }
    let absent = symbols
        .absent(tree)
        .filter(|used| used.text().is_ascii() && !is_known(language, used.text()));
    let absent: Vec<Node<'t>> = absent
        .filter(|used| !is_injected(language, used.text()))
        .collect();
    if absent.is_empty() || language != "Python" && !is_module(tree) || folds_names(tree) {
        return Vec::new();
    }
    let excused: HashSet<&str> = absent
        .iter()
        .filter(|used| is_excused(**used))
        .map(|used| used.text())
        .collect();
    let declared = declared_in_comments(tree);
    let is_known = |name: &str| excused.contains(name) || declared.contains(name);
    absent
        .into_iter()
        .filter(|used| !is_known(used.text()))
        .collect()
}

/// Whether a name in the tree may equal one that is written differently: Python treats `ﬁ` as `fi`.
pub(crate) fn folds_names(tree: &Tree<'_>) -> bool {
    let folds = |node: Node<'_>| {
        node.is_leaf()
            && node.is(&["identifier"])
            && !node.text().is_ascii()
            && node.text().chars().any(is_folded)
    };
    tree.grammar().name() == "Python" && tree.nodes().any(folds)
}

/// Whether Unicode's normalization NFKC replaces a letter by others.
#[must_use]
pub fn is_folded(c: char) -> bool {
    matches!(c, 'ª' | 'º' | 'ſ' | '\u{2b0}'..='\u{2e4}' | '\u{1d2c}'..='\u{1d6a}' | '\u{2070}'..='\u{209c}')
        || matches!(c, '\u{2100}'..='\u{218b}' | '\u{2460}'..='\u{24ff}' | '\u{fb00}'..='\u{fb06}')
        || matches!(c, '\u{ff00}'..='\u{ffef}' | '\u{1d400}'..='\u{1d7ff}' | '\u{1f100}'..='\u{1f1ff}')
}

/// Whether a name has the form of those that build tools and frameworks inject.
fn is_injected(language: &str, name: &str) -> bool {
    let is_constant = || {
        name.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    name.starts_with("__")
        || name.chars().all(|c| c == '_')
        || language != "Python" && (is_constant() || name.starts_with('$'))
}

/// Whether a script's names are its own. Otherwise those of other scripts on the same page are visible too.
fn is_module(tree: &Tree<'_>) -> bool {
    let Some(root) = tree.root() else {
        return false;
    };
    let is_module = |statement: Node<'_>| {
        statement.is(&["import_statement", "export_statement"]) || is_of_node(statement)
    };
    root.is(&["program"])
        && (tree.grammar().name() == "Java" || root.named_children().any(is_module))
}

/// Whether a statement is `module.exports = …`, `exports.name = …` or `const name = require(…)`.
fn is_of_node(statement: Node<'_>) -> bool {
    let text = statement.text();
    match statement.kind() {
        "expression_statement" => {
            text.starts_with("module.exports") || text.starts_with("exports.")
        }
        "lexical_declaration" => text
            .split_once('=')
            .is_some_and(|(_, value)| value.trim_start().starts_with("require(")),
        _ => false,
    }
}

/// Whether a use shows that its author knows that the name may be undefined, or that it is defined elsewhere.
fn is_excused(used: Node<'_>) -> bool {
    let Some(parent) = used.parent() else {
        return true;
    };
    let is_left = || {
        used.own_field() == "left"
            || used.own_field() == "argument" && parent.is(&["update_expression"])
    };
    match parent.kind() {
        // Types of other files may be visible.
        "nested_type_identifier" | "nested_identifier" | "type_query" => return true,
        // The tag of a template, which a compiler plugin may replace.
        "call_expression"
            if parent
                .field("arguments")
                .is_some_and(|text| text.is(&["template_string"])) =>
        {
            return used.own_field() == "function";
        }
        "unary_expression" => {
            return parent
                .children()
                .next()
                .is_some_and(|operator| operator.text() == "typeof");
        }
        "assignment_expression"
        | "augmented_assignment_expression"
        | "update_expression"
        | "for_in_statement" => {
            return is_left();
        }
        _ => {}
    }
    used.is(&["type_identifier"])
        || used
            .ancestors()
            .any(|around| around.is(&["ambient_declaration"]) || is_tried(around))
}

/// Whether a Python `try` handles an undefined name.
fn is_tried(around: Node<'_>) -> bool {
    let names_it = |clause: Node<'_>| {
        clause.is(&["except_clause"])
            && clause
                .named_children()
                .next()
                .is_some_and(|caught| caught.text().contains("NameError"))
    };
    around.is(&["try_statement"]) && around.named_children().any(names_it)
}

/// The words of comments that declare globals, as in `/* global app */`.
fn declared_in_comments<'t>(tree: &'t Tree<'t>) -> HashSet<&'t str> {
    let comments = tree.nodes().filter(|node| node.has_role(Role::Comment));
    comments
        .map(Node::text)
        .filter(|text| text.contains("global"))
        .flat_map(words)
        .collect()
}

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .filter(|word| !word.is_empty())
}
