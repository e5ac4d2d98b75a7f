use proptest::prelude::*;
use serde_json::{Value, json};

use super::lenient::{Node, roots};
use super::{Items, Objection, RawFinding, Selected, read};

fn checks(text: &str) -> Result<Vec<usize>, &'static str> {
    read::<Objection>(text, "checks").map(|items| items.items.iter().map(|check| check.finding).collect())
}

const GOOD: &str =
    r#"{"checks": [{"finding": 1, "reason": "{", "verdict": "stands"}, {"finding": 2, "verdict": "stands"}]}"#;

#[test]
fn an_object_is_found_whatever_stands_around_it() {
    for text in [
        GOOD.to_owned(),
        format!("Here you are: {{as asked}}\n```json\n{GOOD}\n```\nAnything else?"),
        format!("<think>{{\"a\": 1}} hm</think>{GOOD}"),
        format!("Let me see: {{\"checks\": [{{\"finding\": 3, \"verdict\": \"stands\"}}]}}.\n</think>{GOOD}"),
        format!("{{{{{{ {GOOD}"),
        json!(GOOD).to_string(),
    ] {
        assert_eq!(checks(&text), Ok(vec![1, 2]), "{text}");
    }
}

#[test]
fn a_check_has_the_forms_of_a_finding() {
    let text = "[{finding: '#1', verdict: 'Refuted.'}, {'finding': \"2\", 'verdict': \"not refuted\",}, {\"id\": 3, \"refuted\": true}]";
    let items = read::<Objection>(text, "checks").unwrap();
    let verdicts: Vec<(usize, bool)> = items.items.iter().map(|check| (check.finding, check.is_refuted)).collect();
    assert_eq!((verdicts, items.unreadable), (vec![(1, true), (2, false), (3, true)], 0));
}

#[test]
fn what_was_chosen_is_read_in_its_order_as_numbers_or_objects() {
    for text in [
        r#"{"considered": [{"finding": 1, "reason": "7 of 9"}], "selected": [3, 1]}"#,
        r##"{"files": [{"file": "a1.py"}], "findings": [], "selected": ["3", "#1"], "checks": []}"##,
        r#"{"selection": [{"id": "finding 3"}, {"id": 1}], "selected": [{"finding": 3}, {"finding": 1}]}"#,
        "I choose these:\n```json\n[3, 1]\n```",
    ] {
        let numbers: Vec<usize> = read::<Selected>(text, "selected").unwrap().items.iter().map(|one| one.0).collect();
        assert_eq!(numbers, [3, 1], "{text}");
    }
    assert!(read::<Selected>(r#"{"selected": []}"#, "selected").unwrap().items.is_empty());
    assert!(read::<Selected>(r#"{"considered": [{"finding": 1, "reason": "r"}]}"#, "selected").is_err());
}

#[test]
fn what_holds_no_list_is_a_fault_that_the_model_is_told() {
    for text in ["", "No defects.", r#"{"checks": "none"}"#, "[[[[", "{{{{", "{}", "The list [] is empty.", "[1, 2]"] {
        assert!(checks(text).is_err(), "{text}");
    }
    for text in [r#"{"checks": []}"#, "[]", "```json\n[ ]\n```", r#"{"result": {"checks": None}}"#] {
        assert_eq!(checks(text), Ok(vec![]), "{text}");
    }
}

#[test]
fn an_item_that_cannot_be_read_costs_itself_only() {
    let text = r#"{"checks": [{"finding": "x", "verdict": "stands"}, {"finding": 2, "verdict": "stands"}, 7]}"#;
    let Items { items, unreadable, cut } = read::<Objection>(text, "checks").unwrap();
    assert_eq!((items.len(), unreadable, cut), (1, 2, false));
}

#[test]
fn the_complete_items_of_a_list_that_was_cut_are_kept() {
    let first = GOOD.find("}, {").unwrap() + 1;
    for end in first..GOOD.len() - 2 {
        let items = read::<Objection>(&GOOD[..end], "checks").unwrap();
        assert!(items.cut && items.items.len() == 1, "{end}: {items:?}");
    }
    let draft = format!("{GOOD}\nOnce more: {}", &GOOD[..70]);
    let items = read::<Objection>(&draft, "checks").unwrap();
    assert!(items.cut && items.items.len() == 2, "the complete one counts, and there may be more: {items:?}");
    let thought = format!("<think>{GOOD}");
    assert!(read::<Objection>(&thought, "checks").unwrap().cut, "a draft is no answer");
}

#[test]
fn a_single_item_and_items_a_line_each_are_read_without_a_list() {
    let line = |finding: usize| format!("{{\"finding\": {finding}, \"verdict\": \"stands\"}}\n");
    assert_eq!(checks(&line(1)), Ok(vec![1]));
    assert_eq!(checks(&(line(1) + &line(2))), Ok(vec![1, 2]));
    assert!(read::<Objection>(&(line(1) + "{\"finding\": 2, \"verdict\": \"stands\""), "checks").unwrap().cut);
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
        let text = format!("{{\"checks\": [{}, \"{}", r#"{"finding": 1, "verdict": "stands"}"#, word.repeat(300_000));
        let items = read::<Objection>(&text, "checks").unwrap();
        assert_eq!((items.items.len(), items.cut), (1, true), "{word}");
    }
    let large = format!("{{\"checks\": [], \"reason\": \"{}\"}}", "the ".repeat(2_600_000));
    assert_eq!(checks(&large), Ok(vec![]), "10 MB");
    let after = format!("{} {GOOD}", "[".repeat(100_000));
    assert_eq!(checks(&after), Ok(vec![1, 2]));
    let before = format!("{{\"checks\": [{}, {}", r#"{"finding": 1, "verdict": "stands"}"#, "{\"a\":".repeat(100_000));
    assert_eq!(checks(&before), Ok(vec![1]));
    let many = format!("{{\"checks\": [{}]}}", vec![r#"{"finding": 1, "verdict": "stands"}"#; 1_000].join(","));
    assert_eq!(read::<Objection>(&many, "checks").unwrap().unreadable, 800);
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
        let _ = checks(&text);
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
