//! Parameters that a framework fills, and arguments that callers pass.

use std::ops::Range;

use super::names::{argument_name, argument_value, is_self};
use super::scopes::{Parameter, parameters};
use super::table::Table;
use crate::language::Role;
use crate::tree::{Call, Node};

/// Parameters that a framework fills with its own objects.
const SERVICES: &[&str] = &[
    "self", "this", "cls", "request", "req", "res", "response", "db", "session", "next",
];

/// Methods that call their function with their receiver, or with its elements.
const ITERATORS: &[&str] = &[
    "forEach", "map", "filter", "flatMap", "some", "every", "find", "reduce", "then", "each",
    "each_with_index", "collect", "select", "tap", "let", "also", "apply", "ForEach", "Select",
    "Where", "ifPresent", "mapValues", "each_value", "each_pair", "sort_by", "group_by",
    "anyMatch", "allMatch", "peek",
];

/// How far from a function its callers are searched for, in nodes.
const REACH: usize = 4_000;

/// Maximum number of callers of a function that are looked at.
const CALLERS: usize = 4;

/// Whether a framework fills a parameter with data from a request.
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
    // In Kotlin's grammar, the annotations of a parameter are before it.
    let before = parameter
        .node
        .previous()
        .filter(|node| node.is(&["parameter_modifiers"]));
    let is_rust = parameter.function.tree().grammar().name() == "Rust";
    if is_rust
        && [
            "<u16>", "<u32>", "<u64>", "<usize>", "<i32>", "<i64>", "<Uuid>",
        ]
        .iter()
        .any(|number| own.contains(number))
    {
        return false;
    }
    let annotated = ((is_rust || own.starts_with(['@', '['])) && marked(own))
        || before.is_some_and(|before| marked(before.text()));
    annotated
        || is_decorated(table, parameter)
        || is_event(parameter, name)
        || is_action(table, parameter)
}

/// Whether it is a parameter of a function that a decorator binds to a route.
fn is_decorated(table: &Table, parameter: Parameter<'_>) -> bool {
    let marked = |node: Node<'_>| {
        table
            .source_annotations
            .iter()
            .any(|marker| node.text().contains(marker))
    };
    let function = parameter.function;
    let before = std::iter::successors(function.previous(), |node| node.previous());
    // The state of a service is no data of a request.
    let is_state = ["State", "Data<", "Pool"]
        .iter()
        .any(|part| parameter.node.text().contains(part));
    let routed = before
        .take_while(|node| node.is(&["attribute_item", "line_comment"]))
        .any(marked);
    if routed && !is_state {
        return true;
    }
    let outer = function
        .parent()
        .filter(|parent| parent.is(&["decorated_definition"]));
    outer.is_some_and(|outer| {
        outer
            .children()
            .any(|child| child.is(&["decorator"]) && marked(child))
    })
}

/// Whether it is the event of a serverless function: `handler(event, context)`.
fn is_event(parameter: Parameter<'_>, name: &str) -> bool {
    let second = || parameters(parameter.function).nth(1);
    name == "event"
        && parameter.place == 0
        && second()
            .is_some_and(|second| second.text().trim_start_matches('_').starts_with("context"))
}

/// Whether it is a string parameter of a method that a framework calls for a request, according to its class or its
/// annotations.
fn is_action(table: &Table, parameter: Parameter<'_>) -> bool {
    let is_text = |word: &str| matches!(word, "String" | "String?" | "string" | "string?");
    if table.actions.is_empty() || !parameter.node.text().split_whitespace().any(is_text) {
        return false;
    }
    let is_marked = |node: Node<'_>| {
        table
            .actions
            .iter()
            .any(|action| head(node).contains(action))
    };
    let class = || parameter.function.enclosing(Role::Class);
    is_public(parameter.function)
        && (is_marked(parameter.function) || class().is_some_and(is_marked))
}

/// The text before the parameters of a method or the body of a class.
fn head(node: Node<'_>) -> &str {
    let end = node
        .any_field(&["parameters", "body"])
        .map_or(node.end(), Node::start);
    node.text()
        .get(..end.saturating_sub(node.start()))
        .unwrap_or_default()
}

fn is_public(function: Node<'_>) -> bool {
    // Kotlin's functions are public unless declared otherwise.
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

/// The object that passes its elements to an anonymous function given to one of its methods.
pub(super) fn element_of<'t>(parameter: Parameter<'t>) -> Option<Node<'t>> {
    let above = parameter.function.ancestors().take(3);
    let call = above
        .take_while(|node| !node.has_role(Role::Block))
        .find_map(Node::call)?;
    call.receiver.filter(|_| ITERATORS.contains(&call.name))
}

/// The arguments that the callers in the same text pass for a parameter.
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

/// The values that a function of the same text returns.
pub(super) fn returned<'t>(call: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let own = call
        .tree()
        .functions()
        .within(call.tree(), name, near(call))
        .take(1);
    let returns = own.flat_map(|function| {
        function
            .all(Role::Return)
            .filter(move |node| node.enclosing_function() == Some(function))
    });
    returns
        .filter_map(|node| node.named_children().next())
        .take(CALLERS)
        .collect()
}

fn near(node: Node<'_>) -> Range<usize> {
    node.index().saturating_sub(REACH)..node.index() + REACH
}

/// How many levels of nodes above a name are searched for its call.
const LEVELS: usize = 6;

/// The call of the function with this name.
fn called_by(mention: Node<'_>) -> Option<Node<'_>> {
    let call = mention
        .ancestors()
        .take(LEVELS)
        .find(|node| node.has_role(Role::Call))?;
    let is_passed = |argument: &Node<'_>| *argument == mention || mention.is_inside(*argument);
    let is_called =
        |of: &Call<'_>| of.name == mention.text() && !of.arguments.iter().any(is_passed);
    call.call().is_some_and(|of| is_called(&of)).then_some(call)
}
