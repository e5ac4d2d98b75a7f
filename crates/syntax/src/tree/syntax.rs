//! The layer that allows one rule to serve many languages: calls, comparisons and guards, independent of the grammar.
//!
//! Every accessor returns an `Option`: `None` if the node is something else or its syntax is not supported. Rules then do not
//! report.

use super::node::Node;
use crate::language::Role;
use crate::parse::shorten;

/// A binary operation.
#[derive(Debug, Clone, Copy)]
pub struct Binary<'t> {
    /// The left operand.
    pub left: Node<'t>,
    /// The operator as written, for example `<=`, `and`, `is not`.
    pub operator: &'t str,
    /// The right operand.
    pub right: Node<'t>,
}

/// An `if` or similar.
#[derive(Debug, Clone, Copy)]
pub struct Branch<'t> {
    /// The condition, without parentheses around it.
    pub condition: Node<'t>,
    /// The code that runs if it holds (for `unless`: if it does not).
    pub then: Node<'t>,
    /// The `else` or `elif` part.
    pub otherwise: Option<Node<'t>>,
    /// It is an `unless`.
    pub negated: bool,
}

/// An assignment, or a declaration with a value.
#[derive(Debug, Clone, Copy)]
pub struct Assignment<'t> {
    /// The target.
    pub target: Node<'t>,
    /// The operator, for example `=`, `+=`, `:=`.
    pub operator: &'t str,
    /// The value.
    pub value: Node<'t>,
}

/// A definition of a function.
#[derive(Debug, Clone, Copy)]
pub struct Function<'t> {
    /// Its name.
    pub name: Node<'t>,
    /// Its parameter list.
    pub parameters: Option<Node<'t>>,
    /// Its body.
    pub body: Option<Node<'t>>,
}

/// The meaning of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// `<`, `<=`, `>`, `>=`.
    Order,
    /// `==`, `!=`, `===`, `is`, …
    Equality,
    /// `&&`, `and`.
    And,
    /// `||`, `or`.
    Or,
    /// `??`, `?:`.
    Default,
    /// Anything else.
    Other,
}

impl Binary<'_> {
    /// The meaning of its operator.
    #[must_use]
    pub fn operation(&self) -> Operation {
        match self.operator {
            "<" | "<=" | ">" | ">=" => Operation::Order,
            "==" | "!=" | "===" | "!==" | "is" | "is not" | "<>" => Operation::Equality,
            "&&" | "and" => Operation::And,
            "||" | "or" => Operation::Or,
            "??" | "?:" => Operation::Default,
            _ => Operation::Other,
        }
    }
}

const RECEIVER: &[&str] = &[
    "object", "receiver", "operand", "value", "expression", "argument", "scope", "path",
];

impl<'t> Node<'t> {
    /// The expression without surrounding parentheses.
    #[must_use]
    pub fn unparenthesised(self) -> Self {
        let mut node = self;
        while node.is(&[
            "parenthesized_expression", "condition_clause", "parenthesized_statements",
        ]) {
            let mut inner = node.named_children();
            match (inner.next(), inner.next()) {
                (Some(only), None) => node = only,
                _ => break,
            }
        }
        node
    }

    /// The object of a member access: `a.b` in `a.b.c`.
    #[must_use]
    pub fn receiver(self) -> Option<Self> {
        if self.is_leaf()
            || !(self.has_role(Role::Member)
                || self.is(&["scoped_identifier", "qualified_identifier"]))
        {
            return None;
        }
        self.any_field(RECEIVER)
            .or_else(|| self.named_children().next())
    }

