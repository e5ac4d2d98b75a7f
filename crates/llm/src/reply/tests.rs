use proptest::prelude::*;
use serde_json::{Value, json};

use super::lenient::{Node, roots};
use super::{Items, read};

/// The lines of the findings in a reply.
fn lines(text: &str) -> Result<Vec<String>, &'static str> {
    read(text).map(|items| {
        items
            .items
            .iter()
            .map(|one| one.line.trim().to_owned())
            .collect()
    })
}

fn both() -> Result<Vec<String>, &'static str> {
    Ok(vec!["1".to_owned(), "2".to_owned()])
}

const GOOD: &str =
    r#"{"findings": [{"line": 1, "scenario": "{", "summary": "a"}, {"line": 2, "summary": "b"}]}"#;

#[test]
fn an_object_is_found_in_any_surrounding_text() {
    for text in [
        GOOD.to_owned(),
        format!("Here you are: {{as asked}}\n```json\n{GOOD}\n```\nAnything else?"),
        format!("<think>{{\"a\": 1}} hm</think>{GOOD}"),
        format!(
            "Let me see: {{\"findings\": [{{\"line\": 3, \"summary\": \"c\"}}]}}.\n</think>{GOOD}"
        ),
        format!("{{{{{{ {GOOD}"),
    ] {
        assert_eq!(lines(&text), both(), "{text}");
    }
}

#[test]
fn the_forms_that_models_write_are_read() {
    for text in [
        r#"{"findings": [{"line": 1, "summary": "a",}, {"line": 2, "summary": "b",},],}"#,
        "{'findings': [{'line': 1, 'summary': 'it isn\\'t'}, {'line': 2, 'summary': 'say \"b\"'}]}",
        "{findings: [{line: 1, summary: 'a', fix: None}, {line: 2, summary: 'b', is_new: True}]}",
        "[{\"line\": 1, \"summary\": \"a\nb\"}, {\"line\": 2, \"summary\": \"C:\\dir\"}]",
        r#"{"issues": [{"line_number": 1, "message": "a"}, {"line": 2, "severity": "high", "description": "b"}]}"#,
        r#"{"result": {"review": {"findings": [{"line": 1, "summary": "a"}, {"line": 2, "summary": "b"}]}}}"#,
        r#"{"findings": [{"location": {"line": 1}, "summary": "a"}, {"start": {"line": 2}, "summary": "b"}]}"#,
        "{\"line\": 1, \"summary\": \"a\"}\n{\"line\": 2, \"summary\": \"b\"}\n",
    ] {
        assert_eq!(lines(text), both(), "{text}");
    }
}

#[test]
fn escapes_are_resolved_and_invalid_ones_are_kept() {
    let text = r#"{"findings": [{"line": 1, "summary": "\u00e9\ud83d\ude00\t\"x\"", "quote": "C:\dir \d+ \u12"}]}"#;
    let items = read(text).unwrap().items;
    assert_eq!(
        (items[0].summary.as_str(), items[0].quote.as_str()),
        ("é😀\t\"x\"", r"C:\dir \d+ \u12")
    );
}

#[test]
fn a_reply_without_a_list_is_an_error_for_the_model() {
    for text in [
        "", "No defects.", r#"{"findings": "none"}"#, "[[[[", "{{{{", "{}",
        "The list [] is empty.", "[1, 2]",
    ] {
        assert!(lines(text).is_err(), "{text}");
    }
    for text in [
        r#"{"findings": []}"#, "[]", "```json\n[ ]\n```", r#"{"result": {"findings": None}}"#,
    ] {
        assert_eq!(lines(text), Ok(vec![]), "{text}");
    }
}

#[test]
fn an_unreadable_item_does_not_affect_others() {
    let text = r#"{"findings": [{"line": 1, "priority": "P1"}, {"line": 2, "summary": "b"}, 7]}"#;
    let Items {
        items,
        unreadable,
        cut,
        ..
    } = read(text).unwrap();
    assert_eq!((items.len(), unreadable, cut), (1, 2, false));
}

