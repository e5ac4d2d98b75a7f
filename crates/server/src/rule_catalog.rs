//! The rules that a service shows and explains. This crate knows no rules, so its user passes them in.

use std::fmt;

use mcp::{Answer, Page};
use review::output::RuleText;
use review::{Category, Language};

/// The rules of a service.
pub trait RuleCatalog: fmt::Debug + Send + Sync {
    /// The page with all rules, in Markdown. It links to `/docs/rules/{id}`.
    fn index(&self) -> String;

    /// The page of a rule, in Markdown.
    fn page(&self, id: &str) -> Option<String>;

    /// The texts of a rule.
    fn text(&self, id: &str) -> Option<RuleText>;

    /// The answer of the tool `explain_rule`.
    ///
    /// # Errors
    /// There is no such rule. The error lists similar IDs.
    fn explain(&self, id: &str) -> Result<Answer, String>;

    /// The answer of the tool `list_rules`: a page of the rules of a language and a category, or of all.
    fn list(&self, language: Option<Language>, category: Option<Category>, page: Page) -> Answer;
}
