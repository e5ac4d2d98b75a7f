//! Types of other packages that a changed file uses without importing them.
//!
//! Nothing is parsed here: the types are facts, and whether another file declares a name is a question about its text.

use std::collections::{BTreeMap, BTreeSet};

use review::repository::{
    Listing, MAX_NAMES, MentionSearch, MentioningFile, Mentions, Refusal, mentions_word,
};
use review::{Place, Side};
use syntax::semantics::symbols::standard;
use syntax::semantics::vocabulary::words_of;

use crate::conflict::{Conflict, Judge, NotImported, Ruling, rulings};
use crate::facts::{Surface, UnboundName};
use crate::keys::extension;
use crate::links::Links;
use crate::paths::{families, folder, is_around, last};
use crate::project::{Project, Question};
use crate::text::{is_word_char, occurrences};

/// The maximum number of files that are read.
const FILES: usize = 200;
/// The maximum number of files with the name of one type, and of files of a Go package.
const FILES_OF_TYPE: usize = 20;
const FILES_OF_PACKAGE: usize = 80;
/// The maximum number of names of one change.
const NAMES: usize = 1_000;
/// The extensions of the files that decide what all files of a C# project import.
const PROJECTS: &[&str] = &["csproj", "props", "targets"];
/// The word that such an import begins with.
const GLOBAL: &str = "global";
/// The words before the name of a type or, in Kotlin, of a function that looks like one.
const DECLARING: &[&str] = &[
    "class", "interface", "enum", "record", "struct", "trait", "object", "typealias", "fun", "val",
    "var", "delegate",
];

/// Finds types of other packages that the changed files use and do not import.
pub(super) async fn find(
    project: &Project<'_, '_>,
    changed: &[Links],
    judges: &[Judge],
) -> Result<Vec<Ruling>, Refusal> {
    let extensions = extensions(changed);
    if extensions.is_empty() {
        return Ok(Vec::new());
    }
    let listing = project.repository.list(&extensions).await?;
    if !listing.is_complete {
        return Ok(Vec::new());
    }
    let mut names = Unimported::new(changed, &listing);
    let texts = project.read(&names.needed()).await?;
    let questions = Question::about_types(&texts, is_text);
    let mut surfaces = project.answers(&questions, |own| own.surface).await;
    for (path, text) in texts {
        let surface = surfaces.remove(&path);
        names.files.insert(path, (text, surface));
    }
    let Some(search) = names.search() else {
        return Ok(Vec::new());
    };
    let mentions = project.mentions(&search).await?;
    let global = match names.search_global() {
        Some(search) => project.mentions(&search).await?,
        None => Mentions::default(),
    };
    Ok(names.conclude(judges, &mentions, &global))
}

/// Whether a file is read for its text only.
fn is_text(path: &str) -> bool {
    PROJECTS.contains(&extension(path))
}

/// The extensions of the files that may define the names.
fn extensions(changed: &[Links]) -> Vec<&'static str> {
    let mut found = BTreeSet::new();
    for file in changed.iter().filter(|file| !file.unbound.names.is_empty()) {
        found.extend(families::extensions(&file.path));
        if extension(&file.path) == "cs" {
            found.extend(PROJECTS);
        }
    }
    found.into_iter().collect()
}

/// Whether the line that defines a type of C# gives it type parameters.
fn is_generic(text: &str, line: u32, name: &str) -> bool {
    let at = usize::try_from(line)
        .unwrap_or(usize::MAX)
        .saturating_sub(1);
    let line = text.lines().nth(at).unwrap_or_default();
    occurrences(line, name, is_word_char).any(|(_, after)| after.starts_with('<'))
}

struct Wanted<'l> {
    file: &'l Links,
    own: &'l UnboundName,
    /// The files that may define it.
    homes: Vec<&'l str>,
    /// The other files of the own package, for Go.
    beside: Vec<&'l str>,
}

/// The unbound names of a change, and the files that may define them.
struct Unimported<'l> {
    changed: &'l [Links],
    wanted: Vec<Wanted<'l>>,
    /// The projects around files of C#.
    projects: Vec<&'l str>,
    files: BTreeMap<String, (String, Option<Surface>)>,
}

