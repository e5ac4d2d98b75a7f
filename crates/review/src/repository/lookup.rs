//! Look-ups in a repository, and their answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::mentions::{MentionSearch, Mentions};
use super::query::QueryRunner;
use super::refusal::Refusal;

/// Maximum number of lines of one answer.
pub const MAX_LINES: usize = 200;
/// Maximum size of a file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 1 << 20;
/// Maximum size of all files with lines in one answer, in bytes.
pub const MAX_ANSWER_BYTES: usize = 4 << 20;
/// Maximum number of lines with a name that are examined for one answer.
pub const MAX_HITS: usize = 400;

/// A look-up in a repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// Lines of a file, from 1, both included.
    Read {
        /// The path from the root of the repository.
        path: String,
        /// The first line.
        first: usize,
        /// The last line.
        last: usize,
    },
    /// The lines that contain a text.
    Search(String),
    /// The definition of a name.
    Definition(String),
    /// The uses of a name.
    Callers(String),
}

/// Consecutive lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The path from the root of the repository.
    pub path: String,
    /// The number of the first line, from 1.
    pub first: usize,
    /// The lines, long ones cut.
    pub lines: Vec<String>,
    /// The text of the whole file. Only the whole shows which parts of a line are secret.
    pub file: Arc<str>,
}

/// The answer to a look-up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// At most [`MAX_LINES`] lines in all; empty if nothing was found.
    pub excerpts: Vec<Excerpt>,
    /// The answer is incomplete.
    pub more: bool,
}

/// A line that contains the searched text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The path from the root of the repository.
    pub path: String,
    /// The number of the line, from 1.
    pub line: usize,
}

/// The hits of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// Sorted by path and line, at most [`MAX_HITS`].
    pub hits: Vec<Hit>,
    /// There are more hits.
    pub more: bool,
}

/// The files of a repository in the state after the change. Callers check paths beforehand (`checked_path`).
pub trait Files: Send + Sync {
    /// The text of a file of at most [`MAX_FILE_BYTES`].
    ///
    /// # Errors
    /// The file does not exist, or must not be read.
    fn text(&self, path: &str) -> Result<String, Refusal>;

    /// The lines with a text, as a whole word or anywhere.
    ///
    /// # Errors
    /// The search failed.
    fn search(&self, text: &str, as_word: bool) -> Result<Hits, Refusal>;
}

/// The files of a repository with some extensions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Their paths.
    pub paths: Vec<String>,
    /// There are no others.
    pub is_complete: bool,
}

/// A repository in which names and texts can be looked up.
pub trait Repository: fmt::Debug + Send + Sync {
    /// Answers a look-up, in bounded time.
    fn look_up<'a>(&'a self, lookup: &'a Lookup) -> BoxFuture<'a, Result<Answer, Refusal>>;

    /// Whether language models may use it.
    fn is_for_models(&self) -> bool {
        true
    }

    /// Finds the files that mention names, in bounded time; none if the repository is not searched. `runner` searches the
    /// texts that came with a request.
    fn mentions<'a>(
        &'a self,
        _search: &'a MentionSearch,
        _runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<Mentions, Refusal>> {
        Box::pin(std::future::ready(Ok(Mentions::default())))
    }

    /// Lists the files with some extensions (without a dot), in bounded time; none where the repository is not searched.
    fn list<'a>(
        &'a self,
        _extensions: &'a [&'static str],
    ) -> BoxFuture<'a, Result<Listing, Refusal>> {
        Box::pin(std::future::ready(Ok(Listing::default())))
    }

    /// Reads files, by path. Those that cannot be read are left out.
    fn read<'a>(
        &'a self,
        _paths: &'a [String],
    ) -> BoxFuture<'a, Result<BTreeMap<String, String>, Refusal>> {
        Box::pin(std::future::ready(Ok(BTreeMap::new())))
    }

    /// Which of these paths git ignores: files there may be generated. `runner` reads the `.gitignore` files that came with
    /// a request.
    fn ignored<'a>(
        &'a self,
        paths: &'a [String],
        _runner: &'a dyn QueryRunner,
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        Box::pin(std::future::ready(Ok(paths.iter().cloned().collect())))
    }
}
