//! YAML rules from a folder, which can be measured without compiling them in.

use std::fs;
use std::path::{Path, PathBuf};

use lint::RuleSet;
use lint::custom::RuleFile;

use crate::run;

/// The built-in rules and those in a folder and its subfolders.
pub(super) fn rules(folder: &Path) -> Result<RuleSet, String> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        Ok::<_, String>(RuleFile { name, text })
    };
    let files = paths.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    run::say(&format!(
        "{} rule files from {}",
        files.len(),
        folder.display()
    ));
    RuleSet::with_files(rules::catalog(), &files).map_err(|problems| {
        problems
            .iter()
            .map(|problem| format!("\n  {problem}"))
            .collect::<String>()
    })
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let error = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(error)? {
        let path = entry.map_err(error)?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yml" || extension == "yaml")
        {
            paths.push(path);
        }
    }
    Ok(())
}
