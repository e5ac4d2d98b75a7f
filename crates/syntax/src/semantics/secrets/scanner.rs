//! Finds candidates for secrets in a text: one pass for all keywords, then the patterns of those that are present.
//!
//! A pattern is compiled when its keyword is first found, over bytes and without Unicode tables. With these tables, all
//! patterns together would take half a gigabyte.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::Captures;

use super::allow::{Allowance, EVERYWHERE, Observed};
use super::detector::{Detector, Kind};
use super::detectors::all;
use super::lazy::LazyPattern;
use super::placeholder::{entropy, has_dense_piece, is_placeholder, switches};
use super::proof::{Verdict, verdict};

/// Bytes of a line that a pattern is matched against together.
const WINDOW: usize = 4096;
/// Bytes that two windows share, so that a match at the edge of one is complete in the other.
const OVERLAP: usize = 1024;
/// The end that gitleaks requires after a token.
const END: &str = r#"(?:[\x60'"\s;]|\\[nr]|$)"#;
/// Maximum number of matches of one pattern in one window.
const MOST: usize = 16;

/// A candidate for a secret.
#[derive(Debug, Clone, Copy)]
pub struct Secret<'t> {
    /// The detector that found it.
    pub detector: &'static Detector,
    /// The secret itself. Must not be shown.
    pub value: &'t str,
    /// Its offset in the text.
    pub start: usize,
    pub(crate) verdict: Verdict,
}

/// Detectors that scan the same kind of text.
pub struct Scanner {
    /// Each of its matches has a part that [`has_dense_piece`] recognizes.
    dense: bool,
    entries: Vec<Entry>,
    /// Built on the first text with a part that could be a secret.
    keywords: OnceLock<Keywords>,
}

/// The keywords of some detectors.
struct Keywords {
    /// `None` if there are none.
    automaton: Option<AhoCorasick>,
    /// The detectors of each keyword.
    detectors: Vec<Vec<usize>>,
}

/// A detector with its patterns.
struct Entry {
    detector: &'static Detector,
    pattern: LazyPattern,
    /// The pattern without the end that must follow a secret. Masking does not need the end.
    open: LazyPattern,
    path: LazyPattern,
    allow: Vec<Allowance>,
}

/// Detectors of secrets that are short or can consist of words.
const SHORT: &[&str] = &[
    "hashicorp-tf-password", "nuget-config-password", "sidekiq-secret", "sidekiq-sensitive-url",
];

/// All kinds of secrets within a line that are recognized by a service or a file format.
pub static TOKENS: LazyLock<Scanner> = LazyLock::new(|| {
    Scanner::new(true, |detector| {
        detector.kind != Kind::Generic && !is_block(detector)
    })
});
/// Those that can extend over several lines or need no dense part.
pub static BLOCKS: LazyLock<Scanner> = LazyLock::new(|| {
    Scanner::new(false, |detector| {
        is_block(detector) && detector.id != "private-key"
    })
});
/// Those that are recognized only by a name such as `key`.
pub static GENERIC: LazyLock<Scanner> =
    LazyLock::new(|| Scanner::new(true, |detector| detector.kind == Kind::Generic));

pub(super) fn is_block(detector: &Detector) -> bool {
    detector.lines || SHORT.contains(&detector.id)
}

/// The detector for a path that by itself shows that the file contains nothing but a secret.
pub fn secret_file(path: &str) -> Option<&'static Detector> {
    static FILES: LazyLock<Vec<(&'static Detector, LazyPattern)>> = LazyLock::new(|| {
        let by_path = all().filter(|detector| detector.pattern.is_empty());
        by_path
            .map(|detector| (detector, LazyPattern::new(detector.path)))
            .collect()
    });
    FILES
        .iter()
        .find(|(_, pattern)| pattern.is_match(path))
        .map(|(detector, _)| *detector)
}

impl Scanner {
    fn new(dense: bool, is_wanted: impl Fn(&Detector) -> bool) -> Self {
        let detectors =
            all().filter(|detector| is_wanted(detector) && !detector.pattern.is_empty());
        Self {
            dense,
            entries: detectors.map(Entry::new).collect(),
            keywords: OnceLock::new(),
        }
    }

    fn keywords(&self) -> &Keywords {
        self.keywords.get_or_init(|| Keywords::of(&self.entries))
    }

    /// The detectors whose keywords are in a text.
    fn hits(&self, text: &str, dense: bool) -> Vec<usize> {
        let mut hits: Vec<usize> = Vec::new();
        if dense && !has_dense_piece(text) {
            return hits;
        }
        let Keywords {
            automaton,
            detectors,
        } = self.keywords();
        for found in automaton
            .iter()
            .flat_map(|automaton| automaton.find_overlapping_iter(text))
        {
            hits.extend(
                detectors
                    .get(found.pattern().as_usize())
                    .into_iter()
                    .flatten(),
            );
        }
        hits.sort_unstable();
        hits.dedup();
        hits
    }

