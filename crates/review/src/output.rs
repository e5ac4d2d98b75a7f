//! What a review looks like outside: one file per format.

pub mod json;
pub mod pretty;

use crate::finding::named;
use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

named! {
    /// An output format of the command line.
    Format {
        /// For people at a terminal: code frames with the line marked.
        Pretty = "pretty",
        /// The body of the HTTP answer.
        Json = "json",
    }
}
