//! Checks that the two forms of each rule written in YAML agree: its file, and the compact form that a review reads.

use syntax::language::Grammar;

use crate::registry::{Catalog, RuleSet};
use crate::rule::yaml::Document;

/// Checks the rules of a catalog that are written in YAML: their files can be read and compiled for each of their
/// languages, their patterns are parsed alone as in a function body, and their compact forms are equivalent. Returns
/// one text per failure.
#[must_use]
pub fn check_catalog(catalog: &'static Catalog) -> Vec<String> {
    let mut failures = Vec::new();
    let mut count = 0;
    for source in catalog.sources {
        match source.document() {
            Err(error) => failures.push(format!("{}: {error}", source.id())),
            Ok(None) => {}
            Ok(Some(document)) => {
                count += 1;
                failures.extend(check_compact(catalog, &document));
                failures.extend(check_patterns(&document));
            }
        }
    }
    if count != catalog.compact.len() {
        let compact = catalog.compact.len();
        failures.push(format!(
            "{count} rules in YAML have {compact} compact forms"
        ));
    }
    let set = RuleSet::new(catalog);
    failures
        .extend(Grammar::all().flat_map(|grammar| set.compiled(Some(grammar)).problems(grammar)));
    failures
}

fn check_compact(catalog: &Catalog, document: &Document) -> Option<String> {
    let Some(compact) = catalog.compact_document(&document.id) else {
        return Some(format!("{}: its compact form cannot be read", document.id));
    };
    (!document.is_same_as(&compact)).then(|| format!("{}: its compact form differs", document.id))
}

/// Patterns that are parsed differently in the body of a function than alone, or not at all.
fn check_patterns(document: &Document) -> Vec<String> {
    Grammar::all()
        .filter(|grammar| document.is_for(*grammar))
        .flat_map(|grammar| {
            let wrong = document.patterns_unlike_alone(grammar);
            wrong.into_iter().map(move |pattern| (grammar, pattern))
        })
        .map(|(grammar, pattern)| {
            format!(
                "{}: {}: {pattern} is parsed differently alone than in a body",
                document.id,
                grammar.name()
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Catalog, check_catalog};
    use crate::rule::Source;

    const FILE: &str = "id: python/call\nlanguages: [Python]\ntitle: Call\nsummary: Called.\npriority: P2\n\
                        category: LOGIC_BUG\nrule:\n  pattern: f($A)\n";
    const COMPACT: &str = r#"{"id":"python/call","summary":"Called.","priority":"P2","category":"LOGIC_BUG","rule":{"pattern":"f($A)"}}"#;

    /// The failures of a catalog with one rule.
    macro_rules! failures {
        ($file:expr, $compact:expr) => {{
            static SOURCES: &[Source] = &[Source::Data("python", "python/call", $file)];
            static CATALOG: Catalog = Catalog {
                sources: SOURCES,
                compact: &[("python/call", $compact)],
                ..Catalog::EMPTY
            };
            check_catalog(&CATALOG)
        }};
    }

    #[test]
    fn a_rule_needs_an_equivalent_compact_form() {
        assert_eq!(failures!(FILE, COMPACT), Vec::<String>::new());
        assert_eq!(
            failures!(FILE, "{}"),
            ["python/call: its compact form cannot be read"]
        );
        const OTHER: &str = r#"{"id":"python/call","summary":"Called.","priority":"P1","category":"LOGIC_BUG","rule":{"pattern":"f($A)"}}"#;
        assert_eq!(
            failures!(FILE, OTHER),
            ["python/call: its compact form differs"]
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_a_failure() {
        let found = failures!("id: python/call\n", COMPACT);
        assert!(found[0].starts_with("python/call: "), "{found:?}");
    }
}
