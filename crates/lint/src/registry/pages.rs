//! The rules as pages of Markdown (CommonMark), for the service and for files.
//!
//! They are made on demand: the service shows them at `/docs/rules` as HTML, `hunkwise rules export` writes them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use review::Category;

use crate::rule::{RuleInfo, Tests, reference_url};

/// A rule's page.
#[must_use]
pub fn page(rule: &RuleInfo) -> String {
    let mut out = format!("# {}\n\n`{}` · {}\n\n", rule.title, rule.id, facts(rule));
    let _ = writeln!(out, "{}\n\n**What to do.** {}\n", rule.why, rule.fix);
    let _ = writeln!(
        out,
        "Bad:\n\n```diff\n{}\n```\n\nGood:\n\n```diff\n{}\n```\n",
        rule.bad_example().trim_end(),
        rule.good_example().trim_end()
    );
    let link = |text: &String| format!("[{text}]({})", reference_url(text));
    if !rule.references.is_empty() {
        let _ = writeln!(
            out,
            "References: {}.\n",
            rule.references
                .iter()
                .map(link)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let _ = writeln!(
        out,
        "To suppress a finding, add a comment with a reason on its line or the line above: `hunkwise:ignore {} <reason>`.",
        rule.id
    );
    out
}

fn facts(rule: &RuleInfo) -> String {
    let languages = if rule.languages.is_empty() {
        "every language".to_owned()
    } else {
        rule.languages.join(", ")
    };
    let tests = if rule.tests == Tests::Skip {
        " · not in tests"
    } else {
        ""
    };
    format!(
        "{} · {} · {} rule · {languages} · confidence {:.0} %{tests}",
        rule.priority,
        rule.category,
        rule.kind,
        rule.confidence * 100.0
    )
}

/// The index of all rules, by language and by category. `link` returns the address of a rule's page.
#[must_use]
pub fn index(rules: &[RuleInfo], link: impl Fn(&RuleInfo) -> String) -> String {
    let mut out = format!(
        "# Rules\n\n{} rules. `hunkwise rules explain ID` shows the same in the terminal.\n",
        rules.len()
    );
    out.push_str("\n## By language\n");
    let mut folders: BTreeMap<&str, Vec<&RuleInfo>> = BTreeMap::new();
    for rule in rules {
        folders
            .entry(rule.id.split('/').next().unwrap_or_default())
            .or_default()
            .push(rule);
    }
    for (folder, rules) in folders {
        let _ = writeln!(out, "\n### {folder}\n");
        for rule in rules {
            let _ = writeln!(
                out,
                "- [{}]({}) {} – {}",
                rule.id,
                link(rule),
                rule.priority,
                rule.title
            );
        }
    }
    out.push_str("\n## By category\n");
    for category in Category::ALL {
        let rules: Vec<_> = rules
            .iter()
            .filter(|rule| rule.category == *category)
            .collect();
        if !rules.is_empty() {
            let links: Vec<_> = rules
                .iter()
                .map(|rule| format!("[{}]({})", rule.id, link(rule)))
                .collect();
            let _ = writeln!(out, "\n### {category}\n\n{}", links.join(", "));
        }
    }
    out
}
