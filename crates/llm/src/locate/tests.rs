//! Every form in which models answer, from the reply to the located lines.

use proptest::prelude::*;
use review::chunk::{Sizes, plan};
use review::{Category, Diff, Priority};
use serde_json::{Map, Value, json};

use super::quote::COMPACTED;
use super::{At, BatchIndex, Located, locate};
use crate::prompt_batch::{PromptBatch, batches};
use crate::redact::Redactor;
use crate::reply::{Evidence, Items, read};
use crate::tokens::Estimator;

const DIFF: &str = r#"--- a/src/pay.py
+++ b/src/pay.py
@@ -1,3 +1,4 @@
 total = order.total
-if order is None:
+if order.is_paid(today):
+    notify(order.customer, total)
 return total
--- a/src/tax.py
+++ b/src/tax.py
@@ -10,3 +10,3 @@
 def rate_of(code):
-    return re.match("[0-9]+", code)
+    return re.match("\d+", code)
     # The end.
"#;

fn with_batch<T>(look: impl FnOnce(&PromptBatch<'_>) -> T) -> T {
    let diff = Diff::parse(DIFF).unwrap();
    let chunks = plan(&diff, None, &Sizes::default()).chunks;
    let none = |passages: &[&[&str]]| {
        passages
            .iter()
            .map(|lines| vec![vec![]; lines.len()])
            .collect()
    };
    let redactor = Redactor::new(move |_, passages| none(passages));
    let batches = batches(&chunks, &[], &redactor, &Estimator::default(), 10_000);
    assert_eq!(batches[0].files.len(), 2);
    look(&batches[0])
}

fn placed(reply: &str) -> (Vec<Located>, Items) {
    let items: Items = read(reply).unwrap_or_default();
    let located = with_batch(|batch| {
        let index = BatchIndex::of(batch);
        items
            .items
            .iter()
            .filter_map(|raw| locate(raw, &index))
            .collect()
    });
    (located, items)
}

fn places(reply: &str) -> Vec<At> {
    placed(reply).0.iter().map(|located| located.at).collect()
}

/// Two defects: `src/pay.py` NEW:2 and `src/tax.py` NEW:11.
fn known() -> Value {
    let finding = |file: &str, line: &str, quote: &str| {
        json!({ "file": file, "line": line, "quote": quote, "priority": "P1", "category": "NULL_SAFETY",
            "summary": "An order that is absent is paid.", "fix": "Keep the check.", "evidence": "shown", "confidence": 0.8 })
    };
    let quote = r#"    return re.match("\d+", code)"#;
    json!({ "findings": [finding("src/pay.py", "NEW:2", "if order.is_paid(today):"), finding("src/tax.py", "NEW:11", quote)] })
}

const EXPECTED: [At; 2] = [(0, 0, 2), (1, 0, 2)];

/// The part of the answer that a form changes.
#[derive(Clone, Copy)]
enum Change {
    /// A property of each finding.
    Item(&'static str, fn(&str) -> Value),
    /// The JSON around the list.
    Whole(fn(Value) -> Value),
    /// The style of the JSON.
    Style(fn(&mut Style)),
    /// The text around the JSON.
    Text(fn(String) -> String),
}

use Change::{Item, Style as Written, Text, Whole};

fn with(text: &str, change: fn(&str) -> String) -> Value {
    Value::String(change(text))
}

fn digits(line: &str) -> u32 {
    line.trim_start_matches("NEW:").parse().unwrap()
}

/// The forms. `true` marks those that weaken the location of a finding; an answer tolerates only one of them.
const FORMS: &[(&str, bool, Change)] = &[
    (
        "path with a/",
        false,
        Item("file", |file| with(file, |file| format!("a/{file}"))),
    ),
    (
        "path with b/",
        false,
        Item("file", |file| with(file, |file| format!("b/{file}"))),
    ),
    (
        "path with ./",
        false,
        Item("file", |file| with(file, |file| format!("./{file}"))),
    ),
    (
        "path in back ticks",
        false,
        Item("file", |file| with(file, |file| format!("`{file}`"))),
    ),
    (
        "path in quotes",
        false,
        Item("file", |file| with(file, |file| format!("'b/{file}'"))),
    ),
    (
        "base name",
        false,
        Item("file", |file| with(file, |file| file.replace("src/", ""))),
    ),
    (
        "path from elsewhere",
        false,
        Item("file", |file| with(file, |file| format!("/repo/{file}"))),
    ),
    (
        "path with a line",
        false,
        Item("file", |file| with(file, |file| format!("{file}:42"))),
    ),
    (
        "another file",
        true,
        Item("file", |file| {
            json!(if file.contains("pay") {
                "src/tax.py"
            } else {
                "src/pay.py"
            })
        }),
    ),
    ("unknown file", true, Item("file", |_| json!("other.py"))),
    (
        "line as a number",
        false,
        Item("line", |line| json!(digits(line))),
    ),
    (
        "line as digits",
        false,
        Item("line", |line| json!(digits(line).to_string())),
    ),
    (
        "line in words",
        false,
        Item("line", |line| json!(format!("line {}", digits(line)))),
    ),
    (
        "line with L",
        false,
        Item("line", |line| json!(format!("L{}", digits(line)))),
    ),
    (
        "line range",
        false,
        Item("line", |line| {
            json!(format!("{}-{}", digits(line), digits(line) + 4))
        }),
    ),
    (
        "line range in a list",
        false,
        Item("line", |line| json!([digits(line), digits(line) + 1])),
    ),
    (
        "line with side in words",
        false,
        Item("line", |line| json!(format!("new line {}", digits(line)))),
    ),
    (
        "line of the other side",
        true,
        Item("line", |line| with(line, |line| line.replace("NEW", "OLD"))),
    ),
    ("line far off", true, Item("line", |_| json!("NEW:900"))),
    ("no line", true, Item("line", |_| Value::Null)),
    (
        "quote with a mark",
        false,
        Item("quote", |quote| with(quote, |quote| format!("+{quote}"))),
    ),
    (
        "quote with the frame",
        false,
        Item("quote", |quote| {
            with(quote, |quote| format!("NEW:7 +{quote}"))
        }),
    ),
    (
        "quote in back ticks",
        false,
        Item("quote", |quote| {
            with(quote, |quote| format!("`{}`", quote.trim()))
        }),
    ),
    (
        "quote in a fence",
        false,
        Item("quote", |quote| {
            with(quote, |quote| format!("```python\n{quote}\n```"))
        }),
    ),
    (
        "quote with other space",
        false,
        Item("quote", |quote| {
            with(quote, |quote| quote.replace('(', " ( \t"))
        }),
    ),
    (
        "quote of a piece",
        true,
        Item("quote", |quote| {
            with(quote, |quote| quote.trim()[3..].to_owned())
        }),
    ),
    (
        "quote of several lines",
        true,
        Item("quote", |quote| {
            with(quote, |quote| format!("{quote}\n    # The end."))
        }),
    ),
    (
        "quote with an ellipsis",
        true,
        Item("quote", |quote| {
            with(quote, |quote| quote[..16].to_owned() + "…")
        }),
    ),
    (
        "quote with dots inside",
        true,
        Item("quote", |quote| {
            with(quote, |quote| {
                quote
                    .replacen("r.is_paid(", "...", 1)
                    .replacen(".match(", "...", 1)
            })
        }),
    ),
    (
        "quote with a slip",
        true,
        Item("quote", |quote| {
            with(quote, |quote| {
                quote.replacen("er", "re", 1).replacen("tch", "th", 1)
            })
        }),
    ),
    ("no quote", true, Item("quote", |_| json!(""))),
    (
        "priority in a word",
        false,
        Item("priority", |_| json!("High")),
    ),
    (
        "priority with a remark",
        false,
        Item("priority", |_| json!("P1 - serious")),
    ),
    (
        "another word for the priority",
        false,
        Item("priority", |_| json!("major")),
    ),
    (
        "category in words",
        false,
        Item("category", |_| json!("Null safety")),
    ),
    (
        "another word for the category",
        false,
        Item("category", |_| json!("possible null dereference")),
    ),
    (
        "evidence in a sentence",
        false,
        Item("evidence", |_| json!("Shown on line 4.")),
    ),
    ("no evidence", false, Item("evidence", |_| Value::Null)),
    (
        "a confidence that was not requested",
        false,
        Item("confidence", |_| json!("80%")),
    ),
    ("bare list", false, Whole(list_of)),
    ("wrapped", false, Whole(|whole| json!({ "result": whole }))),
    (
        "another name",
        false,
        Whole(|whole| json!({ "issues": list_of(whole) })),
    ),
    (
        "list as a text",
        false,
        Whole(|whole| json!({ "findings": list_of(whole).to_string() })),
    ),
    (
        "trailing commas",
        false,
        Written(|style| style.is_trailing = true),
    ),
    ("single quotes", false, Written(|style| style.quote = '\'')),
    (
        "comments",
        false,
        Written(|style| style.has_comments = true),
    ),
    (
        "bare keys",
        false,
        Written(|style| style.has_bare_keys = true),
    ),
    (
        "raw line ends and tabs",
        false,
        Written(|style| style.is_raw = true),
    ),
    (
        "stray backslashes",
        false,
        Written(|style| style.is_stray = true),
    ),
    (
        "in prose",
        false,
        Text(|text| format!("I looked {{closely}} at items[0]:\n{text}\nThat's all [for now].")),
    ),
    (
        "in a fence",
        false,
        Text(|text| format!("```json\n{text}\n```")),
    ),
    (
        "after a thought",
        false,
        Text(|text| {
            format!("<think>{{\"findings\": []}} or {{\"findings\": [{{\"a\": \"</think>\n{text}")
        }),
    ),
    (
        "after a draft",
        false,
        Text(|text| format!("{{\"findings\": []}}\nNo:\n{text}")),
    ),
];

fn list_of(whole: Value) -> Value {
    whole.get("findings").cloned().unwrap_or(whole)
}

/// The style of the JSON.
struct Style {
    quote: char,
    is_trailing: bool,
    has_comments: bool,
    has_bare_keys: bool,
    is_raw: bool,
    is_stray: bool,
}

impl Style {
    fn written(&self, value: &Value) -> String {
        let end = if self.is_trailing { "," } else { "" };
        let comma = if self.has_comments {
            ", // one\n/* two */"
        } else {
            ", "
        };
        match value {
            Value::Object(map) => {
                let property = |(key, value): (&String, &Value)| {
                    format!("{}: {}", self.key(key), self.written(value))
                };
                format!(
                    "{{{}{end}}}",
                    map.iter().map(property).collect::<Vec<_>>().join(comma)
                )
            }
            Value::Array(items) if items.is_empty() => "[]".to_owned(),
            Value::Array(items) => {
                format!(
                    "[{}{end}]",
                    items
                        .iter()
                        .map(|item| self.written(item))
                        .collect::<Vec<_>>()
                        .join(comma)
                )
            }
            Value::String(text) => self.text(text),
            Value::Null if self.quote == '\'' => "None".to_owned(),
            other => other.to_string(),
        }
    }

    fn key(&self, key: &str) -> String {
        if self.has_bare_keys {
            key.to_owned()
        } else {
            self.text(key)
        }
    }

    fn text(&self, text: &str) -> String {
        let (text, quote) = (
            if self.is_raw {
                text.replace(" is", "\n\tis")
            } else {
                text.to_owned()
            },
            self.quote,
        );
        let text = text
            .replace('\\', "\\\\")
            .replace(quote, &format!("\\{quote}"));
        let text = if self.is_raw {
            text
        } else {
            text.replace('\n', "\\n").replace('\t', "\\t")
        };
        format!(
            "{quote}{}{quote}",
            if self.is_stray {
                text.replace("\\\\d", "\\d")
            } else {
                text
            }
        )
    }
}

fn answer(forms: &[Change]) -> String {
    let mut whole = known();
    let mut style = Style {
        quote: '"',
        is_trailing: false,
        has_comments: false,
        has_bare_keys: false,
        is_raw: false,
        is_stray: false,
    };
    for item in whole["findings"].as_array_mut().unwrap() {
        let item: &mut Map<String, Value> = item.as_object_mut().unwrap();
        for form in forms {
            if let Item(name, change) = form {
                item[*name] = change(item[*name].as_str().unwrap_or_default());
            }
        }
    }
    for form in forms {
        match form {
            Whole(change) => whole = change(whole),
            Written(change) => change(&mut style),
            Item(..) | Text(_) => {}
        }
    }
    let text = style.written(&whole);
    forms.iter().fold(text, |text, form| {
        if let Text(change) = form {
            change(text)
        } else {
            text
        }
    })
}

#[test]
fn each_form_is_read_like_the_plain_one() {
    let plain = placed(&answer(&[])).0;
    assert_eq!(
        plain.iter().map(|located| located.at).collect::<Vec<_>>(),
        EXPECTED
    );
    let faults: Vec<String> = FORMS
        .iter()
        .filter_map(|(name, _, form)| {
            let reply = answer(&[*form]);
            let (located, items) = placed(&reply);
            (located != plain || items.unreadable > 0 || items.cut)
                .then(|| format!("{name}: {reply}\n{located:?}"))
        })
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {}\n{}",
        faults.len(),
        FORMS.len(),
        faults.join("\n\n")
    );
}

/// Two forms of the same property would cancel each other out.
fn field(form: &Change) -> &'static str {
    match form {
        Item(name, _) => name,
        Whole(_) => "",
        Written(_) => "written",
        Text(_) => "text",
    }
}

