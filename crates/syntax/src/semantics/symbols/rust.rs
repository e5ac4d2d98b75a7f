//! Names of Rust that a file uses and does not define. Scopes are ignored: a name counts as defined if anything in the file has it.

use std::collections::{HashMap, HashSet};

use super::builtins::is_builtin;
use crate::tree::{Node, Tree};

/// Nodes that define the name in their field `name` or `alias`.
const DEFINITIONS: &[&str] = &[
    "function_item", "function_signature_item", "struct_item", "enum_item", "union_item",
    "trait_item", "type_item", "const_item", "static_item", "mod_item", "macro_definition",
    "associated_type", "enum_variant", "type_parameter", "const_parameter",
    "extern_crate_declaration", "use_as_clause",
];
/// Parts of a `use`.
const USES: &[&str] = &[
    "use_declaration", "use_list", "scoped_use_list", "use_as_clause", "use_wildcard",
];
const PATHS: &[&str] = &["scoped_identifier", "scoped_type_identifier"];
/// The text of a macro or of its arguments, which is not parsed.
const TOKENS: &[&str] = &[
    "token_tree", "token_tree_pattern", "token_binding_pattern", "token_repetition",
    "token_repetition_pattern",
];
/// Nodes that take a value apart.
const PATTERNS: &[&str] = &[
    "tuple_pattern", "tuple_struct_pattern", "struct_pattern", "field_pattern", "ref_pattern",
    "mut_pattern", "slice_pattern", "reference_pattern", "captured_pattern", "or_pattern",
    "range_pattern", "generic_pattern",
];
/// Macros that define only names that are written in their arguments.
const PLAIN_MACROS: &[&str] = &[
    "bitflags", "cfg_if", "compile_error", "const_assert", "criterion_group", "criterion_main",
    "lazy_static", "proptest", "thread_local",
];
/// A definition with a shorter name is not searched for in generated names.
const DISTINCTIVE: usize = 3;

/// With more undefined names than this, none is judged.
const MANY: usize = 20;

/// The role of a leaf for its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Defines,
    Uses,
    /// Neither, or that depends on another file.
    Other,
}

/// The names that a file defines, each with one of its definitions, and the other names that it uses.
pub struct Names<'t> {
    /// The definitions.
    pub defined: HashMap<&'t str, Node<'t>>,
    used: Vec<Node<'t>>,
}

/// The names that a Rust file defines and uses; `None` if imports or macros may define others.
pub fn names<'t>(tree: &'t Tree<'t>) -> Option<Names<'t>> {
    if tree.grammar().name() != "Rust" || !tree.is_readable_file() {
        return None;
    }
    let mut names = Names {
        defined: HashMap::new(),
        used: Vec::new(),
    };
    let (mut enums, mut imported) = (HashSet::new(), Vec::new());
    for node in tree.nodes() {
        match node.kind() {
            "identifier" | "type_identifier" | "shorthand_field_identifier" => {
                match meaning(node) {
                    Meaning::Defines => drop(names.defined.entry(node.text()).or_insert(node)),
                    Meaning::Uses => names.used.push(node),
                    Meaning::Other => {}
                }
            }
            "enum_item" => enums.extend(node.field("name").map(Node::text)),
            "use_wildcard" => imported.push(node),
            "macro_invocation" if is_item(node) && !is_plain(node) => return None,
            _ => {}
        }
    }
    let is_own = |wildcard: &Node<'_>| {
        let path = wildcard.named_children().next();
        path.is_some_and(|path| is_in_file(path) || enums.contains(path.text()))
    };
    imported.iter().all(is_own).then_some(names)
}

