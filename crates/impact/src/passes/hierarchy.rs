//! The types of a repository that a change refers to, with their base types: which files define them, and whether they
//! have a member.
//!
//! Nothing is parsed here: the types are facts, and whether a file names a member is a question about its text.

use std::collections::{BTreeMap, BTreeSet};

use review::repository::mentions_word;

use crate::facts::{CalledMember, Home, Surface, TypeRef, TypeSurface};
use crate::paths::{Modules, Target, folder, is_around, last};

/// The maximum number of files that are read to find types.
const FILES: usize = 200;
/// The maximum number of files with the name of a type.
const FILES_OF_TYPE: usize = 40;
/// The maximum number of files of a Go package.
const FILES_OF_PACKAGE: usize = 80;
/// The maximum number of levels of base types that are followed.
const LEVELS: usize = 4;
/// The files in which C# projects import namespaces for all of their files.
const USINGS: &[&str] = &["GlobalUsings.cs", "Usings.cs", "GlobalUsing.cs"];
/// The file that names a Go module.
const GO_MODULE: &str = "go.mod";

/// A file that was read to find types.
struct SourceFile {
    text: String,
    /// `None` if it could not be read completely.
    surface: Option<Surface>,
}

/// The types that were found so far.
pub(crate) struct Hierarchy<'p> {
    modules: Modules<'p>,
    /// The files of Go packages, by folder.
    go: BTreeMap<&'p str, Vec<&'p str>>,
    files: BTreeMap<String, Option<SourceFile>>,
}

/// Whether a type has a member.
pub(crate) enum Verdict<'h> {
    /// It certainly lacks it.
    Lacks(Lacking<'h>),
    /// These files have to be read first.
    Needs(BTreeSet<String>),
    /// It may have it.
    Unknown,
}

/// A type without a member.
pub(crate) struct Lacking<'h> {
    pub(crate) path: &'h str,
    pub(crate) of: &'h TypeSurface,
    /// The methods of the type and its bases.
    pub(crate) methods: Vec<&'h str>,
}

enum Found<'h> {
    Type {
        /// The file that defines it.
        path: &'h str,
        of: &'h TypeSurface,
        /// All files in which its members may be defined.
        files: Vec<(&'h str, &'h SourceFile)>,
    },
    Needs(BTreeSet<String>),
    Unknown,
}

impl<'p> Hierarchy<'p> {
    pub(crate) fn new(paths: impl Iterator<Item = &'p str> + Clone) -> Self {
        let is_of_package = |path: &&str| path.ends_with(".go") && !path.ends_with("_test.go");
        let mut go: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in paths.clone().filter(is_of_package) {
            go.entry(folder(path)).or_default().push(path);
        }
        Self {
            modules: Modules::new(paths),
            go,
            files: BTreeMap::new(),
        }
    }

    /// Whether more files can be read.
    pub(crate) fn room(&self) -> usize {
        FILES.saturating_sub(self.files.len())
    }

    /// Records a file that was requested; `None` if it could not be read.
    pub(crate) fn learn(&mut self, path: &str, file: Option<(String, Option<Surface>)>) {
        let file = file.map(|(text, surface)| SourceFile { text, surface });
        self.files.insert(path.to_owned(), file);
    }

