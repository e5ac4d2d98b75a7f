//! `hunkwise config schema`: the JSON Schema of a configuration file.

use crate::commands::print;
use crate::outcome::Outcome;
use crate::project;

/// Print the JSON Schema (draft 7) of the configuration file, for editors that complete and check TOML
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise config schema > hunkwise.schema.json
  hunkwise config schema --project > .hunkwise/schema.json

Name it in the first line of the TOML file, for editors that use Taplo or Tombi:
  #:schema .hunkwise/schema.json")]
pub(super) struct Args {
    /// The schema of .hunkwise.toml, with the IDs of the built-in rules, instead of the service's settings
    #[arg(long)]
    project: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    let schema = if args.project {
        project::schema()
    } else {
        settings::schema()
    };
    print(&format!("{schema:#}\n"))
}
