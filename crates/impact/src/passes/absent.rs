//! Members that added code calls and that the types of other files do not have.
//!
//! Nothing is parsed here.

use std::collections::{BTreeMap, BTreeSet};

use review::repository::{Listing, MAX_NAMES, MentionSearch, Mentions, Refusal, mentions_word};
use review::{Place, Side};
use syntax::semantics::vocabulary::{is_near, words_of};

use super::hierarchy::{Hierarchy, Lacking, Verdict, is_text};
use crate::conflict::{AbsentMember, Conflict, Judge, Ruling, rulings};
use crate::facts::{CalledMember, Surface};
use crate::keys::extension;
use crate::links::Links;
use crate::paths::families;
use crate::project::{Project, Question};
use crate::text::{hash, is_word_char, occurrences};

/// How often further files are read: for fields, for the type and for each level of bases.
const ROUNDS: usize = 8;
/// The maximum number of calls of one change whose types are searched for.
const CALLS: usize = 500;
/// The maximum number of findings of one change.
const FINDINGS: usize = 50;
/// The minimum share of words in common between similar names.
const COMMON_WORDS: f64 = 0.6;

/// Finds members that the change calls and that the types of other files do not have.
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
    let mut absent = Absent::new(changed, &listing);
    for _ in 0..ROUNDS {
        let needed = absent.needed();
        if needed.is_empty() {
            break;
        }
        let texts = project.read(&needed).await?;
        let questions = Question::about_types(&texts, is_text);
        let mut surfaces = project.answers(&questions, |own| own.surface).await;
        for path in &needed {
            let text = texts.get(path).cloned();
            absent.learn(path, text.map(|text| (text, surfaces.remove(path))));
        }
    }
    let Some(search) = absent.search() else {
        return Ok(Vec::new());
    };
    let mentions = project.mentions(&search).await?;
    Ok(absent.conclude(judges, &mentions))
}

/// The extensions of the files that define the types of called members.
fn extensions(changed: &[Links]) -> Vec<&'static str> {
    let mut found = BTreeSet::new();
    for file in changed.iter().filter(|file| !file.called.is_empty()) {
        found.extend(families::extensions(&file.path));
        match extension(&file.path) {
            "go" => found.extend(["mod"]),
            "py" => found.extend(["pyi"]),
            _ => {}
        }
    }
    found.into_iter().collect()
}

/// The called members of a change, and the types that they may belong to.
struct Absent<'l> {
    changed: &'l [Links],
    /// The calls of members of which the type may be known.
    calls: Vec<(&'l Links, &'l CalledMember)>,
    types: Hierarchy<'l>,
}

impl<'l> Absent<'l> {
    fn new(changed: &'l [Links], listing: &'l Listing) -> Self {
        let calls = changed
            .iter()
            .flat_map(|file| file.called.iter().map(move |called| (file, called)));
        Self {
            changed,
            calls: calls.take(CALLS).collect(),
            types: Hierarchy::new(listing.paths.iter().map(String::as_str)),
        }
    }

    /// The files to read next; none if nothing more can be learned.
    fn needed(&mut self) -> Vec<String> {
        let (mut needed, types) = (BTreeSet::new(), &self.types);
        // More files cannot make an unknown type known.
        self.calls.retain(|(file, called)| {
            match types.verdict(&file.path, called) {
                Verdict::Unknown => return false,
                Verdict::Lacks(_) => {}
                Verdict::Needs(files) => {
                    let is_new = |path: &&String| !needed.contains(*path);
                    if needed.len() + files.iter().filter(is_new).count() <= types.room() {
                        needed.extend(files);
                    }
                }
            }
            true
        });
        needed.into_iter().collect()
    }

    /// Records files that were requested, with their texts and types.
    fn learn(&mut self, path: &str, file: Option<(String, Option<Surface>)>) {
        self.types.learn(path, file);
    }

    fn lacking(&self) -> impl Iterator<Item = (&'l Links, &'l CalledMember, Lacking<'_>)> {
        self.calls.iter().filter_map(|(file, called)| {
            match self.types.verdict(&file.path, called) {
                Verdict::Lacks(lacking) => Some((*file, *called, lacking)),
                _ => None,
            }
        })
    }

    /// The names of members that seem to be missing, to be searched for; `None` if there are none.
    fn search(&self) -> Option<MentionSearch> {
        let mut search = MentionSearch::default();
        let names: BTreeSet<&str> = self
            .lacking()
            .map(|(_, called, _)| called.name.as_str())
            .collect();
        search.names = names
            .into_iter()
            .take(MAX_NAMES)
            .map(str::to_owned)
            .collect();
        search.extensions = extensions(self.changed);
        (!search.names.is_empty()).then_some(search)
    }

    /// The conflicts that the rules report. `mentions` has the files with the missing names.
    fn conclude(&self, judges: &[Judge], mentions: &Mentions) -> Vec<Ruling> {
        if mentions.is_cut || mentions.is_limited {
            return Vec::new();
        }
        let mut found = BTreeMap::new();
        for (file, called, lacking) in self.lacking() {
            if found.len() == FINDINGS {
                break;
            }
            let similar = similar(&called.name, &lacking.methods);
            if !self.is_certain(file, called, &lacking, similar.is_some(), mentions) {
                continue;
            }
            let absent = AbsentMember {
                name: &called.name,
                owner: &lacking.of.name,
                path: lacking.path,
                line: lacking.of.line,
                similar,
            };
            let place = Place {
                file: file.file,
                side: Side::New,
                line: called.line,
            };
            for ruling in rulings(judges, place, &Conflict::AbsentMember(absent)) {
                let summary = ruling.judgement.summary.clone();
                found.insert((file.file, called.line, summary), ruling);
            }
        }
        found.into_values().collect()
    }

