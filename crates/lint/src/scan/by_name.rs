//! Determines which uses of a function's name in other files refer to a function that the change breaks.
//!
//! A use is certain if the file names the function's package, module or type. Otherwise the name has to be distinctive,
//! the file has to mention the type, and no other function in the repository may have that name.

use std::collections::BTreeMap;

use review::repository::mentions_word;
use syntax::semantics::vocabulary::words_of;

use super::modules::{SCRIPTS, folder, last};
use crate::facts::{
    Break, ByName, Links, Mention, MentionKind, NamedUse, ReceiverKind, Surrounding,
};

/// A file outside the change.
pub(super) struct AroundFile<'t> {
    pub(super) text: &'t str,
    pub(super) surrounding: Surrounding,
}

/// The files outside the change, by path.
pub(super) type FilesAround<'t> = BTreeMap<&'t str, AroundFile<'t>>;

/// A use in another file.
pub(super) struct Found<'a> {
    pub(super) path: &'a str,
    pub(super) line: u32,
    /// `None` for an import.
    pub(super) used: Option<&'a NamedUse>,
    pub(super) is_certain: bool,
}

/// Languages with code that can call each other.
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

/// The extensions of the files that can use a file with this path.
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
    file: &Links,
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
    let all = file.surrounding.mentions.iter();
    all.filter(move |mention| mention.name == name)
}

