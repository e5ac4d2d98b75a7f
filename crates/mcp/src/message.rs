//! JSON-RPC 2.0 messages.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// An error as sent to the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Error {
    /// The error code.
    pub code: i64,
    /// The problem and how to fix it.
    pub message: String,
}

impl Error {
    /// The text is not valid JSON.
    #[must_use]
    pub fn parse(message: impl Into<String>) -> Self {
        Self {
            code: -32700,
            message: message.into(),
        }
    }

    /// The JSON is not a valid message.
    #[must_use]
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self {
            code: -32600,
            message: message.into(),
        }
    }

    /// The method does not exist.
    #[must_use]
    pub fn method_not_found() -> Self {
        Self {
            code: -32601,
            message: "there is no such method".to_owned(),
        }
    }

    /// The method's parameters are not valid.
    #[must_use]
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self {
            code: -32602,
            message: message.into(),
        }
    }

    /// The server failed.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self {
            code: -32603,
            message: message.into(),
        }
    }
}

/// A message from the peer.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// A request, which needs a response.
    Request {
        /// A string or a whole number.
        id: Value,
        /// The name of the method.
        method: String,
        /// Its parameters; empty if there are none.
        params: Map<String, Value>,
    },
    /// A notification, which gets no response.
    Notification {
        /// The name of the method.
        method: String,
        /// Its parameters.
        params: Value,
    },
    /// A response to one of our requests.
    Response {
        /// The ID of the request; `null` if the peer could not read it.
        id: Value,
        /// The result or the error.
        result: Result<Value, Value>,
    },
}

/// A text that is not a valid message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The ID for the response, if it could be read.
    pub id: Option<Value>,
    /// The error for the response.
    pub error: Error,
}

impl Message {
    /// Parses a message. Batches are not supported. `None` means a malformed notification, which gets no response.
    ///
    /// # Errors
    /// The text is not a valid message.
    pub fn read(text: &[u8]) -> Result<Option<Self>, Invalid> {
        let value = serde_json::from_slice(text).map_err(|error| Invalid {
            id: None,
            error: Error::parse(format!("not JSON: {error}")),
        })?;
        let Value::Object(mut members) = value else {
            return Err(not_a_message(None));
        };
        let id = members.remove("id");
        let is_notification = id.is_none() && members.contains_key("method");
        let usable = id.clone().filter(is_id);
        match Self::of(members, id) {
            None if is_notification => Ok(None),
            None => Err(not_a_message(usable)),
            message => Ok(message),
        }
    }

    fn of(mut members: Map<String, Value>, id: Option<Value>) -> Option<Self> {
        if members.remove("jsonrpc")? != "2.0" {
            return None;
        }
        let outcome = (members.remove("result"), members.remove("error"));
        match (members.remove("method"), outcome, id) {
            (Some(Value::String(method)), (None, None), None) => Some(Self::Notification {
                method,
                params: members.remove("params").unwrap_or_default(),
            }),
            (Some(Value::String(method)), (None, None), Some(id)) if is_id(&id) => {
                match members.remove("params") {
                    Some(Value::Object(params)) => Some(Self::Request { id, method, params }),
                    None | Some(Value::Null) => Some(Self::Request {
                        id,
                        method,
                        params: Map::new(),
                    }),
                    Some(_) => None,
                }
            }
            (None, (Some(result), None), Some(id)) if is_id(&id) => Some(Self::Response {
                id,
                result: Ok(result),
            }),
            (None, (None, Some(error @ Value::Object(_))), id) => {
                let id = id.unwrap_or_default();
                (id.is_null() || is_id(&id)).then_some(Self::Response {
                    id,
                    result: Err(error),
                })
            }
            _ => None,
        }
    }
}

fn not_a_message(id: Option<Value>) -> Invalid {
    Invalid {
        id,
        error: Error::invalid_request("not a JSON-RPC 2.0 message"),
    }
}

fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_i64()
}

