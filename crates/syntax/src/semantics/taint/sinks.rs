//! Calls and assignments that pass a value to a dangerous sink.

use std::cell::LazyCell;

use super::command_line::{command_line, list};
use super::kind::Kind;
use super::names::{argument_name, argument_value, last_part, matches};
use super::packages::callee;
use super::table::{Argument, Sink, Table};
use crate::language::Role;
use crate::semantics::symbols::{DefKind, Symbols};
use crate::semantics::type_name::type_name;
use crate::tree::{Call, Node};

/// The values that a call or an assignment passes to a dangerous sink of this kind.
pub fn sinks<'t>(node: Node<'t>, kind: Kind) -> Vec<Node<'t>> {
    let Some(table) = Table::of(node) else {
        return Vec::new();
    };
    if is_of_project(node) {
        return Vec::new();
    }
    if let Some(call) = node.call() {
        return of_call(table, &call, kind);
    }
    if let Some(value) = attribute(node, kind) {
        return vec![value];
    }
    if table.is_place(node, kind) {
        return node.named_children().collect();
    }
    let set = node
        .assignment()
        .filter(|set| is_member(set.target) && table.is_field(set.target, kind));
    set.map(|set| set.value).into_iter().collect()
}

/// Whether a PHP call refers to a function of the file, or to an imported one, with the name of a library function.
fn is_of_project(call: Node<'_>) -> bool {
    let name = call
        .field("function")
        .filter(|name| call.is(&["function_call_expression"]) && name.is(&["name"]));
    let meaning = name.and_then(|name| Symbols::of(call.tree())?.of_use(name));
    meaning.is_some_and(|symbol| match symbol.kind {
        DefKind::Function => true,
        // `Safe` has the library's functions, with exceptions instead of results that report a failure.
        DefKind::Import => !symbol.definitions(call.tree()).any(is_of_safe),
        _ => false,
    })
}

fn is_of_safe(name: Node<'_>) -> bool {
    let import = name
        .ancestors()
        .find(|around| around.is(&["namespace_use_declaration"]));
    import.is_some_and(|import| import.text().contains("Safe\\"))
}

/// The value of a JSX attribute that navigates the browser.
fn attribute<'t>(node: Node<'t>, kind: Kind) -> Option<Node<'t>> {
    let attribute = node.is(&["jsx_attribute"]) && kind == Kind::Redirect;
    let mut parts = node.named_children().filter(|_| attribute);
    let is_address = parts
        .next()
        .is_some_and(|name| matches!(name.text(), "href" | "src" | "action" | "formAction"));
    parts
        .next()
        .filter(|value| is_address && value.is(&["jsx_expression"]))?
        .named_children()
        .next()
}

/// Whether it is a member, or a bare name in the creation of an object.
fn is_member(target: Node<'_>) -> bool {
    let made = || {
        target
            .ancestors()
            .nth(1)
            .is_some_and(|above| above.is(&["initializer_expression"]))
    };
    target.has_role(Role::Member) || (target.has_role(Role::Name) && made())
}

fn of_call<'t>(table: &Table, call: &Call<'t>, kind: Kind) -> Vec<Node<'t>> {
    let named: Vec<_> = table
        .sinks(last_part(call.name))
        .iter()
        .filter(|sink| sink.kind == kind)
        .collect();
    if named.is_empty() {
        return Vec::new();
    }
    let callee = callee(call);
    // The console is not a web page.
    let is_console = callee.starts_with("System.");
    // A class name may be written with its package.
    let class = last_part(call.name).len() < call.name.len();
    // A variable may have any name, so its type counts: `Runtime.exec`.
    let typed = LazyCell::new(|| {
        Some(format!(
            "{}.{}",
            call.receiver.and_then(type_name)?,
            last_part(call.name)
        ))
    });
    let is_it = |sink: &Sink| {
        matches(&callee, &sink.callee)
            || (class && matches(last_part(&callee), &sink.callee))
            || (sink.callee.starts_with(char::is_uppercase)
                && typed.as_ref().is_some_and(|typed| *typed == sink.callee))
    };
    let matching = |sink: &&Sink| !is_console && is_it(sink) && has_option(call, sink.needs);
    let mut matching = named.into_iter().filter(matching).peekable();
    if matching.peek().is_none() || is_harmless(table, call) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for sink in matching {
        for value in values(call, sink.argument) {
            let parts = if kind == Kind::CommandLine && !matches!(sink.argument, Argument::Line) {
                lines(value, sink)
            } else {
                vec![value]
            };
            for part in parts {
                if !found.contains(&part) {
                    found.push(part);
                }
            }
        }
    }
    found
}

/// The command lines in an argument. A list is no command line, unless an option says that a shell gets it.
fn lines<'t>(value: Node<'t>, sink: &Sink) -> Vec<Node<'t>> {
    let Some(elements) = list(value) else {
        return if value.is(&["object"]) {
            Vec::new()
        } else {
            vec![value]
        };
    };
    // Node.js joins the elements, Python takes the first one.
    let is_joined = value.is(&["array"]);
    let taken = match sink.needs {
        "" => 0,
        _ if is_joined => elements.len(),
        _ => 1,
    };
    elements.into_iter().take(taken).collect()
}

/// Whether a method is called on a value whose type has no dangerous methods.
fn is_harmless(table: &Table, call: &Call<'_>) -> bool {
    call.receiver
        .and_then(type_name)
        .is_some_and(|name| table.is_harmless(&name))
}

fn values<'t>(call: &Call<'t>, argument: Argument) -> Vec<Node<'t>> {
    let arguments = call.arguments.iter().copied();
    match argument {
        Argument::All => arguments.map(argument_value).collect(),
        Argument::Line => command_line(call).into_iter().collect(),
        Argument::Alone => {
            let is_option = |(place, argument): &(usize, Node<'t>)| {
                argument_name(*argument).is_some() || (*place == 0 && argument.is(&["hash"]))
            };
            let mut plain = arguments.enumerate().filter(|given| !is_option(given));
            match (plain.next(), plain.next()) {
                (Some((_, only)), None) => vec![argument_value(only)],
                _ => Vec::new(),
            }
        }
        Argument::At(place) => {
            let plain = arguments
                .clone()
                .filter(|argument| argument_name(*argument).is_none());
            // A first argument may be passed by name.
            let by_name = || {
                arguments
                    .clone()
                    .next()
                    .filter(|first| place == 0 && first.is(&["keyword_argument"]))
            };
            let found = plain.clone().nth(place).or_else(by_name);
            found.map(argument_value).into_iter().collect()
        }
        Argument::Named(name) => {
            let named = arguments.filter(|argument| argument_name(*argument) == Some(name));
            named.map(argument_value).take(1).collect()
        }
    }
}

fn has_option(call: &Call<'_>, option: &str) -> bool {
    let tight = |node: &Node<'_>| {
        node.text()
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
    };
    option.is_empty()
        || call
            .arguments
            .iter()
            .any(|argument| tight(argument).contains(option))
}
