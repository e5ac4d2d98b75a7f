//! Reports untrusted data that reaches a sink.

use review::Priority;
use syntax::semantics::secrets::quote;
use syntax::semantics::taint::{Kind, flow, other_origin};
use syntax::tree::{Call, Node};

use super::definition::On;
use super::finding_builder::FindingBuilder;
use super::sink::Sink;

/// The kinds of nodes that pass a value on: calls, assignments to members, and statements that print or return a
/// string, load a file or run a command.
pub const ON: On = On::Kinds(&[
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

/// Whether the call uses a shell, always or because of an option.
pub fn runs_shell(node: Node<'_>) -> bool {
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
        "proc_open",
        "pcntl_exec",
    ];
    let Some(call) = node.call() else {
        return node.is(&["shell_command_expression", "subshell"]);
    };
    if call.callee.starts_with("exec.Command") {
        return starts_shell(&call);
    }
    // If Ruby's `system` has several arguments, they are passed to the program unchanged.
    if node.tree().grammar().name() == "Ruby" {
        let mut plain = call
            .arguments
            .iter()
            .filter(|argument| !argument.is(&["pair"]));
        return plain.next().is_some() && plain.next().is_none();
    }
    let java_or_go = call.callee.ends_with("Runtime().exec") || call.callee.starts_with("exec.");
    (SHELLS.contains(&call.name) && !java_or_go)
        || node.text().replace(' ', "").contains("shell=True")
        || node.text().replace(' ', "").contains("shell:true")
}

/// Whether a call starts a shell with a command line: `exec.Command("sh", "-c", line)`.
fn starts_shell(call: &Call<'_>) -> bool {
    const SHELLS: &[&str] = &[
        "sh",
        "bash",
        "zsh",
        "dash",
        "cmd",
        "cmd.exe",
        "powershell",
        "powershell.exe",
    ];
    let mut texts = call
        .arguments
        .iter()
        .filter_map(|argument| argument.string_value());
    let is_shell = texts
        .next()
        .and_then(|program| program.rsplit('/').next())
        .is_some_and(|name| SHELLS.contains(&name));
    is_shell
        && texts
            .next()
            .is_some_and(|option| matches!(option, "-c" | "-lc" | "/c" | "/C" | "-Command"))
}
