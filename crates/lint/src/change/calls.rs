//! Edits of calls: removed call statements, and calls that no longer wrap a value.

use syntax::language::Role;
use syntax::semantics::vocabulary;
use syntax::tree::{Call, Node};

use super::context::ChangeContext;

/// A removed statement that consisted of a call, in surroundings that remain.
pub struct RemovedCall<'a> {
    /// The statement.
    pub statement: Node<'a>,
    /// The call in it.
    pub call: Call<'a>,
    /// The first later place that still uses the receiver or an argument.
    pub used: Option<Node<'a>>,
}

/// Whether it is directly in a class or module, as a declaration, and not in a function.
fn is_declaration(node: Node<'_>) -> bool {
    let around = node.ancestors().find(|node| {
        [Role::Function, Role::Lambda, Role::Class]
            .iter()
            .any(|role| node.has_role(*role))
    });
    around.is_some_and(|around| around.has_role(Role::Class) && !around.has_role(Role::Lambda))
}

impl<'a> ChangeContext<'a> {
    /// The removed call statements, except those that only log or print.
    #[must_use]
    pub fn removed_calls(&self) -> Vec<RemovedCall<'a>> {
        let plain = self
            .removed_statements()
            .into_iter()
            .filter(|old| !is_declaration(*old));
        plain
            .filter_map(|statement| {
                let mut inner = statement.statements().first().copied().unwrap_or(statement);
                while [Role::Await, Role::With]
                    .iter()
                    .any(|role| inner.has_role(*role))
                    && !inner.has_role(Role::Call)
                {
                    inner = inner.named_children().last()?;
                }
                let call = inner
                    .call()
                    .filter(|call| !vocabulary::only_tells(call.callee))?;
                let parts = call.arguments.iter().copied().chain(call.receiver);
                let names: Vec<&str> = parts.flat_map(Node::names).map(Node::text).collect();
                let used = self.used_below(&names, statement);
                Some(RemovedCall {
                    statement,
                    call,
                    used,
                })
            })
            .collect()
    }
}

/// A call that no longer wraps a value.
#[derive(Debug, Clone, Copy)]
pub struct DroppedWrapper<'a> {
    /// The callee.
    pub name: &'a str,
    /// The old call.
    pub old: Node<'a>,
    /// The old value.
    pub value: Node<'a>,
    /// The new value.
    pub now: Node<'a>,
}

impl<'a> ChangeContext<'a> {
    /// The calls around a value, or methods on it, that were removed from a statement without any additions.
    #[must_use]
    pub fn dropped_wrappers(&self) -> Vec<DroppedWrapper<'a>> {
        let calls = self
            .old
            .with_role(Role::Call)
            .filter(|node| node.touches_change() && self.similarity_to_new(*node) < 100);
        calls.filter_map(|old| self.dropped_wrapper(old)).collect()
    }

    fn dropped_wrapper(&self, old: Node<'a>) -> Option<DroppedWrapper<'a>> {
        let call = old.call()?;
        let parts: Vec<Node<'a>> = call
            .arguments
            .iter()
            .copied()
            .chain(call.receiver)
            .collect();
        let (kept, gone): (Vec<Node<'a>>, Vec<Node<'a>>) = parts
            .into_iter()
            .partition(|part| self.similarity_to_new(*part) >= 99);
        let [value] = kept.as_slice() else {
            return None;
        };
        let name_is_lost = self.lost(old).any(|leaf| leaf.text() == call.name);
        if !name_is_lost
            || gone.iter().any(|part| self.similarity_to_new(*part) > 34)
            || self.reappears(old)
        {
            return None;
        }
        let now = self.cover(*value)?;
        let gained = self.inserted(now.statement()).next().is_some();
        let code = [Role::Lambda, Role::Assign, Role::Function, Role::Block];
        let is_code = code.iter().any(|role| value.all(*role).next().is_some());
        (!gained && !is_code && now.is_usable()).then_some(DroppedWrapper {
            name: call.name,
            old,
            value: *value,
            now,
        })
    }
}
