//! Texts that are put together.

use super::names::argument_value;
use super::settings::{Setting, origins};
use super::trace::{Trace, parts};
use crate::grammar::Role;
use crate::node::Node;
use crate::syntax::Call;

/// Calls that put a text together from what they get.
const FORMATTERS: &[&str] = &["format", "Format", "sprintf", "Sprintf", "concat", "Concat", "join", "formatted"];

/// A text that was put together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Built<'t> {
    /// A changing piece of it.
    pub(crate) piece: Node<'t>,
    /// A constant piece of it, or the literal that the changing ones are put into.
    pub(crate) text: Node<'t>,
}

impl Trace {
    /// The value as a text that was put together.
    pub(super) fn built<'t>(&mut self, node: Node<'t>) -> Option<Built<'t>> {
        self.step()?;
        let node = argument_value(node.unparenthesised());
        if node.has_role(Role::Text) {
            return self.pieces(node).map(|piece| Built { piece, text: node });
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
        if node.has_role(Role::Ternary) { parts(node).find_map(|part| self.built(part)) } else { None }
    }

    fn built_before<'t>(&mut self, name: Node<'t>) -> Option<Built<'t>> {
        // A text that is added to counts only if it is one: `n += 1` is none.
        let is_text = |setting: &&Setting<'t>| setting.replaces || has_text(setting.value);
        let set = |trace: &mut Self, setting: &Setting<'t>| {
            if setting.replaces { trace.built(setting.value) } else { trace.whole(setting.value) }
        };
        self.with_name(name, |trace| {
            origins(name, name.text()).settings.iter().filter(is_text).find_map(|setting| set(trace, setting))
        })?
    }

    fn built_by_call<'t>(&mut self, node: Node<'t>, call: &Call<'t>) -> Option<Built<'t>> {
        let into_text = || call.receiver.is_some_and(has_text) || call.arguments.iter().any(|part| has_text(*part));
        if FORMATTERS.contains(&call.name) && into_text() {
            let text = node.all(Role::Text).next()?;
            let piece = call.arguments.iter().find_map(|argument| self.look(*argument));
            return piece.map(|piece| Built { piece, text });
        }
        let first = call.arguments.first().filter(|_| self.table.passes(call.name));
        first.and_then(|argument| self.built(*argument))
    }

    fn whole<'t>(&mut self, node: Node<'t>) -> Option<Built<'t>> {
        let text = node.all(Role::Text).next()?;
        self.look(node).map(|piece| Built { piece, text })
    }
}

fn has_text(node: Node<'_>) -> bool {
    node.all(Role::Text).next().is_some()
}
