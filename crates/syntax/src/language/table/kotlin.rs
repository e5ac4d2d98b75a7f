//! Kotlin.

use crate::language::role::Role::{
    Arguments, Assign, Binary, Block, Call, Case, Catch, Class, Comment, Finally, Function, If,
    Index, Lambda, Loop, Member, Name, Null, Number, Parameters, Return, Switch, Text, Try, Unary,
};
use crate::language::row::{Blocks, Row, or, with};

pub(super) const ROW: Row = Row {
    name: "Kotlin",
    folder: "kotlin",
    extension: "kt",
    language: || tree_sitter_kotlin_sg::LANGUAGE.into(),
    expando: 'µ',
    blocks: Blocks::Braces,
    ladders: &[
        &["fun _f() {", "run {"],
        &["class _C {", "fun _m() {", "run {"],
        &["fun _f() {", "when (_x) {", "else -> {", "run {"],
    ],
    inner: &[
        ("val _x = _f(", ")"),
        ("class _C(", ")"),
        ("fun _f() { when (_x) {", "} }"),
        ("enum class _E {", "}"),
    ],
    alternatives: &[
        or("\nrun {\n", "\nwhile (_x) {\n"),
        or("fun _f() {", "suspend fun _f() {"),
        or("fun _m() {", "suspend fun _m() {"),
        or("fun _f() {", "fun main() {"),
        or("class _C {", "object _C {"),
        or("class _C {", "data class _C(val _a: Int) {"),
        with("fun _f() {", "fun _f() { while (_x) {", "}"),
        with(
            "fun _f() {", "fun _f() { try {", "} catch (_e: Exception) {}",
        ),
        with(
            "fun _f() {",
            "fun _f() { try {} catch (_e: Exception) {",
            "}",
        ),
        with("fun _f() {", "fun _f() { _f {", "}"),
        with("fun _m() {", "fun _m() { while (_x) {", "}"),
        with(
            "fun _m() {", "fun _m() { try {", "} catch (_e: Exception) {}",
        ),
        with(
            "fun _m() {",
            "fun _m() { try {} catch (_e: Exception) {",
            "}",
        ),
        with("fun _m() {", "fun _m() { _f {", "}"),
    ],
    lambda: "{",
    roles: &[
        (Comment, &["line_comment", "multiline_comment"]),
        (Text, &["string_literal"]),
        (Name, &["simple_identifier", "interpolated_identifier"]),
        (
            Number,
            &[
                "integer_literal", "hex_literal", "bin_literal", "long_literal", "real_literal",
                "unsigned_literal",
            ],
        ),
        (Null, &["null_literal"]),
        (Call, &["call_expression"]),
        (
            Binary,
            &[
                "comparison_expression", "equality_expression", "conjunction_expression",
                "disjunction_expression", "additive_expression", "multiplicative_expression",
                "elvis_expression", "check_expression",
            ],
        ),
        (Unary, &["prefix_expression"]),
        (If, &["if_expression"]),
        (
            Loop,
            &["for_statement", "while_statement", "do_while_statement"],
        ),
        (Return, &["jump_expression"]),
        (Try, &["try_expression"]),
        (Catch, &["catch_block"]),
        (Finally, &["finally_block"]),
        (Assign, &["assignment", "property_declaration"]),
        (Function, &["function_declaration"]),
        (Lambda, &["lambda_literal", "anonymous_function"]),
        (Class, &["class_declaration", "object_declaration"]),
        (Member, &["navigation_expression"]),
        (Index, &["indexing_expression"]),
        (
            Block,
            &["control_structure_body", "statements", "function_body"],
        ),
        (Switch, &["when_expression"]),
        (Case, &["when_entry"]),
        (Parameters, &["function_value_parameters"]),
        (Arguments, &["value_arguments"]),
    ],
};
