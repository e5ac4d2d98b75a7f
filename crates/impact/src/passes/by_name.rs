//! Determines which uses of a function's name in other files refer to a function that the change breaks.
//!
//! A use is certain if the file names the function's package, module or type. Otherwise the name has to be distinctive,
//! the file has to mention the type, and no other function in the repository may have that name.

use std::collections::BTreeMap;

use review::repository::mentions_word;
use syntax::semantics::vocabulary::words_of;

use crate::facts::{
    Break, ByName, Cause, Implementor, Mention, MentionKind, Named, NamedUse, ReceiverKind,
    Surrounding,
};
use crate::keys::extension;
use crate::links::Links;
use crate::paths::templates::{self, is_named_like};
use crate::paths::{Family, folder, last};
use crate::text::is_word_char;

/// A file outside the change.
pub(crate) struct AroundFile<'t> {
    pub(crate) text: &'t str,
    pub(crate) surrounding: Surrounding,
}

/// The files outside the change, by path.
pub(crate) type FilesAround<'t> = BTreeMap<&'t str, AroundFile<'t>>;

/// A use in another file.
pub(crate) struct FoundUse<'a> {
    pub(crate) path: &'a str,
    pub(crate) line: u32,
    /// `None` for an import.
    pub(crate) used: Option<&'a NamedUse>,
    pub(crate) is_certain: bool,
    /// The class that implements or extends the type.
    pub(crate) implementor: Option<&'a Implementor>,
}

impl<'a> FoundUse<'a> {
    fn new((path, line): (&'a str, u32), used: Option<&'a NamedUse>, is_certain: bool) -> Self {
        Self {
            path,
            line,
            used,
            is_certain,
            implementor: None,
        }
    }
}

/// The uses of a broken name in other files. `is_moved` is set if another changed file now defines it.
pub(crate) fn uses<'a>(
    file: &Links,
    one: &Break,
    (by_name, is_moved): (&ByName, bool),
    around: &'a FilesAround<'_>,
) -> Vec<FoundUse<'a>> {
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
        cause: &one.cause,
        is_defined_elsewhere: is_moved
            || by_name.has_namesake
            || others
                .iter()
                .any(|(path, other)| is_rival(family, by_name, &file.path, path, other, &one.name)),
    };
    let in_file = |(path, other): &(&'a str, &'a AroundFile<'_>)| match by_name.named {
        Named::Type => search.of_type(path, other),
        Named::Constructor => search.of_constructor(path, other),
        _ => search.of_name(path, other),
    };
    let in_code = others.iter().flat_map(in_file);
    in_code.chain(search.in_templates(around)).collect()
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
    let is_type = matches!(by_name.named, Named::Type | Named::Constructor);
    let is_apart = match family {
        // A function or type of another Go package needs the package's name.
        Family::Go => (by_name.owner.is_none() || is_type) && folder(path) != folder(home),
        Family::Jvm | Family::Php | Family::CSharp => {
            is_type && file.surrounding.package != by_name.package
        }
        _ => false,
    };
    !is_apart && mentions_of(file, name).any(|mention| mention.kind == MentionKind::Definition)
}

struct Search<'s> {
    home: &'s str,
    name: &'s str,
    by_name: &'s ByName,
    family: Family,
    cause: &'s Cause,
    is_defined_elsewhere: bool,
}

/// The name under which a file imports a type: `Status` in `use App\Enums\LicenseStatus as Status;`.
fn alias<'f>(text: &'f str, name: &str) -> Option<&'f str> {
    let import = format!("{name} as ");
    let before = |start: &str| start.ends_with(['\\', '.', ':', ' ', '{', '(']);
    let (start, rest) = text.split_once(&import)?;
    let end = rest.find(|c: char| !is_word_char(c))?;
    rest.get(..end)
        .filter(|found| before(start) && !found.is_empty())
}

/// The relation of a file to the function's own file.
struct Ties<'f> {
    is_same_folder: bool,
    is_same_package: bool,
    /// It imports the function itself.
    imports_function: bool,
    /// It names the package, the module, or the type with its package.
    names_home: bool,
    /// It contains the name of the type that the function is a member of.
    mentions_owner: bool,
    /// The name under which it imports that type.
    alias: Option<&'f str>,
}

