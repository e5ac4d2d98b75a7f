//! A model's decisions on its candidates, in the second turn of a conversation.

use review::Priority;
use review::repository::Lookup;

use super::finding::RawFinding;
use super::lenient::{List, Node, Object, roots};
use super::thought::{after_thought, unwrapped};
use super::{list, lookups, words};

const KEPT: &[&str] = &["kept", "keep", "reported", "confirmed", "final"];
const DROPPED: &[&str] = &["dropped", "drop", "rejected", "refuted", "withdrawn"];
const CANDIDATE: &[&str] = &["candidate", "number", "id", "index"];
const EVIDENCE: &[&str] = &["evidence", "proof", "because"];
const REASON: &[&str] = &["reason", "why", "explanation", "evidence", "because"];
const PRIORITY: &[&str] = &["priority", "severity"];
const SUMMARY: &[&str] = &["summary", "description"];
const FIX: &[&str] = &["fix", "suggested_fix", "suggestion"];
/// The longest number of a candidate, in bytes.
const NUMBER: usize = 20;

/// The decisions in an answer. The texts are the model's.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Decisions {
    pub(crate) kept: Vec<Kept>,
    /// Numbers of candidates, each with the reason.
    pub(crate) dropped: Vec<(String, String)>,
    /// Findings in the form of the first turn, without a number.
    pub(crate) repeated: Vec<RawFinding>,
    /// The look-ups that the model requests before it decides.
    pub(crate) lookups: Vec<Lookup>,
}

impl Decisions {
    /// Whether the answer decides on no candidate.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.dropped.is_empty() && self.repeated.is_empty()
    }
}

/// A candidate that the model defends.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Kept {
    pub(crate) number: String,
    pub(crate) evidence: String,
    /// `None` if it is unchanged.
    pub(crate) priority: Option<Priority>,
    /// Empty if it is unchanged.
    pub(crate) summary: String,
    /// Empty if it is unchanged.
    pub(crate) fix: String,
}

/// Reads the decisions in a reply: those of the last object that has any.
///
/// # Errors
/// The defect, worded for the model: the reply has no decisions, or they were cut off.
pub(crate) fn read(text: &str) -> Result<Decisions, &'static str> {
    let unwrapped = unwrapped(text);
    let (answer, in_thought) = after_thought(&unwrapped);
    let mut found = None;
    let mut lookups = Vec::new();
    for root in roots(answer) {
        lookups.extend(lookups::of(&root));
        found = decided(&root, 0).or(found);
    }
    match found {
        Some(Read { is_cut: true, .. }) => Err("it was cut off"),
        Some(_) if in_thought => Err("it was cut off"),
        Some(Read { decisions, .. }) => Ok(Decisions {
            lookups,
            ..decisions
        }),
        None if !lookups.is_empty() => Ok(Decisions {
            lookups,
            ..Decisions::default()
        }),
        None => repeated(text),
    }
}

/// The findings of an answer in the form of the first turn.
fn repeated(text: &str) -> Result<Decisions, &'static str> {
    match list::read(text) {
        Ok(items) if items.cut => Err("it was cut off"),
        Ok(items) if !items.items.is_empty() => Ok(Decisions {
            repeated: items.items,
            ..Decisions::default()
        }),
        _ => Err("there is no JSON object with the lists `kept` and `dropped` in it"),
    }
}

/// The decisions in an object, and whether they were cut off.
struct Read {
    decisions: Decisions,
    is_cut: bool,
}

/// The decisions in a value, or in an object that it wraps.
fn decided(node: &Node, depth: usize) -> Option<Read> {
    let Node::Object(object) = node else {
        return None;
    };
    let list = |names| {
        object.all(names).find_map(|node| match node {
            Node::List(list) => Some(list),
            _ => None,
        })
    };
    let (kept, dropped) = (list(KEPT), list(DROPPED));
    if kept.is_none() && dropped.is_none() {
        let wrapped = object.properties.iter().filter(|_| depth == 0);
        return wrapped
            .filter_map(|(_, value)| decided(value, depth + 1))
            .next_back();
    }
    let is_cut = !object.complete || [kept, dropped].iter().flatten().any(|list| is_cut(list));
    let mut decisions = Decisions {
        kept: objects(kept).filter_map(kept_one).collect(),
        dropped: objects(dropped).filter_map(dropped_one).collect(),
        ..Decisions::default()
    };
    if decisions.kept.is_empty() {
        decisions.repeated = objects(kept).filter_map(RawFinding::read).collect();
    }
    Some(Read { decisions, is_cut })
}

