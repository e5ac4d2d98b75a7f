//! Reports of what comes from a request and reaches something dangerous.

use review::Priority;

use super::definition::On;
use super::sink::Sink;
use crate::semantics::secrets::quote;
use crate::semantics::taint::{Kind, flow, other_origin};
use crate::tree::Node;

/// The nodes that hand a value on to something else: calls, assignments to members, and the statements that show or
/// give back a text, load a file or run a command, as the grammars call them.
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

/// Reports what a request says where it reaches something dangerous; `effect` is what it does there.
pub(crate) fn report(node: Node<'_>, kind: Kind, effect: &str, sink: &mut Sink<'_>) {
    if let Some((value, source)) = flow(node, kind) {
        report_flow(value, source, effect, sink);
    }
}

/// Reports that a source reaches a dangerous place in `value`.
pub(crate) fn report_flow(value: Node<'_>, source: Node<'_>, effect: &str, sink: &mut Sink<'_>) {
    let other = other_origin(source);
    let origin = other.unwrap_or("the request");
    let finding_builder = sink.report(value, format!("`{}` comes from {origin} and {effect}.", quote(source.text())));
    if other.is_some() {
        finding_builder.priority(Priority::P2);
    }
}

/// Whether the call uses a shell, either always or because of an option.
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
