//! A message of the Model Context Protocol, as the OpenAPI document describes it.

use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, OneOfBuilder, Schema, Type};

/// A JSON-RPC 2.0 request, or a notification if it has no `id`.
#[derive(Debug, ToSchema)]
#[schema(as = McpMessage)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct McpMessageBody {
    /// The version of JSON-RPC.
    #[schema(example = "2.0", pattern = "^2\\.0$")]
    jsonrpc: String,
    /// The request's ID, which the response repeats.
    #[schema(schema_with = id)]
    id: Option<serde_json::Value>,
    /// The method, such as `initialize`, `tools/list` or `tools/call`.
    #[schema(example = "tools/call")]
    method: String,
    /// The method's parameters.
    #[schema(value_type = Option<Object>)]
    params: Option<serde_json::Value>,
}

fn id() -> Schema {
    let types = [Type::String, Type::Integer].map(Object::with_type);
    OneOfBuilder::new()
        .item(types[0].clone())
        .item(types[1].clone())
        .build()
        .into()
}
