//! Every node kind and field that code compares with a node's exists in a grammar of the languages concerned. They are
//! read from the tokens of the sources: what is passed to the methods of `Node` that take kinds or fields, or compared with
//! `kind()` or `own_field()`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::iter;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syntax::language::Grammar;

use crate::run::root;
use crate::sources::rust_files;

const SOURCES: &[&str] = &["crates/syntax/src", "crates/lint/src", "crates/rules/src"];

/// Where the name of a folder or file is that of its language.
const BY_LANGUAGE: &[&str] = &[
    "crates/syntax/src/language/table/", "crates/syntax/src/semantics/",
];

/// Names that are not those of a language's folder of rules, or that mean something else; without languages: all.
const BY_NAME: &[(&str, &[&str])] = &[
    ("script", &["JavaScript", "TypeScript", "TSX"]),
    ("c", &["C", "C++"]),
    ("cpp", &["C", "C++"]),
    ("java_calls", &["Java"]),
    ("sql", &[]),
];

/// The kinds of nodes with errors, which no grammar lists.
const ERRORS: &[&str] = &["ERROR", "MISSING"];

/// The property of a node that a text is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Kind,
    Field,
}

/// The sort of a method's arguments.
fn taken_by(method: &str) -> Option<Sort> {
    match method {
        "is" | "child_of_kind" | "Kinds" => Some(Sort::Kind),
        "field" | "any_field" => Some(Sort::Field),
        _ => None,
    }
}

/// The sort of a method's result.
fn returned_by(method: &str) -> Option<Sort> {
    match method {
        "kind" => Some(Sort::Kind),
        "own_field" => Some(Sort::Field),
        _ => None,
    }
}

/// A text that is compared with a node's kind or field, or a constant with such texts: its module, if that is named, and
/// its name.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Compared {
    Text(Sort, String),
    Constant(Sort, Option<String>, String),
}

#[derive(Default)]
struct File {
    compared: Vec<Compared>,
    /// Constants that are lists of texts, and whether other files see them.
    constants: BTreeMap<String, (bool, Vec<String>)>,
}

impl File {
    fn read(code: &str) -> Self {
        let mut file = Self::default();
        file.visit(code.parse().unwrap());
        file
    }

