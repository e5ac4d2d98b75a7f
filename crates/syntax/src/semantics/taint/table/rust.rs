//! Rust: Axum, Actix, Rocket, Warp. Only commands are followed.

use super::row::Row;
use crate::semantics::taint::kind::Kind::Command;

pub(super) static ROW: Row = Row {
    languages: &["Rust"],
    sources: ".query_string() .uri() .match_info() req.headers() request.headers() req.path() request.path() req.cookie() \
        request.cookies() req.param() .into_body() .raw_query()",
    extra_sources: &[("the command line", &[Command], "args() args_os()")],
    requests: &[],
    source_annotations: &[
        "Query<", "Path<", "Json<", "Form<", "HeaderMap", "RawQuery", "#[get(", "#[post(",
        "#[put(", "#[delete(", "#[patch(",
    ],
    actions: &[],
    propagators: "format to_string to_owned into clone as_str as_ref trim to_lowercase to_uppercase replace unwrap \
        unwrap_or unwrap_or_default unwrap_or_else expect from new into_inner join concat get nth next collect Some Ok \
        Cow push_str borrow as_deref as_bytes",
    sanitizers: &[
        (&[], "parse len id is_empty as_u64 as_i64 as_f64"),
        (
            &[Command],
            "escape try_quote quote try_join join_words shell_escape",
        ),
    ],
    sinks: &[],
    fields: &[],
    sink_nodes: &[],
    harmless_types: "",
};
