//! Reports untrusted data that reaches a sink.

use review::Priority;
use syntax::semantics::secrets::quote;
use syntax::semantics::taint::{Kind, flow, other_origin};
use syntax::tree::Node;

use super::definition::On;
use super::finding_builder::FindingBuilder;
use super::sink::Sink;

/// The kinds of nodes that pass a value on: calls, assignments to members, and statements that print or return a
/// string, load a file or run a command.
pub const ON: On = On::Kinds(&[
    "assignment_expression", "call", "call_expression", "echo_statement",
    "function_call_expression", "include_expression", "include_once_expression",
    "invocation_expression", "jsx_attribute", "member_call_expression", "method_invocation",
    "new_expression", "nullsafe_member_call_expression", "object_creation_expression",
    "print_intrinsic", "require_expression", "require_once_expression", "return_statement",
    "scoped_call_expression", "shell_command_expression", "subshell",
]);

/// Reports a request's data that reaches a sink; `effect` is the consequence.
pub fn report(node: Node<'_>, kind: Kind, effect: &str, sink: &mut Sink<'_>) {
    if let Some((value, source)) = flow(node, kind) {
        report_flow(value, source, effect, sink);
    }
}

/// Reports that a source reaches a sink in `value`.
pub fn report_flow<'s>(
    value: Node<'_>,
    source: Node<'_>,
    effect: &str,
    sink: &'s mut Sink<'_>,
) -> FindingBuilder<'s> {
    let other = other_origin(source);
    let origin = other.unwrap_or("the request");
    let finding_builder = sink.report(
        value,
        format!(
            "`{}` comes from {origin} and {effect}.",
            quote(source.text())
        ),
    );
    if other.is_some() {
        finding_builder.priority(Priority::P2)
    } else {
        finding_builder
    }
}
