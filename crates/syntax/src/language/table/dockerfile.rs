//! Dockerfile.

use crate::language::role::Role::{Comment, Name, Text};
use crate::language::row::{Blocks, Row};

pub(super) const ROW: Row = Row {
    name: "Dockerfile",
    folder: "dockerfile",
    extension: "dockerfile",
    language: || tree_sitter_containerfile::LANGUAGE.into(),
    expando: '$',
    blocks: Blocks::Plain,
    ladders: &[],
    inner: &[("RUN \\", "")],
    alternatives: &[],
    lambda: "",
    roles: &[
        (Comment, &["comment"]),
        (
            Text,
            &[
                "double_quoted_string", "single_quoted_string", "json_string",
            ],
        ),
        (Name, &["variable"]),
    ],
};
