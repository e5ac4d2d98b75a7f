//! The wording of the prompts.

use std::sync::LazyLock;

use review::Category;

pub(super) const SYSTEM: &str = include_str!("../prompts/system.md");
pub(crate) const FINDER: &str = include_str!("../prompts/finder.md");
const PLAIN: &str = include_str!("../prompts/plain.md");
pub(super) const SELECTOR: &str = include_str!("../prompts/selector.md");
pub(super) const FALSIFY: &str = include_str!("../prompts/falsify.md");
pub(super) const REPAIR: &str = include_str!("../prompts/repair.md");
pub(super) const REST: &str = include_str!("../prompts/rest.md");
pub(super) const PASTED: &str = "Review this diff and report the defects in it. Answer with a JSON object: {\"findings\": \
                                 [{\"file\": \"…\", \"line\": 42, \"comment\": \"…\"}]}.\n\n";

/// What the items of knowledge begin with.
const KNOWLEDGE: &str = "\nOften wrong with what is added here, among much else, and when it is not:\n";

/// All that no finding may quote.
pub(super) const ALL: &[&str] = &[SYSTEM, FINDER, PLAIN, SELECTOR, FALSIFY];

static CATEGORIES: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<String> = Category::ALL.iter().map(|category| format!("`{category}`")).collect();
    names.join(", ")
});

/// The task of a finder, with the direction that it looks in, and items of knowledge that fit the change.
pub(super) fn finder(focus: &str, items: &str) -> String {
    let knowledge = if items.is_empty() { String::new() } else { format!("{KNOWLEDGE}{items}") };
    FINDER.replace("{{categories}}", &CATEGORIES).replace("{{focus}}", focus).replace("{{knowledge}}", &knowledge)
}

/// The same in short, without coverage as its aim.
pub(super) fn plain() -> String {
    PLAIN.replace("{{categories}}", &CATEGORIES)
}

/// What a further finder looks for beside all else. The first has no direction of its own.
pub(super) const FOCUSES: [&str; 4] = [
    "",
    "\nLook at it from outside first: what breaks for callers, users, stored data and running deployments.\n",
    "\nLook at what is gone first: each removed line, check and call, and what it was there for.\n",
    "\nLook at the paths beside the main one first: errors, empty and extreme values, retries, two at the same time.\n",
];
