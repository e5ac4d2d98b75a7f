//! JSON.

use crate::language::role::Role::{Assign, Comment, Null, Number, Text};
use crate::language::row::{Blocks, Row};

pub(super) const ROW: Row = Row {
    name: "JSON",
    folder: "json",
    extension: "json",
    language: || tree_sitter_json::LANGUAGE.into(),
    expando: '$',
    blocks: Blocks::Braces,
    ladders: &[&["{\"_\": {", "\"_\": {"]],
    inner: &[("{", "}"), ("[", "]")],
    alternatives: &[],
    lambda: "{",
    roles: &[
        (Comment, &["comment"]),
        (Text, &["string"]),
        (Number, &["number"]),
        (Null, &["null"]),
        (Assign, &["pair"]),
    ],
};
