//! Files and keys that a change removes although other files still refer to them.
//!
//! The other files are read as text, in which the names are looked up. Nothing is parsed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use review::repository::Refusal;
use review::repository::{MAX_NAMES, MentionSearch, Mentions};
use review::{Chunk, FileDiff, Line, LineKind, Place, Side, Status};
use syntax::semantics::result_use::ResultUse;

use crate::conflict::{Conflict, Judge, Lost, Ruling, rulings};
use crate::facts::Use;
use crate::keys::{KeyKind, KeyUse, LostKey, Registered, Wanted, code_lines, members};
use crate::links::Links;
use crate::paths::{Gone, Remaining, folder, references, references_in};
use crate::project::Project;
use crate::text::Edits;

/// The extensions of the files that are searched.
pub(super) const EXTENSIONS: &[&str] = &[
    "astro", "c", "cc", "cfg", "cjs", "cpp", "cs", "cshtml", "css", "cts", "cxx", "ejs", "env",
    "erb", "example", "go", "h", "haml", "handlebars", "hbs", "hh", "hpp", "htm", "html", "ini",
    "j2", "java", "jbuilder", "jinja", "jinja2", "js", "json", "jsx", "kt", "less", "mdx", "mjs",
    "mts", "njk", "phtml", "php", "properties", "pug", "py", "razor", "rb", "rs", "sass", "scss",
    "sh", "slim", "sql", "svelte", "swift", "toml", "ts", "tsx", "twig", "vue", "xml", "yaml",
    "yml",
];
/// Folders with copies of other code.
const COPIES: &[&str] = &["node_modules", "vendor", "dist", "third_party"];
/// The minimum length of the name of a file that is searched for.
const NAME: usize = 3;

/// Finds references in other files to files and keys that the change removes.
pub(super) async fn find(
    project: &Project<'_, '_>,
    changed: &[Links],
    judges: &[Judge],
) -> Result<Vec<Ruling>, Refusal> {
    let lost = LostNames::new(changed, project.task.files, project.task.chunks);
    let Some(search) = lost.search() else {
        return Ok(Vec::new());
    };
    let mentions = project.mentions(&search).await?;
    if mentions.is_limited || mentions.is_cut {
        project.note_cut("References to removed files and names");
    }
    Ok(lost.conclude(judges, &mentions))
}

/// The files and keys that a change removes.
struct LostNames<'c, 'd> {
    changed: &'c [Links],
    chunks: &'c [Chunk<'d>],
    gone: Vec<Gone<'c>>,
    keys: Vec<(&'c Links, &'c LostKey)>,
    /// The members that added lines name, if an endpoint is lost.
    named: HashSet<&'c str>,
}

