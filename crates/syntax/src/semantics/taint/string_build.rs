//! Strings that are built from parts.

use super::names::argument_value;
use super::origins::origins;
use super::setting::Setting;
use super::trace::{Trace, parts};
use crate::language::Role;
use crate::tree::{Call, Node};

/// Calls that build a string from their arguments.
const FORMATTERS: &[&str] = &[
    "format",
    "Format",
    "sprintf",
    "Sprintf",
    "concat",
    "Concat",
    "join",
    "formatted",
];

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
        let is_text = |setting: &&Setting<'t>| setting.replaces || has_text(setting.value);
        let set = |trace: &mut Self, setting: &Setting<'t>| {
            if setting.replaces {
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

    fn whole<'t>(&mut self, node: Node<'t>) -> Option<StringBuild<'t>> {
        let text = node.all(Role::Text).next()?;
        self.look(node).map(|piece| StringBuild { piece, text })
    }
}

fn has_text(node: Node<'_>) -> bool {
    node.all(Role::Text).next().is_some()
}
