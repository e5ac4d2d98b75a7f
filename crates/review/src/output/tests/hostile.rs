//! Hostile text in a diff adds no structure to any format: each output is parsed again and contains exactly the same
//! values.

use std::borrow::Cow;

use proptest::prelude::{Just, Strategy, any, prop_oneof, proptest};
use proptest::{collection, sample::select};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

use super::readers;
use super::{Format, View, subject};
use crate::diff::{Diff, FileDiff, Status};
use crate::output::json::{FindingBody, ReviewBody, WarningBody};
use crate::output::samples;
use crate::output::text::{plain, scrub};
use crate::visible::visible;

const PIECES: &[&str] = &[
    "-->", "<!--", "]]>", "<![CDATA[", "</failure>", "\" x=\"", "'", "&lt;", "&#0;", "::error::x",
    "\n::error file=x::y", "%0A", "%25", "%", ",", ":", "\u{1b}[31m", "\u{202e}", "\u{2066}", "|",
    "\n| a | b |\n|---|---|\n", "`", "``", "```\n", "~~~\n", "</script>", "<script>", "</details>",
    "\n", "\r", "\r\n", "\n\n", "\t", "    ", "\\", "\u{0}", "\u{7f}", "\u{85}", "\u{fffe}",
    "\u{2028}", "\u{9b}31m", "\u{61c}", "\u{200e}", "::set-output name=x::y", "*", "_", "**", "# ",
    "- ", "1. ", "> ", "---", "===", "[x](http://e.example)", "![x](y)", "<http://e.example>",
    "https://e.example", "www.e.example", "@all", "#1", ":bug:", "$x$", "[^1]", "[^1]: x", "://",
    "//", "../", "##[error]", "##vso[task.setvariable]", "{0}", "\"", "a", " ", "é", "😀",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => select(PIECES).prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
    collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn finding() -> impl Strategy<Value = FindingBody> {
    let rule = prop_oneof![Just(None), text().prop_map(Some)];
    (
        text(),
        text(),
        prop_oneof![Just(None), text().prop_map(Some)],
        rule,
    )
        .prop_map(|(path, summary, fix, rule)| {
            let file_path = if path.is_empty() {
                "a".to_owned()
            } else {
                path
            };
            let mut finding = FindingBody {
                file_path,
                summary,
                suggested_fix: fix,
                rule_id: rule,
                ..samples::finding()
            };
            finding
                .related_locations
                .iter_mut()
                .for_each(|place| place.file_path.clone_from(&finding.file_path));
            finding
        })
}

fn warning() -> impl Strategy<Value = WarningBody> {
    (
        text(),
        text(),
        prop_oneof![Just(None), text().prop_map(Some)],
    )
        .prop_map(|(code, message, file_path)| WarningBody {
            code,
            message,
            file_path,
            model_only: false,
        })
}

fn body() -> impl Strategy<Value = ReviewBody> {
    (
        collection::vec(finding(), 0..3),
        collection::vec(warning(), 0..3),
    )
        .prop_map(|(findings, warnings)| {
            let mut body = samples::body(findings);
            body.metadata.warnings = warnings;
            body
        })
}

fn diff_of(body: &ReviewBody) -> Diff<'_> {
    let file = |finding: &FindingBody| FileDiff {
        old_path: None,
        new_path: Some(Cow::Owned(finding.file_path.clone())),
        status: Status::Added,
        old_mode: None,
        new_mode: None,
        binary: false,
        is_unshown: false,
        is_test: None,
        hunks: Vec::new(),
    };
    Diff {
        files: body.findings.iter().map(file).collect(),
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn assert_json(body: &ReviewBody, text: &str) {
    assert_eq!(serde_json::from_str::<ReviewBody>(text).unwrap(), *body);
}

fn assert_sarif(body: &ReviewBody, text: &str) {
    let log = parsed(text);
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), body.findings.len());
    for (result, finding) in results.iter().zip(&body.findings) {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            .as_str()
            .unwrap();
        assert_eq!(readers::path_of(uri), finding.file_path);
        let message = result["message"]["text"].as_str().unwrap();
        assert!(
            message.starts_with(&scrub(&finding.summary).replace("](", "] ("))
                && !message.contains("](")
        );
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(
            run["tool"]["driver"]["rules"][index]["id"],
            result["ruleId"]
        );
    }
    let notifications = run["invocations"][0]["toolExecutionNotifications"]
        .as_array()
        .unwrap();
    assert_eq!(notifications.len(), body.metadata.warnings.len());
}

