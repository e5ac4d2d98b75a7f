//! The rules' pages, as they are shown below /docs: this crate knows no rules, so its user passes the pages in.

use std::sync::{Arc, OnceLock};

use askama::Template;
use review::output::RuleText;

use crate::console::Frame;
use crate::fixed::Fixed;
use crate::reference::html;

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
#[derive(Template)]
#[template(path = "rule_page.html")]
struct RulePage<'a> {
    frame: Frame,
    title: &'a str,
    html: String,
    of_one: bool,
}

fn document(title: &str, text: &str, of_one: bool) -> String {
    let page = RulePage { frame: Frame::open(), title, html: html(text), of_one };
    // Writing to a string cannot fail.
    page.render().unwrap_or_default()
}
