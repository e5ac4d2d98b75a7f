//! Checks YAML rules against their own examples, without compiling them into the program.

use std::path::PathBuf;

use crate::run::{Result, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rule files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut bad = 0;
    for file in &args.files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        if let Err(reason) = lint::testing::check_yaml(&text) {
            bad += 1;
            say(&format!("{}:\n{reason}\n", file.display()));
        }
    }
    say(&format!("{} of {} rules do what their examples say", args.files.len() - bad, args.files.len()));
    if bad == 0 { Ok(()) } else { Err(format!("{bad} rules failed")) }
}