impl<'l> Unimported<'l> {
    fn new(changed: &'l [Links], listing: &'l Listing) -> Self {
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut of_go: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in &listing.paths {
            by_name.entry(last(path)).or_default().push(path);
            let is_of_package =
                path.ends_with(".go") && !path.ends_with("_test.go") && !is_foreign(path);
            if is_of_package {
                of_go.entry(folder(path)).or_default().push(path);
            }
        }
        let mut wanted = Vec::new();
        for file in changed {
            for own in &file.unbound.names {
                if wanted.len() == NAMES {
                    break;
                }
                wanted.extend(want(file, own, &by_name, &of_go));
            }
        }
        let is_project = |path: &&str| PROJECTS.contains(&extension(path));
        let is_needed = |path: &&str| {
            let mut of_csharp = wanted
                .iter()
                .map(|one| one.file.path.as_str())
                .filter(|path| path.ends_with(".cs"));
            of_csharp.any(|file| is_around(file, folder(path)))
        };
        let projects = listing.paths.iter().map(String::as_str).filter(is_project);
        let projects = projects.filter(is_needed).take(FILES_OF_TYPE).collect();
        Self {
            changed,
            wanted,
            projects,
            files: BTreeMap::new(),
        }
    }

    /// The files to read, with those whose text is enough.
    fn needed(&self) -> Vec<String> {
        let wanted = self
            .wanted
            .iter()
            .flat_map(|one| one.homes.iter().chain(&one.beside));
        let needed: BTreeSet<&str> = self.projects.iter().chain(wanted).copied().collect();
        needed.into_iter().take(FILES).map(str::to_owned).collect()
    }

    /// The names that seem to be in other packages, to be searched for; `None` if there are none.
    fn search(&self) -> Option<MentionSearch> {
        let names = self.wanted.iter().filter(|one| self.may_be_missing(one));
        let names: BTreeSet<&str> = names.map(|one| one.own.name.as_str()).collect();
        if names.is_empty() {
            return None;
        }
        Some(MentionSearch {
            names: names
                .into_iter()
                .take(MAX_NAMES)
                .map(str::to_owned)
                .collect(),
            extensions: extensions(self.changed),
            ..MentionSearch::default()
        })
    }

    /// The files that import namespaces for all files of a C# project, to be searched for; `None` if no file of C# needs them.
    fn search_global(&self) -> Option<MentionSearch> {
        let is_needed =
            |one: &Wanted<'_>| one.file.path.ends_with(".cs") && self.may_be_missing(one);
        self.wanted.iter().any(is_needed).then(|| MentionSearch {
            names: vec![GLOBAL.to_owned()],
            extensions: vec!["cs"],
            ..MentionSearch::default()
        })
    }

    /// The conflicts that the rules report. `mentions` has the files with the names.
    fn conclude(&self, judges: &[Judge], mentions: &Mentions, global: &Mentions) -> Vec<Ruling> {
        let mut found = BTreeMap::new();
        for one in self.wanted.iter().filter(|one| self.may_be_missing(one)) {
            let Some(missing) = self.judge(one, mentions, global) else {
                continue;
            };
            let (side, line) = missing.place;
            let file = one.file.file;
            let place = Place { file, side, line };
            for ruling in rulings(judges, place, &Conflict::NotImported(missing.of)) {
                found.entry((file, side, line)).or_insert(ruling);
            }
        }
        found.into_values().collect()
    }

