//! Examples of rules as files of a diff, and the findings of a rule in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use impact::{declared_in, version};
use review::chunk::{Sizes, plan};
use review::classify::is_test;
use review::diff::{Hunk, Span};
use review::{
    Around, Candidate, Chunk, ChunkHunk, Diff, FileDiff, Language, Line, LineKind, Side, Status,
    WarningCode,
};
use syntax::language::Grammar;
use syntax::parse::Limits;

use super::files::{ExampleFiles, text};
use super::repository::around;
use crate::facts::Linked;
use crate::registry::RuleSet;
use crate::rule::RuleInfo;
use crate::scan::conclude_at_once;
use crate::scan::scan_with;

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
    fn old_paths(&self) -> BTreeMap<usize, &'a str> {
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
    files: &ExampleFiles<'_>,
) -> Result<Vec<Candidate>, String> {
    let limits = Limits::default();
    let mut warnings = Vec::new();
    let (mut facts, mut found, mut linked) = (Vec::new(), Vec::new(), Vec::new());
    for file in &files.changed {
        warnings.extend(scan_with(file, set, &limits, None).warnings);
        let mut report = scan_with(file, set, &limits, Some(&rule.id));
        warnings.extend(report.warnings);
        linked.extend(Linked::take(file, &mut report.facts));
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
            candidates.extend(around(set, files, linked));
            candidates.retain(|candidate| candidate.suppression.is_none());
            Ok(candidates)
        }
    }
}

pub(super) fn example_files<'a>(
    rule: &RuleInfo,
    example: &Example<'a>,
) -> Result<ExampleFiles<'a>, String> {
    let (mut changed, mut unchanged) = (Vec::new(), Vec::new());
    for (index, file) in example.files.iter().enumerate() {
        let chunk = example_file(rule, index, file)?;
        if file.is_unchanged {
            unchanged.push(chunk);
        } else {
            changed.push(chunk);
        }
    }
    let texts: BTreeMap<String, String> = unchanged
        .iter()
        .map(|file| (file.path.to_string(), text(file)))
        .collect();
    for file in &mut changed {
        let language = file.language.map(Language::name).unwrap_or_default();
        file.version = version(&file.path, language, |path| {
            declared_in(path, texts.get(path)?)
        });
    }
    Ok(ExampleFiles {
        changed,
        unchanged,
        old_paths: example.old_paths(),
    })
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
