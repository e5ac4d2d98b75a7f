//! The table agrees with the languages' own tools, and never claims what code out of sight could change.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::imports::unused_imports;
use super::missing::missing;
use super::{Answer, Symbols};
use crate::tree::testing::{with_part, with_tree};
use crate::tree::{Node, Tree};

const PYTHON: &str = include_str!("fixtures/names.py");
const SCRIPT: &str = include_str!("fixtures/names.js");
const JAVA: &str = include_str!("fixtures/Names.java");

fn line_of(tree: &Tree<'_>, scope: u32) -> u32 {
    if scope == 0 { 0 } else { tree.node(scope).and_then(Node::line).unwrap_or_default() }
}

/// What each name means in each scope, in the form of `symtable_names.py`.
fn meanings(tree: &Tree<'_>) -> BTreeSet<String> {
    let symbols = Symbols::of(tree).unwrap();
    let row = |scope: u32, name: Node<'_>, meaning: &str| {
        let line = line_of(tree, symbols.scopes[scope as usize].node);
        format!("{line}\t{}\t{meaning}", name.text())
    };
    let mut rows = BTreeSet::new();
    for symbol in &symbols.symbols {
        rows.insert(row(symbol.scope, symbol.definitions(tree).next().unwrap(), "local"));
    }
    for used in &symbols.uses {
        let meaning = match used.answer {
            Answer::Found(symbol) => match symbols.symbols[symbol as usize].scope {
                scope if scope == used.scope => "local",
                0 => "global",
                _ => "free",
            },
            _ => "global",
        };
        rows.insert(row(used.scope, tree.node(used.node).unwrap(), meaning));
    }
    rows
}

#[test]
fn names_of_python_mean_what_symtable_says() {
    let expected = include_str!("fixtures/names.py.tsv");
    // `limit` of line 18 and `kept` of line 30 are assigned there and belong to another scope, `__class__` to none.
    let expected: BTreeSet<String> = expected.lines().map(str::to_owned).collect();
    let found: BTreeSet<String> = with_tree("Python", PYTHON, meanings);
    let found: BTreeSet<String> = found.into_iter().filter(|row| !row.contains("__class__")).collect();
    let wrong: Vec<_> = expected.symmetric_difference(&found).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn place(node: Node<'_>) -> String {
    let before = &node.tree().slice(0, node.start());
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    format!("{}:{column}", node.line().unwrap_or_default())
}

/// Each use with its definition, in the form of `eslint_scope_names.mjs`.
fn references(tree: &Tree<'_>) -> BTreeMap<String, String> {
    let symbols = Symbols::of(tree).unwrap();
    let uses = symbols.uses.iter().map(|used| {
        let definition = match used.answer {
            Answer::Found(symbol) => symbols.symbols[symbol as usize].definitions(tree).next().map(place),
            _ => None,
        };
        let node = tree.node(used.node).unwrap();
        (place(node), format!("{}\t{}", node.text(), definition.unwrap_or_else(|| "-".to_owned())))
    });
    uses.collect()
}

#[test]
fn names_of_javascript_refer_to_what_eslint_scope_says() {
    let expected = include_str!("fixtures/names.js.tsv");
    let split = |line: &'static str| line.split_once('\t').map(|(at, rest)| (at.to_owned(), rest.to_owned()));
    let expected: BTreeMap<String, String> = expected.lines().filter_map(split).collect();
    for language in ["JavaScript", "TypeScript", "TSX"] {
        let found = with_tree(language, SCRIPT, references);
        let wrong: Vec<_> = expected.iter().filter(|(at, row)| found.get(*at) != Some(row)).collect();
        assert!(wrong.is_empty(), "{language}: {wrong:#?}\n{found:#?}");
        let more: Vec<_> = found.iter().filter(|(at, _)| !expected.contains_key(*at)).collect();
        assert!(more.is_empty(), "{language}: {more:#?}");
    }
}

#[test]
fn every_local_of_code_that_compiles_is_defined() {
    let absent = with_tree("Java", JAVA, |tree| {
        let names = Symbols::of(tree).unwrap().absent(tree).filter(|name| name.is(&["identifier"]));
        let names = names.map(|name| name.text().to_owned());
        names.filter(|name| name.starts_with(|first: char| first.is_lowercase())).collect::<Vec<_>>()
    });
    assert!(absent.is_empty(), "{absent:?}");
    let unused = with_tree("Java", JAVA, |tree| {
        unused_imports(tree, "Names.java").iter().map(|name| name.text().to_owned()).collect::<Vec<_>>()
    });
    assert_eq!(unused, ["Deque"]);
}

#[test]
fn nothing_is_claimed_where_names_may_come_from_elsewhere() {
    let absent = |language: &str, code: &str| {
        with_tree(language, code, |tree| missing(tree).iter().map(|name| name.text().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(absent("Python", "x = gone\n"), ["gone"]);
    for code in ["from a import *\nx = gone\n", "exec(y)\nx = gone\n", "x = gone\ny = (\n", "print 1\nx = gone\n"] {
        assert!(!absent("Python", code).contains(&"gone".to_owned()), "{code}");
    }
    assert_eq!(absent("JavaScript", "export const x = gone;\n"), ["gone"]);
    for code in ["const x = gone;\n", "export const x = gone;\nwith (x) { y(); }\n", "export const x = eval(gone);\n"] {
        assert!(absent("JavaScript", code).is_empty(), "{code}");
    }
}

/// For each use, by its line and column: the places of its definitions, or what else is known of it.
fn answers(tree: &Tree<'_>) -> BTreeMap<String, Result<BTreeSet<String>, Answer>> {
    let symbols = Symbols::of(tree).unwrap();
    let uses = symbols.uses.iter().map(|used| {
        let answer = match used.answer {
            Answer::Found(symbol) => Ok(symbols.symbols[symbol as usize].definitions(tree).map(place).collect()),
            other => Err(other),
        };
        (place(tree.node(used.node).unwrap()), answer)
    });
    uses.collect()
}

#[test]
fn many_names_and_deep_nesting_are_read_in_one_pass() {
    let names: String = (0..100_000).map(|number| format!("x{number:x}=x0\n")).collect();
    let absent = with_tree("Python", &names, |tree| Symbols::of(tree).unwrap().absent(tree).count());
    assert_eq!(absent, 0);
    let nested = format!("let x = 1;{}x;{}", "{ let y = x;".repeat(200), "}".repeat(200));
    with_tree("JavaScript", &nested, |tree| assert_eq!(Symbols::of(tree).unwrap().absent(tree).count(), 0));
}

proptest! {
    #[test]
    fn a_part_of_a_file_gives_no_other_answer(from in 0_usize..70, count in 1_usize..40, which in 0_usize..3) {
        let (language, code) = [("Python", PYTHON), ("JavaScript", SCRIPT), ("Java", JAVA)][which];
        let whole = with_tree(language, code, answers);
        let lines = code.lines().count();
        let from = from % lines;
        let part = with_part(language, code, from..(from + count).min(lines), answers);
        for (at, answer) in part {
            match (answer, whole.get(&at)) {
                (Err(Answer::Unknown), _) | (_, None) => {}
                (Ok(part), Some(Ok(whole))) => {
                    prop_assert!(part.is_subset(whole), "{language} {from}+{count} {at}: {part:?} {whole:?}");
                }
                (part, whole) => prop_assert!(false, "{language} {from}+{count} {at}: {part:?} {whole:?}"),
            }
        }
    }
}
