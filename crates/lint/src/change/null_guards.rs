//! Null checks that were removed although the value is still used.

use syntax::language::Role;
use syntax::tree::{Branch, Node};

use super::conditions::Unwrapped;
use super::context::ChangeContext;

/// A removed `if` that left the function, or set a default, if a value was null.
#[derive(Debug, Clone, Copy)]
pub struct NullGuard<'a> {
    /// The `if`.
    pub old: Node<'a>,
    /// The value that it tested.
    pub value: Node<'a>,
    /// The call that the value comes from, if it is visible.
    pub source: Option<Node<'a>>,
    /// The first use after it.
    pub used: Node<'a>,
}

/// An `if` without `else` and with a short body.
pub fn short_branch(node: Node<'_>) -> Option<Branch<'_>> {
    let branch = node.branch()?;
    let statements = branch.then.statements();
    (branch.otherwise.is_none() && statements.len() <= 3).then_some(branch)
}

impl<'a> ChangeContext<'a> {
    /// The removed null checks of values that are still used afterwards, in a function that adds almost nothing.
    #[must_use]
    pub fn lost_null_guards(&self) -> Vec<NullGuard<'a>> {
        if !self.is_small_change() {
            return Vec::new();
        }
        let removed = self
            .removed(Role::If)
            .filter(|old| self.times_removed(*old) <= 2 && self.inserted_in_block(*old) == 0);
        removed
            .filter_map(|old| self.lost_null_guard(old))
            .collect()
    }

    fn lost_null_guard(&self, old: Node<'a>) -> Option<NullGuard<'a>> {
        let branch = short_branch(old)?;
        let value = rejected(branch.condition)?;
        let name = value.last_name();
        let sets = || {
            let only = branch.then.statements();
            only.first()
                .and_then(|only| only.assignment())
                .is_some_and(|set| set.target.says_same(value))
        };
        let is_gone = !self.reappears(branch.condition)
            && !self.names_removed_identifier(branch.condition)
            && self.mostly_takes_away(old)
            && !self.is_checked_anew(&[name]);
        if !is_gone || !(branch.then.ends_in_exit() || sets()) {
            return None;
        }
        let used = self.used_below(&[name], old)?;
        Some(NullGuard {
            old,
            value,
            source: self.source_of(value, old),
            used,
        })
    }

    /// The call that an old value was assigned from, the nearest one before a position of the same function.
    #[must_use]
    pub fn source_of(&self, value: Node<'a>, before: Node<'a>) -> Option<Node<'a>> {
        let function = before.enclosing(Role::Function);
        let above = self
            .old
            .with_role(Role::Assign)
            .take_while(|node| node.index() < before.index());
        let own = above.filter(|node| node.enclosing(Role::Function) == function);
        let set = own
            .filter_map(Node::assignment)
            .filter(|set| set.target.last_name() == value.last_name())
            .last()?;
        let mut inner = set.value;
        while !inner.has_role(Role::Call)
            && (inner.has_role(Role::Await)
                || inner.is(&["parenthesized_expression", "cast_expression"]))
        {
            inner = inner.named_children().last()?;
        }
        (inner.has_role(Role::Call) && self.similarity_to_new(inner) >= 90).then_some(inner)
    }

    /// Whether added code tests or sets one of the names.
    #[must_use]
    pub fn is_checked_anew(&self, names: &[&str]) -> bool {
        let mentions = |node: Node<'_>| node.names().any(|name| names.contains(&name.text()));
        let added = |role: Role| {
            self.new
                .with_role(role)
                .filter(|node| node.touches_change())
        };
        let tests = added(Role::If)
            .chain(added(Role::Ternary))
            .chain(added(Role::Loop))
            .filter_map(Node::condition)
            .any(mentions);
        let logic = added(Role::Binary)
            .any(|node| node.touches_change() && node.is_all_changed() && mentions(node));
        let sets = added(Role::Assign)
            .filter_map(Node::assignment)
            .any(|assignment| {
                assignment.target.touches_change() && names.contains(&assignment.target.text())
            });
        tests || logic || sets
    }
}

impl<'a> ChangeContext<'a> {
    /// The value that a removed condition tested and the visible call that it comes from, if the code that now runs
    /// unconditionally takes it as an argument.
    #[must_use]
    pub fn passed_on(&self, lost: &Unwrapped<'a>) -> Option<(&'a str, &'a str)> {
        let (value, holds_for_null) = lost.condition.null_check()?;
        let call = self.source_of(value, lost.whole)?.call()?;
        let takes = |node: Node<'_>| {
            node.call().is_some_and(|call| {
                call.arguments
                    .iter()
                    .any(|argument| argument.says_same(value))
            })
        };
        (!holds_for_null && lost.now.all(Role::Call).any(takes))
            .then_some((value.text(), call.callee))
    }
}

impl<'a> Unwrapped<'a> {
    /// The value that the other branch threw, if the condition tested a value: `if x.source { … } else { throw … }`.
    #[must_use]
    pub fn refused_otherwise(&self) -> Option<Node<'a>> {
        let branch = self.whole.branch()?;
        let other = if self.otherwise {
            branch.then
        } else {
            branch.otherwise?
        };
        let is_value = self.condition.has_role(Role::Name)
            || self.condition.has_role(Role::Member)
            || self.condition.null_check().is_some();
        other.all(Role::Throw).next().filter(|_| is_value)
    }
}

/// The value that a condition rejects if it is null: `x` in `!x`, `x == null` and `x is None`.
fn rejected(condition: Node<'_>) -> Option<Node<'_>> {
    let value = match condition.null_check() {
        Some((value, true)) => value,
        Some(_) => return None,
        None => condition.negated()?,
    };
    (value.has_role(Role::Name) || value.has_role(Role::Member)).then_some(value)
}
