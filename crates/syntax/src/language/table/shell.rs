//! Shell.

use crate::language::role::Role::{
    Assign, Binary, Block, Call, Case, Comment, Function, If, Index, Loop, Name, Number, Switch,
    Text, Unary,
};
use crate::language::row::{Blocks, Row, with};

pub(super) const ROW: Row = Row {
    name: "Shell",
    folder: "shell",
    extension: "sh",
    language: || tree_sitter_bash::LANGUAGE.into(),
    expando: '$',
    blocks: Blocks::Shell,
    ladders: &[],
    inner: &[("case x in", "esac"), ("_x=(", ")")],
    alternatives: &[
        with("", "_f() {", "}"),
        with("", "while _x; do", "done"),
        with("", "if _x; then", "fi"),
        with("", "(", ")"),
    ],
    lambda: "{",
    roles: &[
        (Comment, &["comment"]),
        (Text, &["string", "raw_string", "ansi_c_string"]),
        (Name, &["variable_name", "command_name"]),
        (Number, &["number"]),
        (Call, &["command"]),
        (Binary, &["binary_expression"]),
        (Unary, &["unary_expression", "negated_command"]),
        (If, &["if_statement", "elif_clause"]),
        (
            Loop,
            &["for_statement", "while_statement", "c_style_for_statement"],
        ),
        (Assign, &["variable_assignment"]),
        (Function, &["function_definition"]),
        (Index, &["subscript"]),
        (Block, &["compound_statement", "do_group"]),
        (Switch, &["case_statement"]),
        (Case, &["case_item"]),
    ],
};
