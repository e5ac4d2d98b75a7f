//! The soak test. It is a separate program, because it takes minutes and asserts times.

use crate::run::{Result, cargo};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Duration per database, in seconds.
    #[arg(long, default_value_t = 600)]
    seconds: u64,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut command = cargo(&[
        "test", "--package", "hunkwise", "--test", "soak", "--", "--nocapture",
    ]);
    let status = command
        .env("SOAK_SECONDS", args.seconds.to_string())
        .status();
    match status.map_err(|error| format!("cargo test: {error}"))? {
        status if status.success() => Ok(()),
        _ => Err("the service did not withstand the soak test".to_owned()),
    }
}
