//! The imports between the files of a crate, read from their tokens without comments, strings and test-only code.
//!
//! A re-exported name (`pub use`) is imported from the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// `["tree", "node"]` for `src/tree/node.rs`; empty for the crate's root.
pub(super) type Module = Vec<String>;

/// Maximum length of a chain of re-exports.
const MAX_REEXPORTS: usize = 16;

/// The files of a crate, by module.
pub(super) struct Crate {
    files: BTreeMap<Module, File>,
}

#[derive(Default)]
struct File {
    /// Its absolute paths: those in a `use`, and those that begin with `crate`, `super` or `self`.
    paths: BTreeSet<Module>,
    /// Its other paths: they lead to a submodule if their first segment names one.
    below: BTreeSet<Module>,
    /// The names that it imports and may re-export, each with its source.
    imported: BTreeMap<String, Module>,
}

impl Crate {
    /// Reads the files of a folder.
    pub(super) fn read(src: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![(src.to_owned(), Module::new())];
        while let Some((folder, module)) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
                let is_root = module.is_empty() && matches!(stem.as_str(), "lib" | "main");
                let own = if is_root {
                    Module::new()
                } else {
                    [module.as_slice(), &[stem]].concat()
                };
                if path.is_dir() {
                    folders.push((path, own));
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let file = File::read(&own, &std::fs::read_to_string(&path).unwrap());
                    files.insert(own, file);
                }
            }
        }
        Self { files }
    }

    /// Each file with the files that it imports from.
    pub(super) fn imports(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let from = |module: &Module, file: &File| {
            let is_below = |path: &&Module| {
                path.get(..=module.len())
                    .is_some_and(|start| self.files.contains_key(start))
            };
            let paths = file.paths.iter().chain(file.below.iter().filter(is_below));
            paths
                .filter_map(|path| self.origin(path, MAX_REEXPORTS))
                .filter(|origin| *origin != module)
                .collect()
        };
        self.files
            .iter()
            .map(|(module, file)| (module, from(module, file)))
            .collect()
    }

    /// Circular imports: each cycle once, with all its files.
    pub(super) fn circles(&self) -> BTreeSet<Vec<&Module>> {
        let imports = self.imports();
        let reach: BTreeMap<&Module, BTreeSet<&Module>> = imports
            .keys()
            .map(|module| (*module, reached(module, &imports)))
            .collect();
        let in_circle = reach
            .iter()
            .filter(|(module, seen)| seen.contains(**module));
        in_circle
            .map(|(module, seen)| {
                seen.iter()
                    .copied()
                    .filter(|other| reach[*other].contains(*module))
                    .collect()
            })
            .collect()
    }

    /// The file that a path leads to, through any re-exports.
    fn origin(&self, path: &[String], hands: usize) -> Option<&Module> {
        let known = (0..=path.len())
            .rev()
            .find(|length| self.files.contains_key(&path[..*length]))?;
        let (module, file) = self.files.get_key_value(&path[..known])?;
        let handed_on = path
            .get(known)
            .filter(|_| hands > 0)
            .and_then(|name| file.imported.get(name));
        match handed_on {
            Some(from) => self.origin(&[from.as_slice(), &path[known + 1..]].concat(), hands - 1),
            None => Some(module),
        }
    }
}

/// All files that a file imports from, transitively.
fn reached<'m>(
    start: &'m Module,
    imports: &BTreeMap<&'m Module, BTreeSet<&'m Module>>,
) -> BTreeSet<&'m Module> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(module) = open.pop() {
        open.extend(
            imports[module]
                .iter()
                .copied()
                .filter(|next| seen.insert(*next)),
        );
    }
    seen
}

impl File {
    fn read(module: &[String], source: &str) -> Self {
        let mut file = Self::default();
        file.scan(module, source.parse().unwrap());
        file
    }

