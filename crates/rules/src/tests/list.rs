//! The list of rules, and the data about them.

use std::collections::HashSet;

use lint::{Source, testing};
use review::Language;

use crate::{SOURCES, built_in, catalog};

#[test]
fn yaml_rules_compile_and_have_equivalent_compact_forms() {
    assert_eq!(testing::check_catalog(catalog()), Vec::<String>::new());
}

#[test]
fn the_evidence_is_in_order() {
    let rules = catalog().evidence.rules;
    assert!(rules.is_sorted_by(|a, b| a.id < b.id));
}

#[test]
fn rules_do_not_state_their_own_confidence() {
    let says = |source: &&Source| matches!(source, Source::Data(_, _, text) if text.contains("\nconfidence:"));
    assert_eq!(
        SOURCES
            .iter()
            .filter(says)
            .map(Source::id)
            .collect::<Vec<_>>(),
        Vec::<&str>::new()
    );
}

#[test]
fn rules_have_unique_ids_that_name_their_folder_and_languages_of_it() {
    let set = built_in();
    let ids: HashSet<&str> = set.rules().iter().map(|info| info.id.as_str()).collect();
    assert_eq!(
        (ids.len(), set.rules().len()),
        (SOURCES.len(), SOURCES.len())
    );
    for source in SOURCES {
        let (folder, id) = (source.folder(), source.id());
        let info = set
            .find(id)
            .unwrap_or_else(|| panic!("the file of {id} has another id"));
        assert_eq!(id.split('/').next(), Some(folder), "{id}");
        let allowed: Vec<&str> = source.languages().collect();
        assert!(
            info.languages
                .iter()
                .all(|name| allowed.contains(&name.as_str())),
            "{id}: {:?}",
            info.languages
        );
        assert!(
            folder == "any" || !info.languages.is_empty(),
            "{id}: no languages"
        );
    }
}

#[test]
fn removed_rules_do_not_exist_and_are_listed_once() {
    let ids: Vec<&str> = catalog().removed_ids().collect();
    assert!(ids.is_sorted_by(|a, b| a < b));
    let returned = catalog().ids().filter(|id| ids.contains(id));
    assert_eq!(returned.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn former_ids_are_sorted_and_refer_to_existing_rules() {
    let former: Vec<&str> = catalog().renamed.pairs().map(|(id, _)| id).collect();
    assert!(former.is_sorted_by(|a, b| a < b), "{former:?}");
    for (id, current) in catalog().renamed.pairs() {
        assert!(catalog().ids().any(|known| known == current), "{current}");
        assert!(catalog().ids().all(|known| known != id), "{id}");
        assert!(catalog().removed_ids().all(|removed| removed != id), "{id}");
    }
}

#[test]
fn a_former_id_applies_only_to_its_own_language() {
    let ids = |language: &str| {
        let language = Language::find(language).unwrap();
        catalog()
            .former_ids("any/sql-injection", Some(language))
            .collect::<Vec<_>>()
    };
    assert_eq!(ids("Python"), ["python/sql-text-with-value"]);
    assert_eq!(ids("Go"), Vec::<&str>::new());
    assert_eq!(
        catalog().current_id("python/sql-text-with-value"),
        Some("any/sql-injection")
    );
    assert_eq!(catalog().current_id("any/sql-injection"), None);
}
