//! All CI checks that need no server.

use std::process::Command;

use crate::run::{FEATURES, Result, cargo, root, run as execute};
use crate::{codegen, deploy, test};

pub(crate) fn run() -> Result {
    execute(cargo(&["fmt", "--all", "--check"]))?;
    format_rules()?;
    execute(cargo(&[
        "clippy", "--workspace", "--all-targets", "--", "-D", "warnings",
    ]))?;
    execute(cargo(&[
        "clippy", "--workspace", "--all-targets", FEATURES, "--", "-D", "warnings",
    ]))?;
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", FEATURES]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    execute(doc)?;
    codegen::run(&codegen::Args { check: true })?;
    deploy::run(&deploy::Args { require: false })?;
    test::run(&test::Args { words: Vec::new() })
}

/// Rust rules are included through a macro, so `cargo fmt` does not find them.
fn format_rules() -> Result {
    let mut files = Vec::new();
    let mut open = vec![root().join("crates/rules/src")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)
            .map_err(|error| error.to_string())?
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    let mut rustfmt = Command::new("rustfmt");
    rustfmt
        .args(["--check", "--edition", "2024"])
        .args(files)
        .current_dir(root());
    let status = rustfmt
        .status()
        .map_err(|error| format!("rustfmt: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("a rule is not formatted: run rustfmt --edition 2024 on its file".to_owned())
    }
}
