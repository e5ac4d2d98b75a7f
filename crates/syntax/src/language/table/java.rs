//! Java.

use crate::language::role::Role::{
    Arguments, Assert, Assign, Binary, Block, Break, Call, Case, Catch, Class, Comment, Continue,
    Finally, Function, If, Index, Lambda, Lock, Loop, Member, Name, Null, Number, Parameters,
    Return, Switch, Ternary, Text, Throw, Try, Unary, With,
};
use crate::language::row::{Blocks, Row, or, with};

pub(super) const ROW: Row = Row {
    name: "Java",
    folder: "java",
    extension: "java",
    language: || tree_sitter_java::LANGUAGE.into(),
    expando: '$',
    blocks: Blocks::Braces,
    ladders: &[
        &["class _C {", "void _m() {", "{"],
        &["class _C {", "void _m() {", "switch (_x) { case 1:", "{"],
        &["class _C {", "class _D {", "void _m() {", "{"],
        &["enum _E {"],
    ],
    inner: &[
        ("class _C { void _m() { _f(", "); } }"),
        ("class _C { Object _x = {", "}; }"),
        ("class _C { void _m() { switch (_x) {", "}}}"),
        ("enum _E {", "}"),
        ("interface _I {", "}"),
    ],
    alternatives: &[
        or("\n{\n", "\nwhile (_x) {\n"),
        or("void _m() {", "public static void main(String[] _a) {"),
        or("void _m() {", "static Object _m() {"),
        or("void _m() {", "_C() {"),
        or("class _C {", "record _C(int _a) {"),
        with("void _m() {", "void _m() { while (_x) {", "}"),
        with(
            "void _m() {", "void _m() { try {", "} catch (Exception _e) {}",
        ),
        with(
            "void _m() {",
            "void _m() { try {} catch (Exception _e) {",
            "}",
        ),
        with("void _m() {", "void _m() { try {} finally {", "}"),
        with("void _m() {", "void _m() { _f(() -> {", "});"),
    ],
    lambda: "() -> {",
    roles: &[
        (Comment, &["line_comment", "block_comment"]),
        (Text, &["string_literal"]),
        (Name, &["identifier"]),
        (
            Number,
            &[
                "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal",
                "binary_integer_literal", "decimal_floating_point_literal",
                "hex_floating_point_literal",
            ],
        ),
        (Null, &["null_literal"]),
        (
            Call,
            &[
                "method_invocation", "object_creation_expression",
                "explicit_constructor_invocation",
            ],
        ),
        (Binary, &["binary_expression"]),
        (Unary, &["unary_expression"]),
        (If, &["if_statement"]),
        (Ternary, &["ternary_expression"]),
        (
            Loop,
            &[
                "for_statement", "enhanced_for_statement", "while_statement", "do_statement",
            ],
        ),
        (Return, &["return_statement"]),
        (Throw, &["throw_statement"]),
        (Break, &["break_statement"]),
        (Continue, &["continue_statement"]),
        (Try, &["try_statement", "try_with_resources_statement"]),
        (Catch, &["catch_clause"]),
        (Finally, &["finally_clause"]),
        (Lock, &["synchronized_statement"]),
        (With, &["try_with_resources_statement"]),
        (Assign, &["assignment_expression", "variable_declarator"]),
        (Function, &["method_declaration", "constructor_declaration"]),
        (Lambda, &["lambda_expression"]),
        (
            Class,
            &[
                "class_declaration", "interface_declaration", "enum_declaration",
                "record_declaration",
            ],
        ),
        (Member, &["field_access"]),
        (Index, &["array_access"]),
        (Block, &["block", "constructor_body"]),
        (Switch, &["switch_expression"]),
        (Case, &["switch_block_statement_group", "switch_rule"]),
        (Parameters, &["formal_parameters"]),
        (Arguments, &["argument_list"]),
        (Assert, &["assert_statement"]),
    ],
};
