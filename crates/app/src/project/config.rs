//! `.hunkwise.toml`: which rules a repository uses, where, and with which priority.

use std::ops::Range;

use globset::{GlobBuilder, GlobMatcher};
use lint::custom::Problem;
use review::Priority;
use review::output::Gate;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::globs::Globs;
use super::nearest::nearest;

/// The top-level keys.
pub(super) const TOP: &[&str] = &[
    "fail_on", "guidelines", "ignore", "min_confidence", "paths", "rules",
];
/// The keys of `[paths]`.
pub(super) const PATHS: &[&str] = &["not_tests", "tests"];
/// The keys of a rule's table.
pub(super) const RULE: &[&str] = &["enabled", "ignore", "paths", "priority"];
/// Maximum size of guidelines, in bytes: more would crowd out the change.
pub(super) const GUIDELINE_BYTES: usize = 8_192;
/// Maximum number of patterns for paths and rules in one file.
const PATTERNS: usize = 1_000;
/// The values of a rule.
const WORDS: &str = "\"on\", \"off\", \"P0\", \"P1\", \"P2\", \"P3\" or a table";

/// The content of the file.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(crate) min_confidence: Option<f32>,
    /// Which findings fail a run.
    pub(crate) fail_on: Option<Gate>,
    /// Guidelines for the language model about this code base.
    pub(crate) guidelines: Option<String>,
    /// Files that are not reviewed.
    pub(crate) ignore: Globs,
    /// Files that are test code, regardless of their paths.
    tests: Globs,
    /// Files that are not test code, even if `tests` matches them.
    not_tests: Globs,
    /// The least specific patterns first; within the same specificity, in the order of the file.
    pub(super) rules: Vec<Entry>,
}

/// The settings of a rule, or of all rules that match a pattern.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) pattern: Option<GlobMatcher>,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) enabled: Option<bool>,
    pub(super) priority: Option<Priority>,
    /// The files that it applies to.
    pub(super) paths: Option<Globs>,
    /// The files that it does not apply to.
    pub(super) ignore: Option<Globs>,
}

impl Config {
    /// Whether the file declares that a path is test code, or that it is not.
    pub(super) fn is_test(&self, path: &str) -> Option<bool> {
        let (tests, not_tests) = (self.tests.contain(path), self.not_tests.contain(path));
        (tests || not_tests).then_some(!not_tests)
    }
}

impl Entry {
    pub(super) fn is_for(&self, id: &str) -> bool {
        self.pattern
            .as_ref()
            .map_or(self.name == id, |pattern| pattern.is_match(id))
    }

    /// The ID of the rule that the named one was merged into.
    pub(super) fn current_id(&self) -> Option<&'static str> {
        rules::catalog().current_id(&self.name)
    }

    /// The specificity of the pattern: the more letters it has, the more specific it is.
    fn specificity(&self) -> (bool, usize, u64, u64) {
        let letters = self
            .name
            .chars()
            .filter(|c| !matches!(c, '*' | '?'))
            .count();
        (self.pattern.is_none(), letters, self.line, self.column)
    }
}

/// Parses the text of `file`, and returns all faults.
pub(super) fn parse(file: &str, text: &str) -> (Config, Vec<Problem>) {
    let mut reader = Reader {
        file,
        text,
        patterns: 0,
        problems: Vec::new(),
    };
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let at = error.span().unwrap_or(0..0);
        reader.problem(&at, error.message().trim().replace('\n', ", "));
    }
    // A file that is not valid TOML does not reliably show its intention.
    let config = if errors.is_empty() {
        reader.config(root.get_ref())
    } else {
        Config::default()
    };
    (config, reader.problems)
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    patterns: usize,
    problems: Vec<Problem>,
}

type Key<'k> = Spanned<std::borrow::Cow<'k, str>>;