fn assert_gitlab(body: &ReviewBody, text: &str) {
    let issues = parsed(text);
    assert_eq!(issues.as_array().unwrap().len(), body.findings.len());
    for (issue, finding) in issues.as_array().unwrap().iter().zip(&body.findings) {
        assert_eq!(issue["location"]["path"], finding.file_path.as_str());
        assert!(
            issue["description"]
                .as_str()
                .unwrap()
                .starts_with(&scrub(&finding.summary))
        );
    }
}

fn assert_rdjsonl(body: &ReviewBody, text: &str) {
    let lines: Vec<Value> = text.split_terminator('\n').map(parsed).collect();
    assert_eq!(lines.len(), body.findings.len());
    for (line, finding) in lines.iter().zip(&body.findings) {
        assert_eq!(line["location"]["path"], finding.file_path.as_str());
    }
}

fn assert_github(body: &ReviewBody, text: &str) {
    let lines: Vec<&str> = text.split_terminator('\n').collect();
    assert_eq!(
        lines.len(),
        body.findings.len() + body.metadata.warnings.len()
    );
    for (line, finding) in lines.iter().zip(&body.findings) {
        let (kind, properties, message) = readers::github(line);
        assert_eq!(
            (kind.as_str(), properties.len(), properties["line"].as_str()),
            ("error", 6, "1")
        );
        assert_eq!(properties["file"], scrub(&finding.file_path));
        let fix = finding
            .suggested_fix
            .as_deref()
            .map(|fix| format!("\nFix: {fix}"))
            .unwrap_or_default();
        let also = format!("\n(also at {}:2)", finding.file_path);
        assert_eq!(message, scrub(&format!("{}{fix}{also}", finding.summary)));
    }
    assert!(
        lines
            .iter()
            .skip(body.findings.len())
            .all(|line| !readers::github(line).1["title"].is_empty())
    );
}

