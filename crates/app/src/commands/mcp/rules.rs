//! `explain_rule` and `list_rules`.

use git::Git;
use lint::{RuleInfo, pages, reference_url};
use mcp::{Answer, Item, Page, Taken, ToolName, how_to_continue};
use review::output::{RuleText, counted};
use review::{Category, Language};
use serde_json::{Map, Value, json};
use server::RuleCatalog;
use settings::Settings;

use super::arguments::{self, ExplainRule, ListRules};
use super::client::Client;
use super::roots::Roots;
use crate::commands::rules::{find, is_of};
use crate::outcome::Error;
use crate::project::{Sources, State};

/// The built-in rules.
#[derive(Debug)]
pub(in crate::commands) struct BuiltinRules;

impl RuleCatalog for BuiltinRules {
    fn index(&self) -> String {
        pages::index(rules::built_in().rules(), |rule| {
            format!("/docs/rules/{}", rule.id)
        })
    }

    fn page(&self, id: &str) -> Option<String> {
        rules::catalog().info(id).as_ref().map(pages::page)
    }

    fn text(&self, id: &str) -> Option<RuleText> {
        let info = rules::catalog().info(id)?;
        let page = pages::page(&info);
        let consequence = (info.priority != info.consequence).then_some(info.consequence);
        Some(RuleText {
            title: info.title,
            why: info.why,
            fix: info.fix,
            page,
            consequence,
        })
    }

    fn explain(&self, id: &str) -> Result<Answer, String> {
        explained(&[], id).map_err(|error| error.message)
    }

    fn list(&self, language: Option<Language>, category: Option<Category>, page: Page) -> Answer {
        listed(&[], language, category, page)
    }
}

/// The rules of the repository in the client's first root, if it has any.
///
/// # Errors
/// One of them or the configuration is invalid.
pub(super) async fn own(settings: &Settings, client: &Client) -> Result<Vec<RuleInfo>, Error> {
    let Ok(roots) = Roots::of(client).await else {
        return Ok(Vec::new());
    };
    let find = move || roots.top(&Git::open(&roots.resolve(None).ok()?).ok()?);
    let top = tokio::task::spawn_blocking(find)
        .await
        .map_err(Error::failure)?;
    let sources = Sources::default();
    if !sources.finds_rules(State::Checkout(top.as_deref())) {
        return Ok(Vec::new());
    }
    let project = sources.open(top.as_deref(), settings.workers).await?;
    Ok(project.rules.into_iter().map(|rule| rule.info).collect())
}

/// Explains a rule.
///
/// # Errors
/// There is no such rule. The message names the most similar one.
pub(super) fn explain(arguments: Map<String, Value>, own: &[RuleInfo]) -> Result<Answer, Error> {
    let ExplainRule { rule_id } = arguments::read(arguments)?;
    explained(own, &rule_id)
}

fn explained(own: &[RuleInfo], id: &str) -> Result<Answer, Error> {
    let rule = find(own, id)?;
    Ok(Answer {
        data: all_of(&rule),
        text: pages::page(&rule),
    })
}

fn all_of(rule: &RuleInfo) -> Value {
    let mut data = row(rule);
    let references: Vec<String> = rule
        .references
        .iter()
        .map(|text| reference_url(text))
        .collect();
    let more = json!({
        "confidence": (f64::from(rule.confidence) * 100.0).round() / 100.0,
        "why": rule.why,
        "suggestedFix": rule.fix,
        "badExample": rule.bad_example(),
        "goodExample": rule.good_example(),
        "references": references,
    });
    if let (Value::Object(data), Value::Object(more)) = (&mut data, more) {
        data.extend(more);
    }
    data
}

/// Lists a page of the rules of a language and a category.
///
/// # Errors
/// There is no such language or category, or the page is not valid.
pub(super) fn list(arguments: Map<String, Value>, own: &[RuleInfo]) -> Result<Answer, Error> {
    let ListRules {
        language,
        category,
        cursor,
        limit,
    } = arguments::read(arguments)?;
    let page = arguments::page(cursor.as_deref(), limit)?;
    Ok(listed(
        own,
        arguments::language(language.as_deref())?,
        category,
        page,
    ))
}

fn listed(
    own: &[RuleInfo],
    language: Option<Language>,
    category: Option<Category>,
    page: Page,
) -> Answer {
    let rules = own.iter().chain(rules::built_in().rules());
    let mut rules: Vec<&RuleInfo> = rules
        .filter(|rule| is_of(rule, language, category))
        .collect();
    rules.sort_by(|a, b| (a.priority, &a.id).cmp(&(b.priority, &b.id)));
    let item = |rule: &&RuleInfo| Item {
        data: row(rule),
        text: format!("{}\t{}\t{}\n", rule.id, rule.priority, rule.title),
    };
    let Taken {
        data,
        mut text,
        next,
    } = page.take(0, rules.iter().map(item));
    let mut data = json!({ "rules": data, "total": rules.len() });
    if let Some(next) = next {
        let left = counted(rules.len() - next, "rule");
        text.push_str(&format!(
            "more\t{left}; {}; or name a language or a category\n",
            how_to_continue(ToolName::ListRules, next)
        ));
        data["nextCursor"] = json!(next.to_string());
    }
    text.push_str(&format!("sum\t{}\n", counted(rules.len(), "rule")));
    Answer { data, text }
}

fn row(rule: &RuleInfo) -> Value {
    json!({
        "ruleId": rule.id,
        "title": rule.title,
        "priority": rule.priority,
        "category": rule.category,
        "languages": rule.languages,
    })
}
