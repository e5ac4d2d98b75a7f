//! The files that are made from the code: the rules' pages, the OpenAPI document and its page, the settings reference.

mod api;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lint::RuleInfo;
use review::Category;

use crate::run::{Result, cargo, root, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Change nothing, and fail if a file is not up to date.
    #[arg(long)]
    pub(crate) check: bool,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut files = of_rules()?;
    let openapi = output_of(&["openapi"])?;
    let document = serde_json::from_str(&openapi).map_err(|error| format!("hunkwise openapi: {error}"))?;
    files.insert(PathBuf::from("docs/api.md"), api::page(&document));
    files.insert(PathBuf::from("docs/openapi.json"), openapi);
    files.insert(PathBuf::from("docs/settings.md"), output_of(&["config", "--reference"])?);
    let stale = stale(&files)?;
    if args.check {
        let names: Vec<_> = stale.iter().map(|path| path.display().to_string()).collect();
        return if names.is_empty() {
            Ok(())
        } else {
            Err(format!("not up to date, run cargo xtask codegen: {}", names.join(", ")))
        };
    }
    for path in &stale {
        match files.get(path) {
            Some(text) => write(&root().join(path), text)?,
            None => std::fs::remove_file(root().join(path)).map_err(|error| error.to_string())?,
        }
        say(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// What is made from the rules alone.
fn of_rules() -> std::result::Result<BTreeMap<PathBuf, String>, String> {
    let mut files = rule_pages();
    files.extend(crate::secrets::files()?);
    Ok(files)
}

/// Files that are not as they should be, and pages of rules that are no more.
fn stale(files: &BTreeMap<PathBuf, String>) -> std::result::Result<BTreeSet<PathBuf>, String> {
    let mut stale = left_over(files)?;
    for (path, text) in files {
        if std::fs::read_to_string(root().join(path)).ok().as_ref() != Some(text) {
            stale.insert(path.clone());
        }
    }
    Ok(stale)
}

fn write(path: &Path, text: &str) -> Result {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What the program itself prints.
fn output_of(words: &[&str]) -> std::result::Result<String, String> {
    let mut command = cargo(&["run", "--quiet", "--package", "hunkwise", "--"]);
    let output = command.args(words).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("hunkwise {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Pages of rules that are no more.
fn left_over(files: &BTreeMap<PathBuf, String>) -> std::result::Result<BTreeSet<PathBuf>, String> {
    let mut found = BTreeSet::new();
    let mut open = vec![PathBuf::from("docs/rules")];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(root().join(&folder)) else { continue };
        for entry in entries {
            let entry = entry.map_err(|error| error.to_string())?;
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else if !files.contains_key(&path) {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

fn rule_pages() -> BTreeMap<PathBuf, String> {
    let rules = lint::RuleSet::builtin().rules();
    let mut pages: BTreeMap<PathBuf, String> =
        rules.iter().map(|rule| (PathBuf::from(format!("docs/rules/{}.md", rule.id)), page(rule))).collect();
    pages.insert(PathBuf::from("docs/rules/README.md"), index(rules));
    pages
}

fn page(rule: &RuleInfo) -> String {
    let mut out = format!("# {}\n\n`{}` · {}\n\n", rule.title, rule.id, facts(rule));
    let _ = writeln!(out, "{}\n\n**What to do.** {}\n", rule.why, rule.fix);
    let _ = writeln!(
        out,
        "Bad:\n\n```diff\n{}\n```\n\nGood:\n\n```diff\n{}\n```\n",
        rule.bad_example().trim_end(),
        rule.good_example().trim_end()
    );
    let _ = writeln!(
        out,
        "To suppress one finding, say why on its line or the line above: `hunkwise:ignore {} <reason>`.",
        rule.id
    );
    out
}

fn facts(rule: &RuleInfo) -> String {
    let languages = if rule.languages.is_empty() { "every language".to_owned() } else { rule.languages.join(", ") };
    let tests = if rule.tests == lint::Tests::Skip { " · not in tests" } else { "" };
    format!(
        "{} · {} · {} rule · {languages} · confidence {:.0} %{tests}",
        rule.priority,
        rule.category,
        rule.kind,
        rule.confidence * 100.0
    )
}

fn index(rules: &[RuleInfo]) -> String {
    let mut out = format!(
        "# Rules\n\n{} rules, made from `crates/lint/src/rules`. `hunkwise rules explain ID` shows the same.\n",
        rules.len()
    );
    out.push_str("\n## By language\n");
    let mut folders: BTreeMap<&str, Vec<&RuleInfo>> = BTreeMap::new();
    for rule in rules {
        folders.entry(rule.id.split('/').next().unwrap_or_default()).or_default().push(rule);
    }
    for (folder, rules) in folders {
        let _ = writeln!(out, "\n### {folder}\n");
        for rule in rules {
            let _ = writeln!(out, "- [{}]({}.md) {} – {}", rule.id, rule.id, rule.priority, rule.title);
        }
    }
    out.push_str("\n## By category\n");
    for category in Category::ALL {
        let rules: Vec<_> = rules.iter().filter(|rule| rule.category == *category).collect();
        if !rules.is_empty() {
            let links: Vec<_> = rules.iter().map(|rule| format!("[{}]({}.md)", rule.id, rule.id)).collect();
            let _ = writeln!(out, "\n### {category}\n\n{}", links.join(", "));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// The other generated files are tested by `server` and `hunkwise`, which make them.
    #[test]
    fn what_is_made_from_the_rules_is_up_to_date() {
        let stale = super::stale(&super::of_rules().unwrap()).unwrap();
        assert_eq!(stale, BTreeSet::new(), "run cargo xtask codegen");
    }
}
