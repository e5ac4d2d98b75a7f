//! Uses of members in templates of web pages and mails.
//!
//! Templates are not parsed: a use is a name after a dot, in a line with code.

use syntax::semantics::vocabulary::words_of;

use crate::keys::extension;
use crate::text::is_word_char;
use crate::text::occurrences;

/// The extensions of templates, by those of the files whose members they use.
const EXTENSIONS: &[(&[&str], &[&str])] = &[
    (&["rb"], &["erb", "haml", "slim"]),
    (&["cs"], &["cshtml", "razor"]),
    (&["php"], &["php", "twig", "latte"]),
    (&["py"], &["html", "jinja", "jinja2", "j2"]),
    (&["java", "kt"], &["html", "ftl", "vm", "jsp"]),
    (&["go"], &["html", "tmpl", "gohtml"]),
];
/// The beginnings of code in templates.
const CODE: &[&str] = &["<%", "{{", "{%", "{!!", "${", "#{", "@", "<#"];
/// Templates in which a line of code begins with one of these characters.
const LINES: &[&str] = &["haml", "slim"];
const LINE_OF_CODE: &[char] = &['=', '-', '%', '.', '#'];

/// The extensions of the templates that may use members of a file.
pub(crate) fn extensions(path: &str) -> &'static [&'static str] {
    let row = EXTENSIONS
        .iter()
        .find(|(of, _)| of.contains(&extension(path)));
    row.map_or(&[], |(_, extensions)| extensions)
}

/// Whether a file is a template.
pub(crate) fn is_template(path: &str) -> bool {
    if extension(path) == "php" {
        return path.ends_with(".blade.php");
    }
    let mut all = EXTENSIONS.iter().flat_map(|(_, extensions)| *extensions);
    all.any(|own| *own == extension(path))
}

/// The lines of a template that probably use a member of a type: the name is distinctive, and the value before it has
/// the name of the type or the member's name is long. Templates of Rails also call functions of helpers.
pub(crate) fn uses(path: &str, text: &str, name: &str, owner: &str) -> Vec<u32> {
    let extension = extension(path);
    let words = words_of(name).len();
    if words < 2 {
        return Vec::new();
    }
    let is_code = |line: &str| {
        CODE.iter().any(|start| line.contains(start))
            || LINES.contains(&extension) && line.trim_start().starts_with(LINE_OF_CODE)
    };
    let is_helper = owner.ends_with("Helper") && ["erb", "haml", "slim"].contains(&extension);
    let is_use = |before: &str| match before
        .strip_suffix('.')
        .or_else(|| before.strip_suffix("->"))
    {
        Some(before) => {
            let before = before.trim_end_matches(['?', '&', '!']);
            let start = before.trim_end_matches(is_word_char).len();
            let value = before.get(start..).unwrap_or_default();
            words > 2 || is_named_like(value, owner)
        }
        None => is_helper && !before.ends_with([':', '@', '"', '\'', '/', '-', '$']),
    };
    let numbered = (1..).zip(text.lines());
    numbered
        .filter(|(_, line)| is_code(line))
        .filter(|(_, line)| occurrences(line, name, is_word_char).any(|(before, _)| is_use(before)))
        .map(|(number, _)| number)
        .collect()
}

/// Whether a value has the name of a type, or of the last words of it: `settings` for `AppSettings`.
pub(crate) fn is_named_like(value: &str, of: &str) -> bool {
    let (value, of) = (words_of(value), words_of(of));
    !value.is_empty() && of.ends_with(&value)
}

#[cfg(test)]
mod tests {
    use super::{is_template, uses};

    #[test]
    fn templates_are_known_by_their_extensions() {
        assert!(is_template("app/views/notify.text.erb"));
        assert!(is_template("resources/views/a.blade.php"));
        assert!(!is_template("app/a.php"));
        assert!(!is_template("erb"));
    }

    #[test]
    fn a_use_is_a_name_after_a_value_named_like_the_type() {
        let used = |text: &str| uses("a.erb", text, "plain_body", "Message");
        assert_eq!(used("hello\n<%= @message.plain_body %>"), [2]);
        assert_eq!(used("<%= message&.plain_body.strip %>"), [1]);
        for other in [
            "message.plain_body", "<%= @story.plain_body %>", "<%= message.plain_body_text %>",
            "<%= plain_body %>", "<p>é plain_body</p> <% é %>",
        ] {
            assert_eq!(used(other), [0_u32; 0], "{other}");
        }
    }

    #[test]
    fn rails_templates_call_helpers_without_a_receiver() {
        let used = |text: &str| uses("a.erb", text, "short_day", "DatesHelper");
        assert_eq!(used("<%= short_day(time) %>"), [1]);
        assert_eq!(used("<%= t('a.short-day') %>"), [0_u32; 0]);
        assert_eq!(used("<%= render \"short_day\" %>"), [0_u32; 0]);
    }
}
