//! PostgreSQL's programs for tests that start their own server: how they are found, and which user runs them.

use std::{
    io::Write,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// The folder of the programs. `None`, with a visible notice, where PostgreSQL is not installed.
pub(crate) fn installed() -> Option<PathBuf> {
    let found = find();
    if found.is_none() {
        assert!(
            !required(),
            "REQUIRE_POSTGRES is set and PostgreSQL is not installed"
        );
        // Bypasses the test runner's output capture: a skipped case must not look like a passed one.
        writeln!(std::io::stderr(), "SKIPPED: PostgreSQL is not installed").unwrap();
    }
    found
}

/// Starts a shell script that owns a server in `folder`, with pipes to and from it. `$1` is the folder of the programs,
/// `$2` the server's, followed by the other arguments. It is in its own process group and gets no signals of this one.
pub(crate) fn run(script: &str, programs: &Path, folder: &Path, others: &[&str]) -> Child {
    let mut command = Command::new("sh");
    command
        .args(["-c", script, "sh"])
        .arg(programs)
        .arg(folder)
        .args(others)
        .process_group(0);
    // PostgreSQL refuses to run as root.
    if id(&["-u"]) == Some(0) {
        let (user, group) = (
            id(&["-u", "postgres"]).unwrap(),
            id(&["-g", "postgres"]).unwrap(),
        );
        std::os::unix::fs::chown(folder, Some(user), Some(group)).unwrap();
        command.uid(user).gid(group);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The folder of the programs on the path, or the newest one of a Debian system.
fn find() -> Option<PathBuf> {
    let on_path = Command::new("sh")
        .args(["-c", "command -v initdb && command -v pg_ctl"])
        .output()
        .ok()?;
    if on_path.status.success() {
        let first = String::from_utf8_lossy(&on_path.stdout)
            .lines()
            .next()?
            .to_owned();
        return Path::new(&first).parent().map(Path::to_owned);
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let newest = versions.max_by_key(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .parse::<u32>()
            .unwrap_or(0)
    })?;
    let programs = newest.path().join("bin");
    programs.join("initdb").exists().then_some(programs)
}

fn id(arguments: &[&str]) -> Option<u32> {
    String::from_utf8(Command::new("id").args(arguments).output().ok()?.stdout)
        .ok()?
        .trim()
        .parse()
        .ok()
}

#[expect(
    clippy::disallowed_methods,
    reason = "a switch for the test run, which has no settings"
)]
fn required() -> bool {
    std::env::var("REQUIRE_POSTGRES").is_ok_and(|value| value == "1")
}