    /// Whether no other file of the repository can add the member to the type.
    fn is_certain(
        &self,
        file: &Links,
        called: &CalledMember,
        lacking: &Lacking<'_>,
        has_similar: bool,
        mentions: &Mentions,
    ) -> bool {
        let name = called.name.as_str();
        let defines =
            |own: &Links| own.file != file.file && own.defined.binary_search(&hash(name)).is_ok();
        let extension = extension(&file.path);
        // These languages cannot extend the types of other files.
        if matches!(extension, "java" | "go") {
            return true;
        }
        let texts = mentions
            .files
            .iter()
            .filter(|one| one.names.iter().any(|own| own == name))
            .map(|one| (one.path.as_str(), one.text.as_str()));
        let texts: Vec<(&str, &str)> = texts.collect();
        // The file itself mentions the name, unless there were too many names to search for.
        let is_searched = texts.iter().any(|(path, _)| *path == file.path);
        if !is_searched || mentions.unsearched.contains(name) {
            return false;
        }
        let is_defined = |text: &str| places(text, name).any(is_definition);
        let others = || texts.iter().filter(|(path, _)| *path != file.path);
        let is_defined_elsewhere = others().any(|(_, text)| is_defined(text));
        let may_define = |text: &str| places(text, name).any(may_be_definition);
        match extension {
            "cs" => {
                let is_extended = |text: &str| extends_types(text) && may_define(text);
                !texts.iter().any(|(_, text)| is_extended(text))
                    && (has_similar || is_defined_elsewhere)
            }
            "kt" => {
                let is_extended = |text: &str| places(text, name).any(is_extension);
                !texts.iter().any(|(_, text)| is_extended(text))
                    && (has_similar || is_defined_elsewhere)
            }
            // Values may be of a class that extends the type, and members can be added at run time.
            _ => {
                let owner = lacking.of.name.as_str();
                let may_derive = |text: &str| match extension {
                    "py" => true,
                    "php" | "js" | "jsx" | "mjs" | "cjs" => {
                        text.contains("extends") || text.contains("implements")
                    }
                    _ => called.is_own,
                };
                let may_have = |text: &str| {
                    may_define(text) && (may_derive(text) || mentions_word(text, owner))
                };
                let is_set = |text: &str| places(text, name).any(is_assignment);
                !self.changed.iter().any(defines)
                    && !others().any(|(_, text)| may_have(text))
                    && !texts.iter().any(|(_, text)| is_set(text))
            }
        }
    }
}

/// Whether a file of C# has extension methods.
fn extends_types(text: &str) -> bool {
    let has_this = text.contains("this ") && text.contains("static ");
    has_this || text.contains("extension(") || text.contains("extension<")
}

/// The parts of a line before and behind each occurrence of a word in a text.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    text.lines()
        .flat_map(move |line| occurrences(line, name, is_word_char))
}

/// Whether the name of a function may be defined: it is not that of a member that is called.
fn may_be_definition((before, after): (&str, &str)) -> bool {
    let is_member = before.trim_end().ends_with(['.', '>', ':']);
    let has_list = after.trim_start().starts_with(['(', '<', '=', ':']);
    has_list && (!is_member || is_generic_result(before))
}

/// Whether the name of a function is certainly defined, as far as the line shows it.
fn is_definition((before, after): (&str, &str)) -> bool {
    let word = before
        .trim_end()
        .rsplit([' ', '\t', '('])
        .next()
        .unwrap_or_default();
    let is_called = before
        .trim_end()
        .ends_with(['.', '>', ':', '=', '(', '!', ',', '?', '{', '&', '|'])
        && !is_generic_result(before)
        || ["await", "return", "new", "else", "yield", "throw", "case"].contains(&word);
    let has_list = after.trim_start().starts_with(['(', '<']);
    has_list && !is_called && !before.trim_start().starts_with(['*', '/', '#'])
}

/// Whether a generic type comes before a name: `Task<int> `.
fn is_generic_result(before: &str) -> bool {
    before.ends_with("> ") && !before.ends_with("=> ")
}

/// Whether a function of Kotlin extends a type with this name.
fn is_extension((before, _): (&str, &str)) -> bool {
    let is_declared = ["fun ", "val ", "var "]
        .iter()
        .any(|word| before.contains(word));
    before.ends_with('.') && is_declared
}

/// Whether a member with this name is set, or named by a string.
fn is_assignment((before, after): (&str, &str)) -> bool {
    let rest = after.trim_start();
    let is_set = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>");
    is_set || before.ends_with(['\'', '"']) && after.starts_with(['\'', '"'])
}

/// The most similar of some names, if one is similar enough.
fn similar<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    let wanted: BTreeSet<String> = words_of(name).into_iter().collect();
    let likeness = |other: &str| {
        let words: BTreeSet<String> = words_of(other).into_iter().collect();
        let common = wanted.intersection(&words).count();
        let all = wanted.union(&words).count().max(1);
        if is_near(other, name) {
            return 1.0;
        }
        // At most a few words.
        f64::from(u32::try_from(common).unwrap_or(0))
            / f64::from(u32::try_from(all).unwrap_or(u32::MAX))
    };
    known
        .iter()
        .map(|other| (likeness(other), *other))
        .filter(|(likeness, _)| *likeness >= COMMON_WORDS)
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(a.1)))
        .map(|(_, other)| other)
}