/// Creates a request.
#[must_use]
pub fn request(id: u64, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method })
}

/// Creates a notification.
#[must_use]
pub fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// Creates the response to a request that succeeded.
#[must_use]
pub fn result(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Creates the response to a request that failed. It has no ID if that of the request could not be read.
#[must_use]
pub fn error(id: Option<&Value>, error: &Error) -> Value {
    match id {
        Some(id) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
        None => json!({ "jsonrpc": "2.0", "error": error }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Message;

    fn read(message: &Value) -> Result<Option<Message>, (i64, Option<Value>)> {
        Message::read(message.to_string().as_bytes())
            .map_err(|invalid| (invalid.error.code, invalid.id))
    }

    #[test]
    fn requests_have_an_id_and_parameters_by_name() {
        for id in [json!(0), json!(-1), json!(i64::MAX), json!(""), json!("a")] {
            for params in [json!({}), Value::Null] {
                let message = json!({ "jsonrpc": "2.0", "id": id, "method": "ping", "params": params, "more": 1 });
                let expected = Message::Request {
                    id: id.clone(),
                    method: "ping".to_owned(),
                    params: Default::default(),
                };
                assert_eq!(read(&message), Ok(Some(expected)));
            }
        }
        for id in [
            Value::Null,
            json!(1.5),
            json!(u64::MAX),
            json!(true),
            json!([]),
            json!({}),
        ] {
            assert_eq!(
                read(&json!({ "jsonrpc": "2.0", "id": id, "method": "ping" })),
                Err((-32600, None)),
                "{id}"
            );
        }
    }

    #[test]
    fn an_invalid_message_is_refused_with_its_id() {
        for text in ["", "{", "no", "\u{1}", "{}{}"] {
            let invalid = Message::read(text.as_bytes()).unwrap_err();
            assert_eq!((invalid.error.code, invalid.id), (-32700, None), "{text}");
        }
        for message in [
            json!(7),
            json!(null),
            json!([]),
            json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }]),
            json!({}),
        ] {
            assert_eq!(read(&message), Err((-32600, None)), "{message}");
        }
        for message in [
            json!({ "id": 1, "method": "ping" }),
            json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" }),
            json!({ "jsonrpc": "2.0", "id": 1 }),
            json!({ "jsonrpc": "2.0", "id": 1, "method": 5 }),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": [] }),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "result": {} }),
            json!({ "jsonrpc": "2.0", "id": 1, "result": {}, "error": {} }),
            json!({ "jsonrpc": "2.0", "id": 1, "error": 5 }),
        ] {
            assert_eq!(read(&message), Err((-32600, Some(json!(1)))), "{message}");
        }
    }

    #[test]
    fn notifications_get_no_response_even_if_they_are_malformed() {
        let params = json!({ "requestId": 1 });
        let message = json!({ "jsonrpc": "2.0", "method": "x", "params": params });
        assert_eq!(
            read(&message),
            Ok(Some(Message::Notification {
                method: "x".to_owned(),
                params
            }))
        );
        for message in [
            json!({ "method": "x" }),
            json!({ "jsonrpc": "2.0", "method": [] }),
        ] {
            assert_eq!(read(&message), Ok(None), "{message}");
        }
    }

    #[test]
    fn responses_are_results_or_errors() {
        let message = json!({ "jsonrpc": "2.0", "id": 3, "result": { "roots": [] } });
        let result = Ok(json!({ "roots": [] }));
        assert_eq!(
            read(&message),
            Ok(Some(Message::Response {
                id: json!(3),
                result
            }))
        );
        let error = json!({ "code": -1, "message": "no" });
        for message in [
            json!({ "jsonrpc": "2.0", "error": error }),
            json!({ "jsonrpc": "2.0", "id": null, "error": error }),
        ] {
            let result = Err(error.clone());
            assert_eq!(
                read(&message),
                Ok(Some(Message::Response {
                    id: Value::Null,
                    result
                })),
                "{message}"
            );
        }
    }
}
