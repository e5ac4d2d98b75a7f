//! Names of Ruby: local variables, constants and methods by their bare names.

use std::collections::{HashMap, HashSet};

use super::model::{DefKind, ScopeKind};
use super::row::{Locals, Place, Row, To, as_written, never_shares};
use crate::language::Role;
use crate::semantics::names::word_counts;
use crate::tree::{Node, Tree};

const VARIABLE: Place = Place::Bind(DefKind::Variable, To::Known);
const CHANGED: Place = Place::BindUse(To::Known);
const PARAMETER: Place = Place::Bind(DefKind::Parameter, To::Here);

pub(super) const ROW: Row = Row {
    languages: &["Ruby"],
    identifiers: &["identifier", "hash_key_symbol"],
    scopes: &[
        ("program", ScopeKind::File),
        ("class", ScopeKind::Class),
        ("module", ScopeKind::Class),
        ("singleton_class", ScopeKind::Class),
        ("method", ScopeKind::Function),
        ("singleton_method", ScopeKind::Function),
        // They see the variables around them.
        ("block", ScopeKind::Block),
        ("do_block", ScopeKind::Block),
        ("lambda", ScopeKind::Block),
    ],
    fields: &[
        ("method", "name", Place::Skip),
        ("singleton_method", "name", Place::Skip),
        ("singleton_method", "object", Place::Outside),
        ("setter", "name", Place::Skip),
        ("class", "superclass", Place::Outside),
        ("singleton_class", "value", Place::Outside),
        ("method_parameters", "", PARAMETER),
        ("block_parameters", "", PARAMETER),
        ("block_parameters", "locals", PARAMETER),
        ("lambda_parameters", "", PARAMETER),
        ("destructured_parameter", "", PARAMETER),
        ("splat_parameter", "name", PARAMETER),
        ("hash_splat_parameter", "name", PARAMETER),
        ("block_parameter", "name", PARAMETER),
        ("keyword_parameter", "name", PARAMETER),
        ("keyword_parameter", "value", Place::Use),
        ("optional_parameter", "name", PARAMETER),
        ("optional_parameter", "value", Place::Use),
        ("assignment", "left", VARIABLE),
        ("operator_assignment", "left", CHANGED),
        ("for", "pattern", VARIABLE),
        ("exception_variable", "", VARIABLE),
        ("in_clause", "pattern", VARIABLE),
        ("match_pattern", "pattern", VARIABLE),
        ("test_pattern", "pattern", VARIABLE),
        ("alias", "name", Place::Skip),
        ("alias", "alias", Place::Skip),
        ("undef", "", Place::Skip),
        ("as_pattern", "name", VARIABLE),
        ("variable_reference_pattern", "name", Place::Use),
        ("expression_reference_pattern", "value", Place::Use),
    ],
    patterns: &[
        "left_assignment_list", "destructured_left_assignment", "rest_assignment", "array_pattern",
        "find_pattern", "hash_pattern", "keyword_pattern", "as_pattern", "alternative_pattern",
        "splat_parameter", "hash_splat_parameter", "parenthesized_pattern",
    ],
    hides_class_names: false,
    locals: Some(Locals {
        is_local: |_| true,
        begins_at_definition: true,
        // A pattern with named groups sets variables of their names.
        is_dynamic: |node| node.text().contains("(?<"),
    }),
    dynamic_names: &[
        "binding", "eval", "instance_eval", "class_eval", "module_eval", "local_variable_defined?",
        "local_variables", "local_variable_set", "local_variable_get",
    ],
    wildcards: &[],
    dynamic: &["regex"],
    special: &["call", "pair", "keyword_pattern"],
    own,
    is_open: |_| false,
    name: as_written,
    shares_scope: never_shares,
    visible_from: None,
};

fn own(node: Node<'_>, parent: Node<'_>, around: Place) -> Option<Place> {
    let is_name = node.is(&["identifier"]);
    match (parent.kind(), node.own_field()) {
        // `f x` and `a.f` are calls. A bare `f` is one if no variable of that name is visible.
        ("call", "method") if is_name => {
            let is_dynamic = ROW.dynamic_names.contains(&node.text());
            Some(if is_dynamic { Place::Use } else { Place::Skip })
        }
        // `f(x:)` passes the variable `x`, and `in {x:}` sets it.
        ("pair", "key") if node.is(&["hash_key_symbol"]) && parent.field("value").is_some() => {
            Some(Place::Skip)
        }
        ("keyword_pattern", "key") if parent.field("value").is_some() => Some(Place::Skip),
        ("keyword_pattern", "key") => Some(if around == Place::Use {
            VARIABLE
        } else {
            Place::Inherit
        }),
        _ => None,
    }
}

/// The reads of instance variables that nothing in a whole file sets, in classes that show all of their code. They are `nil`.
pub(super) fn unset_fields<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    const OTHERS: &[&str] = &[
        "include", "extend", "prepend", "instance_variable_set", "instance_eval", "instance_exec",
        "class_eval", "eval", "define_method", "Struct", "Class",
    ];
    let fields = || tree.nodes().filter(|node| node.is(&["instance_variable"]));
    if !tree.is_readable_file() || !fields().any(Node::touches_change) {
        return Vec::new();
    }
    // The count includes symbols, texts and methods: `attr_accessor :name`.
    let counts = word_counts(tree.root().map_or("", Node::text));
    if OTHERS.iter().any(|name| counts.contains_key(name)) {
        return Vec::new();
    }
    let bare = |name: Node<'t>| name.text().trim_start_matches('@');
    let mut reads: HashMap<&str, usize> = HashMap::new();
    for name in fields().filter(|name| !sets_field(*name)) {
        *reads.entry(bare(name)).or_default() += 1;
    }
    let is_class = |around: &Node<'t>| around.has_role(Role::Class);
    // The classes in which something is set.
    let setting: HashSet<usize> = fields()
        .filter(|name| sets_field(*name))
        .flat_map(|name| name.ancestors().filter(is_class).map(Node::index))
        .collect();
    let is_of_plain_class = |name: Node<'t>| {
        let mut classes = name.ancestors().filter(is_class);
        classes.next().is_some_and(|class| {
            class.is(&["class"])
                && class.field("superclass").is_none()
                && classes.next().is_none_or(|around| around.is(&["module"]))
                && setting.contains(&class.index())
        })
    };
    fields()
        .filter(|name| {
            counts.get(bare(*name)) == reads.get(bare(*name)) && is_of_plain_class(*name)
        })
        .collect()
}

/// Whether an instance variable is set here.
pub(super) fn sets_field(name: Node<'_>) -> bool {
    const LISTS: &[&str] = &[
        "left_assignment_list", "destructured_left_assignment", "rest_assignment",
        "exception_variable",
    ];
    matches!(name.own_field(), "left" | "pattern" | "name")
        || name.parent().is_some_and(|list| list.is(LISTS))
}
