//! `hunkwise completions`: prints shell completions.

use clap_complete::Shell;

use super::print;
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

/// `tree` is the command line to complete.
pub(crate) fn run(args: &Args, tree: &mut clap::Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, tree, "hunkwise", &mut script);
    print(&String::from_utf8_lossy(&script))
}
