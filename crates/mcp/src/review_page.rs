//! A page of a review.

use review::Diff;
use review::output::json::ReviewBody;
use review::output::{agent, counted, is_left_out, plain, sent};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::paging::{Item, Page, Taken, size};
use crate::tools::ToolName;

/// The lists of a review, in page order.
const LISTS: [(&str, &str); 4] = [
    ("/findings", "finding"),
    ("/metadata/suppressedFindings", "suppressed finding"),
    ("/metadata/warnings", "warning"),
    ("/metadata/testFiles", "test file"),
];

/// Returns a page of a review for this tool: findings by priority, then suppressed findings, then warnings (those
/// about unreviewed code first), then the files that were reviewed as test code.
#[must_use]
pub fn review_page(tool: ToolName, body: &ReviewBody, diff: &Diff<'_>, page: Page) -> Answer {
    // Wire types have string keys and no failing parts, so they always serialize.
    let mut data = serde_json::to_value(body).unwrap_or_default();
    let lists = take_lists(&mut data, body, diff);
    let lengths = lists.each_ref().map(Vec::len);
    let sum = match sent(body) {
        Some(sent) => format!("model\t{}\n{}", plain(&sent), agent::sum(body, diff)),
        None => agent::sum(body, diff),
    };
    let Taken {
        data: taken,
        mut text,
        next,
    } = page.take(size(&data) + size(&sum), lists.into_iter().flatten());
    put_lists(&mut data, taken, page.first(), lengths);
    if let Some(next) = next {
        let left = left_of(lengths, next);
        text.push_str(&format!(
            "more\t{}; {}\n",
            counts(left),
            how_to_continue(tool, next)
        ));
        let [findings, suppressed, warnings, tests] = left;
        data["nextCursor"] = json!(next.to_string());
        data["remaining"] = json!({ "findings": findings, "suppressedFindings": suppressed, "warnings": warnings, "testFiles": tests });
    }
    Answer {
        data,
        text: text + &sum + "\n",
    }
}

/// How to get the next page.
#[must_use]
pub fn how_to_continue(tool: ToolName, next: usize) -> String {
    format!(
        "to get them, call {} again with the same arguments and cursor \"{next}\"",
        tool.as_str()
    )
}

fn take_lists(data: &mut Value, body: &ReviewBody, diff: &Diff<'_>) -> [Vec<Item>; 4] {
    let [findings, suppressed, warnings, tests] =
        LISTS.map(
            |(place, _)| match data.pointer_mut(place).map(Value::take) {
                Some(Value::Array(items)) => items,
                _ => Vec::new(),
            },
        );
    let finding = |(data, of)| Item {
        data,
        text: agent::finding(of, diff) + "\n",
    };
    let findings = findings
        .into_iter()
        .zip(&body.findings)
        .map(finding)
        .collect();
    let suppressed = suppressed
        .into_iter()
        .zip(&body.metadata.suppressed_findings)
        .map(finding)
        .collect();
    let (mut missed, reviewed): (Vec<_>, Vec<_>) = warnings
        .into_iter()
        .zip(&body.metadata.warnings)
        .partition(|(_, warning)| is_left_out(warning));
    missed.extend(reviewed);
    let warnings = missed.into_iter().map(|(data, of)| {
        let text = if is_left_out(of) {
            agent::missed(of) + "\n"
        } else {
            String::new()
        };
        Item { data, text }
    });
    let tests = tests.into_iter().map(|data| Item {
        data,
        text: String::new(),
    });
    [findings, suppressed, warnings.collect(), tests.collect()]
}

/// Distributes the items of a page that begins at `first` to their lists.
fn put_lists(data: &mut Value, taken: Vec<Value>, first: usize, lengths: [usize; 4]) {
    let mut lists: [Vec<Value>; 4] = Default::default();
    for (index, item) in (first..).zip(taken) {
        let mut end = 0;
        let of_item = lists.iter_mut().zip(lengths).find(|(_, length)| {
            end += length;
            index < end
        });
        if let Some((list, _)) = of_item {
            list.push(item);
        }
    }
    for ((place, _), list) in LISTS.iter().zip(lists) {
        if let Some(own) = data.pointer_mut(place) {
            *own = Value::Array(list);
        }
    }
}

/// The number of items of each list from index `next` on.
fn left_of(lengths: [usize; 4], next: usize) -> [usize; 4] {
    let mut start = 0;
    lengths.map(|length| {
        let left = (start + length).saturating_sub(next.max(start));
        start += length;
        left
    })
}

/// "3 findings, 1 warning".
fn counts(left: [usize; 4]) -> String {
    let counts = LISTS.iter().zip(left).filter(|(_, left)| *left > 0);
    counts
        .map(|((_, noun), left)| counted(left, noun))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests;
