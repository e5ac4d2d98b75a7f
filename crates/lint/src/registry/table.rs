//! The languages of the built-in YAML rules, and the literals and node kinds without which they cannot match. A review
//! reads only the rules that can match something in it.
//!
//! The table is generated from the rules, because computing it takes longer than a usual review.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use syntax::language::Grammar;

use crate::rule::Source;
use crate::rule::yaml::{Choice, RequiredLiterals};

/// A built-in YAML rule in some of its languages.
pub struct PrefilterRow {
    pub(super) id: &'static str,
    pub(super) languages: &'static [&'static str],
    /// The choices of literals that it requires in the text.
    text: Choices,
    /// The choices that it requires in the matched node.
    node: Choices,
    /// The node kinds that it can match.
    pub(super) kinds: &'static [u16],
}

type Choices = &'static [&'static [&'static str]];

impl PrefilterRow {
    /// Creates a row. `text` and `node` are choices of literals; one literal of each choice is required.
    #[must_use]
    pub const fn new(
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

/// The expected rows of a catalog as Rust code: the content of `data/yaml_rules.rs` of the crate `rules`.
#[must_use]
pub fn yaml_rules_table(sources: &[Source]) -> String {
    let mut documents: Vec<_> = sources
        .iter()
        .filter_map(|source| source.document().ok().flatten())
        .collect();
    documents.sort_by(|a, b| a.id.cmp(&b.id));
    let mut out = "// Made from the YAML rules by `cargo xtask codegen`.\n&[\n".to_owned();
    for document in &documents {
        let mut languages: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for grammar in Grammar::all().filter(|grammar| document.is_for(*grammar)) {
            let RequiredLiterals { text, node } = document.needs(grammar);
            // A rule that cannot be compiled matches nothing. A test finds it.
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

/// The choices as Rust code, with each literal of a choice once.
fn choices(choices: &[Choice]) -> String {
    let unique = |choice: &Choice| choice.iter().cloned().collect::<BTreeSet<_>>();
    let choices: Vec<_> = choices
        .iter()
        .map(|choice| format!("&{:?}", Vec::from_iter(unique(choice))))
        .collect();
    format!("&[{}]", choices.join(", "))
}
