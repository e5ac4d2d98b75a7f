//! The table agrees with the languages' own tools, and claims nothing that code outside the hunk could change.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::go::unused_variables;
use super::imports::unused_imports;
use super::missing::missing;
use super::{Answer, Symbols};
use crate::tree::testing::{with_part, with_tree};
use crate::tree::{Node, Tree};

const PYTHON: &str = include_str!("fixtures/names.py");
const SCRIPT: &str = include_str!("fixtures/names.js");
const PHP: &str = include_str!("fixtures/Names.php");
const RUBY: &str = include_str!("fixtures/names.rb");
const JAVA: &str = include_str!("fixtures/Names.java");
const GO: &str = include_str!("fixtures/names.go");
const CSHARP: &str = include_str!("fixtures/Names.cs");

fn line_of(tree: &Tree<'_>, scope: u32) -> u32 {
    if scope == 0 {
        0
    } else {
        tree.node(scope).and_then(Node::line).unwrap_or_default()
    }
}

/// The meaning of each name in each scope, in the format of `symtable_names.py`.
fn meanings(tree: &Tree<'_>) -> BTreeSet<String> {
    let symbols = Symbols::of(tree).unwrap();
    let row = |scope: u32, name: Node<'_>, meaning: &str| {
        let line = line_of(tree, symbols.scopes[scope as usize].node);
        format!("{line}\t{}\t{meaning}", name.text())
    };
    let mut rows = BTreeSet::new();
    for symbol in &symbols.symbols {
        rows.insert(row(
            symbol.scope,
            symbol.definitions(tree).next().unwrap(),
            "local",
        ));
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
fn python_names_agree_with_symtable() {
    let expected = include_str!("fixtures/names.py.tsv");
    // `limit` of line 18 and `kept` of line 30 are assigned there and belong to another scope, `__class__` to none.
    let expected: BTreeSet<String> = expected.lines().map(str::to_owned).collect();
    let found: BTreeSet<String> = with_tree("Python", PYTHON, meanings);
    let found: BTreeSet<String> = found
        .into_iter()
        .filter(|row| !row.contains("__class__"))
        .collect();
    let wrong: Vec<_> = expected.symmetric_difference(&found).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn place(node: Node<'_>) -> String {
    // `go/types` counts the quotes of a path.
    let is_path = node.is(&["interpreted_string_literal_content"]);
    let node = node.parent().filter(|_| is_path).unwrap_or(node);
    let before = &node.tree().slice(0, node.start());
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    format!("{}:{column}", node.line().unwrap_or_default())
}

/// Each use with its definition, in the format of `eslint_scope_names.mjs`.
fn references(tree: &Tree<'_>) -> BTreeMap<String, String> {
    let symbols = Symbols::of(tree).unwrap();
    let uses = symbols.uses.iter().map(|used| {
        let definition = match used.answer {
            Answer::Found(symbol) => symbols.symbols[symbol as usize]
                .definitions(tree)
                .next()
                .map(place),
            _ => None,
        };
        let node = tree.node(used.node).unwrap();
        (
            place(node),
            format!(
                "{}\t{}",
                node.text(),
                definition.unwrap_or_else(|| "-".to_owned())
            ),
        )
    });
    uses.collect()
}

#[test]
fn javascript_names_agree_with_eslint_scope() {
    let expected = include_str!("fixtures/names.js.tsv");
    let split = |line: &'static str| {
        line.split_once('\t')
            .map(|(at, rest)| (at.to_owned(), rest.to_owned()))
    };
    let expected: BTreeMap<String, String> = expected.lines().filter_map(split).collect();
    for language in ["JavaScript", "TypeScript", "TSX"] {
        let found = with_tree(language, SCRIPT, references);
        let wrong: Vec<_> = expected
            .iter()
            .filter(|(at, row)| found.get(*at) != Some(row))
            .collect();
        assert!(wrong.is_empty(), "{language}: {wrong:#?}\n{found:#?}");
        let more: Vec<_> = found
            .iter()
            .filter(|(at, _)| !expected.contains_key(*at))
            .collect();
        assert!(more.is_empty(), "{language}: {more:#?}");
    }
}

/// The rows of a table of references by their places.
fn expected(table: &str) -> BTreeMap<String, String> {
    let split = |line: &str| {
        line.split_once('\t')
            .map(|(at, rest)| (at.to_owned(), rest.to_owned()))
    };
    table.lines().filter_map(split).collect()
}

#[test]
fn php_names_agree_with_its_parser() {
    let expected = expected(include_str!("fixtures/Names.php.tsv"));
    let is_own = |row: &str| {
        let name = row.split('\t').next().unwrap_or_default();
        !["self", "static", "parent", "isset", "empty"].contains(&name)
            && !super::php::is_global(name)
    };
    let found = with_tree("PHP", PHP, references);
    let found: BTreeMap<String, String> =
        found.into_iter().filter(|(_, row)| is_own(row)).collect();
    let wrong: Vec<_> = expected
        .iter()
        .filter(|(at, row)| found.get(*at) != Some(row))
        .map(|(at, row)| (at, row, found.get(at)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let more: Vec<_> = found
        .iter()
        .filter(|(at, _)| !expected.contains_key(*at))
        .collect();
    assert!(more.is_empty(), "{more:#?}");
}

/// Whether each bare name of Ruby is a local variable or a method call, in the format of `compiler_names.rb`.
fn readings(tree: &Tree<'_>) -> BTreeMap<String, String> {
    let symbols = Symbols::of(tree).unwrap();
    let uses = symbols.uses.iter().map(|used| {
        let node = tree.node(used.node).unwrap();
        let meaning = match used.answer {
            Answer::Found(_) => "local",
            Answer::Absent => "call",
            Answer::Unknown => "unknown",
        };
        (place(node), format!("{}\t{meaning}", node.text()))
    });
    uses.collect()
}

#[test]
fn ruby_variables_agree_with_its_compiler() {
    let expected = expected(include_str!("fixtures/names.rb.tsv"));
    let found = with_tree("Ruby", RUBY, readings);
    let wrong: Vec<_> = expected
        .iter()
        .filter(|(at, row)| found.get(*at) != Some(row))
        .map(|(at, row)| (at, row, found.get(at)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The table's result for each name of a file, by position: the first definition of the symbol that it refers to or
/// redefines.
fn first_definitions(tree: &Tree<'_>) -> BTreeMap<String, String> {
    let symbols = Symbols::of(tree).unwrap();
    let mut found = references(tree);
    found.retain(|_, row| !row.ends_with("\t-"));
    for symbol in &symbols.symbols {
        let mut names = symbol.definitions(tree);
        let first = names.next().map(place).unwrap_or_default();
        found.extend(names.map(|name| (place(name), format!("{}\t{first}", name.text()))));
    }
    found
}

/// Where the table and the rows of an oracle disagree, and the uses that the table does not resolve.
fn compare(tree: &Tree<'_>, rows: &str) -> (Vec<String>, Vec<String>) {
    let found = first_definitions(tree);
    let expected: BTreeMap<&str, &str> = rows
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter(|(_, row)| !row.starts_with("unused"))
        .collect();
    let mut lost = Vec::new();
    let mut wrong = Vec::new();
    for (at, row) in &expected {
        match found.get(*at) {
            None if !row.ends_with("\t-") => lost.push(format!("{at} {row}")),
            Some(found) if found != row => wrong.push(format!("{at} {row}: {found}")),
            _ => {}
        }
    }
    let surplus = found
        .iter()
        .filter(|(at, _)| !expected.contains_key(at.as_str()));
    wrong.extend(surplus.map(|(at, row)| format!("{at}: {row}")));
    (wrong, lost)
}

#[test]
fn go_names_agree_with_go_types() {
    let rows = include_str!("fixtures/names.go.tsv");
    let (wrong, lost) = with_tree("Go", GO, |tree| compare(tree, rows));
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(lost.is_empty(), "{lost:#?}");
    let unused = with_tree("Go", GO, |tree| {
        let unused = unused_variables(tree).into_iter().map(place);
        unused.collect::<BTreeSet<_>>()
    });
    let expected = rows.lines().filter_map(|row| row.split_once("\tunused"));
    assert_eq!(unused, expected.map(|(at, _)| at.to_owned()).collect());
    let imports = with_tree("Go", GO, |tree| {
        let unused = unused_imports(tree, "names.go").into_iter();
        unused
            .map(|name| name.text().to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(imports, ["\"os\""]);
}

#[test]
fn java_names_agree_with_javac() {
    let rows = include_str!("fixtures/Names.java.tsv");
    let (wrong, lost) = with_tree("Java", JAVA, |tree| compare(tree, rows));
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Names in classes with a base class may be inherited.
    let inherits = |row: &String| {
        let line: u32 = row.split(':').next().unwrap().parse().unwrap();
        (80..=86).contains(&line) || (99..=106).contains(&line)
    };
    let lost: Vec<_> = lost.iter().filter(|row| !inherits(row)).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

/// The rows were written by hand.
#[test]
fn csharp_names_refer_to_their_definitions() {
    let rows = include_str!("fixtures/Names.cs.tsv");
    let (wrong, lost) = with_tree("C#", CSHARP, |tree| compare(tree, rows));
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn every_local_of_code_that_compiles_is_defined() {
    let absent = with_tree("Java", JAVA, |tree| {
        let names = Symbols::of(tree)
            .unwrap()
            .absent(tree)
            .filter(|name| name.is(&["identifier"]));
        let names = names.map(|name| name.text().to_owned());
        names
            .filter(|name| name.starts_with(|first: char| first.is_lowercase()))
            .collect::<Vec<_>>()
    });
    assert!(absent.is_empty(), "{absent:?}");
    let unused = with_tree("Java", JAVA, |tree| {
        unused_imports(tree, "Names.java")
            .iter()
            .map(|name| name.text().to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(unused, ["Deque"]);
}

#[test]
fn names_that_may_be_defined_elsewhere_are_not_missing() {
    let absent = |language: &str, code: &str| {
        with_tree(language, code, |tree| {
            missing(tree)
                .iter()
                .map(|name| name.text().to_owned())
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(absent("Python", "x = gone\n"), ["gone"]);
    for code in [
        "from a import *\nx = gone\n", "exec(y)\nx = gone\n", "x = gone\ny = (\n",
        "print 1\nx = gone\n",
    ] {
        assert!(
            !absent("Python", code).contains(&"gone".to_owned()),
            "{code}"
        );
    }
    assert_eq!(absent("JavaScript", "export const x = gone;\n"), ["gone"]);
    for code in [
        "const x = gone;\n",
        "export const x = gone;\nwith (x) { y(); }\n",
        "export const x = eval(gone);\n",
    ] {
        assert!(absent("JavaScript", code).is_empty(), "{code}");
    }
}

/// For each use, by its line and column: the positions of its definitions, or the result without one.
fn answers(tree: &Tree<'_>) -> BTreeMap<String, Result<BTreeSet<String>, Answer>> {
    let symbols = Symbols::of(tree).unwrap();
    let uses = symbols.uses.iter().map(|used| {
        let answer = match used.answer {
            Answer::Found(symbol) => Ok(symbols.symbols[symbol as usize]
                .definitions(tree)
                .map(place)
                .collect()),
            other => Err(other),
        };
        (place(tree.node(used.node).unwrap()), answer)
    });
    uses.collect()
}

/// The number of nodes and scopes of some code, and the steps to resolve its names.
fn size(language: &str, code: &str) -> (u64, usize, u64) {
    with_tree(language, code, |tree| {
        let symbols = Symbols::of(tree).unwrap();
        (
            tree.nodes().count() as u64,
            symbols.scopes.len(),
            symbols.steps,
        )
    })
}

#[test]
fn the_steps_are_linear_in_the_number_of_names_and_scopes() {
    let lines = |line: &str, count: usize| -> String {
        (0..count)
            .map(|number| line.replace('#', &format!("{number:x}")))
            .collect()
    };
    let cases: [(&str, &dyn Fn(usize) -> String); 8] = [
        ("Ruby", &|count| {
            format!(
                "def f\n{}end\n",
                lines("x# = y#\nf { |z| x# + z }\n", count)
            )
        }),
        ("PHP", &|count| {
            format!("function f() {{ {} }}", lines("$x# = $y#;", count))
        }),
        ("PHP", &|count| {
            lines("function f#($a) { return fn($b) => $a . $x#; }\n", count)
        }),
        ("Go", &|count| {
            format!(
                "package a\nfunc f() {{\n{}}}\n",
                lines("x# := y#\nuse(x#, x0)\n", count)
            )
        }),
        ("Go", &|count| {
            lines("func f#(a int) int {\nreturn a + x#\n}\n", count)
        }),
        ("Python", &|count| lines("x# = x0\n", count)),
        ("Python", &|count| {
            lines("def f#(a):\n    return a + x#\n", count)
        }),
        ("Java", &|count| {
            format!(
                "class A {{ void f() {{ {} }} }}",
                lines("int x# = y#;", count)
            )
        }),
    ];
    for (language, code) in cases {
        for count in [100, 10_000] {
            let (nodes, _, steps) = size(language, &code(count));
            assert!(
                steps <= 2 * nodes,
                "{language} {count}: {steps} steps for {nodes} nodes"
            );
        }
    }
    let (nodes, scopes, steps) = size("Python", &lines("x#=x0\n", 100_000));
    assert!(
        steps <= nodes && scopes == 1,
        "{scopes} scopes, {steps} steps for {nodes} nodes"
    );
}

#[test]
fn deep_nesting_is_followed_to_the_definition() {
    let nested = format!(
        "let x = 1;{}x;{}",
        "{ let y = x;".repeat(200),
        "}".repeat(200)
    );
    with_tree("JavaScript", &nested, |tree| {
        assert_eq!(Symbols::of(tree).unwrap().absent(tree).count(), 0)
    });
}

#[test]
fn names_are_compared_as_they_are_written() {
    let absent = |code: &str| {
        with_tree("Python", code, |tree| {
            missing(tree)
                .iter()
                .map(|name| name.text().to_owned())
                .collect::<Vec<_>>()
        })
    };
    for (code, expected) in [
        ("größe = 1\nprint(größe)\n", Vec::new()),
        ("变量 = 1\nprint(变量)\n", Vec::new()),
        // Python treats both as one name, so compatibility and combining forms are not checked.
        ("ﬁn = 1\nprint(fin)\n", Vec::new()),
        ("e\u{301}te = 1\nprint(\u{e9}te)\n", Vec::new()),
        // Cyrillic and Latin letters that look alike are different names.
        ("p\u{430}ge = 1\nprint(page)\n", vec!["page".to_owned()]),
        ("x = \u{202e}gone\n", Vec::new()),
        ("x = go\u{200b}ne\n", Vec::new()),
    ] {
        assert_eq!(absent(code), expected, "{code}");
    }
}

fn unused(tree: &Tree<'_>) -> BTreeSet<String> {
    let symbols = Symbols::of(tree)
        .unwrap()
        .symbols()
        .filter(|symbol| symbol.is_unused());
    symbols
        .filter_map(|symbol| symbol.definitions(tree).next())
        .map(place)
        .collect()
}

proptest! {
    #[test]
    fn a_part_of_a_file_resolves_names_like_the_whole_file(from in 0_usize..140, count in 1_usize..40, which in 0_usize..9) {
        let languages = ["Python", "JavaScript", "TypeScript", "TSX", "Java", "Go", "C#", "PHP", "Ruby"];
        let codes = [PYTHON, SCRIPT, SCRIPT, SCRIPT, JAVA, GO, CSHARP, PHP, RUBY];
        let (language, code) = (languages[which], codes[which]);
        let whole = with_tree(language, code, answers);
        let lines = code.lines().count();
        let from = from % lines;
        let part = with_part(language, code, from..(from + count).min(lines), answers);
        let part_unused = with_part(language, code, from..(from + count).min(lines), unused);
        let whole_unused = with_tree(language, code, unused);
        let surplus: Vec<_> = part_unused.difference(&whole_unused).collect();
        prop_assert!(surplus.is_empty(), "{language} {from}+{count}: {surplus:?} are used");
        for (at, answer) in part {
            match (answer, whole.get(&at)) {
                (Err(Answer::Unknown), _) | (_, None) => {}
                (Ok(part), Some(Ok(whole))) => {
                    prop_assert!(part.is_subset(whole), "{language} {from}+{count} {at}: {part:?} {whole:?}");
                }
                (Err(Answer::Absent), Some(Err(Answer::Absent))) => {}
                (part, whole) => prop_assert!(false, "{language} {from}+{count} {at}: {part:?} {whole:?}"),
            }
        }
    }
}
