//! The wording of the prompts.

use std::sync::LazyLock;

use review::Category;

pub(super) const SYSTEM: &str = include_str!("../prompts/system.md");
pub(crate) const FINDER: &str = include_str!("../prompts/finder.md");
const PLAIN: &str = include_str!("../prompts/plain.md");
const LOOK_UP: &str = include_str!("../prompts/look_up.md");
pub(super) const REPAIR: &str = include_str!("../prompts/repair.md");
pub(super) const REST: &str = include_str!("../prompts/rest.md");
pub(super) const PASTED: &str = "Review this diff and report the defects in it. Answer with a JSON object: {\"findings\": \
                                 [{\"file\": \"…\", \"line\": 42, \"comment\": \"…\"}]}.\n\n";

/// Introduces the items of knowledge.
const KNOWLEDGE: &str = "\nSome frequent defects in code like this, among many others:\n";

/// All texts that no finding may quote.
pub(super) const ALL: &[&str] = &[SYSTEM, FINDER, LOOK_UP, PLAIN];

static CATEGORIES: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<String> = Category::ALL
        .iter()
        .map(|category| format!("`{category}`"))
        .collect();
    names.join(", ")
});

/// The finder's task, with items of knowledge that match the change and the number of look-ups that it may request.
pub(super) fn finder(items: &str, look_ups: usize) -> String {
    let knowledge = if items.is_empty() {
        String::new()
    } else {
        format!("{KNOWLEDGE}{items}")
    };
    let look_up = if look_ups == 0 {
        String::new()
    } else {
        LOOK_UP.replace("{{left}}", &look_ups.to_string())
    };
    FINDER
        .replace("{{categories}}", &CATEGORIES)
        .replace("{{look_up}}", &look_up)
        .replace("{{knowledge}}", &knowledge)
}

/// The short version, which requests only what the shown lines prove.
pub(super) fn plain() -> String {
    PLAIN.replace("{{categories}}", &CATEGORIES)
}
