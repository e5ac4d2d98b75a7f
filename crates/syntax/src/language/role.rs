//! Language-independent roles of syntax nodes.

/// The language-independent role of a syntax node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// A comment.
    Comment,
    /// A whole string literal.
    Text,
    /// An identifier: a variable, field, method or type name.
    Name,
    /// A number literal.
    Number,
    /// `null`, `None`, `nil`.
    Null,
    /// A call of a function or method. See [`crate::tree::Node::call`].
    Call,
    /// A binary operation: comparison, logic, arithmetic. See [`crate::tree::Node::binary`].
    Binary,
    /// A prefix operation such as `!x`, `not x`, `-x`. See [`crate::tree::Node::negated`].
    Unary,
    /// `if`, `elif`, `unless`. See [`crate::tree::Node::branch`].
    If,
    /// `c ? a : b`.
    Ternary,
    /// `for`, `while`, `do`, `loop`.
    Loop,
    /// `return`.
    Return,
    /// `throw`, `raise`.
    Throw,
    /// `break`.
    Break,
    /// `continue`, `next`.
    Continue,
    /// `try`, `begin`.
    Try,
    /// `catch`, `except`, `rescue`.
    Catch,
    /// `finally`, `ensure`.
    Finally,
    /// A block that holds a lock, by its syntax (`synchronized`, `lock`).
    Lock,
    /// A block that releases something at its end, by its syntax (`with`, `using`, try-with-resources), or `defer`.
    With,
    /// An assignment or a declaration with a value. See [`crate::tree::Node::assignment`].
    Assign,
    /// A definition of a function or method. See [`crate::tree::Node::function`].
    Function,
    /// A function without a name.
    Lambda,
    /// A class, struct, trait or interface.
    Class,
    /// `await`.
    Await,
    /// Access to a field or method of a value: `a.b`.
    Member,
    /// `a[i]`.
    Index,
    /// A block of statements.
    Block,
    /// `switch`, `match`, `when`, `case … of`.
    Switch,
    /// One case of a switch.
    Case,
    /// Parameters of a definition.
    Parameters,
    /// Arguments of a call.
    Arguments,
    /// A built-in `assert` statement.
    Assert,
}

impl Role {
    /// Its bit in a set of roles.
    pub(crate) fn bit(self) -> u64 {
        1 << (self as u64)
    }
}
