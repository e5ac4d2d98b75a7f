use review::Diff;
use review::output::json::ReviewBody;
use serde_json::{Value, json};

use super::review_page;
use crate::paging::Page;
use crate::tools::ToolName::ReviewDiff;

#[path = "../../../review/src/output/tests/properties.rs"]
mod properties;

/// Number of items of each list, in page order.
type Counts = [usize; 4];

fn finding(name: &str, text: &str) -> Value {
    json!({
        "filePath": "src/cart.py", "lineNumber": 4, "lineSide": "NEW", "oldLineNumber": null,
        "hunkHeader": format!("@@ -1,2 +1,6 @@ {text}"), "priority": "P2", "category": "LOGIC_BUG",
        "summary": text, "suggestedFix": text, "ruleId": "python/x", "fingerprint": name, "confidence": 0.74,
        "startColumn": 1, "endLine": 4, "endColumn": 9, "relatedLocations": [{ "filePath": text, "lineNumber": 1, "lineSide": "NEW" }],
        "replacement": { "startLine": 4, "startColumn": 1, "endLine": 4, "endColumn": 9, "text": text },
    })
}

fn review(counts: Counts, text: &str) -> ReviewBody {
    let [findings, suppressed, warnings, tests] = counts;
    let suppression = json!({ "lineNumber": 3, "reason": text });
    let suppressed = (0..suppressed)
        .map(|n| json!({ "finding": finding(&format!("s{n}"), text), "suppression": suppression }))
        .collect::<Vec<_>>();
    // The first half is about reviewed code.
    let warning = |n| {
        let code = if n < warnings / 2 {
            "FINDINGS_MERGED"
        } else {
            "CHUNK_FAILED"
        };
        json!({ "code": code, "message": format!("w{n}"), "filePath": text })
    };
    let body = json!({
        "requestId": "r", "clientReference": null,
        "findings": (0..findings).map(|n| finding(&format!("f{n}"), text)).collect::<Vec<_>>(),
        "metadata": {
            "processingMs": 1, "chunksAnalyzed": 1, "engines": ["rules"], "model": null,
            "tokenUsage": { "promptTokens": 0, "completionTokens": 0, "totalTokens": 0, "estimated": false },
            "warnings": (0..warnings).map(warning).collect::<Vec<_>>(),
            "testFiles": (0..tests).map(|n| format!("t{n}")).collect::<Vec<_>>(),
            "suppressedFindings": suppressed,
        },
    });
    serde_json::from_value(body).unwrap()
}

/// The names of the items on a page, and what remains: the cursor, the total, and the counts per list.
fn names(data: &Value) -> (Vec<String>, Option<String>, usize) {
    let all = |place: &str, name: &str| -> Vec<String> {
        let items = data.pointer(place).unwrap().as_array().unwrap();
        items
            .iter()
            .map(|item| item.pointer(name).unwrap().as_str().unwrap().to_owned())
            .collect()
    };
    let found = [
        all("/findings", "/fingerprint"),
        all("/metadata/suppressedFindings", "/finding/fingerprint"),
        all("/metadata/warnings", "/message"),
        all("/metadata/testFiles", ""),
    ];
    let left = data["remaining"]
        .as_object()
        .map_or(0, |counts| counts.values().filter_map(Value::as_u64).sum());
    (
        found.concat(),
        data["nextCursor"].as_str().map(str::to_owned),
        usize::try_from(left).unwrap(),
    )
}

/// Reads all pages, and returns the names in order and the number of pages.
fn read_all(body: &ReviewBody, limit: Option<u64>) -> (Vec<String>, usize) {
    let (mut found, mut pages, mut cursor) = (Vec::new(), 0, None);
    let diff = Diff { files: Vec::new() };
    loop {
        let answer = review_page(
            ReviewDiff,
            body,
            &diff,
            Page::new(cursor.as_deref(), limit).unwrap(),
        );
        let (names, next, left) = names(&answer.data);
        let text = answer.text.clone();
        let result = serde_json::to_string(&Value::from(answer)).unwrap();
        assert!(result.len() < 60_000, "{} bytes", result.len());
        assert!(!names.is_empty() || found.is_empty(), "no page is empty");
        found.extend(names);
        pages += 1;
        assert_eq!(
            text.contains("\nmore\t") || text.starts_with("more\t"),
            next.is_some(),
            "{text}"
        );
        assert_eq!(left > 0, next.is_some());
        assert!(text.lines().last().unwrap().starts_with("sum\t"), "{text}");
        if next.is_none() {
            return (found, pages);
        }
        cursor = next;
    }
}