    /// The types with a wanted name in the files that were read; `None` if one of them could not be read completely.
    fn homes<'h>(&'h self, one: &Wanted<'_>) -> Option<Vec<(&'h str, &'h str, u32)>> {
        let mut found = Vec::new();
        for path in &one.homes {
            let (path, (text, surface)) = self.files.get_key_value(*path)?;
            let surface = surface.as_ref()?;
            if path.ends_with(".go") {
                let is_wanted = surface.package == one.own.name
                    && one
                        .own
                        .member
                        .as_deref()
                        .is_some_and(|member| mentions_word(text, member));
                found.extend(is_wanted.then_some((path.as_str(), folder(path), 1)));
                continue;
            }
            let own = surface.types.iter().filter(|own| own.name == one.own.name);
            // In C#, `Cache` and `Cache<T>` are two types.
            let own = own.filter(|own| {
                !path.ends_with(".cs")
                    || is_generic(text, own.line, &own.name) == one.own.is_generic
            });
            found.extend(own.map(|own| (path.as_str(), surface.package.as_str(), own.line)));
        }
        Some(found)
    }

    /// Whether the files that were read leave it possible that a name is missing.
    fn may_be_missing(&self, one: &Wanted<'_>) -> bool {
        let package = one.file.unbound.package.as_str();
        let is_csharp = extension(&one.file.path) == "cs";
        let standard = standard::namespace_of(&one.own.name).filter(|_| is_csharp);
        let lost = &one.file.unbound.lost_namespaces;
        let is_lost = |home: &str| lost.iter().any(|(name, _)| name == home);
        self.homes(one).is_some_and(|homes| {
            let is_known = !homes.is_empty() || one.own.lost.is_some() || standard.is_some();
            let mut packages = homes.iter().map(|(_, own, _)| *own).chain(standard);
            is_known
                && !homes.iter().any(|(_, own, _)| *own == package)
                && (!is_csharp || lost.is_empty() || packages.any(is_lost))
        })
    }

    fn judge<'h>(
        &'h self,
        one: &Wanted<'h>,
        mentions: &'h Mentions,
        global: &Mentions,
    ) -> Option<Judged<'h>> {
        let homes = self.homes(one)?;
        let name = &one.own.name;
        // The file itself mentions the name, unless there were too many to search for.
        let is_found =
            |file: &MentioningFile| file.path == one.file.path && file.names.contains(name);
        let is_searched = !(mentions.is_limited || mentions.unsearched.contains(name))
            && mentions.files.iter().any(is_found);
        match extension(&one.file.path) {
            "go" => self.judge_go(one, &homes),
            "cs" => self.judge_csharp(one, &homes, (mentions, global), is_searched),
            _ => judge_by_package(one, &homes, mentions, is_searched),
        }
    }

    /// The package may have a variable of the name in another file.
    fn judge_go<'h>(
        &'h self,
        one: &Wanted<'h>,
        homes: &[(&'h str, &'h str, u32)],
    ) -> Option<Judged<'h>> {
        for path in &one.beside {
            let (text, _) = self.files.get(*path)?;
            let is_other = |(before, after): (&str, &str)| {
                !(after.starts_with('.')
                    || before.trim_start().starts_with("//")
                    || before.contains('"'))
            };
            if places(text, &one.own.name).any(is_other) {
                return None;
            }
        }
        let (_, home, _) = homes.first()?;
        Some(Judged::added(one, home, None))
    }

    fn judge_csharp<'h>(
        &'h self,
        one: &Wanted<'h>,
        homes: &[(&'h str, &'h str, u32)],
        (mentions, global): (&'h Mentions, &Mentions),
        is_searched: bool,
    ) -> Option<Judged<'h>> {
        let (own, unbound) = (one.own, &one.file.unbound);
        if global.is_cut || global.is_limited || !global.unsearched.is_empty() {
            return None;
        }
        let projects = || {
            self.projects
                .iter()
                .filter(|path| is_around(&one.file.path, folder(path)))
        };
        let texts: Vec<&str> = projects()
            .filter_map(|path| Some(self.files.get(*path)?.0.as_str()))
            .collect();
        let has_project = projects().any(|path| path.ends_with(".csproj"));
        let is_visible = |namespace: &str| {
            let is_around = unbound.package == namespace
                || unbound
                    .package
                    .strip_prefix(namespace)
                    .is_some_and(|rest| rest.starts_with('.'));
            let implicit = texts.iter().any(|text| {
                text.contains("ImplicitUsings") && !text.contains("ImplicitUsings>disable")
            });
            let imported = format!("global using {namespace};");
            let of_project = format!("\"{namespace}\"");
            is_around
                || unbound.namespaces.iter().any(|own| own == namespace)
                || implicit && IMPLICIT.contains(&namespace)
                || texts.iter().any(|text| text.contains(&of_project))
                || global
                    .files
                    .iter()
                    .any(|file| file.text.contains(&imported))
        };
        let declaring = declaring(&own.name, mentions);
        let (home, defined) = match homes {
            [] => {
                let namespace = standard::namespace_of(&own.name)?;
                if declaring.count() > 0 || !has_project {
                    return None;
                }
                (namespace, None)
            }
            [(path, namespace, line)] => {
                let is_only = declaring.into_iter().all(|(other, _)| other == *path);
                let (text, _) = self.files.get(*path)?;
                let count = text
                    .lines()
                    .filter(|line| line.trim_start().starts_with("namespace "))
                    .count();
                let is_lost = unbound
                    .lost_namespaces
                    .iter()
                    .any(|(name, _)| name == namespace);
                if count != 1 || is_searched && !is_only || !is_searched && !is_lost {
                    return None;
                }
                (*namespace, Some((*path, *line)))
            }
            _ => return None,
        };
        if is_visible(home) {
            return None;
        }
        if let Some((_, line)) = unbound
            .lost_namespaces
            .iter()
            .find(|(name, _)| name == home)
        {
            return Some(Judged::lost(one, home, defined, *line));
        }
        // A library may define a type of the same name in one of its namespaces.
        let first = home.split('.').next().unwrap_or_default();
        let is_known = |namespace: &String| {
            let root = namespace.split('.').next().unwrap_or_default();
            root == first || root == "System"
        };
        let is_certain = own.is_added
            && unbound.lost_namespaces.is_empty()
            && unbound.namespaces.iter().all(is_known)
            && words_of(&own.name).len() > 1;
        is_certain.then(|| Judged::added(one, home, defined))
    }
}

