//! C#.

use crate::language::role::Role::{
    Arguments, Assign, Await, Binary, Block, Break, Call, Case, Catch, Class, Comment, Continue,
    Finally, Function, If, Index, Lambda, Lock, Loop, Member, Name, Null, Number, Parameters,
    Return, Switch, Ternary, Text, Throw, Try, Unary, With,
};
use crate::language::row::{Blocks, Row, or, with};

pub(super) const ROW: Row = Row {
    name: "C#",
    folder: "csharp",
    extension: "cs",
    language: || tree_sitter_c_sharp::LANGUAGE.into(),
    expando: 'µ',
    blocks: Blocks::Braces,
    ladders: &[
        &["class _C {", "async void _m() {", "{"],
        &["namespace _N {", "class _C {", "async void _m() {", "{"],
        &["class _C {", "void _m() {", "switch (_x) { case 1:", "{"],
        &["class _C {", "int _p {"],
    ],
    inner: &[
        ("class _C { void _m() { _f(", "); } }"),
        ("class _C { void _m() { _x = new _T {", "}; } }"),
        ("class _C { void _m() { switch (_x) {", "}}}"),
        ("enum _E {", "}"),
        ("interface _I {", "}"),
    ],
    alternatives: &[
        with("", "class _C { void _m() {", "}}"),
        with("", "class _C { void _m() { while (_x) {", "}}}"),
        or("\n{\n", "\nwhile (_x) {\n"),
        or("async void _m() {", "void _m() {"),
        or("async void _m() {", "async Task<object> _m() {"),
        or("async void _m() {", "static void Main() {"),
        or("void _m() {", "async void _m() {"),
        or("async () => {", "() => {"),
        or("class _C {", "static class _C {"),
        or("class _C {", "record _C {"),
        with("async void _m() {", "async void _m() { while (_x) {", "}"),
        with(
            "async void _m() {", "async void _m() { try {", "} catch (Exception) {}",
        ),
        with("async void _m() {", "async void _m() { _f(() => {", "});"),
    ],
    lambda: "async () => {",
    roles: &[
        (Comment, &["comment"]),
        (
            Text,
            &[
                "string_literal", "verbatim_string_literal", "raw_string_literal",
                "interpolated_string_expression",
            ],
        ),
        (Name, &["identifier"]),
        (Number, &["integer_literal", "real_literal"]),
        (Null, &["null_literal"]),
        (
            Call,
            &["invocation_expression", "object_creation_expression"],
        ),
        (Binary, &["binary_expression"]),
        (Unary, &["prefix_unary_expression"]),
        (If, &["if_statement"]),
        (Ternary, &["conditional_expression"]),
        (
            Loop,
            &[
                "for_statement", "foreach_statement", "while_statement", "do_statement",
            ],
        ),
        (Return, &["return_statement"]),
        (Throw, &["throw_statement"]),
        (Break, &["break_statement"]),
        (Continue, &["continue_statement"]),
        (Try, &["try_statement"]),
        (Catch, &["catch_clause"]),
        (Finally, &["finally_clause"]),
        (Lock, &["lock_statement"]),
        (With, &["using_statement"]),
        (Assign, &["assignment_expression", "variable_declarator"]),
        (
            Function,
            &[
                "method_declaration", "constructor_declaration", "local_function_statement",
            ],
        ),
        (
            Lambda,
            &["lambda_expression", "anonymous_method_expression"],
        ),
        (
            Class,
            &[
                "class_declaration", "struct_declaration", "interface_declaration",
                "record_declaration",
            ],
        ),
        (Await, &["await_expression"]),
        (Member, &["member_access_expression"]),
        (Index, &["element_access_expression"]),
        (Block, &["block"]),
        (Switch, &["switch_statement", "switch_expression"]),
        (Case, &["switch_section", "switch_expression_arm"]),
        (Parameters, &["parameter_list"]),
        (Arguments, &["argument_list"]),
    ],
};
