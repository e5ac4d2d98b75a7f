//! The paths of a file header: quoting, labels and prefixes.
//!
//! The crate `diffy` unquotes git's paths and splits the `diff --git` line; `diff.rs` explains why it is not used for
//! more.

use std::borrow::Cow;

use super::stamp;
use diffy::patch_set::{FileOperation, ParseOptions, PatchSet};

/// The prefixes of git and Bitbucket. Others (`i/` and `w/`, `old/` and `new/`, …) are derived from the common suffix of
/// the two sides.
const PREFIXES: [(&str, &str); 2] = [("a/", "b/"), ("src://", "dst://")];

/// The name of a file that does not exist.
const NULL: &str = "/dev/null";

/// `diffy` tries every split of an unquoted line, in quadratic time; this bounds it.
const SPLIT_LIMIT: usize = 1024;

/// The two names of a file as in a header, with prefixes.
pub(super) type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The rest of a line `--- ` or `+++ `.
#[derive(Debug, Clone, Copy)]
pub(super) struct Label<'a> {
    /// The name, including quotes and prefix.
    pub(super) name: &'a str,
    /// The note after it: a time stamp, or svn's revision.
    pub(super) note: &'a str,
}

impl<'a> Label<'a> {
    pub(super) fn parse(text: &'a str) -> Self {
        let (name, note) = text.split_once('\t').unwrap_or((text, ""));
        Self { name, note }
    }

    /// As [`Label::parse`], if the tab before a time stamp may have become blanks, as in a diff copied from a terminal.
    pub(super) fn parse_stamped(text: &'a str) -> Self {
        let blank = if text.contains('\t') {
            None
        } else {
            stamp::start(text)
        };
        let split = blank.and_then(|at| text.split_at_checked(at));
        split.map_or_else(|| Self::parse(text), |(name, note)| Self { name, note })
    }

    /// Whether the label is that of a missing file.
    pub(super) fn is_null(self) -> bool {
        self.name == NULL
    }
}

/// Unquotes a name. Invalid UTF-8 is replaced by U+FFFD. `None` if the quoting is malformed.
pub(crate) fn unquote(name: &str) -> Option<Cow<'_, str>> {
    if !name.starts_with('"') {
        return (!name.is_empty()).then_some(Cow::Borrowed(name));
    }
    let header = format!("--- {name}\n");
    let patch = PatchSet::parse_bytes(header.as_bytes(), ParseOptions::unidiff())
        .next()?
        .ok()?;
    match patch.operation() {
        FileOperation::Modify { original, .. } => {
            Some(Cow::Owned(String::from_utf8_lossy(original).into_owned()))
        }
        _ => None,
    }
}

/// The two names of a `diff --git` line (the whole line) without other headers.
pub(super) fn split<'a>(line: &'a str, names: &'a str) -> Option<Pair<'a>> {
    let quoted = names.starts_with('"') || names.ends_with('"');
    if let Some((old, new)) = halves(names).filter(|_| !quoted) {
        return Some((Cow::Borrowed(old), Cow::Borrowed(new)));
    }
    if let Some((old, new)) = names
        .split_once(' ')
        .filter(|(old, new)| !quoted && !old.is_empty() && is_one_word(new))
    {
        return Some((Cow::Borrowed(old), Cow::Borrowed(new)));
    }
    if !quoted && names.len() > SPLIT_LIMIT {
        return None;
    }
    let patch = PatchSet::parse_bytes(line.as_bytes(), ParseOptions::gitdiff())
        .next()?
        .ok()?;
    match patch.operation() {
        FileOperation::Modify { original, modified } => {
            Some((text(original.clone()), text(modified.clone())))
        }
        _ => None,
    }
}

/// The names if they have equal length and differ only in their prefix: the only possible split with git's own prefixes
/// and without prefixes.
fn halves(names: &str) -> Option<(&str, &str)> {
    let (old, rest) = names.split_at_checked(names.len() / 2)?;
    let new = rest.strip_prefix(' ')?;
    let (cut_old, cut_new) = prefixes(old, new);
    let same =
        !old.is_empty() && old.len() == new.len() && old.get(cut_old..) == new.get(cut_new..);
    same.then_some((old, new))
}

fn is_one_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(' ')
}

