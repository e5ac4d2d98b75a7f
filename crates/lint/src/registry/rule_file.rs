//! Custom rules: YAML files from an untrusted author.
//!
//! Reading them may crash in a grammar or take long, so it is done in a worker process, like a scan.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rule::RuleInfo;
use crate::rule::yaml::{self, At, LocatedRule};

/// A file with rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFile {
    /// Its name in messages.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// A problem in a rule file, with its position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The file's name.
    pub file: String,
    /// Line, from 1.
    pub line: u64,
    /// Column, from 1, in characters.
    pub column: u64,
    /// Description of the problem and how to fix it.
    pub message: String,
}

/// A custom rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CustomRule {
    /// The rule's properties.
    pub info: RuleInfo,
    /// The line of its ID.
    pub line: u64,
    /// The column of its ID, as in [`Problem::column`].
    pub column: u64,
    /// Examples that fail; always empty from [`read`].
    pub failures: Vec<Problem>,
}

/// The content of a rule file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Contents {
    /// The rules that could be read.
    pub rules: Vec<CustomRule>,
    /// All problems.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}",
            self.file, self.line, self.column, self.message
        )
    }
}

impl RuleFile {
    pub(crate) fn problem(&self, at: At, message: impl Into<String>) -> Problem {
        Problem {
            file: self.name.clone(),
            line: at.line,
            column: at.column,
            message: message.into(),
        }
    }

    /// The rules with their positions, or all problems.
    pub(crate) fn placed(&self) -> Result<Vec<LocatedRule>, Vec<Problem>> {
        let (rules, faults) = yaml::file(&self.text);
        if faults.is_empty() {
            return Ok(rules);
        }
        Err(faults
            .into_iter()
            .map(|fault| self.problem(fault.at, fault.message))
            .collect())
    }
}

/// Reads a rule file and compiles its rules for each of their languages.
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
        problems: faults
            .into_iter()
            .map(|fault| file.problem(fault.at, fault.message))
            .collect(),
    }
}
