//! HCL.

use crate::language::role::Role::{
    Arguments, Assign, Binary, Block, Call, Comment, Name, Null, Number, Ternary, Text, Unary,
};
use crate::language::row::{Blocks, Row};

pub(super) const ROW: Row = Row {
    name: "HCL",
    folder: "hcl",
    extension: "tf",
    language: || tree_sitter_hcl::LANGUAGE.into(),
    expando: 'µ',
    blocks: Blocks::Braces,
    ladders: &[&["_b {", "_b {"]],
    inner: &[("_x = {", "}"), ("_x = [", "]"), ("_x = _f(", ")")],
    alternatives: &[],
    lambda: "{",
    roles: &[
        (Comment, &["comment"]),
        (Text, &["string_lit", "quoted_template", "heredoc_template"]),
        (Name, &["identifier"]),
        (Number, &["numeric_lit"]),
        (Null, &["null_lit"]),
        (Call, &["function_call"]),
        (Binary, &["binary_operation"]),
        (Unary, &["unary_operation"]),
        (Ternary, &["conditional"]),
        (Assign, &["attribute", "object_elem"]),
        (Block, &["body"]),
        (Arguments, &["function_arguments"]),
    ],
};
