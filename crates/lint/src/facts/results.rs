//! Changes of a function's result that callers have to follow.

use syntax::tree::Node;

use super::function_header::FunctionHeader;
use super::impact::ResultChange;

/// Types that wrap a value.
const WRAPPERS: &[&str] = &["Result", "Option", "Optional", "Either", "expected"];

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
