//! The jobs of a worker that reviews.

use serde::{Deserialize, Serialize};

/// A job, sent with references and received with values: `F` is a file, `Q` a query about the texts of a request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Job<F, Q> {
    /// Scans a file.
    Scan(F),
    /// Answers a query.
    Answer(Q),
}