impl<'c, 'd> LostNames<'c, 'd> {
    fn new(changed: &'c [Links], files: &'c [FileDiff<'_>], chunks: &'c [Chunk<'d>]) -> Self {
        let gained = gained(changed);
        let keys = changed
            .iter()
            .flat_map(|file| file.keys.lost.iter().map(move |lost| (file, lost)));
        let mut endpoints = Registered::among(gained.iter().copied());
        let mut named = HashSet::new();
        if keys.clone().any(|(_, lost)| lost.kind == KeyKind::Endpoint) {
            for chunk in chunks.iter().filter(|chunk| !chunk.is_test) {
                let added = changed_code(chunk, LineKind::Added);
                endpoints.add_unless_requested(&added);
                named.extend(members(&added));
            }
        }
        let is_kept = |lost: &LostKey| match lost.kind {
            KeyKind::Endpoint => endpoints.may_have(&lost.key),
            _ => gained.contains(&(lost.kind, lost.key.clone())),
        };
        let keys = keys.filter(|(_, lost)| !is_kept(lost));
        // A migration and the schema remove the same column.
        let mut columns = HashSet::new();
        let keys = keys
            .filter(|(_, lost)| lost.kind != KeyKind::Column || columns.insert(lost.key.as_str()));
        // A renamed text needs two names, and is less certain than a key of a known kind.
        let (mut texts, mut keys): (Vec<_>, Vec<_>) =
            keys.partition(|(_, lost)| lost.kind == KeyKind::Text);
        // Several files rename the same text.
        let mut seen = HashSet::new();
        texts.retain(|(_, lost)| seen.insert(lost.key.as_str()));
        keys.truncate(MAX_NAMES / 2);
        let left = (MAX_NAMES / 2 - keys.len()) / 2;
        keys.extend(texts.into_iter().take(left));
        let gone = files.iter().enumerate().filter_map(|(file, own)| {
            let new = match own.status {
                Status::Removed => None,
                Status::Renamed => Some(own.new_path.as_deref()?),
                _ => return None,
            };
            let old = own.old_path.as_deref()?;
            Some(Gone { file, old, new }).filter(|gone| gone.word().len() >= NAME)
        });
        Self {
            changed,
            chunks,
            gone: gone.take(MAX_NAMES / 2).collect(),
            keys,
            named,
        }
    }

    /// The names to search for; `None` if the change removes nothing.
    fn search(&self) -> Option<MentionSearch> {
        let words = self.gone.iter().map(|gone| gone.word().to_owned());
        let names: BTreeSet<String> = words.chain(self.wanted().names()).collect();
        let places = self
            .gone
            .iter()
            .map(|gone| gone.old)
            .chain(self.keys.iter().map(|(file, _)| file.path.as_str()));
        (!names.is_empty()).then(|| MentionSearch {
            names: names.into_iter().take(MAX_NAMES).collect(),
            extensions: EXTENSIONS.to_vec(),
            near: places.map(|path| folder(folder(path)).to_owned()).collect(),
        })
    }

    fn wanted(&self) -> Wanted<'_> {
        Wanted::new(
            self.keys
                .iter()
                .map(|(file, lost)| (file.path.as_str(), *lost))
                .collect(),
            &self.named,
        )
    }

    /// The conflicts that the rules report. Where not all mentions are known, a definition may be among
    /// the others; but two places hardly register the same endpoint.
    fn conclude(&self, judges: &[Judge], mentions: &Mentions) -> Vec<Ruling> {
        let mut found = Vec::new();
        if !mentions.is_limited {
            self.check_files(judges, mentions, &mut found);
            self.check_keys(judges, mentions, &mut found);
        }
        found
    }

    fn check_keys(&self, judges: &[Judge], mentions: &Mentions, found: &mut Vec<Ruling>) {
        let wanted = self.wanted();
        let mut reads: BTreeMap<usize, Vec<Use>> = BTreeMap::new();
        let (mut defined, mut ambiguous) = (HashSet::new(), HashSet::new());
        let changed: HashSet<&str> = self.changed.iter().map(|file| file.path.as_str()).collect();
        let new_name = |lost: &'c LostKey| lost.renaming.as_ref().map(|renaming| &renaming.new);
        for file in mentions.files.iter().filter(|file| !is_copy(&file.path)) {
            if !changed.contains(file.path.as_str()) {
                // The new name is not new, or the file follows the change under another path.
                let known = self.keys.iter().enumerate();
                let known = known.filter(|(_, (_, lost))| {
                    new_name(lost).is_some_and(|new| file.names.contains(new))
                });
                defined.extend(known.map(|(at, _)| at));
            }
            for (at, used) in wanted.uses(&file.path, &file.text) {
                match used {
                    KeyUse::Defined => drop(defined.insert(at)),
                    KeyUse::Ambiguous => drop(ambiguous.insert(at)),
                    KeyUse::Read { line, is_certain } => {
                        reads
                            .entry(at)
                            .or_default()
                            .push(used_at(&file.path, line, is_certain));
                    }
                }
            }
        }
        let is_common = |lost| new_name(lost).is_some_and(|new| mentions.unsearched.contains(new));
        for (at, mut uses) in reads.into_iter().filter(|(at, _)| !defined.contains(at)) {
            uses.retain(|one| one.is_certain || !ambiguous.contains(&at));
            let Some((file, lost)) = self.keys.get(at) else {
                continue;
            };
            if mentions.is_cut && lost.kind != KeyKind::Endpoint || is_common(lost) {
                continue;
            }
            let place = Place {
                file: file.file,
                side: lost.side,
                line: lost.line,
            };
            let conflict = Conflict::Lost(Lost::Key(lost), &uses);
            found.extend(rulings(judges, place, &conflict));
        }
    }

    fn check_files(&self, judges: &[Judge], mentions: &Mentions, found: &mut Vec<Ruling>) {
        let paths = mentions.paths.iter().map(String::as_str);
        let added = self.changed.iter().map(|file| file.path.as_str());
        let removed: HashSet<&str> = self
            .gone
            .iter()
            .filter(|gone| gone.new.is_none())
            .map(|gone| gone.old)
            .collect();
        let news = self.gone.iter().filter_map(|gone| gone.new);
        let paths = paths
            .chain(added)
            .chain(news)
            .filter(|path| !removed.contains(path));
        let remaining = Remaining(paths.collect());
        let mut uses: BTreeMap<usize, Vec<Use>> = BTreeMap::new();
        for file in mentions.files.iter().filter(|file| !is_copy(&file.path)) {
            for (at, line) in references(&file.path, &file.text, &self.gone, &remaining) {
                uses.entry(at)
                    .or_default()
                    .push(used_at(&file.path, line, true));
            }
        }
        for (at, uses) in uses {
            let Some(gone) = self.gone.get(at) else {
                continue;
            };
            if let Some(place) = self.place(gone, &remaining) {
                let lost = Lost::File {
                    old: gone.old,
                    new: gone.new,
                };
                found.extend(rulings(judges, place, &Conflict::Lost(lost, &uses)));
            }
        }
    }

    /// The changed line on which the loss of a file is reported: for a renamed file, one that no longer refers to the old path;
    /// otherwise the first changed line of the file.
    fn place(&self, gone: &Gone<'_>, remaining: &Remaining<'_>) -> Option<Place> {
        let own = || {
            let mut chunks = self.chunks.iter().filter(|chunk| chunk.index == gone.file);
            chunks.find_map(|chunk| changed_line(chunk, |_| true))
        };
        let follower = || {
            self.chunks
                .iter()
                .find_map(|chunk| follower(chunk, gone, remaining))
        };
        let mention = || {
            let words = [Some(gone.old), gone.new]
                .into_iter()
                .flatten()
                .filter_map(|path| path.rsplit('/').next());
            let words: Vec<&str> = words
                .filter_map(|name| name.split('.').next())
                .filter(|name| name.len() >= NAME)
                .collect();
            let names = |line: &Line<'_>| {
                words
                    .iter()
                    .any(|word| review::repository::mentions_word(line.text, word))
            };
            self.chunks
                .iter()
                .find_map(|chunk| changed_line(chunk, names))
        };
        match gone.new {
            Some(_) => follower().or_else(own).or_else(mention),
            None => own().or_else(follower).or_else(mention),
        }
    }
}

