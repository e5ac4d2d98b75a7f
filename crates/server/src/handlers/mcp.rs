//! POST /mcp: the Model Context Protocol over streamable HTTP, without sessions.
//!
//! Messages are read by the API's own JSON reader: a body is limited in memory and time in the same way, and its faults are the API's.

mod call;
mod events;
mod message;
pub(crate) mod metadata;
mod refusal;
mod reply;

use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use mcp::Handled;

use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Reviewer, Unconfirmed};
use crate::refusals::problems;
use crate::wire::mcp::McpMessageBody;
use message::{Envelope, Message, Request};
use reply::Reply;

problems!(EVERY, V1, BODY; OriginNotAllowed, EntitlementRequired);

/// Exchange a message with a coding agent
///
/// The streamable HTTP transport of the Model Context Protocol, versions up to 2025-11-25, without sessions: no state
/// is kept between requests, and they can come in any order. The body is one JSON-RPC 2.0 message; batches are
/// refused. The tools are `review_diff`, `explain_rule` and `list_rules`. `review_diff` is `reviewDiff` with the same
/// checks, limits and metering, in the organization in its argument `organizationId`, which is optional if the token
/// is bound to one.
///
/// A request is answered with 200 and one JSON-RPC message, even for an error, as JSON; a call with a `progressToken`
/// is answered with server-sent events: any number of `notifications/progress`, then the result. Problems that an
/// agent can fix (an invalid diff, a missing entitlement, the quota, the rate limit) are returned as the tool's
/// result with `isError`. A result has at most 60,000 bytes; `nextCursor` leads to the rest. A client cancels a call
/// by closing the connection. Notifications and responses are accepted with 202; `notifications/cancelled` has no
/// effect, because without sessions its request cannot be identified. Pages of other origins are refused unless the
/// operator allows them (`[cors]`).
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
        (status = 202, description = "The notification or response was accepted"),
        Problems
    )
)]
pub(crate) async fn exchange(
    Shared(state): Shared<State>,
    posted: Unconfirmed<Reviewer, Envelope>,
) -> Result<Response, Problem> {
    let Call {
        context,
        principal,
        answer,
        input: Envelope {
            message,
            hold,
            streams,
        },
    } = posted.0;
    let posted = Unconfirmed(Call {
        context,
        principal,
        answer,
        input: (),
    });
    let Message::Request(Request {
        id,
        method,
        mut params,
    }) = message
    else {
        posted.confirm(&state).await?;
        return Ok(StatusCode::ACCEPTED.into_response());
    };
    let reply = Reply {
        id,
        form: answer,
        streams,
    };
    let message = match state
        .mcp()
        .handle(&method, || params.optional_text("protocolVersion"))
    {
        Handled::Call => return call::call(&state, posted, params, hold, reply).await,
        Handled::Result(result) => mcp::result(&reply.id, &result),
        Handled::Error(error) => mcp::error(Some(&reply.id), &error),
    };
    posted.confirm(&state).await?;
    Ok(reply.send(&message))
}
