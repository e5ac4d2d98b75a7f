//! Breaks in files that a change does not touch: connects the breaks of changed files with the uses in others.
//!
//! Nothing is parsed here: both sides are facts.

use std::collections::{HashMap, HashSet};

use review::Place;
use review::repository::{MANY_BYTES, MANY_FILES, MAX_NAMES, MentionSearch, Mentions};
use syntax::semantics::result_use::ResultUse;
use syntax::semantics::symbols::borrowed::Borrowed;

use super::by_name::{self, AroundFile, FilesAround};
use crate::conflict::{Conflict, Judge, Ruling, rulings};
use crate::facts::{Break, Cause, Named, NamedUse, Passing, Use};
use crate::links::Links;
use crate::paths::families::extensions;
use crate::paths::{Family, Modules, folder, templates};
use crate::project::{Asked, Project, Question};
use crate::text::hash;

/// The subject of the messages.
const SUBJECT: &str = "Other files that use changed or removed definitions";
/// The beginning of a warning about a refused search.
pub(super) const UNSEARCHED: &str =
    "Other files that use changed or removed definitions could not be searched";

/// Finds breaks in files that the change does not touch. These files are searched for and read only if the change breaks something
/// for them.
pub(super) async fn find(
    project: &Project<'_, '_>,
    changed: &[Links],
    judges: &[Judge],
) -> Vec<Ruling> {
    let Some((search, has_more)) = search(changed) else {
        return Vec::new();
    };
    let searched = project.mentions(&search);
    let Some(mentions) = project.unless_refused(UNSEARCHED, searched).await else {
        return Vec::new();
    };
    if mentions.is_limited {
        project.note_limit(&format!(
            "{SUBJECT} were searched only in the folders near the change: the repository has more than {MANY_FILES} files, or {} MB \
             in files of this kind.",
            MANY_BYTES / 1_000_000
        ));
    }
    let around = read(project, &mentions).await;
    if has_more || mentions.is_cut || around.len() < mentions.files.len() {
        project.note_cut(SUBJECT);
    }
    conclude(judges, changed, &around, &mentions.paths)
}

/// The facts of the files that mention the names.
async fn read<'m>(project: &Project<'_, '_>, mentions: &'m Mentions) -> FilesAround<'m> {
    let files = mentions.files.iter();
    let questions = files.map(|file| {
        let asked = Asked::Uses(file.names.clone());
        Question::new(&file.path, &file.text, asked)
    });
    let questions: Vec<Question<'_>> = questions.collect();
    let answers = project.ask(&questions).await.into_iter();
    let around = answers.filter_map(|(at, surrounding)| {
        let file = mentions.files.get(at)?;
        let text = file.text.as_str();
        Some((file.path.as_str(), AroundFile { text, surrounding }))
    });
    around.collect()
}

/// The names to search for; `None` if there is no break that could be found. The flag is set if there are more names.
fn search(changed: &[Links]) -> Option<(MentionSearch, bool)> {
    let mut search = MentionSearch::default();
    let mut is_cut = false;
    for file in changed.iter().filter(|file| !file.breaks.is_empty()) {
        let extensions = extensions(&file.path);
        for one in file.breaks.iter().filter(|_| !extensions.is_empty()) {
            let name = last_part(&one.name);
            if search.names.iter().any(|known| known == name) {
                continue;
            }
            if search.names.len() == MAX_NAMES {
                is_cut = true;
                break;
            }
            search.names.push(name.to_owned());
        }
        search.extensions.extend(extensions);
        if file.breaks.iter().any(|one| one.by_name.is_some()) {
            search.extensions.extend(templates::extensions(&file.path));
        }
        if !extensions.is_empty() {
            // The parent of its folder also contains the neighbouring folders.
            let own = folder(&file.path);
            let near = if own.contains('/') { folder(own) } else { own };
            search.near.insert(near.to_owned());
        }
    }
    search.extensions.sort_unstable();
    search.extensions.dedup();
    (!search.names.is_empty()).then_some((search, is_cut))
}

/// The name that other files contain: that of the member in `Type.member`.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The first and the last of the changed files that define a name.
struct Definers {
    first: usize,
    last: usize,
}

impl Definers {
    fn has_other_than(&self, file: usize) -> bool {
        self.first != file || self.last != file
    }
}

/// The changed files that define the names of breaks on their new side, by the hashes of the names.
fn definers(changed: &[Links]) -> HashMap<u64, Definers> {
    let breaks = changed.iter().flat_map(|file| &file.breaks);
    let broken: HashSet<u64> = breaks.map(|one| hash(last_part(&one.name))).collect();
    let mut found: HashMap<u64, Definers> = HashMap::new();
    for file in changed {
        for name in file.defined.iter().filter(|name| broken.contains(name)) {
            let (first, last) = (file.file, file.file);
            let known = found.entry(*name).or_insert(Definers { first, last });
            known.last = last;
        }
    }
    found
}

