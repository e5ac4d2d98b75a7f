//! SQL.

use crate::language::role::Role::{Assign, Binary, Call, Comment, Name, Text, Unary};
use crate::language::row::{Blocks, Row};

pub(super) const ROW: Row = Row {
    name: "SQL",
    folder: "sql",
    extension: "sql",
    language: || tree_sitter_sequel::LANGUAGE.into(),
    expando: 'µ',
    blocks: Blocks::Plain,
    ladders: &[],
    inner: &[("CREATE TABLE _t (", ");"), ("SELECT", ";")],
    alternatives: &[],
    lambda: "",
    roles: &[
        (Comment, &["comment", "marginalia"]),
        (Text, &["literal"]),
        (Name, &["identifier"]),
        (Call, &["invocation"]),
        (Binary, &["binary_expression"]),
        (Unary, &["unary_expression"]),
        (Assign, &["assignment"]),
    ],
};
