//! The rules of a service under test.

use std::sync::Arc;

use mcp::{Answer, Page};
use review::output::RuleText;
use review::{Category, Language};
use serde_json::json;
use server::RuleCatalog;

/// One rule, `test/added-line`. `list_rules` returns its arguments.
#[derive(Debug)]
pub(crate) struct Rules;

impl Rules {
    pub(crate) fn shared() -> Option<Arc<dyn RuleCatalog>> {
        Some(Arc::new(Self))
    }
}

impl RuleCatalog for Rules {
    fn index(&self) -> String {
        "# Rules\n\n- [test/added-line](/docs/rules/test/added-line) P1 – <b>X</b>\n".to_owned()
    }

    fn page(&self, id: &str) -> Option<String> {
        (id == "test/added-line").then(|| "# X\n\n```diff\n+if a < b {\n```\n".to_owned())
    }

    fn text(&self, _: &str) -> Option<RuleText> {
        None
    }

    fn explain(&self, id: &str) -> Result<Answer, String> {
        match id {
            "test/added-line" => Ok(Answer {
                data: json!({ "ruleId": id }),
                text: "why\n".to_owned(),
            }),
            _ => Err(format!("there is no rule {id:?}")),
        }
    }

    fn list(&self, language: Option<Language>, category: Option<Category>, _: Page) -> Answer {
        let language = language.map(Language::name);
        Answer {
            data: json!({ "language": language, "category": category }),
            text: "all\n".to_owned(),
        }
    }
}
