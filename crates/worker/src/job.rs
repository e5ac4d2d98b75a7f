//! The jobs of a worker that reviews.

use impact::Question;
use review::Chunk;
use review::repository::Query;
use serde::{Deserialize, Serialize};

/// A job, sent with references and received with values: `F` is a changed file, `A` a question about another file, `Q` a query
/// about the texts of a request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Job<F, A, Q> {
    /// Scans a changed file.
    Scan(F),
    /// Answers a question about an unchanged file.
    Ask(A),
    /// Answers a query.
    Query(Q),
}

/// A job as it is sent.
pub(crate) type SentJob<'a, 'd> = Job<&'a Chunk<'d>, &'a Question<'a>, &'a Query<'a>>;
/// A job as it is received.
pub(crate) type ReceivedJob<'a> = Job<Chunk<'a>, Question<'a>, Query<'a>>;
