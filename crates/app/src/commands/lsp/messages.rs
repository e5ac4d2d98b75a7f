//! Parses messages: requests, notifications, and responses to our requests.

use gen_lsp_types::{ErrorCodes, LspErrorCodes};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A message from the client.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// A response. Its content does not matter.
    Answer,
}

/// An error response.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Refusal {
    code: i32,
    message: String,
    /// Whether the client should repeat the request.
    retrigger: bool,
}

impl Refusal {
    pub(super) fn new(code: ErrorCodes, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            retrigger: false,
        }
    }

    /// The client cancelled the request.
    pub(super) fn cancelled() -> Self {
        let message = "the client cancelled the request".to_owned();
        Self {
            code: LspErrorCodes::RequestCancelled.into(),
            message,
            retrigger: false,
        }
    }

    /// The document changed after the request, and the client should repeat it.
    pub(super) fn outdated() -> Self {
        let message = "the document has changed since the request".to_owned();
        Self {
            code: LspErrorCodes::ServerCancelled.into(),
            message,
            retrigger: true,
        }
    }
}

/// Reads a message.
///
/// # Errors
/// It is invalid. The error has the message's ID, if it has one.
pub(super) fn parse(content: &[u8]) -> Result<Message, (Value, Refusal)> {
    let mut value: Value = serde_json::from_slice(content).map_err(|error| {
        (
            Value::Null,
            Refusal::new(ErrorCodes::ParseError, format!("not JSON: {error}")),
        )
    })?;
    let id = value
        .get("id")
        .filter(|id| id.is_string() || id.is_number())
        .cloned();
    let method = value
        .get("method")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let is_answer = value.get("result").or(value.get("error")).is_some();
    let params = value.get_mut("params").map(Value::take).unwrap_or_default();
    match (id, method, value.get("id")) {
        (Some(id), Some(method), _) => Ok(Message::Request { id, method, params }),
        (None, Some(method), None) => Ok(Message::Notification { method, params }),
        (_, None, Some(_)) if is_answer => Ok(Message::Answer),
        (id, ..) => {
            let refusal = Refusal::new(ErrorCodes::InvalidRequest, "not a message of JSON-RPC 2.0");
            Err((id.unwrap_or_default(), refusal))
        }
    }
}

/// Reads the parameters of a request or a notification.
///
/// # Errors
/// They do not match the method. The error says why.
pub(super) fn params<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| {
        Refusal::new(
            ErrorCodes::InvalidParams,
            format!("the parameters are not valid: {error}"),
        )
    })
}

/// The response to a request.
pub(super) fn answer(id: &Value, result: Result<Value, Refusal>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Refusal {
            code,
            message,
            retrigger,
        }) => {
            let mut error = json!({ "code": code, "message": message });
            if retrigger {
                error["data"] = json!({ "retriggerRequest": true });
            }
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Message, Refusal, answer, parse};

    fn refused(text: &str) -> (Value, i32) {
        let (id, refusal) = parse(text.as_bytes()).unwrap_err();
        (id, refusal.code)
    }

    #[test]
    fn messages_are_classified_by_their_members() {
        let request = parse(br#"{"jsonrpc": "2.0", "id": "a", "method": "shutdown"}"#).unwrap();
        assert_eq!(
            request,
            Message::Request {
                id: json!("a"),
                method: "shutdown".into(),
                params: Value::Null
            }
        );
        let notification = parse(br#"{"method": "exit", "params": null}"#).unwrap();
        assert_eq!(
            notification,
            Message::Notification {
                method: "exit".into(),
                params: Value::Null
            }
        );
        assert_eq!(
            parse(br#"{"id": 1, "result": null}"#).unwrap(),
            Message::Answer
        );
        assert_eq!(
            parse(br#"{"id": null, "error": {"code": 1, "message": ""}}"#).unwrap(),
            Message::Answer
        );
    }

    #[test]
    fn invalid_messages_are_refused_with_their_id() {
        assert_eq!(refused("no JSON"), (Value::Null, -32700));
        for text in [
            "[]", "7", "null", "{}", r#"[{"id": 1, "method": "x"}]"#,
            r#"{"id": [], "method": "x"}"#,
        ] {
            assert_eq!(refused(text), (Value::Null, -32600), "{text}");
        }
        assert_eq!(refused(r#"{"id": 7}"#), (json!(7), -32600));
        assert_eq!(parse(b"\xff\xfe").unwrap_err().1.code, -32700);
        let deep = "[".repeat(100_000);
        assert_eq!(refused(&deep), (Value::Null, -32700));
    }

    #[test]
    fn an_error_has_a_code_a_message_and_perhaps_data() {
        let text = answer(&json!(1), Err(Refusal::outdated()));
        assert_eq!(text["error"]["data"], json!({ "retriggerRequest": true }));
        assert_eq!(
            answer(&json!(1), Err(Refusal::cancelled()))["error"]["code"],
            -32800
        );
        assert_eq!(
            answer(&json!(1), Ok(Value::Null)),
            json!({ "jsonrpc": "2.0", "id": 1, "result": null })
        );
    }
}
