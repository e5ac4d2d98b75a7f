//! POST /mcp: the Model Context Protocol over streamable HTTP, without sessions.

mod call;
mod events;
mod message;
pub(crate) mod metadata;
mod refusal;
mod reply;

use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rmcp::model::ErrorCode;
use serde_json::{Value, json};

use crate::State;
use crate::error::Problem;
use crate::extract::json::Fields;
use crate::extract::{Call, Reviewer, Unconfirmed};
use crate::mcp;
use crate::openapi::problems;
use crate::wire::mcp::McpMessageBody;
use message::{Envelope, Message, Request};
use reply::Reply;

const INSTRUCTIONS: &str = "Hunkwise reviews code changes. After an edit call review_diff with the output of `git diff`, \
                            fix what it finds and call it again; explain_rule tells more about a finding's rule. Unless \
                            the access token is bound to an organization, review_diff needs an organizationId: ask the \
                            user for it.";

problems!(EVERY, V1, BODY; OriginNotAllowed, EntitlementRequired);

/// Exchange a message with a coding agent
///
/// The streamable HTTP transport of the Model Context Protocol, versions up to 2025-11-25, without sessions: no state is kept
/// between requests, and none need come before another. The body is one JSON-RPC 2.0 message; batches are refused. The tools
/// are `review_diff`, `explain_rule` and `list_rules`. `review_diff` is `reviewDiff` with the same checks, limits and metering,
/// in the organization that its argument `organizationId` names, which is optional if the token is bound to one.
///
/// A request is answered with 200 and one JSON-RPC message, even if it is an error, as JSON; a call with a `progressToken` with
/// server-sent events: `notifications/progress`, any number of times, then the answer. What an agent can fix (a text that is
/// no diff, an entitlement, the quota, the rate limit) is a tool's result with `isError`. A result has at most 60,000 bytes:
/// `nextCursor` leads to the rest. A client cancels a call by closing the connection. Notifications and responses are accepted
/// with 202; `notifications/cancelled` has no effect, because without sessions its request cannot be identified. A page of
/// another origin than the service's own is refused unless the operator allows it (`[cors]`).
#[utoipa::path(
    post,
    path = "/mcp",
    operation_id = "exchangeMcpMessage",
    tag = "Coding agents",
    security(("bearer" = ["reviews:write"])),
    request_body(
        content = McpMessageBody, description = "A JSON-RPC 2.0 message", content_type = "application/json",
        example = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "explain_rule", "arguments": { "ruleId": "python/mutable-default-argument" } } }),
    ),
    responses(
        (status = 200, description = "A JSON-RPC 2.0 message", content(
            (Object = "application/json", example = json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": [{ "type": "text", "text": "# Mutable default argument\n…" }], "isError": false } })),
            (String = "text/event-stream", example = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":3,\"total\":8}}\n\n")
        )),
        (status = 202, description = "The notification, or the answer, was taken"),
        Problems
    )
)]
pub(crate) async fn exchange(
    Shared(state): Shared<State>,
    posted: Unconfirmed<Reviewer, Envelope>,
) -> Result<Response, Problem> {
    let Call { context, principal, answer, input: Envelope { message, hold, streams } } = posted.0;
    let posted = Unconfirmed(Call { context, principal, answer, input: () });
    let Message::Request(Request { id, method, params }) = message else {
        posted.confirm(&state).await?;
        return Ok(StatusCode::ACCEPTED.into_response());
    };
    let reply = Reply { id, form: answer, streams };
    if method == "tools/call" {
        return call::call(&state, posted, params, hold, reply).await;
    }
    posted.confirm(&state).await?;
    Ok(match method.as_str() {
        "initialize" => reply.result(&initialize(params)),
        "ping" => reply.result(&json!({})),
        "tools/list" => reply.result(state.mcp_tools()),
        // Some clients ask whatever the capabilities say, and take an error for a server that failed.
        "resources/list" => reply.result(&json!({ "resources": [] })),
        "resources/templates/list" => reply.result(&json!({ "resourceTemplates": [] })),
        "prompts/list" => reply.result(&json!({ "prompts": [] })),
        _ => reply.error(ErrorCode::METHOD_NOT_FOUND, "there is no such method"),
    })
}

/// The client's version if it is spoken, and the newest one otherwise.
fn initialize(mut params: Fields) -> Value {
    let asked = params.optional_text("protocolVersion");
    let known = mcp::versions();
    let version = known.iter().find(|known| asked.as_deref() == Some(known.as_str())).or(known.last());
    let mut answer = mcp::introduction(INSTRUCTIONS);
    answer.protocol_version = version.cloned().unwrap_or_default();
    json!(answer)
}
