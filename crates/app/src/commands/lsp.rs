//! `hunkwise lsp`: reviews the uncommitted change in an editor (Language Server Protocol), over stdin and stdout.
//!
//! The types are those of `gen-lsp-types`, generated from the protocol's description without further crates. The loop is our own:
//! `lsp-server` 0.10 reads in threads, answers no malformed message and allocates what a header announces; `async-lsp` 0.2 is bound to
//! types of protocol 3.17 and brings nine crates. Either would save `frames.rs` and `messages.rs`, which are bounded.

mod actions;
mod capabilities;
mod change;
mod client;
mod diagnostics;
mod documents;
mod frames;
mod messages;
mod parent;
mod positions;
mod repositories;
mod reviewer;
mod rule_pages;
mod running;
mod server;
mod workspace;

use settings::Settings;
use tokio::io::BufReader;
use tracing::Level;

use super::{Context, block_on};
use crate::analysis::interrupt::or_interrupted;
use crate::logging;
use crate::outcome::Outcome;
use client::Client;
use repositories::Repositories;
use rule_pages::RulePages;
use server::{Event, Server};

/// Show findings in an editor while the change is made (Language Server Protocol)
///
/// The editor starts this command and talks to it over stdin and stdout; logs go to stderr. It reviews the changes of
/// the open files against HEAD, including unsaved text, with the rules alone: no language model is called.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = r#"Example, in Neovim:
  vim.lsp.config('hunkwise', { cmd = { 'hunkwise', 'lsp' }, root_markers = { '.git' } })
  vim.lsp.enable('hunkwise')

Exit status: 0 the editor asked it to shut down, 1 it did not, 2 wrong usage, 3 invalid message on stdin."#)]
pub(crate) struct Args {
    /// Accepted because some editors pass it; stdin and stdout are used anyway
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves until the client exits or disappears.
pub(crate) fn run(_args: &Args, context: &Context) -> Outcome {
    let settings = context.settings()?;
    block_on(or_interrupted(async {
        let _log = logging::start(settings.service.log_level, Level::INFO, None)?;
        serve(settings, RulePages::new(context.environment.cache_folder())).await
    }))
}

async fn serve(settings: Settings, rule_pages: RulePages) -> Outcome {
    let repositories = Repositories::new(settings, rule_pages)?;
    let (client, written) = Client::open(tokio::io::stdout());
    let (sender, events) = server::events();
    let input = tokio::spawn(read_all(BufReader::new(tokio::io::stdin()), sender.clone()));
    let outcome = Server::new(client, repositories.clone(), sender)
        .run(events)
        .await;
    input.abort();
    written.finish().await;
    repositories.stop().await;
    outcome
}

/// Forwards the client's messages until the end of its input or the first invalid header.
async fn read_all(mut input: impl tokio::io::AsyncBufRead + Unpin, events: server::Sender) {
    loop {
        let event = match frames::read(&mut input).await {
            Ok(Some(frame)) => Event::Message(frame),
            Ok(None) => Event::Closed,
            Err(fault) => Event::Broken(fault),
        };
        let is_last = !matches!(event, Event::Message(_));
        if events.send(event).await.is_err() || is_last {
            return;
        }
    }
}