impl Reader<'_> {
    fn config(&mut self, root: &DeTable<'_>) -> Config {
        let mut config = Config::default();
        for (key, value) in root {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("min_confidence", value) => config.min_confidence = self.confidence(key, value),
                ("fail_on", _) => config.fail_on = self.gate(value),
                ("ignore", _) => config.ignore = self.globs(value).unwrap_or_default(),
                ("guidelines", _) => config.guidelines = self.guidelines(value),
                ("paths", DeValue::Table(paths)) => self.paths(paths, &mut config),
                ("paths", _) => self.problem(&key.span(), "`paths`: expected a table, [paths]"),
                ("rules", DeValue::Table(rules)) => config.rules = self.rules(rules),
                ("rules", _) => self.problem(&key.span(), "`rules`: expected a table, [rules]"),
                (name, _) => self.unknown(key, "setting", name, TOP),
            }
        }
        config
    }

    fn paths(&mut self, paths: &DeTable<'_>, config: &mut Config) {
        for (key, value) in paths {
            match key.get_ref().as_ref() {
                "tests" => config.tests = self.globs(value).unwrap_or_default(),
                "not_tests" => config.not_tests = self.globs(value).unwrap_or_default(),
                name => self.unknown(key, "setting in [paths]", name, PATHS),
            }
        }
    }

    fn rules(&mut self, rules: &DeTable<'_>) -> Vec<Entry> {
        let mut entries: Vec<Entry> = rules
            .iter()
            .filter_map(|(key, value)| self.rule(key, value))
            .collect();
        entries.sort_by_key(Entry::specificity);
        entries
    }

    fn rule(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Option<Entry> {
        let name = key.get_ref().to_string();
        let (line, column) = self.place(key.span().start);
        let is_pattern = name.contains(['*', '?', '[', '{']);
        if is_pattern && !self.takes_pattern(&key.span()) {
            return None;
        }
        let pattern = is_pattern
            .then(|| {
                GlobBuilder::new(&name)
                    .build()
                    .map(|glob| glob.compile_matcher())
            })
            .transpose();
        let pattern = pattern
            .map_err(|error| self.problem(&key.span(), format!("{name:?}: {}", error.kind())))
            .ok()?;
        let mut entry = Entry {
            name,
            pattern,
            line,
            column,
            ..Entry::default()
        };
        match value.get_ref() {
            DeValue::String(word) => self.word(value, word, &mut entry),
            DeValue::Table(table) => table
                .iter()
                .for_each(|(key, value)| self.property(key, value, &mut entry)),
            _ => self.problem(&value.span(), format!("{:?}: expected {WORDS}", entry.name)),
        }
        Some(entry)
    }

    fn word(&mut self, value: &Spanned<DeValue<'_>>, word: &str, entry: &mut Entry) {
        match (word, word.parse()) {
            ("on", _) => entry.enabled = Some(true),
            ("off", _) => entry.enabled = Some(false),
            // Setting a rule's priority enables it.
            (_, Ok(priority)) => (entry.enabled, entry.priority) = (Some(true), Some(priority)),
            _ => self.problem(
                &value.span(),
                format!("{:?}: expected {WORDS}, not {word:?}", entry.name),
            ),
        }
    }

    fn property(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>, entry: &mut Entry) {
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("enabled", DeValue::Boolean(enabled)) => entry.enabled = Some(*enabled),
            ("enabled", _) => self.problem(&value.span(), "`enabled`: expected true or false"),
            ("priority", DeValue::String(word)) if word.parse::<Priority>().is_ok() => {
                entry.priority = word.parse().ok()
            }
            ("priority", _) => self.problem(
                &value.span(),
                "`priority`: expected \"P0\", \"P1\", \"P2\" or \"P3\"",
            ),
            ("paths", _) => entry.paths = self.globs(value),
            ("ignore", _) => entry.ignore = self.globs(value),
            (name, _) => self.unknown(key, "property of a rule", name, RULE),
        }
    }

    fn confidence(&mut self, key: &Key<'_>, value: &DeValue<'_>) -> Option<f32> {
        let number = match value {
            DeValue::Float(number) => number.as_str().parse().ok(),
            DeValue::Integer(number) => number.as_str().parse().ok(),
            _ => None,
        };
        let number = number.filter(|number: &f32| (0.0..=1.0).contains(number));
        if number.is_none() {
            self.problem(
                &key.span(),
                "`min_confidence`: expected a number from 0 to 1",
            );
        }
        number
    }

    fn gate(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Gate> {
        let gate = match value.get_ref() {
            DeValue::String(text) => text.parse(),
            _ => Err("expected a priority in quotes".to_owned()),
        };
        gate.map_err(|fault| {
            self.problem(
                &value.span(),
                format!("`fail_on`: {fault}, such as \"P1\" or \"P1:0.8\""),
            )
        })
        .ok()
    }

    fn guidelines(&mut self, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let DeValue::String(text) = value.get_ref() else {
            self.problem(
                &value.span(),
                "`guidelines`: expected a text, in \"\"\"three quotes\"\"\" if it has several lines",
            );
            return None;
        };
        let text = text.trim();
        if text.len() > GUIDELINE_BYTES {
            let message = format!(
                "`guidelines`: {} bytes are too many; shorten them to {GUIDELINE_BYTES}",
                text.len()
            );
            self.problem(&value.span(), message);
        }
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn globs(&mut self, value: &Spanned<DeValue<'_>>) -> Option<Globs> {
        let DeValue::Array(items) = value.get_ref() else {
            self.problem(
                &value.span(),
                "expected a list of path patterns, such as [\"vendor/\", \"**/*.pb.go\"]",
            );
            return None;
        };
        let mut globs = Globs::default();
        for item in items {
            if !self.takes_pattern(&item.span()) {
                break;
            }
            let added = match item.get_ref() {
                DeValue::String(pattern) => globs.add(pattern),
                _ => Err("expected a path pattern in quotes".to_owned()),
            };
            if let Err(reason) = added {
                self.problem(&item.span(), reason);
            }
        }
        Some(globs)
    }

    /// Counts a pattern. The first one beyond the limit is reported, and no more are accepted.
    fn takes_pattern(&mut self, at: &Range<usize>) -> bool {
        self.patterns += 1;
        if self.patterns == PATTERNS + 1 {
            self.problem(
                at,
                format!("there are more than {PATTERNS} patterns in this file"),
            );
        }
        self.patterns <= PATTERNS
    }

    fn unknown(&mut self, key: &Key<'_>, what: &str, name: &str, known: &[&str]) {
        let near = nearest(name, known.iter().copied());
        let advice = match near.as_slice() {
            [] => format!("; there is {}", known.join(", ")),
            near => format!("; did you mean {}?", near.join(" or ")),
        };
        self.problem(&key.span(), format!("unknown {what} {name:?}{advice}"));
    }

    fn problem(&mut self, at: &Range<usize>, message: impl Into<String>) {
        let (line, column) = self.place(at.start);
        self.problems.push(Problem {
            file: self.file.to_owned(),
            line,
            column,
            message: message.into(),
        });
    }

    /// Line and column from 1, with the column in characters.
    fn place(&self, offset: usize) -> (u64, u64) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        (
            before.matches('\n').count() as u64 + 1,
            line.chars().count() as u64 + 1,
        )
    }
}

