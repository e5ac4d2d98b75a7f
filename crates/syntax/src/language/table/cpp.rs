//! C++.

use crate::language::role::Role;
use crate::language::role::Role::{
    Arguments, Assign, Await, Binary, Block, Break, Call, Case, Catch, Class, Comment, Continue,
    Function, If, Index, Lambda, Loop, Member, Name, Null, Number, Parameters, Return, Switch,
    Ternary, Text, Throw, Try, Unary,
};
use crate::language::row::{Blocks, Row, or, with};

const CPP_ROLES: &[(Role, &[&str])] = &[
    (Comment, &["comment"]),
    (
        Text,
        &[
            "string_literal", "concatenated_string", "raw_string_literal",
        ],
    ),
    (Name, &["identifier", "field_identifier"]),
    (Number, &["number_literal"]),
    (Null, &["null"]),
    (Call, &["call_expression", "new_expression"]),
    (Binary, &["binary_expression"]),
    (Unary, &["unary_expression"]),
    (If, &["if_statement"]),
    (Ternary, &["conditional_expression"]),
    (
        Loop,
        &[
            "for_statement", "while_statement", "do_statement", "for_range_loop",
        ],
    ),
    (Return, &["return_statement", "co_return_statement"]),
    (Throw, &["throw_statement", "goto_statement"]),
    (Break, &["break_statement"]),
    (Continue, &["continue_statement"]),
    (Try, &["try_statement"]),
    (Catch, &["catch_clause"]),
    (Assign, &["assignment_expression", "init_declarator"]),
    (Function, &["function_definition"]),
    (Lambda, &["lambda_expression"]),
    (
        Class,
        &["class_specifier", "struct_specifier", "union_specifier"],
    ),
    (Await, &["co_await_expression"]),
    (Member, &["field_expression"]),
    (Index, &["subscript_expression"]),
    (Block, &["compound_statement"]),
    (Switch, &["switch_statement"]),
    (Case, &["case_statement"]),
    (Parameters, &["parameter_list"]),
    (Arguments, &["argument_list"]),
];

pub(super) const ROW: Row = Row {
    name: "C++",
    folder: "cpp",
    extension: "cpp",
    language: || tree_sitter_cpp::LANGUAGE.into(),
    expando: '𐀀',
    blocks: Blocks::Braces,
    ladders: &[
        &["void _f() {", "{"],
        &["class _C {", "void _m() {", "{"],
        &["namespace _n {", "class _C {", "void _m() {", "{"],
        &["void _f() {", "switch (_x) { case 1:", "{"],
    ],
    inner: &[
        ("void _f() { _f(", "); }"),
        ("int _x[] = {", "};"),
        ("class _C {", "};"),
        ("enum _e {", "};"),
        ("void _f() { switch (_x) {", "}}"),
    ],
    alternatives: &[
        or("\n{\n", "\nwhile (_x) {\n"),
        or("void _f() {", "int main() {"),
        or("void _m() {", "_C() {"),
        or("void _m() {", "void _m() const noexcept {"),
        or("class _C {", "struct _C {"),
        with("void _f() {", "void _f() { while (_x) {", "}"),
        with("void _f() {", "void _f() { try {", "} catch (...) {}"),
        with("void _f() {", "void _f() { _f([&]() {", "});"),
        with("void _m() {", "void _m() { while (_x) {", "}"),
        with("void _m() {", "void _m() { try {", "} catch (...) {}"),
        with("void _m() {", "void _m() { _f([&]() {", "});"),
    ],
    lambda: "[&]() {",
    roles: CPP_ROLES,
};