    fn scan(&mut self, module: &[String], tokens: TokenStream) {
        let tokens = without_tests(tokens);
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            match token {
                TokenTree::Ident(word) if *word == "use" => {
                    let rest = &tokens[index + 1..];
                    let end = rest
                        .iter()
                        .position(|token| is(token, ';'))
                        .unwrap_or(rest.len());
                    for (path, name) in leaves(&rest[..end]) {
                        let path = from_root(module, &path);
                        self.imported.insert(name, path.clone());
                        self.paths.insert(path);
                    }
                    index += end;
                }
                // `pub(in …)` is a visibility, not an import.
                TokenTree::Ident(word) if *word == "pub" => {
                    index +=
                        usize::from(matches!(tokens.get(index + 1), Some(TokenTree::Group(_))));
                }
                TokenTree::Ident(word) => {
                    let path = path(&tokens[index..]);
                    let is_absolute = *word == "crate" || *word == "super" || *word == "self";
                    let paths = if is_absolute {
                        &mut self.paths
                    } else {
                        &mut self.below
                    };
                    // The name of each segment and its two colons.
                    index += (path.len() - 1) * 3;
                    if path.len() > 1 {
                        paths.insert(from_root(module, &path));
                    }
                }
                TokenTree::Group(group) => self.scan(module, group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            index += 1;
        }
    }
}

/// The paths of a `use`, each with its local name.
fn leaves(tokens: &[TokenTree]) -> Vec<(Module, String)> {
    let mut path = Module::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if *word == "as" => {
                return vec![(
                    path,
                    tokens
                        .get(index + 1)
                        .map(ToString::to_string)
                        .unwrap_or_default(),
                )];
            }
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let parts = inner
                    .split(|token| is(token, ','))
                    .filter(|part| !part.is_empty())
                    .flat_map(leaves);
                let whole = |rest: Module| [path.as_slice(), rest.as_slice()].concat();
                return parts
                    .map(|(rest, name)| of_self(whole(rest), name))
                    .collect();
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    let name = path.last().cloned().unwrap_or_default();
    vec![(path, name)]
}

/// `a::{self}` means `a`.
fn of_self(mut path: Module, name: String) -> (Module, String) {
    if path.len() < 2 || path.last().is_none_or(|last| last != "self") {
        return (path, name);
    }
    path.pop();
    let own = path.last().cloned().unwrap_or_default();
    (path, if name == "self" { own } else { name })
}

/// Makes a path absolute. A path into another crate leads to no file of this one.
fn from_root(module: &[String], path: &[String]) -> Module {
    let ups = path.iter().take_while(|word| *word == "super").count();
    let (at, rest) = match path.first().map(String::as_str) {
        Some("crate") => (&[][..], &path[1..]),
        Some("self") => (module, &path[1..]),
        _ => (&module[..module.len().saturating_sub(ups)], &path[ups..]),
    };
    [at, rest].concat()
}

/// The segments of the path that starts here.
fn path(tokens: &[TokenTree]) -> Module {
    let mut words = Module::new();
    let mut rest = tokens;
    while let Some(TokenTree::Ident(word)) = rest.first() {
        words.push(word.to_string());
        match rest {
            [_, first, second, ..] if is(first, ':') && is(second, ':') => rest = &rest[3..],
            _ => break,
        }
    }
    words
}

/// Removes items that are compiled only for tests.
fn without_tests(tokens: TokenStream) -> Vec<TokenTree> {
    let mut kept = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_test = is(&token, '#')
            && tokens
                .peek()
                .is_some_and(|next| next.to_string() == "[cfg (test)]");
        if is_test {
            let ends = |token: &TokenTree| {
                is(token, ';')
                    || matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
            };
            // The attribute and the item, up to its semicolon or closing brace.
            tokens.next();
            tokens.by_ref().find(ends);
        } else {
            kept.push(token);
        }
    }
    kept
}

fn is(token: &TokenTree, mark: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == mark)
}

#[cfg(test)]
mod tests {
    use super::{Crate, File, Module};

    fn module(path: &str) -> Module {
        path.split("::")
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let read =
            |(path, source): &(&str, &str)| (module(path), File::read(&module(path), source));
        let all = Crate {
            files: files.iter().map(read).collect(),
        };
        all.circles()
            .iter()
            .map(|circle| {
                circle
                    .iter()
                    .map(|file| file.join("::"))
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect()
    }

    #[test]
    fn circular_imports_are_found_for_every_form_of_path() {
        let a = "use super::b::{self, One}; fn f() {}";
        for b in [
            "use crate::a::f;",
            "use super::a::{f as g};",
            "fn g() { super::a::f() }",
            "fn g() { let x = vec![crate::a::f()]; }",
            "pub use super::a;",
        ] {
            assert_eq!(
                circles(&[("", "mod a; mod b;"), ("a", a), ("b", b)]),
                ["a b"],
                "{b}"
            );
        }
        for b in [
            "pub struct One; // crate::a::f",
            "pub(in crate::a) struct One;",
        ] {
            assert_eq!(
                circles(&[("", "mod a; mod b;"), ("a", a), ("b", b)]),
                [""; 0],
                "{b}"
            );
        }
    }

    #[test]
    fn a_reexported_name_belongs_to_its_defining_file() {
        let root = "mod a; mod b; pub use a::One;";
        assert_eq!(
            circles(&[
                ("", root),
                ("a", "pub struct One;"),
                ("b", "use crate::One;")
            ]),
            [""; 0]
        );
        assert_eq!(
            circles(&[
                ("", root),
                ("a", "use super::b::two;"),
                ("b", "use crate::One;")
            ]),
            ["a b"]
        );
        assert_eq!(
            circles(&[("a", "mod b; fn f() { b::g() }"), ("a::b", "use super::f;")]),
            ["a a::b"]
        );
    }

    #[test]
    fn code_compiled_only_for_tests_is_ignored() {
        let b =
            "#[cfg(test)] mod tests { use crate::a::f; } #[cfg(test)] use crate::a::f; struct B;";
        assert_eq!(
            circles(&[("a", "use crate::b::B; fn f() {}"), ("b", b)]),
            [""; 0]
        );
    }
}
