//! Rules of the user's own: files of YAML that somebody else wrote, perhaps to do harm.
//!
//! Everything here may crash in a grammar or take long, so it belongs in a worker process as much as a scan does.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rule::RuleInfo;
use crate::rule::yaml::{self, At, LocatedRule};

/// A file with rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFile {
    /// What to call it in messages.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What is wrong with a file of rules, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file's name.
    pub file: String,
    /// From 1.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
    /// What is wrong and what would be right.
    pub message: String,
}

/// A rule of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomRule {
    /// What it is.
    pub info: RuleInfo,
    /// Where its ID stands.
    pub line: u64,
    /// As [`Problem::column`].
    pub column: u64,
    /// Examples with which it does not do what they say; always empty from [`read`].
    pub failures: Vec<Problem>,
}

/// What a file of rules holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    /// The rules that could be read.
    pub rules: Vec<CustomRule>,
    /// All that is wrong.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl RuleFile {
    pub(crate) fn problem(&self, at: At, message: impl Into<String>) -> Problem {
        Problem { file: self.name.clone(), line: at.line, column: at.column, message: message.into() }
    }

    /// The rules, or all that is wrong.
    pub(crate) fn placed(&self) -> Result<Vec<LocatedRule>, Vec<Problem>> {
        let (rules, faults) = yaml::file(&self.text);
        if faults.is_empty() {
            return Ok(rules);
        }
        Err(faults.into_iter().map(|fault| self.problem(fault.at, fault.message)).collect())
    }
}

/// Reads a file of rules and compiles them for each of their languages.
#[must_use]
pub fn read(file: &RuleFile) -> Contents {
    let (rules, faults) = yaml::file(&file.text);
    let own = |placed: &LocatedRule| CustomRule {
        info: RuleInfo::from(&placed.document),
        line: placed.at.line,
        column: placed.at.column,
        failures: Vec::new(),
    };
    Contents {
        rules: rules.iter().map(own).collect(),
        problems: faults.into_iter().map(|fault| file.problem(fault.at, fault.message)).collect(),
    }
}