    fn visit(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            let before = &trees[..at];
            let after = &trees[at + 1..];
            match tree {
                TokenTree::Ident(name) => self.visit_word(&name.to_string(), before, after),
                TokenTree::Group(group) => self.visit(group.stream()),
                _ => {}
            }
        }
    }

    fn visit_word(&mut self, word: &str, before: &[TokenTree], after: &[TokenTree]) {
        let arguments = match after.first() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                Some(group.stream().into_iter().collect::<Vec<_>>())
            }
            _ => None,
        };
        let is_called = word == "Kinds" || before.last().is_some_and(|tree| is(tree, '.'));
        if let (Some(sort), Some(arguments), true) = (taken_by(word), &arguments, is_called) {
            // `.field("name", value)` describes a struct for debugging.
            if sort == Sort::Kind || !arguments.iter().any(|tree| is(tree, ',')) {
                self.add_list(sort, arguments);
            }
        }
        if let (Some(sort), Some(arguments)) = (returned_by(word), &arguments)
            && arguments.is_empty()
            && let [_, first, second, TokenTree::Literal(text), ..] = after
            && (is(first, '=') || is(first, '!'))
            && is(second, '=')
        {
            self.add(sort, &text.to_string());
        }
        match word {
            "match" => {
                let end = after
                    .iter()
                    .position(|tree| is_group(tree, Delimiter::Brace));
                if let Some((sort, TokenTree::Group(arms))) =
                    end.and_then(|end| Some((sort_at_end(&after[..end])?, &after[end])))
                {
                    self.add_arms(sort, arms.stream());
                }
            }
            "matches" => {
                if let Some(TokenTree::Group(group)) = after.get(1).filter(|_| is(&after[0], '!')) {
                    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
                    let comma = trees.iter().position(|tree| is(tree, ','));
                    if let Some((sort, comma)) =
                        comma.and_then(|comma| Some((sort_at_end(&trees[..comma])?, comma)))
                    {
                        self.add_pattern(sort, &trees[comma + 1..]);
                    }
                }
            }
            "contains" => {
                if let (Some(sort), Some((dot, list))) = (
                    arguments.and_then(|trees| sort_at_end(&trees)),
                    before.split_last(),
                ) && is(dot, '.')
                    && let Some(list) = list.last()
                {
                    self.add_list(sort, std::slice::from_ref(list));
                }
            }
            "const" | "static" => {
                let is_public = before
                    .iter()
                    .rev()
                    .take(2)
                    .any(|tree| matches!(tree, TokenTree::Ident(word) if word == "pub"));
                self.add_constant(is_public, after);
            }
            _ => {}
        }
    }

    fn add(&mut self, sort: Sort, literal: &str) {
        if let Some(text) = unquoted(literal) {
            self.compared.push(Compared::Text(sort, text));
        }
    }

    /// The texts of `"a"`, `&["a", "b"]` or `["a", "b"]`, or the name of a constant.
    fn add_list(&mut self, sort: Sort, trees: &[TokenTree]) {
        match trees {
            [TokenTree::Literal(text)] => self.add(sort, &text.to_string()),
            [.., TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
                for tree in group.stream() {
                    if let TokenTree::Literal(text) = tree {
                        self.add(sort, &text.to_string());
                    }
                }
            }
            [
                ..,
                TokenTree::Ident(module),
                colon,
                _,
                TokenTree::Ident(name),
            ] if is(colon, ':') => {
                let module = Some(module.to_string());
                self.compared
                    .push(Compared::Constant(sort, module, name.to_string()));
            }
            [.., TokenTree::Ident(name)] => {
                self.compared
                    .push(Compared::Constant(sort, None, name.to_string()));
            }
            _ => {}
        }
    }

    /// The texts in the patterns of the arms of a `match`.
    fn add_arms(&mut self, sort: Sort, arms: TokenStream) {
        let trees: Vec<TokenTree> = arms.into_iter().collect();
        let mut start = 0;
        while let Some(length) = trees[start..]
            .windows(2)
            .position(|pair| is(&pair[0], '=') && is(&pair[1], '>'))
        {
            let arrow = start + length;
            self.add_pattern(sort, &trees[start..arrow]);
            // The expression of an arm is a block, or ends at a comma.
            let body = arrow + 2;
            let end = match trees.get(body) {
                Some(tree) if is_group(tree, Delimiter::Brace) => Some(body),
                _ => trees[body..]
                    .iter()
                    .position(|tree| is(tree, ','))
                    .map(|comma| body + comma),
            };
            let Some(end) = end else { return };
            start = end + 1;
        }
    }

    /// The texts of a pattern before its guard.
    fn add_pattern(&mut self, sort: Sort, trees: &[TokenTree]) {
        let guard = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "if");
        for tree in trees.iter().take_while(|tree| !guard(tree)) {
            if let TokenTree::Literal(text) = tree {
                self.add(sort, &text.to_string());
            }
        }
    }

    /// A constant of the form `NAME: &[&str] = &["a", "b"];`.
    fn add_constant(&mut self, is_public: bool, trees: &[TokenTree]) {
        let end = trees
            .iter()
            .position(|tree| is(tree, ';'))
            .unwrap_or(trees.len());
        if let [TokenTree::Ident(name), .., TokenTree::Group(list)] = &trees[..end] {
            let texts = list.stream().into_iter().filter_map(|tree| match tree {
                TokenTree::Literal(text) => unquoted(&text.to_string()),
                _ => None,
            });
            let row = (is_public, texts.collect());
            self.constants.insert(name.to_string(), row);
        }
    }
}

fn is(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_group(tree: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == delimiter)
}

/// The property that an expression returns, if it ends in `.kind()` or `.own_field()`.
fn sort_at_end(trees: &[TokenTree]) -> Option<Sort> {
    match trees {
        [.., TokenTree::Ident(method), TokenTree::Group(arguments)]
            if arguments.stream().is_empty() =>
        {
            returned_by(&method.to_string())
        }
        _ => None,
    }
}

