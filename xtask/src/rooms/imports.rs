//! The imports between the files of a crate, read from their tokens without comments, strings and test-only code.
//!
//! A file depends on the file that defines an imported name, whatever re-exports (`pub use`) the path goes through. A
//! module, which is a file with everything below it, depends on the module that the path names as well.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::slice;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// `["tree", "node"]` for `src/tree/node.rs`; empty for the crate's root.
pub(super) type Module = Vec<String>;

/// The modules of a folder, each with those that it imports from.
type Graph<'m> = BTreeMap<&'m str, BTreeMap<&'m str, String>>;

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
    /// Its other paths, relative to the file: the first segment is a submodule, an imported name or another crate.
    relative: BTreeSet<Module>,
    /// The names that it imports.
    imported: BTreeMap<String, Import>,
    /// Its submodules that are compiled only for tests.
    tests: BTreeSet<String>,
}

/// An imported name.
struct Import {
    source: Module,
    /// Whether it is re-exported. A private import is visible to the submodules only.
    exported: bool,
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
        Self::of(files)
    }

    /// The files without those that are compiled only for tests.
    fn of(mut files: BTreeMap<Module, File>) -> Self {
        let tests: Vec<Module> = files
            .iter()
            .flat_map(|(module, file)| {
                let submodule = |name: &String| [module.as_slice(), slice::from_ref(name)].concat();
                file.tests.iter().map(submodule)
            })
            .collect();
        files.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        Self { files }
    }

    /// Each file with the files that it imports from.
    pub(super) fn imports(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let from = |module: &Module, file: &File| {
            self.paths(module, file)
                .iter()
                .filter_map(|path| self.origin(path, module, MAX_REEXPORTS))
                .filter(|origin| *origin != module)
                .collect()
        };
        self.files
            .iter()
            .map(|(module, file)| (module, from(module, file)))
            .collect()
    }

    /// For each folder, which of its modules import from which others, each with an import as evidence. A module
    /// counts with everything below it. It imports from the module that a path names and from the one that defines the
    /// item.
    fn folders(&self) -> BTreeMap<Module, Graph<'_>> {
        let mut folders: BTreeMap<Module, Graph<'_>> = BTreeMap::new();
        for (module, file) in &self.files {
            for path in self.paths(module, file) {
                let origin = self.origin(&path, module, MAX_REEXPORTS);
                for target in self.named(&path).into_iter().chain(origin) {
                    let shared = module
                        .iter()
                        .zip(target)
                        .take_while(|(a, b)| a == b)
                        .count();
                    if let (Some(from), Some(to)) = (module.get(shared), target.get(shared)) {
                        let graph = folders.entry(module[..shared].to_vec()).or_default();
                        graph.entry(to).or_default();
                        graph.entry(from).or_default().entry(to).or_insert_with(|| {
                            format!("{} imports {}", module.join("::"), path.join("::"))
                        });
                    }
                }
            }
        }
        folders
    }

    /// The file that a path leads to without any re-export.
    fn named(&self, path: &[String]) -> Option<&Module> {
        (0..=path.len())
            .rev()
            .find_map(|length| self.files.get_key_value(&path[..length]))
            .map(|(module, _)| module)
    }

    /// The absolute paths in a file that may lead to files of this crate.
    fn paths(&self, module: &[String], file: &File) -> BTreeSet<Module> {
        let absolute = |path: &Module| {
            let (first, rest) = path.split_first()?;
            let below = [module, path.as_slice()].concat();
            if self.files.contains_key(&below[..=module.len()]) {
                return Some(below);
            }
            let import = file.imported.get(first)?;
            Some([import.source.as_slice(), rest].concat())
        };
        let relative = file.relative.iter().filter_map(absolute);
        file.paths.iter().cloned().chain(relative).collect()
    }

    /// Circular imports between files: each cycle once, with all its files.
    pub(super) fn circles(&self) -> BTreeSet<Vec<&Module>> {
        circles(&self.imports())
    }

    /// Circular imports between the modules of a folder: each cycle once, as its imports.
    pub(super) fn circles_of_folders(&self) -> BTreeSet<Vec<String>> {
        let imports_within = |graph: &Graph<'_>, circle: &[&str]| {
            let (from, to) = (circle.iter(), |to: &&str| circle.contains(to));
            from.flat_map(|from| graph[from].iter().filter(|(name, _)| to(name)))
                .map(|(_, import)| import.clone())
                .collect()
        };
        let mut all = BTreeSet::new();
        for graph in self.folders().values() {
            let modules = graph
                .iter()
                .map(|(module, imports)| (*module, imports.keys().copied().collect()))
                .collect();
            all.extend(
                circles(&modules)
                    .iter()
                    .map(|circle| imports_within(graph, circle)),
            );
        }
        all
    }

    /// The file that defines what a path in the file `reader` leads to, through at most `hops` re-exports.
    fn origin(&self, path: &[String], reader: &[String], hops: usize) -> Option<&Module> {
        let known = (0..=path.len())
            .rev()
            .find(|length| self.files.contains_key(&path[..*length]))?;
        let (module, file) = self.files.get_key_value(&path[..known])?;
        let import = path
            .get(known)
            .filter(|_| hops > 0)
            .and_then(|name| file.imported.get(name))
            .filter(|import| import.exported || reader.starts_with(module));
        match import {
            Some(import) => {
                let path = [import.source.as_slice(), &path[known + 1..]].concat();
                self.origin(&path, module, hops - 1)
            }
            None => Some(module),
        }
    }
}

