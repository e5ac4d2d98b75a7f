//! The answer to a look-up, from files.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::definition::{self, DEFINITION_LINES};
use super::lookup::{Answer, Excerpt, Files, Hit, Hits, Lookup, MAX_ANSWER_BYTES, MAX_LINES};
use super::refusal::{Refusal, checked_path, is_secret};
use crate::language::Language;
use crate::language::lexical::Lexical;

/// Maximum characters of one line; the rest is cut.
const MAX_LINE_CHARS: usize = 300;
/// Maximum number of definitions in one answer.
const DEFINITIONS: usize = 5;
/// Lines before and after a use.
const AROUND: usize = 2;
/// The minimum and maximum length of a text to search for, in bytes.
const SEARCH_BYTES: RangeInclusive<usize> = 2..=200;

impl Answer {
    fn lines(&self) -> usize {
        self.excerpts
            .iter()
            .map(|excerpt| excerpt.lines.len())
            .sum()
    }

    /// Whether more lines of a file do not fit.
    fn is_full(&self, path: &str, file: &str) -> bool {
        let files = self.excerpts.chunk_by(|a, b| a.path == b.path);
        let others = files.filter_map(|of_file| of_file.first().filter(|first| first.path != path));
        let bytes: usize = others.map(|first| first.file.len()).sum();
        self.lines() >= MAX_LINES || bytes + file.len() > MAX_ANSWER_BYTES
    }

    /// Adds lines of a file, as many as fit.
    fn add(&mut self, path: &str, file: &Arc<str>, first: usize, lines: &[&str]) {
        let room = MAX_LINES.saturating_sub(self.lines());
        self.more |= lines.len() > room;
        let lines: Vec<String> = lines
            .iter()
            .take(room)
            .map(|line| shortened(line))
            .collect();
        if !lines.is_empty() {
            self.excerpts.push(Excerpt {
                path: path.to_owned(),
                first,
                lines,
                file: Arc::clone(file),
            });
        }
    }
}

/// Answers a look-up from files.
///
/// # Errors
/// The look-up is refused, or the file or the name does not exist.
pub fn answer(files: &dyn Files, lookup: &Lookup) -> Result<Answer, Refusal> {
    match lookup {
        Lookup::Read { path, first, last } => read(files, path, *first, *last),
        Lookup::Search(text) => {
            let hits = searched(files, text, false)?;
            Ok(around(files, &hits, |_, _| true))
        }
        Lookup::Definition(name) => {
            let hits = searched(files, name_of(name)?, true)?;
            Ok(definitions(files, &hits, name_of(name)?))
        }
        Lookup::Callers(name) => {
            let name = name_of(name)?;
            let hits = searched(files, name, true)?;
            Ok(around(files, &hits, |line, lexical| {
                !definition::is_definition(line, name, lexical) && !lexical.is_comment_line(line)
            }))
        }
    }
}

fn read(files: &dyn Files, path: &str, first: usize, last: usize) -> Result<Answer, Refusal> {
    let path = checked_path(path)?;
    let text: Arc<str> = files.text(path)?.into();
    let first = first.max(1);
    let last = last.max(first);
    let lines: Vec<&str> = text
        .lines()
        .skip(first - 1)
        .take((last - first).saturating_add(1))
        .collect();
    if lines.is_empty() {
        return Err(Refusal::NoSuchLine);
    }
    let mut answer = Answer::default();
    answer.add(path, &text, first, &lines);
    Ok(answer)
}

/// The last part of a qualified name: `Order.total`, `orders::total`, `Order#total`.
fn name_of(name: &str) -> Result<&str, Refusal> {
    let name = name
        .trim()
        .trim_end_matches("()")
        .trim_end_matches(['!', '?']);
    let last = name
        .rsplit(['.', ':', '#', '/', '\\', '>'])
        .next()
        .unwrap_or_default();
    let is_name = !last.is_empty()
        && last
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'));
    if is_name {
        Ok(last)
    } else {
        Err(Refusal::NoName)
    }
}

fn searched(files: &dyn Files, text: &str, as_word: bool) -> Result<Hits, Refusal> {
    let is_searchable = SEARCH_BYTES.contains(&text.len()) && !text.contains(['\n', '\r', '\0']);
    if !is_searchable {
        return Err(Refusal::NotSearchable);
    }
    let mut hits = files.search(text, as_word)?;
    hits.hits.retain(|hit| !is_secret(&hit.path));
    Ok(hits)
}

/// The files with hits, each with its text and its hits. Unreadable files are skipped.
fn by_file<'h>(
    files: &dyn Files,
    hits: &'h Hits,
) -> impl Iterator<Item = (&'h str, Arc<str>, &'h [Hit])> {
    hits.hits
        .chunk_by(|a, b| a.path == b.path)
        .filter_map(|of_file| {
            let path = of_file.first()?.path.as_str();
            Some((path, files.text(path).ok()?.into(), of_file))
        })
}

/// The lines around the hits that satisfy `counts`, file by file. Overlapping excerpts are joined.
fn around(files: &dyn Files, hits: &Hits, counts: impl Fn(&str, &Lexical) -> bool) -> Answer {
    let mut answer = Answer {
        more: hits.more,
        ..Answer::default()
    };
    for (path, text, of_file) in by_file(files, hits) {
        if answer.is_full(path, &text) {
            answer.more = true;
            break;
        }
        let lines: Vec<&str> = text.lines().collect();
        let lexical = lexical(path);
        let mut span: Option<(usize, usize)> = None;
        for hit in of_file {
            if !lines
                .get(hit.line.saturating_sub(1))
                .is_some_and(|line| counts(line, lexical))
            {
                continue;
            }
            let (from, to) = (
                hit.line.saturating_sub(AROUND).max(1),
                (hit.line + AROUND).min(lines.len()),
            );
            span = match span {
                Some((start, end)) if from <= end + 1 => Some((start, to)),
                Some(done) => {
                    add_span(&mut answer, path, &text, &lines, done);
                    Some((from, to))
                }
                None => Some((from, to)),
            };
        }
        if let Some(done) = span {
            add_span(&mut answer, path, &text, &lines, done);
        }
    }
    answer
}

fn add_span(
    answer: &mut Answer,
    path: &str,
    text: &Arc<str>,
    lines: &[&str],
    (from, to): (usize, usize),
) {
    answer.add(
        path,
        text,
        from,
        lines.get(from - 1..to).unwrap_or_default(),
    );
}

fn definitions(files: &dyn Files, hits: &Hits, name: &str) -> Answer {
    let mut answer = Answer {
        more: hits.more,
        ..Answer::default()
    };
    for (path, text, of_file) in by_file(files, hits) {
        let lines: Vec<&str> = text.lines().collect();
        let lexical = lexical(path);
        for hit in of_file {
            let Some(line) = lines.get(hit.line.saturating_sub(1)) else {
                continue;
            };
            if !definition::is_definition(line, name, lexical) || lexical.is_comment_line(line) {
                continue;
            }
            if answer.excerpts.len() == DEFINITIONS || answer.is_full(path, &text) {
                answer.more = true;
                return answer;
            }
            let (from, to) = definition::block(&lines, hit.line - 1);
            answer.add(
                path,
                &text,
                from + 1,
                lines
                    .get(from..to.min(from + DEFINITION_LINES))
                    .unwrap_or_default(),
            );
        }
    }
    answer
}

fn lexical(path: &str) -> &'static Lexical {
    Lexical::or_any(Language::of_path(path, String::new).map(Language::name))
}

/// A line of an answer, cut if it is long.
#[must_use]
pub fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_LINE_CHARS) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line.to_owned(),
    }
}
