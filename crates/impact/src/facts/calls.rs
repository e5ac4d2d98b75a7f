//! Signatures of functions, and calls of them.

use serde::{Deserialize, Serialize};

/// The maximum number of parameters of a function whose signature is known.
pub(super) const MANY_PARAMETERS: usize = 40;

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

impl Signature {
    /// Whether a call with this number of arguments is valid.
    #[must_use]
    pub fn takes(&self, arguments: u8) -> bool {
        arguments >= self.min_args && self.max_args.is_none_or(|most| arguments <= most)
    }
}

#[cfg(test)]
mod tests {
    use super::Signature;

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
