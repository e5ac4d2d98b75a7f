//! What a model said, as far as it can be read. Nothing here is believed yet.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Items of one reply that are read at most: a model that finds more on one page is not reviewing.
const ITEMS: usize = 200;

/// A finding as a model gave it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct RawFinding {
    pub(crate) file: String,
    pub(crate) line: String,
    pub(crate) quote: String,
    pub(crate) priority: String,
    pub(crate) category: String,
    pub(crate) summary: String,
    #[serde(default)]
    pub(crate) fix: String,
    pub(crate) confidence: f64,
}

/// A verdict as a model gave it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Verdict {
    pub(crate) finding: usize,
    pub(crate) score: f64,
}

/// The readable part of a reply.
#[derive(Debug, PartialEq)]
pub(crate) struct Items<T> {
    pub(crate) items: Vec<T>,
    /// Items that could not be read, or were too many.
    pub(crate) unreadable: usize,
    /// The reply broke off: there may have been more.
    pub(crate) cut: bool,
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self { items: Vec::new(), unreadable: 0, cut: false }
    }
}

/// Reads the list called `name` of a reply.
///
/// # Errors
/// What is wrong, for the model: the reply holds no such list.
pub(crate) fn read<T: DeserializeOwned>(text: &str, name: &str) -> Result<Items<T>, &'static str> {
    let list = objects(text).find_map(|object| match object {
        Value::Object(mut object) => object.remove(name),
        _ => None,
    });
    match list {
        Some(Value::Array(items)) => Ok(typed(items)),
        Some(_) => Err("the property is not a list"),
        None => Err("there is no complete JSON object with the list in it"),
    }
}

/// Reads the complete items of a list that was cut off.
pub(crate) fn salvage<T: DeserializeOwned>(text: &str, name: &str) -> Items<T> {
    let key = format!("\"{name}\"");
    let list = text.find(&key).and_then(|at| text.get(at + key.len()..)).and_then(|rest| rest.split_once('['));
    let items = list.map_or_else(Items::default, |(_, rest)| typed(objects(rest).collect()));
    Items { cut: true, ..items }
}

fn typed<T: DeserializeOwned>(items: Vec<Value>) -> Items<T> {
    let all = items.len();
    let items: Vec<T> = items.into_iter().take(ITEMS).filter_map(|item| serde_json::from_value(item).ok()).collect();
    Items { unreadable: all - items.len(), items, cut: false }
}

/// The JSON objects in a text, in order, whatever stands around them: prose, or the fence of a code block. One that is not
/// complete ends the search. The parser goes no deeper than 128 levels, so a reply of braces costs little.
fn objects(text: &str) -> impl Iterator<Item = Value> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.get(rest.find('{')?..)?;
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            match values.next() {
                Some(Ok(value)) => {
                    rest = rest.get(values.byte_offset()..)?;
                    return Some(value);
                }
                Some(Err(error)) if error.is_eof() => return None,
                // A brace in prose: the search goes on behind it.
                _ => rest = rest.get(1..)?,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Items, Verdict, read, salvage};

    fn verdicts(text: &str) -> Result<Vec<usize>, &'static str> {
        read::<Verdict>(text, "verdicts").map(|items| items.items.iter().map(|verdict| verdict.finding).collect())
    }

    const GOOD: &str = r#"{"verdicts": [{"finding": 1, "reason": "{", "score": 7}, {"finding": 2, "score": 0.5}]}"#;

    #[test]
    fn an_object_is_found_whatever_stands_around_it() {
        for text in [
            GOOD.to_owned(),
            format!("Here you are: {{as asked}}\n```json\n{GOOD}\n```\nAnything else?"),
            format!("<think>{{\"a\": 1}} hm</think>{GOOD}"),
        ] {
            assert_eq!(verdicts(&text), Ok(vec![1, 2]), "{text}");
        }
    }

    #[test]
    fn what_holds_no_list_is_a_fault_that_the_model_is_told() {
        for text in ["", "No defects.", r#"{"verdicts": "none"}"#, r#"{"verdicts": [{"finding": 1"#, "[[[[", "{{{{"] {
            assert!(verdicts(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_item_that_cannot_be_read_costs_itself_only() {
        let text = r#"{"verdicts": [{"finding": "x", "score": 1}, {"finding": 2, "score": 1}, 7]}"#;
        let Items { items, unreadable, .. } = read::<Verdict>(text, "verdicts").unwrap();
        assert_eq!((items.len(), unreadable), (1, 2));
    }

    #[test]
    fn the_complete_items_of_a_list_that_was_cut_are_kept() {
        for cut in 60..GOOD.len() {
            let items = salvage::<Verdict>(&GOOD[..cut], "verdicts").items;
            assert!(!items.is_empty() && items.len() <= 2, "{cut}");
        }
        assert!(salvage::<Verdict>("nothing", "verdicts").items.is_empty());
    }

    #[test]
    fn a_deep_or_endless_reply_does_no_harm() {
        assert!(verdicts(&"{\"a\":".repeat(100_000)).is_err());
        assert!(verdicts(&"[".repeat(1_000_000)).is_err());
        assert!(verdicts(&"{ ".repeat(50_000)).is_err());
        let many = format!("{{\"verdicts\": [{}]}}", vec![r#"{"finding": 1, "score": 1}"#; 1_000].join(","));
        assert_eq!(read::<Verdict>(&many, "verdicts").unwrap().unreadable, 800);
    }

    proptest! {
        #[test]
        fn any_text_can_be_read(text in ".{0,200}") {
            let _ = verdicts(&text);
            let _ = salvage::<Verdict>(&text, "verdicts");
        }
    }
}
