//! The facts of a part of a file: small, plain data.

use review::{Side, Suppression};
use serde::{Deserialize, Serialize};
use syntax::semantics::symbols::borrowed::Borrowed;

use super::called::CalledMember;
use super::calls::{CallSite, Signature};
use super::impact::{Break, Surrounding};
use super::keys::KeyChanges;
use super::unbound::UnboundNames;

/// The facts of one part of a file. Names are hashed unless a message needs them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Index of the file in the diff.
    pub file: usize,
    /// Its path.
    pub path: String,
    /// The family of languages with code that can call each other.
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
    /// The names that edits with findings removed.
    pub losses: Vec<Loss>,
    /// The lines of the new side that suppression comments cover.
    pub ignored: Vec<Ignored>,
    /// The breaks that the change causes in files that import from this one.
    pub breaks: Vec<Break>,
    /// The hashes of the names that the new side defines, sorted, if it is a whole file.
    pub defined: Vec<u64>,
    /// Those of them whose definitions the change adds.
    pub introduced: Vec<u64>,
    /// The imports of other files that the change adds or alters, and the uses of names from them.
    pub borrowed: Vec<Borrowed>,
    /// The members that it calls on values whose types are certain.
    pub called: Vec<CalledMember>,
    /// The names that it uses and neither defines nor imports.
    pub unbound: UnboundNames,
    /// The keys that the change removes, adds and reads.
    pub keys: KeyChanges,
    /// For a file outside the change: its facts about the names that are searched for.
    pub surrounding: Surrounding,
    /// A limit was exceeded.
    pub cut: bool,
}

/// A line that a suppression comment covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// The covered line on the new side.
    pub line: u32,
    /// The rule that the comment names.
    pub rule: String,
    /// The comment as findings show it; `None` if the base has it at this line.
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
    /// The added line that replaces its definition, if it was removed.
    pub replacement_line: Option<u32>,
}

/// The removed block of a finding on a removed line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedBlock {
    /// The line of the finding, on the old side.
    pub line: u32,
    /// Hashes of the lines removed with it, without white space.
    pub lines: Vec<u64>,
}

/// The names that an edit with a change rule's finding removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// The line of the finding.
    pub line: u32,
    /// Its side.
    pub side: Side,
    /// Hashes of the names that the edit removed and did not add again.
    pub names: Vec<u64>,
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
    use super::hash;

    #[test]
    fn a_hash_is_the_published_function() {
        assert_eq!(hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
