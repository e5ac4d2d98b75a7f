//! Custom rules and their own examples.
//!
//! They come with the code under review. So they are read as text, within bounds, and parsed, checked and run only in worker processes.

use crate::registry::RuleSet;
pub use crate::registry::{Contents, CustomRule, Problem, RuleFile, read};
use crate::rule::yaml::At;
use crate::scan::testing;

/// Like [`read`], and also runs each rule on its examples.
#[must_use]
pub fn test(file: &RuleFile) -> Contents {
    let mut contents = read(file);
    if !contents.problems.is_empty() {
        return contents;
    }
    for (rule, placed) in contents
        .rules
        .iter_mut()
        .zip(file.placed().unwrap_or_default())
    {
        let (positive, negative) = placed.examples.clone();
        let places: Vec<At> = positive.into_iter().chain(negative).collect();
        let set = RuleSet::of(vec![placed.document]);
        let outcomes = testing::run_examples(&set, &rule.info);
        for (at, (name, outcome)) in places.into_iter().zip(outcomes) {
            rule.failures.extend(
                outcome
                    .err()
                    .map(|reason| file.problem(at, format!("{name}: {reason}"))),
            );
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
        let file = RuleFile {
            name: "x".to_owned(),
            text: text.to_owned(),
        };
        read(&file)
            .problems
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_rule_needs_only_the_properties_of_a_finding() {
        assert_eq!(problems(RULE), Vec::<String>::new());
    }

    #[test]
    fn problems_have_a_position_and_advice() {
        for (from, to, expected) in [
            (
                "acme/raw-query",
                "RawQuery",
                "x:1:5: `id`: expected folder/name-of-the-pattern",
            ),
            (
                "Python, ",
                "py, ",
                "x:2:13: `languages`: there is no grammar for \"py\"; write \"Python\"",
            ),
            (
                "[Python, JavaScript]", "[]", "x:2:12: `languages`: name at least one",
            ),
            ("[Python, JavaScript]", "Python", "x:2:12: `languages`: "),
            (
                "priority: P1",
                "priority: high",
                "x:5:11: `priority`: unknown variant `high`",
            ),
            (
                "priority: P1",
                "priority: P1\nconfidence: 3",
                "x:6:13: `confidence`: expected a number above 0",
            ),
            (
                "priority: P1",
                "priority: P1\nmessage: x",
                "x:6:1: unknown property `message`: write `summary`",
            ),
            (
                "priority: P1",
                "priority: P1\ntest: skip",
                "x:6:1: unknown property `test`; did you mean `tests`?",
            ),
            (
                "priority: P1",
                "priority: P1\nreport: CAL",
                "x:6:9: `report`: CAL is not a variable of the rule (it has $ARGUMENTS, $CALL",
            ),
            (
                "  pattern: $CALL($$$ARGUMENTS)",
                "  kind: cal",
                "x:8:9: `rule` does not work for Python: ",
            ),
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
            (
                "  pattern: $CALL($$$ARGUMENTS)",
                "  pattern: {contxt: x}",
                "x:8:12: a pattern is text, or a mapping",
            ),
            (
                "^query_raw$",
                "'[a'",
                "x:10:17: not a regular expression that can be used: ",
            ),
            (
                "  pattern: $CALL($$$ARGUMENTS)",
                "  any: [{pattern: $CALL($$$ARGUMENTS)}, {pattern: 'query($A'}]",
                "x:8:51: this pattern can never match: Python parses it as ERROR(identifier, $A); write a complete",
            ),
            (
                "  pattern: $CALL($$$ARGUMENTS)",
                "  kind: string\n  pattern: $CALL($$$ARGUMENTS)",
                "x:8:3: `rule` does not work for Python: no node can match all of its parts; its patterns are parsed as call(",
            ),
        ] {
            let messages = problems(&RULE.replacen(from, to, 1));
            assert!(
                messages.iter().any(|line| line.starts_with(expected)),
                "{expected}\n{messages:#?}"
            );
        }
    }

    #[test]
    fn all_problems_of_a_file_are_reported_in_order() {
        let text = RULE.replace("title", "titel").replace("priority: P1\n", "")
            + "---\n"
            + &RULE.replace("acme/raw-query", "acme");
        let messages = problems(&text);
        let places: Vec<&str> = messages
            .iter()
            .filter_map(|line| line.split(": ").next())
            .collect();
        assert_eq!(
            places,
            ["x:1:1", "x:1:1", "x:3:1", "x:11:5"],
            "{messages:#?}"
        );
    }

    /// The failures of a rule for a language with one pattern, and one example that the pattern should match.
    fn failures(language: &str, pattern: &str, example: &str) -> Vec<String> {
        let text = format!(
            "id: acme/call\nlanguages: [{language}]\ntitle: Call\nsummary: Called.\npriority: P2\ncategory: LOGIC_BUG\n\
             rule:\n  pattern: '{pattern}'\npositive:\n  - |\n    @@\n    +{example}\n    ^\n"
        );
        let contents = test(&RuleFile {
            name: "x".to_owned(),
            text,
        });
        let failures = contents.rules.iter().flat_map(|rule| &rule.failures);
        contents
            .problems
            .iter()
            .chain(failures)
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn a_pattern_is_parsed_as_in_the_body_of_a_function() {
        for (language, pattern, example) in [
            ("Go", "fmt.Println($$$A)", "fmt.Println(\"a\", b)"),
            ("Go", "fmt.Println($$$A)", "fmt.Println(a)"),
            ("Go", "$X.Close()", "file.Close()"),
            ("Go", "$S.End($A)", "span.End(b)"),
            ("C", "strcpy($A, $B)", "strcpy(a, b);"),
            ("C", "gets($A)", "gets(a);"),
            ("C", "gets($A);", "gets(a);"),
            ("C++", "std::move($A)", "std::move(a);"),
            ("C++", "$A.lock()", "m.lock();"),
            ("Java", "System.exit($A)", "System.exit(1);"),
            ("C#", "$A = $B", "a = b;"),
            ("C#", "double.NaN == $A", "ok = double.NaN == a;"),
            ("C#", "Console.WriteLine($A);", "Console.WriteLine(a);"),
            ("Rust", "$A.unwrap()", "let x = a.unwrap();"),
            ("Kotlin", "println($A)", "println(a)"),
            ("PHP", "eval($A)", "eval(a());"),
            ("JavaScript", "await $A", "await a;"),
            ("TypeScript", "$A as any", "f(a as any);"),
            ("Python", "print($A)", "print(a)"),
        ] {
            assert_eq!(
                failures(language, pattern, example),
                Vec::<String>::new(),
                "{language}: {pattern}"
            );
        }
    }

    #[test]
    fn a_missed_line_shows_how_it_and_the_pattern_are_parsed() {
        let messages = failures("Go", "$A := print($B)", "print(b)").join("\n");
        assert!(
            messages.contains("`print(b)` is parsed as call_expression(identifier,"),
            "{messages}"
        );
        assert!(
            messages.contains("the pattern is parsed as short_var_declaration("),
            "{messages}"
        );
    }

    #[test]
    fn failing_examples_have_a_position() {
        let text = RULE.to_owned()
            + "positive:\n  - |\n    +query_raw(a)\n    ^\n  - |\n    +query(a)\n    ^\nnegative: [\"+query(a)\\n\"]\n";
        let contents = test(&RuleFile {
            name: "x".to_owned(),
            text,
        });
        let failures: Vec<String> = contents.rules[0]
            .failures
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(failures.len(), 1, "{failures:#?}");
        assert!(
            failures[0].starts_with("x:16:5: positive[1]: reported and marked lines differ"),
            "{failures:#?}"
        );
    }
}
