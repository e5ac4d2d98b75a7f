//! `hunkwise worker`: the rule engine in a separate process, for the worker pool.

use worker::Jobs;
use worker::sandbox::{Demand, Limits};

use crate::commands::Context;
use crate::outcome::{Error, Exit, Outcome};

/// Analyses files for the worker pool; not meant to be started by hand
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Args {
    /// Address space in MiB
    #[arg(long, default_value_t = 384)]
    memory: u64,

    /// Processor time for one file in seconds
    #[arg(long, default_value_t = 20)]
    cpu: u64,

    /// Whether it runs where the system cannot filter its system calls
    #[arg(long, value_enum, default_value_t = Sandbox::Required)]
    sandbox: Sandbox,

    /// The first frame contains custom rules
    #[arg(long)]
    custom_rules: bool,

    /// Check custom rules instead of reviewing changes
    #[arg(long, conflicts_with = "custom_rules")]
    inspect_rules: bool,
}

/// Whether a worker may run on a system that cannot filter system calls.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Sandbox {
    /// No.
    Required,
    /// Yes, with the layers that the system supports.
    BestEffort,
}

/// Serves until stdin ends.
pub(crate) fn run(args: Args, _context: &Context) -> Outcome {
    let limits = Limits {
        memory_bytes: args.memory.saturating_mul(1024 * 1024),
        cpu_seconds: args.cpu,
    };
    let demand = match args.sandbox {
        Sandbox::Required => Demand::Required,
        Sandbox::BestEffort => Demand::BestEffort,
    };
    let jobs = match (args.inspect_rules, args.custom_rules) {
        (true, _) => Jobs::InspectRules,
        (false, true) => Jobs::ReviewWithCustomRules,
        (false, false) => Jobs::Review,
    };
    worker::serve(jobs, limits, demand)
        .map(|()| Exit::Success)
        .map_err(Error::failure)
}
