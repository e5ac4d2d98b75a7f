//! Where a value comes from: a light look at the flow of data inside one function.
//!
//! [`source`] follows a value back through assignments, concatenation, formatting, collections and the calls that only
//! pass text on, and says which piece of the request it holds. [`built`] says which changing piece was put into a text
//! that was glued together. Both stop at what makes a value harmless for the purpose at hand, and at whatever they do
//! not know: then they are silent. What sources, sinks and cleaners are is data, one row a language, in
//! [`table`](self::table).

mod address;
mod built;
mod checks;
mod decided;
mod elements;
mod names;
mod parameters;
mod scopes;
mod settings;
mod sinks;
mod table;
#[cfg(test)]
mod tests;
mod trace;

pub(crate) use built::Built;
pub(crate) use names::{argument_name, argument_value};
pub(crate) use sinks::sinks;

use crate::node::Node;
use crate::rule::{On, Sink, quote};
use review::Priority;
use table::Table;
use trace::Trace;

/// The languages that there is a table for.
pub(crate) const LANGUAGES: &[&str] = &["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"];

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

/// What a value is used for. The same value may be harmless for one purpose and not for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text of an SQL statement.
    Sql,
    /// A query object of a document database.
    NoSql,
    /// A line for a shell, or the program to run.
    Command,
    /// Code of the language itself.
    Code,
    /// The source text of a template.
    Template,
    /// Name of a file.
    Path,
    /// Address of a request that the server makes.
    Url,
    /// Address that the browser is sent to.
    Redirect,
    /// Markup that a browser shows.
    Html,
    /// A line of a log.
    Log,
    /// An XPath expression.
    Xpath,
    /// An LDAP filter or name.
    Ldap,
    /// A regular expression.
    Pattern,
    /// Data that is turned back into objects.
    Deserialise,
    /// An XML document.
    Xml,
    /// A format, which says how the values behind it are shown.
    Format,
}

/// The piece of a request that a value holds, when it is used for `kind`.
pub(crate) fn source<'t>(value: Node<'t>, kind: Kind) -> Option<Node<'t>> {
    Trace::of_request(value, kind)?.look(value)
}

/// A text that was put together with changing pieces by concatenation, formatting or interpolation.
pub(crate) fn built<'t>(value: Node<'t>, kind: Kind) -> Option<Built<'t>> {
    Trace::of_changing(value, kind)?.built(value)
}

/// The first value that a call or an assignment hands to something dangerous, with the piece of the request in it.
pub(crate) fn flow<'t>(node: Node<'t>, kind: Kind) -> Option<(Node<'t>, Node<'t>)> {
    sinks(node, kind).into_iter().find_map(|value| Some((value, source(value, kind)?)))
}

/// Whether a source is the name of an entry of an archive, or something else that no request says.
pub(crate) fn is_other(source: Node<'_>) -> bool {
    other_origin(source).is_some()
}

fn other_origin(source: Node<'_>) -> Option<&'static str> {
    Table::of(source)?.other_origin(source)
}

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
    let draft = sink.report(value, format!("`{}` comes from {origin} and {effect}.", quote(source.text())));
    if other.is_some() {
        draft.priority(Priority::P2).confidence(0.4);
    }
}
