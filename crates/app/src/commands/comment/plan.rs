//! Decides which comments to write, change and resolve. A pure function: the same review, comments and diff lead to the
//! same plan, and after a plan is carried out the next one is empty.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};

use forge::{Draft, Resolver, Style, Thread, marked};
use review::Diff;
use review::output::json::{FindingBody, ReviewBody};
use review::output::markdown::{Block, comment};
use review::output::missed;

use super::place::{Place, place};

/// Maximum number of comments on lines. Further findings are in the summary.
const MOST: usize = 100;

/// The changes to make.
#[derive(Debug, Default)]
pub(super) struct Plan<'a> {
    /// New comments, each with its finding.
    pub(super) create: Vec<(Draft, &'a FindingBody)>,
    /// Comments whose text has changed, with the new one.
    pub(super) update: Vec<(&'a Thread, String)>,
    /// Conversations whose finding is gone.
    pub(super) resolve: Vec<&'a Thread>,
    /// Conversations that this tool resolved and whose finding is back.
    pub(super) reopen: Vec<&'a Thread>,
    /// Comments that stay as they are.
    pub(super) keep: Vec<&'a Thread>,
    /// Findings without a line in the host's diff, or beyond the limit of comments.
    pub(super) summary_only: Vec<&'a FindingBody>,
}

/// Compares a review with the existing comments.
pub(super) fn plan<'a>(
    review: &'a ReviewBody,
    known: &'a [Thread],
    diff: &Diff<'_>,
    style: Style,
) -> Plan<'a> {
    let mut before: HashMap<&str, VecDeque<&Thread>> = HashMap::new();
    for thread in known {
        before
            .entry(&thread.fingerprint)
            .or_default()
            .push_back(thread);
    }
    let mut plan = Plan::default();
    let mut new = Vec::new();
    for finding in review.open_findings() {
        // Equal lines share a fingerprint: the first finding has the first comment, and so on.
        match before
            .get_mut(finding.fingerprint.as_str())
            .and_then(VecDeque::pop_front)
        {
            Some(thread) => {
                plan.add_existing(finding, thread, place(finding, diff, style).as_ref(), style)
            }
            None => new.push(finding),
        }
    }
    let room = MOST.saturating_sub(plan.update.len() + plan.keep.len());
    for finding in new {
        match place(finding, diff, style).filter(|_| plan.create.len() < room) {
            Some(place) => plan.create.push((draft(finding, &place, style), finding)),
            None => plan.summary_only.push(finding),
        }
    }
    let gone: HashSet<&str> = before
        .values()
        .flatten()
        .map(|thread| thread.comment.as_str())
        .collect();
    plan.resolve = known
        .iter()
        .filter(|thread| gone.contains(thread.comment.as_str()) && may_resolve(thread, review))
        .collect();
    plan
}

impl<'a> Plan<'a> {
    /// Plans the change to the comment of a finding.
    fn add_existing(
        &mut self,
        finding: &FindingBody,
        thread: &'a Thread,
        place: Option<&Place<'_>>,
        style: Style,
    ) {
        if thread.resolved == Some(Resolver::SomeoneElse) {
            return self.keep.push(thread);
        }
        if thread.resolved.is_some() && thread.id.is_some() {
            self.reopen.push(thread);
        }
        // A suggestion replaces the lines that the comment is on, wherever they are now.
        let in_place = place.filter(|place| thread.lines == Some(place.lines));
        let text = text(finding, in_place, style);
        if is_same(&thread.text, &text) {
            self.keep.push(thread);
        } else {
            self.update.push((thread, text));
        }
    }
}

/// Whether a conversation without a finding is over: its file was reviewed and the finding is gone.
fn may_resolve(thread: &Thread, review: &ReviewBody) -> bool {
    let looked = !missed(review).any(|warning| {
        warning
            .file_path
            .as_ref()
            .is_none_or(|path| *path == thread.path)
    });
    thread.resolved.is_none() && thread.id.is_some() && looked
}

fn draft(finding: &FindingBody, place: &Place<'_>, style: Style) -> Draft {
    let path = |path: Option<&str>| path.unwrap_or(place.file.path()).to_owned();
    Draft {
        fingerprint: finding.fingerprint.clone(),
        old_path: path(place.file.old_path.as_deref()),
        new_path: path(place.file.new_path.as_deref()),
        side: finding.line_side,
        lines: place.lines,
        old_line: place.line.old,
        new_line: place.line.new,
        text: text(finding, Some(place), style),
    }
}

/// The text of a comment. Code is a suggestion only if the comment is on the lines that it replaces.
fn text(finding: &FindingBody, in_place: Option<&Place<'_>>, style: Style) -> String {
    let suggestion = in_place.and_then(|place| place.suggestion.as_ref());
    let info = suggestion.map(|suggestion| match style {
        Style::GitHub => "suggestion".to_owned(),
        Style::GitLab => {
            let (above, below) = (
                finding.line_number - suggestion.first,
                suggestion.last - finding.line_number,
            );
            format!("suggestion:-{above}+{below}")
        }
    });
    let code = suggestion.map(|suggestion| suggestion.text.as_str());
    let code = code.or_else(|| {
        finding
            .replacement
            .as_ref()
            .map(|edit| edit.text.trim_end_matches('\n'))
    });
    let block = code.map(|text| Block {
        info: info.as_deref().unwrap_or_default(),
        text,
    });
    marked(&comment(finding, block), &finding.fingerprint)
}

/// Compares texts regardless of line ends and trailing white space, which hosts change.
pub(super) fn is_same(theirs: &str, ours: &str) -> bool {
    theirs.replace("\r\n", "\n").trim_end() == ours.trim_end()
}
