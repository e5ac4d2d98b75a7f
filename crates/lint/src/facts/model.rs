//! The facts of a part of a file: small, plain data.

use review::{Side, Suppression};
use serde::{Deserialize, Serialize};

use super::by_name::ByName;
use super::mentions::Mention;
use super::results::ResultChange;
use crate::semantics::result_use::ResultUse;
use crate::semantics::symbols::borrowed::Borrowed;
use crate::semantics::symbols::parameters::{Parameters, Passed};

/// The facts of one part of a file. Names are hashed where no message needs them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Index of the file in the diff.
    pub file: usize,
    /// Its path.
    pub path: String,
    /// The family of languages that can call each other.
    pub family: String,
    /// The rules that may report on this file, with their settings.
    pub rules: Vec<ActiveRule>,
    /// The functions with a visible header.
    pub definitions: Vec<Definition>,
    /// The calls on the new side.
    pub calls: Vec<CallSite>,
    /// Hashes of the added lines without white space, in order.
    pub added: Vec<u64>,
    /// The removed blocks of the findings on removed lines.
    pub removed_blocks: Vec<RemovedBlock>,
    /// Hashes of the names of functions, parameters and fields that the file declared and no longer mentions.
    pub removed_names: Vec<u64>,
    /// What the edits removed that findings are about.
    pub losses: Vec<Loss>,
    /// The suppression comments on the new side.
    pub ignored: Vec<Ignored>,
    /// What the change breaks in files that import from this one.
    pub breaks: Vec<Break>,
    /// Of a file around the change: what it says about the names that are searched for.
    pub surrounding: Surrounding,
    /// A limit was exceeded.
    pub cut: bool,
}

/// A suppression comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// Its line on the new side.
    pub line: u32,
    /// The rule that it names.
    pub rule: String,
    /// The comment as findings show it, if the change adds it.
    pub suppression: Option<Suppression>,
}

/// A cross-file rule, as configured for one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveRule {
    /// Its ID.
    pub id: String,
}

/// A function with a visible header.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The line of the name, on the old side if the function was removed.
    pub line: u32,
    /// The signature before the change; `None` if it is new.
    pub before: Option<Signature>,
    /// The signature now; `None` if it was removed.
    pub after: Option<Signature>,
    /// It is a member, so calls need a receiver.
    pub is_member: bool,
    /// The name of the function that replaced it.
    pub replaced_by: Option<String>,
}

/// The signature of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// Number of parameters without a default.
    pub min_args: u8,
    /// Number of all parameters; `None` if variadic.
    pub max_args: Option<u8>,
    /// Hashes of the parameters' names, in order.
    pub names: Vec<u64>,
    /// The result must be awaited.
    pub is_async: bool,
}

/// The receiver of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReceiverKind {
    /// Nothing: `f()`.
    Bare,
    /// The current object: `this.f()`.
    Own,
    /// Any other: `a.f()`.
    Other,
}

/// A call on the new side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// Hash of the function's name.
    #[serde(with = "postcard::fixint::le")]
    pub name: u64,
    /// Its line.
    pub line: u32,
    /// The number of arguments; `None` if unknown.
    pub arguments: Option<u8>,
    /// The number of named arguments.
    pub named: u8,
    /// Its receiver.
    pub receiver: ReceiverKind,
    /// Hash of the last name of the receiver; 0 without a receiver.
    pub through: u64,
    /// It is on an added line.
    pub added: bool,
    /// It existed before and passed another number of arguments.
    pub adapted: bool,
    /// Its result is used as a plain value or discarded, and not awaited.
    pub unawaited: bool,
}

/// The removed block of a finding on a removed line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedBlock {
    /// The line of the finding, on the old side.
    pub line: u32,
    /// Hashes of the lines removed with it, without white space.
    pub lines: Vec<u64>,
}

/// What the edit took away that a finding of a change rule speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// The line of the finding.
    pub line: u32,
    /// Its side.
    pub side: Side,
    /// Hashes of the names that the edit removed and did not add again.
    pub names: Vec<u64>,
}

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

impl Facts {
    /// The number of facts.
    #[must_use]
    pub fn count(&self) -> usize {
        let Self {
            rules,
            definitions,
            calls,
            added,
            removed_blocks,
            removed_names,
            losses,
            ignored,
            ..
        } = self;
        rules.len()
            + definitions.len()
            + calls.len()
            + added.len()
            + removed_blocks.len()
            + removed_names.len()
            + losses.len()
            + ignored.len()
    }

    /// Releases the excess capacity of its lists.
    pub fn shrink(&mut self) {
        self.rules.shrink_to_fit();
        self.definitions.shrink_to_fit();
        self.calls.shrink_to_fit();
        self.added.shrink_to_fit();
        self.removed_blocks.shrink_to_fit();
        self.removed_names.shrink_to_fit();
        self.losses.shrink_to_fit();
        self.ignored.shrink_to_fit();
    }

    /// The approximate memory size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let names = |of: &Option<Signature>| {
            of.as_ref()
                .map_or(0, |own| own.names.len() * size_of::<u64>())
        };
        let definition = |own: &Definition| {
            let replaced = own.replaced_by.as_ref().map_or(0, String::len);
            size_of::<Definition>()
                + own.name.len()
                + replaced
                + names(&own.before)
                + names(&own.after)
        };
        size_of::<Self>()
            + self.path.len()
            + self.family.len()
            + self
                .rules
                .iter()
                .map(|rule| size_of::<ActiveRule>() + rule.id.len())
                .sum::<usize>()
            + self.definitions.iter().map(definition).sum::<usize>()
            + size_of_val(self.calls.as_slice())
            + size_of_val(self.added.as_slice())
            + size_of_val(self.removed_names.as_slice())
            + self
                .losses
                .iter()
                .map(|loss| size_of::<Loss>() + size_of_val(loss.names.as_slice()))
                .sum::<usize>()
            + self
                .removed_blocks
                .iter()
                .map(|gone| size_of::<RemovedBlock>() + size_of_val(gone.lines.as_slice()))
                .sum::<usize>()
            + self.ignored.iter().map(Ignored::bytes).sum::<usize>()
    }
}

/// Hash of a text, identical in every process and on every machine (FNV-1a).
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Signature {
    /// Whether a call with this number of arguments is valid.
    #[must_use]
    pub fn takes(&self, arguments: u8) -> bool {
        arguments >= self.min_args && self.max_args.is_none_or(|most| arguments <= most)
    }
}

impl Ignored {
    fn bytes(&self) -> usize {
        let reason = self
            .suppression
            .as_ref()
            .map_or(0, |suppression| suppression.reason.len());
        size_of::<Self>() + self.rule.len() + reason
    }
}

#[cfg(test)]
mod tests {
    use super::{Signature, hash};

    #[test]
    fn a_hash_is_the_published_function() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn a_call_is_valid_between_min_and_max_arguments() {
        let mut signature = Signature {
            min_args: 1,
            max_args: Some(2),
            names: Vec::new(),
            is_async: false,
        };
        assert_eq!(
            [0, 1, 2, 3].map(|count| signature.takes(count)),
            [false, true, true, false]
        );
        signature.max_args = None;
        assert!(signature.takes(200));
    }
}
