//! The rules' pages below /docs/rules, made from the Markdown of the catalog.

use std::sync::{Arc, OnceLock};

use askama::Template;
use review::output::RuleText;

use crate::fixed::Fixed;
use crate::rule_catalog::RuleCatalog;
use crate::web::markdown::html;
use crate::web::page::Frame;

const HTML: &str = "text/html; charset=utf-8";

/// The pages of the rules. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct RulePages {
    rules: Arc<dyn RuleCatalog>,
    /// The page with all rules, made on first use.
    index: Arc<OnceLock<Fixed>>,
}

impl RulePages {
    pub(crate) fn new(rules: Arc<dyn RuleCatalog>) -> Self {
        Self {
            rules,
            index: Arc::default(),
        }
    }

    /// The texts of a rule.
    pub(crate) fn text(&self, id: &str) -> Option<RuleText> {
        self.rules.text(id)
    }

    /// The page with all rules.
    pub(crate) fn index(&self) -> &Fixed {
        self.index
            .get_or_init(|| Fixed::new(HTML, document("Rules", &self.rules.index(), false)))
    }

    /// The page of one rule.
    pub(crate) fn page(&self, id: &str) -> Option<Fixed> {
        self.rules
            .page(id)
            .map(|text| Fixed::new(HTML, document(id, &text, true)))
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
    let page = RulePage {
        frame: Frame::open(),
        title,
        html: html(text),
        of_one,
    };
    // Writing to a string cannot fail.
    page.render().unwrap_or_default()
}
