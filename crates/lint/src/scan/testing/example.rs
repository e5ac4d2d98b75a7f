//! Examples of rules as files of a diff, and the findings of a rule in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use review::chunk::{Sizes, plan};
use review::classify::is_test;
use review::diff::{Hunk, Span};
use review::repository::{Listing, MentionSearch, MentioningFile, Mentions, mentions_word};
use review::{
    Around, Asked, Candidate, Chunk, ChunkHunk, Diff, FileDiff, Language, Line, LineKind, Side,
    Status, WarningCode,
};
use syntax::language::Grammar;
use syntax::parse::Limits;

use crate::facts::{Links, Surface};
use crate::registry::RuleSet;
use crate::rule::RuleInfo;
use crate::scan::absent::{self, Absent};
use crate::scan::by_name::{AroundFile, FilesAround};
use crate::scan::conclude_at_once;
use crate::scan::impact;
use crate::scan::lost::LostNames;
use crate::scan::scan_with;
use crate::scan::unimported::Unimported;
use crate::scan::unknown_keys::UnknownKeys;
use crate::scan::versions::{declared_in, version};
use crate::scan::wanted::Wanted;

/// After the path: the example shows the whole file.
const WHOLE: &str = "(whole file)";

/// After the path: a file that the change does not touch.
const UNCHANGED: &str = "(unchanged)";

/// After the path: the change removes the file.
const REMOVED: &str = "(removed)";

/// After the path: the change renames the file from another path.
const RENAMED: &str = "(renamed from ";

/// A parsed example. Line numbers continue from file to file, so a line number identifies the file.
#[derive(Default)]
pub(super) struct Example<'a> {
    pub(super) files: Vec<ExampleFile<'a>>,
    pub(super) marks: BTreeSet<(Side, u32)>,
}

#[derive(Default)]
pub(super) struct ExampleFile<'a> {
    pub(super) path: Option<&'a str>,
    /// Its only hunk is the whole file.
    pub(super) is_whole: bool,
    /// The change does not touch it.
    pub(super) is_unchanged: bool,
    /// The change removes it.
    pub(super) is_removed: bool,
    /// Its path before the change, if that renames it.
    pub(super) old_path: Option<&'a str>,
    pub(super) hunks: Vec<ChunkHunk<'a>>,
}

impl<'a> Example<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, String> {
        let mut example = Self {
            files: vec![ExampleFile::default()],
            ..Self::default()
        };
        let (mut old, mut new) = (1, 1);
        let mut heading = "";
        let mut lines: Vec<Line<'a>> = Vec::new();
        for (index, row) in text.lines().enumerate() {
            if let Some(path) = row.strip_prefix("path:") {
                example.push(heading, &mut lines);
                example.files.extend((index > 0).then(ExampleFile::default));
                let file = example.files.last_mut().ok_or("no file")?;
                let (path, old_path) = match path.split_once(RENAMED) {
                    Some((path, old)) => (path, Some(old.trim().trim_end_matches(')'))),
                    None => (path, None),
                };
                file.old_path = old_path;
                file.is_removed = path.trim().ends_with(REMOVED);
                file.is_whole = path.trim().ends_with(WHOLE);
                file.is_unchanged = path.trim().ends_with(UNCHANGED);
                file.path = Some(
                    path.trim()
                        .trim_end_matches(WHOLE)
                        .trim_end_matches(UNCHANGED)
                        .trim_end_matches(REMOVED)
                        .trim(),
                );
                // The first file begins at its first line.
                let gap = if index > 0 { 100 } else { 0 };
                (heading, old, new) = ("", old + gap, new + gap);
            } else if let Some(next) = row.strip_prefix("@@") {
                example.push(heading, &mut lines);
                heading = next.trim();
                (old, new) = (old + 100, new + 100);
            } else if row.starts_with('^') {
                let line = lines.last().ok_or("a mark without a line above it")?;
                example
                    .marks
                    .insert((line.side(), line.number().unwrap_or_default()));
            } else {
                lines.push(read_line(row, &mut old, &mut new).ok_or_else(|| {
                    format!(
                        "line {}: must start with +, -, ^, @@ or a space: {row}",
                        index + 1
                    )
                })?);
            }
        }
        example.push(heading, &mut lines);
        Ok(example)
    }

    /// The former paths of renamed files, by their index.
    pub(super) fn old_paths(&self) -> BTreeMap<usize, &'a str> {
        let files = self.files.iter().enumerate();
        files
            .filter_map(|(index, file)| Some((index, file.old_path?)))
            .collect()
    }

    fn push(&mut self, heading: &'a str, lines: &mut Vec<Line<'a>>) {
        if let Some(file) = self.files.last_mut().filter(|_| !lines.is_empty()) {
            file.hunks.push(ChunkHunk {
                heading: Cow::Borrowed(heading),
                lines: Cow::Owned(std::mem::take(lines)),
            });
        }
    }
}