    /// Whether a detector applies only to files with such a path.
    pub fn is_for(&self, path: &str) -> bool {
        self.entries.iter().any(|entry| entry.path.is_match(path))
    }

    /// Whether a detector's keyword is in a text.
    pub fn has_keyword(&self, text: &str) -> bool {
        self.keywords()
            .automaton
            .as_ref()
            .is_some_and(|automaton| automaton.is_match(text))
    }

    /// Whether a text has a known form, real or not.
    pub fn knows(&self, text: &str) -> bool {
        let entries = self
            .hits(text, self.dense)
            .into_iter()
            .filter_map(|index| self.entries.get(index));
        entries
            .filter(|entry| entry.detector.kind == Kind::Form)
            .any(|entry| entry.pattern.is_match(text))
    }

    /// The places in a line that have the form of a secret, real or not. For masks, which may be wrong.
    pub(super) fn places(&self, line: &str, path: &str) -> Vec<Range<usize>> {
        let mut places: Vec<Range<usize>> = Vec::new();
        for (offset, window) in windows(line) {
            for entry in self
                .hits(window, false)
                .into_iter()
                .filter_map(|index| self.entries.get(index))
            {
                for place in entry.places(window, path) {
                    let start = offset + place.start;
                    // A value truncated by the edge of a window is followed to its end once.
                    let known = places
                        .last()
                        .filter(|last| last.contains(&start))
                        .map(|last| last.end);
                    let end = known.unwrap_or_else(|| whole_end(line, offset, window, place.end));
                    places.push(start..end.max(offset + place.end));
                }
            }
        }
        places
    }

    /// The candidates in a line of a file.
    pub fn find<'t>(&self, line: &'t str, path: &str) -> Vec<Secret<'t>> {
        let mut found: Vec<Secret<'t>> = Vec::new();
        for (offset, window) in windows(line) {
            let is_whole = window.len() == line.len();
            let hits = self
                .hits(window, self.dense)
                .into_iter()
                .filter_map(|index| self.entries.get(index));
            // A long line is data, so only a secret's own form counts.
            for entry in hits.filter(|entry| is_whole || entry.detector.kind == Kind::Form) {
                let secrets = entry.find(window, path);
                found.extend(secrets.map(|secret| Secret {
                    start: secret.start + offset,
                    ..secret
                }));
            }
        }
        // A match in the overlap of two windows is found twice; one at an edge only in part.
        found.sort_by_key(|secret| (secret.start, std::cmp::Reverse(secret.value.len())));
        found.dedup_by(|next, kept| {
            next.detector.id == kept.detector.id && next.start < kept.start + kept.value.len()
        });
        found
    }
}

impl Keywords {
    fn of(entries: &[Entry]) -> Self {
        let mut users = BTreeMap::<&str, Vec<usize>>::new();
        for (index, entry) in entries.iter().enumerate() {
            entry
                .detector
                .keywords
                .iter()
                .for_each(|word| users.entry(word).or_default().push(index));
        }
        // A contiguous NFA is built in less time than a usual review takes. A DFA is faster, but takes five times as
        // long to build.
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(kind)
            .build(users.keys())
            .ok();
        Self {
            automaton,
            detectors: users.into_values().collect(),
        }
    }
}

/// The end of a value that the edge of a window may truncate. A token may be longer than the overlap of two windows.
pub(super) fn whole_end(line: &str, offset: usize, window: &str, end: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+/=.~%".contains(byte);
    let tail = line
        .as_bytes()
        .get(offset + end..)
        .filter(|_| end == window.len())
        .unwrap_or_default();
    offset + end + tail.iter().take_while(|byte| is_part(byte)).count()
}

/// A line in pieces of bounded length, with their offsets.
pub(super) fn windows(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = Some(0_usize);
    std::iter::from_fn(move || {
        let start = next?;
        let end = line.floor_char_boundary(start.saturating_add(WINDOW));
        next = (end < line.len()).then(|| line.floor_char_boundary(end - OVERLAP));
        Some((start, line.get(start..end)?))
    })
}

impl Entry {
    fn new(detector: &'static Detector) -> Self {
        Self {
            detector,
            pattern: LazyPattern::new(detector.pattern),
            open: LazyPattern::new(
                detector
                    .pattern
                    .strip_suffix(END)
                    .unwrap_or(detector.pattern),
            ),
            path: LazyPattern::new(detector.path),
            allow: detector.allow.iter().map(Allowance::new).collect(),
        }
    }

