//! PHP.

use crate::language::role::Role::{
    Arguments, Assign, Binary, Block, Break, Call, Case, Catch, Class, Comment, Continue, Finally,
    Function, If, Index, Lambda, Loop, Member, Name, Null, Number, Parameters, Return, Switch,
    Ternary, Text, Throw, Try, Unary,
};
use crate::language::row::{Blocks, Row, or, with};

pub(super) const ROW: Row = Row {
    name: "PHP",
    folder: "php",
    extension: "php",
    language: || tree_sitter_php::LANGUAGE_PHP_ONLY.into(),
    expando: 'µ',
    blocks: Blocks::Braces,
    ladders: &[
        &["function _f() {", "{"],
        &["class _C {", "function _m() {", "{"],
        &[
            "class _C {", "function _m() {", "switch ($_x) { case 1:", "{",
        ],
    ],
    inner: &[
        ("$_x = [", "];"),
        ("_f(", ");"),
        ("class _C {", "}"),
        ("switch ($_x) {", "}"),
        ("interface _I {", "}"),
    ],
    alternatives: &[
        with("", "function _f() {", "}"),
        with("", "while ($_x) {", "}"),
        with("", "try {", "} catch (Exception $_e) {}"),
        or("\n{\n", "\nwhile ($_x) {\n"),
        or("class _C {", "trait _C {"),
        or("function _m() {", "static function _m() {"),
        or("function _m() {", "function __construct() {"),
        with("function _f() {", "function _f() { while ($_x) {", "}"),
        with(
            "function _f() {", "function _f() { try {", "} catch (Exception $_e) {}",
        ),
        with(
            "function _f() {",
            "function _f() { try {} catch (Exception $_e) {",
            "}",
        ),
        with("function _f() {", "function _f() { _f(function () {", "});"),
        with("function _m() {", "function _m() { while ($_x) {", "}"),
        with(
            "function _m() {", "function _m() { try {", "} catch (Exception $_e) {}",
        ),
        with(
            "function _m() {",
            "function _m() { try {} catch (Exception $_e) {",
            "}",
        ),
        with("function _m() {", "function _m() { _f(function () {", "});"),
        or("switch ($_x) {", "switch (true) {"),
    ],
    lambda: "function() {",
    roles: &[
        (Comment, &["comment"]),
        (Text, &["string", "encapsed_string", "heredoc", "nowdoc"]),
        (Name, &["name", "variable_name"]),
        (Number, &["integer", "float"]),
        (Null, &["null"]),
        (
            Call,
            &[
                "function_call_expression", "member_call_expression",
                "nullsafe_member_call_expression", "scoped_call_expression",
                "object_creation_expression",
            ],
        ),
        (Binary, &["binary_expression"]),
        (Unary, &["unary_op_expression"]),
        (If, &["if_statement", "else_if_clause"]),
        (Ternary, &["conditional_expression"]),
        (
            Loop,
            &[
                "for_statement", "foreach_statement", "while_statement", "do_statement",
            ],
        ),
        (Return, &["return_statement"]),
        (Throw, &["throw_expression", "exit_statement"]),
        (Break, &["break_statement"]),
        (Continue, &["continue_statement"]),
        (Try, &["try_statement"]),
        (Catch, &["catch_clause"]),
        (Finally, &["finally_clause"]),
        (
            Assign,
            &[
                "assignment_expression", "augmented_assignment_expression",
                "reference_assignment_expression",
            ],
        ),
        (Function, &["function_definition", "method_declaration"]),
        (Lambda, &["anonymous_function", "arrow_function"]),
        (
            Class,
            &[
                "class_declaration", "interface_declaration", "trait_declaration",
                "enum_declaration",
            ],
        ),
        (
            Member,
            &[
                "member_access_expression", "nullsafe_member_access_expression",
                "scoped_property_access_expression",
            ],
        ),
        (Index, &["subscript_expression"]),
        (Block, &["compound_statement", "colon_block"]),
        (Switch, &["switch_statement", "match_expression"]),
        (
            Case,
            &[
                "case_statement", "default_statement", "match_conditional_expression",
            ],
        ),
        (Parameters, &["formal_parameters"]),
        (Arguments, &["arguments"]),
    ],
};
