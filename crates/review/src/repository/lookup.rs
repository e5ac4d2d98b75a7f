//! Questions about a repository, and what answers them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use futures_util::future::BoxFuture;

use super::mentions::{MentionSearch, Mentions};
use super::refusal::Refusal;

/// Lines of one answer at most.
pub const MAX_LINES: usize = 200;
/// Bytes of a file that is looked into at most.
pub const MAX_FILE_BYTES: usize = 1 << 20;
/// Lines with a name that are looked at for one answer.
pub const MAX_HITS: usize = 400;

/// A question about a repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// Lines of a file, from 1, both included.
    Read {
        /// From the repository's top.
        path: String,
        /// The first line.
        first: usize,
        /// The last line.
        last: usize,
    },
    /// The lines that contain a text.
    Search(String),
    /// Where a name is defined.
    Definition(String),
    /// Where a name is used.
    Callers(String),
}

/// Consecutive lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// From the repository's top.
    pub path: String,
    /// The number of the first line, from 1.
    pub first: usize,
    /// The lines, long ones cut.
    pub lines: Vec<String>,
}

/// The answer to a look-up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// At most [`MAX_LINES`] lines in all; none if there is nothing of the kind.
    pub excerpts: Vec<Excerpt>,
    /// There is more than was returned.
    pub more: bool,
}

/// A line with a text that was searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// From the repository's top.
    pub path: String,
    /// The number of the line, from 1.
    pub line: usize,
}

/// The hits of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// In the order of paths and lines, at most [`MAX_HITS`].
    pub hits: Vec<Hit>,
    /// There are more.
    pub more: bool,
}

/// The files of a repository at the change's new side. Paths are checked before they get here (`checked_path`).
pub trait Files: Send + Sync {
    /// The text of a file of at most [`MAX_FILE_BYTES`].
    ///
    /// # Errors
    /// There is none, or it is not to be read.
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

/// A repository that questions can be asked about.
pub trait Repository: fmt::Debug + Send + Sync {
    /// Answers a look-up, in bounded time.
    fn look_up<'a>(&'a self, lookup: &'a Lookup) -> BoxFuture<'a, Result<Answer, Refusal>>;

    /// Whether language models may look into it.
    fn is_for_models(&self) -> bool {
        true
    }

    /// Finds the files that mention names, in bounded time; none where the repository is not searched.
    fn mentions<'a>(
        &'a self,
        _search: &'a MentionSearch,
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

    /// Which of these paths git ignores: files there may be generated.
    fn ignored<'a>(
        &'a self,
        paths: &'a [String],
    ) -> BoxFuture<'a, Result<BTreeSet<String>, Refusal>> {
        Box::pin(std::future::ready(Ok(paths.iter().cloned().collect())))
    }
}