proptest! {
    #[test]
    fn any_three_forms_together_are_read_like_the_plain_one(picks in prop::sample::subsequence((0..FORMS.len()).collect::<Vec<_>>(), 3)) {
        let forms: Vec<_> = picks.iter().map(|at| FORMS[*at]).collect();
        let weak = forms.iter().filter(|(_, is_weak, _)| *is_weak).count();
        let properties: Vec<_> = forms.iter().filter(|(_, _, form)| matches!(form, Item(..))).map(|(_, _, form)| field(form)).collect();
        let is_twice = (1..properties.len()).any(|at| properties[..at].contains(&properties[at]));
        prop_assume!(weak < 2 && !is_twice);
        let changes: Vec<Change> = forms.iter().map(|(_, _, form)| *form).collect();
        let reply = answer(&changes);
        let names: Vec<_> = forms.iter().map(|(name, ..)| *name).collect();
        prop_assert_eq!(placed(&reply).0, placed(&answer(&[])).0, "{:?}: {}", names, reply);
    }
}

fn one(change: impl FnOnce(&mut Value)) -> String {
    let mut finding = known()["findings"][0].clone();
    change(&mut finding);
    json!({ "findings": [finding] }).to_string()
}

#[test]
fn a_finding_with_an_ambiguous_location_is_not_placed() {
    let cases: [(&str, Value, Value, Value); 7] = [
        (
            "a quote that occurs nowhere",
            json!("src/pay.py"),
            json!("NEW:2"),
            json!("if something else:"),
        ),
        (
            "no quote, and no such line",
            json!("src/pay.py"),
            json!("NEW:900"),
            json!(""),
        ),
        (
            "no quote, and no line",
            json!("src/pay.py"),
            json!(""),
            json!(""),
        ),
        (
            "no quote, and an unknown file",
            json!("other.py"),
            json!("NEW:2"),
            json!(""),
        ),
        (
            "no quote, and no file",
            json!(""),
            json!("NEW:2"),
            json!("..."),
        ),
        (
            "too short for a piece",
            json!("src/pay.py"),
            json!("NEW:2"),
            json!("order."),
        ),
        (
            "too many slips",
            json!("src/pay.py"),
            json!("NEW:2"),
            json!("if odrer.is_piad(tomorrow):"),
        ),
    ];
    for (name, file, line, quote) in cases {
        let reply = one(|finding| {
            (finding["file"], finding["line"], finding["quote"]) = (file, line, quote);
        });
        assert_eq!(places(&reply), [], "{name}");
    }
}

