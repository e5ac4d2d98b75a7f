//! The rules' pages, as they are shown below /docs: this crate knows no rules, so its user passes the pages in.

use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use pulldown_cmark::{Parser, html};
use review::output::RuleText;

use crate::fixed::Fixed;

/// The pages of the rules, in Markdown. Cheap to copy.
#[derive(Debug, Clone)]
pub struct RulePages {
    list: fn() -> String,
    page: fn(&str) -> Option<String>,
    text: fn(&str) -> Option<RuleText>,
    /// The list as it is sent.
    made: Arc<OnceLock<Fixed>>,
}

const HTML: &str = "text/html; charset=utf-8";

impl RulePages {
    /// `list` gives the page with all rules, whose links lead to `/docs/rules/{id}`, `page` that of one rule by its ID.
    #[must_use]
    pub fn new(list: fn() -> String, page: fn(&str) -> Option<String>) -> Self {
        Self { list, page, text: |_| None, made: Arc::default() }
    }

    /// The same, with what a rule says about itself, by its ID.
    #[must_use]
    pub fn with_texts(self, text: fn(&str) -> Option<RuleText>) -> Self {
        Self { text, ..self }
    }

    /// What a rule says about itself.
    pub(crate) fn text(&self, id: &str) -> Option<RuleText> {
        (self.text)(id)
    }

    /// The page with all rules.
    pub(crate) fn list(&self) -> &Fixed {
        self.made.get_or_init(|| Fixed::new(HTML, document("Rules", &(self.list)(), false)))
    }

    /// The page of one rule.
    pub(crate) fn page(&self, id: &str) -> Option<Fixed> {
        (self.page)(id).map(|text| Fixed::new(HTML, document(id, &text, true)))
    }
}

/// Markdown as a page of its own.
fn document(title: &str, text: &str, of_one: bool) -> String {
    let mut page = String::with_capacity(2 * text.len() + 1_000);
    // Titles are IDs of rules: letters, digits, `-` and `/`.
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} – Hunkwise</title>\n\
         <link rel=\"stylesheet\" href=\"/docs/docs.css\">\n</head>\n<body class=\"page\">\n<main>\n"
    );
    if of_one {
        page.push_str("<p><a href=\"/docs/rules\">All rules</a></p>\n");
    }
    html::push_html(&mut page, Parser::new(text));
    page.push_str("</main>\n</body>\n</html>\n");
    page
}
