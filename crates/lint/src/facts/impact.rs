//! What a change breaks in other files, and what those say: plain data.

use review::Side;
use serde::{Deserialize, Serialize};
use syntax::semantics::result_use::ResultUse;
use syntax::semantics::symbols::borrowed::Borrowed;
use syntax::semantics::symbols::parameters::{Parameters, Passed};

use super::calls::{ReceiverKind, Signature};

/// A name that other files can no longer import, or no longer call as before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Break {
    /// The name.
    pub name: String,
    /// The changed line that does it.
    pub line: u32,
    /// Its side.
    pub side: Side,
    /// What happened.
    pub cause: Cause,
    /// The file exports one object, which a default import stands for.
    pub is_one_object: bool,
    /// How other files refer to it; `None` if they import it from the file.
    pub by_name: Option<ByName>,
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
    /// What is done with the result, if it is a call.
    pub result: ResultUse,
    /// It certainly means what the change breaks.
    pub is_certain: bool,
}

/// The arguments of a call in another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passing {
    /// With the names of those that are passed by name.
    Listed(Passed),
    /// All by position.
    Counted(u8),
}

/// What a file around the change says about the names that are searched for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surrounding {
    /// Its uses of what it imports from other files by their paths.
    pub borrowed: Vec<Borrowed>,
    /// Its mentions of names.
    pub mentions: Vec<Mention>,
    /// Its package or namespace.
    pub package: String,
    /// What it offers to files that import from it; `None` if that is not certain, or if nothing is imported from it.
    pub offer: Option<Offer>,
}

/// What a file offers to files that import from it, as far as these import it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The names.
    pub names: Vec<Offered>,
    /// For names that it does not offer, a similar one that it does.
    pub similar: Vec<(String, String)>,
    /// It exports one object, which a default import stands for.
    pub is_one_object: bool,
}

/// A name that a file offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    /// The name.
    pub name: String,
    /// The line of its definition.
    pub line: u32,
    /// The parameters of a function or constructor, if they are certain.
    pub parameters: Option<Parameters>,
}

/// What happened to a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// The file no longer provides it.
    Removed,
    /// A function has other parameters.
    Parameters {
        /// Those before the change.
        before: Parameters,
        /// Those after it.
        after: Parameters,
        /// Calls with too many or too few arguments don't fail.
        is_script: bool,
    },
    /// The functions of this name accept other numbers of arguments.
    Counts {
        /// Those before the change.
        before: Vec<Signature>,
        /// Those after it.
        after: Vec<Signature>,
    },
    /// The function returns something else.
    Result(ResultChange),
}

/// How other files can refer to a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByName {
    /// The type whose member it is.
    pub owner: Option<String>,
    /// The package or namespace of the file, as the file names it.
    pub package: String,
    /// A base type may declare it too.
    pub may_be_inherited: bool,
    /// It is a constant or an enum case, which files read by the name of its type.
    pub is_constant: bool,
}

/// How the result of a function changed so that callers have to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultChange {
    /// It is a promise, a task or a coroutine now.
    Promise,
    /// It is wrapped in this type now, which has to be unwrapped.
    Wrapped(String),
    /// It is of this type now, which is no condition.
    NoCondition(String),
    /// There is none any more.
    Nothing,
    /// In Go, this number of values.
    Values(usize),
}

impl ResultChange {
    /// Why a caller fails that does this with the result; `None` if it does not.
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

/// A mention of a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mention {
    /// The name.
    pub name: String,
    /// Its line.
    pub line: u32,
    /// What it is.
    pub kind: MentionKind,
}

/// What a mention of a name is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MentionKind {
    /// The definition of a function or macro of this name.
    Definition,
    /// A parameter, a variable or a field of this name.
    Variable,
    /// Part of an import or a `use`; its text without white space.
    Import(String),
    /// A call, or the function as a value.
    Use(NamedUse),
}

/// A use of a function by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedUse {
    /// What is before the name.
    pub receiver: ReceiverKind,
    /// The last name of the receiver.
    pub through: String,
    /// The number of arguments, if it is a call with a known number of them, all by position.
    pub arguments: Option<u8>,
    /// The arguments of a call of Python.
    pub passed: Option<Passed>,
    /// What is done with the result of a call.
    pub result: ResultUse,
}
