//! Edits of conditions: a removed clause, a condition removed around code that remains, a lost null check.

use syntax::language::Role;
use syntax::tree::{Node, Operation};

use super::context::ChangeContext;

/// A clause of an `&&` or `||` chain that was removed while other clauses remain.
#[derive(Debug, Clone, Copy)]
pub struct LostClause<'a> {
    /// The old chain.
    pub chain: Node<'a>,
    /// The operator that joins the clauses.
    pub operation: Operation,
    /// The removed clause.
    pub clause: Node<'a>,
    /// The rest of the chain.
    pub left: Node<'a>,
}

/// A statement or expression that lost its condition.
#[derive(Debug, Clone, Copy)]
pub struct Unwrapped<'a> {
    /// The old `if` or ternary.
    pub whole: Node<'a>,
    /// Its condition.
    pub condition: Node<'a>,
    /// The statement or expression that it guarded.
    pub then: Node<'a>,
    /// It was in the `else` branch.
    pub otherwise: bool,
    /// Its counterpart in the new tree.
    pub now: Node<'a>,
}

/// Chains of `&&` or `||` (and `??`) that are not part of a longer chain.
fn chain_of(node: Node<'_>) -> Option<Operation> {
    let operation = node.binary()?.operation();
    let joins = matches!(
        operation,
        Operation::And | Operation::Or | Operation::Default
    );
    let mut around = node
        .ancestors()
        .skip_while(|node| node.is(&["parenthesized_expression", "condition_clause"]));
    let is_part = around
        .next()
        .and_then(Node::binary)
        .is_some_and(|outer| outer.operation() == operation);
    (joins && !is_part).then_some(operation)
}

/// Whether the remaining clauses are true for nil whenever the removed one was. In Go the length of nil is 0.
fn is_implied(clause: Node<'_>, kept: &[Node<'_>]) -> bool {
    let Some((value, _)) = clause
        .null_check()
        .filter(|_| clause.tree().grammar().name() == "Go")
    else {
        return false;
    };
    let measures = |call: Node<'_>| {
        call.call().is_some_and(|call| {
            call.callee == "len" && call.arguments.iter().any(|of| of.says_same(value))
        })
    };
    kept.iter().any(|other| other.all(Role::Call).any(measures))
}

/// The expression with the surrounding parentheses and logical operators.
fn with_logic(node: Node<'_>) -> Node<'_> {
    let is_logic = |node: &Node<'_>| {
        node.is(&[
            "parenthesized_expression", "condition_clause", "parenthesized_statements",
        ]) || node.binary().is_some_and(|binary| {
            !matches!(
                binary.operation(),
                Operation::Order | Operation::Equality | Operation::Other
            )
        })
    };
    node.ancestors().take_while(is_logic).last().unwrap_or(node)
}