/// The cycles of a graph, each once, with all its nodes.
fn circles<N: Copy + Ord>(edges: &BTreeMap<N, BTreeSet<N>>) -> BTreeSet<Vec<N>> {
    let reach: BTreeMap<N, BTreeSet<N>> = edges
        .keys()
        .map(|node| (*node, reached(*node, edges)))
        .collect();
    let in_circle = reach.iter().filter(|(node, seen)| seen.contains(*node));
    in_circle
        .map(|(node, seen)| {
            seen.iter()
                .copied()
                .filter(|other| reach[other].contains(node))
                .collect()
        })
        .collect()
}

/// All nodes that edges lead to from a node, directly or not.
fn reached<N: Copy + Ord>(start: N, edges: &BTreeMap<N, BTreeSet<N>>) -> BTreeSet<N> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        open.extend(
            edges[&node]
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
        let (tokens, tests) = without_tests(tokens);
        self.tests.extend(tests);
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            match token {
                TokenTree::Ident(word) if *word == "use" => {
                    let rest = &tokens[index + 1..];
                    let end = rest
                        .iter()
                        .position(|token| is(token, ';'))
                        .unwrap_or(rest.len());
                    let exported = is_public(&tokens[..index]);
                    for (path, name) in leaves(&rest[..end]) {
                        let source = from_root(module, &path);
                        self.paths.insert(source.clone());
                        self.imported.insert(name, Import { source, exported });
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
                    // The name of each segment and its two colons.
                    index += (path.len() - 1) * 3;
                    if path.len() > 1 && is_absolute {
                        self.paths.insert(from_root(module, &path));
                    } else if path.len() > 1 {
                        self.relative.insert(path);
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

/// Whether tokens end in a visibility: `pub` or `pub(…)`.
fn is_public(tokens: &[TokenTree]) -> bool {
    let is_pub =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Ident(word)) if *word == "pub");
    match tokens {
        [.., before, TokenTree::Group(_)] => is_pub(Some(before)),
        _ => is_pub(tokens.last()),
    }
}

/// Removes items that are compiled only for tests. Returns the rest, and the names of the removed submodules that are
/// files of their own.
fn without_tests(tokens: TokenStream) -> (Vec<TokenTree>, Vec<String>) {
    let (mut kept, mut removed) = (Vec::new(), Vec::new());
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_test = is(&token, '#')
            && tokens
                .peek()
                .is_some_and(|next| next.to_string() == "[cfg (test)]");
        if !is_test {
            kept.push(token);
            continue;
        }
        // The attribute and the item, up to its semicolon or closing brace.
        tokens.next();
        let mut item = Vec::new();
        for token in tokens.by_ref() {
            let is_last = is(&token, ';')
                || matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
            item.push(token);
            if is_last {
                break;
            }
        }
        if let [.., TokenTree::Ident(word), TokenTree::Ident(name), end] = item.as_slice()
            && *word == "mod"
            && is(end, ';')
        {
            removed.push(name.to_string());
        }
    }
    (kept, removed)
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

    fn crate_of(files: &[(&str, &str)]) -> Crate {
        let read =
            |(path, source): &(&str, &str)| (module(path), File::read(&module(path), source));
        Crate::of(files.iter().map(read).collect())
    }

    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        crate_of(files)
            .circles()
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

    fn circles_of_folders(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        crate_of(files).circles_of_folders().into_iter().collect()
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
            "pub struct One; // crate::a::f", "pub(in crate::a) struct One;",
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
    fn a_path_may_begin_with_an_imported_module() {
        for a in [
            "use crate::b; fn f() { b::g() }",
            "use crate::c::b as d; fn f() { d::g() }",
        ] {
            let files = [
                ("a", a),
                ("b", "use crate::a::f;"),
                ("c", "pub use crate::b;"),
            ];
            assert_eq!(circles(&files), ["a b"], "{a}");
        }
    }

    #[test]
    fn a_private_import_is_a_reexport_for_submodules_only() {
        let read_by = |reader: &str, visibility: &str| {
            let b = format!("mod x; {visibility} use crate::c::f;");
            let files = crate_of(&[("b", &b), ("c", ""), (reader, "use crate::b::f;")]);
            let imports = files.imports();
            imports[&module(reader)]
                .iter()
                .map(|file| file.join("::"))
                .collect::<Vec<_>>()
        };
        assert_eq!(read_by("a", ""), ["b"]);
        assert_eq!(read_by("b::x", ""), ["c"]);
        for visibility in ["pub", "pub(crate)", "pub(in crate::b)"] {
            assert_eq!(read_by("a", visibility), ["c"], "{visibility}");
        }
    }

    #[test]
    fn an_import_through_a_reexport_counts_for_the_module_that_is_named() {
        let files = [
            ("", "mod a; mod b; mod c;"),
            ("a", "mod own; pub use crate::c::One;"),
            ("a::own", "use crate::b::two;"),
            ("b", "use crate::a::One;"),
            ("c", "pub struct One;"),
        ];
        assert_eq!(circles(&files), [""; 0]);
        assert_eq!(
            circles_of_folders(&files),
            [["a::own imports b::two", "b imports a::One"]]
        );
    }

    #[test]
    fn an_import_through_a_reexport_counts_for_the_module_that_defines_the_item() {
        let files = [
            ("", "mod a; mod b; pub use a::One;"),
            ("a", "mod own; pub use own::One;"),
            ("a::own", "use crate::b::two;"),
            ("b", "mod own;"),
            ("b::own", "use crate::One;"),
        ];
        assert_eq!(circles(&files), [""; 0]);
        assert_eq!(
            circles_of_folders(&files),
            [["a::own imports b::two", "b::own imports One"]]
        );
    }

    #[test]
    fn modules_of_every_folder_are_compared() {
        let files = [
            ("", "mod a;"),
            ("a", "mod b; mod c;"),
            ("a::b", "mod own; pub use own::One;"),
            ("a::b::own", "pub struct One;"),
            ("a::b::run", "use crate::a::c::f;"),
            ("a::c", "mod own; fn f() {}"),
            ("a::c::own", "use crate::a::b::One;"),
        ];
        assert_eq!(circles(&files), [""; 0]);
        assert_eq!(
            circles_of_folders(&files),
            [["a::b::run imports a::c::f", "a::c::own imports a::b::One"]]
        );
        // A parent may use and re-export its submodules.
        assert_eq!(circles_of_folders(&files[..4]), [[""; 0]; 0]);
    }

    #[test]
    fn files_compiled_only_for_tests_are_ignored() {
        let b = |attribute: &str| format!("{attribute} mod tests; pub struct B;");
        let files = |b: &str| {
            circles_of_folders(&[
                ("a", "use crate::b::B; pub fn f() {}"),
                ("b", b),
                ("b::tests", "use crate::a::f;"),
                ("b::tests::more", "use crate::a::f;"),
            ])
        };
        assert_eq!(files(&b("#[cfg(test)]")), [[""; 0]; 0]);
        assert_eq!(files(&b("")).len(), 1);
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
