//! `hunkwise install-hook`: installs a git hook that reviews the staged change.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use git::Git;
use review::output::Gate;

use super::{Context, print};
use crate::outcome::{Error, Outcome};

/// The hook up to the line with the path of the program.
const START: &str = "\
#!/bin/sh
# Reviews the staged change. Written by `hunkwise install-hook`; `git commit --no-verify` goes without.
";
const END: &str = "\
[ -x \"$hunkwise\" ] || hunkwise=$(command -v hunkwise) || {
    echo \"hunkwise was not found, so nothing was committed. Install it, and run \\`hunkwise install-hook\\`.\" >&2
    echo \"To commit without a review: git commit --no-verify\" >&2
    exit 1
}
exec \"$hunkwise\" review --staged";
/// The start of the line with the path of the program.
const PROGRAM: &str = "hunkwise=";

/// Write a git hook that reviews the staged change before each commit
///
/// The hook is written to the hooks folder of this checkout (core.hooksPath). It runs this program, or the hunkwise on
/// the path if this program no longer exists. An existing hook of your own is not changed.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  hunkwise install-hook
  hunkwise install-hook --fail-on P2")]
pub(crate) struct Args {
    /// Let the hook stop a commit if a finding has this priority or a higher one: P0, P1, P2, P3 or never [default: fail_on
    /// of .hunkwise.toml, otherwise P1]
    #[arg(long, value_name = "PRIORITY", value_parser = gate)]
    fail_on: Option<String>,
}

/// Checks the gate and returns it as written.
fn gate(text: &str) -> Result<String, String> {
    text.parse::<Gate>().map(|_| text.to_owned())
}

/// Writes the hook.
pub(crate) fn run(args: &Args, _: &Context) -> Outcome {
    let folder = Git::open(Path::new("."))?.hooks()?;
    let program = std::env::current_exe().map_err(|error| {
        Error::failure(format!("cannot find the path of this program: {error}"))
    })?;
    let program = quoted(program.as_os_str().as_bytes());
    let options = args
        .fail_on
        .as_ref()
        .map(|gate| format!(" --fail-on {gate}"))
        .unwrap_or_default();
    let hook = [
        START.as_bytes(),
        PROGRAM.as_bytes(),
        &program,
        b"\n",
        END.as_bytes(),
        options.as_bytes(),
        b"\n",
    ]
    .concat();
    let file = folder.join("pre-commit");
    let shown = file.display();
    let cannot_write = |error: io::Error| Error::failure(format!("cannot write {shown}: {error}"));
    match fs::symlink_metadata(&file) {
        Ok(metadata) => match fs::read(&file) {
            Ok(text) if text == hook => return print(&format!("{shown} is installed\n")),
            Ok(text) if metadata.is_file() && is_ours(&text) => {
                write(&folder, &file, &hook, true).map_err(cannot_write)?
            }
            _ => {
                let line = String::from_utf8_lossy(&program).into_owned()
                    + " review --staged"
                    + &options
                    + " || exit $?";
                return Err(Error::usage(format!(
                    "{shown} exists and was not changed; add this line to it:\n  {line}"
                )));
            }
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(&folder)
                .and_then(|()| write(&folder, &file, &hook, false))
                .map_err(cannot_write)?;
        }
        Err(error) => return Err(cannot_write(error)),
    }
    print(&format!("wrote {shown}\n"))
}

/// Whether this command wrote the hook, perhaps for a program in another place, and it is unchanged.
fn is_ours(hook: &[u8]) -> bool {
    let Some(rest) = hook
        .strip_prefix(START.as_bytes())
        .and_then(|rest| rest.strip_suffix(b"\n"))
    else {
        return false;
    };
    let Some(at) = rest
        .windows(END.len())
        .position(|part| part == END.as_bytes())
    else {
        return false;
    };
    let (line, options) = (
        rest.get(..at).unwrap_or_default(),
        rest.get(at + END.len()..).unwrap_or_default(),
    );
    let is_gate = |options: &str| {
        options
            .strip_prefix(" --fail-on ")
            .is_some_and(|gate| gate.parse::<Gate>().is_ok())
    };
    let is_option = options.is_empty() || str::from_utf8(options).is_ok_and(is_gate);
    line.starts_with(PROGRAM.as_bytes()) && line.ends_with(b"\n") && is_option
}

/// Quotes a path as one word for the shell.
fn quoted(path: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = path.split(|byte| *byte == b'\'').collect();
    [b"'", &*parts.join(&b"'\\''"[..]), b"'"].concat()
}

/// Writes a file atomically.
fn write(folder: &Path, file: &Path, text: &[u8], replaces: bool) -> io::Result<()> {
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text)?;
    new.as_file()
        .set_permissions(fs::Permissions::from_mode(0o755))?;
    if replaces {
        new.persist(file)?
    } else {
        new.persist_noclobber(file)?
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{END, START, is_ours, quoted};

    #[test]
    fn a_path_is_one_word_for_the_shell() {
        assert_eq!(quoted(b"/o'neil/a b"), br"'/o'\''neil/a b'");
    }

    #[test]
    fn an_edited_hook_is_not_ours() {
        let hook = |line: &str| format!("{START}{line}{END}\n");
        let gated =
            |options: &str| is_ours(format!("{START}hunkwise='/x'\n{END}{options}\n").as_bytes());
        assert!(
            gated(" --fail-on P2:0.8")
                && !gated(" --fail-on P2 && make")
                && !gated(" --format json")
        );
        assert!(is_ours(hook("hunkwise='/usr/bin/hunkwise'\n").as_bytes()));
        assert!(!is_ours(
            format!("{}make lint\n", hook("hunkwise='/x'\n")).as_bytes()
        ));
        assert!(!is_ours(b"#!/bin/sh\nexit 0\n"));
    }
}
