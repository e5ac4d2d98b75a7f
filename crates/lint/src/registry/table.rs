//! The languages of the built-in YAML rules, and the literals and node kinds without which they match nothing, so that a
//! review reads only the rules that can match something in it.
//!
//! The table is generated from the rules, because finding this out takes longer than a usual review.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::language::Grammar;
use crate::rule::Source;
use crate::rule::yaml::{Choice, RequiredLiterals};
use crate::rules::SOURCES;

/// A built-in YAML rule in some of its languages.
pub(super) struct Row {
    id: &'static str,
    languages: &'static [&'static str],
    /// The choices of literals that it requires in the text.
    text: Choices,
    /// Those that it requires in the matched node.
    node: Choices,
    /// The node kinds that it can match.
    pub(super) kinds: &'static [u16],
}

type Choices = &'static [&'static [&'static str]];

/// In the order of the IDs.
static TABLE: &[Row] = include!("../../data/yaml_rules.rs");

/// The row of a built-in YAML rule for a language; `None` if it is not for it.
pub(super) fn row(id: &str, grammar: Grammar) -> Option<&'static Row> {
    let first = TABLE.partition_point(|row| row.id < id);
    let mut rows = TABLE.iter().skip(first).take_while(|row| row.id == id);
    rows.find(|row| row.languages.contains(&grammar.name()))
}

impl Row {
    const fn new(
        id: &'static str,
        languages: &'static [&'static str],
        text: Choices,
        node: Choices,
        kinds: &'static [u16],
    ) -> Self {
        Self {
            id,
            languages,
            text,
            node,
            kinds,
        }
    }

    /// The literals that it requires to match anything.
    pub(super) fn literals(&self) -> RequiredLiterals {
        let owned = |choices: &Choices| {
            choices
                .iter()
                .map(|choice| {
                    choice
                        .iter()
                        .map(|word| (*word).to_owned())
                        .collect::<Choice>()
                })
                .collect()
        };
        RequiredLiterals {
            text: owned(&self.text),
            node: owned(&self.node),
        }
    }
}

/// The table as it should be: the content of `data/yaml_rules.rs`.
#[must_use]
pub fn yaml_rules_table() -> String {
    let mut documents: Vec<_> = SOURCES.iter().filter_map(Source::document).collect();
    documents.sort_by(|a, b| a.id.cmp(&b.id));
    let mut out = "// Made from the YAML rules by `cargo xtask codegen`.\n&[\n".to_owned();
    for document in &documents {
        let mut languages: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for grammar in Grammar::all().filter(|grammar| document.is_for(*grammar)) {
            let RequiredLiterals { text, node } = document.needs(grammar);
            // A rule that cannot be compiled matches nothing; a test finds it.
            let kinds = document
                .compile(grammar)
                .map(|pattern| pattern.kinds)
                .unwrap_or_default();
            let row = format!("{}, {}, &{kinds:?}", choices(&text), choices(&node));
            languages.entry(row).or_default().push(grammar.name());
        }
        for (row, languages) in languages {
            let _ = writeln!(
                out,
                "    Row::new({:?}, &{languages:?}, {row}),",
                document.id
            );
        }
    }
    out.push_str("]\n");
    out
}

/// As Rust, each literal of a choice once.
fn choices(choices: &[Choice]) -> String {
    let unique = |choice: &Choice| choice.iter().cloned().collect::<BTreeSet<_>>();
    let choices: Vec<_> = choices
        .iter()
        .map(|choice| format!("&{:?}", Vec::from_iter(unique(choice))))
        .collect();
    format!("&[{}]", choices.join(", "))
}
