//! The languages of the built-in YAML rules and the literals that they require, so that a review reads only the rules
//! that can match something in it.
//!
//! The table is generated from the rules, because finding their literals takes longer than a usual review.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::language::Grammar;
use crate::rule::Source;
use crate::rule::yaml::{Choice, RequiredLiterals};
use crate::rules::SOURCES;

/// A rule's ID, some of its languages, and the choices of literals that it requires there: in the text, and in the matched
/// node.
pub(super) type Row = (&'static str, &'static [&'static str], Choices, Choices);
type Choices = &'static [&'static [&'static str]];

/// In the order of the IDs.
static TABLE: &[Row] = include!("../../data/literals.rs");

/// The row of a built-in YAML rule for a language; `None` if it is not for it.
pub(super) fn row(id: &str, grammar: Grammar) -> Option<&'static Row> {
    let first = TABLE.partition_point(|row| row.0 < id);
    let mut rows = TABLE.iter().skip(first).take_while(|row| row.0 == id);
    rows.find(|row| row.1.contains(&grammar.name()))
}

/// The literals that it requires to match anything.
pub(super) fn literals((_, _, text, node): &Row) -> RequiredLiterals {
    let owned = |choices: &Choices| {
        choices.iter().map(|choice| choice.iter().map(|word| (*word).to_owned()).collect::<Choice>()).collect()
    };
    RequiredLiterals { text: owned(text), node: owned(node) }
}

/// The table as it should be: the content of `data/literals.rs`.
#[must_use]
pub fn literals_table() -> String {
    let mut documents: Vec<_> = SOURCES.iter().filter_map(Source::document).collect();
    documents.sort_by(|a, b| a.id.cmp(&b.id));
    let mut out = "// Made from the YAML rules by `cargo xtask codegen`.\n&[\n".to_owned();
    for document in &documents {
        let mut languages: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for grammar in Grammar::all().filter(|grammar| document.is_for(*grammar)) {
            let RequiredLiterals { text, node } = document.needs(grammar);
            languages.entry(format!("{}, {}", choices(&text), choices(&node))).or_default().push(grammar.name());
        }
        for (literals, languages) in languages {
            let _ = writeln!(out, "    ({:?}, &{languages:?}, {literals}),", document.id);
        }
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
