//! The generated files: the rules' confidence and literals, the tables of secrets, the OpenAPI document, the settings
//! reference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{Result, program, root, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing, and fail if a file is outdated.
    #[arg(long)]
    pub(crate) check: bool,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut files = of_rules()?;
    let program = program()?;
    files.insert(
        PathBuf::from("docs/openapi.json"),
        output_of(&program, &["openapi"])?,
    );
    files.insert(
        PathBuf::from("docs/settings.md"),
        output_of(&program, &["config", "--reference"])?,
    );
    let stale = stale(&files);
    if args.check {
        let names: Vec<_> = stale
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        return if names.is_empty() {
            Ok(())
        } else {
            Err(format!(
                "not up to date, run cargo xtask codegen: {}",
                names.join(", ")
            ))
        };
    }
    for path in &stale {
        if let Some(text) = files.get(path) {
            write(&root().join(path), text)?;
        }
        say(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// The files that are generated from the rules only.
fn of_rules() -> std::result::Result<BTreeMap<PathBuf, String>, String> {
    let mut files = crate::secrets::files()?;
    files.extend(crate::ledger::files()?);
    files.insert(
        PathBuf::from("crates/rules/data/yaml_rules.rs"),
        lint::yaml_rules_table(rules::catalog().sources),
    );
    Ok(files)
}

/// The names of outdated files.
fn stale(files: &BTreeMap<PathBuf, String>) -> BTreeSet<PathBuf> {
    let mut stale = BTreeSet::new();
    for (path, text) in files {
        if std::fs::read_to_string(root().join(path)).ok().as_ref() != Some(text) {
            stale.insert(path.clone());
        }
    }
    stale
}

fn write(path: &Path, text: &str) -> Result {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The output of the `hunkwise` program.
fn output_of(program: &Path, words: &[&str]) -> std::result::Result<String, String> {
    let output = Command::new(program)
        .args(words)
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!(
            "hunkwise {}: {}",
            words.join(" "),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// The other files are generated and checked by tests of `server` and `hunkwise`.
    #[test]
    fn files_generated_from_rules_are_up_to_date() {
        let stale = super::stale(&super::of_rules().unwrap());
        assert_eq!(stale, BTreeSet::new(), "run cargo xtask codegen");
    }
}
