//! A pull request comment: counts, important findings, minor findings folded, parts not reviewed.

mod comment;
mod escape;

use crate::diff::Diff;
use crate::finding::Priority;
use crate::output::counts::{self, counted};
use crate::output::json::{FindingBody, ReviewBody, WarningBody};
use crate::output::kinds::Kinds;
use crate::output::left_out::{left_out, remarks};
use crate::output::place::{in_new_file, other_places, remark};
use crate::output::rule_name::rule_name;
use crate::output::text::clip;
use escape::{code, prose};

pub use comment::{Block, comment};

/// Maximum length of a comment in characters; GitHub's limit is 65,536.
const MOST: usize = 65_000;
/// Characters reserved for headings and the sentence about omitted entries.
const RESERVE: usize = 2_000;
/// Maximum length of one text, in characters.
const TEXT: usize = 2_000;

/// The review as a comment.
#[must_use]
pub fn render(body: &ReviewBody, diff: &Diff<'_>) -> String {
    render_some(body, diff, |_| true)
}

/// As [`render`], without the findings that are shown elsewhere. The title counts all of them, and the list contains
/// those in `listed`.
#[must_use]
pub fn render_some(
    body: &ReviewBody,
    diff: &Diff<'_>,
    listed: impl Fn(&FindingBody) -> bool,
) -> String {
    let kinds = Kinds::of(body);
    let lists = Lists {
        findings: body
            .open_findings()
            .filter(|finding| listed(finding))
            .collect(),
        suppressed: body.metadata.suppressed_findings.iter().collect(),
        left_out: left_out(body).filter(|one| kinds.keeps(one)).collect(),
        remarks: remarks(body).filter(|one| kinds.keeps(one)).collect(),
        kinds: kinds.line(),
    };
    let files = counts::files(body, diff);
    let failed = counts::rules_only(body)
        .map(|why| format!(" ({why})"))
        .unwrap_or_default();
    page(
        &format!("Hunkwise: {} in {files}{failed}", counts::findings(body)),
        &lists,
        diff,
    )
}

/// The contents of a page.
#[derive(Default)]
pub(super) struct Lists<'a> {
    pub(super) findings: Vec<&'a FindingBody>,
    pub(super) suppressed: Vec<&'a FindingBody>,
    pub(super) left_out: Vec<&'a WarningBody>,
    pub(super) remarks: Vec<&'a WarningBody>,
    /// The files of kinds that are not reviewed as code, in one line.
    pub(super) kinds: Option<String>,
}

impl Lists<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.findings.is_empty()
            && self.suppressed.is_empty()
            && self.left_out.is_empty()
            && self.remarks.is_empty()
            && self.kinds.is_none()
    }
}

/// A page with this title, which is not escaped.
pub(super) fn page(title: &str, lists: &Lists<'_>, diff: &Diff<'_>) -> String {
    let (minor, important): (Vec<&FindingBody>, Vec<&FindingBody>) = lists
        .findings
        .iter()
        .partition(|finding| finding.priority == Priority::P3);
    let mut page = Page::new(title);
    page.list(None, important.iter().map(|one| finding(one, diff)));
    let summary = format!("{} (P3)", counted(minor.len(), "minor finding"));
    page.list(Some(&summary), minor.iter().map(|one| finding(one, diff)));
    let summary = format!(
        "{} suppressed by comments",
        counted(lists.suppressed.len(), "finding")
    );
    page.list(
        Some(&summary),
        lists.suppressed.iter().map(|one| finding(one, diff)),
    );
    if !lists.left_out.is_empty() {
        page.push(&format!(
            "\n**Not reviewed: {}**\n",
            counted(lists.left_out.len(), "part")
        ));
    }
    page.list(None, lists.left_out.iter().map(|one| note(one)));
    page.list(
        Some(&counted(lists.remarks.len(), "note")),
        lists.remarks.iter().map(|one| note(one)),
    );
    page.list(
        None,
        lists.kinds.iter().map(|line| format!("{}\n", prose(line))),
    );
    page.finish()
}

fn finding(finding: &FindingBody, diff: &Diff<'_>) -> String {
    let place = in_new_file(finding, diff);
    let remark = remark(finding)
        .map(|remark| format!(" ({})", prose(&remark)))
        .unwrap_or_default();
    let what = prose(&clip(&finding.summary, TEXT));
    let fix = finding
        .suggested_fix
        .as_deref()
        .map(|fix| format!("  **Fix:** {}\\\n", prose(&clip(fix, TEXT))));
    let also = other_places(finding).map(|also| format!("  ({})\\\n", prose(&clip(&also, TEXT))));
    format!(
        "- **{}** {} {what}{remark}\\\n{}{}  {} · confidence {:.2}\n",
        finding.priority,
        code(&format!("{}:{}", place.path, place.line)),
        fix.unwrap_or_default(),
        also.unwrap_or_default(),
        code(&rule_name(finding)),
        finding.confidence,
    )
}

fn note(warning: &WarningBody) -> String {
    let place = warning
        .file_path
        .as_deref()
        .map(|path| format!(" {}", code(path)))
        .unwrap_or_default();
    format!(
        "- {}{place}: {}\n",
        code(&warning.code),
        prose(&clip(&warning.message, TEXT))
    )
}

/// Text with a size limit. Entries that do not fit are counted.
struct Page {
    text: String,
    characters: usize,
    omitted: usize,
}

impl Page {
    fn new(title: &str) -> Self {
        let mut page = Self {
            text: String::new(),
            characters: 0,
            omitted: 0,
        };
        page.push(&format!("## {title}\n"));
        page
    }

    fn push(&mut self, text: &str) {
        self.characters += text.chars().count();
        self.text.push_str(text);
    }

    /// A list, folded if it has a summary. An empty list is omitted.
    fn list(&mut self, summary: Option<&str>, entries: impl ExactSizeIterator<Item = String>) {
        if entries.len() == 0 {
            return;
        }
        let (before, after) = match summary {
            Some(summary) => (
                format!("\n<details><summary>{summary}</summary>\n\n"),
                "\n</details>\n",
            ),
            None => ("\n".to_owned(), ""),
        };
        self.push(&before);
        for entry in entries {
            self.add(&entry);
        }
        self.push(after);
    }

    fn add(&mut self, entry: &str) {
        if self.characters + entry.chars().count() > MOST - RESERVE {
            self.omitted += 1;
        } else {
            self.push(entry);
        }
    }

    fn finish(mut self) -> String {
        if self.omitted > 0 {
            let (is, it) = if self.omitted == 1 {
                ("entry is", "it")
            } else {
                ("entries are", "them")
            };
            self.push(&format!(
                "\n{} more {is} too much for a comment: the json format has {it}.\n",
                self.omitted
            ));
        }
        self.text
    }
}