impl Search<'_> {
    fn of_name<'a>(&self, path: &'a str, file: &'a AroundFile<'_>) -> Vec<FoundUse<'a>> {
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
            Some(FoundUse::new((path, mention.line), used, is_certain))
        };
        all().filter_map(found).collect()
    }

    /// The probable uses in templates.
    fn in_templates<'a>(&self, around: &'a FilesAround<'_>) -> Vec<FoundUse<'a>> {
        let is_member = matches!(self.by_name.named, Named::Function | Named::Field);
        let Some(owner) = self.by_name.owner.as_ref().filter(|_| is_member) else {
            return Vec::new();
        };
        if self.is_defined_elsewhere || *self.cause != Cause::Removed {
            return Vec::new();
        }
        let extensions = templates::extensions(self.home);
        let templates = around.iter().filter(|(path, _)| {
            extensions.contains(&extension(path)) && templates::is_template(path)
        });
        let lines = templates.flat_map(|(path, file)| {
            let lines = templates::uses(path, file.text, self.name, owner);
            lines.into_iter().map(|line| (*path, line))
        });
        lines
            .map(|(path, line)| FoundUse::new((path, line), None, false))
            .collect()
    }

    /// The uses of a type: the imports of it, or the other uses in a file that sees the type's package.
    fn of_type<'a>(&self, path: &'a str, file: &'a AroundFile<'_>) -> Vec<FoundUse<'a>> {
        let all = || mentions_of(file, self.name);
        let found = |mention: &'a Mention, is_certain| FoundUse {
            path,
            line: mention.line,
            used: None,
            is_certain,
            implementor: match &mention.kind {
                MentionKind::Base(class) => Some(class),
                _ => None,
            },
        };
        let is_import = |mention: &&Mention| matches!(mention.kind, MentionKind::Import(_));
        let imports = |mention: &&Mention| match &mention.kind {
            MentionKind::Import(text) => self.imports_type(text),
            _ => false,
        };
        if all().any(|mention| mention.kind == MentionKind::Definition) {
            return Vec::new();
        }
        let is_base = |mention: &&Mention| matches!(mention.kind, MentionKind::Base(_));
        let is_required = matches!(self.cause, Cause::Requires { .. });
        if all().any(|mention| is_import(&mention)) {
            let is_imported = all().any(|mention| imports(&mention));
            let places = all().filter(|mention| {
                if is_required {
                    is_base(mention)
                } else {
                    imports(mention)
                }
            });
            return places
                .filter(|_| is_imported)
                .map(|one| found(one, true))
                .collect();
        }
        let Some(is_certain) = self.sees_type(path, file) else {
            return Vec::new();
        };
        let is_use = |mention: &&Mention| match &mention.kind {
            MentionKind::Base(_) => true,
            MentionKind::Type => !is_required,
            MentionKind::Use(used) => !is_required && used.receiver == ReceiverKind::Bare,
            _ => false,
        };
        all()
            .filter(is_use)
            .map(|one| found(one, is_certain))
            .collect()
    }

    /// The calls of a constructor in a file that sees its type.
    fn of_constructor<'a>(&self, path: &'a str, file: &'a AroundFile<'_>) -> Vec<FoundUse<'a>> {
        let all = || mentions_of(file, self.name);
        let mut imports = all().filter_map(|mention| match &mention.kind {
            MentionKind::Import(text) => Some(self.imports_type(text)),
            _ => None,
        });
        let is_seen = match imports.next() {
            Some(first) => (first || imports.any(|own| own)).then_some(true),
            None => self.sees_type(path, file),
        };
        let Some(is_certain) = is_seen else {
            return Vec::new();
        };
        if all().any(|mention| mention.kind == MentionKind::Definition) {
            return Vec::new();
        }
        let called = all().filter_map(|mention| match &mention.kind {
            MentionKind::Use(used) if used.is_call && used.receiver == ReceiverKind::Bare => {
                Some(FoundUse::new((path, mention.line), Some(used), is_certain))
            }
            _ => None,
        });
        called.collect()
    }

    fn imports_type(&self, text: &str) -> bool {
        let Self { name, by_name, .. } = self;
        let path = match self.family {
            Family::Jvm => format!("{}.{name}", by_name.package),
            Family::Php => format!("{}\\{name}", by_name.package),
            Family::Rust => return self.names_module(text),
            Family::Python => {
                let module = last(self.home).strip_suffix(".py").unwrap_or_default();
                return text.contains(&format!("{module}import"));
            }
            _ => return false,
        };
        let is_end = |rest: &str| !rest.starts_with(is_word_char);
        if by_name.package.is_empty() {
            // `use App\Tag` does not import the class `Tag` that has no namespace.
            let imported = text
                .trim_start_matches("use")
                .trim_start()
                .trim_start_matches('\\');
            return imported.strip_prefix(*name).is_some_and(is_end);
        }
        text.split_once(&path).is_some_and(|(_, rest)| is_end(rest))
    }

    /// Whether a file that does not import the type certainly sees it; `None` if it does not, or sees another one.
    fn sees_type(&self, path: &str, file: &AroundFile<'_>) -> Option<bool> {
        let package = &self.by_name.package;
        let own = &file.surrounding.package;
        let moved_to = match self.cause {
            Cause::Moved(package) => Some(package),
            _ => None,
        };
        let sees_new_place = moved_to.is_some_and(|to| {
            own == to
                || own.starts_with(&format!("{to}."))
                || file.text.contains(&format!("using {to};"))
                || file.text.contains(&format!("{to}.*"))
        });
        if self.is_defined_elsewhere || sees_new_place {
            return None;
        }
        match self.family {
            Family::Jvm | Family::Php => (own == package && !package.is_empty()).then_some(true),
            Family::Go => {
                let is_inside = folder(path) == folder(self.home) && own == package;
                let is_named = || {
                    self.names_home(file.text)
                        && mentions_word(file.text, &format!("{package}.{}", self.name))
                };
                (is_inside || is_named()).then_some(true)
            }
            // Namespaces may be imported for a whole project.
            Family::CSharp => {
                let is_inside = own == package || own.starts_with(&format!("{package}."));
                (is_inside || self.names_home(file.text)).then_some(moved_to.is_none())
            }
            Family::Ruby => Some(false),
            Family::C | Family::Python | Family::Rust => None,
        }
    }

    fn ties<'f>(&self, path: &str, file: &AroundFile<'f>) -> Ties<'f> {
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
            alias: owner.and_then(|owner| alias(file.text, owner)),
        }
    }

    /// Whether an import imports the function.
    fn imports(&self, text: &str) -> bool {
        let Self { name, by_name, .. } = self;
        match (self.family, &by_name.owner) {
            (Family::Jvm, None) => text.contains(&format!("{}.{name}", by_name.package)),
            (Family::Jvm, Some(owner)) => text.contains(&format!("{owner}.{name}")),
            (Family::Rust, None) => self.names_module(text),
            _ => false,
        }
    }

    /// Whether a path of Rust goes through the module. If another file defines the name as well, the path may lead to that one.
    fn names_module(&self, text: &str) -> bool {
        let path = format!("{}::", self.module());
        let mut places = text.match_indices(&path).map(|(at, _)| at);
        let is_part = |at: usize| {
            !text
                .get(..at)
                .is_some_and(|before| before.ends_with(is_word_char))
        };
        !self.is_defined_elsewhere && places.any(is_part)
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
    fn certainty(&self, used: &NamedUse, ties: &Ties<'_>) -> Option<bool> {
        match &self.by_name.owner {
            None => self.means_function(used, ties).then_some(true),
            Some(owner) => self.of_member(used, ties, owner),
        }
    }

    /// Whether a use refers to a function that is not a member of a type.
    fn means_function(&self, used: &NamedUse, ties: &Ties<'_>) -> bool {
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
    fn of_member(&self, used: &NamedUse, ties: &Ties<'_>, owner: &str) -> Option<bool> {
        let is_rivalled = self.is_defined_elsewhere;
        let is_constant = self.by_name.named == Named::Constant;
        if is_rivalled && self.by_name.may_be_inherited {
            return None;
        }
        if ties.imports_function {
            return Some(true);
        }
        if used.receiver != ReceiverKind::Other {
            return None;
        }
        let is_of_type = used.through == owner || ties.alias == Some(used.through.as_str());
        if !used.is_call && !is_of_type && self.by_name.named == Named::Function {
            return None;
        }
        let is_go = self.family == Family::Go;
        let is_near = if is_go {
            ties.is_same_folder
        } else {
            ties.is_same_package
        };
        if is_of_type {
            let is_named = is_near
                || match self.family {
                    Family::Go => false,
                    Family::Rust | Family::C | Family::Ruby | Family::Python => {
                        !is_rivalled && !is_constant || ties.names_home
                    }
                    Family::Jvm | Family::Php | Family::CSharp => ties.names_home,
                };
            return (is_named || !is_rivalled).then_some(is_named);
        }
        if is_constant {
            return None;
        }
        if let Some(of) = used.receiver_type.as_deref() {
            let of = of.trim_start_matches(['*', '&']);
            let is_it = of.rsplit('.').next() == Some(owner);
            return is_it.then_some(is_near || ties.names_home || !is_rivalled);
        }
        // A value of a Go type is often used without naming the type.
        let knows_type = if is_go {
            is_near || ties.names_home
        } else {
            ties.mentions_owner
        };
        let is_named_like_it = || is_named_like(&used.through, owner);
        let is_distinctive = words_of(self.name).len() > 1;
        (is_distinctive && (knows_type || is_named_like_it()) && !is_rivalled).then_some(false)
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