impl<'a> ChangeContext<'a> {
    /// The clauses that were removed without replacement from conditions that are otherwise unchanged.
    #[must_use]
    pub fn lost_clauses(&self) -> Vec<LostClause<'a>> {
        let mut found = Vec::new();
        for chain in self
            .old
            .with_role(Role::Binary)
            .filter(|node| node.touches_change())
        {
            let Some(operation) = chain_of(chain) else {
                continue;
            };
            let operands = chain.operands_of(operation);
            let kept: Vec<Node<'a>> = operands
                .iter()
                .copied()
                .filter(|operand| self.similarity_to_new(*operand) >= 85)
                .collect();
            let Some(left) = kept
                .first()
                .and_then(|first| self.cover(*first))
                .map(with_logic)
            else {
                continue;
            };
            if self.inserted(left).next().is_some() || kept.len() == operands.len() {
                continue;
            }
            let gone = operands
                .into_iter()
                .filter(|operand| self.is_gone_clause(*operand) && !is_implied(*operand, &kept));
            found.extend(gone.map(|clause| LostClause {
                chain,
                operation,
                clause,
                left,
            }));
        }
        found
    }

    /// A clause that is a plain value usually occurs elsewhere too, which does not mean that it moved.
    fn is_gone_clause(&self, operand: Node<'_>) -> bool {
        let is_value = operand.has_role(Role::Name) || operand.has_role(Role::Member);
        let is_gone = if is_value {
            self.similarity_to_new(operand) <= 34
        } else {
            self.is_gone(operand)
        };
        is_gone && !self.names_removed_identifier(operand)
    }

    /// The conditions that were removed around code that remains, in a function that adds almost nothing.
    #[must_use]
    pub fn unwrapped(&self) -> Vec<Unwrapped<'a>> {
        let small = self.is_small_change();
        let conditional = self.old.nodes().filter(|node| {
            small
                && node.touches_change()
                && node.is_usable()
                && [Role::If, Role::Ternary]
                    .iter()
                    .any(|role| node.has_role(*role))
        });
        let lost = conditional.filter_map(|whole| self.unwrapped_one(whole));
        lost.filter(|lost| self.mostly_takes_away(lost.whole))
            .collect()
    }

    fn unwrapped_one(&self, whole: Node<'a>) -> Option<Unwrapped<'a>> {
        let condition = whole.condition()?;
        let (then, otherwise) = arms(whole);
        let stays = |arm: Option<Node<'a>>| arm.filter(|arm| self.similarity_to_new(*arm) >= 80);
        let is_then = stays(then).is_some();
        let arm = stays(then).or_else(|| stays(otherwise))?;
        if !self.is_gone(condition) || self.names_removed_identifier(condition) {
            return None;
        }
        let now = self.cover(arm)?;
        let around = || {
            std::iter::once(now)
                .chain(now.ancestors())
                .take_while(|node| !node.has_role(Role::Function))
        };
        let has_new_test = |node: Node<'a>| {
            node.condition()
                .is_some_and(|condition| self.inserted(condition).next().is_some())
        };
        let holds = [
            Role::Loop,
            Role::Switch,
            Role::Case,
            Role::Lambda,
            Role::Try,
        ];
        let is_new = |node: Node<'a>| {
            holds.iter().any(|role| node.has_role(*role)) && self.origin(node).is_none()
        };
        // Only a part of the condition is gone: the code does not always run.
        let has_rest = |node: Node<'a>| {
            let is_of_it = |leaf: Node<'a>| {
                self.old_of(leaf)
                    .is_some_and(|old| old == condition || old.is_inside(condition))
            };
            node.condition()
                .is_some_and(|now| std::iter::once(now).chain(now.leaves()).any(is_of_it))
        };
        let guarded = around().any(|node| has_new_test(node) || has_rest(node) || is_new(node));
        (!guarded).then_some(Unwrapped {
            whole,
            condition,
            then: arm,
            otherwise: !is_then,
            now,
        })
    }
}

/// The branches for a true and a false condition, unless they are conditions themselves.
fn arms(whole: Node<'_>) -> (Option<Node<'_>>, Option<Node<'_>>) {
    let Some(branch) = whole.branch() else {
        let then = whole
            .any_field(&["consequence", "body"])
            .or_else(|| whole.named_children().next());
        return (then, whole.field("alternative"));
    };
    let is_clause = |node: &Node<'_>| node.is(&["else_clause", "else"]);
    let otherwise = branch.otherwise.and_then(|part| {
        if is_clause(&part) {
            part.named_children().last()
        } else {
            Some(part)
        }
    });
    (
        Some(branch.then),
        otherwise.filter(|part| !part.has_role(Role::If)),
    )
}

impl LostClause<'_> {
    /// Whether the chain decides control flow, rather than providing a fallback for a value.
    #[must_use]
    pub fn is_condition(&self) -> bool {
        if self.operation == Operation::And {
            return true;
        }
        let statement = self.chain.statement();
        let mut around = self
            .chain
            .ancestors()
            .filter(|node| node.is_inside(statement));
        let in_condition = around.any(|node| {
            node.condition()
                .is_some_and(|condition| self.chain.is_inside(condition))
        });
        let is_test = |node: Node<'_>| {
            node.comparison().is_some() || node.negated().is_some() || node.has_role(Role::Call)
        };
        in_condition || is_test(self.clause)
    }
}

impl<'a> LostClause<'a> {
    /// The value that the removed clause checked for null and that is still dereferenced, in the rest of the chain or
    /// in the code that it guards.
    #[must_use]
    pub fn opened(&self) -> Option<Node<'a>> {
        tested_for_null(self.clause).filter(|value| {
            let around = self
                .left
                .ancestors()
                .find(|node| node.condition().is_some());
            is_opened_in(*value, self.left)
                || around.is_some_and(|around| is_opened_in(*value, around))
        })
    }
}

impl<'a> Unwrapped<'a> {
    /// The value that the condition checked for null and that the code still dereferences.
    #[must_use]
    pub fn opened(&self) -> Option<Node<'a>> {
        let tested = self
            .condition
            .operands_of(Operation::And)
            .into_iter()
            .filter_map(tested_for_null);
        tested
            .into_iter()
            .find(|value| is_opened_in(*value, self.now))
    }
}

