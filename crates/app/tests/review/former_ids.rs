//! Former IDs of merged rules: suppressions, configurations and baselines with them still work.

use std::fs;

use review::fingerprint;

use crate::support::{Folder, Run};

const PYTHON: &str = "    return cursor.execute(f\"SELECT id FROM users WHERE name = '{name}'\")\n";
const FORMER: &str = "python/sql-text-with-value";
const CURRENT: &str = "any/sql-injection";

/// A repository with an SQL injection in Python and another in Go, not committed.
fn folder(comment: &str) -> Folder {
    let folder = Folder::repository(&[("a.py", "import os\n"), ("a.go", "package a\n")]);
    folder.write(
        "a.py",
        format!("import os\n\ndef find(cursor, name):\n{comment}{PYTHON}"),
    );
    folder.write(
        "a.go",
        "package a\n\nfunc find(db *sql.DB, name string) {\n\tdb.Query(\"SELECT id FROM users WHERE name = '\" + name + \"'\")\n}\n",
    );
    folder
}

/// The files with a finding of the current rule, except those in the baseline.
fn files(run: &Run) -> Vec<String> {
    let body = run.json();
    let of = |finding: &serde_json::Value| {
        let is_new = finding["ruleId"] == CURRENT && finding["baselineState"] != "UNCHANGED";
        is_new.then(|| finding["filePath"].as_str().unwrap().to_owned())
    };
    body["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(of)
        .collect()
}

#[test]
fn a_suppression_with_a_former_id_applies() {
    let run = folder(&format!(
        "    # hunkwise:ignore {FORMER} the name is a constant\n"
    ))
    .review(&[]);
    assert_eq!(
        run.json()["metadata"]["suppressedFindings"][0]["finding"]["ruleId"],
        CURRENT,
        "{run:?}"
    );
    assert_eq!(files(&run), ["a.go"]);
    assert!(
        !run.stdout.contains("SUPPRESSION_INEFFECTIVE"),
        "{}",
        run.stdout
    );
}

#[test]
fn a_configuration_with_a_former_id_applies_to_its_language() {
    let folder = folder("");
    folder.write(
        ".hunkwise.toml",
        format!("[rules]\n\"{FORMER}\" = \"off\"\n"),
    );
    let run = folder.review(&[]);
    assert_eq!(files(&run), ["a.go"], "{run:?}");
    let note = format!("the rule {FORMER} is now part of {CURRENT}; use that name");
    assert!(run.stderr.contains(&note), "{}", run.stderr);
    folder.write(".hunkwise.toml", "[rules]\n\"python/*\" = \"off\"\n");
    assert_eq!(
        files(&folder.review(&[])),
        ["a.go", "a.py"],
        "a pattern matches only current names"
    );
}

#[test]
fn a_baseline_with_a_former_id_matches_the_finding() {
    let folder = folder("");
    let known = fingerprint(FORMER, "a.py", PYTHON.trim_end());
    let entry = format!("{{\"path\":\"a.py\",\"rule\":\"{FORMER}\",\"fingerprint\":\"{known}\"}}");
    fs::write(
        folder.path().join("known.json"),
        format!("{{\"version\": 1, \"findings\": [{entry}]}}"),
    )
    .unwrap();
    assert_eq!(
        files(&folder.review(&["--baseline", "known.json"])),
        ["a.go"]
    );
    assert_eq!(files(&folder.review(&[])), ["a.go", "a.py"]);
}

#[test]
fn explain_leads_from_a_former_id_to_the_rule() {
    let run = Folder::new().hunkwise(&["rules", "explain", FORMER]);
    assert_eq!(
        (run.status, run.stdout.starts_with(CURRENT)),
        (0, true),
        "{run:?}"
    );
    assert!(
        run.stderr
            .contains(&format!("{FORMER} is now part of {CURRENT}")),
        "{}",
        run.stderr
    );
}
