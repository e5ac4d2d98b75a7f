//! `hunkwise mcp`: the review as tools of a coding agent (Model Context Protocol), over stdin and stdout.

mod arguments;
mod handler;
mod lines;
mod progress;
mod review;
mod roots;
mod rules;
mod tools;
mod working_tree;

use std::time::Duration;

use rmcp::service::ServerInitializeError;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tracing::Level;

use super::review::interrupt::or_interrupted;
use super::{Context, block_on};
use crate::engines;
use crate::logging;
use crate::outcome::{Error, Exit, Outcome};
use crate::settings::Settings;
use handler::Handler;
pub(super) use rules::of_service as rule_tools;

/// Time for the client to take the last answers; one that closed its end is not waited for.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Offer the review to a coding agent as tools (Model Context Protocol)
///
/// The agent starts this command and speaks with it over stdin and stdout; logs go to stderr. The tools are review_diff,
/// review_working_tree, explain_rule and list_rules.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = r#"Example, in the agent's list of MCP servers:
  {"mcpServers": {"hunkwise": {"command": "hunkwise", "args": ["mcp"]}}}"#)]
pub(crate) struct Args {}

/// Answers until the client closes stdin.
pub(crate) fn run(_args: Args, context: &Context) -> Outcome {
    let settings = context.settings()?;
    block_on(or_interrupted(async {
        let _log = logging::start(settings.service.log_level, Level::INFO, None)?;
        serve(settings).await
    }))
}

async fn serve(settings: Settings) -> Outcome {
    let engines = engines::start(&settings, &[])?;
    let (lines, writer) = lines::open(tokio::io::stdin(), tokio::io::stdout());
    let handler = Handler::new(settings, engines.clone());
    let served = match rmcp::serve_server(handler, lines).await {
        Ok(running) => running.waiting().await.map(drop).map_err(Error::failure),
        // A client that goes away before it began needs no message.
        Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::TransportError { .. }) => Ok(()),
        Err(error) => Err(Error::failure(error)),
    };
    finish(writer).await;
    engines.stop().await;
    served.map(|()| Exit::Success)
}

async fn finish(writer: JoinHandle<()>) {
    let _nobody_reads_them = timeout(LAST_ANSWERS, writer).await;
}
