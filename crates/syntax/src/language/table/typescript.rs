//! TypeScript and TSX.

use super::javascript::{JAVASCRIPT_ALTERNATIVES, JAVASCRIPT_LADDERS, JAVASCRIPT_ROLES};
use crate::language::row::{Blocks, Row};

pub(super) const ROW: Row = Row {
    name: "TypeScript",
    folder: "typescript",
    extension: "ts",
    language: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    expando: '$',
    blocks: Blocks::Braces,
    ladders: JAVASCRIPT_LADDERS,
    inner: &[
        ("_o = {", "}"),
        ("interface _I {", "}"),
        ("_f(", ")"),
        ("_a = [", "]"),
        ("switch (_x) {", "}"),
        ("enum _E {", "}"),
    ],
    alternatives: JAVASCRIPT_ALTERNATIVES,
    lambda: "async function*() {",
    roles: JAVASCRIPT_ROLES,
};

pub(super) const TSX: Row = Row {
    name: "TSX",
    folder: "typescript",
    extension: "tsx",
    language: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    expando: '$',
    blocks: Blocks::Braces,
    ladders: JAVASCRIPT_LADDERS,
    inner: &[
        ("_o = {", "}"),
        ("interface _I {", "}"),
        ("_f(", ")"),
        ("_a = [", "]"),
        ("_x = (<>", "</>)"),
        ("switch (_x) {", "}"),
    ],
    alternatives: JAVASCRIPT_ALTERNATIVES,
    lambda: "async function*() {",
    roles: JAVASCRIPT_ROLES,
};
