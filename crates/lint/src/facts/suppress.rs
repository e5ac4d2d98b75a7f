//! A comment `hunkwise:ignore <rule-id> <reason>` on the line or on the line above suppresses a finding.
//!
//! The comment must exist after the change. Without a reason it has no effect, because later readers must learn why.
//! The number of suppressed findings is reported as a warning. A comment counts as the base's own only if the base has
//! it at the same line of code. Any other is the change's doing, also where the change only inserts or edits the line
//! below it: a finding that only such comments suppress is kept and marked with the comment, so that a reviewer can
//! judge both. There are no comments for a block or a file: an `eslint-disable` covers nothing.
//!
//! A suppression comment for another analyser shows that the author is aware of a peculiarity in that place, so it
//! suppresses findings that are not about security.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use review::{
    Candidate, Category, Chunk, Language, Lexical, Line, LineKind, Side, Suppression, Warning,
    WarningCode,
};
use syntax::language::Grammar;
use syntax::semantics::secrets::shown;

use super::former::RenamedRules;
use crate::facts::Ignored;

const MARK: &str = "hunkwise:ignore";

/// Maximum number of characters of a reason that are shown.
const REASON_CHARS: usize = 200;

/// Markers that suppress a finding of another analyser, on the same line or the next.
const FOREIGN_MARKS: &[&str] = &[
    "biome-ignore", "cppcheck-suppress", "eslint-disable-line", "eslint-disable-next-line",
    "NOLINT", "nolint:", "noinspection", "noqa", "NOSONAR", "oxlint-disable", "phpcs:ignore",
    "@phpstan-ignore", "pylint: disable", "rubocop:disable", "shellcheck disable",
];
/// Suppression by attributes and annotations.
const FOREIGN_ATTRIBUTES: &[&str] = &["#[allow(", "#[expect(", "@SuppressWarnings("];

/// A comment that suppresses a rule once its ellipsis is replaced by a reason; `None` for JSON, which has no comments.
#[must_use]
pub fn suppression_comment(grammar: Grammar, rule: &str) -> Option<String> {
    let lexical = grammar.row().lexical();
    let text = format!("{MARK} {rule} ...");
    match (
        lexical.line_comments.first(),
        lexical.block_comments.first(),
    ) {
        _ if grammar.name() == "JSON" => None,
        (Some(line), _) => Some(format!("{} {text}", line.mark)),
        (None, Some(block)) => Some(format!("{} {text} {}", block.open, block.close)),
        (None, None) => None,
    }
}

/// The effect of a file's suppression comments.
#[derive(Default)]
pub(crate) struct Suppressions<'l> {
    /// The number of suppressed findings, by rule.
    pub(crate) warning: Option<Warning>,
    /// Comments that suppressed nothing.
    pub(crate) idle: Vec<Idle<'l>>,
    /// The comments, by line.
    by_line: BTreeMap<u32, Comment<'l>>,
    unchanged: Unchanged,
    renamed: RenamedRules,
}

/// A suppression comment.
#[derive(Clone, Copy)]
struct Comment<'l> {
    line: u32,
    /// The rule that it names. A comment for another analyser names none of ours.
    rule: &'l str,
    reason: &'l str,
    /// Its line on the old side; `None` if the change adds it.
    old: Option<u32>,
}

/// The unchanged lines: their numbers on the old side by those on the new one.
#[derive(Default)]
struct Unchanged(HashMap<u32, u32>);

impl Unchanged {
    fn of(lines: &[&Line<'_>]) -> Self {
        let numbers = lines
            .iter()
            .filter(|line| line.kind == LineKind::Context)
            .filter_map(|line| Some((line.new?, line.old?)));
        Self(numbers.collect())
    }

    /// Whether the base has the comment at this line of code. Between a comment and a line below it, the change has then
    /// neither added nor removed a line.
    fn has(&self, comment: &Comment<'_>, covered: u32) -> bool {
        let old = comment.old.zip(self.0.get(&covered));
        old.is_some_and(|(comment_old, &covered_old)| {
            covered_old.checked_sub(comment_old) == covered.checked_sub(comment.line)
        })
    }
}

/// A comment that suppressed nothing.
pub(crate) struct Idle<'l> {
    /// Its line on the new side.
    pub(crate) line: u32,
    /// The rule that it names.
    pub(crate) rule: &'l str,
    /// The line of the code that it applies to: its own, or the next if its own contains nothing else.
    pub(crate) about: u32,
}

impl<'l> Suppressions<'l> {
    /// Whether a finding of a rule on a line of the new side is suppressed.
    pub(crate) fn cover(&self, line: u32, rule: &str) -> bool {
        self.covering(line, rule).next().is_some()
    }

    /// The comments that suppress it.
    fn covering(&self, line: u32, rule: &str) -> impl Iterator<Item = &Comment<'l>> {
        let lines = [Some(line), line.checked_sub(1)].into_iter().flatten();
        lines
            .filter_map(|line| self.by_line.get(&line))
            .filter(move |comment| comment.names(rule, self.renamed))
    }
}

