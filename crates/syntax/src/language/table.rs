//! One row per language. Kinds and fields are those of the grammars' `node-types.json`; a test verifies them.

mod c;
mod cpp;
mod csharp;
mod dockerfile;
mod go;
mod hcl;
mod java;
mod javascript;
mod json;
mod kotlin;
mod php;
mod python;
mod ruby;
mod rust;
mod shell;
mod sql;
mod typescript;
mod yaml;

use crate::language::row::Row;

/// All languages. A [`Grammar`](crate::language::Grammar) is a position in this table.
pub static ROWS: &[Row] = &[
    python::ROW,
    javascript::ROW,
    typescript::ROW,
    typescript::TSX,
    java::ROW,
    go::ROW,
    rust::ROW,
    c::ROW,
    cpp::ROW,
    csharp::ROW,
    ruby::ROW,
    php::ROW,
    kotlin::ROW,
    shell::ROW,
    sql::ROW,
    yaml::ROW,
    json::ROW,
    dockerfile::ROW,
    hcl::ROW,
];
