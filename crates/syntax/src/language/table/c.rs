//! C.

use crate::language::role::Role;
use crate::language::role::Role::{
    Arguments, Assign, Binary, Block, Break, Call, Case, Class, Comment, Continue, Function, If,
    Index, Loop, Member, Name, Null, Number, Parameters, Return, Switch, Ternary, Text, Throw,
    Unary,
};
use crate::language::row::{Blocks, Row, or, with};

const C_ROLES: &[(Role, &[&str])] = &[
    (Comment, &["comment"]),
    (Text, &["string_literal", "concatenated_string"]),
    (Name, &["identifier", "field_identifier"]),
    (Number, &["number_literal"]),
    (Null, &["null"]),
    (Call, &["call_expression"]),
    (Binary, &["binary_expression"]),
    (Unary, &["unary_expression"]),
    (If, &["if_statement"]),
    (Ternary, &["conditional_expression"]),
    (Loop, &["for_statement", "while_statement", "do_statement"]),
    (Return, &["return_statement"]),
    (Throw, &["goto_statement"]),
    (Break, &["break_statement"]),
    (Continue, &["continue_statement"]),
    (Assign, &["assignment_expression", "init_declarator"]),
    (Function, &["function_definition"]),
    (Class, &["struct_specifier", "union_specifier"]),
    (Member, &["field_expression"]),
    (Index, &["subscript_expression"]),
    (Block, &["compound_statement"]),
    (Switch, &["switch_statement"]),
    (Case, &["case_statement"]),
    (Parameters, &["parameter_list"]),
    (Arguments, &["argument_list"]),
];

pub(super) const ROW: Row = Row {
    name: "C",
    folder: "c",
    extension: "c",
    language: || tree_sitter_c::LANGUAGE.into(),
    expando: '𐀀',
    blocks: Blocks::Braces,
    ladders: &[
        &["void _f(void) {", "{"],
        &["struct _s {"],
        &["enum _e {"],
        &["void _f(void) {", "switch (_x) { case 1:", "{"],
    ],
    inner: &[
        ("void _f(void) { _f(", "); }"),
        ("int _x[] = {", "};"),
        ("struct _s {", "};"),
        ("enum _e {", "};"),
        ("void _f(void) { switch (_x) {", "}}"),
    ],
    alternatives: &[
        or("\n{\n", "\nwhile (_x) {\n"),
        or("void _f(void) {", "int main(void) {"),
        with("void _f(void) {", "void _f(void) { while (_x) {", "}"),
    ],
    lambda: "{",
    roles: C_ROLES,
};