#[test]
fn a_line_without_a_quote_is_searched_on_the_stated_side() {
    for (line, expected) in [
        ("OLD:2", (0, 0, 1)),
        ("NEW:2", (0, 0, 2)),
        ("2", (0, 0, 2)),
        ("OLD:3", (0, 0, 4)),
        ("removed line 2", (0, 0, 1)),
    ] {
        let reply = one(|finding| (finding["line"], finding["quote"]) = (json!(line), json!(null)));
        assert_eq!(places(&reply), [expected], "{line}");
    }
    let sided = one(|finding| {
        (finding["line"], finding["side"], finding["quote"]) =
            (json!(2), json!("LEFT"), json!(null));
    });
    assert_eq!(places(&sided), [(0, 0, 1)]);
}

#[test]
fn alternative_property_names_are_recognized() {
    let reply = r#"[{"filePath": "src/pay.py", "lineNumber": 2, "severity": "critical", "message": "It fails.",
        "suggestion": "Keep it.", "type": "bug"}]"#;
    let [located] = placed(reply).0.try_into().unwrap();
    assert_eq!(
        (located.at, located.priority, located.category),
        ((0, 0, 2), Priority::P0, Category::LogicBug)
    );
    assert_eq!(
        (located.fix.as_deref(), located.evidence),
        (Some("Keep it."), Evidence::Shown)
    );
    let nested = r#"{"issues": [{"location": {"path": "src/pay.py", "start": {"line": 2}}, "description": "It fails."}]}"#;
    assert_eq!(places(nested), [(0, 0, 2)]);
}

