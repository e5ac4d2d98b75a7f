//! Annotations of a GitHub Actions workflow: one workflow command per line, which the runner reads from the step's log.
//!
//! The log contains all findings and all files that were not reviewed. GitHub shows only the first ten annotations of each
//! kind per step, so the others are also in the step's [`summary`], as are all other warnings.

use std::fmt::Write as _;

use crate::diff::Diff;
use crate::finding::Priority;
use crate::output::json::{FindingBody, ReviewBody, WarningBody};
use crate::output::kinds::Kinds;
use crate::output::left_out::{left_out, remarks};
use crate::output::markdown;
use crate::output::place::{Range, in_new_file, other_places, remark};
use crate::output::rule_name::rule_name;
use crate::output::text::scrub;

/// Annotations of one kind that GitHub shows per step.
const SHOWN: usize = 10;

/// The review as workflow commands.
#[must_use]
pub fn render(body: &ReviewBody, diff: &Diff<'_>) -> String {
    let kinds = Kinds::of(body);
    let commands = items(body, &kinds).map(|item| item.command(diff));
    // In the log only, not as an annotation.
    let line = kinds.line().map(|line| format!("{}\n", data(&line)));
    commands.chain(line).collect()
}

/// The findings beyond GitHub's limit, and remarks, as Markdown; `None` if there are none.
#[must_use]
pub fn summary(body: &ReviewBody, diff: &Diff<'_>) -> Option<String> {
    let mut seen = [0; Kind::COUNT];
    let kinds = Kinds::of(body);
    let mut beyond = markdown::Lists {
        remarks: remarks(body).filter(|one| kinds.keeps(one)).collect(),
        kinds: kinds.line(),
        ..markdown::Lists::default()
    };
    for item in items(body, &kinds) {
        let count = &mut seen[item.kind() as usize];
        *count += 1;
        match item {
            _ if *count <= SHOWN => {}
            Item::Finding(finding) if finding.suppression.is_some() => {
                beyond.suppressed.push(finding)
            }
            Item::Finding(finding) => beyond.findings.push(finding),
            Item::LeftOut(warning) => beyond.left_out.push(warning),
        }
    }
    let title = "Hunkwise: not shown as annotations";
    (!beyond.is_empty()).then(|| markdown::page(title, &beyond, diff))
}

/// GitHub's kinds of annotations.
#[derive(Clone, Copy)]
enum Kind {
    Error,
    Warning,
    Notice,
}

impl Kind {
    const COUNT: usize = 3;

    fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// The source of an annotation.
enum Item<'a> {
    Finding(&'a FindingBody),
    LeftOut(&'a WarningBody),
}

fn items<'a>(body: &'a ReviewBody, kinds: &Kinds<'_>) -> impl Iterator<Item = Item<'a>> {
    let findings = body.shown_findings().map(Item::Finding);
    let left_out = left_out(body).filter(|one| kinds.keeps(one));
    findings.chain(left_out.map(Item::LeftOut))
}

impl Item<'_> {
    fn kind(&self) -> Kind {
        match self {
            Self::Finding(finding) if finding.suppression.is_some() => Kind::Notice,
            Self::Finding(finding) => match finding.priority {
                Priority::P0 | Priority::P1 => Kind::Error,
                Priority::P2 => Kind::Warning,
                Priority::P3 => Kind::Notice,
            },
            Self::LeftOut(_) => Kind::Warning,
        }
    }

    fn command(&self, diff: &Diff<'_>) -> String {
        let kind = self.kind();
        match self {
            Self::Finding(finding) => {
                let place = in_new_file(finding, diff);
                let suppressed = if finding.suppression.is_some() {
                    "Suppressed: "
                } else {
                    ""
                };
                let title = format!("{suppressed}{} {}", finding.priority, rule_name(finding));
                let line = place.line.to_string();
                let mut properties = vec![("file", place.path.to_owned()), ("line", line)];
                properties.extend(
                    place
                        .range
                        .into_iter()
                        .flat_map(|range| extent(place.line, range)),
                );
                properties.push(("title", title));
                command(kind, &properties, &message(finding))
            }
            Self::LeftOut(warning) => not_reviewed(kind, warning),
        }
    }
}

/// The end of the code. The runner accepts columns only within one line.
fn extent(line: u32, range: Range) -> Vec<(&'static str, String)> {
    let end = ("endLine", range.end_line.to_string());
    if range.end_line != line {
        return vec![end];
    }
    vec![
        ("col", range.start_column.to_string()),
        end,
        ("endColumn", range.end_column.to_string()),
    ]
}

fn message(finding: &FindingBody) -> String {
    let mut text = finding.summary.clone();
    if let Some(fix) = &finding.suggested_fix {
        let _ = write!(text, "\nFix: {fix}");
    }
    if let Some(remark) = remark(finding) {
        let _ = write!(text, "\n({remark})");
    }
    if let Some(also) = other_places(finding) {
        let _ = write!(text, "\n({also})");
    }
    text
}

fn not_reviewed(kind: Kind, warning: &WarningBody) -> String {
    let title = format!("Not reviewed [{}]", warning.code);
    let place = warning
        .file_path
        .as_deref()
        .map(|path| format!("{path}: "))
        .unwrap_or_default();
    let file = warning.file_path.clone().map(|path| ("file", path));
    let properties: Vec<_> = file.into_iter().chain([("title", title)]).collect();
    command(kind, &properties, &format!("{place}{}", warning.message))
}

fn command(kind: Kind, properties: &[(&str, String)], message: &str) -> String {
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", property(value)))
        .collect();
    format!(
        "::{} {}::{}\n",
        kind.as_str(),
        properties.join(","),
        data(message)
    )
}

/// Escapes the text of a command.
fn data(text: &str) -> String {
    scrub(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes the value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