/// The names of a language in which a file sees the types of its own package.
fn judge_by_package<'h>(
    one: &Wanted<'h>,
    homes: &[(&'h str, &'h str, u32)],
    mentions: &'h Mentions,
    is_searched: bool,
) -> Option<Judged<'h>> {
    let (own, package) = (one.own, one.file.unbound.package.as_str());
    let kind = extension(&one.file.path);
    let is_default = matches!(kind, "java" | "kt") && standard::is_default_of_jvm(&own.name);
    if package.is_empty() || is_default || is_generated(&own.name) {
        return None;
    }
    let others = || declaring(&own.name, mentions).filter(|(path, _)| *path != one.file.path);
    let is_beside =
        |(_, text): (&str, &str)| package_of(text) == package || text.contains("class_alias");
    // Nested types of base types.
    let is_nested = |(path, _): (&str, &str)| !homes.iter().any(|(home, ..)| *home == path);
    let may_be_inherited = own.may_be_inherited && kind != "php" && own.lost.is_none();
    let is_certain = match is_searched {
        true if may_be_inherited => words_of(&own.name).len() > 1 && !others().any(is_nested),
        true => true,
        // A type of Java, and a class of PHP, is in a file with its name.
        false => (kind != "kt" || own.lost.is_some()) && !may_be_inherited,
    };
    if !is_certain || others().any(is_beside) {
        return None;
    }
    match (&own.lost, homes.first()) {
        (Some((home, line)), _) => {
            let defined = homes.iter().find(|(_, package, _)| package == home);
            Some(Judged::lost(
                one,
                home,
                defined.map(|(path, _, line)| (*path, *line)),
                *line,
            ))
        }
        (None, Some((path, home, line))) => Some(Judged::added(one, home, Some((*path, *line)))),
        (None, None) => None,
    }
}

/// Whether tools generate types of such names into the packages of Android projects.
fn is_generated(name: &str) -> bool {
    matches!(name, "R" | "BR" | "BuildConfig")
        || name.ends_with("Binding")
        || name.ends_with("Directions")
}

/// A name that is certainly missing.
struct Judged<'h> {
    of: NotImported<'h>,
    place: (Side, u32),
}

