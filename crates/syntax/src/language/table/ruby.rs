//! Ruby.

use crate::language::role::Role::{
    Arguments, Assign, Binary, Block, Break, Call, Case, Catch, Class, Comment, Continue, Finally,
    Function, If, Index, Lambda, Loop, Name, Null, Number, Parameters, Return, Switch, Ternary,
    Text, Try, Unary,
};
use crate::language::row::{Blocks, Row, with};

pub(super) const ROW: Row = Row {
    name: "Ruby",
    folder: "ruby",
    extension: "rb",
    language: || tree_sitter_ruby::LANGUAGE.into(),
    expando: 'µ',
    blocks: Blocks::End,
    ladders: &[],
    inner: &[("_f(", ")"), ("_x = {", "}"), ("_x = [", "]")],
    alternatives: &[
        with("", "def _m", "end"),
        with("", "class _C\ndef _m", "end\nend"),
        with("", "_x.each do |_y|", "end"),
        with("", "while _x", "end"),
        with("", "begin", "rescue _E\nend"),
        with("", "begin\nrescue _E", "end"),
        with("", "if _x", "end"),
    ],
    lambda: "_f {",
    roles: &[
        (Comment, &["comment"]),
        (Text, &["string", "chained_string", "heredoc_body"]),
        (
            Name,
            &[
                "identifier", "constant", "instance_variable", "class_variable", "global_variable",
            ],
        ),
        (Number, &["integer", "float"]),
        (Null, &["nil"]),
        (Call, &["call"]),
        (Binary, &["binary"]),
        (Unary, &["unary"]),
        (
            If,
            &["if", "elsif", "unless", "if_modifier", "unless_modifier"],
        ),
        (Ternary, &["conditional"]),
        (
            Loop,
            &["while", "until", "for", "while_modifier", "until_modifier"],
        ),
        (Return, &["return"]),
        (Break, &["break"]),
        (Continue, &["next"]),
        (Try, &["begin"]),
        (Catch, &["rescue"]),
        (Finally, &["ensure"]),
        (Assign, &["assignment", "operator_assignment"]),
        (Function, &["method", "singleton_method"]),
        (Lambda, &["lambda", "block", "do_block"]),
        (Class, &["class", "module"]),
        (Index, &["element_reference"]),
        (Block, &["then", "body_statement", "block_body"]),
        (Switch, &["case", "case_match"]),
        (Case, &["when", "in_clause"]),
        (Parameters, &["method_parameters"]),
        (Arguments, &["argument_list"]),
    ],
};
