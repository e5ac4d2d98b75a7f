//! Every rule's own examples, repeated as often as a diff can hold them.

use lint::RuleInfo;

use super::case::{Case, Diff, times};

/// Beyond one chunk, which is what a worker gets, costs are additive.
const LARGEST: usize = 256 << 10;

/// A case for each rule: its examples, each in its own file.
pub(super) fn cases() -> Result<Vec<Case>, String> {
    let suffixes = super::elements::suffixes()?;
    let suffix = |rule: &RuleInfo| {
        rule.languages
            .iter()
            .find_map(|name| suffixes.get(name))
            .cloned()
    };
    Ok(rules::built_in()
        .rules()
        .iter()
        .map(|rule| case(rule, suffix(rule).unwrap_or_else(|| "py".to_owned())))
        .collect())
}

fn case(rule: &RuleInfo, suffix: String) -> Case {
    let examples: Vec<String> = rule
        .positive
        .iter()
        .take(3)
        .chain(rule.negative.iter().take(1))
        .cloned()
        .collect();
    Case::new(format!("rule/{}", rule.id), move |bytes| {
        let mut diff = Diff::default();
        for (number, example) in examples.iter().enumerate() {
            for (path, lines) in files(example) {
                let path = path.map_or_else(|| format!("src/a.{suffix}"), str::to_owned);
                let size = lines
                    .iter()
                    .map(|line| line.len() + 1)
                    .sum::<usize>()
                    .max(1);
                let count = bytes / examples.len().max(1) / size + 1;
                diff = diff.file(&format!("{number}/{path}"), &times(&lines, count));
            }
        }
        diff.text()
    })
    .up_to(LARGEST)
}

/// The files of an example: their paths, if specified, and all their lines, without marks and headings.
fn files(example: &str) -> Vec<(Option<&str>, Vec<String>)> {
    let mut files: Vec<(Option<&str>, Vec<String>)> = Vec::new();
    for line in example.lines() {
        if let Some(path) = line.strip_prefix("path:") {
            files.push((Some(path.trim()), Vec::new()));
        } else if !line.starts_with(['^', '@']) {
            if files.is_empty() {
                files.push((None, Vec::new()));
            }
            let line = if line.is_empty() { " " } else { line };
            if let Some((_, lines)) = files.last_mut() {
                lines.push(line.to_owned());
            }
        }
    }
    files.retain(|(_, lines)| !lines.is_empty());
    files
}
