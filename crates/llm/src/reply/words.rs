//! Interprets the words that models use for priorities, categories and evidence.

use review::{Category, Priority};

/// The code that a finding depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// On lines that are shown.
    Shown,
    /// On code that is not shown.
    Depends,
}

const PRIORITIES: &[(&str, Priority)] = &[
    ("critical", Priority::P0),
    ("crit", Priority::P0),
    ("blocker", Priority::P0),
    ("blocking", Priority::P0),
    ("fatal", Priority::P0),
    ("severe", Priority::P0),
    ("urgent", Priority::P0),
    ("highest", Priority::P0),
    ("0", Priority::P0),
    ("high", Priority::P1),
    ("major", Priority::P1),
    ("error", Priority::P1),
    ("important", Priority::P1),
    ("1", Priority::P1),
    ("medium", Priority::P2),
    ("moderate", Priority::P2),
    ("warning", Priority::P2),
    ("2", Priority::P2),
    ("low", Priority::P3),
    ("lowest", Priority::P3),
    ("minor", Priority::P3),
    ("trivial", Priority::P3),
    ("info", Priority::P3),
    ("informational", Priority::P3),
    ("note", Priority::P3),
    ("nit", Priority::P3),
    ("suggestion", Priority::P3),
    ("p4", Priority::P3),
    ("3", Priority::P3),
];

/// Word prefixes that indicate a category. The first match in this order decides, so the more specific ones come first.
const CATEGORIES: &[(&str, Category)] = &[
    ("secret", Category::SecretExposure),
    ("credential", Category::SecretExposure),
    ("password", Category::SecretExposure),
    ("secur", Category::Security),
    ("vuln", Category::Security),
    ("inject", Category::Security),
    ("sqli", Category::Security),
    ("xss", Category::Security),
    ("csrf", Category::Security),
    ("ssrf", Category::Security),
    ("auth", Category::Security),
    ("crypt", Category::Security),
    ("null", Category::NullSafety),
    ("nil", Category::NullSafety),
    ("npe", Category::NullSafety),
    ("undefined", Category::NullSafety),
    ("concurr", Category::Concurrency),
    ("race", Category::Concurrency),
    ("deadlock", Category::Concurrency),
    ("thread", Category::Concurrency),
    ("async", Category::Concurrency),
    ("sync", Category::Concurrency),
    ("leak", Category::ResourceLeak),
    ("resource", Category::ResourceLeak),
    ("memory", Category::ResourceLeak),
    ("logic", Category::LogicBug),
    ("exception", Category::ErrorHandling),
    ("error", Category::ErrorHandling),
    ("integrity", Category::DataIntegrity),
    ("corrupt", Category::DataIntegrity),
    ("data", Category::DataIntegrity),
    ("api", Category::ApiCompatibility),
    ("compat", Category::ApiCompatibility),
    ("break", Category::ApiCompatibility),
    ("perf", Category::Performance),
    ("effic", Category::Performance),
    ("ineffic", Category::Performance),
    ("slow", Category::Performance),
    ("complexity", Category::Performance),
    ("config", Category::Configuration),
    ("build", Category::Configuration),
    ("deploy", Category::Configuration),
    ("depend", Category::Configuration),
    ("test", Category::Testing),
    ("maintain", Category::Maintainability),
    ("style", Category::Maintainability),
    ("readab", Category::Maintainability),
    ("naming", Category::Maintainability),
    ("doc", Category::Maintainability),
    ("duplicat", Category::Maintainability),
    ("quality", Category::Maintainability),
];

/// Reads `P1 - serious`, `High` or `blocker`. Anything unknown is P2.
pub(super) fn priority(text: &str) -> Priority {
    let words = words(text);
    let exact = words.iter().find_map(|word| word.parse().ok());
    exact
        .or_else(|| words.iter().find_map(|word| of(PRIORITIES, word)))
        .unwrap_or(Priority::P2)
}

/// The closest category, by name or by synonym. Anything unknown is a logic bug, like most findings.
pub(super) fn category(text: &str) -> Category {
    let words = words(text);
    let name = words.concat();
    let exact = Category::ALL.iter().find(|category| {
        category
            .as_str()
            .replace('_', "")
            .eq_ignore_ascii_case(&name)
    });
    let telling = || {
        CATEGORIES
            .iter()
            .find(|(start, _)| words.iter().any(|word| word.starts_with(start)))
    };
    exact
        .copied()
        .or_else(|| telling().map(|(_, category)| *category))
        .unwrap_or(Category::LogicBug)
}

/// Reads what a finding depends on. If it mentions no other code, it counts as shown; the evidence stage checks its
/// names.
/// Whether a text states that there is nothing.
pub(super) fn is_nothing(text: &str) -> bool {
    let word = text.trim().trim_matches(['.', '[', ']', '"', '-']);
    ["", "none", "nothing", "n/a", "null"].contains(&word.to_lowercase().as_str())
}

pub(super) fn evidence(text: &str) -> Evidence {
    let elsewhere = |word: &String| {
        ["depend", "unseen", "hidden", "assum"]
            .iter()
            .any(|start| word.starts_with(start))
    };
    if words(text).iter().any(elsewhere) || text.to_lowercase().contains("not shown") {
        return Evidence::Depends;
    }
    Evidence::Shown
}

/// The words of a text in lower case. A capital after a lower-case letter begins a new word.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for c in text.chars().take(200) {
        if !c.is_alphanumeric() || was_small && c.is_uppercase() {
            words.push(String::new());
        }
        was_small = c.is_lowercase();
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn of<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table
        .iter()
        .find(|(known, _)| *known == word)
        .map(|(_, meaning)| *meaning)
}
