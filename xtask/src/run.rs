//! Running other programs, and saying things.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// What a command of this tool ends with.
pub(crate) type Result = std::result::Result<(), String>;

/// The workspace's folder.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// `cargo` with these words, in the workspace's folder.
pub(crate) fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(words).current_dir(root());
    command
}

/// Runs a command to its end and says which one failed.
pub(crate) fn run(mut command: Command) -> Result {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    say(&format!("$ cargo {}", words.join(" ")));
    let status = command.status().map_err(|error| format!("cargo {}: {error}", words.join(" ")))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", words.join(" "))) }
}

/// A line for people, on standard error.
pub(crate) fn say(text: &str) {
    // Nobody is left to tell when standard error is gone.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A result, on standard output.
pub(crate) fn print(text: &str) -> Result {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
}
