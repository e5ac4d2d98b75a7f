//! Imports that a change makes from other files of the repository: whether these files exist and export the imported
//! names.
//!
//! Nothing is parsed here: both sides are facts.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use review::repository::{Listing, Refusal};
use review::{MAX_RELATED, Place, Side};
use syntax::semantics::symbols::borrowed::{Borrowed, Way};

use crate::conflict::{Conflict, Import, Judge, Ruling, rulings};
use crate::facts::Offer;
use crate::links::Links;
use crate::paths::{Modules, SCRIPTS, Target};
use crate::project::{Asked, Project, Question};

/// The maximum number of files that are read because a change imports from them.
const TARGETS: usize = 100;
/// The maximum number of imports of a change whose files are determined.
const IMPORTS: usize = 1_000;
/// The same times the number of paths of the repository, because each import takes a walk over them.
const PATHS_VISITED: usize = 20_000_000;
/// Extensions of files that an import may refer to without naming the extension.
const OTHERS: &[&str] = &["json", "vue", "svelte", "astro", "mdx", "node", "coffee"];
const PYTHON: &[&str] = &["py", "pyi", "pyx", "so", "pyd"];

/// Finds imports that the change makes from other files of the repository and that do not exist there.
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
    let wanted = Wanted::new(changed, &listing);
    let ignored = project.ignored(&wanted.missing()).await?;
    let paths: Vec<String> = wanted.of_files.keys().cloned().collect();
    let texts = project.read(&paths).await?;
    let questions = wanted.files().filter_map(|(path, names)| {
        Some(Question::new(path, texts.get(path)?, Asked::Offers(names)))
    });
    let questions: Vec<Question<'_>> = questions.collect();
    let offers = project.answers(&questions, |own| own.offer).await;
    if wanted.is_cut {
        project.note_limit(&format!(
            "The files that this change imports from were not all read: a review reads at most {TARGETS} of them. A review of a part \
             of the change reads those of the part."
        ));
    }
    Ok(wanted.conclude(judges, &offers, &ignored))
}

/// The extensions of the files that changed files import from.
fn extensions(changed: &[Links]) -> Vec<&'static str> {
    let importing = || changed.iter().filter(|file| !file.borrowed.is_empty());
    let mut found = Vec::new();
    if importing().any(|file| file.path.ends_with(".py")) {
        found.extend(PYTHON);
    }
    if importing().any(|file| !file.path.ends_with(".py")) {
        found.extend(SCRIPTS.iter().chain(OTHERS));
    }
    found
}

/// The imports of changed files, by the files that they refer to.
#[derive(Default)]
struct Wanted<'l> {
    /// Imports of existing files, by path.
    of_files: BTreeMap<String, Vec<(&'l Links, &'l Borrowed)>>,
    /// Imports of files that do not exist, with the paths of which one should.
    of_nothing: Vec<(&'l Links, &'l Borrowed, Vec<String>)>,
    /// There are more.
    is_cut: bool,
}

impl<'l> Wanted<'l> {
    fn new(changed: &'l [Links], listing: &Listing) -> Self {
        let modules = Modules::new(listing.paths.iter().map(String::as_str));
        let most = PATHS_VISITED / listing.paths.len().max(1);
        let most = most.clamp(1, IMPORTS);
        let mut wanted = Self::default();
        let mut targets: BTreeMap<(&str, &str), Target<'_>> = BTreeMap::new();
        let declared = declared(&listing.paths);
        for file in changed {
            for own in &file.borrowed {
                let import = (file.path.as_str(), own.module.as_str());
                if targets.len() == most && !targets.contains_key(&import) {
                    wanted.is_cut = true;
                    break;
                }
                let target = targets
                    .entry(import)
                    .or_insert_with(|| modules.target(&file.path, &own.module));
                match target {
                    Target::File(path) if own.way != Way::Nothing => {
                        let is_module = modules.has_module(path, &own.name);
                        let is_checked = !is_module && !declared.contains(*path);
                        if is_checked && own.name != "default" && *path != file.path {
                            wanted.add(path, (file, own));
                        }
                    }
                    Target::Missing(paths) if own.way == Way::Nothing && listing.is_complete => {
                        wanted.of_nothing.push((file, own, paths.clone()));
                    }
                    _ => {}
                }
            }
        }
        wanted
    }