impl Comment<'_> {
    /// Whether it names a rule, by its ID or by a former one.
    fn names(&self, rule: &str, renamed: RenamedRules) -> bool {
        self.rule == rule || renamed.current_id(self.rule) == Some(rule)
    }

    /// The comment as findings show it.
    fn shown(&self) -> Suppression {
        let reason = shown(Category::SecretExposure, self.reason);
        Suppression {
            line: self.line,
            reason: reason.chars().take(REASON_CHARS).collect(),
        }
    }
}

fn lexical_of(file: &Chunk<'_>) -> &'static Lexical {
    Lexical::or_any(file.language.map(Language::name))
}

/// Whether a file may contain suppression comments.
pub(crate) fn may_be_in(file: &Chunk<'_>) -> bool {
    file.hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .any(|line| line.text.contains(MARK))
}

/// Removes the candidates that comments of the base suppress. Those suppressed only by comments of the change are kept
/// and marked.
pub(crate) fn apply<'l>(
    file: &'l Chunk<'_>,
    found: &mut Vec<Candidate>,
    renamed: RenamedRules,
) -> Suppressions<'l> {
    // A file that the change hides cannot also suppress the finding about hiding it.
    if file.hidden.is_some() {
        return Suppressions::default();
    }
    let lines: Vec<&'l Line<'l>> = file
        .hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .collect();
    let lexical = lexical_of(file);
    let by_line = comments(&lines, lexical)
        .map(|comment| (comment.line, comment))
        .collect();
    let mut suppressions = Suppressions {
        by_line,
        renamed,
        ..Suppressions::default()
    };
    let foreign = foreign_comments(&lines, found, lexical);
    if suppressions.by_line.is_empty() && foreign.is_empty() {
        return suppressions;
    }
    suppressions.unchanged = Unchanged::of(&lines);
    let mut used = BTreeSet::new();
    let mut by_rule = BTreeMap::<String, usize>::new();
    found.retain_mut(|candidate| {
        let here = match candidate.side {
            Side::New => Some(candidate.line),
            Side::Old => place_of_removed(&lines, candidate.line),
        };
        let Some(here) = here else { return true };
        let rule = candidate.rule_id().unwrap_or_default();
        let own: Vec<Comment<'_>> = suppressions.covering(here, rule).copied().collect();
        used.extend(own.iter().map(|comment| comment.line));
        let others = foreign.get(&here).filter(|_| may_be_suppressed(candidate));
        let mut all = own
            .into_iter()
            .chain(others.into_iter().flatten().copied())
            .peekable();
        if all.peek().is_none() {
            return true;
        }
        *by_rule.entry(rule.to_owned()).or_default() += 1;
        let first = all.peek().map(Comment::shown);
        // A single comment of the base is enough. No line of the new side is the removed one.
        let is_of_base = |comment: Comment<'_>| {
            candidate.side == Side::New && suppressions.unchanged.has(&comment, here)
        };
        candidate.suppression = if all.any(is_of_base) { None } else { first };
        candidate.suppression.is_some()
    });
    let sum: usize = by_rule.values().sum();
    let names: Vec<String> = by_rule
        .into_iter()
        .map(|(rule, count)| format!("{rule} ({count})"))
        .collect();
    let plural = if sum == 1 {
        "finding was"
    } else {
        "findings were"
    };
    suppressions.warning = (sum > 0).then(|| {
        let message = format!(
            "{sum} {plural} suppressed by comments in the code: {}.",
            names.join(", ")
        );
        Warning::file(WarningCode::FindingsSuppressed, &file.path, message)
    });
    suppressions.idle = lines
        .iter()
        .filter_map(|line| idle(line, &suppressions.by_line, &used))
        .collect();
    suppressions
}

/// The comment on a line, if it suppressed nothing.
fn idle<'l>(
    line: &Line<'l>,
    by_line: &BTreeMap<u32, Comment<'l>>,
    used: &BTreeSet<u32>,
) -> Option<Idle<'l>> {
    let number = line.new.filter(|number| !used.contains(number))?;
    let rule = by_line.get(&number)?.rule;
    let has_code = line
        .text
        .split(MARK)
        .next()
        .is_some_and(|before| before.contains(char::is_alphanumeric));
    Some(Idle {
        line: number,
        rule,
        about: if has_code {
            number
        } else {
            number.saturating_add(1)
        },
    })
}

/// Whether another analyser's comment can apply: the finding is about added code and not about security.
fn may_be_suppressed(candidate: &Candidate) -> bool {
    candidate.side == Side::New
        && !matches!(
            candidate.category,
            Category::Security | Category::SecretExposure
        )
}