/// The first added line of a chunk that meets a condition, or else the first removed one.
fn changed_line(chunk: &Chunk<'_>, is_it: impl Fn(&Line<'_>) -> bool) -> Option<Place> {
    let lines = || {
        chunk
            .hunks
            .iter()
            .flat_map(|hunk| hunk.lines.iter())
            .filter(|line| is_it(line))
    };
    let of = |kind| lines().find(|line| line.kind == kind);
    let line = of(LineKind::Added).or_else(|| of(LineKind::Removed))?;
    Some(Place {
        file: chunk.index,
        side: line.side(),
        line: line.number()?,
    })
}

/// The added or removed lines of a chunk that are not comments.
fn changed_code<'c>(chunk: &'c Chunk<'_>, kind: LineKind) -> Vec<(u32, &'c str)> {
    let lines = chunk.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let changed = lines
        .filter(|line| line.kind == kind)
        .filter_map(|line| Some((line.number()?, line.text)));
    code_lines(&chunk.path, changed)
}

/// A changed line that referred to the old path of a file.
fn follower(chunk: &Chunk<'_>, gone: &Gone<'_>, remaining: &Remaining<'_>) -> Option<Place> {
    let removed = changed_code(chunk, LineKind::Removed);
    let (_, line) = references_in(&chunk.path, &removed, &[*gone], remaining)
        .into_iter()
        .next()?;
    let new = Edits::of(chunk).replacement(line);
    let (side, line) = new.map_or((Side::Old, line), |line| (Side::New, line));
    Some(Place {
        file: chunk.index,
        side,
        line,
    })
}

/// The keys that the change adds.
pub(super) fn gained(changed: &[Links]) -> BTreeSet<&(KeyKind, String)> {
    changed.iter().flat_map(|file| &file.keys.gained).collect()
}

fn is_copy(path: &str) -> bool {
    path.split('/').any(|part| COPIES.contains(&part))
}

fn used_at(path: &str, line: u32, is_certain: bool) -> Use {
    Use {
        path: path.to_owned(),
        line,
        passed: None,
        result: ResultUse::Unknown,
        is_certain,
        is_in_changed_file: false,
        is_added: false,
        implementor: None,
    }
}