#[test]
fn pages_have_every_item_once_and_the_most_important_first() {
    for (counts, text, limit) in [
        ([0, 0, 0, 0], "short", None),
        ([1, 1, 2, 1], "short", None),
        ([500, 3, 40, 10], "short", None),
        ([7, 2, 4, 3], "short", Some(1)),
        ([40, 20, 10, 500], &*"\"\u{1}é".repeat(2_000), None),
        ([2, 0, 1_000, 1_000], &*"x".repeat(100_000), Some(100)),
    ] {
        let [findings, suppressed, warnings, tests] = counts;
        let (found, pages) = read_all(&review(counts, text), limit);
        let order = (warnings / 2..warnings).chain(0..warnings / 2);
        let expected = (0..findings)
            .map(|n| format!("f{n}"))
            .chain((0..suppressed).map(|n| format!("s{n}")));
        let expected = expected
            .chain(order.map(|n| format!("w{n}")))
            .chain((0..tests).map(|n| format!("t{n}")));
        assert_eq!(found, expected.collect::<Vec<_>>());
        let fits = counts.iter().sum::<usize>() <= 20 && limit.is_none();
        assert_eq!(pages == 1, fits, "{counts:?}: {pages} pages");
    }
}

#[test]
fn the_text_has_the_number_of_remaining_items_and_how_to_get_them() {
    let page = Page::new(None, Some(2)).unwrap();
    let answer = review_page(
        ReviewDiff,
        &review([3, 1, 2, 1], "short"),
        &Diff { files: Vec::new() },
        page,
    );
    let more = "more\t1 finding, 1 suppressed finding, 2 warnings, 1 test file; to get them, call review_diff again with \
                the same arguments and cursor \"2\"\n";
    assert!(answer.text.contains(more), "{}", answer.text);
    assert!(
        answer.text.contains("sum\t3 findings (3 P2), 1 suppressed"),
        "counts cover all pages: {}",
        answer.text
    );
}

#[test]
fn a_page_that_does_not_exist_is_refused() {
    for cursor in ["", "x", "-1", "1.5"] {
        assert_eq!(Page::new(Some(cursor), None).unwrap_err().0, "cursor");
    }
    for limit in [0, 101, u64::MAX] {
        assert_eq!(Page::new(None, Some(limit)).unwrap_err().0, "limit");
    }
}

/// The properties that the text leaves out. The structured content has all of them.
const NOT_IN_TEXT: properties::LeftOut<'_> = &[
    ("requestId", ABOUT_THE_REVIEW),
    ("clientReference", ABOUT_THE_REVIEW),
    ("metadata.chunksAnalyzed", ABOUT_THE_REVIEW),
    ("metadata.engines[]", ABOUT_THE_REVIEW),
    ("metadata.model", ABOUT_THE_REVIEW),
    ("metadata.processingMs", ABOUT_THE_REVIEW),
    ("metadata.testFiles[]", "only their number is shown"),
    (
        "metadata.tokenUsage.totalTokens", "the sum of two numbers that are shown",
    ),
    (
        "metadata.suppressedFindings[].finding.baselineState",
        "suppressed findings are not compared with a baseline",
    ),
    ("findings[].startColumn", LINES),
    ("metadata.suppressedFindings[].finding.startColumn", LINES),
    ("findings[].endLine", LINES),
    ("metadata.suppressedFindings[].finding.endLine", LINES),
    ("findings[].endColumn", LINES),
    ("metadata.suppressedFindings[].finding.endColumn", LINES),
    ("findings[].category", SHORT),
    ("metadata.suppressedFindings[].finding.category", SHORT),
    ("findings[].confidence", SHORT),
    ("metadata.suppressedFindings[].finding.confidence", SHORT),
    ("findings[].fingerprint", SHORT),
    ("metadata.suppressedFindings[].finding.fingerprint", SHORT),
    ("findings[].hunkHeader", SHORT),
    ("metadata.suppressedFindings[].finding.hunkHeader", SHORT),
    ("findings[].oldLineNumber", SHORT),
    ("metadata.suppressedFindings[].finding.oldLineNumber", SHORT),
    ("findings[].replacement.*", SHORT),
    ("metadata.suppressedFindings[].finding.replacement.*", SHORT),
];
const ABOUT_THE_REVIEW: &str = "an agent acts on what was found, not on how";
const LINES: &str = "the text names lines";
const SHORT: &str = "the text fills a model's context, and the structured content has it";

#[test]
fn a_page_shows_each_property_or_leaves_it_out_on_purpose() {
    let diff = Diff::parse(properties::DIFF).unwrap();
    let answer = |value: &Value| {
        let body: ReviewBody = serde_json::from_value(value.clone()).ok()?;
        Some(review_page(
            ReviewDiff,
            &body,
            &diff,
            Page::new(None, None).unwrap(),
        ))
    };
    properties::check("the data", &[], |value| {
        Some(answer(value)?.data.to_string())
    });
    properties::check("the text", NOT_IN_TEXT, |value| Some(answer(value)?.text));
}