/// Whether a file defines another function that uses of the name may refer to.
fn is_rival(
    family: Family,
    by_name: &ByName,
    home: &str,
    path: &str,
    file: &AroundFile<'_>,
    name: &str,
) -> bool {
    // A function of another Go package needs the package's name.
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

/// The relation of a file to the function's own file.
struct Ties {
    is_same_folder: bool,
    is_same_package: bool,
    /// It imports the function itself.
    imports_function: bool,
    /// It names the package, the module, or the type with its package.
    names_home: bool,
    /// It contains the name of the type that the function is a member of.
    mentions_owner: bool,
}

impl Search<'_> {
    fn in_file<'a>(&self, path: &'a str, file: &'a AroundFile<'_>) -> Vec<Found<'a>> {
        let all = || mentions_of(file, self.name);
        let has = |kind: fn(&MentionKind) -> bool| all().any(|mention| kind(&mention.kind));
        if !has(|kind| matches!(kind, MentionKind::Use(_) | MentionKind::Import(_))) {
            return Vec::new();
        }
        // A function in a variable, or one defined in the file itself.
        let is_shadowed =
            has(|kind| matches!(kind, MentionKind::Definition | MentionKind::Variable));
        let ties = self.ties(path, file);
        let found = |mention: &'a Mention| {
            let (used, is_certain) = match &mention.kind {
                MentionKind::Import(text) if self.imports(text) => (None, true),
                MentionKind::Use(used) if used.receiver != ReceiverKind::Bare || !is_shadowed => {
                    (Some(used), self.certainty(used, &ties)?)
                }
                _ => return None,
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

    fn ties(&self, path: &str, file: &AroundFile<'_>) -> Ties {
        let imports = |mention: &Mention| match &mention.kind {
            MentionKind::Import(text) => self.imports(text),
            _ => false,
        };
        let owner = self.by_name.owner.as_deref();
        Ties {
            is_same_folder: folder(path) == folder(self.home),
            is_same_package: file.surrounding.package == self.by_name.package,
            imports_function: mentions_of(file, self.name).any(imports),
            names_home: self.names_home(file.text),
            mentions_owner: owner.is_some_and(|owner| mentions_word(file.text, owner)),
        }
    }

    /// Whether an import imports the function.
    fn imports(&self, text: &str) -> bool {
        let Self { name, by_name, .. } = self;
        match (self.family, &by_name.owner) {
            (Family::Jvm, None) => text.contains(&format!("{}.{name}", by_name.package)),
            (Family::Jvm, Some(owner)) => text.contains(&format!("{owner}.{name}")),
            (Family::Rust, None) => text.contains(&format!("{}::", self.module())),
            _ => false,
        }
    }

    fn names_home(&self, text: &str) -> bool {
        let package = &self.by_name.package;
        match (self.family, &self.by_name.owner) {
            (Family::Go, _) => text.contains(&format!("/{}\"", folder(self.home))),
            (Family::Jvm, Some(owner)) => {
                text.contains(&format!("{package}.{owner}"))
                    || text.contains(&format!("{package}.*"))
            }
            (Family::Php, Some(owner)) => text.contains(&format!("{package}\\{owner}")),
            (Family::CSharp, Some(_)) => text.contains(&format!("using {package};")),
            (Family::Rust, None) => text.contains(&format!("{}::*", self.module())),
            (Family::Rust, Some(_)) => mentions_word(text, self.module()),
            (Family::Python | Family::Ruby, Some(_)) => {
                let stem = last(self.home).split('.').next().unwrap_or_default();
                mentions_word(text, stem)
            }
            _ => false,
        }
    }

    /// Whether a use certainly refers to the function; `None` if that is unlikely.
    fn certainty(&self, used: &NamedUse, ties: &Ties) -> Option<bool> {
        match &self.by_name.owner {
            None => self.means_function(used, ties).then_some(true),
            Some(owner) => self.of_member(used, ties, owner),
        }
    }

    /// Whether a use refers to a function that is not a member of a type.
    fn means_function(&self, used: &NamedUse, ties: &Ties) -> bool {
        if self.is_defined_elsewhere {
            return self.family == Family::Jvm && ties.imports_function;
        }
        let is_bare = used.receiver == ReceiverKind::Bare;
        let is_through = |name: &str| used.receiver == ReceiverKind::Other && used.through == name;
        match self.family {
            Family::Go if is_bare => ties.is_same_folder && ties.is_same_package,
            Family::Go => {
                let has_path = !folder(self.home).is_empty();
                is_through(&self.by_name.package) && has_path && ties.names_home
            }
            Family::Jvm => ties.imports_function || is_bare && ties.is_same_package,
            Family::Rust => {
                is_through(self.module()) || is_bare && (ties.imports_function || ties.names_home)
            }
            Family::C => is_bare || is_through(last_part(&self.by_name.package)),
            Family::Php => is_bare,
            Family::Ruby | Family::CSharp | Family::Python => false,
        }
    }

    /// The certainty for a member of a type.
    fn of_member(&self, used: &NamedUse, ties: &Ties, owner: &str) -> Option<bool> {
        let is_rivalled = self.is_defined_elsewhere;
        if is_rivalled && self.by_name.may_be_inherited {
            return None;
        }
        if ties.imports_function {
            return Some(true);
        }
        if used.receiver != ReceiverKind::Other {
            return None;
        }
        let is_go = self.family == Family::Go;
        let is_near = if is_go {
            ties.is_same_folder
        } else {
            ties.is_same_package
        };
        if used.through == owner {
            let is_named = is_near
                || match self.family {
                    Family::Go => false,
                    Family::Rust | Family::C | Family::Ruby | Family::Python => {
                        !is_rivalled && !self.by_name.is_constant || ties.names_home
                    }
                    Family::Jvm | Family::Php | Family::CSharp => ties.names_home,
                };
            return (is_named || !is_rivalled).then_some(is_named);
        }
        if self.by_name.is_constant {
            return None;
        }
        // A value of a Go type is often used without naming the type.
        let knows_type = if is_go {
            is_near || ties.names_home
        } else {
            ties.mentions_owner
        };
        let is_distinctive = words_of(self.name).len() > 1;
        (is_distinctive && knows_type && !is_rivalled).then_some(false)
    }

    /// The Rust module that a file is.
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

#[cfg(test)]
mod tests {
    use super::extensions;

    #[test]
    fn files_are_searched_in_all_languages_that_can_call_each_other() {
        assert_eq!(extensions("a/B.java"), ["java", "kt"]);
        assert_eq!(extensions("a.py"), ["py"]);
        assert!(extensions("a.js").contains(&"tsx"));
        assert!(extensions("README.md").is_empty());
        assert!(extensions("Makefile").is_empty());
    }
}