#[cfg(test)]
mod tests {
    use review::Priority;

    use super::Config;

    fn parse(text: &str) -> Config {
        let (config, problems) = super::parse("x.toml", text);
        assert!(problems.is_empty(), "{problems:?}");
        config
    }

    fn problems(text: &str) -> Vec<String> {
        let mut problems = super::parse("x.toml", text).1;
        problems.sort_by_key(|problem| (problem.line, problem.column));
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn all_faults_are_reported_together_with_their_places() {
        let text = "min_confidense = 0.5\nignore = [\"a[\", 3]\nmin_confidence = 2\n\n[rules]\n\"a/b\" = \"of\"\n\
                    \"c/d\" = { priority = \"P9\", path = [] }\n\"e/f\" = 1\n\"g/h\" = { ignore = \"x\", enabled = 1 }\n";
        let faults = problems(text);
        let places: Vec<&str> = faults
            .iter()
            .map(|line| line.split(": ").next().unwrap())
            .collect();
        assert_eq!(
            places,
            [
                "1:1", "2:11", "2:17", "3:1", "6:9", "7:22", "7:28", "8:9", "9:20", "9:35"
            ]
            .map(|p| format!("x.toml:{p}")),
            "{faults:#?}"
        );
        assert!(
            faults[0].ends_with("unknown setting \"min_confidense\"; did you mean min_confidence?"),
            "{faults:#?}"
        );
        assert!(faults[4].contains("\"off\""), "{faults:#?}");
        assert!(faults[6].ends_with("did you mean paths?"), "{faults:#?}");
    }

    #[test]
    fn the_file_declares_which_paths_are_test_code() {
        let text =
            "[paths]\ntests = [\"qa/\", \"*.check.py\"]\nnot_tests = [\"qa/tool/\", \"tests/\"]\n";
        let config = parse(text);
        for (path, is_test) in [
            ("qa/a.py", Some(true)),
            ("src/a.check.py", Some(true)),
            ("qa/tool/a.py", Some(false)),
            ("tests/a.py", Some(false)),
            ("tests/a.check.py", Some(false)),
            ("src/a.py", None),
        ] {
            assert_eq!(config.is_test(path), is_test, "{path}");
        }
        let faults = problems("[paths]\ntests = [\"a[\"]\nnot_tests = \"b\"\ntest = []\n");
        assert!(faults[0].starts_with("x.toml:2:10: "), "{faults:#?}");
        assert!(
            faults[1].starts_with("x.toml:3:13: expected a list of path patterns"),
            "{faults:#?}"
        );
        assert!(
            faults[2]
                .ends_with("x.toml:4:1: unknown setting in [paths] \"test\"; did you mean tests?"),
            "{faults:#?}"
        );
        assert!(problems("paths = []\n")[0].ends_with("`paths`: expected a table, [paths]"));
    }

    #[test]
    fn guidelines_have_a_maximum_size_and_are_never_truncated() {
        let guidelines =
            |text: &str| parse(&format!("ignore = []\nguidelines = {text}\n")).guidelines;
        let text = |bytes: usize| format!("\"\"\"\n{}\n\"\"\"", "é".repeat(bytes / 2));
        assert_eq!(guidelines("\" a\\n b \"").as_deref(), Some("a\n b"));
        assert_eq!(guidelines("\" \""), None);
        assert_eq!(guidelines(&text(8_192)).map(|text| text.len()), Some(8_192));
        for (wrong, faults) in [
            (&*text(8_194), "x.toml:2:14: `guidelines`: 8194 bytes"),
            ("3", "x.toml:2:14: `guidelines`: expected a text"),
        ] {
            let problems = problems(&format!("ignore = []\nguidelines = {wrong}\n"));
            assert!(problems[0].starts_with(faults), "{problems:?}");
        }
    }

    #[test]
    fn a_toml_error_has_its_place() {
        let faults = problems("[rules]\npython/x = \"off\"\n");
        assert!(faults[0].starts_with("x.toml:2:"), "{faults:#?}");
        assert!(problems("").is_empty());
    }

    #[test]
    fn entries_are_sorted_with_the_most_specific_last() {
        let config = parse("[rules]\n\"a/b\" = \"P1\"\n\"*\" = \"off\"\n\"a/*\" = \"on\"\n");
        let names: Vec<&str> = config
            .rules
            .iter()
            .map(|entry| entry.name.as_str())
            .collect();
        assert_eq!(names, ["*", "a/*", "a/b"]);
        assert_eq!(config.rules[2].priority, Some(Priority::P1));
    }
}