/// The value that a clause checks for null: `x` in `x != null`, `x`, `!x.isEmpty()` and `x is not None`.
fn tested_for_null(clause: Node<'_>) -> Option<Node<'_>> {
    let clause = clause.unparenthesised();
    if let Some((value, _)) = clause.null_check() {
        return Some(value);
    }
    let is_plain = |node: &Node<'_>| {
        node.has_role(Role::Name) || node.has_role(Role::Member) || node.has_role(Role::Index)
    };
    let value = clause.negated().unwrap_or(clause);
    if is_plain(&value) {
        return Some(value);
    }
    const ASKS: &[&str] = &[
        "isEmpty", "is_empty", "empty", "isPresent", "isNull", "nonNull", "isset", "is_none",
        "is_some", "isNone", "is_null", "IsNullOrEmpty", "IsNullOrWhiteSpace", "nil?", "blank?",
        "present?", "empty?", "notNull", "isNotNull",
    ];
    let call = value.call().filter(|call| ASKS.contains(&call.name))?;
    call.receiver
        .filter(|_| call.arguments.is_empty())
        .or_else(|| call.arguments.first().copied())
}

/// Whether a value is dereferenced somewhere in a node: its field, method, element or pointee is accessed.
fn is_opened_in(value: Node<'_>, place: Node<'_>) -> bool {
    std::iter::once(place)
        .chain(place.descendants())
        .any(|node| {
            let of = |inner: Option<Node<'_>>| inner.is_some_and(|inner| inner.says_same(value));
            let of_call = || {
                node.call().is_some_and(|call| {
                    call.receiver
                        .is_some_and(|receiver| receiver.says_same(value))
                })
            };
            let of_index = || node.has_role(Role::Index) && of(node.named_children().next());
            let of_pointer = || {
                node.is(&["pointer_expression"])
                    && node.text().starts_with('*')
                    && of(node.named_children().last())
            };
            of(node.receiver()) || of_call() || of_index() || of_pointer()
        })
}

impl<'a> ChangeContext<'a> {
    /// Removed optional chaining: `a?.b` that became `a.b`. Returns the operator and the new name node.
    #[must_use]
    pub fn lost_safe_links(&self) -> Vec<(&'a str, Node<'a>)> {
        let mut found = Vec::new();
        let leaves: Vec<Node<'a>> = self
            .old
            .nodes()
            .filter(|node| node.is_leaf() && node.touches_change() && !node.text().is_empty())
            .collect();
        for window in leaves.windows(3) {
            let [before, link, after] = window else {
                continue;
            };
            let is_link = matches!(link.text(), "?." | "&." | "?->");
            // `a?.()` tests whether there is a function.
            if !is_link || after.text() == "(" || self.new_of(*link).is_some() {
                continue;
            }
            let (Some(left), Some(right)) = (self.new_of(*before), self.new_of(*after)) else {
                continue;
            };
            let inside = self
                .new
                .nodes()
                .skip(left.index() + 1)
                .take_while(|node| node.index() < right.index());
            let between = inside.filter(|node| node.is_leaf());
            let texts: Vec<&str> = between
                .map(Node::text)
                .filter(|text| !text.is_empty())
                .collect();
            if matches!(texts.as_slice(), ["." | "->"] | []) {
                found.push((link.text(), right));
            }
        }
        found
    }
}

impl<'a> ChangeContext<'a> {
    /// Changed conditions of `if`, loops and ternaries with a body that remains, before and after.
    #[must_use]
    pub fn changed_conditions(&self) -> Vec<(Node<'a>, Node<'a>)> {
        let roles = [Role::If, Role::Loop, Role::Ternary];
        let changed = roles
            .into_iter()
            .flat_map(|role| self.changed(role).collect::<Vec<_>>());
        changed
            .filter_map(|(old, new)| {
                let (before, after) = (old.condition()?, new.condition()?);
                let simple = self.edit_block_of(before)?;
                let alone = simple.removed <= 2 && simple.added <= 2;
                let body = |node: Node<'a>| {
                    node.branch()
                        .map(|branch| branch.then)
                        .or_else(|| node.field("body"))
                };
                let same_body = match (body(old), body(new)) {
                    (Some(was), Some(now)) => {
                        self.cover(was).is_some_and(|cover| cover.is_inside(now))
                    }
                    _ => true,
                };
                (alone
                    && same_body
                    && after.is_usable()
                    && after.touches_change()
                    && !self.same(before, after))
                .then_some((before, after))
            })
            .collect()
    }

    /// Chains of `&&` or `||` with the same operands but another operator, if the grammar has a kind for each operator.
    #[must_use]
    pub fn rejoined(&self) -> Vec<(Node<'a>, Node<'a>)> {
        let chains = self
            .old
            .with_role(Role::Binary)
            .filter(|node| node.touches_change() && self.counterpart(*node).is_none());
        chains
            .filter_map(|old| {
                let new = self.cover(old).filter(|new| {
                    new.has_role(Role::Binary) && new.touches_change() && new.is_usable()
                })?;
                Some((old, new))
            })
            .collect()
    }
}
