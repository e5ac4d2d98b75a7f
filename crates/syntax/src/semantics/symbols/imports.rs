//! Unused imports.

use std::collections::HashSet;

use super::missing::{folds_names, words};
use super::{DefKind, Symbols, go};
use crate::language::Role;
use crate::tree::{Node, Tree};

/// The names of the imports that a whole file never uses, in document order.
pub fn unused_imports<'t>(tree: &'t Tree<'t>, path: &str) -> Vec<Node<'t>> {
    if !tree.is_readable_file() || passes_on(path) {
        return Vec::new();
    }
    let candidates = candidates(tree);
    if candidates.is_empty() || folds_names(tree) {
        return Vec::new();
    }
    let mentioned = mentioned(tree);
    candidates
        .into_iter()
        .filter(|name| !mentioned.contains(imported_name(*name)) && !is_kept(*name))
        .collect()
}

/// Whether other files import from this file the names that it imports.
fn passes_on(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "__init__.py" | "conftest.py" | "package-info.java")
        || name.ends_with(".pyi")
        || name.ends_with(".d.ts")
}

fn candidates<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    if tree.grammar().name() == "Kotlin" {
        return unnamed_in_kotlin(tree);
    }
    let Some(symbols) = Symbols::of(tree) else {
        return Vec::new();
    };
    // A pytest test uses an imported fixture through the name of a parameter.
    let is_python = tree.grammar().name() == "Python";
    let parameters = symbols
        .symbols()
        .filter(|symbol| is_python && symbol.kind == DefKind::Parameter);
    let parameters: HashSet<&str> = parameters
        .filter_map(|symbol| symbol.definitions(tree).next())
        .map(Node::text)
        .collect();
    let unused = symbols
        .symbols()
        .filter(|symbol| symbol.kind == DefKind::Import && symbol.is_unused());
    let names = unused.filter_map(|symbol| {
        let mut names = symbol.definitions(tree);
        names.next().filter(|_| names.next().is_none())
    });
    let is_java = tree.grammar().name() == "Java";
    // Java methods are not in the table, and a static import may be for one.
    let is_method = |name: Node<'_>| {
        is_java
            && tree
                .mentions()
                .within(tree, name.text(), 0..usize::MAX)
                .nth(1)
                .is_some()
    };
    // Names of PHP functions and classes are case-insensitive.
    let is_php = tree.grammar().name() == "PHP";
    let unresolved = symbols.unresolved(tree).filter(|_| is_php);
    let unresolved: HashSet<String> = unresolved
        .map(|used| used.text().to_ascii_lowercase())
        .collect();
    let is_other_case = |name: Node<'_>| unresolved.contains(&name.text().to_ascii_lowercase());
    let mut names: Vec<Node<'t>> = names
        .filter(|name| !parameters.contains(name.text()) && !is_method(*name))
        .filter(|name| !is_other_case(*name))
        .map(whole_path)
        .collect();
    names.sort_by_key(|name| name.index());
    names
}

/// The names that a Kotlin file imports and does not name otherwise.
fn unnamed_in_kotlin<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    let imports = tree.nodes().filter(|node| {
        node.is(&["import_header"]) && node.child_of_kind(&["wildcard_import"]).is_none()
    });
    let imported = imports.filter_map(|import| {
        let name = import.child_of_kind(&["import_alias"]);
        name.or_else(|| import.child_of_kind(&["identifier"]))?
            .named_children()
            .last()
    });
    let is_named = |leaf: &Node<'_>| {
        let is_name = leaf.has_role(Role::Name) || leaf.is(&["type_identifier"]);
        let is_in_head = leaf
            .parent()
            .is_some_and(|path| path.is(&["identifier", "import_alias"]));
        is_name && !is_in_head
    };
    let named: HashSet<&str> = tree.nodes().filter(is_named).map(bare_name).collect();
    imported
        .filter(|name| !named.contains(bare_name(*name)) && !is_convention(name.text()))
        .collect()
}

/// A Kotlin name without its backticks.
fn bare_name(name: Node<'_>) -> &str {
    name.text().trim_matches('`')
}

