//! The rules' examples and texts.

use lint::{RuleSet, Tests, pages, scan, testing};
use review::Category;
use syntax::parse::Limits;

use crate::{built_in, catalog};

#[test]
fn rules_report_exactly_the_marked_lines() {
    let set = built_in();
    let failures: Vec<String> = set
        .rules()
        .iter()
        .flat_map(|info| testing::check(set, info))
        .collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn rules_have_short_titles_advice_and_two_examples_of_each_kind() {
    let mut faults = Vec::new();
    for rule in built_in().rules() {
        let checks = [
            (
                rule.title.chars().count() <= 60,
                "the title is longer than 60 characters",
            ),
            (!rule.why.trim().is_empty(), "`why` is empty"),
            (!rule.fix.trim().is_empty(), "`fix` is empty"),
            (
                rule.positive.len() >= 2,
                "there are fewer than two positive examples",
            ),
            (
                rule.negative.len() >= 2,
                "there are fewer than two negative examples",
            ),
        ];
        faults.extend(
            checks
                .iter()
                .filter(|(good, _)| !good)
                .map(|(_, what)| format!("{}: {what}", rule.id)),
        );
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_literal_prefilter_does_not_change_findings() {
    let set = built_in();
    let all = RuleSet::without_prefilter(catalog());
    let mut examples = 0;
    for info in set.rules() {
        for text in info.positive.iter().chain(&info.negative) {
            for file in testing::files(info, text).changed {
                examples += 1;
                let limits = Limits::default();
                let (with, without) = (scan(&file, set, &limits), scan(&file, &all, &limits));
                assert_eq!(with, without, "an example of {}:\n{text}", info.id);
            }
        }
    }
    assert!(examples > 1_000, "{examples}");
}

#[test]
fn rules_about_security_secrets_and_data_apply_to_test_code() {
    let is_serious = |category| {
        matches!(
            category,
            Category::Security | Category::SecretExposure | Category::DataIntegrity
        )
    };
    let skip = built_in()
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
    let rules = built_in().rules();
    let list = pages::index(rules, |rule| format!("/here/{}", rule.id));
    for rule in rules {
        assert!(
            list.contains(&format!("- [{0}](/here/{0}) ", rule.id)),
            "{}",
            rule.id
        );
        let page = pages::page(rule);
        assert!(page.starts_with(&format!("# {}\n", rule.title)), "{page}");
        assert!(
            page.contains("Bad:\n\n```diff\n") && page.contains("Good:\n\n```diff\n"),
            "{page}"
        );
    }
}
