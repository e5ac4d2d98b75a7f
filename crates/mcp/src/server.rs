//! The server's methods.

use serde_json::{Map, Value, json};

use crate::message::Error;
use crate::tools::{Tool, ToolName};

/// The supported protocol versions, oldest first. In later ones a server cannot ask the client for its roots.
pub const VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const NEWEST: &str = VERSIONS[VERSIONS.len() - 1];

/// A server: its tools and its instructions.
#[derive(Debug)]
pub struct Server {
    instructions: &'static str,
    names: Vec<ToolName>,
    /// The result of `tools/list`, which is constant.
    tools: Value,
}

/// How a request is handled.
#[derive(Debug)]
pub enum Handled {
    /// Respond with this result.
    Result(Value),
    /// Respond with this error.
    Error(Error),
    /// A `tools/call`: the transport finds the tool with [`Server::find`] and runs it.
    Call,
}

impl Server {
    /// Creates a server with these tools, and instructions for the agent.
    #[must_use]
    pub fn new(instructions: &'static str, tools: &[Tool]) -> Self {
        Self {
            instructions,
            names: tools.iter().map(|tool| tool.name).collect(),
            tools: json!({ "tools": tools }),
        }
    }

    /// Handles a request. `version` returns the parameter `protocolVersion`.
    pub fn handle(&self, method: &str, version: impl FnOnce() -> Option<String>) -> Handled {
        Handled::Result(match method {
            "initialize" => self.initialize(version().as_deref()),
            "ping" => json!({}),
            "tools/list" => self.tools.clone(),
            "tools/call" => return Handled::Call,
            // Some clients call these regardless of the capabilities, and treat an error as a broken server.
            "resources/list" => json!({ "resources": [] }),
            "resources/templates/list" => json!({ "resourceTemplates": [] }),
            "prompts/list" => json!({ "prompts": [] }),
            _ => return Handled::Error(Error::method_not_found()),
        })
    }

    /// Returns the client's protocol version if it is supported, and the newest one otherwise.
    fn initialize(&self, asked: Option<&str>) -> Value {
        let version = VERSIONS
            .into_iter()
            .find(|version| asked == Some(version))
            .unwrap_or(NEWEST);
        json!({
            "protocolVersion": version,
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "hunkwise", "title": "Hunkwise", "version": env!("CARGO_PKG_VERSION") },
            "instructions": self.instructions,
        })
    }

    /// Finds the tool with this name.
    ///
    /// # Errors
    /// The tool does not exist. The error lists the existing ones.
    pub fn find(&self, name: &str) -> Result<ToolName, Error> {
        let found = self
            .names
            .iter()
            .copied()
            .find(|tool| tool.as_str() == name);
        found.ok_or_else(|| self.unknown_tool())
    }

    /// The error for a tool that does not exist.
    #[must_use]
    pub fn unknown_tool(&self) -> Error {
        let names: Vec<&str> = self.names.iter().map(|tool| tool.as_str()).collect();
        Error::invalid_params(format!(
            "there is no such tool; available: {}",
            names.join(", ")
        ))
    }
}

/// The parameters of `tools/call`.
#[derive(Debug)]
pub struct Call {
    /// The name of the tool.
    pub name: String,
    /// The arguments of the tool.
    pub arguments: Map<String, Value>,
    /// Present if the client wants progress notifications.
    pub progress_token: Option<Value>,
}

impl Call {
    /// Parses the parameters.
    ///
    /// # Errors
    /// They have another structure.
    pub fn of(mut params: Map<String, Value>) -> Result<Self, Error> {
        let mut object = |name: &str| match params.remove(name) {
            None | Some(Value::Null) => Some(Map::new()),
            Some(Value::Object(members)) => Some(members),
            Some(_) => None,
        };
        let (arguments, meta) = (object("arguments"), object("_meta"));
        let (Some(Value::String(name)), Some(arguments), Some(mut meta)) =
            (params.remove("name"), arguments, meta)
        else {
            return Err(Error::invalid_params(
                "tools/call: expected a name (a string) and optionally arguments and _meta (objects)",
            ));
        };
        let progress_token = meta
            .remove("progressToken")
            .filter(|token| token.is_string() || token.is_i64());
        Ok(Self {
            name,
            arguments,
            progress_token,
        })
    }
}
