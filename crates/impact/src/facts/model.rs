//! Breaks that a change causes in other files, and the facts of those files: plain data.

use review::Side;
use serde::{Deserialize, Serialize};
use syntax::semantics::result_use::ResultUse;
use syntax::semantics::symbols::borrowed::Borrowed;
use syntax::semantics::symbols::parameters::{Parameters, Passed};

use super::calls::{ReceiverKind, Signature};
use super::type_surface::Surface;

/// A name that other files can no longer import, or no longer call as before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Break {
    /// The name.
    pub name: String,
    /// The changed line that causes it.
    pub line: u32,
    /// Its side.
    pub side: Side,
    /// The cause.
    pub cause: Cause,
    /// The file exports one object, which a default import refers to.
    pub is_one_object: bool,
    /// How other files refer to it; `None` if they import it from the file.
    pub by_name: Option<ByName>,
}

impl Break {
    /// A break for files that refer to the name without importing it from the file.
    pub(super) fn of_name(
        name: &str,
        (side, line): (Side, u32),
        cause: Cause,
        by_name: ByName,
    ) -> Self {
        Self {
            name: name.to_owned(),
            line,
            side,
            cause,
            is_one_object: false,
            by_name: Some(by_name),
        }
    }
}

/// A use of a broken name in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The path of the file.
    pub path: String,
    /// The line.
    pub line: u32,
    /// The arguments, if it is a call with a known number of them.
    pub passed: Option<Passing>,
    /// How the result is used, if it is a call.
    pub result: ResultUse,
    /// It certainly refers to the changed definition.
    pub is_certain: bool,
    /// Its file is part of the change, so it may be adapted already.
    pub is_in_changed_file: bool,
    /// It is on a line that the change adds.
    pub is_added: bool,
    /// The class, if it implements or extends the type.
    pub implementor: Option<Implementor>,
}

/// The arguments of a call in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passing {
    /// With the names of those that are passed by name.
    Listed(Passed),
    /// All by position.
    Counted(u8),
}

/// Facts of a file outside the change about the names that are searched for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surrounding {
    /// Its uses of names that it imports from other files by their paths.
    pub borrowed: Vec<Borrowed>,
    /// Its occurrences of names.
    pub mentions: Vec<Mention>,
    /// Its package or namespace.
    pub package: String,
    /// The names that it exports; `None` if that is uncertain, or if nothing is imported from it.
    pub offer: Option<Offer>,
    /// Its types; `None` if they are uncertain, or were not requested.
    pub surface: Option<Surface>,
}

/// The names that a file exports, limited to those that other files import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The names.
    pub names: Vec<Offered>,
    /// For names that it does not export, a similar one that it does.
    pub similar: Vec<(String, String)>,
    /// It exports one object, which a default import refers to.
    pub is_one_object: bool,
}

/// A name that a file exports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The name.
    pub name: String,
    /// The line of its definition.
    pub line: u32,
    /// The parameters of a function or constructor, if they are certain.
    pub parameters: Option<Parameters>,
}

/// The cause of a break.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The file no longer has or exports it.
    Removed,
    /// It is a type that now belongs to this package or namespace.
    Moved(String),
    /// The parameters of a function changed.
    Parameters {
        /// The parameters before the change.
        before: Parameters,
        /// The parameters after it.
        after: Parameters,
        /// Calls with too many or too few arguments don't fail.
        is_script: bool,
    },
    /// Classes that implement or extend this type must have another method, or one with other parameters.
    Requires {
        /// The method.
        method: String,
        /// Its signature.
        signature: Signature,
        /// The type required the method before, with other parameters.
        is_changed: bool,
    },
    /// The functions with this name accept other numbers of arguments.
    Counts {
        /// The signatures before the change.
        before: Vec<Signature>,
        /// The signatures after it.
        after: Vec<Signature>,
    },
    /// The parameters of the only function with this name, this many, are in another order.
    Reordered(u8),
    /// The result of a function changed.
    Result(ResultChange),
}

