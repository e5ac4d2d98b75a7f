use proptest::prelude::*;
use serde_json::{Value, json};

use super::lenient::{Node, roots};
use super::{Items, RawFinding, Verdict, read};

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
        format!("Let me see: {{\"verdicts\": [{{\"finding\": 3, \"score\": 1}}]}}.\n</think>{GOOD}"),
        format!("{{{{{{ {GOOD}"),
        json!(GOOD).to_string(),
    ] {
        assert_eq!(verdicts(&text), Ok(vec![1, 2]), "{text}");
    }
}

#[test]
fn a_verdict_has_the_forms_of_a_finding() {
    let text = "[{finding: '#1', score: '7/10'}, {'finding': \"2\", 'score': \"70%\",}, {\"id\": 3, \"rating\": 7}]";
    let items = read::<Verdict>(text, "verdicts").unwrap();
    let scores: Vec<(usize, f64)> = items.items.iter().map(|verdict| (verdict.finding, verdict.score)).collect();
    assert_eq!((scores, items.unreadable), (vec![(1, 7.0), (2, 7.0), (3, 7.0)], 0));
}

#[test]
fn what_holds_no_list_is_a_fault_that_the_model_is_told() {
    for text in ["", "No defects.", r#"{"verdicts": "none"}"#, "[[[[", "{{{{", "{}", "The list [] is empty.", "[1, 2]"]
    {
        assert!(verdicts(text).is_err(), "{text}");
    }
    for text in [r#"{"verdicts": []}"#, "[]", "```json\n[ ]\n```", r#"{"result": {"verdicts": None}}"#] {
        assert_eq!(verdicts(text), Ok(vec![]), "{text}");
    }
}

#[test]
fn an_item_that_cannot_be_read_costs_itself_only() {
    let text = r#"{"verdicts": [{"finding": "x", "score": 1}, {"finding": 2, "score": 1}, 7]}"#;
    let Items { items, unreadable, cut } = read::<Verdict>(text, "verdicts").unwrap();
    assert_eq!((items.len(), unreadable, cut), (1, 2, false));
}

#[test]
fn the_complete_items_of_a_list_that_was_cut_are_kept() {
    for end in 60..GOOD.len() - 2 {
        let items = read::<Verdict>(&GOOD[..end], "verdicts").unwrap();
        assert!(items.cut && items.items.len() == 1, "{end}: {items:?}");
    }
    let draft = format!("{GOOD}\nOnce more: {}", &GOOD[..70]);
    let items = read::<Verdict>(&draft, "verdicts").unwrap();
    assert!(items.cut && items.items.len() == 2, "the complete one counts, and there may be more: {items:?}");
    let thought = format!("<think>{GOOD}");
    assert!(read::<Verdict>(&thought, "verdicts").unwrap().cut, "a draft is no answer");
}

#[test]
fn a_single_item_and_items_a_line_each_are_read_without_a_list() {
    let line = |finding: usize| format!("{{\"finding\": {finding}, \"score\": 1}}\n");
    assert_eq!(verdicts(&line(1)), Ok(vec![1]));
    assert_eq!(verdicts(&(line(1) + &line(2))), Ok(vec![1, 2]));
    assert!(read::<Verdict>(&(line(1) + "{\"finding\": 2, \"score\": 7"), "verdicts").unwrap().cut);
}

#[test]
fn quotes_that_were_not_escaped_do_not_end_a_text() {
    let text = r#"{"findings": [{"line": 1, "summary": "It prints "a", b and "c" there", "quote": "say("a", "b")", "fix": ""}]}"#;
    let items = read::<RawFinding>(text, "findings").unwrap();
    assert_eq!(items.items[0].quote, r#"say("a", "b")"#);
    assert_eq!(items.items[0].summary, r#"It prints "a", b and "c" there"#);
}

#[test]
fn a_deep_or_endless_reply_does_no_harm() {
    for part in
        ["{\"a\":", "{", "[", "{ ", "{a:", "[{\"findings\":[", "{\"", "{/*", "{'", "a/**/", "{a:b/**/", "[\"\\", "\"{"]
    {
        let text = part.repeat(1024 * 1024 / part.len());
        let items = read::<RawFinding>(&text, "findings").unwrap_or_default();
        assert_eq!(items.items, [], "{part}");
    }
    for word in ["the ", "\\\"", "\",", "\" ", "1,", "[],", "{},"] {
        let text = format!("{{\"verdicts\": [{}, \"{}", r#"{"finding": 1, "score": 1}"#, word.repeat(300_000));
        let items = read::<Verdict>(&text, "verdicts").unwrap();
        assert_eq!((items.items.len(), items.cut), (1, true), "{word}");
    }
    let large = format!("{{\"verdicts\": [], \"reason\": \"{}\"}}", "the ".repeat(2_600_000));
    assert_eq!(verdicts(&large), Ok(vec![]), "10 MB");
    let after = format!("{} {GOOD}", "[".repeat(100_000));
    assert_eq!(verdicts(&after), Ok(vec![1, 2]));
    let before = format!("{{\"verdicts\": [{}, {}", r#"{"finding": 1, "score": 1}"#, "{\"a\":".repeat(100_000));
    assert_eq!(verdicts(&before), Ok(vec![1]));
    let many = format!("{{\"verdicts\": [{}]}}", vec![r#"{"finding": 1, "score": 1}"#; 1_000].join(","));
    assert_eq!(read::<Verdict>(&many, "verdicts").unwrap().unreadable, 800);
}

/// What a value is to the lenient reader.
fn node(value: &Value) -> Node {
    match value {
        Value::Null => Node::Null,
        Value::String(text) => Node::Text(text.clone()),
        Value::Bool(_) | Value::Number(_) => Node::Text(value.to_string()),
        Value::Array(items) => {
            Node::List(super::lenient::List { items: items.iter().map(node).collect(), more: 0, complete: true })
        }
        Value::Object(map) => Node::Object(super::Object {
            properties: map.iter().map(|(key, value)| (key.clone(), node(value))).collect(),
            complete: true,
        }),
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[\\PC\n\t\\\\\"'`{}\\[\\]:,/#]{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"\\\\{,: ]{1,8}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_text_can_be_read(text in ".{0,200}") {
        let _ = verdicts(&text);
    }

    #[test]
    fn any_text_of_punctuation_can_be_read(text in "[{}\\[\\]\"':,\\\\/*#a1\n ]{0,200}") {
        let _ = read::<RawFinding>(&text, "findings");
    }

    #[test]
    fn valid_json_is_read_as_json(value in json_value(), is_pretty in any::<bool>()) {
        let whole = json!({ "a": value });
        let text = if is_pretty { serde_json::to_string_pretty(&whole).unwrap() } else { whole.to_string() };
        prop_assert_eq!(roots(&text).collect::<Vec<_>>(), [node(&whole)], "{}", text);
    }
}