#[test]
fn unknown_words_have_a_default_meaning() {
    let reply =
        one(|finding| (finding["priority"], finding["category"]) = (json!("soon"), json!("weird")));
    let [located] = placed(&reply).0.try_into().unwrap();
    assert_eq!(
        (located.priority, located.category),
        (Priority::P2, Category::LogicBug)
    );
    for (word, priority) in [
        ("critical", Priority::P0),
        ("Blocker", Priority::P0),
        ("severity: HIGH", Priority::P1),
        ("medium", Priority::P2),
        ("low", Priority::P3),
        ("minor", Priority::P3),
        ("", Priority::P2),
    ] {
        let reply = one(|finding| finding["priority"] = json!(word));
        assert_eq!(placed(&reply).0[0].priority, priority, "{word}");
    }
    for (word, category) in [
        ("SQL injection", Category::Security),
        ("raceCondition", Category::Concurrency),
        ("logic error", Category::LogicBug),
        ("hardcoded-credentials", Category::SecretExposure),
        ("error_handling", Category::ErrorHandling),
        ("style", Category::Maintainability),
    ] {
        let reply = one(|finding| finding["category"] = json!(word));
        assert_eq!(placed(&reply).0[0].category, category, "{word}");
    }
}

#[test]
fn complete_findings_of_a_truncated_answer_are_kept() {
    let text = answer(&[]);
    let first = text.find("}, {").unwrap() + 1;
    for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
        let Ok(items) = read(&text[..end]) else {
            continue;
        };
        let complete = if end < first {
            0
        } else {
            1 + usize::from(end >= text.len() - 2)
        };
        assert_eq!(
            (items.items.len(), items.unreadable),
            (complete, 0),
            "{}",
            &text[..end]
        );
        assert_eq!(items.cut, end < text.len() - 1, "{}", &text[..end]);
    }
}

