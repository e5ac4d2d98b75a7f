//! The languages of the built-in YAML rules and the literals that they require, so that a review reads only the rules
//! that can match something in it.
//!
//! The table is generated from the rules, because finding their literals takes longer than a usual review.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::language::Grammar;
use crate::rule::Source;
use crate::rule::yaml::{Choice, RequiredLiterals};
use crate::rules::SOURCES;

/// A rule's ID, and its choices of literals: in the text, and in the matched node.
type Row = (&'static str, Choices, Choices);
type Choices = &'static [&'static [&'static str]];

/// By language: its rules in the order of their IDs.
static TABLE: &[(&str, &[Row])] = include!("../../data/literals.rs");

/// Whether a built-in YAML rule is for a language.
pub(super) fn applies(id: &str, grammar: Grammar) -> bool {
    row(id, grammar).is_some()
}

/// The literals that a built-in YAML rule requires to match anything.
pub(super) fn literals(id: &str, grammar: Grammar) -> RequiredLiterals {
    let owned = |choices: &Choices| {
        choices.iter().map(|choice| choice.iter().map(|word| (*word).to_owned()).collect::<Choice>()).collect()
    };
    let literals = |(_, text, node): &Row| RequiredLiterals { text: owned(text), node: owned(node) };
    row(id, grammar).map(literals).unwrap_or_default()
}

fn row(id: &str, grammar: Grammar) -> Option<&'static Row> {
    let (_, rows) = TABLE.iter().find(|(language, _)| *language == grammar.name())?;
    rows.get(rows.binary_search_by_key(&id, |row| row.0).ok()?)
}

/// The table as it should be: the content of `data/literals.rs`.
#[must_use]
pub fn literals_table() -> String {
    let mut documents: Vec<_> = SOURCES.iter().filter_map(Source::document).collect();
    documents.sort_by(|a, b| a.id.cmp(&b.id));
    let mut out = "// Made from the YAML rules by `cargo xtask codegen`.\n&[\n".to_owned();
    for grammar in Grammar::all() {
        let _ = writeln!(out, "    ({:?}, &[", grammar.name());
        for document in documents.iter().filter(|document| document.is_for(grammar)) {
            let RequiredLiterals { text, node } = document.needs(grammar);
            let _ = writeln!(out, "        ({:?}, {}, {}),", document.id, choices(&text), choices(&node));
        }
        out.push_str("    ]),\n");
    }
    out.push_str("]\n");
    out
}

/// As Rust, each literal of a choice once.
fn choices(choices: &[Choice]) -> String {
    let unique = |choice: &Choice| choice.iter().cloned().collect::<BTreeSet<_>>();
    let choices: Vec<_> = choices.iter().map(|choice| format!("&{:?}", Vec::from_iter(unique(choice)))).collect();
    format!("&[{}]", choices.join(", "))
}
