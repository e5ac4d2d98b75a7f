//! One cause is one finding: of several findings about the same code or the same edit, the strongest is kept.
//!
//! Two findings of different rules have the same cause if the rules are declared to report the same defect, if they are
//! about the same code and the same kind of defect, or if one of them only describes the edit in which the other one finds a
//! defect. Findings of one rule are never merged here.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use review::{Candidate, Chunk, LineKind, Priority, Side, Span};

use crate::registry::Overlaps;

/// Rules that report what an edit leaves unused. The edit is the cause.
const LEFT_UNUSED: &[&str] = &["import-left-unused", "variable-left-unused"];

/// How many lines of an edit may lie between two findings about it.
const NEAR: usize = 6;
/// Maximum number of kept findings that each finding is compared with.
const COMPARED: usize = 64;

/// Keeps one finding of each cause. `compares` is true for the findings of rules that compare old and new code.
pub(super) fn keep_one(
    found: &mut Vec<Candidate>,
    file: &Chunk<'_>,
    overlaps: Overlaps,
    compares: impl Fn(&Candidate) -> bool,
) {
    if found.len() < 2 {
        return;
    }
    let edits = Edits::of(file);
    let causes: Vec<Cause<'_>> = found
        .iter()
        .map(|of| Cause::of(of, &edits, overlaps, compares(of)))
        .collect();
    let mut order: Vec<usize> = (0..causes.len()).collect();
    order.sort_by_key(|at| causes.get(*at).map(Cause::weakness));
    let mut kept: HashMap<Group, Vec<&Cause<'_>>> = HashMap::new();
    let mut dropped = HashSet::new();
    for at in order {
        let Some(next) = causes.get(at) else { continue };
        let groups = next.groups();
        let stronger = groups.iter().flatten().filter_map(|group| kept.get(group));
        if stronger
            .flat_map(|kept| kept.iter().rev().take(COMPARED))
            .any(|kept| kept.explains(next))
        {
            dropped.insert(at);
            continue;
        }
        for group in groups.into_iter().flatten() {
            kept.entry(group).or_default().push(next);
        }
    }
    let mut at = 0;
    found.retain(|_| {
        at += 1;
        !dropped.contains(&(at - 1))
    });
}

/// Where findings may have the same cause: a line, or an edit.
#[derive(PartialEq, Eq, Hash)]
enum Group {
    Line(Side, u32),
    Edit(usize),
}

/// A finding, and what matters about its cause.
struct Cause<'c> {
    found: &'c Candidate,
    /// The part of the rule's ID after the slash.
    rule: &'c str,
    /// The edit that it is in, and its line there.
    edit: Option<(usize, usize)>,
    /// The defect that several rules report.
    defect: Option<usize>,
    /// The rule names the defect in an edit.
    is_specific: bool,
    /// The rule only reports removed code.
    is_general: bool,
    compares: bool,
}

impl<'c> Cause<'c> {
    fn of(found: &'c Candidate, edits: &Edits, overlaps: Overlaps, compares: bool) -> Self {
        let id = found.rule_id().unwrap_or_default();
        let rule = id.rsplit('/').next().unwrap_or(id);
        Self {
            found,
            rule,
            edit: edits.0.get(&(found.side, found.line)).copied(),
            defect: overlaps
                .same_defect
                .iter()
                .position(|rules| rules.contains(&rule)),
            is_specific: overlaps.specific.contains(&id),
            is_general: overlaps.general.contains(&id),
            compares,
        }
    }

    /// The strongest sorts first. The bits of a confidence, which is not negative, sort like its values.
    fn weakness(&self) -> (bool, Priority, bool, bool, Reverse<u32>) {
        // A rule for one language says more than one for all.
        let rule = self.found.rule_id().unwrap_or_default();
        (
            self.is_general,
            self.found.priority,
            self.compares || self.is_left(),
            rule.starts_with("any/"),
            Reverse(self.found.confidence.to_bits()),
        )
    }

    fn groups(&self) -> [Option<Group>; 2] {
        [
            Some(Group::Line(self.found.side, self.found.line)),
            self.edit.map(|(edit, _)| Group::Edit(edit)),
        ]
    }

    fn is_left(&self) -> bool {
        LEFT_UNUSED.contains(&self.rule)
    }

