//! Which uses of a function's name in other files mean a function that the change breaks.
//!
//! A use is certain if the file names the function's package, module or type. Without that, the name has to be distinctive, the
//! file has to mention the type, and nothing else in the repository may define a function of that name.

use std::collections::BTreeMap;

use super::modules::{SCRIPTS, folder, last};
use crate::facts::{
    Break, Breaks, ByName, Mention, MentionKind, NamedUse, ReceiverKind, Surrounding,
};
use crate::semantics::vocabulary::words_of;

/// A file around the change.
pub(super) struct AroundFile<'t> {
    pub(super) text: &'t str,
    pub(super) surrounding: Surrounding,
}

/// The files around the change, by their paths.
pub(super) type FilesAround<'t> = BTreeMap<&'t str, AroundFile<'t>>;

/// A use in another file.
pub(super) struct Found<'a> {
    pub(super) path: &'a str,
    pub(super) line: u32,
    /// `None` for an import.
    pub(super) used: Option<&'a NamedUse>,
    pub(super) is_certain: bool,
}

/// Languages whose code can call each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    C,
    CSharp,
    Go,
    Jvm,
    Php,
    Python,
    Ruby,
    Rust,
}

const EXTENSIONS: &[(Family, &[&str])] = &[
    (
        Family::C,
        &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "inl"],
    ),
    (Family::CSharp, &["cs"]),
    (Family::Go, &["go"]),
    (Family::Jvm, &["java", "kt"]),
    (Family::Php, &["php"]),
    (Family::Python, &["py"]),
    (Family::Ruby, &["rb"]),
    (Family::Rust, &["rs"]),
];

impl Family {
    fn of(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        let row = EXTENSIONS
            .iter()
            .find(|(_, extensions)| extensions.contains(&extension))?;
        Some(row.0)
    }
}

/// The extensions of the files that can use a file of this path.
pub(super) fn extensions(path: &str) -> &'static [&'static str] {
    let is_script = path
        .rsplit_once('.')
        .is_some_and(|(_, extension)| SCRIPTS.contains(&extension));
    if is_script {
        return SCRIPTS;
    }
    let family = Family::of(path);
    EXTENSIONS
        .iter()
        .find(|(own, _)| Some(*own) == family)
        .map_or(&[], |(_, extensions)| extensions)
}

/// The uses of a broken function in other files.
pub(super) fn uses<'a>(
    file: &Breaks,
    one: &Break,
    by_name: &ByName,
    around: &'a FilesAround<'_>,
) -> Vec<Found<'a>> {
    let Some(family) = Family::of(&file.path) else {
        return Vec::new();
    };
    let others: Vec<(&'a str, &'a AroundFile<'_>)> = around
        .iter()
        .filter(|(path, _)| **path != file.path && Family::of(path) == Some(family))
        .map(|(path, other)| (*path, other))
        .collect();
    let search = Search {
        home: &file.path,
        name: &one.name,
        by_name,
        family,
        is_defined_elsewhere: others
            .iter()
            .any(|(path, other)| is_rival(family, by_name, &file.path, path, other, &one.name)),
    };
    others
        .iter()
        .flat_map(|(path, other)| search.in_file(path, other))
        .collect()
}

fn mentions_of<'a>(file: &'a AroundFile<'_>, name: &str) -> impl Iterator<Item = &'a Mention> {
    let name = name.to_owned();
    file.surrounding
        .mentions
        .iter()
        .filter(move |mention| mention.name == name)
}

/// Whether a file defines another function that uses of the name may mean.
fn is_rival(
    family: Family,
    by_name: &ByName,
    home: &str,
    path: &str,
    file: &AroundFile<'_>,
    name: &str,
) -> bool {
    // A function of another package of Go needs the package's name.
    let is_apart = family == Family::Go && by_name.owner.is_none() && folder(path) != folder(home);
    !is_apart && mentions_of(file, name).any(|mention| mention.kind == MentionKind::Definition)
}

struct Search<'s> {
    home: &'s str,
    name: &'s str,
    by_name: &'s ByName,
    family: Family,
    is_defined_elsewhere: bool,
}

