//! The list of a repository's files that was sent with a request.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::refusal::{Refusal, checked_path};
use crate::diff::unquote;

/// Maximum number of paths of a request.
pub const MAX_CONTEXT_PATHS: usize = 50_000;
/// Maximum size of the list, in bytes.
pub const MAX_CONTEXT_PATHS_BYTES: usize = 4 << 20;

/// The paths of all files of a repository after a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextPaths(BTreeSet<String>);

/// The reason why a text is not a list of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContextPathsFault {
    /// A line is not a path in the repository.
    #[error(
        "line {0} must be a path relative to the top of the repository, without `.`, `..` and backslashes"
    )]
    Path(usize),
    /// Too many lines.
    #[error("must have at most {MAX_CONTEXT_PATHS} lines")]
    TooMany,
    /// Too many bytes.
    #[error("must have at most {MAX_CONTEXT_PATHS_BYTES} bytes, not {0}")]
    TooLarge(usize),
}

impl ContextPaths {
    /// Reads the output of `git ls-files`: one path per line, with special characters in quotes. Blank lines and files
    /// that usually contain secrets are skipped.
    ///
    /// # Errors
    /// See [`ContextPathsFault`].
    pub fn parse(text: &str) -> Result<Self, ContextPathsFault> {
        if text.len() > MAX_CONTEXT_PATHS_BYTES {
            return Err(ContextPathsFault::TooLarge(text.len()));
        }
        let mut paths = BTreeSet::new();
        for (at, line) in text.lines().enumerate() {
            if at == MAX_CONTEXT_PATHS {
                return Err(ContextPathsFault::TooMany);
            }
            if line.is_empty() {
                continue;
            }
            let fault = ContextPathsFault::Path(at + 1);
            let path = if line.starts_with('"') {
                unquote(line).ok_or(fault)?
            } else {
                Cow::Borrowed(line)
            };
            match checked_path(&path) {
                Ok(checked) if *checked == *path => {}
                Err(Refusal::Secret) => continue,
                _ => return Err(fault),
            }
            paths.insert(path.into_owned());
        }
        Ok(Self(paths))
    }

    /// Memory of the list, roughly, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let each = |path: &String| path.len() + size_of::<String>();
        self.0.iter().map(each).sum()
    }

    pub(super) fn insert(&mut self, path: &str) {
        if !self.0.contains(path) {
            self.0.insert(path.to_owned());
        }
    }

    pub(super) fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::proptest;

    use super::{ContextPaths, ContextPathsFault, MAX_CONTEXT_PATHS, MAX_CONTEXT_PATHS_BYTES};

    fn paths(text: &str) -> Result<Vec<String>, ContextPathsFault> {
        ContextPaths::parse(text).map(|paths| paths.iter().map(str::to_owned).collect())
    }

    #[test]
    fn the_output_of_git_ls_files_is_read() {
        let text =
            "src/b.py\na.py\r\n\n\"caf\\303\\251 \\\"x\\\".py\"\n.env\nwith space.py\na.py\n";
        let expected = ["a.py", "caf\u{e9} \"x\".py", "src/b.py", "with space.py"];
        assert_eq!(paths(text).unwrap(), expected);
        assert_eq!(paths("").unwrap(), [""; 0]);
    }

    #[test]
    fn the_first_line_that_is_not_a_path_is_reported() {
        for wrong in [
            "/etc/passwd", "../a.py", "./a.py", "a//b.py", "C:/a", "a\\b", "\"a", "\"a\"b", "\"\"",
        ] {
            let text = format!("a.py\n\n{wrong}\n..\n");
            assert_eq!(paths(&text), Err(ContextPathsFault::Path(3)), "{wrong}");
        }
    }

    #[test]
    fn long_lists_are_refused() {
        let lines = |count: usize| "a.py\n".repeat(count);
        assert!(paths(&lines(MAX_CONTEXT_PATHS)).is_ok());
        let many = paths(&lines(MAX_CONTEXT_PATHS + 1));
        assert_eq!(many, Err(ContextPathsFault::TooMany));
        let large = "a".repeat(MAX_CONTEXT_PATHS_BYTES + 1);
        assert_eq!(paths(&large), Err(ContextPathsFault::TooLarge(large.len())));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in r#"([a-z"\\/.\n\r ]|\PC){0,60}"#) {
            if let Ok(paths) = paths(&text) {
                assert!(paths.iter().all(|path| !path.is_empty() && !path.starts_with('/')));
            }
        }
    }
}
