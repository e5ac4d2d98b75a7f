//! `hunkwise config`: prints the settings in force, documents all settings, and checks the configured models.

mod check;
mod schema;

use review::output::printable_json;
use serde_json::json;
use settings::{Overrides, Values};

use super::{Context, print};
use crate::outcome::Outcome;

/// Print the settings in force, with secrets masked, and where each came from
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  hunkwise config --config hunkwise.toml
  hunkwise config --example > hunkwise.toml
  hunkwise config check --config hunkwise.toml
  hunkwise config schema > hunkwise.schema.json")]
pub(crate) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print a configuration file with every setting at its default
    #[arg(long, conflicts_with_all = ["json", "reference"])]
    example: bool,
    /// Print what every setting means, in Markdown
    #[arg(long, conflicts_with = "json")]
    reference: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Check(check::Args),
    Schema(schema::Args),
}

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    match &args.command {
        Some(Command::Check(args)) => return check::run(args, context),
        Some(Command::Schema(args)) => return schema::run(args),
        None => {}
    }
    if args.example {
        return print(&settings::example());
    }
    if args.reference {
        return print(&settings::reference());
    }
    let values = context.loaded(&Overrides::default())?.values;
    print(&if args.json {
        as_json(&values)
    } else {
        settings::in_force(&values)
    })
}

fn as_json(values: &Values) -> String {
    let settings: Vec<_> = settings::shown(values)
        .map(|(name, value, source)| json!({ "name": name, "value": value, "source": source }))
        .collect();
    printable_json(json!({ "settings": settings }).to_string()) + "\n"
}
