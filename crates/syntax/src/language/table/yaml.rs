//! YAML.

use crate::language::role::Role::{Assign, Comment, Null, Number, Text};
use crate::language::row::{Blocks, Row};

pub(super) const ROW: Row = Row {
    name: "YAML",
    folder: "yaml",
    extension: "yaml",
    language: || tree_sitter_yaml::LANGUAGE.into(),
    expando: '$',
    blocks: Blocks::Plain,
    ladders: &[],
    inner: &[],
    alternatives: &[],
    lambda: "",
    roles: &[
        (Comment, &["comment"]),
        (
            Text,
            &[
                "string_scalar", "double_quote_scalar", "single_quote_scalar", "block_scalar",
            ],
        ),
        (Number, &["integer_scalar", "float_scalar"]),
        (Null, &["null_scalar"]),
        (Assign, &["block_mapping_pair", "flow_pair"]),
    ],
};