/// Whether Kotlin calls functions with this name for operators, delegates, loops and destructuring.
fn is_convention(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "getValue", "setValue", "provideDelegate", "assign", "invoke", "get", "set", "contains",
        "iterator", "next", "hasNext", "rangeTo", "rangeUntil", "plus", "minus", "times", "div",
        "rem", "mod", "unaryPlus", "unaryMinus", "not", "inc", "dec", "plusAssign", "minusAssign",
        "timesAssign", "divAssign", "remAssign", "compareTo", "equals",
    ];
    name.starts_with("component") || NAMES.contains(&name)
}

/// The path with its quotes, if a Go import is named by its path.
fn whole_path(name: Node<'_>) -> Node<'_> {
    let path = name.parent().filter(|path| path.own_field() == "path");
    path.unwrap_or(name)
}

/// Whether the name of an import is certain. In Go, a package may have another name than its path.
pub fn is_certain(name: Node<'_>) -> bool {
    let is_own = |path: &str| {
        path.split('/')
            .next()
            .is_some_and(|first| first.contains('.') || first == "internal")
    };
    name.own_field() != "path" || !is_own(name.text())
}

/// The name that an import defines in the file.
pub fn imported_name(name: Node<'_>) -> &str {
    let path = name.text().trim_matches(['"', '`']);
    let of_path = (name.own_field() == "path").then(|| go::package(path));
    of_path.flatten().unwrap_or_else(|| name.text())
}

/// The words of comments, and of strings that are code: annotations, `__all__` and casts of Python.
fn mentioned<'t>(tree: &'t Tree<'t>) -> HashSet<&'t str> {
    let is_go = tree.grammar().name() == "Go";
    let is_python = tree.grammar().name() == "Python";
    let texts = tree.nodes().filter(|node| {
        node.has_role(Role::Comment) && !is_go
            || is_python && node.is(&["string"]) && is_code(*node)
    });
    texts.map(Node::text).flat_map(words).collect()
}

fn is_code(text: Node<'_>) -> bool {
    text.ancestors().take(8).any(|around| match around.kind() {
        "type" | "type_parameter" | "generic_type" => true,
        "assignment" | "augmented_assignment" => around
            .field("left")
            .is_some_and(|left| left.text() == "__all__"),
        "call" => around.field("function").is_some_and(|called| {
            let name = called.text();
            ["cast", "TypeVar", "ForwardRef", "NewType"]
                .iter()
                .any(|known| name.ends_with(known))
                || name.starts_with("__all__")
        }),
        // `Optional["Cart"]` outside an annotation.
        "subscript" => true,
        _ => false,
    })
}

/// Whether an import is kept although its name is not used: for its effect, to re-export it, or to test whether it
/// works.
fn is_kept(name: Node<'_>) -> bool {
    if name.text().chars().all(|c| c == '_') || name.text() == "React" {
        return true;
    }
    let is_alias_of_itself = |around: Node<'_>| {
        let parts = [around.field("name"), around.field("alias")];
        matches!(parts, [Some(name), Some(alias)] if name.text() == alias.text())
    };
    let is_dotted = |around: Node<'_>| {
        around.is(&["import_statement"])
            && name
                .parent()
                .is_some_and(|path| path.is(&["dotted_name"]) && path.text().contains('.'))
    };
    let is_marked = |around: Node<'_>| {
        let is_note = |node: Node<'_>| {
            node.has_role(Role::Comment)
                && ["noqa", "pylint", "eslint", "@ts-", "isort"]
                    .iter()
                    .any(|mark| node.text().contains(mark))
        };
        let siblings = around.parent().into_iter().flat_map(Node::children);
        let last = around.last_line();
        around.is(&["import_statement", "import_from_statement"])
            && (around.descendants().any(is_note)
                || siblings
                    .filter(|node| node.line().is_some() && node.line() == last)
                    .any(is_note))
    };
    name.ancestors().any(|around| {
        around.is(&["try_statement"])
            || is_alias_of_itself(around)
            || is_dotted(around)
            || is_marked(around)
    })
}
