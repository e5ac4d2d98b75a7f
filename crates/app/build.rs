//! The parts of `hunkwise --version --json` that only the build knows: the commit, the target, and the versions of the
//! grammars.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo passes its inputs to a build script in the environment"
)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

const LOCK: &str = "../../Cargo.lock";

fn main() {
    println!("cargo::rerun-if-changed={LOCK}");
    println!("cargo::rerun-if-env-changed=BUILD_COMMIT");
    let commit = env::var("BUILD_COMMIT")
        .ok()
        .or_else(commit)
        .unwrap_or_default();
    println!("cargo::rustc-env=BUILD_COMMIT={commit}");
    println!(
        "cargo::rustc-env=BUILD_TARGET={}",
        env::var("TARGET").unwrap_or_default()
    );
    println!(
        "cargo::rustc-env=BUILD_GRAMMARS={}",
        grammars(&fs::read_to_string(LOCK).unwrap_or_default())
    );
}

/// The checked-out commit, or nothing if the sources are not in a git repository.
fn commit() -> Option<String> {
    // `HEAD` usually names a branch; a commit then changes only the branch's own file.
    for path in ["HEAD", "logs/HEAD"].map(|name| git(&["rev-parse", "--git-path", name])) {
        path.filter(|path| Path::new(path).exists())
            .inspect(|path| println!("cargo::rerun-if-changed={path}"));
    }
    git(&["rev-parse", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(arguments)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The grammar crates of the lock file, as `name=version`, separated by spaces.
fn grammars(lock: &str) -> String {
    let value = |line: Option<&str>| Some(line?.split_once(" = ")?.1.trim_matches('"').to_owned());
    let mut lines = lock.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some(name) = value(line.starts_with("name = \"tree-sitter").then_some(line)) else {
            continue;
        };
        // These crates are not grammars, but they decide how the grammars parse.
        found.extend(value(lines.next()).map(|version| format!("{name}={version}")));
    }
    found.join(" ")
}