/// The comments and attributes for other analysers that may concern a finding, by the lines that they apply to. A comment
/// applies to its own line and the next, an attribute to the next.
fn foreign_comments<'l>(
    lines: &[&'l Line<'l>],
    found: &[Candidate],
    lexical: &Lexical,
) -> BTreeMap<u32, Vec<Comment<'l>>> {
    let found = found
        .iter()
        .filter(|candidate| may_be_suppressed(candidate));
    let near: BTreeSet<u32> = found
        .flat_map(|candidate| [candidate.line, candidate.line.saturating_sub(1)])
        .collect();
    let mut by_line = BTreeMap::<u32, Vec<Comment<'l>>>::new();
    let numbered = lines.iter().filter_map(|line| Some((line, line.new?)));
    for (line, number) in numbered.filter(|(_, number)| near.contains(number)) {
        let is_mark = |mark: &&str| {
            line.text
                .find(*mark)
                .is_some_and(|at| lexical.is_in_comment(line.text, at))
        };
        let mark = FOREIGN_MARKS.iter().copied().find(is_mark);
        let is_attribute = FOREIGN_ATTRIBUTES
            .iter()
            .any(|mark| line.text.trim_start().starts_with(mark));
        if mark.is_none() && !is_attribute {
            continue;
        }
        let reason = mark
            .and_then(|mark| line.text.get(line.text.find(mark)?..))
            .unwrap_or(line.text)
            .trim();
        let comment = Comment {
            line: number,
            rule: "",
            reason,
            old: line.old,
        };
        if mark.is_some() {
            by_line.entry(number).or_default().push(comment);
        }
        by_line
            .entry(number.saturating_add(1))
            .or_default()
            .push(comment);
    }
    by_line
}

/// The lines of the new side that suppression comments cover: each its own line and the next.
pub(crate) fn ignores<'l>(
    file: &Chunk<'_>,
    lines: &'l [&Line<'l>],
) -> impl Iterator<Item = Ignored> + use<'l> {
    let unchanged = if may_be_in(file) {
        Unchanged::of(lines)
    } else {
        Unchanged::default()
    };
    comments(lines, lexical_of(file)).flat_map(move |comment| {
        let covered = [comment.line, comment.line.saturating_add(1)];
        covered.map(|line| Ignored {
            line,
            rule: comment.rule.to_owned(),
            suppression: (!unchanged.has(&comment, line)).then(|| comment.shown()),
        })
    })
}

fn comments<'a, 'l>(
    lines: &'a [&'l Line<'l>],
    lexical: &'static Lexical,
) -> impl Iterator<Item = Comment<'l>> + use<'a, 'l> {
    lines.iter().filter_map(move |line| {
        let (rule, reason) = rule_and_reason(line.text, lexical)?;
        Some(Comment {
            line: line.new?,
            rule,
            reason,
            old: line.old,
        })
    })
}

/// The new-side line in the place of a removed line: the next one, so that a comment above it applies.
fn place_of_removed(lines: &[&Line<'_>], old: u32) -> Option<u32> {
    let at = lines
        .iter()
        .position(|line| line.kind == LineKind::Removed && line.old == Some(old))?;
    let before = || {
        lines
            .iter()
            .take(at)
            .rev()
            .find_map(|line| line.new)
            .map(|line| line + 1)
    };
    lines
        .iter()
        .skip(at)
        .find_map(|line| line.new)
        .or_else(before)
}

/// The rule that a line's comment names, and the reason. Without a reason, the comment has no effect.
fn rule_and_reason<'l>(line: &'l str, lexical: &Lexical) -> Option<(&'l str, &'l str)> {
    let (rule, reason) = mention(line, lexical)?;
    let has_reason = reason.chars().any(char::is_alphanumeric);
    has_reason.then_some((rule, reason.trim()))
}

/// The text after [`MARK`] in a line's comment: the first word, and the rest.
fn mention<'l>(line: &'l str, lexical: &Lexical) -> Option<(&'l str, &'l str)> {
    let (before, after) = line.split_once(MARK)?;
    let after = after.strip_prefix(char::is_whitespace)?.trim_start();
    let mention = after.split_once(char::is_whitespace).unwrap_or((after, ""));
    lexical.is_in_comment(line, before.len()).then_some(mention)
}

/// A comment that names a rule to suppress, with a reason or without.
pub(crate) struct Mention<'l> {
    /// Its line on the new side.
    pub(crate) line: u32,
    pub(crate) rule: &'l str,
    pub(crate) has_reason: bool,
    /// The change adds it.
    pub(crate) is_added: bool,
}

/// All comments of a file that name a rule to suppress.
pub(crate) fn mentions<'l>(file: &'l Chunk<'_>) -> impl Iterator<Item = Mention<'l>> {
    let lexical = lexical_of(file);
    file.hunks
        .iter()
        .flat_map(|hunk| hunk.lines.iter())
        .filter_map(move |line| {
            let (rule, reason) = mention(line.text, lexical)?;
            // The end of a block comment may follow the rule directly.
            let rule = rule.trim_end_matches(|c: char| !c.is_alphanumeric());
            let has_reason = reason.chars().any(char::is_alphanumeric);
            Some(Mention {
                line: line.new?,
                rule,
                has_reason,
                is_added: line.kind == LineKind::Added,
            })
        })
}