    /// Whether a weaker finding has the same cause as this one.
    fn explains(&self, weaker: &Self) -> bool {
        if self.found.origin == weaker.found.origin {
            return false;
        }
        let is_same_line =
            (self.found.side, self.found.line) == (weaker.found.side, weaker.found.line);
        if is_same_line {
            let is_same_defect = self.defect.is_some() && self.defect == weaker.defect;
            if is_same_defect
                || self.is_specific && weaker.is_general
                || self.is_about_code_of(weaker)
            {
                return true;
            }
        }
        let is_below = self.found.priority < weaker.found.priority;
        if weaker.is_left() {
            return !self.is_left()
                && self.found.priority <= weaker.found.priority
                && self.is_in_edit_of(weaker, usize::MAX);
        }
        let is_equal = self.compares && self.found.priority == weaker.found.priority;
        let only_describes = weaker.compares && (is_below || is_equal);
        only_describes
            && self.is_in_edit_of(weaker, NEAR)
            && (is_same_line || self.shares_word_with(weaker))
    }

    /// Whether both are about the same code and the same kind of defect.
    fn is_about_code_of(&self, weaker: &Self) -> bool {
        let (Some(own), Some(other)) = (self.found.span, weaker.found.span) else {
            return false;
        };
        let is_weaker = self.found.priority <= weaker.found.priority
            && self.found.category == weaker.found.category;
        let is_around =
            is_within(own, other) && (self.found.priority < weaker.found.priority || own == other);
        is_weaker
            && (is_around
                || weaker.compares
                    && !self.compares
                    && (is_within(own, other) || is_within(other, own)))
    }

    fn is_in_edit_of(&self, other: &Self, near: usize) -> bool {
        let edits = self.edit.zip(other.edit);
        edits.is_some_and(|((own, line), (edit, at))| own == edit && line.abs_diff(at) <= near)
    }

    /// Whether both summaries quote the same name.
    fn shares_word_with(&self, other: &Self) -> bool {
        let own: HashSet<&str> = quoted(&self.found.summary).collect();
        quoted(&other.found.summary).any(|word| own.contains(word))
    }
}