    fn find<'t>(&self, text: &'t str, path: &str) -> impl Iterator<Item = Secret<'t>> {
        let is_for = self.detector.path.is_empty() || self.path.is_match(path);
        let pattern = self.pattern.get().filter(|_| is_for);
        let captures = pattern
            .into_iter()
            .flat_map(|pattern| pattern.captures_iter(text.as_bytes()))
            .take(MOST);
        // An abbreviated value is an example.
        let is_abbreviated = move |secret: &Secret<'_>| {
            let rest = text.get(secret.start + secret.value.len()..);
            rest.is_some_and(|rest| rest.starts_with("...") || rest.starts_with('…'))
        };
        captures
            .filter_map(move |captures| self.secret(&captures, text, path))
            .filter(move |secret| !is_abbreviated(secret))
    }

    fn places(&self, text: &str, path: &str) -> impl Iterator<Item = Range<usize>> {
        let is_for = self.detector.path.is_empty() || self.path.is_match(path);
        let is_form = self.detector.kind == Kind::Form;
        let pattern = if is_form { &self.open } else { &self.pattern };
        let pattern = pattern.get().filter(|_| is_for);
        let captures = pattern
            .into_iter()
            .flat_map(|pattern| pattern.captures_iter(text.as_bytes()));
        captures.filter_map(move |captures| {
            if is_form {
                return value_of(self.detector, &captures)
                    .or_else(|| Some(captures.get(0)?.range()));
            }
            self.secret(&captures, text, path)
                .map(|secret| secret.start..secret.start + secret.value.len())
        })
    }

    fn secret<'t>(&self, captures: &Captures<'_>, text: &'t str, path: &str) -> Option<Secret<'t>> {
        let detector = self.detector;
        let whole = captures.get(0)?.range();
        let place = value_of(detector, captures).unwrap_or_else(|| whole.clone());
        let named = text.get(place.clone())?;
        let value = without_name(detector, named);
        let verdict = verdict(detector.id, value);
        let is_possible = || {
            let line = line_around(text, place.start);
            let seen = Observed {
                value: named,
                whole: text.get(whole).unwrap_or(value),
                line,
                path,
            };
            entropy(value) > detector.entropy
                && !is_placeholder(&body(detector, value))
                && looks_random(detector, value)
                && !EVERYWHERE.agrees(&seen)
                && !self.allow.iter().any(|allow| allow.agrees(&seen))
        };
        let is_real = verdict == Verdict::Proven || verdict == Verdict::Plausible && is_possible();
        let start = place.end - named.len() + named.find(value).unwrap_or_default();
        is_real.then_some(Secret {
            detector,
            value,
            start,
            verdict,
        })
    }
}

/// The secret of `password: secret` and `user:secret`.
fn without_name<'t>(detector: &Detector, value: &'t str) -> &'t str {
    let tail = if detector.lines {
        value.rsplit_once(':').map(|(_, tail)| tail)
    } else {
        None
    };
    tail.map_or(value, |tail| {
        tail.trim_matches([' ', '\t', '\n', '|', '>', '-', '"', '\''])
    })
}

fn line_around(text: &str, at: usize) -> &str {
    let start = text
        .get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1);
    text.get(start..)
        .and_then(|rest| rest.lines().next())
        .unwrap_or_default()
}

/// The group that is the secret: the one that the detector names, otherwise the first one that is long enough.
fn value_of(detector: &Detector, captures: &Captures<'_>) -> Option<Range<usize>> {
    const SHORTEST: usize = 6;
    if detector.group > 0 {
        return captures.get(detector.group).map(|group| group.range());
    }
    captures
        .iter()
        .skip(1)
        .flatten()
        .map(|group| group.range())
        .find(|range| range.len() >= SHORTEST)
}

/// The random part of a secret. Its fixed parts may contain words such as `test`, or padding.
fn body<'t>(detector: &Detector, value: &'t str) -> Cow<'t, str> {
    const FILLED: &[&str] = &["dropbox-long-lived-api-token", "twitter-bearer-token"];
    let starts = |word: &&str| {
        value
            .get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let fixed = detector
        .keywords
        .iter()
        .filter(|word| starts(word))
        .map(|word| word.len())
        .max();
    let rest = fixed
        .and_then(|length| value.get(length..))
        .unwrap_or(value);
    let marks = ["test_", "test-", "_test_", "sandbox-", "development-"];
    let rest = marks
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))
        .unwrap_or(rest);
    if FILLED.contains(&detector.id) {
        Cow::Owned(rest.replace("AA", ""))
    } else {
        Cow::Borrowed(rest)
    }
}

/// If only a name shows that a value is a secret, the value itself must not be a name.
fn looks_random(detector: &Detector, value: &str) -> bool {
    if detector.kind != Kind::Named {
        return true;
    }
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    digits >= 2 && letters >= 2 && switches(value) * 6 >= value.len()
}