    /// Whether the type of a called member, or a base of it, has the member.
    pub(crate) fn verdict(&self, file: &str, called: &CalledMember) -> Verdict<'_> {
        let (mut from, mut of) = (file.to_owned(), called.of.clone());
        for field in &called.fields {
            match self.find(&from, &of) {
                Found::Type {
                    path, of: owner, ..
                } => {
                    let Some((_, kind)) = owner.fields.iter().find(|(name, _)| name == field)
                    else {
                        return Verdict::Unknown;
                    };
                    (from, of) = (path.to_owned(), kind.clone());
                }
                Found::Needs(files) => return Verdict::Needs(files),
                Found::Unknown => return Verdict::Unknown,
            }
        }
        self.walk(&from, &of, called, LEVELS)
    }

    fn walk(&self, from: &str, of: &TypeRef, called: &CalledMember, levels: usize) -> Verdict<'_> {
        let (path, of, files) = match self.find(from, of) {
            Found::Type { path, of, files } => (path, of, files),
            Found::Needs(files) => return Verdict::Needs(files),
            Found::Unknown => return Verdict::Unknown,
        };
        // The own class is known to lack the member. Its file names it where it calls it.
        let is_start = called.is_own && levels == LEVELS;
        let mut texts = files.iter().map(|(_, file)| file.text.as_str());
        let may_have = !is_start && texts.any(|text| mentions_word(text, &called.name));
        let has_no_bases = is_start && of.bases.is_empty();
        if of.is_open || may_have || has_no_bases || levels == 0 {
            return Verdict::Unknown;
        }
        let mut methods: Vec<&str> = files
            .iter()
            .filter_map(|(_, file)| file.surface.as_ref())
            .flat_map(|surface| &surface.methods)
            .filter(|(owner, _)| *owner == of.name)
            .map(|(_, name)| name.as_str())
            .collect();
        let mut needed = BTreeSet::new();
        let mut base_of_own = None;
        for base in &of.bases {
            match self.walk(path, base, called, levels - 1) {
                Verdict::Lacks(base) => {
                    methods.extend(&base.methods);
                    base_of_own = Some(base).filter(|_| is_start);
                }
                Verdict::Needs(files) => needed.extend(files),
                Verdict::Unknown => return Verdict::Unknown,
            }
        }
        if !needed.is_empty() {
            return Verdict::Needs(needed);
        }
        let (path, of) = base_of_own.map_or((path, of), |base| (base.path, base.of));
        Verdict::Lacks(Lacking { path, of, methods })
    }

    fn find(&self, from: &str, of: &TypeRef) -> Found<'_> {
        match &of.home {
            Home::SameFile => self.in_file(from, &of.name),
            Home::Module(module) => match self.modules.target(from, module) {
                Target::File(path) => self.in_file(path, &of.name),
                _ => Found::Unknown,
            },
            Home::Packages(packages) => self.in_packages(from, packages, &of.name),
            Home::GoPackage(package) => self.in_go_package(from, package, &of.name),
        }
    }

    /// The files with these paths that could be read completely, or those that are still to be read.
    fn read<'h>(&'h self, paths: &[&str]) -> Result<Vec<(&'h str, &'h SourceFile)>, Found<'h>> {
        let unread: BTreeSet<String> = paths
            .iter()
            .filter(|path| !self.files.contains_key(**path))
            .map(|path| (*path).to_owned())
            .collect();
        if !unread.is_empty() {
            return Err(Found::Needs(unread));
        }
        let mut found = Vec::new();
        for path in paths {
            match self.files.get_key_value(*path) {
                Some((path, Some(file))) => found.push((path.as_str(), file)),
                _ => return Err(Found::Unknown),
            }
        }
        Ok(found)
    }

    /// The only type with a name in a file.
    fn in_file(&self, path: &str, name: &str) -> Found<'_> {
        let files = match self.read(&[path]) {
            Ok(files) => files,
            Err(other) => return other,
        };
        let default = |surface: &Surface| surface.default.clone();
        let named = match name {
            "default" => files
                .iter()
                .find_map(|(_, file)| file.surface.as_ref().and_then(default)),
            name => Some(name.to_owned()),
        };
        named.map_or(Found::Unknown, |name| only_type(files, &name, |_| true))
    }

    /// The only type with a name in one of some packages. It is in a file with its name.
    fn in_packages(&self, from: &str, packages: &[String], name: &str) -> Found<'_> {
        let Some((_, extension)) = last(from).rsplit_once('.') else {
            return Found::Unknown;
        };
        let others: &[&str] = match extension {
            "java" => &["kt"],
            "kt" => &["java"],
            _ => &[],
        };
        let has_other = others
            .iter()
            .any(|other| !self.modules.named(&format!("{name}.{other}")).is_empty());
        let paths = self.modules.named(&format!("{name}.{extension}"));
        if has_other || paths.is_empty() || paths.len() > FILES_OF_TYPE {
            return Found::Unknown;
        }
        let usings = match self.usings_of(from) {
            Ok(usings) => usings,
            Err(other) => return other,
        };
        let is_visible = |surface: &Surface| {
            let using = format!("global using {};", surface.package);
            packages.contains(&surface.package) || usings.iter().any(|text| text.contains(&using))
        };
        match self.read(paths) {
            Ok(files) => only_type(files, name, is_visible),
            Err(other) => other,
        }
    }

    /// The texts of the files that import namespaces for a file of C#.
    fn usings_of(&self, from: &str) -> Result<Vec<&str>, Found<'_>> {
        if !from.ends_with(".cs") {
            return Ok(Vec::new());
        }
        let named = USINGS.iter().flat_map(|name| self.modules.named(name));
        let around: Vec<&str> = named
            .filter(|path| is_around(from, folder(path)))
            .take(FILES_OF_TYPE)
            .copied()
            .collect();
        let files = self.read(&around)?;
        Ok(files
            .into_iter()
            .map(|(_, file)| file.text.as_str())
            .collect())
    }

    /// The only type with a name in a Go package, with all files of the package.
    fn in_go_package(&self, from: &str, package: &str, name: &str) -> Found<'_> {
        let inside = if package.is_empty() {
            folder(from).to_owned()
        } else {
            match self.folder_of_go(package) {
                Ok(folder) => folder,
                Err(other) => return other,
            }
        };
        let Some(paths) = self
            .go
            .get(inside.as_str())
            .filter(|paths| paths.len() <= FILES_OF_PACKAGE)
        else {
            return Found::Unknown;
        };
        match self.read(paths) {
            Ok(files) => only_type(files, name, |_| true),
            Err(other) => other,
        }
    }

    /// The folder of a Go package of the repository.
    fn folder_of_go(&self, package: &str) -> Result<String, Found<'_>> {
        let modules = self.modules.named(GO_MODULE);
        if modules.is_empty() || modules.len() > FILES_OF_TYPE {
            return Err(Found::Unknown);
        }
        for (path, file) in self.read(modules)? {
            let name = file
                .text
                .lines()
                .find_map(|line| line.trim().strip_prefix("module "));
            let below = name.and_then(|name| package.strip_prefix(name.trim().trim_matches('"')));
            if let Some(below) = below
                && (below.is_empty() || below.starts_with('/'))
            {
                let inside = format!("{}{below}", folder(path));
                return Ok(inside.trim_start_matches('/').to_owned());
            }
        }
        Err(Found::Unknown)
    }
}

/// Whether a file is read for its text only.
pub(crate) fn is_text(path: &str) -> bool {
    last(path) == GO_MODULE
}

/// The only type with a name in these files.
fn only_type<'h>(
    files: Vec<(&'h str, &'h SourceFile)>,
    name: &str,
    is_visible: impl Fn(&Surface) -> bool,
) -> Found<'h> {
    let mut found: Vec<(&str, &TypeSurface)> = Vec::new();
    for (path, file) in &files {
        let Some(surface) = &file.surface else {
            return Found::Unknown;
        };
        if is_visible(surface) {
            let types = surface.types.iter().filter(|own| own.name == name);
            found.extend(types.map(|own| (*path, own)));
        }
    }
    match found.as_slice() {
        // All files of a Go package together.
        [(path, of), ..] if name.is_empty() => Found::Type { path, of, files },
        [(path, of)] => Found::Type { path, of, files },
        _ => Found::Unknown,
    }
}
