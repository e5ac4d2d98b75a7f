//! Strings that are built from parts.

use super::command_line::list;
use super::inserted::{texts_of_format, writes_first, written};
use super::names::argument_value;
use super::origins::origins;
use super::setting::Setting;
use super::trace::{Trace, parts};
use crate::language::Role;
use crate::tree::{Call, Node};

/// Calls that build a string from their arguments.
const FORMATTERS: &[&str] = &[
    "format", "Format", "sprintf", "Sprintf", "concat", "Concat", "join", "formatted",
];

/// Calls that return the text of their receiver.
const VIEWS: &[&str] = &["c_str", "as_str", "as_ref"];

/// Functions of C that return a formatted text.
const PRINTERS: &[&str] = &["g_strdup_printf", "xasprintf"];

/// A string that is built from parts.
#[derive(Debug, Clone, Copy)]
pub struct StringBuild<'t> {
    /// A variable part of it.
    pub piece: Node<'t>,
    /// A constant part of it, or the literal that the variable parts are inserted into.
    pub text: Node<'t>,
}

impl Trace {
    /// The value as a string that is built from parts.
    pub(super) fn string_build<'t>(&mut self, node: Node<'t>) -> Option<StringBuild<'t>> {
        self.step()?;
        let node = argument_value(node.unparenthesised());
        if node.is(&["reference_expression"]) {
            return self.string_build(node.field("value")?);
        }
        if node.has_role(Role::Text) {
            return self
                .pieces(node)
                .map(|piece| StringBuild { piece, text: node });
        }
        if node.has_role(Role::Name) {
            return self.built_before(node);
        }
        if let Some(binary) = node.binary() {
            let joins = matches!(binary.operator, "+" | "%" | "." | "||");
            return if joins { self.whole(node) } else { None };
        }
        if let Some(call) = node.call() {
            return self.built_by_call(node, &call);
        }
        if node.has_role(Role::Ternary) {
            parts(node).find_map(|part| self.string_build(part))
        } else {
            None
        }
    }

    fn built_before<'t>(&mut self, name: Node<'t>) -> Option<StringBuild<'t>> {
        // Only appending to a string counts, so `n += 1` does not.
        let is_text = |setting: &&Setting<'t>| {
            setting.replaces || setting.node == setting.value || has_text(setting.value)
        };
        let set = |trace: &mut Self, setting: &Setting<'t>| {
            if setting.replaces || setting.node == setting.value {
                trace.string_build(setting.value)
            } else {
                trace.whole(setting.value)
            }
        };
        self.with_name(name, |trace| {
            origins(name, name.text())
                .settings
                .iter()
                .filter(is_text)
                .find_map(|setting| set(trace, setting))
        })?
    }

    fn built_by_call<'t>(&mut self, node: Node<'t>, call: &Call<'t>) -> Option<StringBuild<'t>> {
        let formatted = if writes_first(call).is_some() {
            Some(written(call))
        } else if PRINTERS.contains(&call.name) {
            Some(texts_of_format(call, 0))
        } else {
            None
        };
        if let Some(values) = formatted {
            let piece = values.into_iter().find_map(|value| self.look(value))?;
            let text = node.all(Role::Text).next().unwrap_or(piece);
            return Some(StringBuild { piece, text });
        }
        if let Some(receiver) = call.receiver.filter(|_| VIEWS.contains(&call.name)) {
            return self.string_build(receiver);
        }
        if self.is_command() && matches!(call.name, "join" | "Join" | "implode") {
            return self.joined(call);
        }
        let into_text = || {
            call.receiver.is_some_and(has_text) || call.arguments.iter().any(|part| has_text(*part))
        };
        if FORMATTERS.contains(&call.name) && into_text() {
            let text = node.all(Role::Text).next()?;
            let piece = call
                .arguments
                .iter()
                .find_map(|argument| self.look(*argument));
            return piece.map(|piece| StringBuild { piece, text });
        }
        let first = call
            .arguments
            .first()
            .filter(|_| self.table.propagates(call.name));
        first.and_then(|argument| self.string_build(*argument))
    }

    /// The parts of a list that is written out where it is joined into a command line.
    fn joined<'t>(&mut self, call: &Call<'t>) -> Option<StringBuild<'t>> {
        let mut lists = call
            .receiver
            .into_iter()
            .chain(call.arguments.iter().copied());
        let parts = lists.find_map(|part| list(argument_value(part)))?;
        let text = parts
            .iter()
            .copied()
            .find(|part| part.has_role(Role::Text))?;
        let piece = parts.into_iter().find_map(|part| self.look(part))?;
        Some(StringBuild { piece, text })
    }

    fn whole<'t>(&mut self, node: Node<'t>) -> Option<StringBuild<'t>> {
        let text = node.all(Role::Text).next()?;
        self.look(node).map(|piece| StringBuild { piece, text })
    }
}

fn has_text(node: Node<'_>) -> bool {
    node.all(Role::Text).next().is_some()
}