fn read_line<'a>(row: &'a str, old: &mut u32, new: &mut u32) -> Option<Line<'a>> {
    let kind = match row.bytes().next() {
        Some(b'+') => LineKind::Added,
        Some(b'-') => LineKind::Removed,
        Some(b' ') | None => LineKind::Context,
        Some(_) => return None,
    };
    let take = |counter: &mut u32| {
        *counter += 1;
        Some(*counter - 1)
    };
    let old = if kind == LineKind::Added {
        None
    } else {
        take(old)
    };
    let new = if kind == LineKind::Removed {
        None
    } else {
        take(new)
    };
    Some(Line {
        kind,
        old,
        new,
        text: row.get(1..).unwrap_or_default(),
        terminated: true,
    })
}

/// A rule's findings in the files of an example.
///
/// # Errors
/// The message of a rule that failed.
pub fn reported(
    set: &RuleSet,
    rule: &RuleInfo,
    files: &[Chunk<'_>],
) -> Result<Vec<Candidate>, String> {
    reported_with(set, rule, files, &BTreeMap::new())
}

/// Like [`reported`], with the former paths of renamed files by their index.
pub(super) fn reported_with(
    set: &RuleSet,
    rule: &RuleInfo,
    files: &[Chunk<'_>],
    old_paths: &BTreeMap<usize, &str>,
) -> Result<Vec<Candidate>, String> {
    let limits = Limits::default();
    let mut warnings = Vec::new();
    let (mut facts, mut found) = (Vec::new(), Vec::new());
    let (around, files): (Vec<&Chunk<'_>>, Vec<&Chunk<'_>>) =
        files.iter().partition(|file| file.asked.is_some());
    let mut changed = Vec::new();
    for file in &files {
        warnings.extend(scan_with(file, set, &limits, None).warnings);
        let mut report = scan_with(file, set, &limits, Some(&rule.id));
        warnings.extend(report.warnings);
        changed.extend(Links::take(file, &mut report.facts));
        facts.push(report.facts);
        found.extend(report.candidates);
    }
    match warnings
        .iter()
        .find(|warning| warning.code == WarningCode::RuleFailed)
    {
        Some(warning) => Err(warning.message.clone()),
        None => {
            let mut candidates = conclude_at_once(set.catalog(), facts, found).candidates;
            candidates.extend(impact_of(set, &changed, &around));
            candidates.extend(imports_of(set, &changed, &around));
            candidates.extend(absent_of(set, &changed, &files, &around));
            candidates.extend(unimported_of(set, &changed, &files, &around));
            candidates.extend(lost_of(set, &changed, &files, &around, old_paths));
            candidates.extend(unknown_of(set, &changed, &files, &around));
            candidates.retain(|candidate| candidate.suppression.is_none());
            Ok(candidates)
        }
    }
}

/// The breaks that the changed files cause in the other files of the example.
fn impact_of(set: &RuleSet, changed: &[Links], around: &[&Chunk<'_>]) -> Vec<Candidate> {
    let Some((search, _)) = impact::search(changed) else {
        return Vec::new();
    };
    let texts: Vec<String> = around.iter().map(|file| text(file)).collect();
    let mut files = FilesAround::new();
    for (file, text) in around.iter().zip(&texts) {
        let file_with_query = Chunk {
            asked: Some(Asked::Uses(search.names.clone())),
            ..(*file).clone()
        };
        let facts = scan_with(&file_with_query, set, &Limits::default(), None).facts;
        let surrounding = facts.surrounding;
        files.insert(&file.path, AroundFile { text, surrounding });
    }
    let paths: Vec<String> = changed.iter().map(|file| file.path.clone()).collect();
    impact::conclude(set.catalog(), changed, &files, &paths).0
}

/// The references in the files of the example to files and keys that the change removes.
fn lost_of<'c>(
    set: &RuleSet,
    changed: &[Links],
    files: &[&Chunk<'c>],
    around: &[&Chunk<'c>],
    old_paths: &BTreeMap<usize, &str>,
) -> Vec<Candidate> {
    let mut diffs: BTreeMap<usize, FileDiff<'_>> = BTreeMap::new();
    for list in [files, around] {
        diffs.extend(
            list.iter()
                .map(|file| (file.index, file_diff(file, old_paths))),
        );
    }
    let diffs: Vec<FileDiff<'_>> = diffs.into_values().collect();
    let chunks: Vec<Chunk<'_>> = files.iter().map(|file| (*file).clone()).collect();
    let lost = LostNames::new(changed, &diffs, &chunks);
    let Some(search) = lost.search() else {
        return Vec::new();
    };
    lost.conclude(set.catalog(), &mentions_in(&search, files, around))
        .0
}

/// The keys that the change reads and that no file of the example defines.
fn unknown_of<'c>(
    set: &RuleSet,
    changed: &[Links],
    files: &[&Chunk<'c>],
    around: &[&Chunk<'c>],
) -> Vec<Candidate> {
    let all = files.iter().chain(around);
    let listing = Listing {
        paths: all.map(|file| file.path.to_string()).collect(),
        is_complete: true,
    };
    let unknown = UnknownKeys::new(changed, &listing);
    let Some(search) = unknown.search() else {
        return Vec::new();
    };
    unknown
        .conclude(set.catalog(), &mentions_in(&search, files, around))
        .0
}

/// The result of a search in the files of the example. It contains files without mentions too.
fn mentions_in<'c>(
    search: &MentionSearch,
    files: &[&Chunk<'c>],
    around: &[&Chunk<'c>],
) -> Mentions {
    let mut mentions = Mentions::default();
    for list in [files, around] {
        for file in list.iter().filter(|file| file.status != Status::Removed) {
            let (path, text) = (file.path.to_string(), text(file));
            let names = search
                .names
                .iter()
                .filter(|name| mentions_word(&text, name))
                .cloned()
                .collect();
            mentions.paths.push(path.clone());
            mentions.files.push(MentioningFile { path, text, names });
        }
    }
    mentions
}

fn file_diff<'a>(file: &Chunk<'_>, old_paths: &BTreeMap<usize, &str>) -> FileDiff<'a> {
    let path = file.path.to_string();
    let old_path = old_paths
        .get(&file.index)
        .map_or_else(|| path.clone(), ToString::to_string);
    FileDiff {
        old_path: Some(Cow::Owned(old_path)).filter(|_| file.status != Status::Added),
        new_path: Some(Cow::Owned(path)).filter(|_| file.status != Status::Removed),
        status: file.status,
        old_mode: None,
        new_mode: None,
        binary: false,
        is_unshown: false,
        is_test: None,
        hunks: Vec::new(),
    }
}

/// The text of a file after the change.
fn text(file: &Chunk<'_>) -> String {
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let lines = lines.filter(|line| line.kind != LineKind::Removed);
    lines.flat_map(|line| [line.text, "\n"]).collect()
}

/// The imports of the changed files that the other files of the example do not provide.
fn imports_of(set: &RuleSet, changed: &[Links], around: &[&Chunk<'_>]) -> Vec<Candidate> {
    let changed_paths = changed.iter().map(|file| file.path.clone());
    let around_paths = around.iter().map(|file| file.path.to_string());
    let listing = Listing {
        paths: changed_paths.chain(around_paths).collect(),
        is_complete: true,
    };
    let wanted = Wanted::new(changed, &listing);
    let mut offers = BTreeMap::new();
    for (path, names) in wanted.files() {
        let Some(file) = around.iter().find(|file| file.path == path) else {
            continue;
        };
        let text = text(file);
        let file_with_query = Chunk::of_surroundings(path, &text, Asked::Offers(names));
        let facts = scan_with(&file_with_query, set, &Limits::default(), None).facts;
        offers.extend(
            facts
                .surrounding
                .offer
                .map(|offer| (path.to_owned(), offer)),
        );
    }
    wanted
        .conclude(set.catalog(), changed, &offers, &BTreeSet::new())
        .0
}

/// The members that the changed files call and that types in other files of the example do not have.
fn absent_of<'c>(
    set: &RuleSet,
    changed: &[Links],
    files: &[&Chunk<'c>],
    around: &[&Chunk<'c>],
) -> Vec<Candidate> {
    let texts = texts_of(files, around);
    let listing = listing_of(&texts);
    let mut found = Absent::new(changed, &listing);
    for _ in 0..absent::ROUNDS {
        for path in found.needed() {
            let file = texts
                .get(&path)
                .map(|text| (text.clone(), surface_of(set, &path, text)));
            found.learn(&path, file);
        }
    }
    let Some(search) = found.search() else {
        return Vec::new();
    };
    found
        .conclude(set.catalog(), &mentions_in(&search, files, around))
        .0
}

/// The types of other packages that the changed files use and do not import.
fn unimported_of<'c>(
    set: &RuleSet,
    changed: &[Links],
    files: &[&Chunk<'c>],
    around: &[&Chunk<'c>],
) -> Vec<Candidate> {
    let texts = texts_of(files, around);
    let listing = listing_of(&texts);
    let mut found = Unimported::new(changed, &listing);
    for path in found.needed() {
        if let Some(text) = texts.get(&path) {
            found.learn(&path, text.clone(), surface_of(set, &path, text));
        }
    }
    let Some(search) = found.search() else {
        return Vec::new();
    };
    let global = found.search_global().unwrap_or_default();
    let mentions = mentions_in(&search, files, around);
    let global = mentions_in(&global, files, around);
    found.conclude(set.catalog(), &mentions, &global).0
}

/// The files of an example after the change, by their paths.
fn texts_of<'c>(files: &[&Chunk<'c>], around: &[&Chunk<'c>]) -> BTreeMap<String, String> {
    let all = files.iter().chain(around);
    all.filter(|file| file.status != Status::Removed)
        .map(|file| (file.path.to_string(), text(file)))
        .collect()
}

/// All files of an example.
fn listing_of(texts: &BTreeMap<String, String>) -> Listing {
    Listing {
        paths: texts.keys().cloned().collect(),
        is_complete: true,
    }
}

/// The types of a file of an example.
fn surface_of(set: &RuleSet, path: &str, text: &str) -> Option<Surface> {
    let file = Chunk::of_surroundings(path, text, Asked::Types);
    let facts = scan_with(&file, set, &Limits::default(), None).facts;
    facts.surrounding.surface
}

pub(super) fn example_files<'a>(
    rule: &RuleInfo,
    example: &Example<'a>,
) -> Result<Vec<Chunk<'a>>, String> {
    let files = example.files.iter().enumerate();
    let files = files.map(|(index, file)| example_file(rule, index, file));
    let mut files: Vec<Chunk<'a>> = files.collect::<Result<_, _>>()?;
    let unchanged = files.iter().filter(|file| file.asked.is_some());
    let texts: BTreeMap<String, String> = unchanged
        .map(|file| (file.path.to_string(), text(file)))
        .collect();
    for file in &mut files {
        let language = file.language.map(Language::name).unwrap_or_default();
        file.version = version(&file.path, language, |path| {
            declared_in(path, texts.get(path)?)
        });
    }
    Ok(files)
}

fn example_file<'a>(
    rule: &RuleInfo,
    index: usize,
    example: &ExampleFile<'a>,
) -> Result<Chunk<'a>, String> {
    let from_path = |path: &str| Language::of_path(path, String::new);
    let language = match (example.path, rule.languages.first()) {
        (Some(path), _) => from_path(path),
        (None, Some(name)) => Language::find(name),
        (None, None) => {
            return Err(
                "an example of a rule for any language needs a first line `path: a/b.py`"
                    .to_owned(),
            );
        }
    };
    let extension = language
        .and_then(|language| Grammar::find(language.name()))
        .map_or("txt", |grammar| grammar.row().extension);
    let all_added = example
        .hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .all(|line| line.kind == LineKind::Added);
    let path = example
        .path
        .map_or_else(|| format!("src/example.{extension}"), str::to_owned);
    let status = if example.is_removed {
        Status::Removed
    } else if example.old_path.is_some() {
        Status::Renamed
    } else if all_added && example.hunks.len() == 1 {
        Status::Added
    } else {
        Status::Modified
    };
    let chunk = Chunk {
        index,
        is_test: is_test(&path),
        is_complete: true,
        version: None,
        around: if example.is_whole || example.is_unchanged || status == Status::Added {
            Around::Nothing
        } else {
            Around::Unknown
        },
        hidden: None,
        by_tool: false,
        asked: example.is_unchanged.then(|| Asked::Uses(Vec::new())),
        path: Cow::Owned(path),
        language,
        status,
        hunks: example.hunks.clone(),
    };
    Ok(hidden(&chunk).unwrap_or(chunk))
}

/// The version of the file that a review gets if the change keeps it from being reviewed.
fn hidden<'a>(file: &Chunk<'a>) -> Option<Chunk<'a>> {
    let hunks = file.hunks.iter().map(|hunk| Hunk {
        header: "",
        heading: "",
        old: Span { start: 1, count: 0 },
        new: Span { start: 1, count: 0 },
        lines: hunk.lines.to_vec(),
    });
    let path = || Some(Cow::Owned(file.path.to_string()));
    let diff = Diff {
        files: vec![FileDiff {
            old_path: path().filter(|_| file.status != Status::Added),
            new_path: path(),
            status: file.status,
            old_mode: None,
            new_mode: None,
            binary: false,
            is_unshown: false,
            is_test: None,
            hunks: hunks.collect(),
        }],
    };
    let planned = plan(&diff, None, &Sizes::default());
    let part = planned
        .chunks
        .first()
        .filter(|part| part.hidden.is_some())?;
    let shown = part.hunks.first()?.lines.first()?;
    let line = file
        .hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .find(|line| line.new == shown.new)?;
    let hunks = vec![ChunkHunk {
        heading: Cow::Borrowed(""),
        lines: Cow::Owned(vec![*line]),
    }];
    Some(Chunk {
        hidden: part.hidden.clone(),
        by_tool: part.by_tool,
        language: None,
        is_complete: false,
        hunks,
        ..file.clone()
    })
}
