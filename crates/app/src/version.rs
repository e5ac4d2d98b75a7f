//! `hunkwise --version --json`: identifies this binary, for bug reports and for pinning the rules of a gate.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lint::{RuleSet, pages};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

#[derive(Debug, Serialize)]
struct Version {
    version: &'static str,
    /// Absent if the sources were not in a git repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'static str>,
    target: &'static str,
    rules: Rules,
    /// The grammar crates with their versions.
    grammars: BTreeMap<&'static str, &'static str>,
}

#[derive(Debug, Serialize)]
struct Rules {
    count: usize,
    /// SHA-256 of all rules as `hunkwise rules export` writes them: two binaries with the same value describe the same rules.
    sha256: String,
}

/// The version on one line.
pub(crate) fn line() -> String {
    format!("hunkwise {}\n", env!("CARGO_PKG_VERSION"))
}

/// The version and what it was built from, as one JSON object on one line.
pub(crate) fn json() -> serde_json::Result<String> {
    let grammars = env!("BUILD_GRAMMARS")
        .split(' ')
        .filter_map(|grammar| grammar.split_once('='));
    let version = Version {
        version: env!("CARGO_PKG_VERSION"),
        commit: Some(env!("BUILD_COMMIT")).filter(|commit| !commit.is_empty()),
        target: env!("BUILD_TARGET"),
        rules: rules(rules::built_in()),
        grammars: grammars.collect(),
    };
    Ok(serde_json::to_string(&version)? + "\n")
}

fn rules(set: &RuleSet) -> Rules {
    let mut pages: Vec<String> = set.rules().iter().map(pages::page).collect();
    pages.sort_unstable();
    let mut digest = Sha256::new();
    pages.iter().for_each(|page| digest.update(page));
    let mut sha256 = String::with_capacity(64);
    for byte in digest.finalize() {
        let _infallible = write!(sha256, "{byte:02x}");
    }
    Rules {
        count: pages.len(),
        sha256,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    #[test]
    fn the_json_names_rules_grammars_and_the_commit_it_was_built_from() {
        let value: Value = serde_json::from_str(&super::json().unwrap()).unwrap();
        assert_eq!(value["version"], env!("CARGO_PKG_VERSION"));
        assert!(value["rules"]["count"].as_u64().unwrap() > 100);
        assert_eq!(value["rules"]["sha256"].as_str().unwrap().len(), 64);
        assert!(
            value["grammars"]["tree-sitter-python"]
                .as_str()
                .unwrap()
                .starts_with("0.")
        );
        assert!(
            value["commit"]
                .as_str()
                .is_none_or(|commit| commit.len() == 40),
            "{value}"
        );
    }
}