#[test]
fn hostile_quotes_and_numbers_are_bounded() {
    for quote in [
        "(".repeat(1_000_000),
        "a\n".repeat(100_000),
        "…".repeat(100_000),
        "`".repeat(100_000),
    ] {
        assert_eq!(
            places(&one(|finding| finding["quote"] = json!(quote))).len(),
            usize::from(!quote.contains(['(', 'a']))
        );
    }
    assert_eq!(
        places(&one(|finding| finding["line"] = json!("9".repeat(100_000)))),
        [(0, 0, 2)]
    );
}

#[test]
fn lines_are_prepared_once_for_all_findings() {
    let items: Items = read(&known().to_string()).unwrap();
    let count = |findings: usize| {
        with_batch(|batch| {
            COMPACTED.set(0);
            let index = BatchIndex::of(batch);
            let lines = COMPACTED.get();
            let found = items
                .items
                .iter()
                .cycle()
                .take(findings)
                .filter(|raw| locate(raw, &index).is_some());
            assert_eq!(found.count(), findings);
            (lines, COMPACTED.get() - lines)
        })
    };
    let (lines, quotes) = count(2);
    assert_eq!(lines, with_batch(|batch| batch.lines().count()));
    assert_eq!(
        count(200),
        (lines, 100 * quotes),
        "each finding prepares only its own quote"
    );
}
