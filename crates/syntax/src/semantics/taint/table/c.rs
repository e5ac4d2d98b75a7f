//! C and C++. Only commands are followed.

use super::row::Row;
use crate::semantics::taint::kind::Kind::Command;

pub(super) static ROW: Row = Row {
    languages: &["C", "C++"],
    sources: ".get_param_value() .getParameter() .url_params.get() .get_header_value() .getHeader() req.body \
        request.body req.url req.target() request.target() FCGX_GetParam() MHD_lookup_connection_value() \
        evhttp_request_get_uri() cgiFormString()",
    extra_sources: &[
        ("the command line", &[Command], "argv"),
        (
            "the environment",
            &[Command],
            "getenv() std.getenv() secure_getenv()",
        ),
    ],
    requests: &[],
    source_annotations: &[],
    actions: &[],
    propagators: "sprintf snprintf strdup strcat string c_str data str format append std.string substr \
        g_strdup_printf asprintf strcpy strncpy",
    sanitizers: &[(
        &[],
        "to_string atoi atol strtol strtoul stoi stol abs size length strlen getpid g_shell_quote quoted",
    )],
    sinks: &[],
    fields: &[],
    sink_nodes: &[],
    harmless_types: "",
};
