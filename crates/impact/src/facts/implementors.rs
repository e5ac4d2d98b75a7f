//! Methods that a type requires of the classes that implement or extend it.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};

use review::Side;
use syntax::language::Role;
use syntax::tree::{Node, Tree};

use super::breaks::BothSides;
use super::function_header::{FunctionHeader, heads, heads_within};
use super::members::{is_of_interface, name_of_type, outer_types, type_name};
use super::model::{Break, ByName, Cause, Implementor, Method, Named};

/// The maximum number of methods of a class.
const METHODS: usize = 200;
/// The number of levels between the name of a base type and the class.
const AROUND: usize = 6;

/// The methods that types of a file newly require, or require with other parameters.
pub(super) fn requirements(sides: &BothSides<'_>, package: &str) -> Vec<Break> {
    let (before, after) = (required(sides.old), required(sides.new));
    let types = outer_types(sides.old);
    let methods_before = LazyCell::new(|| {
        heads(sides.old)
            .filter_map(|head| Some((owner(&head)?, head.name.text())))
            .collect::<HashSet<_>>()
    });
    let mut found = Vec::new();
    for ((owner, name), new) in &after {
        let ([new], true) = (new.as_slice(), types.contains_key(owner)) else {
            continue;
        };
        let Some(signature) = new.signature() else {
            continue;
        };
        let old = before.get(&(*owner, *name)).map(Vec::as_slice);
        let is_changed = match old {
            // It may have had a body.
            None if methods_before.contains(&(*owner, *name)) => continue,
            None => false,
            Some([old]) => match old.signature() {
                Some(old) if old.max_args != signature.max_args => true,
                _ => continue,
            },
            Some(_) => continue,
        };
        let header =
            std::iter::once(new.place).chain(new.parameters.into_iter().flat_map(Node::leaves));
        let Some(line) = header
            .filter(|leaf| leaf.touches_change())
            .find_map(Node::line)
        else {
            continue;
        };
        let cause = Cause::Requires {
            method: (*name).to_owned(),
            signature,
            is_changed,
        };
        let by_name = ByName {
            owner: Some((*owner).to_owned()),
            package: package.to_owned(),
            may_be_inherited: false,
            has_namesake: false,
            named: Named::Type,
        };
        found.push(Break::of_name(owner, (Side::New, line), cause, by_name));
    }
    found
}

type Required<'t> = BTreeMap<(&'t str, &'t str), Vec<FunctionHeader<'t>>>;

/// The methods without a body, by their types and names.
fn required<'t>(tree: &'t Tree<'t>) -> Required<'t> {
    let mut found = Required::new();
    let signatures = tree.nodes().filter_map(signature_of_rust);
    let required = heads(tree).filter(|head| is_required(head.whole));
    for head in required.chain(signatures) {
        if let Some(owner) = owner(&head) {
            found
                .entry((owner, head.name.text()))
                .or_default()
                .push(head);
        }
    }
    found
}

/// The name of the type that a method belongs to.
fn owner<'t>(head: &FunctionHeader<'t>) -> Option<&'t str> {
    head.whole.enclosing(Role::Class).and_then(type_name)
}

