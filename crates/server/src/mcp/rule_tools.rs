//! The tools about rules: this crate knows no rules, so its user passes them in.

use review::{Category, Language};

use super::answer::Answer;
use super::paging::Page;

/// What `explain_rule` and `list_rules` answer.
#[derive(Debug, Clone, Copy)]
pub struct RuleTools {
    /// Explains the rule of an ID. The error says that there is none, and which are near.
    pub explain: fn(&str) -> Result<Answer, String>,
    /// Lists a page of the rules of a language and a category, or of all.
    pub list: fn(Option<Language>, Option<Category>, Page) -> Answer,
}
