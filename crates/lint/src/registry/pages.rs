//! The rules as pages of Markdown (CommonMark), for the service and for files.

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
        "To suppress one finding, say why on its line or the line above: `hunkwise:ignore {} <reason>`.",
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

#[cfg(test)]
mod tests {
    use super::{index, page};
    use review::Category;

    use crate::registry::RuleSet;
    use crate::rule::Tests;

    #[test]
    fn rules_about_security_secrets_and_data_apply_to_test_code() {
        let is_serious = |category| {
            matches!(
                category,
                Category::Security | Category::SecretExposure | Category::DataIntegrity
            )
        };
        let skip = RuleSet::builtin()
            .rules()
            .iter()
            .filter(|rule| rule.tests == Tests::Skip);
        let wrong: Vec<&str> = skip
            .filter(|rule| is_serious(rule.category))
            .map(|rule| &*rule.id)
            .collect();
        assert!(
            wrong.is_empty(),
            "these rules must not skip test code: {wrong:?}"
        );
    }

    #[test]
    fn every_rule_has_a_page_and_an_index_entry() {
        let rules = RuleSet::builtin().rules();
        let list = index(rules, |rule| format!("/here/{}", rule.id));
        for rule in rules {
            assert!(
                list.contains(&format!("- [{0}](/here/{0}) ", rule.id)),
                "{}",
                rule.id
            );
            let page = page(rule);
            assert!(page.starts_with(&format!("# {}\n", rule.title)), "{page}");
            assert!(
                page.contains("Bad:\n\n```diff\n") && page.contains("Good:\n\n```diff\n"),
                "{page}"
            );
        }
    }
}
