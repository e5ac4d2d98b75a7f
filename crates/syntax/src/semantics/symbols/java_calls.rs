//! Calls of Java without a receiver, for which no class around them has a method.

use std::collections::{HashMap, HashSet};

use crate::tree::{Node, Tree};

const CLASSES: &[&str] = &[
    "class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
    "annotation_type_declaration",
];
/// The methods of every object and every enumeration.
const UNIVERSAL: &[&str] = &[
    "getClass", "hashCode", "equals", "clone", "toString", "notify", "notifyAll", "wait",
    "finalize", "values", "valueOf", "name", "ordinal", "compareTo", "getDeclaringClass",
    "describeConstable",
];
/// The annotations of Lombok that add no methods, and the packages of those that only add a logger.
const WITHOUT_METHODS: &[&str] = &[
    "lombok.extern", "lombok.AllArgsConstructor", "lombok.NoArgsConstructor",
    "lombok.RequiredArgsConstructor", "lombok.NonNull", "lombok.SneakyThrows",
];
/// A class with more bases than this is not searched.
const BASES: usize = 16;

/// The names of the methods in these calls, in document order.
pub(super) fn missing_methods<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    if !tree.is_readable_file() {
        return Vec::new();
    }
    let bare_calls = tree
        .nodes()
        .filter(|node| node.is(&["method_invocation"]) && node.field("object").is_none());
    let names: Vec<Node<'t>> = bare_calls.filter_map(|call| call.field("name")).collect();
    let Some(mut classes) = Classes::of(tree).filter(|_| !names.is_empty()) else {
        return Vec::new();
    };
    names
        .into_iter()
        .filter(|name| !UNIVERSAL.contains(&name.text()) && classes.lack(*name))
        .collect()
}

/// The classes of a file.
#[derive(Default)]
struct Classes<'t> {
    imported: HashSet<&'t str>,
    by_name: HashMap<&'t str, Vec<Node<'t>>>,
    /// The names of the methods of each class, by its index.
    methods: HashMap<usize, HashSet<&'t str>>,
    /// The indices of each class and its bases; `None` if a base is not in the file.
    families: HashMap<usize, Option<Vec<usize>>>,
}

impl<'t> Classes<'t> {
    /// Those of a tree; `None` if a static import or Lombok may add methods that the file does not name.
    fn of(tree: &'t Tree<'t>) -> Option<Self> {
        let mut found = Self::default();
        for node in tree.nodes() {
            match node.kind() {
                "import_declaration" => found.import(node)?,
                "annotation" | "marker_annotation"
                    if node
                        .field("name")
                        .is_some_and(|name| adds_methods(name.text())) =>
                {
                    return None;
                }
                "method_declaration" | "annotation_type_element_declaration" => {
                    found.method(node.field("name")?);
                }
                // The accessors of a record.
                "formal_parameter" => {
                    let list = node.parent()?;
                    if list.parent()?.is(&["record_declaration"]) {
                        found.method(node.field("name")?);
                    }
                }
                _ if node.is(CLASSES) => {
                    let own = found.by_name.entry(node.field("name")?.text());
                    own.or_default().push(node);
                }
                _ => {}
            }
        }
        Some(found)
    }

    fn import(&mut self, import: Node<'t>) -> Option<()> {
        let is_wildcard = import.child_of_kind(&["asterisk"]).is_some();
        let is_static = import.children().any(|part| part.text() == "static");
        let path = import.child_of_kind(&["identifier", "scoped_identifier"])?;
        if is_wildcard && is_static || adds_methods(path.text()) {
            return None;
        }
        self.imported.insert(path.last_name());
        Some(())
    }

    fn method(&mut self, name: Node<'t>) {
        if let Some(class) = class_around(name) {
            let own = self.methods.entry(class.index());
            own.or_default().insert(name.text());
        }
    }

    /// Whether certainly none of the classes around a name has a method with it.
    fn lack(&mut self, name: Node<'t>) -> bool {
        if self.imported.contains(name.text()) {
            return false;
        }
        let around: Vec<Node<'t>> = name.ancestors().filter(|node| is_class(*node)).collect();
        let lacks = |class: &Node<'t>| {
            let family = self
                .families
                .entry(class.index())
                .or_insert_with(|| family(*class, &self.by_name, &self.imported));
            let has = |class: &usize| {
                let methods = self.methods.get(class);
                methods.is_some_and(|methods| methods.contains(name.text()))
            };
            family
                .as_ref()
                .is_some_and(|family| !family.iter().any(has))
        };
        !around.is_empty() && around.iter().all(lacks)
    }
}

/// Whether a name of Lombok is that of an annotation that may add methods.
fn adds_methods(path: &str) -> bool {
    path.split('.').next() == Some("lombok")
        && !WITHOUT_METHODS.iter().any(|known| path.starts_with(known))
}

/// Whether it is a class, with or without a name.
fn is_class(node: Node<'_>) -> bool {
    let is_anonymous = || {
        node.is(&["class_body"])
            && node
                .parent()
                .is_some_and(|around| around.is(&["object_creation_expression", "enum_constant"]))
    };
    node.is(CLASSES) || is_anonymous()
}

fn class_around(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|around| is_class(*around))
}

/// The indices of a class and of its bases; `None` if a base is not certainly in the file.
fn family<'t>(
    class: Node<'t>,
    by_name: &HashMap<&'t str, Vec<Node<'t>>>,
    imported: &HashSet<&'t str>,
) -> Option<Vec<usize>> {
    let mut found: Vec<Node<'t>> = vec![class];
    let mut at = 0;
    while let Some(class) = found.get(at).copied() {
        if !class.is(CLASSES) {
            return None;
        }
        for base in bases(class) {
            let named = if base.is(&["generic_type"]) {
                base.named_children().next()?
            } else {
                base
            };
            let [known] = by_name.get(named.text())?.as_slice() else {
                return None;
            };
            let is_visible = class_around(*known).is_none_or(|outer| class.is_inside(outer));
            let is_certain = named.is(&["type_identifier"]) && !imported.contains(named.text());
            if !is_certain || !is_visible || found.len() == BASES {
                return None;
            }
            if !found.contains(known) {
                found.push(*known);
            }
        }
        at += 1;
    }
    Some(found.into_iter().map(Node::index).collect())
}

/// The types that a class extends or implements.
fn bases(class: Node<'_>) -> Vec<Node<'_>> {
    let clauses = class
        .named_children()
        .filter(|part| part.is(&["superclass", "super_interfaces", "extends_interfaces"]));
    clauses
        .flat_map(Node::named_children)
        .flat_map(|part| {
            if part.is(&["type_list"]) {
                part.named_children().collect()
            } else {
                vec![part]
            }
        })
        .filter(|part| !part.is(&["line_comment", "block_comment"]))
        .collect()
}
