//! Words outside of quotes that define or read a key, by kind.

use super::kinds::{KeyUse, ends_with_call};
use super::text::extension;

/// A word on a line of a file, with the text before and after it.
#[derive(Clone, Copy)]
pub(super) struct Word<'t> {
    pub(super) path: &'t str,
    pub(super) line: u32,
    pub(super) lead: &'t str,
    pub(super) after: &'t str,
}

impl Word<'_> {
    fn read_if(self, is_read: bool, is_certain: bool) -> Option<KeyUse> {
        let line = self.line;
        is_read.then_some(KeyUse::Read { line, is_certain })
    }
}

/// A helper of Rails for the path of a route.
pub(super) fn route_helper(_: &str, word: Word<'_>) -> Option<KeyUse> {
    if word.lead.ends_with("def ") || word.after.trim_start().starts_with("= ") {
        return Some(KeyUse::Defined);
    }
    let is_ruby = matches!(
        extension(word.path),
        "rb" | "erb" | "haml" | "slim" | "jbuilder"
    );
    let is_text = word.lead.ends_with(['@', ':', '"', '\'', '/', '-']);
    word.read_if(is_ruby && !is_text && !word.after.starts_with(':'), true)
}

/// A member of Django's settings.
pub(super) fn setting(_: &str, word: Word<'_>) -> Option<KeyUse> {
    let is_read = extension(word.path) == "py"
        && ends_with_call(word.lead, "settings.")
        && !word.after.trim_start().starts_with("= ");
    word.read_if(is_read, true)
}

/// A resource of Android: `R.string.name` or `@string/name`.
pub(super) fn resource(key: &str, word: Word<'_>) -> Option<KeyUse> {
    let group = key.split('/').next().unwrap_or_default();
    let is_read = !word.lead.ends_with("android.R.string.")
        && (ends_with_call(word.lead, &format!("R.{group}."))
            || word.lead.ends_with(&format!("@{group}/")));
    word.read_if(is_read, true)
}

/// A variable of the environment, as a member or in a shell.
pub(super) fn variable(_: &str, word: Word<'_>) -> Option<KeyUse> {
    let is_script = ["process.env.", "import.meta.env."]
        .iter()
        .any(|call| word.lead.ends_with(call));
    let is_shell = word.lead.ends_with("${")
        && word.after.starts_with('}')
        && matches!(extension(word.path), "yml" | "yaml" | "sh");
    word.read_if(is_script && !is_handled(word.after) || is_shell, false)
}

/// Whether the code after a read handles that there is no value.
pub(super) fn is_handled(after: &str) -> bool {
    let rest = after.trim_start_matches([')', ']', ' ']);
    ["||", "??", "or ", "?:", "!=", "=="]
        .iter()
        .any(|operator| rest.starts_with(operator))
}
