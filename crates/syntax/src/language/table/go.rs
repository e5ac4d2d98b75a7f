//! Go.

use crate::language::role::Role::{
    Arguments, Assign, Binary, Block, Break, Call, Case, Class, Comment, Continue, Function, If,
    Index, Lambda, Loop, Member, Name, Null, Number, Parameters, Return, Switch, Text, Throw,
    Unary, With,
};
use crate::language::row::{Blocks, Row, or, with};

pub(super) const ROW: Row = Row {
    name: "Go",
    folder: "go",
    extension: "go",
    language: || tree_sitter_go::LANGUAGE.into(),
    expando: 'µ',
    blocks: Blocks::Braces,
    ladders: &[
        &["func _f() {", "{"],
        &["type _T struct {"],
        &["func _f() {", "switch _x { case 1:", "{"],
        &["func _f() {", "select { case <-_x:", "{"],
    ],
    inner: &[
        ("func _f() { _f(", ") }"),
        ("var _x = _T{", "}"),
        ("type _T struct {", "}"),
        ("type _T interface {", "}"),
        ("import (", ")"),
        ("const (", ")"),
        ("func _f() { switch _x {", "}}"),
        ("func _f() { select {", "}}"),
    ],
    alternatives: &[
        or("\n{\n", "\nfor {\n"),
        or("func _f() {", "func main() {"),
        or("type _T struct {", "type _T interface {"),
        or("select { case <-_x:", "switch _x { case 1:"),
        or("switch _x { case 1:", "select { case <-_x:"),
        with("func _f() {", "func _f() { for {", "}"),
        with("func _f() {", "func _f() { go func() {", "}()"),
        with("func _f() {", "func _f() { defer func() {", "}()"),
    ],
    lambda: "func() {",
    roles: &[
        (Comment, &["comment"]),
        (Text, &["interpreted_string_literal", "raw_string_literal"]),
        (Name, &["identifier", "field_identifier"]),
        (
            Number,
            &["int_literal", "float_literal", "imaginary_literal"],
        ),
        (Null, &["nil"]),
        (Call, &["call_expression"]),
        (Binary, &["binary_expression"]),
        (Unary, &["unary_expression"]),
        (If, &["if_statement"]),
        (Loop, &["for_statement"]),
        (Return, &["return_statement"]),
        (Break, &["break_statement"]),
        (Continue, &["continue_statement"]),
        (Throw, &["goto_statement"]),
        (With, &["defer_statement"]),
        (
            Assign,
            &[
                "assignment_statement", "short_var_declaration", "var_spec", "const_spec",
            ],
        ),
        (Function, &["function_declaration", "method_declaration"]),
        (Lambda, &["func_literal"]),
        (Class, &["type_spec"]),
        (Member, &["selector_expression"]),
        (Index, &["index_expression"]),
        (Block, &["block"]),
        (
            Switch,
            &[
                "expression_switch_statement", "type_switch_statement", "select_statement",
            ],
        ),
        (
            Case,
            &[
                "expression_case", "type_case", "default_case", "communication_case",
            ],
        ),
        (Parameters, &["parameter_list"]),
        (Arguments, &["argument_list"]),
    ],
};