/// How other files can refer to a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByName {
    /// The type that it is a member of.
    pub owner: Option<String>,
    /// The package or namespace of the file, as the file names it.
    pub package: String,
    /// A base type may declare it as well.
    pub may_be_inherited: bool,
    /// Another type of the file has a member with this name.
    pub has_namesake: bool,
    /// The kind of thing that has the name.
    pub named: Named,
}

/// The kind of thing that other files refer to by a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Named {
    /// A function or a method, which they call.
    Function,
    /// A constant or an enum case, which they read by the name of its type.
    Constant,
    /// A field or a property, which they read through a value.
    Field,
    /// A type.
    Type,
    /// A constructor, which they call by the name of its type.
    Constructor,
}

/// A change of a function's result that requires callers to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultChange {
    /// It is now a promise, a task or a coroutine.
    Promise,
    /// It is now wrapped in this type and has to be unwrapped.
    Wrapped(String),
    /// It now has this type, which cannot be used as a condition.
    NoCondition(String),
    /// There is no longer a result.
    Nothing,
    /// In Go, this number of values.
    Values(usize),
    /// In Python, a tuple with this number of elements.
    Elements(usize),
}

impl ResultChange {
    /// Why a caller that uses the result like this fails; `None` if it does not.
    #[must_use]
    pub fn breaks(&self, used: ResultUse) -> Option<String> {
        use ResultUse::{Assigned, Condition, Discarded, Value};
        let (fails, reason) = match self {
            Self::Promise => (
                matches!(used, Condition | Value | Discarded),
                "must be awaited".to_owned(),
            ),
            Self::Wrapped(now) => (
                matches!(used, Condition | Value),
                format!("returns `{now}`"),
            ),
            Self::NoCondition(now) => (used == Condition, format!("returns `{now}`")),
            Self::Nothing => (
                matches!(used, Condition | Value | Assigned(_)),
                "returns nothing".to_owned(),
            ),
            Self::Elements(count) => (
                matches!(used, Assigned(targets) if targets != *count),
                format!("returns {count} values"),
            ),
            Self::Values(count) => (
                match used {
                    Assigned(targets) => targets != *count,
                    Condition | Value => *count != 1,
                    _ => false,
                },
                match count {
                    1 => "returns one value".to_owned(),
                    count => format!("returns {count} values"),
                },
            ),
        };
        fails.then_some(reason)
    }
}

/// An occurrence of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// The name.
    pub name: String,
    /// Its line.
    pub line: u32,
    /// Its kind.
    pub kind: MentionKind,
}

/// The kind of an occurrence of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionKind {
    /// The definition of a function, a macro, a type or a member of a type with this name.
    Definition,
    /// A parameter or a variable with this name.
    Variable,
    /// Part of an import or a `use`, with the statement's text without white space.
    Import(String),
    /// A call, the function as a value, or a member of something.
    Use(NamedUse),
    /// A class that implements or extends the type with this name.
    Base(Implementor),
    /// Possibly the name of a type.
    Type,
}

/// A class and its methods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Implementor {
    /// The class.
    pub name: String,
    /// Its methods.
    pub methods: Vec<Method>,
    /// It has other base classes, whose methods it inherits.
    pub has_other_bases: bool,
}

/// A method of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Its signature, if it is known.
    pub signature: Option<Signature>,
}

/// A use of a function by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedUse {
    /// The receiver before the name.
    pub receiver: ReceiverKind,
    /// The last name of the receiver.
    pub through: String,
    /// The type of the receiver, as far as the file shows it.
    pub receiver_type: Option<String>,
    /// It is a call.
    pub is_call: bool,
    /// The number of arguments, if it is a call with a known number of them, all by position.
    pub arguments: Option<u8>,
    /// The arguments of a Python call.
    pub passed: Option<Passed>,
    /// How the result of a call is used.
    pub result: ResultUse,
}
