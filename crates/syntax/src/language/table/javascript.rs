//! JavaScript.

use crate::language::role::Role;
use crate::language::role::Role::{
    Arguments, Assign, Await, Binary, Block, Break, Call, Case, Catch, Class, Comment, Continue,
    Finally, Function, If, Index, Lambda, Loop, Member, Name, Null, Number, Parameters, Return,
    Switch, Ternary, Text, Throw, Try, Unary,
};
use crate::language::row::{Alternative, Blocks, Row, or, with};

pub(super) const JAVASCRIPT_LADDERS: &[&[&str]] = &[
    &["async function* _f() {", "{"],
    &["class _C {", "async _m() {", "{"],
    &["async function* _f() {", "switch (_x) { case 1:", "{"],
];

pub(super) const JAVASCRIPT_ALTERNATIVES: &[Alternative] = &[
    with("", "function _f() {", "}"),
    with("", "while (_x) {", "}"),
    with("", "try {", "} catch (_e) {}"),
    or("\n{\n", "\nwhile (_x) {\n"),
    or("async function*", "function"),
    or("async function*", "async function"),
    or("async function*", "function*"),
    or("async _m() {", "_m() {"),
    or("async _m() {", "constructor() {"),
    or("async _m(", "_m("),
    or("class _C {", "class _C extends _D {"),
    // In JavaScript these contexts have a syntax error, so they count as impossible.
    or("class _C {", "interface _C {"),
    or("class _C {", "declare class _C {"),
    or("switch (_x) {", "switch (true) {"),
    with(
        "async function* _f() {", "async function* _f() { while (_x) {", "}",
    ),
    with(
        "async function* _f() {", "async function* _f() { try {", "} catch (_e) {}",
    ),
    with(
        "async function* _f() {",
        "async function* _f() { try {} catch (_e) {",
        "}",
    ),
    with(
        "async function* _f() {",
        "async function* _f() { try {} finally {",
        "}",
    ),
    with(
        "async function* _f() {", "async function* _f() { _f(() => {", "});",
    ),
    with("async _m() {", "async _m() { while (_x) {", "}"),
    with("async _m() {", "async _m() { try {", "} catch (_e) {}"),
    with("async _m() {", "async _m() { try {} catch (_e) {", "}"),
    with("async _m() {", "async _m() { try {} finally {", "}"),
    with("async _m() {", "async _m() { _f(() => {", "});"),
];

pub(super) const JAVASCRIPT_INNER: &[(&str, &str)] = &[
    ("_o = {", "}"),
    ("_f(", ")"),
    ("_a = [", "]"),
    ("switch (_x) {", "}"),
];

pub(super) const JAVASCRIPT_ROLES: &[(Role, &[&str])] = &[
    (Comment, &["comment", "html_comment"]),
    (Text, &["string", "template_string"]),
    (
        Name,
        &[
            "identifier", "property_identifier", "private_property_identifier",
            "shorthand_property_identifier", "shorthand_property_identifier_pattern",
        ],
    ),
    (Number, &["number"]),
    (Null, &["null", "undefined"]),
    (Call, &["call_expression", "new_expression"]),
    (Binary, &["binary_expression"]),
    (Unary, &["unary_expression"]),
    (If, &["if_statement"]),
    (Ternary, &["ternary_expression"]),
    (
        Loop,
        &[
            "for_statement", "for_in_statement", "while_statement", "do_statement",
        ],
    ),
    (Return, &["return_statement"]),
    (Throw, &["throw_statement"]),
    (Break, &["break_statement"]),
    (Continue, &["continue_statement"]),
    (Try, &["try_statement"]),
    (Catch, &["catch_clause"]),
    (Finally, &["finally_clause"]),
    (
        Assign,
        &[
            "assignment_expression", "augmented_assignment_expression", "variable_declarator",
        ],
    ),
    (
        Function,
        &[
            "function_declaration", "generator_function_declaration", "method_definition",
            "function_expression", "generator_function",
        ],
    ),
    (Lambda, &["arrow_function"]),
    (Class, &["class_declaration", "class"]),
    (Await, &["await_expression"]),
    (Member, &["member_expression"]),
    (Index, &["subscript_expression"]),
    (Block, &["statement_block"]),
    (Switch, &["switch_statement"]),
    (Case, &["switch_case", "switch_default"]),
    (Parameters, &["formal_parameters"]),
    (Arguments, &["arguments"]),
];

pub(super) const ROW: Row = Row {
    name: "JavaScript",
    folder: "javascript",
    extension: "js",
    language: || tree_sitter_javascript::LANGUAGE.into(),
    expando: '$',
    blocks: Blocks::Braces,
    ladders: JAVASCRIPT_LADDERS,
    inner: JAVASCRIPT_INNER,
    alternatives: JAVASCRIPT_ALTERNATIVES,
    lambda: "async function*() {",
    roles: JAVASCRIPT_ROLES,
};
