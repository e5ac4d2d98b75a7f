//! The facts of a part of a file: small, plain data.

use impact::{CallSite, Links, Signature};
use review::{Side, Suppression};
use serde::{Deserialize, Serialize};

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
    /// The rules about the repository around the change that may report on this file.
    pub repository_rules: Vec<ActiveRule>,
    /// The links with other files of the repository, for these rules.
    pub links: Links,
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

impl Ignored {
    fn bytes(&self) -> usize {
        let reason = self
            .suppression
            .as_ref()
            .map_or(0, |suppression| suppression.reason.len());
        size_of::<Self>() + self.rule.len() + reason
    }
}
