//! Running other programs, and output.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// The result of an xtask command.
pub(crate) type Result = std::result::Result<(), String>;

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// `cargo` with these arguments, in the workspace's folder.
pub(crate) fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(words).current_dir(root());
    command
}

/// The optional features that tests and checks enable.
pub(crate) const FEATURES: &str = "--features=hunkwise/telemetry";

/// Builds the program with the dev profile and with the features that the tests use, so that dependencies are not
/// built twice.
pub(crate) fn program() -> std::result::Result<PathBuf, String> {
    run(cargo(&[
        "build", "--locked", "--quiet", "--workspace", FEATURES, "--bin", "hunkwise",
    ]))?;
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    Ok(here.with_file_name("hunkwise"))
}

/// Runs a command to completion; an error names the command.
pub(crate) fn run(mut command: Command) -> Result {
    let words: Vec<_> = command
        .get_args()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    say(&format!("$ cargo {}", words.join(" ")));
    let status = command
        .status()
        .map_err(|error| format!("cargo {}: {error}", words.join(" ")))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("cargo {} failed", words.join(" ")))
    }
}

/// Prints a message on standard error.
pub(crate) fn say(text: &str) {
    // If standard error is closed, nothing can be reported.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a result on standard output.
pub(crate) fn print(text: &str) -> Result {
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| error.to_string())
}
