//! What clients of the Model Context Protocol get to see, however they are connected: over HTTP here, and over stdio in the
//! program that embeds the service.

mod answer;
mod paging;
mod review_page;
mod rule_tools;
mod schema;
pub mod tools;

use review::Progress;
use review::output::counted;
use rmcp::model::{Implementation, InitializeResult, ProtocolVersion, ServerCapabilities};

pub use answer::{Answer, refusal};
pub use paging::{Item, MAX_LIMIT, Page, RESULT_BYTES, Taken};
pub use review_page::{how_to_continue, review_page};
pub use rule_tools::RuleTools;
pub use schema::review as review_schema;

/// The protocol versions that are spoken, oldest first. In later ones a server cannot ask the client for its roots.
#[must_use]
pub fn versions() -> &'static [ProtocolVersion] {
    ProtocolVersion::known_up_to(&ProtocolVersion::V_2025_11_25)
}

/// What a server says of itself: its name, that it has tools, and how to use them.
#[must_use]
pub fn introduction(instructions: &str) -> InitializeResult {
    InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
        .with_server_info(Implementation::new("hunkwise", env!("CARGO_PKG_VERSION")).with_title("Hunkwise"))
        .with_instructions(instructions)
}

/// What a client is shown while a review runs.
#[must_use]
pub fn progress_message(now: Progress) -> String {
    format!("{} so far", counted(now.findings, "finding"))
}