impl<'h> Judged<'h> {
    fn added(one: &Wanted<'h>, home: &'h str, defined: Option<(&'h str, u32)>) -> Self {
        Self {
            of: NotImported {
                name: &one.own.name,
                line: one.own.line,
                is_added: one.own.is_added,
                package: &one.file.unbound.package,
                home,
                defined,
                is_lost: false,
            },
            place: (Side::New, one.own.line),
        }
    }

    /// The change removes the import on this line.
    fn lost(one: &Wanted<'h>, home: &'h str, defined: Option<(&'h str, u32)>, line: u32) -> Self {
        let mut own = Self::added(one, home, defined);
        own.of.is_lost = true;
        if !one.own.is_added {
            own.place = (Side::Old, line);
        }
        own
    }
}

fn want<'l>(
    file: &'l Links,
    own: &'l UnboundName,
    by_name: &BTreeMap<&str, Vec<&'l str>>,
    of_go: &BTreeMap<&str, Vec<&'l str>>,
) -> Option<Wanted<'l>> {
    let kind = extension(&file.path);
    let inside = folder(&file.path);
    if kind == "go" {
        let folders = of_go
            .iter()
            .filter(|(path, _)| last(path) == own.name && **path != inside);
        let homes: Vec<&str> = folders.flat_map(|(_, files)| files).copied().collect();
        let beside = of_go.get(inside).map_or(&[][..], Vec::as_slice);
        let beside: Vec<&str> = beside
            .iter()
            .filter(|path| **path != file.path)
            .copied()
            .collect();
        let is_small = homes.len() <= FILES_OF_PACKAGE && beside.len() <= FILES_OF_PACKAGE;
        return (own.lost.is_none() && !homes.is_empty() && is_small).then_some(Wanted {
            file,
            own,
            homes,
            beside,
        });
    }
    let extensions: &[&str] = match kind {
        "java" | "kt" => &["java", "kt"],
        "php" => &["php"],
        "cs" => &["cs"],
        _ => return None,
    };
    let named = |extension: &&str| by_name.get(format!("{}.{extension}", own.name).as_str());
    let homes: Vec<&str> = extensions
        .iter()
        .filter_map(named)
        .flatten()
        .copied()
        .collect();
    let is_beside = homes.iter().any(|path| folder(path) == inside) && kind != "cs";
    let is_known = !homes.is_empty()
        || own.lost.is_some()
        || kind == "cs" && standard::namespace_of(&own.name).is_some();
    (is_known && !is_beside && homes.len() <= FILES_OF_TYPE).then_some(Wanted {
        file,
        own,
        homes,
        beside: Vec::new(),
    })
}

/// Whether a file of Go belongs to another module or is only an example for tools.
fn is_foreign(path: &str) -> bool {
    path.split('/')
        .any(|part| matches!(part, "vendor" | "testdata"))
}

/// The files that declare a name, with their texts.
fn declaring<'m>(name: &str, mentions: &'m Mentions) -> impl Iterator<Item = (&'m str, &'m str)> {
    let is_declared = move |text: &str| {
        places(text, name).any(|(before, _)| {
            let before = before.trim_end();
            let word = before
                .rsplit(|c: char| !c.is_alphanumeric())
                .next()
                .unwrap_or_default();
            DECLARING.contains(&word)
        })
    };
    let files = mentions
        .files
        .iter()
        .filter(move |file| is_declared(&file.text));
    files.map(|file| (file.path.as_str(), file.text.as_str()))
}

/// The parts of a line before and behind each occurrence of a word in a text.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    text.lines()
        .flat_map(move |line| occurrences(line, name, is_word_char))
}

/// The package that a file names, as its text shows it.
fn package_of(text: &str) -> &str {
    let name = text.lines().find_map(|line| {
        let line = line.trim_start().trim_start_matches("<?php").trim_start();
        line.strip_prefix("package ")
            .or_else(|| line.strip_prefix("namespace "))
    });
    name.map_or("", |name| name.trim().trim_end_matches([';', '{', ' ']))
}

/// The namespaces that projects of C# import for all of their files if `ImplicitUsings` is on.
const IMPLICIT: &[&str] = &[
    "System",
    "System.IO",
    "System.Linq",
    "System.Collections.Generic",
    "System.Threading",
    "System.Threading.Tasks",
    "System.Net.Http",
    "System.Net.Http.Json",
    "Microsoft.AspNetCore.Builder",
    "Microsoft.AspNetCore.Hosting",
    "Microsoft.AspNetCore.Http",
    "Microsoft.AspNetCore.Routing",
    "Microsoft.Extensions.Configuration",
    "Microsoft.Extensions.DependencyInjection",
    "Microsoft.Extensions.Hosting",
    "Microsoft.Extensions.Logging",
];
