//! The project's automation: `cargo xtask <command>`.

#[cfg(test)]
mod arrows;
mod check;
mod codegen;
mod deploy;
#[cfg(test)]
mod documents;
mod eval;
mod growth;
#[cfg(test)]
mod kinds;
mod ledger;
mod new_rule;
mod outdated;
mod prose;
#[cfg(test)]
mod rooms;
mod rule;
mod run;
mod secrets;
mod soak;
#[cfg(test)]
mod sources;
mod test;

use std::process::ExitCode;

use clap::Parser;

/// The project's automation.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Command {
    /// Runs all tests of the workspace, and counts those skipped because of a missing component.
    Test(test::Args),
    /// Runs all checks of CI that need no server: formatting, clippy, docs, generated files, tests.
    Check,
    /// Writes the generated files: rule tables, OpenAPI document, settings reference.
    Codegen(codegen::Args),
    /// Checks the files of deploy/ with their linters.
    Deploy(deploy::Args),
    /// Scores the rule engine, or also a language model, on labelled changes.
    Eval(Box<eval::Args>),
    /// Reviews deliberately expensive diffs, and fails if the cost grows faster than the diff.
    Growth(growth::Args),
    /// Runs a program and measures its cost.
    #[command(hide = true)]
    Measured(growth::MeasureArgs),
    /// Runs the service with three tenants, one of them hostile, and prints the effect on the others.
    Soak(soak::Args),
    /// Checks YAML rule files against their own examples without compiling them in, and the style of rule texts.
    Rule(rule::Args),
    /// Starts a new rule from a template.
    NewRule(new_rule::Args),
    /// Lists direct dependencies with newer releases, and fails if there are any. Queries the registry.
    Outdated,
}

fn main() -> ExitCode {
    let result = match Command::parse() {
        Command::Test(args) => test::run(&args),
        Command::Check => check::run(),
        Command::Codegen(args) => codegen::run(&args),
        Command::Deploy(args) => deploy::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Growth(args) => growth::run(&args),
        Command::Measured(args) => growth::measured(&args),
        Command::Soak(args) => soak::run(&args),
        Command::Rule(args) => rule::run(&args),
        Command::NewRule(args) => new_rule::run(&args),
        Command::Outdated => outdated::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            run::say(&format!("error: {reason}"));
            ExitCode::FAILURE
        }
    }
}