/// A function of a Rust trait without a body.
fn signature_of_rust(node: Node<'_>) -> Option<FunctionHeader<'_>> {
    let name = node
        .field("name")
        .filter(|_| node.is(&["function_signature_item"]))?;
    Some(FunctionHeader {
        name,
        place: name,
        parameters: Some(node.field("parameters")?),
        whole: node,
    })
}

fn is_required(function: Node<'_>) -> bool {
    let has_word = |word: &str| {
        let mut before_body = function
            .leaves()
            .take_while(|leaf| !leaf.is(&["{", "=>"]))
            .take(30);
        before_body.any(|leaf| leaf.text() == word)
    };
    let has_body = function
        .field("body")
        .or_else(|| function.child_of_kind(&["block", "function_body", "arrow_expression_clause"]))
        .is_some();
    match function.tree().grammar().name() {
        "Python" => function.parent().is_some_and(|around| {
            around.is(&["decorated_definition"])
                && (around.text().starts_with("@abstractmethod")
                    || around.text().starts_with("@abc.abstractmethod"))
        }),
        "Java" | "C#" | "PHP" => {
            !has_body && !has_word("static") && (is_of_interface(function) || has_word("abstract"))
        }
        "Kotlin" => {
            let in_interface = function
                .enclosing(Role::Class)
                .is_some_and(|class| class.children().any(|child| child.text() == "interface"));
            !has_body && (in_interface || has_word("abstract"))
        }
        _ => false,
    }
}

/// The class that names a type as one of its bases, if it must have all methods that they require.
pub(super) fn class_with_base(base: Node<'_>) -> Option<Node<'_>> {
    const BASES: &[&str] = &[
        "super_interfaces", "superclass", "extends_interfaces", "base_list", "base_clause",
        "class_interface_clause", "delegation_specifier", "argument_list", "impl_item",
    ];
    if is_argument(base) {
        return None;
    }
    let list = base
        .ancestors()
        .take(AROUND)
        .find(|around| around.is(BASES) || around.has_role(Role::Block))?;
    let class = if list.is(&["impl_item"]) {
        list
    } else {
        list.parent().filter(|class| class.has_role(Role::Class))?
    };
    let is_base = if class.is(&["impl_item"]) {
        class
            .field("trait")
            .is_some_and(|of| of == base || base.is_inside(of))
    } else {
        list.is(BASES) && name_of_type(class) != Some(base)
    };
    (is_base && !is_abstract(class)).then_some(class)
}

/// A class with its methods, and whether it has other bases than this one.
pub(super) fn implementor(class: Node<'_>, base: Node<'_>) -> Option<Implementor> {
    let own = |head: &FunctionHeader<'_>| head.whole.enclosing(Role::Class) == Some(class);
    let methods = heads_within(class)
        .filter(own)
        .take(METHODS)
        .map(|head| Method {
            name: head.name.text().to_owned(),
            signature: head.signature(),
        });
    Some(Implementor {
        name: type_name(class)?.to_owned(),
        methods: methods.collect(),
        has_other_bases: has_other_bases(class, base),
    })
}

/// Whether a type is an argument of a generic type.
fn is_argument(name: Node<'_>) -> bool {
    const ARGUMENTS: &[&str] = &["type_arguments", "type_argument_list", "value_arguments"];
    name.ancestors()
        .take(AROUND)
        .any(|around| around.is(ARGUMENTS))
}

/// Whether a class need not have the methods, or may have others that the file does not show.
fn is_abstract(class: Node<'_>) -> bool {
    let body = class.field("body").map_or(usize::MAX, Node::index);
    let mut header = class
        .leaves()
        .take_while(|leaf| leaf.index() < body)
        .take(60);
    header.any(|leaf| {
        matches!(
            leaf.text(),
            "abstract" | "interface" | "trait" | "partial" | "ABC" | "Protocol"
        )
    }) || class.is(&["interface_declaration", "trait_item", "trait_declaration"])
        || delegates(class)
}

/// Whether Kotlin delegates the interface: `class A(b: B) : I by b`.
fn delegates(class: Node<'_>) -> bool {
    class
        .children()
        .filter(|child| child.is(&["delegation_specifier"]))
        .any(|child| child.child_of_kind(&["explicit_delegation"]).is_some())
}

/// Whether it extends another class, which may have the methods.
fn has_other_bases(class: Node<'_>, base: Node<'_>) -> bool {
    let mixes_in = class
        .field("body")
        .is_some_and(|body| body.child_of_kind(&["use_declaration"]).is_some());
    let lists = class.children().filter(|child| {
        child.is(&["superclass", "base_list", "base_clause", "argument_list"])
            || child.is(&["delegation_specifier"])
                && child.child_of_kind(&["constructor_invocation"]).is_some()
    });
    let names = lists.flat_map(Node::leaves).filter(|leaf| {
        let is_name = leaf.is(&["type_identifier", "identifier", "name", "simple_identifier"]);
        (is_name || leaf.has_role(Role::Name)) && !is_argument(*leaf)
    });
    let is_interface = |name: &str| {
        let mut letters = name.chars();
        letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase)
    };
    let is_csharp = class.tree().grammar().name() == "C#";
    mixes_in
        || names
            .into_iter()
            .any(|name| name.text() != base.text() && !(is_csharp && is_interface(name.text())))
}