/// Whether a file is in a hidden folder: code of a tool, such as the test cases of a linter's rules, is not run with the program.
fn is_of_tool(path: &str) -> bool {
    folder(path)
        .split('/')
        .any(|part| part.len() > 1 && part.starts_with('.'))
}

/// Whether another changed file gets the definition of a member that a file loses: a method moves to another file of its package,
/// to another part of its class, to a trait, or becomes an extension function.
fn is_taken_over(file: &Links, one: &Break, changed: &[Links]) -> bool {
    let is_member = one.by_name.as_ref().is_some_and(|by_name| {
        by_name.owner.is_some() && matches!(by_name.named, Named::Function | Named::Field)
    });
    let name = hash(last_part(&one.name));
    let sees = |other: &Links| match Family::of(&file.path) {
        Some(Family::Go) => folder(&other.path) == folder(&file.path),
        family => family.is_some() && Family::of(&other.path) == family,
    };
    is_member
        && one.cause == Cause::Removed
        && changed.iter().any(|other| {
            other.file != file.file && sees(other) && other.introduced.binary_search(&name).is_ok()
        })
}

/// The conflicts that the rules report.
fn conclude(
    judges: &[Judge],
    changed: &[Links],
    around: &FilesAround<'_>,
    paths: &[String],
) -> Vec<Ruling> {
    let changed_paths = changed.iter().map(|file| file.path.as_str());
    let modules = Modules::new(
        paths
            .iter()
            .map(String::as_str)
            .chain(around.keys().copied())
            .chain(changed_paths),
    );
    // A large file has several.
    let mut links_of = HashMap::<&str, Vec<&Links>>::new();
    for file in changed {
        links_of.entry(&file.path).or_default().push(file);
    }
    let definers = definers(changed);
    let mut found = Vec::new();
    for file in changed {
        for one in file
            .breaks
            .iter()
            .filter(|one| !is_taken_over(file, one, changed))
        {
            let mut used = match &one.by_name {
                Some(by_name) => {
                    let definers = definers.get(&hash(last_part(&one.name)));
                    let is_moved = definers.is_some_and(|files| files.has_other_than(file.file));
                    uses_by_name(by_name::uses(file, one, (by_name, is_moved), around))
                }
                None => uses_by_import(file, one, around, &modules),
            };
            if used.is_empty() {
                continue;
            }
            for place in &mut used {
                place.is_certain &= !is_of_tool(&place.path);
                let own = links_of.get(place.path.as_str());
                place.is_in_changed_file = own.is_some();
                place.is_added = own.is_some_and(|own| {
                    let adds = |links: &&Links| links.added.binary_search(&place.line).is_ok();
                    own.iter().any(adds)
                });
            }
            let place = Place {
                file: file.file,
                side: one.side,
                line: one.line,
            };
            found.extend(rulings(judges, place, &Conflict::Broken(one, &used)));
        }
    }
    found
}

/// The uses of a broken name in files that import it from the changed file.
fn uses_by_import(
    file: &Links,
    one: &Break,
    around: &FilesAround<'_>,
    modules: &Modules<'_>,
) -> Vec<Use> {
    if modules.has_module(&file.path, &one.name) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (path, other) in around.iter().filter(|(path, _)| **path != file.path) {
        let refers_to_it = |own: &&Borrowed| {
            own.name == one.name
                && modules.means(path, &own.module, own.way, one.is_one_object, &file.path)
        };
        found.extend(
            other
                .surrounding
                .borrowed
                .iter()
                .filter(refers_to_it)
                .map(|own| Use {
                    path: (*path).to_owned(),
                    line: own.line,
                    passed: own.passed.clone().map(Passing::Listed),
                    result: own.result,
                    is_certain: true,
                    is_in_changed_file: false,
                    is_added: false,
                    implementor: None,
                }),
        );
    }
    found
}

/// The certain uses or, if there are none, the likely ones.
fn uses_by_name(found: Vec<by_name::FoundUse<'_>>) -> Vec<Use> {
    let has_certain = found.iter().any(|one| one.is_certain);
    let passed = |used: &NamedUse| match (&used.passed, used.arguments) {
        (Some(passed), _) => Some(Passing::Listed(passed.clone())),
        (None, count) => count.map(Passing::Counted),
    };
    found
        .into_iter()
        .filter(|one| one.is_certain == has_certain)
        .map(|one| Use {
            path: one.path.to_owned(),
            line: one.line,
            passed: one.used.and_then(passed),
            result: one.used.map_or(ResultUse::Unknown, |used| used.result),
            is_certain: one.is_certain,
            is_in_changed_file: false,
            is_added: false,
            implementor: one.implementor.cloned(),
        })
        .collect()
}
