//! Command lines and programs in the arguments of calls that start programs.

use super::names::argument_value;
use super::origins::origins;
use crate::language::Role;
use crate::tree::{Call, Node};

/// Programs that interpret a command line.
const SHELLS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "busybox", "cmd", "cmd.exe", "powershell",
    "powershell.exe", "pwsh", "pwsh.exe",
];

/// Options after which a shell takes a command line.
const OPTIONS: &[&str] = &[
    "-c", "-lc", "-ic", "-ec", "-exc", "-xc", "-euc", "-cl", "-ce", "/c", "/C", "/k", "/K",
    "-Command", "-command",
];

/// Kinds of nodes that are lists of values.
const LISTS: &[&str] = &[
    "list", "array", "tuple", "array_creation_expression", "array_initializer",
    "implicit_array_creation_expression", "initializer_expression", "collection_expression",
    "initializer_list", "composite_literal", "literal_value", "collection_literal",
    "array_expression",
];

/// Calls that make a list of their arguments.
const MAKERS: &[&str] = &["listOf", "mutableListOf", "arrayOf", "asList", "vec"];

/// How many calls of a chain, or of one variable, add arguments to a command.
const CHAIN: usize = 32;

/// The command line that a call passes to a shell: the value after a shell and its option.
pub(super) fn command_line<'t>(call: &Call<'t>) -> Option<Node<'t>> {
    let earlier = added_before(call);
    let own_from = earlier.len();
    let given = call.arguments.iter().flat_map(|argument| {
        let value = bare(*argument);
        // A list may be in a variable.
        list(resolved(value)).unwrap_or_else(|| vec![value])
    });
    let all: Vec<Node<'t>> = earlier.into_iter().chain(given).collect();
    let mut rest = all.iter().enumerate();
    rest.find(|(_, part)| is_shell(**part))?;
    let is_option = |part: &Node<'_>| {
        part.string_value()
            .is_some_and(|text| OPTIONS.contains(&text))
    };
    let (option, _) = rest
        .take_while(|(_, part)| is_shell(**part) || part.string_value().is_some_and(is_switch))
        .find(|(_, part)| is_option(part))?;
    let line = option + 1;
    all.get(line).copied().filter(|_| line >= own_from)
}

/// The program that a value names: itself, or the first element of a list.
pub fn program(value: Node<'_>) -> Node<'_> {
    let value = bare(value);
    let is_first = |element: Node<'_>| {
        let place = element.named_children().last();
        place.is_some_and(|place| place.text() == "0")
    };
    let list_of = if value.has_role(Role::Index) && is_first(value) {
        value.named_children().next().unwrap_or(value)
    } else {
        value
    };
    match list(started(list_of)) {
        Some(elements) => elements.into_iter().next().unwrap_or(value),
        None => value,
    }
}

/// The elements of a list that is written out.
pub(super) fn list(value: Node<'_>) -> Option<Vec<Node<'_>>> {
    if let Some(call) = value.call() {
        let makes = MAKERS.contains(&call.name) || call.callee == "List.of";
        return makes.then(|| call.arguments.iter().map(|part| bare(*part)).collect());
    }
    if !value.is(LISTS) {
        return None;
    }
    let inner = value
        .field("body")
        .or_else(|| value.field("value"))
        .or_else(|| value.child_of_kind(&["array_initializer", "initializer_expression"]));
    let of = inner.unwrap_or(value);
    Some(of.named_children().map(bare).collect())
}

/// The value of a name that has only one.
fn resolved(value: Node<'_>) -> Node<'_> {
    if !value.has_role(Role::Name) {
        return value;
    }
    let from = origins(value, value.text());
    match (from.settings.as_slice(), from.parameter) {
        ([only], None) if only.replaces => bare(only.value),
        _ => value,
    }
}

/// The value that a name starts with, whatever is added to it later.
fn started(value: Node<'_>) -> Node<'_> {
    if !value.has_role(Role::Name) {
        return value;
    }
    let from = origins(value, value.text());
    let first = from.settings.first().filter(|setting| setting.replaces);
    first.map_or(value, |setting| bare(setting.value))
}

/// A value without the nodes that the grammar wraps around it.
fn bare(node: Node<'_>) -> Node<'_> {
    let node = argument_value(node.unparenthesised()).unparenthesised();
    if node.is(&["reference_expression"]) {
        return node.field("value").unwrap_or(node);
    }
    if node.is(&[
        "literal_element", "array_element_initializer", "expression_list", "variadic_argument",
    ]) {
        return node.named_children().last().unwrap_or(node);
    }
    node
}

fn is_shell(part: Node<'_>) -> bool {
    let name = part.string_value();
    name.and_then(|path| path.rsplit(['/', '\\']).next())
        .is_some_and(|name| SHELLS.contains(&name))
}

fn is_switch(text: &str) -> bool {
    text.starts_with('-') || matches!(text.as_bytes(), [b'/', _])
}

/// The program and the arguments that earlier calls have given to a command in Rust: `Command::new("sh").arg("-c")`.
fn added_before<'t>(call: &Call<'t>) -> Vec<Node<'t>> {
    let Some(receiver) = call
        .receiver
        .filter(|receiver| receiver.tree().grammar().name() == "Rust")
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut next = Some(receiver);
    for _ in 0..CHAIN {
        let Some(node) = next else { break };
        let Some(inner) = node.call() else {
            let made = resolved(node);
            if made == node {
                break;
            }
            found.extend(added_to(node, made.index()));
            next = Some(made);
            continue;
        };
        if is_adding(&inner) || inner.callee.ends_with("Command::new") {
            found.extend(given(&inner).into_iter().rev());
        }
        next = inner.receiver.filter(|_| inner.name != "new");
    }
    found.reverse();
    found
}

/// The arguments that statements add to a command in a variable before it is used, the last one first.
fn added_to(command: Node<'_>, made: usize) -> Vec<Node<'_>> {
    let tree = command.tree();
    let mentions = tree
        .mentions()
        .within(tree, command.text(), made..command.index());
    let mut found: Vec<_> = mentions
        .take(CHAIN)
        .flat_map(|mention| {
            let calls = mention.ancestors().take(CHAIN).filter_map(Node::call);
            calls
                .take_while(|call| call.receiver.is_some())
                .filter(is_adding)
                .flat_map(|call| given(&call))
        })
        .collect();
    found.reverse();
    found
}

fn is_adding(call: &Call<'_>) -> bool {
    matches!(call.name, "arg" | "args" | "raw_arg")
}

fn given<'t>(call: &Call<'t>) -> Vec<Node<'t>> {
    let values = call.arguments.iter().flat_map(|argument| {
        let value = bare(*argument);
        list(value).unwrap_or_else(|| vec![value])
    });
    values.collect()
}
