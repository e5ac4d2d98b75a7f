//! The wording of the prompts.

use std::sync::LazyLock;

use review::Category;

pub(super) const SYSTEM: &str = include_str!("../prompts/system.md");
pub(crate) const FINDER: &str = include_str!("../prompts/finder.md");
const PLAIN: &str = include_str!("../prompts/plain.md");
const DECIDE: &str = include_str!("../prompts/decide.md");
const DECIDE_RULES: &str = include_str!("../prompts/decide_rules.md");
const LOOK_UP: &str = include_str!("../prompts/look_up.md");
const LOOK_UP_MORE: &str = include_str!("../prompts/look_up_more.md");
const LOOK_UP_LAST: &str = include_str!("../prompts/look_up_last.md");
pub(super) const REPAIR: &str = include_str!("../prompts/repair.md");
pub(super) const REST: &str = include_str!("../prompts/rest.md");
pub(super) const PASTED: &str = "Review this diff and report the defects in it. Answer with a JSON object: {\"findings\": \
                                 [{\"file\": \"…\", \"line\": 42, \"comment\": \"…\"}]}.\n\n";

/// Introduces the items of knowledge.
const KNOWLEDGE: &str = "\nSome frequent defects in code like this, among many others:\n";

/// All texts that no finding may quote.
pub(super) const ALL: &[&str] = &[
    SYSTEM, FINDER, DECIDE, DECIDE_RULES, LOOK_UP, LOOK_UP_MORE, LOOK_UP_LAST, PLAIN,
];

static CATEGORIES: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<String> = Category::ALL
        .iter()
        .map(|category| format!("`{category}`"))
        .collect();
    names.join(", ")
});

/// The task of the first turn, with items of knowledge that match the change.
pub(super) fn finder(items: &str) -> String {
    let knowledge = if items.is_empty() {
        String::new()
    } else {
        format!("{KNOWLEDGE}{items}")
    };
    FINDER
        .replace("{{categories}}", &CATEGORIES)
        .replace("{{knowledge}}", &knowledge)
}

/// The task of the second turn, with candidates of the static analyser if there are any, and the number of look-ups that
/// the model may request.
pub(super) fn decide(has_doubtful: bool, look_ups: usize) -> String {
    let of_rules = if has_doubtful { DECIDE_RULES } else { "" };
    let look_up = if look_ups == 0 {
        String::new()
    } else {
        LOOK_UP.replace("{{left}}", &look_ups.to_string())
    };
    DECIDE
        .replace("{{of_rules}}", of_rules)
        .replace("{{look_up}}", &look_up)
}

/// The text after the results of look-ups, with the number of look-ups that are left.
pub(super) fn looked_up(left: usize) -> String {
    if left == 0 {
        LOOK_UP_LAST.to_owned()
    } else {
        LOOK_UP_MORE.replace("{{left}}", &left.to_string())
    }
}

/// The short version, which requests only what the shown lines prove.
pub(super) fn plain() -> String {
    PLAIN.replace("{{categories}}", &CATEGORIES)
}
