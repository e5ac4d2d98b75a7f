//! Reports untrusted data that reaches a sink.

use review::Priority;

use super::definition::On;
use super::sink::Sink;
use crate::semantics::secrets::quote;
use crate::semantics::taint::{Kind, flow, other_origin};
use crate::tree::Node;

/// The kinds of nodes that pass a value to something else: calls, assignments to members, and statements that print or return
/// a string, load a file or run a command.
pub(crate) const ON: On = On::Kinds(&[
    "assignment_expression",
    "call",
    "call_expression",
    "echo_statement",
    "function_call_expression",
    "include_expression",
    "include_once_expression",
    "invocation_expression",
    "jsx_attribute",
    "member_call_expression",
    "method_invocation",
    "new_expression",
    "nullsafe_member_call_expression",
    "object_creation_expression",
    "print_intrinsic",
    "require_expression",
    "require_once_expression",
    "return_statement",
    "scoped_call_expression",
    "shell_command_expression",
    "subshell",
]);

/// Reports a request's data that reaches a sink; `effect` is the consequence.
pub(crate) fn report(node: Node<'_>, kind: Kind, effect: &str, sink: &mut Sink<'_>) {
    if let Some((value, source)) = flow(node, kind) {
        report_flow(value, source, effect, sink);
    }
}

/// Reports that a source reaches a sink in `value`.
pub(crate) fn report_flow(value: Node<'_>, source: Node<'_>, effect: &str, sink: &mut Sink<'_>) {
    let other = other_origin(source);
    let origin = other.unwrap_or("the request");
    let finding_builder = sink.report(value, format!("`{}` comes from {origin} and {effect}.", quote(source.text())));
    if other.is_some() {
        finding_builder.priority(Priority::P2);
    }
}

/// Whether the call uses a shell, always or because of an option.
pub(crate) fn runs_shell(node: Node<'_>) -> bool {
    const SHELLS: &[&str] = &[
        "system",
        "popen",
        "getoutput",
        "getstatusoutput",
        "create_subprocess_shell",
        "exec_command",
        "exec",
        "execSync",
        "execAsync",
        "shell_exec",
        "passthru",
    ];
    let Some(call) = node.call() else { return false };
    let java_or_go = call.callee.ends_with("Runtime().exec") || call.callee.starts_with("exec.");
    (SHELLS.contains(&call.name) && !java_or_go)
        || node.text().replace(' ', "").contains("shell=True")
        || node.text().replace(' ', "").contains("shell:true")
}