    fn add(&mut self, path: &str, import: (&'l Links, &'l Borrowed)) {
        if self.of_files.len() < TARGETS || self.of_files.contains_key(path) {
            self.of_files
                .entry(path.to_owned())
                .or_default()
                .push(import);
        } else {
            self.is_cut = true;
        }
    }

    /// The files to read, with the names that are imported from them.
    fn files(&self) -> impl Iterator<Item = (&str, Vec<String>)> {
        self.of_files.iter().map(|(path, imports)| {
            let names: BTreeSet<&str> = imports.iter().map(|(_, own)| own.name.as_str()).collect();
            (
                path.as_str(),
                names.into_iter().map(str::to_owned).collect(),
            )
        })
    }

    /// The paths of files that do not exist. If git ignores one, it may be generated.
    fn missing(&self) -> Vec<String> {
        let paths = self.of_nothing.iter().flat_map(|(_, _, paths)| paths);
        let paths: BTreeSet<&String> = paths.collect();
        paths.into_iter().cloned().collect()
    }

    /// The conflicts that the rules report. `offers` has the exports of the files that could
    /// be read; `ignored` has the missing paths that git ignores.
    fn conclude(
        &self,
        judges: &[Judge],
        offers: &BTreeMap<String, Offer>,
        ignored: &BTreeSet<String>,
    ) -> Vec<Ruling> {
        let mut found = Found::default();
        for (file, own, paths) in &self.of_nothing {
            if !paths.iter().any(|path| ignored.contains(path)) {
                found.check(judges, file, own, Import::NoFile(paths));
            }
        }
        for (path, imports) in &self.of_files {
            let Some(offer) = offers.get(path) else {
                continue;
            };
            for (file, own) in imports {
                if own.way != Way::OfDefault || offer.is_one_object {
                    found.check(judges, file, own, Import::Of(path, offer));
                }
            }
        }
        found.0.into_values().collect()
    }
}

/// The scripts with a declaration file, and the declaration files. A script exports what the declarations say, and each declaration
/// of such a file can be imported, with or without `export`.
fn declared(paths: &[String]) -> BTreeSet<String> {
    let declarations = paths
        .iter()
        .filter_map(|path| Some((path, path.strip_suffix(".d.ts")?)));
    declarations
        .flat_map(|(path, stem)| {
            let scripts = [".js", ".jsx", ".mjs", ".cjs"].map(|end| format!("{stem}{end}"));
            scripts.into_iter().chain([path.clone()])
        })
        .collect()
}

/// Rulings by file, rule and summary. The same one on several lines counts once.
#[derive(Default)]
struct Found(BTreeMap<(usize, &'static str, String), Ruling>);

impl Found {
    fn check(&mut self, judges: &[Judge], file: &Links, own: &Borrowed, import: Import<'_>) {
        let place = Place {
            file: file.file,
            side: Side::New,
            line: own.line,
        };
        for ruling in rulings(judges, place, &Conflict::Import(own, import)) {
            let key = (file.file, ruling.rule, ruling.judgement.summary.clone());
            match self.0.entry(key) {
                Entry::Occupied(mut known) => add_place(known.get_mut(), place),
                Entry::Vacant(new) => drop(new.insert(ruling)),
            }
        }
    }
}

fn add_place(known: &mut Ruling, place: Place) {
    if known.place.line != place.line
        && !known.related.contains(&place)
        && known.related.len() < MAX_RELATED
    {
        known.related.push(place);
    }
}