impl<'t> Names<'t> {
    /// The uses of names that nothing defines, in document order; none if there are many such names: something else
    /// must define those.
    pub fn missing(&self) -> Vec<Node<'t>> {
        let is_unknown = |used: &Node<'t>| {
            let name = used.text();
            !self.defined.contains_key(name)
                && !is_builtin("Rust", name)
                && name.is_ascii()
                && !name.starts_with("r#")
        };
        let unknown: Vec<Node<'t>> = self.used.iter().copied().filter(is_unknown).collect();
        let names: HashSet<&str> = unknown.iter().map(|used| used.text()).collect();
        if names.len() > MANY {
            return Vec::new();
        }
        let missing: HashSet<&str> = names
            .into_iter()
            .filter(|name| !self.may_be_generated(name))
            .collect();
        unknown
            .into_iter()
            .filter(|used| missing.contains(used.text()))
            .collect()
    }

    /// Whether a macro or a derived trait may define the name: `OrderBuilder` for `Order`, and `Rule` in parsers of `pest`.
    fn may_be_generated(&self, name: &str) -> bool {
        let is_part =
            |own: &&str| own.len() >= DISTINCTIVE && starts_upper(own) && name.contains(own);
        starts_upper(name)
            && (name == "Rule" || self.defined.keys().copied().any(|own| is_part(&own)))
    }
}

fn starts_upper(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

fn meaning(leaf: Node<'_>) -> Meaning {
    let Some(parent) = leaf.parent() else {
        return Meaning::Other;
    };
    let field = leaf.own_field();
    if matches!(field, "name" | "alias") && parent.is(DEFINITIONS) || parent.is(TOKENS) {
        return Meaning::Defines;
    }
    let is_path = parent.is(PATHS);
    let mut around = leaf.ancestors().skip_while(|around| around.is(PATHS));
    if around.next().is_some_and(|around| around.is(USES)) {
        return if is_imported(leaf) {
            Meaning::Defines
        } else {
            Meaning::Other
        };
    }
    match parent.kind() {
        "lifetime" | "label" | "visibility_modifier" | "attribute" | "type_binding"
            if field != "type" =>
        {
            return Meaning::Other;
        }
        "macro_invocation" => return Meaning::Other,
        // The other parts of a path are in other files, and it may begin with the name of a package.
        _ if is_path && (field == "name" || !starts_upper(leaf.text())) => return Meaning::Other,
        _ => {}
    }
    if !is_in_pattern(leaf) {
        Meaning::Uses
    } else if starts_upper(leaf.text()) {
        Meaning::Other
    } else {
        Meaning::Defines
    }
}

/// Whether a leaf of a `use` is the name of what it imports, and not a part of the path to it.
fn is_imported(leaf: Node<'_>) -> bool {
    let mut node = leaf;
    for around in leaf.ancestors() {
        if node.own_field() == "path" {
            let is_itself = |item: Node<'_>| item.is(&["self"]);
            return around
                .field("list")
                .is_some_and(|list| list.named_children().any(is_itself));
        }
        if !around.is(PATHS) && !around.is(USES) {
            break;
        }
        node = around;
    }
    true
}

/// Whether a leaf is a variable or a constant in a pattern.
fn is_in_pattern(leaf: Node<'_>) -> bool {
    let mut node = leaf;
    for around in leaf.ancestors() {
        match around.kind() {
            "closure_parameters" => return true,
            "match_pattern" => return node.own_field() != "condition",
            _ if node.own_field() == "pattern" && !around.is(PATTERNS) => return true,
            _ if around.is(PATTERNS) && node.own_field() != "type" => node = around,
            _ => return false,
        }
    }
    false
}

/// Whether a macro is called in place of an item, and not of an expression or a statement in a function.
fn is_item(invocation: Node<'_>) -> bool {
    let mut around = invocation
        .ancestors()
        .skip_while(|around| around.is(&["expression_statement"]));
    around
        .next()
        .is_some_and(|around| around.is(&["source_file", "declaration_list"]))
}

fn is_plain(invocation: Node<'_>) -> bool {
    invocation
        .field("macro")
        .is_some_and(|name| PLAIN_MACROS.contains(&name.last_name()))
}

/// Whether a path leads to a module of the same file: `super` in an inline module.
fn is_in_file(path: Node<'_>) -> bool {
    let steps = path.text().split("::");
    let up = steps.clone().take_while(|step| *step == "super").count();
    let modules = path
        .ancestors()
        .filter(|around| around.is(&["mod_item"]))
        .count();
    up > 0 && up == steps.count() && up <= modules
}
