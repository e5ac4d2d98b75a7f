//! Look-ups in the repository around a change: bounded, read-only, and in the state after the change.
//!
//! A [`Repository`] answers [`Lookup`]s. [`answer`] decides what an answer consists of. The files come from a
//! [`Files`]: those of a request ([`RequestRepository`]), or a checkout. Code is not parsed here. The words around a name
//! decide whether it is a definition or a use, so an answer may contain too much.

mod answer;
mod context_files;
mod context_paths;
mod definition;
mod ignored;
mod lookup;
mod mentions;
mod query;
mod refusal;
mod request;
#[cfg(test)]
mod tests;
mod words;

pub use answer::{answer, shortened};
pub use context_files::{ContextFileFault, ContextFiles, MAX_CONTEXT_BYTES, MAX_CONTEXT_FILES};
pub use context_paths::{
    ContextPaths, ContextPathsFault, MAX_CONTEXT_PATHS, MAX_CONTEXT_PATHS_BYTES,
};
pub use lookup::{
    Answer, Excerpt, Files, Hit, Hits, Listing, Lookup, MAX_ANSWER_BYTES, MAX_FILE_BYTES, MAX_HITS,
    MAX_LINES, Repository,
};
pub use mentions::{
    FilesToRead, MANY_BYTES, MANY_FILES, MAX_FILES_OF_NAME, MAX_MENTIONING_FILES, MAX_MENTIONS,
    MAX_NAMES, MentionSearch, MentioningFile, Mentions, NameCount, files_to_read, has_extension,
};
pub use query::{InThisThread, Mentioned, Query, QueryAnswer, QueryFailure, QueryRunner};
pub use refusal::{Refusal, checked_path, is_secret};
pub use request::{ContextSearch, RequestRepository};
pub use words::{called_names, mentions_word, words};
