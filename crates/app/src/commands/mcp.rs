//! `hunkwise mcp`: offers the review to coding agents as tools (Model Context Protocol), over stdin and stdout.

mod arguments;
mod client;
mod context_files;
mod lines;
mod progress;
mod review;
mod roots;
mod rules;
mod session;
mod tools;
mod working_tree;

use std::time::Duration;

use mcp::Server;
use server::Limits;
use settings::Settings;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tracing::Level;

use super::{Context, block_on};
use crate::analysis::interrupt::or_interrupted;
use crate::engines;
use crate::logging;
use crate::outcome::{Exit, Outcome};
use client::Client;
use lines::Lines;
pub(super) use rules::BuiltinRules;
use session::Session;
use tools::Tools;

const INSTRUCTIONS: &str = "Hunkwise reviews code changes. After an edit call review_working_tree, fix what it finds \
                            and call it again; explain_rule explains a finding's rule.";
/// Capacity of the queue of outgoing lines.
const WAITING: usize = 64;
/// Time for the client to read the last responses. A client that closed its end is not waited for.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// Offer the review to a coding agent as tools (Model Context Protocol)
///
/// The agent starts this command and talks to it over stdin and stdout; logs go to stderr. The tools are review_diff,
/// review_working_tree, explain_rule and list_rules.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = r#"Example, in the agent's list of MCP servers:
  {"mcpServers": {"hunkwise": {"command": "hunkwise", "args": ["mcp"]}}}"#)]
pub(crate) struct Args {}

/// Serves until the client closes stdin.
pub(crate) fn run(_args: Args, context: &Context) -> Outcome {
    let settings = context.settings()?;
    block_on(or_interrupted(async {
        let _log = logging::start(settings.service.log_level, Level::INFO, None)?;
        serve(settings).await
    }))
}

async fn serve(settings: Settings) -> Outcome {
    let engines = engines::start(&settings, &[])?;
    let (sender, waiting) = mpsc::channel(WAITING);
    let writer = tokio::spawn(lines::write_all(waiting, tokio::io::stdout()));
    let server = Server::new(
        INSTRUCTIONS,
        &mcp::of_command(&server::openapi(&Limits::default())),
    );
    let tools = Tools {
        settings,
        engines: engines.clone(),
    };
    Session::new(server, tools, Client::new(sender))
        .run(Lines::new(tokio::io::stdin()))
        .await;
    let _nobody_reads_them = timeout(LAST_ANSWERS, writer).await;
    engines.stop().await;
    Ok(Exit::Success)
}