    /// The last name in it: `c` in `a.b.c`, `c<T>` and `c`.
    #[must_use]
    pub fn last_name(self) -> &'t str {
        self.last_name_node().text()
    }

    /// The node of [`last_name`](Self::last_name); the node itself if there is no name in it.
    pub fn last_name_node(self) -> Self {
        let is_name = |node: &Self| {
            node.is_leaf() && node.has_role(Role::Name) && !node.is_in_type_arguments(self)
        };
        self.descendants()
            .rev()
            .chain([self])
            .find(is_name)
            .unwrap_or(self)
    }

    fn is_in_type_arguments(self, limit: Self) -> bool {
        self.ancestors()
            .take_while(|node| *node != limit)
            .any(|node| {
                node.is(&[
                    "type_arguments", "type_argument_list", "template_argument_list",
                ])
            })
    }

    /// The node as a binary operation. A chain such as `a < b < c` is not one.
    #[must_use]
    pub fn binary(self) -> Option<Binary<'t>> {
        if !self.has_role(Role::Binary) {
            return None;
        }
        let mut operands = self.named_children();
        let left = self.field("left").or_else(|| operands.next())?;
        let right = match self.field("right") {
            Some(right) => right,
            None => self
                .named_children()
                .find(|node| node.index() > left.index())?,
        };
        if self.field("left").is_none() && self.named_children().count() != 2 {
            return None;
        }
        let between = self
            .children()
            .filter(|node| node.index() > left.index() && node.index() < right.index());
        let mut tokens =
            between.filter(|node| !node.is_inside(left) && !node.has_role(Role::Comment));
        let first = tokens.next()?;
        let last = tokens.last().unwrap_or(first);
        Some(Binary {
            left,
            operator: self.tree().slice(first.start(), last.end()),
            right,
        })
    }

    /// The node as a comparison: an order or equality operation.
    #[must_use]
    pub fn comparison(self) -> Option<Binary<'t>> {
        self.binary()
            .filter(|binary| matches!(binary.operation(), Operation::Order | Operation::Equality))
    }

    /// The negated operand: `x` in `!x` and `not x`.
    #[must_use]
    pub fn negated(self) -> Option<Self> {
        if !self.has_role(Role::Unary) {
            return None;
        }
        let operator = self.children().next()?;
        matches!(operator.text(), "!" | "not")
            .then(|| self.named_children().last())
            .flatten()
            .map(Self::unparenthesised)
    }

    /// The operands of an `&&` or `||` chain, or just the node itself.
    #[must_use]
    pub fn operands_of(self, operation: Operation) -> Vec<Self> {
        let mut parts = Vec::new();
        let mut open = vec![self.unparenthesised()];
        while let Some(node) = open.pop() {
            match node
                .binary()
                .filter(|binary| binary.operation() == operation)
            {
                Some(binary) => {
                    open.push(binary.right.unparenthesised());
                    open.push(binary.left.unparenthesised());
                }
                None => parts.push(node),
            }
        }
        parts
    }

    /// The node as an `if`.
    #[must_use]
    pub fn branch(self) -> Option<Branch<'t>> {
        if !self.has_role(Role::If) {
            return None;
        }
        let condition = self.field("condition")?.unparenthesised();
        let then = self.any_field(&["consequence", "body"]);
        let then = then.or_else(|| {
            self.named_children()
                .find(|node| node.index() > condition.index() && !node.is_inside(condition))
        })?;
        let otherwise = self.field("alternative");
        let negated = self.is(&["unless", "unless_modifier"]);
        Some(Branch {
            condition,
            then,
            otherwise,
            negated,
        })
    }

    /// The condition of an `if`, a loop or a ternary, without parentheses.
    #[must_use]
    pub fn condition(self) -> Option<Self> {
        let conditional = [Role::If, Role::Loop, Role::Ternary]
            .into_iter()
            .any(|role| self.has_role(role));
        if !conditional {
            return None;
        }
        let inside = || {
            self.child_of_kind(&["for_clause"])
                .and_then(|clause| clause.field("condition"))
        };
        // Python's `a if c else b` has no fields.
        let between = || {
            self.has_role(Role::Ternary)
                .then(|| self.named_children().nth(1))
                .flatten()
        };
        self.field("condition")
            .or_else(inside)
            .or_else(between)
            .map(Self::unparenthesised)
    }

    /// The node as an assignment or a declaration with a value.
    #[must_use]
    pub fn assignment(self) -> Option<Assignment<'t>> {
        if !self.has_role(Role::Assign) {
            return None;
        }
        let mut parts = self.named_children();
        let target = self
            .any_field(&["left", "name", "pattern", "declarator", "key"])
            .or_else(|| self.declared_name())
            .or_else(|| parts.next())?;
        let value = self
            .any_field(&["right", "value"])
            .or_else(|| self.named_children().last())?;
        if value.index() <= target.index() {
            return None;
        }
        let tokens = self
            .children()
            .filter(|node| node.index() > target.index() && node.index() < value.index());
        let operator = tokens
            .filter(|node| !node.is_named() || node.is_leaf())
            .map(Self::text)
            .find(|text| text.contains('='));
        Some(Assignment {
            target,
            operator: operator.unwrap_or("="),
            value,
        })
    }

    /// The name after Kotlin's `val` or `var`, or the pattern that takes its place.
    fn declared_name(self) -> Option<Self> {
        const DECLARATIONS: &[&str] = &["variable_declaration", "multi_variable_declaration"];
        let declaration = self.child_of_kind(DECLARATIONS)?;
        let name = declaration.child_of_kind(&["simple_identifier"]);
        Some(name.unwrap_or(declaration))
    }

    /// The node as a definition of a function.
    #[must_use]
    pub fn function(self) -> Option<Function<'t>> {
        if !self.has_role(Role::Function) {
            return None;
        }
        let declarator = self.field("declarator");
        let is_name = |node: &Self| node.has_role(Role::Name);
        let name = self.field("name").or_else(|| match declarator {
            Some(declarator) => declarator.leaves().find(is_name),
            None => self.children().find(is_name),
        })?;
        let list = |node: Self| {
            node.field("parameters")
                .or_else(|| node.all(Role::Parameters).next())
        };
        let parameters = list(declarator.unwrap_or(self));
        Some(Function {
            name,
            parameters,
            body: self
                .field("body")
                .or_else(|| self.child_of_kind(&["function_body"])),
        })
    }

    /// Whether it is a statement that leaves: `return`, `throw`, `break` or `continue`, but not a call.
    #[must_use]
    pub fn is_plain_exit(self) -> bool {
        let roles = [Role::Return, Role::Throw, Role::Break, Role::Continue];
        roles.into_iter().any(|role| self.has_role(role))
    }

    /// Whether it leaves the function or the loop iteration: `return`, `throw`, `break`, `continue`, or a call that never returns.
    #[must_use]
    pub fn is_exit(self) -> bool {
        if self.is_plain_exit() {
            return true;
        }
        const NEVER_RETURN: &[&str] = &[
            "panic", "abort", "exit", "_exit", "die", "fatal", "Fatal", "Fatalf", "bail",
            "unreachable", "raise", "error", "fail", "throw", "throwError", "assert_never",
            "redirect_to", "halt",
        ];
        self.call()
            .is_some_and(|call| NEVER_RETURN.contains(&call.name))
    }

    /// The statements of a block, or the node itself if it is a single statement.
    #[must_use]
    pub fn statements(self) -> Vec<Self> {
        let wrappers = [
            "statement_list", "statements", "control_structure_body", "else_clause",
        ];
        let mut node = self;
        loop {
            let mut inner = node.named_children();
            match (inner.next(), inner.next()) {
                (Some(only), None)
                    if (node.has_role(Role::Block) && only.is(&wrappers)) || node.is(&wrappers) =>
                {
                    node = only
                }
                _ => break,
            }
        }
        let is_list = node.has_role(Role::Block) || node.is(&wrappers);
        let unwrap = |node: Self| {
            let mut inner = node.named_children();
            match (
                node.is(&["expression_statement"]),
                inner.next(),
                inner.next(),
            ) {
                (true, Some(only), None) => only,
                _ => node,
            }
        };
        if is_list {
            node.named_children().map(unwrap).collect()
        } else {
            vec![unwrap(node)]
        }
    }

    /// Whether its last statement is an exit (see [`Node::is_exit`]).
    #[must_use]
    pub fn ends_in_exit(self) -> bool {
        self.statements().last().is_some_and(|last| last.is_exit())
    }

    /// Whether it is `null`, `None`, `nil`, `nullptr`, `undefined` or `NULL`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.has_role(Role::Null)
            || matches!(
                self.text(),
                "null" | "NULL" | "nullptr" | "nil" | "None" | "undefined"
            )
    }

    /// The operand compared with null, and whether the comparison is true for null: `(x, true)` for `x == null`.
    #[must_use]
    pub fn null_check(self) -> Option<(Self, bool)> {
        let binary = self.comparison()?;
        let operand = match (binary.left.is_null(), binary.right.is_null()) {
            (false, true) => binary.left,
            (true, false) => binary.right,
            _ => return None,
        };
        let holds_for_null = matches!(binary.operator, "==" | "===" | "is");
        (binary.operation() == Operation::Equality)
            .then(|| (operand.unparenthesised(), holds_for_null))
    }

    /// The content of a string literal without quotes; `None` for other nodes and for interpolated strings.
    #[must_use]
    pub fn string_value(self) -> Option<&'t str> {
        let dynamic = |node: Self| {
            node.kind().contains("interpol")
                || node.is(&["template_substitution", "expansion", "simple_expansion"])
        };
        if !self.has_role(Role::Text) || self.descendants().any(dynamic) {
            return None;
        }
        let text = self.text();
        let start = text.find(['"', '\'', '`'])?;
        let quote = text.get(start..)?;
        let mark = quote.chars().next()?;
        // Rust ends a raw string with the signs that begin it.
        let quote = if text.get(..start)?.contains('#') {
            quote.trim_end_matches('#')
        } else {
            quote
        };
        let is_long = quote.len() >= 6 && quote.chars().take(3).all(|c| c == mark);
        let (marks, inner) = quote.split_at_checked(if is_long { 3 } else { 1 })?;
        Some(inner.strip_suffix(marks).unwrap_or(inner))
    }

    /// The names used in it: variables, fields, methods; not those in comments and strings.
    pub fn names(self) -> impl Iterator<Item = Node<'t>> {
        self.leaves_or_names()
            .filter(|node| node.has_role(Role::Name))
    }

    fn leaves_or_names(self) -> impl Iterator<Item = Node<'t>> {
        // PHP's `$x` is a name that contains a token and a name. The outer one is the variable.
        self.all(Role::Name).filter(|node| {
            !node
                .parent()
                .is_some_and(|parent| parent.has_role(Role::Name))
        })
    }

    /// The statement that contains it: the nearest ancestor directly in a block.
    #[must_use]
    pub fn statement(self) -> Self {
        let mut node = self;
        while let Some(parent) = node.parent() {
            let is_list = parent.has_role(Role::Block)
                || parent.parent().is_none()
                || parent.is(&[
                    "statement_list", "statements", "class_body", "declaration_list",
                    "switch_block_statement_group",
                ]);
            if is_list {
                break;
            }
            node = parent;
        }
        node
    }

    /// The name of the enclosing function and class, for example `Cart.total`.
    pub fn scope(self) -> Option<String> {
        let mut names: Vec<&str> = Vec::new();
        for node in std::iter::once(self).chain(self.ancestors()) {
            let name = if node.has_role(Role::Function) {
                node.function().map(|function| function.name)
            } else if node.has_role(Role::Class) {
                node.any_field(&["name", "type"])
            } else {
                None
            };
            names.extend(name.filter(|name| name.is_within_hunk()).map(Node::text));
        }
        names.reverse();
        (!names.is_empty()).then(|| shorten(&names.join("."), 120).to_owned())
    }
}