#[test]
fn the_complete_items_of_a_list_that_was_cut_are_kept() {
    let first = GOOD.find("}, {").unwrap() + 1;
    for end in first..GOOD.len() - 2 {
        let items = read(&GOOD[..end]).unwrap();
        assert!(items.cut && items.items.len() == 1, "{end}: {items:?}");
    }
    let draft = format!("{GOOD}\nOnce more: {}", &GOOD[..70]);
    let items = read(&draft).unwrap();
    assert!(
        items.cut && items.items.len() == 2,
        "the complete list counts, and there may be more items: {items:?}"
    );
    let thought = format!("<think>{GOOD}");
    assert!(read(&thought).unwrap().cut, "a draft is not an answer");
    let single = "{\"line\": 1, \"summary\": \"a\"}\n{\"line\": 2, \"summary\": \"b\"";
    assert!(read(single).unwrap().cut);
}

#[test]
fn quotes_that_were_not_escaped_do_not_end_a_text() {
    let text = r#"{"findings": [{"line": 1, "summary": "It prints "a", b and "c" there", "quote": "say("a", "b")", "fix": ""}]}"#;
    let items = read(text).unwrap();
    assert_eq!(items.items[0].quote, r#"say("a", "b")"#);
    assert_eq!(items.items[0].summary, r#"It prints "a", b and "c" there"#);
}

#[test]
fn a_deep_or_endless_reply_does_no_harm() {
    const ONE: &str = r#"{"line": 1, "summary": "a"}"#;
    for part in [
        "{\"a\":", "{", "[", "{ ", "{a:", "[{\"findings\":[", "{\"", "{/*", "{'", "a/**/",
        "{a:b/**/", "[\"\\", "\"{", "{\"findings\":\"",
    ] {
        let text = part.repeat(1024 * 1024 / part.len());
        let items = read(&text).unwrap_or_default();
        assert_eq!(items.items, [], "{part}");
    }
    for word in ["the ", "\\\"", "\",", "\" ", "1,", "[],", "{},"] {
        let text = format!("{{\"findings\": [{ONE}, \"{}", word.repeat(300_000));
        let items = read(&text).unwrap();
        assert_eq!((items.items.len(), items.cut), (1, true), "{word}");
    }
    let large = format!(
        "{{\"findings\": [], \"reason\": \"{}\"}}",
        "the ".repeat(2_600_000)
    );
    assert_eq!(lines(&large), Ok(vec![]), "10 MB");
    let after = format!("{} {GOOD}", "[".repeat(100_000));
    assert_eq!(lines(&after), both());
    let before = format!("{{\"findings\": [{ONE}, {}", "{\"a\":".repeat(100_000));
    assert_eq!(lines(&before), Ok(vec!["1".to_owned()]));
    let many = format!("{{\"findings\": [{}]}}", vec![ONE; 1_000].join(","));
    assert_eq!(read(&many).unwrap().unreadable, 800);
}

/// The value as the lenient reader represents it.
fn node(value: &Value) -> Node {
    match value {
        Value::Null => Node::Null,
        Value::String(text) => Node::Text(text.clone()),
        Value::Bool(_) | Value::Number(_) => Node::Text(value.to_string()),
        Value::Array(items) => Node::List(super::lenient::List {
            items: items.iter().map(node).collect(),
            more: 0,
            complete: true,
        }),
        Value::Object(map) => Node::Object(super::lenient::Object {
            properties: map
                .iter()
                .map(|(key, value)| (key.clone(), node(value)))
                .collect(),
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
        let _ = lines(&text);
    }

    #[test]
    fn any_text_of_punctuation_can_be_read(text in "[{}\\[\\]\"':,\\\\/*#a1\n ]{0,200}") {
        let _ = lines(&text);
    }

    #[test]
    fn valid_json_is_read_as_json(value in json_value(), is_pretty in any::<bool>()) {
        let whole = json!({ "a": value });
        let text = if is_pretty { serde_json::to_string_pretty(&whole).unwrap() } else { whole.to_string() };
        prop_assert_eq!(roots(&text).collect::<Vec<_>>(), [node(&whole)], "{}", text);
    }
}

#[test]
fn a_reply_that_is_one_json_string_is_unwrapped_once() {
    let once = json!(GOOD).to_string();
    assert_eq!(lines(&format!(" {once}\n")), both());
    let decisions = json!(r#"{"kept": [{"candidate": "1"}]}"#).to_string();
    assert_eq!(super::read_decisions(&decisions).unwrap().kept.len(), 1);
}
