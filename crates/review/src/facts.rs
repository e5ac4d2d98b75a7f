//! What the parts of a diff tell each other.
//!
//! An engine looks at one file at a time. What it learns about a file that matters to the others (what is defined, called,
//! moved away) is small, plain data; when all chunks are done the engine gets all of it at once, in
//! [`crate::Engine::conclude`], and nothing of it is kept after the review.

use serde::{Deserialize, Serialize};

/// What one part of a file tells about itself. Names are kept as hashes where no sentence needs them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Index of the file in the diff.
    pub file: usize,
    /// Its path.
    pub path: String,
    /// What languages that can call each other have in common.
    pub family: String,
    /// The rules that may report on this file, with what they were set to.
    pub rules: Vec<ActiveRule>,
    /// The functions whose head is in sight.
    pub definitions: Vec<Definition>,
    /// The calls on the new side.
    pub calls: Vec<CallSite>,
    /// The names that got a literal.
    pub constants: Vec<Constant>,
    /// Hashes of the added lines, white space aside, in order.
    pub added: Vec<u64>,
    /// What the findings on removed lines stand on.
    pub gone: Vec<Gone>,
    /// Lines of the new side with a comment that switches a rule off, and the rule.
    pub ignored: Vec<(u32, String)>,
    /// There was too much of it to tell all.
    pub cut: bool,
}

/// A rule that looks at the whole diff, as it is set for one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveRule {
    /// Its ID.
    pub id: String,
}

/// A function whose head is in sight.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// The line of the name, on the old side where it was removed.
    pub line: u32,
    /// What it took before the change; `None` if it is new.
    pub before: Option<Signature>,
    /// What it takes now; `None` if it was removed.
    pub after: Option<Signature>,
    /// It belongs to a class, so that calls need a receiver.
    pub is_member: bool,
    /// The name of the function that stands in its place now.
    pub replaced_by: Option<String>,
}

/// What a function takes and gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// Parameters without a default.
    pub least: u8,
    /// All parameters; `None` if it takes any number.
    pub most: Option<u8>,
    /// Hashes of the parameters' names, in order.
    pub names: Vec<u64>,
    /// What it gives has to be awaited.
    pub is_async: bool,
}

/// What a call goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reach {
    /// Nothing: `f()`.
    Bare,
    /// The object itself: `this.f()`.
    Own,
    /// Anything else: `a.f()`.
    Other,
}

/// A call on the new side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// Hash of the function's name.
    pub name: u64,
    /// Its line.
    pub line: u32,
    /// How many arguments it passes; `None` if that cannot be counted.
    pub arguments: Option<u8>,
    /// How many of them are passed by name.
    pub named: u8,
    /// What it goes through.
    pub reach: Reach,
    /// Hash of the last name of what it goes through; 0 if it goes through nothing.
    pub through: u64,
    /// It stands on an added line.
    pub added: bool,
    /// It was there before and passed another number of arguments.
    pub adapted: bool,
    /// Its result is used as a plain value or not at all, and not awaited.
    pub at_once: bool,
}

/// A name that got a literal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constant {
    /// Hash of the name.
    pub name: u64,
    /// The line on the new side.
    pub line: u32,
    /// Hash of the value before the change, or of the value where it stayed.
    pub before: u64,
    /// Where it changed: the name, the value before and after, as written.
    pub changed: Option<(String, String, String)>,
}

/// What a finding on a removed line stands on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gone {
    /// The line of the finding, on the old side.
    pub line: u32,
    /// Hashes of the lines that went with it, white space aside.
    pub lines: Vec<u64>,
}

/// Hash of a text: the same in every process and on every machine (FNV-1a).
#[must_use]
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Signature {
    /// Whether a call with so many arguments fits.
    #[must_use]
    pub fn takes(&self, arguments: u8) -> bool {
        arguments >= self.least && self.most.is_none_or(|most| arguments <= most)
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
    fn a_call_fits_between_least_and_most() {
        let mut signature = Signature { least: 1, most: Some(2), names: Vec::new(), is_async: false };
        assert_eq!([0, 1, 2, 3].map(|count| signature.takes(count)), [false, true, true, false]);
        signature.most = None;
        assert!(signature.takes(200));
    }
}
