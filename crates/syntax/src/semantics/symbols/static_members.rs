//! Members that JavaScript and TypeScript files read by the name of an object, an enum or a class at the top of a file.

use std::collections::BTreeMap;

use super::exports::script_parameters;
use super::parameters::Parameters;
use crate::tree::{Node, Tree};

/// A member of an object, an enum or a class.
pub struct StaticMember<'t> {
    /// Its name.
    pub name: Node<'t>,
    /// The list and the parameters of a method, if they are certain.
    pub parameters: Option<(Node<'t>, Parameters)>,
}

/// The members, by the names of their owners and their own. Owners that may have others are omitted.
pub fn static_members<'t>(tree: &'t Tree<'t>) -> BTreeMap<(&'t str, &'t str), StaticMember<'t>> {
    let statements = tree.root().into_iter().flat_map(Node::named_children);
    let declarations =
        statements.map(|statement| statement.field("declaration").unwrap_or(statement));
    let mut found = BTreeMap::new();
    for (owner, members) in declarations.flat_map(owners) {
        for member in members {
            found.insert((owner.text(), member.name.text()), member);
        }
    }
    found
}

fn owners(declaration: Node<'_>) -> Vec<(Node<'_>, Vec<StaticMember<'_>>)> {
    match declaration.kind() {
        "lexical_declaration" => declaration
            .named_children()
            .filter_map(|declarator| {
                Some((
                    declarator.field("name")?,
                    of_object(declarator.field("value")?)?,
                ))
            })
            .collect(),
        "enum_declaration" => owner(declaration, of_enum),
        "class_declaration" => owner(declaration, of_class),
        _ => Vec::new(),
    }
}

fn owner<'t>(
    declaration: Node<'t>,
    members: impl Fn(Node<'t>) -> Option<Vec<StaticMember<'t>>>,
) -> Vec<(Node<'t>, Vec<StaticMember<'t>>)> {
    let own = declaration.field("name").zip(members(declaration));
    own.into_iter().collect()
}

/// The properties of an object that lists them all.
fn of_object(value: Node<'_>) -> Option<Vec<StaticMember<'_>>> {
    let mut object = value;
    if object.is(&["call_expression"]) && object.field("function")?.text() == "Object.freeze" {
        object = object.field("arguments")?.named_children().next()?;
    }
    if object.is(&["as_expression", "satisfies_expression"]) {
        object = object.named_children().next()?;
    }
    if !object.is(&["object"]) {
        return None;
    }
    let properties = object
        .named_children()
        .filter(|child| !child.is(&["comment"]));
    properties.map(property).collect()
}

fn property(property: Node<'_>) -> Option<StaticMember<'_>> {
    let (name, function) = match property.kind() {
        "shorthand_property_identifier" => (property, None),
        "pair" => (property.field("key")?, property.field("value")),
        "method_definition" => (property.field("name")?, Some(property)),
        _ => return None,
    };
    name.is(&["property_identifier", "shorthand_property_identifier"])
        .then(|| StaticMember {
            name,
            parameters: function.and_then(script_parameters),
        })
}

fn of_enum<'t>(declaration: Node<'t>) -> Option<Vec<StaticMember<'t>>> {
    let body = declaration.field("body")?;
    let cases = body
        .named_children()
        .filter(|child| !child.is(&["comment"]));
    let case = |child: Node<'t>| {
        let name = child.field("name").unwrap_or(child);
        name.is(&["property_identifier"]).then_some(StaticMember {
            name,
            parameters: None,
        })
    };
    cases.map(case).collect()
}

/// The static methods of a class that inherits none.
fn of_class(declaration: Node<'_>) -> Option<Vec<StaticMember<'_>>> {
    if declaration.child_of_kind(&["class_heritage"]).is_some() {
        return None;
    }
    let methods = declaration
        .field("body")?
        .named_children()
        .filter(|member| member.is(&["method_definition"]))
        .filter(|method| method.children().any(|child| child.text() == "static"));
    let named = methods.filter_map(|method| {
        Some(StaticMember {
            name: method.field("name")?,
            parameters: script_parameters(method),
        })
    });
    Some(named.collect())
}
