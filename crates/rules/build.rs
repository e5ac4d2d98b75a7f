//! Writes the built-in YAML rules as JSON, without the texts that only their pages show. At run time, reading YAML and
//! compiling expressions with Unicode tables would take longer than a usual review.

#![expect(
    clippy::disallowed_methods,
    reason = "the environment is how cargo speaks to a build script"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

const RULES: &str = "src";
/// The properties that a review needs.
const NEEDED: [&str; 14] = [
    "id", "summary", "fix", "priority", "category", "tests", "report", "replace", "types",
    "versions", "rule", "constraints", "utils", "transform",
];
/// ASCII letters, digits and the underscore, and all characters beyond ASCII, which count as letters in a name.
const WORD: &str = r"0-9A-Za-z_\u{80}-\u{10FFFF}";

fn main() -> Result<(), Box<dyn Error>> {
    // A new rule in YAML also changes the list. Watching the folders would run this after each change of a rule in Rust.
    println!("cargo::rerun-if-changed={RULES}/lib.rs");
    let mut rules = BTreeMap::new();
    for file in files(Path::new(RULES))? {
        println!("cargo::rerun-if-changed={}", file.display());
        let text = fs::read_to_string(&file)?;
        let rule: Value = serde_saphyr::from_str(&text)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        let id = rule.get("id").and_then(Value::as_str).map(str::to_owned);
        let id = id.ok_or_else(|| format!("{}: no id", file.display()))?;
        rules.insert(id, compact(rule).to_string());
    }
    let rows: String = rules
        .iter()
        .map(|(id, json)| format!("    ({id:?}, {json:?}),\n"))
        .collect();
    let folder = env::var("OUT_DIR")?;
    fs::write(
        PathBuf::from(folder).join("compact_rules.rs"),
        format!("&[\n{rows}]\n"),
    )?;
    Ok(())
}

/// The YAML files in a folder and below it.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            all.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "yml") {
            all.push(path);
        }
    }
    Ok(all)
}

fn compact(mut rule: Value) -> Value {
    if let Value::Object(properties) = &mut rule {
        properties.retain(|name, _| NEEDED.contains(&name.as_str()));
        for name in ["rule", "constraints", "utils"] {
            properties.get_mut(name).into_iter().for_each(widen);
        }
    }
    rule
}

/// Widens the expressions of a rule.
fn widen(rule: &mut Value) {
    match rule {
        Value::Object(parts) => {
            for (name, part) in parts {
                match part {
                    Value::String(regex) if name == "regex" => *regex = widened(regex),
                    part => widen(part),
                }
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(widen),
        _ => {}
    }
}

/// An expression with classes of digits and of word characters that are a few ranges instead of Unicode's hundreds.
fn widened(regex: &str) -> String {
    // If case is ignored, a class with all of Unicode takes even longer.
    let ignores_case = regex.contains("(?i");
    let (mut out, mut depth, mut chars) = (String::new(), 0_usize, regex.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let escaped = chars.next().unwrap_or('\\');
                let class = match escaped {
                    'w' => format!("[{WORD}]"),
                    'W' => format!("[^{WORD}]"),
                    'd' => "[0-9]".to_owned(),
                    'D' => "[^0-9]".to_owned(),
                    _ => String::new(),
                };
                match (class.as_str(), ignores_case) {
                    ("", _) => out.extend(['\\', escaped]),
                    (_, false) => out.push_str(&class),
                    (_, true) if depth == 0 => out.extend(["(?-i:", &class, ")"]),
                    _ => out.extend(['\\', escaped]),
                }
                continue;
            }
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        out.push(c);
    }
    out
}