fn is_cut(list: &List) -> bool {
    let is_open = |item: &Node| matches!(item, Node::Object(object) if !object.complete);
    !list.complete || list.items.iter().any(is_open)
}

fn objects(list: Option<&List>) -> impl Iterator<Item = &Object> {
    let items = list.into_iter().flat_map(|list| &list.items);
    items.filter_map(|item| match item {
        Node::Object(object) => Some(object),
        _ => None,
    })
}

fn kept_one(object: &Object) -> Option<Kept> {
    let text = |names| object.text(names).unwrap_or_default();
    let priority = text(PRIORITY);
    Some(Kept {
        number: number(object)?,
        evidence: text(EVIDENCE),
        priority: (!priority.trim().is_empty()).then(|| words::priority(&priority)),
        summary: text(SUMMARY),
        fix: text(FIX),
    })
}

fn dropped_one(object: &Object) -> Option<(String, String)> {
    Some((number(object)?, object.text(REASON).unwrap_or_default()))
}

/// The number of a candidate, such as `2` or `R1`. Models also write `#2`, `C2` and `candidate 2`.
fn number(object: &Object) -> Option<String> {
    let text = object.text(CANDIDATE)?;
    let text = text.trim();
    let text = text.get(..text.floor_char_boundary(NUMBER))?;
    let digits = text.find(|c: char| c.is_ascii_digit())?;
    let (before, after) = text.split_at_checked(digits)?;
    let end = after
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(after.len());
    let of_rule = before
        .trim_end_matches(['-', ' ', '_'])
        .ends_with(['R', 'r']);
    let number = after.get(..end)?.trim_start_matches('0');
    Some(format!("{}{number}", if of_rule { "R" } else { "" }))
}

#[cfg(test)]
mod tests {
    use review::Priority;

    use super::{Decisions, read};

    fn numbers(decisions: &Decisions) -> (Vec<&str>, Vec<&str>) {
        (
            decisions.kept.iter().map(|kept| &*kept.number).collect(),
            decisions
                .dropped
                .iter()
                .map(|(number, _)| &**number)
                .collect(),
        )
    }

    #[test]
    fn decisions_are_read_in_the_forms_that_models_write() {
        for text in [
            r#"{"kept": [{"candidate": "1", "evidence": "x"}], "dropped": [{"candidate": "R2", "reason": "y"}]}"#,
            r##"Done.
```json
{"Keep": [{"number": 1}], "rejected": [{"id": "#R02"}]}
```"##,
            r#"<think>{"kept": [], "dropped": []}</think>{"kept": [{"candidate": "candidate 1"}], "dropped": [{"candidate": "R-2"}],}"#,
            r#"{"result": {"kept": [{"candidate": "C1"}], "dropped": [{"candidate": "r2"}]}}"#,
            r#"{"kept": [], "dropped": []} No: {"kept": [{"candidate": 1}], "dropped": [{"candidate": "R2"}]}"#,
        ] {
            let decisions = read(text).unwrap();
            assert_eq!(numbers(&decisions), (vec!["1"], vec!["R2"]), "{text}");
        }
    }

    #[test]
    fn texts_and_priorities_are_optional() {
        let text = r#"{"kept": [{"candidate": "1", "evidence": "e", "priority": "high", "summary": "s", "fix": "f"}, {"candidate": 2, "priority": ""}]}"#;
        let decisions = read(text).unwrap();
        assert_eq!(decisions.kept[0].priority, Some(Priority::P1));
        assert_eq!(decisions.kept[0].summary, "s");
        assert_eq!(decisions.kept[1].priority, None);
    }

    #[test]
    fn findings_in_the_form_of_the_first_turn_are_read() {
        let finding = r#"{"file": "a.py", "line": "NEW:2", "quote": "x", "summary": "s"}"#;
        for name in ["findings", "kept"] {
            let decisions = read(&format!("{{\"{name}\": [{finding}]}}")).unwrap();
            assert_eq!(
                (decisions.kept.len(), decisions.repeated.len()),
                (0, 1),
                "{name}"
            );
        }
    }

    #[test]
    fn an_answer_without_decisions_or_cut_off_is_an_error() {
        for text in [
            "",
            "No.",
            "{}",
            "[]",
            r#"{"findings": []}"#,
            r#"{"kept": [{"candidate": "1"#,
            r#"{"kept": [{"candidate": "1"}], "dropped": [{"candidate": "2", "reason": "x"#,
            r#"<think>{"kept": [{"candidate": "1"}]}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let lookups = r#"{"lookups": [{"kind": "read", "argument": "a.py"}]}"#;
        assert_eq!(read(lookups).unwrap().lookups.len(), 1);
    }
}
