//! Masks secrets in the texts of findings: a summary may quote the very line that a secret is on.

use std::borrow::Cow;
use std::ops::Range;

use review::Category;

use super::hide::mask_own;
use super::lazy::LazyPattern;
use super::placeholder::is_random;
use super::scanner::{GENERIC, TOKENS};

/// Number of characters of a secret that are shown, to identify its kind.
const SHOWN: usize = 4;

/// A text assigned to a name such as `password` or `key`.
static GIVEN: LazyPattern = LazyPattern::new(
    r#"(?i)(?:pass(?:wd|word|phrase)|secret|token|credential|api_?key|(?:access|private|signing|encryption)_?key)[\w.-]{0,30}["'\])]{0,3}\s{0,3}(?:=>|:=|==|=|:|,)\s{0,3}[bru]?["'`]([^"'`\s]{6,})"#,
);
/// Any text in quotation marks, with or without a closing one.
static LITERAL: LazyPattern = LazyPattern::new(r#""([^"]*)"?|'([^']*)'?"#);
/// A long run of the characters that keys consist of, for example a line of a private key.
static RUN: LazyPattern = LazyPattern::new("([A-Za-z0-9+/=_-]{20,})");
/// A password in a URL.
static ADDRESS: LazyPattern = LazyPattern::new(r#"://[^/\s:@"'`]{1,60}:([^/\s@"'`]{4,})@"#);
/// The first line of a private key.
const KEY: &str = "PRIVATE KEY";

/// The few characters of a secret that may be shown.
pub fn masked(value: &str) -> String {
    let shown: String = value.chars().take(SHOWN).collect();
    format!("{shown}…")
}

/// A text with its secrets masked.
#[must_use]
pub fn redacted(text: &str) -> Cow<'_, str> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    spans.extend(
        TOKENS
            .find(text, "")
            .iter()
            .map(|secret| secret.start..secret.start + secret.value.len()),
    );
    if text.contains("://") {
        spans.extend(groups(&ADDRESS, text));
    }
    if GENERIC.has_keyword(text) {
        let random = GENERIC
            .find(text, "")
            .into_iter()
            .filter(|secret| is_random(secret.value));
        spans.extend(random.map(|secret| secret.start..secret.start + secret.value.len()));
        spans.extend(
            groups(&GIVEN, text).filter(|span| text.get(span.clone()).is_some_and(is_no_word)),
        );
        spans.extend(text.find(KEY).map(|start| start + KEY.len()..text.len()));
    }
    without(text, spans)
}

/// A text without anything that may be a secret, for findings about secrets: all string literals in the code that it
/// quotes are masked.
pub(crate) fn without_literals(text: &str) -> String {
    let text = redacted(text);
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for (index, part) in text.split('`').enumerate() {
        if index % 2 == 1 {
            spans.extend(literals(part).map(|span| start + span.start..start + span.end));
        }
        start += part.len() + 1;
    }
    without(&text, spans).into_owned()
}

/// A line of code, masked for a finding of this category.
#[must_use]
pub fn shown_code(category: Category, line: &str) -> String {
    let masked = mask_own(line);
    let text = redacted(&masked);
    if category != Category::SecretExposure {
        return text.into_owned();
    }
    let runs = groups(&RUN, &text).filter(|span| text.get(span.clone()).is_some_and(is_no_word));
    without(&text, literals(&text).chain(runs).collect()).into_owned()
}

/// The string literals that are not names.
fn literals(code: &str) -> impl Iterator<Item = Range<usize>> {
    let is_name =
        |value: &str| value.len() <= SHOWN || GENERIC.has_keyword(value) && !is_no_word(value);
    groups(&LITERAL, code)
        .filter(move |span| code.get(span.clone()).is_some_and(|value| !is_name(value)))
}

fn groups(pattern: &'static LazyPattern, text: &str) -> impl Iterator<Item = Range<usize>> {
    let captures = pattern
        .get()
        .into_iter()
        .flat_map(|pattern| pattern.captures_iter(text.as_bytes()));
    captures.filter_map(|captures| {
        captures
            .iter()
            .skip(1)
            .flatten()
            .next()
            .map(|group| group.range())
    })
}

/// Whether it contains anything but letters, unlike a name.
fn is_no_word(value: &str) -> bool {
    !value
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.'))
}

fn without(text: &str, mut spans: Vec<Range<usize>>) -> Cow<'_, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    spans.sort_by_key(|span| (span.start, span.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        if let (true, Some(before), Some(value)) = (
            span.start >= done,
            text.get(done..span.start),
            text.get(span.clone()),
        ) {
            out.push_str(before);
            out.push_str(&masked(value));
            done = span.end;
        } else if span.end > done && text.is_char_boundary(span.end) {
            done = span.end;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}