fn text(bytes: Cow<'_, [u8]>) -> Cow<'_, str> {
    match bytes {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// As [`unquote`]; a name that only starts with a quote is taken literally, because older versions of `diff` write it
/// that way.
pub(super) fn unquote_lenient(name: &str) -> Option<Cow<'_, str>> {
    unquote(name).or((!name.is_empty()).then_some(Cow::Borrowed(name)))
}

/// Removes the prefixes.
pub(super) fn without_prefixes<'a>((old, new): Pair<'a>) -> Pair<'a> {
    let (cut_old, cut_new) = prefixes(&old, &new);
    (cut(old, cut_old), cut(new, cut_new))
}

/// Whether the path is the other one, or the other one in some folder.
pub(super) fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|folder| !end.is_empty() && (folder.is_empty() || folder.ends_with('/')))
}

/// Whether two paths may be those of one file: one of them may be relative to an inner folder.
pub(super) fn may_be_one(path: &str, other: &str) -> bool {
    path.ends_with(other) || other.ends_with(path)
}

/// Removes a prefix of the given length.
pub(super) fn cut(name: Cow<'_, str>, length: usize) -> Cow<'_, str> {
    match name {
        Cow::Borrowed(name) => Cow::Borrowed(name.get(length..).unwrap_or(name)),
        Cow::Owned(name) => Cow::Owned(name.get(length..).unwrap_or(&name).to_owned()),
    }
}

/// The lengths of the prefixes. Equal names have none; otherwise the prefix is everything before the common path.
fn prefixes(old: &str, new: &str) -> (usize, usize) {
    if old == new {
        return (0, 0);
    }
    for (before, after) in PREFIXES {
        match (old, new) {
            (NULL, new) if new.starts_with(after) => return (0, after.len()),
            (old, NULL) if old.starts_with(before) => return (before.len(), 0),
            _ => {}
        }
        if old.starts_with(before) && new.starts_with(after) {
            return (before.len(), after.len());
        }
    }
    let same = old
        .bytes()
        .rev()
        .zip(new.bytes().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let ending = old.as_bytes().get(old.len() - same..).unwrap_or_default();
    let path = ending
        .iter()
        .position(|byte| *byte == b'/')
        .map_or(0, |slash| same - slash - 1);
    if path == 0 {
        (0, 0)
    } else {
        (old.len() - path, new.len() - path)
    }
}

#[cfg(test)]
mod tests {
    use super::{prefixes, split, unquote, without_prefixes};

    fn names(line: &str) -> Option<(String, String)> {
        let (old, new) = without_prefixes(split(line, line.strip_prefix("diff --git ")?)?);
        Some((old.into_owned(), new.into_owned()))
    }

    #[test]
    fn the_git_line_is_split_with_any_prefix() {
        for (line, path) in [
            ("a/x b/x", "x"),
            ("a/a b b b/a b b", "a b b"),
            ("x x", "x"),
            ("a/x a/x", "a/x"),
            ("i/d/x w/d/x", "d/x"),
            ("old dir/x new dir/x", "x"),
            ("src://d/x dst://d/x", "d/x"),
            ("before/x y after/x y", "x y"),
            (r#""a/t\tb" "b/t\tb""#, "t\tb"),
            (r#""a/\303\251" "b/\303\251""#, "é"),
            (r#""a/\351" "b/\351""#, "\u{fffd}"),
        ] {
            assert_eq!(
                names(&format!("diff --git {line}")),
                Some((path.into(), path.into())),
                "{line}"
            );
        }
        for line in ["a/x", "a/x b/y", "", " ", "\"a/x\" b", "\"a/x b/x\"", "x y"] {
            let line = format!("diff --git {line}");
            assert!(names(&line).is_none_or(|(old, new)| old != new), "{line}");
        }
    }

    #[test]
    fn long_lines_are_not_split() {
        let line = format!("diff --git {}", " a/".repeat(500_000));
        assert!(names(&line).is_none());
    }

    #[test]
    fn quoted_names_are_unquoted_or_rejected() {
        assert_eq!(
            unquote(r#""a\\b\"c\012\342\230\203""#).as_deref(),
            Some("a\\b\"c\n☃")
        );
        assert_eq!(unquote(r"a\b").as_deref(), Some(r"a\b"));
        for name in ["", "\"", "\"a", r#""\q""#, r#""\9""#, "\"a\"b"] {
            assert_eq!(unquote(name), None, "{name}");
        }
    }

    #[test]
    fn a_prefix_ends_at_a_slash() {
        assert_eq!(prefixes("x-1.0/src/é.c", "x-1.1/src/é.c"), (6, 6));
        assert_eq!(prefixes("a.c.orig", "a.c"), (0, 0));
        assert_eq!(prefixes("old-a.c", "new-a.c"), (0, 0));
    }
}
