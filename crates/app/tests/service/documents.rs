//! Output of the binary about itself, and documents in the repository that must match it.

use crate::support::Place;

/// Checks that the document `name` of the repository equals the output of `command`.
fn is_up_to_date(name: &str, command: &[&str]) {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let printed = Place::new().run(command);
    assert_eq!(printed.status, 0, "{printed:?}");
    assert!(
        kept == printed.stdout,
        "docs/{name} is out of date: hunkwise {} > docs/{name}",
        command.join(" ")
    );
}

#[test]
fn the_openapi_document_is_up_to_date() {
    is_up_to_date("openapi.json", &["openapi"]);
}

#[test]
fn the_reference_of_the_settings_is_up_to_date() {
    is_up_to_date("settings.md", &["config", "--reference"]);
}

#[test]
fn completions_exist_for_all_shells() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.run(&["completions", shell]);
        assert_eq!(script.status, 0);
        assert!(
            script.stdout.contains("hunkwise") && script.stdout.contains("shutdown-grace"),
            "{shell}"
        );
    }
    assert!(
        place
            .refused(2, &["completions", "tcsh"])
            .contains("possible values")
    );
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let pages = place.path("man1");
    assert_eq!(place.run(&["man", pages.to_str().unwrap()]).status, 0);
    for name in ["hunkwise", "hunkwise-review", "hunkwise-admin-token-create"] {
        let page = std::fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
        assert!(
            page.contains(".SH NAME") && page.contains("Example"),
            "{name}"
        );
    }
    assert!(!pages.join("hunkwise-worker.1").exists());
}

#[test]
fn the_version_is_a_result_and_wrong_usage_is_not() {
    let place = Place::new();
    let version = place.run(&["--version"]);
    assert_eq!(
        (version.status, version.stdout),
        (
            0,
            concat!("hunkwise ", env!("CARGO_PKG_VERSION"), "\n").to_owned()
        )
    );
    let json: serde_json::Value =
        serde_json::from_str(&place.run(&["--version", "--json"]).stdout).unwrap();
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
    assert!(place.refused(2, &["--json"]).contains("--version"));
    assert!(
        place
            .refused(2, &["--color", "never"])
            .contains("a command is missing")
    );
    assert!(place.refused(2, &["srve"]).contains("'serve'"));
    assert!(place.refused(2, &["serve", "--exit"]).contains("--demo"));
    assert!(
        place
            .refused(2, &["serve", "--demo", "--database", "sqlite://x"])
            .contains("--database")
    );
}
