//! Changes of a function's result that callers have to follow.

use syntax::language::Role;
use syntax::tree::Node;

use super::function_header::FunctionHeader;
use super::model::ResultChange;

/// Types that wrap a value.
const WRAPPERS: &[&str] = &["Result", "Option", "Optional", "Either", "expected"];

/// The maximum number of nodes of a function that are searched for `return`.
const NODES: usize = 20_000;

/// How the result changed between two versions of a function.
pub(super) fn result_change(
    old: FunctionHeader<'_>,
    new: FunctionHeader<'_>,
) -> Option<ResultChange> {
    if !old.is_async() && new.is_async() {
        return Some(ResultChange::Promise);
    }
    let language = new.whole.tree().grammar().name();
    let (before, after) = (returned(old), returned(new));
    match (language, before, after) {
        ("Go", Some(before), Some(after)) => {
            let (before, after) = (values(before), values(after));
            (before != after).then_some(ResultChange::Values(after))
        }
        ("Rust" | "Go", Some(_), None) => Some(ResultChange::Nothing),
        ("Rust" | "Java" | "C++" | "C#", Some(before), Some(after)) => {
            let (before, after) = (before.text(), after.text());
            if is_nothing(after) && !is_nothing(before) {
                return Some(ResultChange::Nothing);
            }
            if wraps(after) && !wraps(before) && !is_nothing(before) {
                return Some(ResultChange::Wrapped(after.to_owned()));
            }
            let is_truth = matches!(before, "bool" | "boolean" | "int");
            (is_truth && is_opaque(after)).then(|| ResultChange::NoCondition(after.to_owned()))
        }
        ("C", Some(before), Some(after)) => {
            let has_pointer = new.place.parent() != Some(new.parameters?.parent()?);
            (is_nothing(after.text()) && !is_nothing(before.text()) && !has_pointer)
                .then_some(ResultChange::Nothing)
        }
        _ => None,
    }
}

/// The change of the number of elements in the tuples that a Python function returns, with the changed line.
pub(super) fn element_change(old: Node<'_>, new: Node<'_>) -> Option<(ResultChange, u32)> {
    if new.tree().grammar().name() != "Python" || !new.touches_change() {
        return None;
    }
    let (before, after) = (tuples(old)?, tuples(new)?);
    let changed = after.iter().find(|(_, tuple)| tuple.touches_change())?.1;
    let count = |of: &[(usize, Node<'_>)]| {
        let (first, rest) = of.split_first()?;
        rest.iter()
            .all(|(count, _)| *count == first.0)
            .then_some(first.0)
    };
    let (before, after) = (count(&before)?, count(&after)?);
    (before != after).then_some((ResultChange::Elements(after), changed.line()?))
}

/// The tuples that a function returns, with the number of their elements; `None` if it returns other values too. `None`
/// as a value does not count, since callers that handle it do so before they unpack the tuple.
fn tuples(function: Node<'_>) -> Option<Vec<(usize, Node<'_>)>> {
    let mut found = Vec::new();
    let mut inner_end = 0;
    for (at, node) in function.descendants().enumerate() {
        if at == NODES || node.is(&["yield"]) {
            return None;
        }
        if node.index() < inner_end {
            continue;
        }
        if node.has_role(Role::Function)
            || node.has_role(Role::Lambda)
            || node.has_role(Role::Class)
        {
            inner_end = node.inside().end;
        } else if node.has_role(Role::Return)
            && let Some(value) = node.named_children().next().map(Node::unparenthesised)
            && !value.is(&["none"])
        {
            let is_splat = |child: Node<'_>| child.is(&["list_splat"]);
            let is_tuple =
                value.is(&["tuple", "expression_list"]) && !value.named_children().any(is_splat);
            let count = is_tuple.then(|| value.named_children().count())?;
            found.push((count, value));
        }
    }
    (!found.is_empty()).then_some(found)
}

fn returned(head: FunctionHeader<'_>) -> Option<Node<'_>> {
    head.whole
        .any_field(&["return_type", "result", "returns", "type"])
}

fn is_nothing(text: &str) -> bool {
    matches!(text, "void" | "()")
}

fn wraps(text: &str) -> bool {
    let name = text.split('<').next().unwrap_or(text);
    let last = name.rsplit([':', '.']).next().unwrap_or(name);
    WRAPPERS.contains(&last) || last.ends_with("Result") && text.contains('<')
}

/// A class that is certainly not used as a condition.
fn is_opaque(text: &str) -> bool {
    let converts = ["ptr", "Ptr", "optional", "expected", "Bool", "*", "Ref"];
    text.starts_with(char::is_uppercase) && !converts.iter().any(|part| text.contains(part))
}

/// The number of values in the result of a Go function.
fn values(result: Node<'_>) -> usize {
    if !result.is(&["parameter_list"]) {
        return 1;
    }
    let names = |parameter: Node<'_>| {
        let named = parameter
            .named_children()
            .filter(|child| child.own_field() == "name");
        named.count().max(1)
    };
    result.named_children().map(names).sum()
}
