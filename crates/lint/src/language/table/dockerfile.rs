//! Dockerfile.

use super::marks::HASH;
use crate::language::role::Role::{Comment, Name, Text};
use crate::language::row::{Blocks, Row};

pub(super) const ROW: Row = Row {
    name: "Dockerfile",
    folder: "dockerfile",
    extension: "dockerfile",
    language: || tree_sitter_containerfile::LANGUAGE.into(),
    line_comments: HASH,
    block_comments: &[],
    long_literals: &[],
    expando: '$',
    blocks: Blocks::Plain,
    ladders: &[],
    inner: &[("RUN \\", "")],
    alternatives: &[],
    lambda: "",
    roles: &[
        (Comment, &["comment"]),
        (Text, &["double_quoted_string", "single_quoted_string", "json_string"]),
        (Name, &["variable"]),
    ],
};
