//! Files that were sent with a request.

use std::collections::BTreeMap;

use super::lookup::{Files, Hit, Hits, MAX_HITS};
use super::refusal::{Refusal, checked_path};
use super::words::mentions_word;

/// Maximum number of context files of a request.
pub const MAX_CONTEXT_FILES: usize = 400;
/// Maximum size of all context files of a request together, in bytes of their paths and contents.
pub const MAX_CONTEXT_BYTES: usize = 4 << 20;

/// Files of a repository in addition to the change, held in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextFiles(BTreeMap<String, String>);

/// The reason why a file cannot be a context file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ContextFileFault {
    /// The path is outside the repository.
    #[error("must be relative to the top of the repository, without `.`, `..` and backslashes")]
    Path,
    /// The path occurs twice.
    #[error("is the path of an earlier context file")]
    Duplicate,
    /// Too many files.
    #[error("there may be at most {MAX_CONTEXT_FILES} context files")]
    TooMany,
    /// Too many bytes.
    #[error(
        "paths and contents of the context files up to this one exceed {MAX_CONTEXT_BYTES} bytes"
    )]
    TooLarge,
}

impl ContextFiles {
    /// Adds a file. A file that usually contains secrets is valid but ignored.
    ///
    /// # Errors
    /// See [`ContextFileFault`].
    pub fn add(&mut self, path: String, content: String) -> Result<(), ContextFileFault> {
        match checked_path(&path) {
            Err(Refusal::Secret) => return Ok(()),
            Err(_) => return Err(ContextFileFault::Path),
            Ok(checked) if checked != path => return Err(ContextFileFault::Path),
            Ok(_) => {}
        }
        if self.0.len() == MAX_CONTEXT_FILES {
            return Err(ContextFileFault::TooMany);
        }
        if self.0.contains_key(&path) {
            return Err(ContextFileFault::Duplicate);
        }
        if self.bytes() + path.len() + content.len() > MAX_CONTEXT_BYTES {
            return Err(ContextFileFault::TooLarge);
        }
        self.0.insert(path, content);
        Ok(())
    }

    /// Bytes of all paths and contents.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0
            .iter()
            .map(|(path, content)| path.len() + content.len())
            .sum()
    }

    /// There is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Their paths and contents, in the order of the paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, content)| (path.as_str(), content.as_str()))
    }

    /// The text of a file; `None` if it is not among them or not text.
    pub(super) fn known_text(&self, path: &str) -> Option<&str> {
        let text = self.0.get(path).map(String::as_str);
        text.filter(|text| !text.contains('\0'))
    }

    /// The number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl Files for ContextFiles {
    fn text(&self, path: &str) -> Result<String, Refusal> {
        if !self.0.contains_key(path) {
            return Err(Refusal::NoSuchFile);
        }
        self.known_text(path)
            .map(str::to_owned)
            .ok_or(Refusal::NotText)
    }

    fn search(&self, text: &str, as_word: bool) -> Result<Hits, Refusal> {
        let mut found = Hits::default();
        for (path, content) in &self.0 {
            // Most files have no hit, and this is a fast check.
            if !content.contains(text) {
                continue;
            }
            for (at, line) in content.lines().enumerate() {
                let is_hit = if as_word {
                    mentions_word(line, text)
                } else {
                    line.contains(text)
                };
                if is_hit && found.hits.len() == MAX_HITS {
                    found.more = true;
                    return Ok(found);
                }
                if is_hit {
                    found.hits.push(Hit {
                        path: path.clone(),
                        line: at + 1,
                    });
                }
            }
        }
        Ok(found)
    }
}
