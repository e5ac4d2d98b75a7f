//! `hunkwise baseline`: maintains a baseline.

mod prune;

use super::Context;
use crate::outcome::Outcome;

/// Manage a baseline (known findings that do not fail a run)
#[derive(Debug, Clone, clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Clone, clap::Subcommand)]
enum Command {
    Prune(prune::Args),
}

/// Runs a command on a baseline.
pub(crate) fn run(args: &Args, _: &Context) -> Outcome {
    match &args.command {
        Command::Prune(args) => prune::run(args),
    }
}