/// Whether a span is within another one that begins on the same line.
fn is_within(inner: Span, outer: Span) -> bool {
    inner.start_column >= outer.start_column
        && (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
}

/// The names in the code that a summary quotes.
fn quoted(summary: &str) -> impl Iterator<Item = &str> {
    let code = summary.split('`').skip(1).step_by(2);
    let words = code.flat_map(|code| code.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    words.filter(|word| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit()))
}

/// The edit of each changed line, and the line's place in it: removed and added lines without an unchanged line between them.
struct Edits(HashMap<(Side, u32), (usize, usize)>);

impl Edits {
    fn of(file: &Chunk<'_>) -> Self {
        let mut edits = HashMap::new();
        let mut edit = 0;
        for hunk in &file.hunks {
            edit += 1;
            let (mut removed, mut added) = (0, 0);
            for line in hunk.lines.iter() {
                let (side, place) = match line.kind {
                    LineKind::Removed => (Side::Old, &mut removed),
                    LineKind::Added => (Side::New, &mut added),
                    LineKind::Context => {
                        edit += 1;
                        (removed, added) = (0, 0);
                        continue;
                    }
                };
                if let Some(number) = line.number() {
                    edits.insert((side, number), (edit, *place));
                }
                *place += 1;
            }
        }
        Self(edits)
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use review::{
        Candidate, Category, Chunk, ChunkHunk, Language, Line, LineKind, Origin, Priority, Side,
        Span, Status,
    };

    use super::keep_one;
    use crate::registry::Overlaps;

    const OVERLAPS: Overlaps = Overlaps {
        same_defect: &[&["first", "second"]],
        specific: &["any/named"],
        general: &["any/vague"],
    };

    /// A file with an edit of two removed and two added lines, an unchanged line, and an added one.
    fn file() -> Chunk<'static> {
        let line = |kind, old: Option<u32>, new: Option<u32>| Line {
            kind,
            old,
            new,
            text: "a",
            terminated: true,
        };
        let lines = vec![
            line(LineKind::Removed, Some(1), None),
            line(LineKind::Removed, Some(2), None),
            line(LineKind::Added, None, Some(1)),
            line(LineKind::Added, None, Some(2)),
            line(LineKind::Context, Some(3), Some(3)),
            line(LineKind::Added, None, Some(4)),
        ];
        Chunk {
            index: 0,
            is_test: false,
            is_complete: true,
            around: review::Around::Unknown,
            hidden: None,
            by_tool: false,
            version: None,
            path: Cow::Borrowed("a.py"),
            language: Language::find("Python"),
            status: Status::Modified,
            hunks: vec![ChunkHunk {
                heading: Cow::Borrowed(""),
                lines: Cow::Owned(lines),
            }],
        }
    }

    fn found(rule: &str, side: Side, line: u32, priority: Priority, summary: &str) -> Candidate {
        Candidate {
            file: 0,
            side,
            line,
            origin: Origin::Rule(format!("any/{rule}").as_str().into()),
            priority,
            category: Category::LogicBug,
            summary: summary.to_owned(),
            suggested_fix: None,
            confidence: 0.5,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }
    }

    /// The rules whose findings are kept. Those with `edit` in their names compare old and new code.
    fn kept(mut all: Vec<Candidate>) -> Vec<String> {
        keep_one(&mut all, &file(), OVERLAPS, |of| {
            of.rule_id().is_some_and(|id| id.contains("edit"))
        });
        all.iter()
            .filter_map(|of| Some(of.rule_id()?.trim_start_matches("any/").to_owned()))
            .collect()
    }

    #[test]
    fn declared_rules_are_merged_on_their_line() {
        let on = |rule, line| found(rule, Side::New, line, Priority::P2, "A.");
        assert_eq!(kept(vec![on("first", 1), on("second", 1)]).len(), 1);
        assert_eq!(kept(vec![on("first", 1), on("second", 2)]).len(), 2);
        assert_eq!(kept(vec![on("vague", 1), on("named", 1)]), ["named"]);
        assert_eq!(
            kept(vec![on("first", 1), on("first", 1)]).len(),
            2,
            "of one rule"
        );
    }

    #[test]
    fn the_description_of_an_edit_is_dropped_if_its_defect_is_reported() {
        let defect = || {
            found(
                "defect",
                Side::New,
                1,
                Priority::P1,
                "`token.valid` is not checked.",
            )
        };
        let edit = |side, line, summary| found("edit", side, line, Priority::P3, summary);
        assert_eq!(
            kept(vec![
                defect(),
                edit(Side::Old, 2, "`ok && token.valid` is gone.")
            ]),
            ["defect"]
        );
        assert_eq!(
            kept(vec![defect(), edit(Side::Old, 2, "`name` is gone.")]).len(),
            2,
            "about something else"
        );
        assert_eq!(
            kept(vec![defect(), edit(Side::New, 4, "`token` is gone.")]).len(),
            2,
            "another edit"
        );
        assert_eq!(
            kept(vec![defect(), edit(Side::New, 1, "Gone.")]),
            ["defect"],
            "on the same line"
        );
        let stronger = found("edit", Side::Old, 1, Priority::P0, "`token` is gone.");
        assert_eq!(
            kept(vec![defect(), stronger]).len(),
            2,
            "a stronger one is kept"
        );
    }

    #[test]
    fn what_an_edit_leaves_unused_is_no_second_finding() {
        let left = found(
            "import-left-unused",
            Side::Old,
            2,
            Priority::P3,
            "`hash` is unused.",
        );
        let defect = found(
            "defect",
            Side::New,
            1,
            Priority::P1,
            "`password` is not hashed.",
        );
        assert_eq!(kept(vec![left.clone(), defect]), ["defect"]);
        assert_eq!(kept(vec![left]), ["import-left-unused"]);
    }

    #[test]
    fn findings_about_the_same_code_and_kind_are_one() {
        let at = |rule, priority, start, end| Candidate {
            span: Some(Span {
                start_column: start,
                end_line: 4,
                end_column: end,
            }),
            ..found(rule, Side::New, 4, priority, "A.")
        };
        assert_eq!(
            kept(vec![
                at("defect", Priority::P1, 5, 9),
                at("other", Priority::P3, 1, 9)
            ]),
            ["defect"]
        );
        assert_eq!(
            kept(vec![
                at("defect", Priority::P1, 1, 9),
                at("other", Priority::P3, 5, 9)
            ])
            .len(),
            2,
            "a part may have its own defect"
        );
        assert_eq!(
            kept(vec![
                at("defect", Priority::P1, 1, 3),
                at("other", Priority::P3, 5, 9)
            ])
            .len(),
            2
        );
        let other = Candidate {
            category: Category::Security,
            ..at("other", Priority::P3, 5, 9)
        };
        assert_eq!(
            kept(vec![at("defect", Priority::P1, 5, 9), other]).len(),
            2,
            "of another kind"
        );
    }
}
