//! `hunkwise completions`: what a shell needs to complete a command line.

use clap_complete::Shell;

use super::{Context, print};
use crate::outcome::Outcome;

/// Print the completions of a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise completions bash > ~/.local/share/bash-completion/completions/hunkwise
  hunkwise completions zsh > ~/.zfunc/_hunkwise
  hunkwise completions fish > ~/.config/fish/completions/hunkwise.fish")]
pub(crate) struct Args {
    shell: Shell,
}

pub(crate) fn run(args: &Args, _context: &Context) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::cli::tree(), "hunkwise", &mut script);
    print(&String::from_utf8_lossy(&script))
}
