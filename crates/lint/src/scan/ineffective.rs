//! Suppression comments that have no effect, because they give no reason or name no rule.
//!
//! Other comments may quote one, and a rule that is unknown here may be known to another run. So only comments that are
//! certainly intended as suppressions are reported: if the change adds them, or if they would have suppressed a
//! finding.

use review::{Candidate, Chunk, Side, Warning, WarningCode};
use syntax::language::Grammar;

use crate::facts::suppress::{Mention, mentions};
use crate::registry::RuleSet;
use crate::rule::yaml::is_id;

/// Minimum similarity, from 0 to 1, at which a name is taken for that of a rule.
const SIMILAR: f64 = 0.8;
/// Maximum number of reported comments per file.
const COMMENTS: usize = 20;

/// A warning for each comment without effect. `found` has the findings that comments did not suppress.
pub(super) fn ineffective(
    file: &Chunk<'_>,
    grammar: Option<Grammar>,
    rules: &RuleSet,
    found: &[Candidate],
) -> Vec<Warning> {
    // Text that is not code explains how to write such comments.
    if grammar.is_none() {
        return Vec::new();
    }
    let warning = |comment: Mention<'_>| {
        let (rule, message) = fault(&comment, rules)?;
        let is_near = |found: &Candidate| {
            found.side == Side::New
                && [comment.line, comment.line.saturating_add(1)].contains(&found.line)
        };
        let would_suppress = || {
            found
                .iter()
                .any(|found| is_near(found) && found.rule_id() == Some(rule.as_str()))
        };
        let message = || format!("line {}: {message}", comment.line);
        (comment.is_added || would_suppress())
            .then(|| Warning::file(WarningCode::SuppressionIneffective, &file.path, message()))
    };
    mentions(file).filter_map(warning).take(COMMENTS).collect()
}

/// The rule that a comment refers to, and the problem of the comment.
fn fault(comment: &Mention<'_>, rules: &RuleSet) -> Option<(String, String)> {
    let name = comment.rule;
    let catalog = rules.catalog();
    let is_former =
        || catalog.current_id(name).is_some() || catalog.removed_ids().any(|id| id == name);
    if rules.knows(name) || is_former() {
        let message = "this suppression has no reason, so it has no effect: add one after the rule";
        return (!comment.has_reason).then(|| (name.to_owned(), message.to_owned()));
    }
    let folder = name.split_once('/').map(|(folder, _)| folder);
    let has_known_folder = folder.is_some_and(|folder| {
        is_id(name)
            && catalog
                .ids()
                .any(|id| id.split_once('/').is_some_and(|(known, _)| known == folder))
    });
    let unknown = format!("there is no rule {name:?}, so this suppression has no effect");
    match most_similar(name, rules.ids()) {
        Some(id) => Some((id.to_owned(), format!("{unknown}: did you mean {id}?"))),
        None if has_known_folder => Some((
            name.to_owned(),
            format!("{unknown}: `hunkwise rules list` shows all rules"),
        )),
        None => None,
    }
}

/// The ID that is most similar to a name, which may lack the folder.
fn most_similar<'r>(name: &str, ids: impl Iterator<Item = &'r str>) -> Option<&'r str> {
    if name.len() > 100 {
        return None;
    }
    let similarity = |id: &str| {
        let known = if name.contains('/') {
            id
        } else {
            id.split_once('/').map_or(id, |(_, known)| known)
        };
        strsim::normalized_damerau_levenshtein(known, name)
    };
    let similar = ids
        .map(|id| (similarity(id), id))
        .filter(|(similarity, _)| *similarity >= SIMILAR);
    similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
}
