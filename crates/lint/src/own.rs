//! Rules of the user's own: files of YAML that somebody else wrote, perhaps to do harm.
//!
//! Everything here may crash in a grammar or take long, so it belongs in a worker process as much as a scan does.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pattern::check::{self, Placed};
use crate::pattern::yaml::At;
use crate::rule_info::RuleInfo;
use crate::rule_set::RuleSet;
use crate::testing;

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
pub struct OwnRule {
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
    pub rules: Vec<OwnRule>,
    /// All that is wrong.
    pub problems: Vec<Problem>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl RuleFile {
    fn problem(&self, at: At, message: impl Into<String>) -> Problem {
        Problem { file: self.name.clone(), line: at.line, column: at.column, message: message.into() }
    }

    /// The rules, or all that is wrong.
    pub(crate) fn placed(&self) -> Result<Vec<Placed>, Vec<Problem>> {
        let (rules, faults) = check::file(&self.text);
        if faults.is_empty() {
            return Ok(rules);
        }
        Err(faults.into_iter().map(|fault| self.problem(fault.at, fault.message)).collect())
    }
}

/// Reads a file of rules and compiles them for each of their languages.
#[must_use]
pub fn read(file: &RuleFile) -> Contents {
    let (rules, faults) = check::file(&file.text);
    let own = |placed: &Placed| OwnRule {
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

/// As [`read`], and runs each rule on its examples.
#[must_use]
pub fn test(file: &RuleFile) -> Contents {
    let mut contents = read(file);
    if !contents.problems.is_empty() {
        return contents;
    }
    for (rule, placed) in contents.rules.iter_mut().zip(file.placed().unwrap_or_default()) {
        let (fires, quiet) = placed.examples.clone();
        let places: Vec<At> = fires.into_iter().chain(quiet).collect();
        let set = RuleSet::of(vec![placed.document]);
        let outcomes = testing::run_examples(&set, &rule.info);
        for (at, (name, outcome)) in places.into_iter().zip(outcomes) {
            rule.failures.extend(outcome.err().map(|reason| file.problem(at, format!("{name}: {reason}"))));
        }
    }
    contents
}

#[cfg(test)]
mod tests {
    use super::{RuleFile, read, test};

    const RULE: &str = "\
id: acme/raw-query
languages: [Python, JavaScript]
title: Query without parameters
summary: \"`$CALL` builds its query itself.\"
priority: P1
category: SECURITY
rule:
  pattern: $CALL($$$ARGUMENTS)
constraints:
  CALL: {regex: ^query_raw$}
";

    fn problems(text: &str) -> Vec<String> {
        let file = RuleFile { name: "x".to_owned(), text: text.to_owned() };
        read(&file).problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_rule_needs_no_more_than_what_a_finding_says() {
        assert_eq!(problems(RULE), Vec::<String>::new());
    }

    #[test]
    fn what_is_wrong_has_its_place_and_an_advice() {
        for (from, to, expected) in [
            ("acme/raw-query", "RawQuery", "x:1:5: `id`: expected folder/name-of-the-pattern"),
            ("Python, ", "py, ", "x:2:13: `languages`: there is no grammar for \"py\"; it is called \"Python\" here"),
            ("[Python, JavaScript]", "[]", "x:2:12: `languages`: name at least one"),
            ("[Python, JavaScript]", "Python", "x:2:12: `languages`: "),
            ("priority: P1", "priority: high", "x:5:11: `priority`: unknown variant `high`"),
            ("priority: P1", "priority: P1\nconfidence: 3", "x:6:13: `confidence`: expected a number above 0"),
            ("priority: P1", "priority: P1\nmessage: x", "x:6:1: unknown property `message`: write `summary`"),
            ("priority: P1", "priority: P1\ntest: skip", "x:6:1: unknown property `test`; did you mean `tests`?"),
            (
                "priority: P1",
                "priority: P1\nreport: CAL",
                "x:6:9: `report`: CAL is no variable of the rule (it has $ARGUMENTS, $CALL",
            ),
            ("  pattern: $CALL($$$ARGUMENTS)", "  kind: cal", "x:8:9: `rule` does not work for Python: "),
            (
                "  pattern: $CALL($$$ARGUMENTS)\nconstraints:\n  CALL: {regex: ^query_raw$}",
                "  regex: x",
                "x:8:3: `rule` does not work for Python: ",
            ),
            (
                "  pattern: $CALL($$$ARGUMENTS)",
                "  has: {kind: call, stopby: end}",
                "x:8:21: unknown part of a rule `stopby`; did you mean `stopBy`?",
            ),
            (
                "  pattern: $CALL($$$ARGUMENTS)",
                "  any: {kind: call}",
                "x:8:8: expected a list of rule objects, not a mapping",
            ),
            ("  pattern: $CALL($$$ARGUMENTS)", "  pattern: {contxt: x}", "x:8:12: a pattern is text, or a mapping"),
            ("^query_raw$", "'[a'", "x:10:17: not a regular expression that can be used: "),
        ] {
            let said = problems(&RULE.replacen(from, to, 1));
            assert!(said.iter().any(|line| line.starts_with(expected)), "{expected}\n{said:#?}");
        }
    }

    #[test]
    fn all_faults_of_all_rules_of_a_file_are_said_in_order() {
        let text = RULE.replace("title", "titel").replace("priority: P1\n", "")
            + "---\n"
            + &RULE.replace("acme/raw-query", "acme");
        let said = problems(&text);
        let places: Vec<&str> = said.iter().filter_map(|line| line.split(": ").next()).collect();
        assert_eq!(places, ["x:1:1", "x:1:1", "x:3:1", "x:11:5"], "{said:#?}");
    }

    #[test]
    fn examples_that_fail_have_their_place() {
        let text = RULE.to_owned()
            + "fires:\n  - |\n    +query_raw(a)\n    ^\n  - |\n    +query(a)\n    ^\nquiet: [\"+query(a)\\n\"]\n";
        let contents = test(&RuleFile { name: "x".to_owned(), text });
        let failures: Vec<String> = contents.rules[0].failures.iter().map(ToString::to_string).collect();
        assert_eq!(failures.len(), 1, "{failures:#?}");
        assert!(failures[0].starts_with("x:16:5: fires[1]: reported and marked lines differ"), "{failures:#?}");
    }
}
