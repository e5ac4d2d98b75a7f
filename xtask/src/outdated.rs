//! Direct dependencies with newer releases. Not part of the checks, because it queries the registry.

use std::collections::BTreeSet;
use std::process::Command;

use serde::Deserialize;

use crate::run::{Result, cargo, print};

/// The required part of `cargo metadata`.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

/// Name and version of a locked crate, as `cargo update` prints them: `clap v4.6.7`.
type Locked = BTreeSet<String>;

pub(crate) fn run() -> Result {
    let metadata = output(cargo(&["metadata", "--locked", "--format-version", "1"]))?.0;
    let report = output(cargo(&[
        "update", "--dry-run", "--verbose", "--color", "never",
    ]))?
    .1;
    let outdated = outdated(&report, &direct(&metadata)?);
    for line in &outdated {
        print(&format!("{line}\n"))?;
    }
    match outdated.len() {
        0 => Ok(()),
        count => Err(format!(
            "{count} direct dependencies have newer releases: update Cargo.toml or run `cargo update`"
        )),
    }
}

/// Standard output and standard error of a successful command.
fn output(mut command: Command) -> std::result::Result<(String, String), String> {
    let output = command
        .output()
        .map_err(|error| format!("cargo: {error}"))?;
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() {
        Ok((stdout, stderr))
    } else {
        Err(stderr)
    }
}

/// The locked versions of the direct dependencies.
fn direct(metadata: &str) -> std::result::Result<Locked, String> {
    let metadata: Metadata =
        serde_json::from_str(metadata).map_err(|error| format!("cargo metadata: {error}"))?;
    let ours = |id: &String| metadata.workspace_members.contains(id);
    let nodes = metadata.resolve.nodes.iter().filter(|node| ours(&node.id));
    let dependencies: BTreeSet<&String> = nodes
        .flat_map(|node| &node.dependencies)
        .filter(|id| !ours(id))
        .collect();
    let packages = metadata
        .packages
        .iter()
        .filter(|package| dependencies.contains(&package.id));
    Ok(packages
        .map(|package| format!("{} v{}", package.name, package.version))
        .collect())
}

/// One line for each direct dependency for which `cargo update --dry-run --verbose` lists a newer version that our
/// Rust version can compile.
fn outdated(report: &str, direct: &Locked) -> Vec<String> {
    let newer = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["Updating" | "Unchanged", name, from, ..]
                if direct.contains(&format!("{name} {from}")) =>
            {
                let available =
                    after(&words, "(available:").filter(|_| !line.contains("requires Rust"));
                let to = available.or_else(|| after(&words, "->"))?;
                Some(format!(
                    "{name} {from} -> {}",
                    to.trim_end_matches([')', ','])
                ))
            }
            _ => None,
        }
    };
    report.lines().filter_map(newer).collect()
}

fn after<'a>(words: &[&'a str], mark: &str) -> Option<&'a str> {
    let position = words.iter().position(|word| *word == mark)?;
    words.get(position + 1).copied()
}

#[cfg(test)]
mod tests {
    use super::{direct, outdated};

    #[test]
    fn only_direct_dependencies_are_reported_with_their_newest_version() {
        let package = |name: &str, version: &str| {
            format!(r#"{{"id": "{name}", "name": "{name}", "version": "{version}"}}"#)
        };
        let names = [
            ("clap", "4.6.7"),
            ("jiff", "0.2.43"),
            ("mail", "0.11.9"),
            ("nix", "0.31.3"),
            ("toml", "1.3.0"),
        ];
        let packages = names
            .map(|(name, version)| package(name, version))
            .join(", ");
        let metadata = format!(
            r#"{{"packages": [{packages}, {}, {}], "workspace_members": ["review"], "resolve": {{"nodes": [
                {{"id": "review", "dependencies": ["review", "clap", "jiff", "mail", "nix", "toml"]}},
                {{"id": "clap", "dependencies": ["rand"]}}
            ]}}}}"#,
            package("review", "0.1.0"),
            package("rand", "0.9.5"),
        );
        let report = "    Updating crates.io index
     Locking 3 packages to latest Rust 1.95 compatible versions
    Updating clap v4.6.7 -> v4.6.9
    Updating idna_adapter v1.1.0 -> v1.2.2
    Updating nix v0.31.3 -> v0.31.4 (available: v0.32.0)
   Unchanged jiff v0.2.43 (available: v1.0.2)
   Unchanged jiff v0.1.2 (available: v1.0.2)
   Unchanged mail v0.11.9 (available: v1.0.1, requires Rust 1.98)
   Unchanged rand v0.9.5 (available: v0.10.4)
   Unchanged review v0.1.0 (available: v0.2.0)
      Adding toml v1.3.0
warning: not updating lockfile due to dry run
";
        let direct = direct(&metadata).unwrap();
        assert_eq!(
            outdated(report, &direct),
            [
                "clap v4.6.7 -> v4.6.9", "nix v0.31.3 -> v0.32.0", "jiff v0.2.43 -> v1.0.2"
            ]
        );
    }
}