/// The content of a string literal without escapes.
fn unquoted(literal: &str) -> Option<String> {
    Some(literal.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}

/// The names that a grammar gives to nodes and fields.
struct Names {
    kinds: HashSet<&'static str>,
    fields: HashSet<&'static str>,
}

impl Names {
    fn of(grammar: Grammar) -> Self {
        let language = grammar.language();
        let kinds = (0..language.node_kind_count()).filter_map(|id| {
            let id = u16::try_from(id)
                .ok()
                .filter(|id| language.node_kind_is_visible(*id))?;
            language.node_kind_for_id(id)
        });
        let fields = (0..=language.field_count())
            .filter_map(|id| language.field_name_for_id(u16::try_from(id).ok()?));
        Self {
            kinds: kinds.collect(),
            fields: fields.collect(),
        }
    }

    fn have(&self, sort: Sort, name: &str) -> bool {
        match sort {
            Sort::Kind => self.kinds.contains(name) || ERRORS.contains(&name),
            Sort::Field => self.fields.contains(name),
        }
    }
}

/// The languages that a file is about; empty for all.
fn languages(path: &str, code: &str) -> Vec<String> {
    if path.starts_with("crates/rules/src/") {
        let id = code
            .split_once("\n    id: \"")
            .and_then(|(_, rest)| rest.split('"').next());
        return id
            .and_then(|id| rules::built_in().find(id))
            .map(|rule| rule.languages.clone())
            .unwrap_or_default();
    }
    if !BY_LANGUAGE.iter().any(|folder| path.starts_with(folder)) {
        return Vec::new();
    }
    let parts = || path.trim_end_matches(".rs").split('/');
    let named = BY_NAME
        .iter()
        .find(|(name, _)| parts().any(|part| part == *name));
    if let Some((_, languages)) = named {
        return languages.iter().map(|name| (*name).to_owned()).collect();
    }
    Grammar::all()
        .filter(|grammar| parts().any(|part| part == grammar.row().folder))
        .map(|grammar| grammar.name().to_owned())
        .collect()
}

#[test]
fn every_kind_and_field_in_the_code_exists_in_a_grammar_of_its_languages() {
    let paths = SOURCES.iter().flat_map(|folder| rust_files(folder));
    let codes: BTreeMap<String, String> = paths
        .map(|path| {
            let code = std::fs::read_to_string(root().join(&path)).unwrap();
            (path, code)
        })
        .collect();
    let files: BTreeMap<&str, File> = codes
        .iter()
        .map(|(path, code)| (path.as_str(), File::read(code)))
        .collect();
    let names: BTreeMap<&str, Names> = Grammar::all()
        .map(|grammar| (grammar.name(), Names::of(grammar)))
        .collect();
    let languages: BTreeMap<&str, Vec<String>> = codes
        .iter()
        .map(|(path, code)| (path.as_str(), languages(path, code)))
        .collect();
    let (mut count, mut unknown) = (0, BTreeSet::new());
    let mut check = |path: &str, sort: Sort, text: &str| {
        let own = &languages[path];
        let exists = names.iter().any(|(language, names)| {
            (own.is_empty() || own.iter().any(|name| name == language)) && names.have(sort, text)
        });
        count += 1;
        if !exists {
            unknown.insert(format!("{path}: {sort:?} {text:?} {own:?}"));
        }
    };
    for (path, file) in &files {
        for compared in &file.compared {
            match compared {
                Compared::Text(sort, text) => check(path, *sort, text),
                // A constant of another file is shared: it is for the languages of that file.
                Compared::Constant(sort, module, name) => {
                    let others = files.iter().filter(|(other, file)| {
                        let is_named = module
                            .as_ref()
                            .is_some_and(|module| other.ends_with(&format!("/{module}.rs")));
                        let is_public = || file.constants.get(name).is_some_and(|row| row.0);
                        is_named || module.is_none() && is_public()
                    });
                    let own = iter::once((path, file)).filter(|_| module.is_none());
                    let found = own
                        .chain(others)
                        .find_map(|(home, file)| Some((home, file.constants.get(name)?)));
                    if let Some((home, (_, texts))) = found {
                        texts.iter().for_each(|text| check(home, *sort, text));
                    }
                }
            }
        }
    }
    assert!(count > 3_000, "{count}");
    let unknown: Vec<String> = unknown.into_iter().collect();
    assert!(unknown.is_empty(), "of {count}:\n{}", unknown.join("\n"));
}

#[test]
fn kinds_and_fields_are_found_in_all_their_forms() {
    let cases = [
        ("node.is(&[\"a\", \"b\"])", "a b"),
        ("node.child_of_kind(&[\"a\"])", "a"),
        ("Check::Node { on: On::Kinds(&[\"a\"]), run }", "a"),
        ("const X: &[&str] = &[\"a\"]; fn f() { node.is(X) }", "X"),
        (
            "node.kind() == \"a\" || node.kind() != \"b\" || node.text() == \"c\"",
            "a b",
        ),
        (
            "match node.kind() { \"a\" | \"b\" if x == \"c\" => \"d\", \"e\" => { \"f\" } _ => \"g\" }",
            "a b e",
        ),
        ("matches!(node.kind(), \"a\" | \"b\")", "a b"),
        ("matches!(node.text(), \"a\")", ""),
        (
            "[\"a\"].contains(&node.kind()) && X.contains(&node.kind())",
            "a X",
        ),
        ("node.field(\"a\").or(node.any_field(&[\"b\"]))", "a b"),
        (
            "node.own_field() == \"a\" && matches!(node.own_field(), \"b\")",
            "a b",
        ),
        ("f.debug_struct(\"a\").field(\"b\", &self.b)", ""),
    ];
    for (code, expected) in cases {
        let file = File::read(code);
        let found = file.compared.iter().map(|compared| match compared {
            Compared::Text(_, text) | Compared::Constant(_, _, text) => text.as_str(),
        });
        assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{code}");
    }
}
