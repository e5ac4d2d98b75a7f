//! Parameters: what a framework fills in, and what callers hand over.

use std::ops::Range;

use super::names::{argument_name, argument_value, is_self};
use super::scopes::{Parameter, function_around, parameters};
use super::table::Table;
use crate::language::Role;
use crate::tree::{Call, Node};

/// Parameters that a framework fills with things of its own.
const SERVICES: &[&str] = &[
    "self", "this", "cls", "request", "req", "res", "response", "db", "session", "next",
];

/// Methods that call their function with what they are called on, or with its elements.
const ITERATORS: &[&str] = &[
    "forEach",
    "map",
    "filter",
    "flatMap",
    "some",
    "every",
    "find",
    "reduce",
    "then",
    "each",
    "each_with_index",
    "collect",
    "select",
    "tap",
    "let",
    "also",
    "apply",
    "ForEach",
    "Select",
    "Where",
    "ifPresent",
    "mapValues",
    "each_value",
    "each_pair",
    "sort_by",
    "group_by",
    "anyMatch",
    "allMatch",
    "peek",
];

/// How far away from a function its callers are looked for, in nodes.
const REACH: usize = 4_000;

/// How many callers of a function are looked at.
const CALLERS: usize = 4;

/// Whether a framework fills a parameter with what a request says.
pub(super) fn is_filled(table: &Table, parameter: Parameter<'_>, name: &str) -> bool {
    if SERVICES.contains(&name) || parameter.node.text().contains("Depends") {
        return false;
    }
    let own = parameter.node.text();
    let marked = |text: &str| {
        table
            .source_annotations
            .iter()
            .any(|marker| text.contains(marker))
    };
    // Kotlin's grammar has the annotations of a parameter before it.
    let before = parameter
        .node
        .previous()
        .filter(|node| node.is(&["parameter_modifiers"]));
    let annotated = (own.starts_with(['@', '[']) && marked(own))
        || before.is_some_and(|before| marked(before.text()));
    annotated
        || is_decorated(table, parameter)
        || is_event(parameter, name)
        || is_action(table, parameter)
}

/// A parameter of a function that a decorator binds to a route.
fn is_decorated(table: &Table, parameter: Parameter<'_>) -> bool {
    let marked = |node: Node<'_>| {
        table
            .source_annotations
            .iter()
            .any(|marker| node.text().contains(marker))
    };
    let outer = parameter
        .function
        .parent()
        .filter(|parent| parent.is(&["decorated_definition"]));
    outer.is_some_and(|outer| {
        outer
            .children()
            .any(|child| child.is(&["decorator"]) && marked(child))
    })
}

/// The event of a serverless function: `handler(event, context)`.
fn is_event(parameter: Parameter<'_>, name: &str) -> bool {
    let second = || parameters(parameter.function).nth(1);
    name == "event"
        && parameter.place == 0
        && second()
            .is_some_and(|second| second.text().trim_start_matches('_').starts_with("context"))
}

/// A text parameter of a method that a framework calls for a request: its class or its annotations say so.
fn is_action(table: &Table, parameter: Parameter<'_>) -> bool {
    let is_text = |word: &str| matches!(word, "String" | "String?" | "string" | "string?");
    if table.actions.is_empty() || !parameter.node.text().split_whitespace().any(is_text) {
        return false;
    }
    let says = |node: Node<'_>| {
        table
            .actions
            .iter()
            .any(|action| head(node).contains(action))
    };
    let class = || parameter.function.enclosing(Role::Class);
    is_public(parameter.function) && (says(parameter.function) || class().is_some_and(says))
}

/// What stands before the parameters of a method or the body of a class.
fn head(node: Node<'_>) -> &str {
    let end = node
        .any_field(&["parameters", "body"])
        .map_or(node.end(), Node::start);
    node.text()
        .get(..end.saturating_sub(node.start()))
        .unwrap_or_default()
}

fn is_public(function: Node<'_>) -> bool {
    // Kotlin's functions are public unless they say something else.
    if function.tree().grammar().name() == "Kotlin" {
        return !["private", "protected", "internal"]
            .iter()
            .any(|word| head(function).contains(word));
    }
    function
        .children()
        .take_while(|child| !child.has_role(Role::Parameters))
        .any(|child| child.text().split_whitespace().any(|word| word == "public"))
}

/// What a function without a name gets from the method that it is handed to.
pub(super) fn element_of<'t>(parameter: Parameter<'t>) -> Option<Node<'t>> {
    let above = parameter.function.ancestors().take(3);
    let call = above
        .take_while(|node| !node.has_role(Role::Block))
        .find_map(Node::call)?;
    call.receiver.filter(|_| ITERATORS.contains(&call.name))
}

/// What the callers of a function in the same text hand over for a parameter.
pub(super) fn handed<'t>(parameter: Parameter<'t>, name: &str) -> Vec<Node<'t>> {
    let Some(function) = parameter.function.function() else {
        return Vec::new();
    };
    let called = function.name.text();
    let skipped = parameters(parameter.function)
        .take(1)
        .filter(|first| is_self(*first))
        .count();
    let tree = parameter.function.tree();
    let calls = tree
        .places(called_by)
        .within(tree, called, near(parameter.function))
        .filter_map(Node::call);
    let argument = |call: Call<'t>| {
        let named = call
            .arguments
            .iter()
            .find(|argument| argument_name(**argument) == Some(name));
        let place = parameter.place.checked_sub(skipped)?;
        let plain = call
            .arguments
            .get(place)
            .filter(|argument| argument_name(**argument).is_none());
        named.or(plain).copied().map(argument_value)
    };
    calls.filter_map(argument).take(CALLERS).collect()
}

/// What a function of the same text gives back.
pub(super) fn returned<'t>(call: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let own = call
        .tree()
        .places(defined_by)
        .within(call.tree(), name, near(call))
        .take(1);
    let returns = own.flat_map(|function| {
        function
            .all(Role::Return)
            .filter(move |node| function_around(*node) == Some(function))
    });
    returns
        .filter_map(|node| node.named_children().next())
        .take(CALLERS)
        .collect()
}

fn near(node: Node<'_>) -> Range<usize> {
    node.index().saturating_sub(REACH)..node.index() + REACH
}

/// How far above a name what it names is looked for, in nodes.
const LEVELS: usize = 6;

/// The call whose function a name is.
fn called_by(mention: Node<'_>) -> Option<Node<'_>> {
    let call = mention
        .ancestors()
        .take(LEVELS)
        .find(|node| node.has_role(Role::Call))?;
    let is_handed = |argument: &Node<'_>| *argument == mention || mention.is_inside(*argument);
    let is_called =
        |of: &Call<'_>| of.name == mention.text() && !of.arguments.iter().any(is_handed);
    call.call().is_some_and(|of| is_called(&of)).then_some(call)
}

/// The function whose name it is.
fn defined_by(mention: Node<'_>) -> Option<Node<'_>> {
    let function = mention
        .ancestors()
        .take(LEVELS)
        .find(|node| node.has_role(Role::Function))?;
    function
        .function()
        .is_some_and(|of| of.name == mention)
        .then_some(function)
}