impl Search<'_> {
    fn in_file<'a>(&self, path: &'a str, file: &'a AroundFile<'_>) -> Vec<Found<'a>> {
        let all = || mentions_of(file, self.name);
        let names_it = |kind: &MentionKind| *kind == MentionKind::Definition;
        let is_shadowed = all().any(|mention| names_it(&mention.kind));
        let is_variable = all().any(|mention| mention.kind == MentionKind::Variable);
        let is_imported = all().any(|mention| self.imports(&mention.kind));
        let found = |mention: &'a Mention| {
            let (used, is_certain) = match &mention.kind {
                MentionKind::Import(_) => (None, self.imports(&mention.kind).then_some(true)?),
                MentionKind::Use(used) => {
                    let is_bare = used.receiver == ReceiverKind::Bare;
                    // A function in a variable, or one of the file's own.
                    if is_bare && (is_shadowed || is_variable) {
                        return None;
                    }
                    (Some(used), self.certainty(path, file, used, is_imported)?)
                }
                MentionKind::Definition | MentionKind::Variable => return None,
            };
            Some(Found {
                path,
                line: mention.line,
                used,
                is_certain,
            })
        };
        all().filter_map(found).collect()
    }

    /// Whether an import is one of the function.
    fn imports(&self, kind: &MentionKind) -> bool {
        let MentionKind::Import(text) = kind else {
            return false;
        };
        let Self { name, by_name, .. } = self;
        match (self.family, &by_name.owner) {
            (Family::Jvm, None) => text.contains(&format!("{}.{name}", by_name.package)),
            (Family::Jvm, Some(owner)) => text.contains(&format!("{owner}.{name}")),
            (Family::Rust, None) => text.contains(&format!("{}::", self.module())),
            _ => false,
        }
    }

    /// Whether a use certainly means the function; `None` if it is unlikely to.
    fn certainty(
        &self,
        path: &str,
        file: &AroundFile<'_>,
        used: &NamedUse,
        is_imported: bool,
    ) -> Option<bool> {
        match &self.by_name.owner {
            None => self.of_function(path, file, used, is_imported),
            Some(owner) => self.of_member(path, file, used, owner, is_imported),
        }
    }

    /// A function that is no member of a type.
    fn of_function(
        &self,
        path: &str,
        file: &AroundFile<'_>,
        used: &NamedUse,
        is_imported: bool,
    ) -> Option<bool> {
        let is_bare = used.receiver == ReceiverKind::Bare;
        let is_through = |name: &str| used.receiver == ReceiverKind::Other && used.through == name;
        let is_same_package = file.surrounding.package == self.by_name.package;
        let is_meant = match self.family {
            Family::Go if self.is_defined_elsewhere => false,
            Family::Go if is_bare => folder(path) == folder(self.home) && is_same_package,
            Family::Go => {
                let home = folder(self.home);
                let imports = !home.is_empty() && file.text.contains(&format!("/{home}\""));
                is_through(&self.by_name.package) && imports
            }
            Family::Jvm => is_imported || is_bare && is_same_package && !self.is_defined_elsewhere,
            Family::Rust => {
                let module = self.module();
                let imports_all = file.text.contains(&format!("{module}::*"));
                !self.is_defined_elsewhere
                    && (is_through(module) || is_bare && (is_imported || imports_all))
            }
            Family::C => {
                let is_qualified = used.receiver == ReceiverKind::Other
                    && used.through == last_part(&self.by_name.package);
                !self.is_defined_elsewhere && (is_bare || is_qualified)
            }
            Family::Php => !self.is_defined_elsewhere && is_bare,
            Family::Ruby | Family::CSharp | Family::Python => false,
        };
        is_meant.then_some(true)
    }

    /// A member of a type.
    fn of_member(
        &self,
        path: &str,
        file: &AroundFile<'_>,
        used: &NamedUse,
        owner: &str,
        is_imported: bool,
    ) -> Option<bool> {
        let is_rivalled = self.is_defined_elsewhere;
        if is_rivalled && self.by_name.may_be_inherited {
            return None;
        }
        if is_imported {
            return Some(true);
        }
        let is_same_package = match self.family {
            Family::Go => folder(path) == folder(self.home),
            _ => file.surrounding.package == self.by_name.package,
        };
        if used.receiver == ReceiverKind::Other && used.through == owner {
            let is_named = is_same_package || self.names_type(file, owner);
            return (is_named || !is_rivalled).then_some(is_named);
        }
        let is_distinctive = words_of(self.name).len() > 1;
        let knows_type = match self.family {
            // A value of a type is often used without naming the type.
            Family::Go => {
                is_same_package || file.text.contains(&format!("/{}\"", folder(self.home)))
            }
            _ => mentions_word(file.text, owner),
        };
        let is_likely =
            used.receiver == ReceiverKind::Other && is_distinctive && knows_type && !is_rivalled;
        is_likely.then_some(false)
    }

    /// Whether a file names the type by its package.
    fn names_type(&self, file: &AroundFile<'_>, owner: &str) -> bool {
        let package = &self.by_name.package;
        let says = |text: &str| file.text.contains(text);
        match self.family {
            Family::Jvm => says(&format!("{package}.{owner}")) || says(&format!("{package}.*")),
            Family::Php => says(&format!("{package}\\{owner}")),
            Family::CSharp => says(&format!("using {package};")),
            Family::Rust | Family::C | Family::Ruby | Family::Python => !self.is_defined_elsewhere,
            Family::Go => false,
        }
    }

    /// The module of Rust that a file is.
    fn module(&self) -> &str {
        let stem = last(self.home).strip_suffix(".rs").unwrap_or_default();
        match stem {
            "mod" => last(folder(self.home)),
            "lib" | "main" => "crate",
            stem => stem,
        }
    }
}

fn last_part(package: &str) -> &str {
    package.rsplit("::").next().unwrap_or(package)
}

/// Whether a text has a name as a whole word.
fn mentions_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let behind = text
            .get(at + name.len()..)
            .and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::{extensions, mentions_word};

    #[test]
    fn a_word_is_found_between_other_characters() {
        for text in ["Owner", "(Owner)", "a.Owner,b", "FlatOwner Owner"] {
            assert!(mentions_word(text, "Owner"), "{text}");
        }
        for text in ["", "Owners", "FlatOwner", "_Owner", "owner"] {
            assert!(!mentions_word(text, "Owner"), "{text}");
        }
    }

    #[test]
    fn files_are_searched_in_all_languages_that_can_call_each_other() {
        assert_eq!(extensions("a/B.java"), ["java", "kt"]);
        assert_eq!(extensions("a.py"), ["py"]);
        assert!(extensions("a.js").contains(&"tsx"));
        assert!(extensions("README.md").is_empty());
        assert!(extensions("Makefile").is_empty());
    }
}
