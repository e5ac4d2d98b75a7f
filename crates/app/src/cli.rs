//! The command tree, and the path from `argv` to an exit status.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};
use settings::Environment;

use crate::commands::review::file_like_an_option;
use crate::commands::{self, Context};
use crate::outcome::{Error, Exit, Outcome};

/// The heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// Reviews a change: finds the defects that it introduces, as a service, in a terminal, a hook or CI.
#[derive(Debug, Parser)]
#[command(name = "hunkwise", arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Examples:
  hunkwise serve --demo             try the service: no file, no key, no account
  hunkwise review                   review the uncommitted change of this checkout
  git diff main | hunkwise review - review a diff from a pipe

Exit status: 0 success, 1 findings at or above --fail-on, 2 wrong usage or bad input, 3 failure,
130 interrupted.")]
pub(crate) struct Cli {
    /// Read settings from this TOML file (environment: HUNKWISE_CONFIG)
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    config: Option<PathBuf>,

    /// Refuse to start when a HUNKWISE_… variable of the environment is not a setting
    #[arg(long, global = true, help_heading = GLOBAL)]
    strict_config: bool,

    /// Colour on the terminal; NO_COLOR turns it off as well
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = GLOBAL)]
    color: Color,

    /// Print the version
    #[arg(short = 'V', long)]
    version: bool,

    /// With --version: one JSON object with the commit, the rules and the grammars
    #[arg(long, requires = "version")]
    json: bool,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(commands::serve::Args),
    Review(commands::review::Args),
    Comment(commands::comment::Args),
    Baseline(commands::baseline::Args),
    Rules(commands::rules::Args),
    InstallHook(commands::install_hook::Args),
    Mcp(commands::mcp::Args),
    Login(commands::login::Args),
    Logout(commands::logout::Args),
    Whoami(commands::whoami::Args),
    Lsp(commands::lsp::Args),
    Admin(commands::admin::Args),
    Config(commands::config::Args),
    Migrate(commands::migrate::Args),
    Ready(commands::ready::Args),
    Openapi(commands::openapi::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
    #[command(hide = true)]
    Worker(commands::worker::Args),
}

/// When to use colour.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// Parses the command line, runs the command, and reports errors on stderr.
pub(crate) fn run() -> Exit {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(name) = file_like_an_option(&arguments, Path::new(".")) {
        let message =
            format!("the file {name:?} has a name that is parsed as an option: rename it");
        return refuse(&Cli::command().error(ErrorKind::InvalidValue, message));
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    anstream::ColorChoice::from(cli.color).write_global();
    let environment = Environment::of_process().with_strictness(cli.strict_config);
    let config = cli.config.or_else(|| environment.config());
    let outcome = match cli.command {
        Some(command) => dispatch(
            command,
            &Context {
                environment,
                config,
            },
        ),
        None if cli.version => version(cli.json),
        None => {
            return refuse(&Cli::command().error(
                ErrorKind::MissingSubcommand,
                "a command is missing; --help lists them",
            ));
        }
    };
    match outcome {
        Ok(exit) => exit,
        Err(error) => {
            crate::out::error(&error.message);
            error.exit
        }
    }
}

fn version(json: bool) -> Outcome {
    let text = if json {
        crate::version::json().map_err(Error::failure)?
    } else {
        crate::version::line()
    };
    commands::print(&text)
}

/// Help goes to stdout with status 0. Any other parse error is wrong usage.
fn refuse(error: &clap::Error) -> Exit {
    let _unwritable = error.print();
    if error.use_stderr() {
        Exit::Usage
    } else {
        Exit::Success
    }
}

fn dispatch(command: Command, context: &Context) -> Outcome {
    match command {
        Command::Serve(args) => commands::serve::run(&args, context),
        Command::Review(args) => commands::review::run(args, context),
        Command::Mcp(args) => commands::mcp::run(args, context),
        Command::Lsp(args) => commands::lsp::run(&args, context),
        Command::Comment(args) => commands::comment::run(&args, context),
        Command::Baseline(args) => commands::baseline::run(&args, context),
        Command::InstallHook(args) => commands::install_hook::run(&args, context),
        Command::Rules(args) => commands::rules::run(args, context),
        Command::Login(args) => commands::login::run(&args, context),
        Command::Logout(args) => commands::logout::run(&args, context),
        Command::Whoami(args) => commands::whoami::run(&args, context),
        Command::Admin(args) => commands::admin::run(args, context),
        Command::Config(args) => commands::config::run(&args, context),
        Command::Migrate(args) => commands::migrate::run(args, context),
        Command::Ready(args) => commands::ready::run(&args, context),
        Command::Openapi(args) => commands::openapi::run(args, context),
        Command::Completions(args) => commands::completions::run(&args, &mut Cli::command()),
        Command::Man(args) => commands::man::run(&args, Cli::command()),
        Command::Worker(args) => commands::worker::run(args, context),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_example(command: &clap::Command, path: &str) {
        let help = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let leaf = command.get_subcommands().next().is_none();
        assert!(
            !leaf || help.contains("Example"),
            "{path} --help has no example"
        );
        assert!(
            command.get_about().is_some(),
            "{path} does not say what it does"
        );
        for below in command
            .get_subcommands()
            .filter(|below| !below.is_hide_set())
        {
            assert_example(below, &format!("{path} {}", below.get_name()));
        }
    }

    #[test]
    fn every_command_has_help_with_an_example() {
        Cli::command().debug_assert();
        assert_example(&Cli::command(), "hunkwise");
    }
}