fn assert_junit(body: &ReviewBody, text: &str) {
    let document = roxmltree::Document::parse(text).unwrap();
    let known = [
        "testsuites", "testsuite", "testcase", "failure", "skipped", "system-out", "system-err",
    ];
    let elements = || document.descendants().filter(roxmltree::Node::is_element);
    assert!(elements().all(|element| known.contains(&element.tag_name().name())));
    assert!(
        document
            .descendants()
            .all(|node| !node.is_comment() && !node.is_pi())
    );
    let cases: Vec<_> = elements()
        .filter(|element| element.has_tag_name("testcase"))
        .collect();
    let names: Vec<_> = cases
        .iter()
        .filter_map(|case| case.attribute("name"))
        .collect();
    for finding in &body.findings {
        // XML cannot represent these two characters.
        let writable = |text: &str| scrub(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
        assert!(names.contains(&&*writable(&finding.file_path)), "{names:?}");
        let summary = writable(&finding.summary);
        let failures = elements().filter(|element| element.has_tag_name("failure"));
        assert!(
            failures
                .filter_map(|failure| failure.text())
                .any(|text| text.contains(&summary)),
            "{summary:?}"
        );
    }
}

fn assert_markdown(body: &ReviewBody, text: &str) {
    let mut entries = 0;
    let (mut rendered, mut html) = (String::new(), String::new());
    for event in Parser::new_ext(text, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
        match event {
            Event::Start(Tag::Item) => entries += 1,
            Event::Text(text) | Event::Code(text) => rendered.push_str(&text),
            Event::Html(text) => html.push_str(&text),
            Event::Start(
                Tag::Heading { .. }
                | Tag::List(None)
                | Tag::Strong
                | Tag::Paragraph
                | Tag::HtmlBlock,
            ) => {}
            Event::End(_) | Event::SoftBreak | Event::HardBreak => {}
            other => panic!("{other:?} in {text}"),
        }
    }
    assert_eq!(
        entries,
        body.findings.len() + body.metadata.warnings.len(),
        "{text}"
    );
    let own: [&str; 3] = ["<details><summary>", " notes</summary>\n", "</details>\n"];
    let stripped = own
        .iter()
        .fold(html.replace("1 note</", "1 notes</"), |html, tag| {
            html.replace(tag, "")
        });
    assert!(stripped.chars().all(|c| c.is_ascii_digit()), "{html}");
    for finding in &body.findings {
        let bare = |text: &str| text.replace(['\u{200b}', '`', ' ', '\u{0}'], "");
        assert!(
            bare(&rendered).contains(&bare(&plain(&finding.summary))),
            "{:?}\n{rendered:?}\n{text}",
            finding.summary
        );
    }
}

fn assert_agent(body: &ReviewBody, text: &str) {
    let lines: Vec<&str> = text.split_terminator('\n').collect();
    assert!(
        lines.len() > body.findings.len()
            && lines.len() <= body.findings.len() + body.metadata.warnings.len() + 1
    );
    for (line, finding) in lines.iter().zip(&body.findings) {
        assert_eq!(
            line.split('\t').count(),
            5 + usize::from(finding.suggested_fix.is_some()),
            "{line}"
        );
        assert!(!line.trim_start().starts_with("::"), "{line}");
    }
}

/// Output for a terminal or a log contains nothing that either of them interprets.
fn assert_inert(format: Format, text: &str) {
    // Markdown output contains zero-width spaces to prevent mentions.
    let acts = |c: char| !matches!(c, '\n' | '\t' | '\u{200b}') && visible(c) != c;
    assert!(!text.contains(acts), "{format}: {text:?}");
    assert!(
        !text.contains("##[") && !text.contains("##vso["),
        "{format}: {text:?}"
    );
    let has_command = text.lines().any(|line| line.trim_start().starts_with("::"));
    assert!(
        format == Format::Github || !has_command,
        "{format}: {text:?}"
    );
}

fn assert_all(body: &ReviewBody) {
    let diff = diff_of(body);
    for format in Format::ALL {
        let text = format.render(&subject(body, &diff), View::default());
        match format {
            Format::Pretty => {}
            Format::Json => assert_json(body, &text),
            Format::Sarif => assert_sarif(body, &text),
            Format::Github => assert_github(body, &text),
            Format::Gitlab => assert_gitlab(body, &text),
            Format::Rdjsonl => assert_rdjsonl(body, &text),
            Format::Markdown => assert_markdown(body, &text),
            Format::Junit => assert_junit(body, &text),
            Format::Agent => assert_agent(body, &text),
        }
        assert_inert(*format, &text);
    }
}

proptest! {
    #[test]
    fn no_text_breaks_out_of_a_format(body in body()) {
        assert_all(&body);
    }
}

#[test]
fn each_hostile_piece_alone_stays_inside() {
    for piece in PIECES {
        let mut related_locations = samples::finding().related_locations;
        related_locations
            .iter_mut()
            .for_each(|place| place.file_path = (*piece).to_owned());
        let mut body = samples::body(vec![FindingBody {
            related_locations,
            file_path: (*piece).to_owned(),
            summary: (*piece).to_owned(),
            suggested_fix: Some((*piece).to_owned()),
            rule_id: Some((*piece).to_owned()),
            ..samples::finding()
        }]);
        let whole = samples::warning(piece, piece);
        body.metadata.warnings = vec![
            WarningBody {
                file_path: Some((*piece).to_owned()),
                ..whole.clone()
            },
            whole,
        ];
        assert_all(&body);
    }
}
