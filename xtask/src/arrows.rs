//! Allowed dependencies between crates: the table of ARCHITECTURE.md, checked against `cargo metadata`.

use std::collections::BTreeSet;
use std::process::Command;

/// For each crate, the workspace crates that it may depend on outside its tests.
const ALLOWED: &[(&str, &[&str])] = &[
    ("review", &[]),
    ("syntax", &["review"]),
    ("impact", &["review", "syntax"]),
    ("lint", &["review", "syntax", "impact"]),
    ("rules", &["review", "syntax", "impact", "lint"]),
    ("llm", &["review"]),
    ("store", &[]),
    ("fair", &[]),
    ("mcp", &["review"]),
    ("address", &[]),
    ("forge", &["review", "address"]),
    ("git", &["review", "syntax"]),
    (
        "worker",
        &["review", "syntax", "impact", "lint", "rules", "fair"],
    ),
    ("server", &["review", "store", "fair", "mcp"]),
    (
        "settings",
        &[
            "review", "syntax", "llm", "store", "server", "address", "worker",
        ],
    ),
    (
        "hunkwise",
        &[
            "review", "syntax", "lint", "rules", "llm", "store", "fair", "mcp", "server",
            "address", "forge", "git", "worker", "settings",
        ],
    ),
    ("xtask", &["review", "syntax", "lint", "rules", "llm"]),
    ("fuzz", &["review", "syntax", "lint", "rules"]),
];

/// The only crates that may use certain libraries.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("sqlx", &["store"]),
    ("seccompiler", &["worker"]),
    ("landlock", &["worker"]),
    ("reqwest", &["hunkwise", "llm", "forge"]),
    ("gen-lsp-types", &["hunkwise"]),
    ("ring", &["server"]),
    ("tree-sitter", &["syntax", "lint"]),
    ("ast-grep-core", &["syntax", "lint"]),
    ("ast-grep-config", &["lint"]),
    ("diffy", &["review", "hunkwise"]),
    ("axum", &["server"]),
    ("clap", &["hunkwise", "xtask"]),
    (
        "tokio",
        &[
            "server", "hunkwise", "store", "llm", "fair", "forge", "git", "worker", "xtask",
        ],
    ),
];

/// Crates without I/O, which must not depend on any of the crates below.
const PURE: &[&str] = &[
    "review", "syntax", "impact", "lint", "rules", "mcp", "address",
];
const IMPURE: &[&str] = &[
    "tokio", "reqwest", "hyper", "sqlx", "tempfile", "rustix", "getrandom", "jiff",
];

fn packages() -> Vec<(String, Vec<(String, bool)>)> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata", "--format-version", "1", "--no-deps", "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let dependency = |d: &serde_json::Value| (text(&d["name"]), d["kind"].as_str() == Some("dev"));
    let package = |p: &serde_json::Value| {
        (
            text(&p["name"]),
            p["dependencies"]
                .as_array()
                .unwrap()
                .iter()
                .map(dependency)
                .collect(),
        )
    };
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(package)
        .collect()
}

#[test]
fn crates_have_only_allowed_dependencies() {
    let ours: BTreeSet<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    let packages = packages();
    assert_eq!(
        packages
            .iter()
            .map(|(name, _)| name.as_str())
            .collect::<BTreeSet<_>>(),
        ours,
        "list every crate"
    );
    for (name, dependencies) in &packages {
        let (_, allowed) = ALLOWED
            .iter()
            .find(|(crate_name, _)| crate_name == name)
            .unwrap();
        for (dependency, dev) in dependencies {
            let may = *dev
                || !ours.contains(dependency.as_str())
                || allowed.contains(&dependency.as_str());
            assert!(may, "{name} may not depend on {dependency}");
            let only = ONLY_IN.iter().find(|(library, _)| library == dependency);
            let may = *dev || only.is_none_or(|(_, crates)| crates.contains(&name.as_str()));
            assert!(
                may,
                "{dependency} is allowed only in {:?}, not in {name}",
                only.unwrap().1
            );
            let pure = PURE.contains(&name.as_str()) && !dev;
            assert!(
                !pure || !IMPURE.contains(&dependency.as_str()),
                "{name} does no I/O and must not depend on {dependency}"
            );
        }
    }
}
