//! The Model Context Protocol without a transport: JSON-RPC messages, the server's methods, the tools and their
//! results. `hunkwise mcp` uses it over stdio, and the service over HTTP.
//!
//! The official SDK (`rmcp`) is not used. Its HTTP server reads the body before the caller is known and without our limits on memory; its
//! stdin transport drops malformed messages, so that their sender waits forever. Only some types and the loop would remain.

mod answer;
mod message;
mod paging;
mod progress;
mod review_page;
mod schema;
mod server;
mod tools;

pub use answer::{Answer, refusal};
pub use message::{Error, Invalid, Message, error, notification, request, result};
pub use paging::{Item, MAX_LIMIT, Page, RESULT_BYTES, Taken};
pub use progress::ProgressReporter;
pub use review_page::{how_to_continue, review_page};
pub use server::{Call, Handled, Server, VERSIONS};
pub use tools::{ORGANIZATION, Tool, ToolName, UNTRACKED, of_command, of_service};
