//! Code that does not parse: the lines of a file that no rule examined, and whether the change is the cause.

use std::ops::Range;

use review::{Around, Chunk, Language, LineKind, Side, Status};
use syntax::language::Grammar;
use syntax::parse::{Extent, Fragment, Hunk, Limits, OtherSide, SideLine, SideText};
use syntax::tree::Tree;

/// Languages in which a part of a file has the same meaning wherever it is, so that its error is one of the code if the replaced code
/// could be parsed. In others, a line such as `name: value,` depends on the code around the hunk.
const COMPARABLE: &[&str] = &["JSON", "SQL", "YAML"];

/// Text that templates have between the code, in any language.
const TEMPLATES: &[&str] = &["{{", "{%", "<%", "<?"];

/// Marks a dialect of JavaScript.
const FLOW: &str = "@flow";

/// JSON files with readers that follow the standard. Other readers may allow comments and a comma at the end.
const STRICT_JSON: &[&str] = &[
    "package.json", "composer.json", "manifest.json", "package-lock.json", "openapi.json",
];

/// Folders with data that may be wrong on purpose.
const TEST_DATA: &[&str] = &[
    "test", "tests", "testdata", "test-data", "fixtures", "fixture", "__fixtures__", "spec",
    "specs",
];

/// Maximum number of line ranges in a message.
const SHOWN: usize = 5;

/// The errors that concern the change of a hunk.
pub(super) struct SyntaxErrors {
    /// The lines that could not be parsed, by their numbers on the new side, in order.
    pub(super) unread: Vec<Range<u32>>,
    /// The line to report.
    pub(super) place: (Side, u32),
    /// The text of those lines contains template syntax.
    is_template: bool,
}

impl SyntaxErrors {
    /// The errors that the parser has found in added lines, or in any line if `is_broken`, because then the change is
    /// the cause.
    pub(super) fn of(
        hunk: Hunk<'_>,
        fragment: &Fragment,
        tree: &Tree<'_>,
        is_broken: bool,
    ) -> Option<Self> {
        if fragment.score == 0 {
            return None;
        }
        let lines = |rows: Range<usize>| {
            rows.filter_map(|row| fragment.line_of_row(row).map(|(_, line)| line))
        };
        let text = |line: SideLine| {
            hunk.lines
                .get(line.index as usize)
                .map_or("", |line| line.text)
        };
        let mut unread: Vec<Range<u32>> = Vec::new();
        let (mut first_added, mut is_template) = (None, false);
        for rows in tree.unread_rows() {
            let added = lines(rows.clone()).find(|line| line.changed);
            let (Some(from), Some(to)) =
                (lines(rows.clone()).next(), lines(rows.clone()).next_back())
            else {
                continue;
            };
            if added.is_none() && !is_broken {
                continue;
            }
            first_added = first_added.or(added);
            is_template |=
                lines(rows).any(|line| TEMPLATES.iter().any(|mark| text(line).contains(mark)));
            match unread.last_mut() {
                Some(last) if from.number <= last.end + 1 => last.end = to.number + 1,
                _ => unread.push(from.number..to.number + 1),
            }
        }
        let end = unread.last()?.end;
        let place = match first_added {
            Some(first) => {
                let mut errors = tree.error_rows().flat_map(|row| lines(row..row + 1));
                (
                    Side::New,
                    errors.find(|line| line.changed).unwrap_or(first).number,
                )
            }
            None => blamed_change(hunk, end)?,
        };
        Some(Self {
            unread,
            place,
            is_template,
        })
    }

    /// The warning's message.
    pub(super) fn message(&self) -> String {
        let (lines, them) = self.lines();
        format!("{lines} could not be parsed: only the plain-text rules were applied to {them}.")
    }

    /// The warning's message if the grammar only does not know a part of the lines.
    pub(super) fn partly_read(&self) -> String {
        let (lines, _) = self.lines();
        format!("{lines} could be read only in part: the grammar does not know all of the syntax.")
    }

    /// The lines as text, and the pronoun for them.
    fn lines(&self) -> (String, &'static str) {
        let one = |lines: &Range<u32>| match lines.end - lines.start {
            1 => lines.start.to_string(),
            _ => format!("{}\u{2013}{}", lines.start, lines.end - 1),
        };
        let mut shown: Vec<String> = self.unread.iter().take(SHOWN).map(one).collect();
        let more = self.unread.len().saturating_sub(SHOWN);
        if more > 0 {
            shown.push(format!("{more} more places"));
        }
        let is_one_line = matches!(self.unread.as_slice(), [only] if only.end - only.start == 1);
        let (noun, them) = if is_one_line {
            ("Line", "it")
        } else {
            ("Lines", "them")
        };
        (format!("{noun} {}", listed(&shown)), them)
    }

    /// The numbers of the lines that could not be parsed.
    pub(super) fn rows(&self) -> Vec<u32> {
        self.unread.iter().flat_map(Clone::clone).collect()
    }

    /// Whether text between the code may be the reason.
    pub(super) const fn is_template(&self) -> bool {
        self.is_template
    }
}

/// Whether an error in a text of this language may be one of the author: in a whole file with a second witness, or in a part of one
/// that says enough. A script may be of another language than its extension says.
pub(super) fn may_be_wrong(language: &str, path: &str, text: &str, is_whole: bool) -> bool {
    let first = text.lines().next().and_then(Language::of_shebang);
    let runs_as_another = first.is_some_and(|own| own.name() != language);
    let is_flow = || language == "JavaScript" && text.contains(FLOW);
    (is_whole || COMPARABLE.contains(&language))
        && !is_flow()
        && !is_chart(language, path, text)
        && !runs_as_another
        && (language != "JSON" || is_strict_json(path, text))
}

/// The last changed line above the end of the unparsed part, otherwise the first changed line: the added lines can be
/// parsed, so the change removed something.
pub(super) fn blamed_change(hunk: Hunk<'_>, end: u32) -> Option<(Side, u32)> {
    let is_above = |line: &&review::Line<'_>| line.new.is_none_or(|new| new < end);
    let changed = |line: &review::Line<'_>| match line.kind {
        LineKind::Added => Some((Side::New, line.new?)),
        LineKind::Removed => Some((Side::Old, line.old?)),
        LineKind::Context => None,
    };
    let above = hunk
        .lines
        .iter()
        .take_while(is_above)
        .filter_map(changed)
        .last();
    above.or_else(|| hunk.lines.iter().find_map(changed))
}

/// Formats a list as "1, 2 and 3".
fn listed(items: &[String]) -> String {
    match items.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => items.concat(),
    }
}

/// How much of its file a hunk shows. A large file is split into several chunks, none of which is whole. A hunk with
/// more unchanged lines before the change than after it ends at the end of the file, unless the diff shows whole
/// functions.
pub(super) fn extent(file: &Chunk<'_>, hunk: Hunk<'_>) -> Extent {
    if !file.is_complete || file.hunks.len() != 1 {
        return Extent::Part;
    }
    let begins = hunk.lines.iter().find_map(|line| line.new) == Some(1);
    let is_context = |line: &&review::Line<'_>| line.kind == LineKind::Context;
    let before = hunk.lines.iter().take_while(is_context).count();
    let after = hunk.lines.iter().rev().take_while(is_context).count();
    match file.around {
        Around::Nothing => Extent::Whole,
        _ if file.status == Status::Added || begins && after < before => Extent::Likely,
        _ => Extent::Part,
    }
}

/// Whether the unchanged code before and after the change shows that a block which the change opens is not closed below
/// the hunk.
pub(super) fn is_closed(hunk: Hunk<'_>) -> bool {
    let is_context = |line: &&review::Line<'_>| line.kind == LineKind::Context;
    let has_code =
        |line: &review::Line<'_>| line.text.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let after = hunk.lines.iter().rev().take_while(is_context).any(has_code);
    let before = hunk.lines.iter().take_while(is_context).any(has_code);
    before && after
}

/// Whether it is a template of a Helm chart, which is YAML only once Helm has filled it in.
fn is_chart(language: &str, path: &str, text: &str) -> bool {
    let is_template = path
        .split('/')
        .rev()
        .skip(1)
        .any(|folder| folder == "templates");
    language == "YAML" && is_template && text.contains("{{")
}

fn is_strict_json(path: &str, text: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    if STRICT_JSON.contains(&name) {
        return true;
    }
    let is_data = |folder: &str| {
        TEST_DATA.contains(&&*folder.to_ascii_lowercase()) || folder.starts_with('.')
    };
    let has_comments = || {
        text.lines()
            .any(|line| line.trim_start().starts_with("//") || line.contains("/*"))
    };
    let ends_in_comma = || {
        let mut after_comma = text.split(',').skip(1);
        after_comma.any(|rest| rest.trim_start().starts_with(['}', ']']))
    };
    !(folders.split('/').any(is_data) || name.starts_with('.') || has_comments() || ends_in_comma())
}

/// The old side of a hunk, if all of it can be parsed. An empty text can.
pub(super) fn readable_old_side(
    grammar: Grammar,
    hunk: Hunk<'_>,
    new: &Fragment,
    extent: Extent,
    limits: &Limits,
) -> Option<Option<Fragment>> {
    let text = SideText::new(hunk, Side::Old, limits);
    if text.text.trim().is_empty() {
        return Some(None);
    }
    let other = Some(OtherSide {
        fragment: new,
        tree: None,
    });
    let (old, _) = Fragment::parse(grammar, text, hunk.heading, extent, other, limits).ok()?;
    (old.score == 0).then_some(Some(old))
}

#[cfg(test)]
mod tests {
    use review::Side;

    use super::{SyntaxErrors, may_be_wrong};

    fn errors(unread: &[(u32, u32)], is_template: bool) -> SyntaxErrors {
        let unread = unread
            .iter()
            .map(|(first, last)| *first..*last + 1)
            .collect();
        SyntaxErrors {
            unread,
            place: (Side::New, 1),
            is_template,
        }
    }

    #[test]
    fn dialects_and_lenient_json_are_not_judged() {
        for (language, path, text) in [
            ("Python", "a.py", "def f(a:"),
            ("TypeScript", "a.ts", "f("),
            ("JSON", "config/a.json", "{\"a\": 1"),
            ("JSON", "web/package.json", "{\"a\": 1,}"),
        ] {
            assert!(may_be_wrong(language, path, text, true), "{path}: {text}");
        }
        for (language, path, text) in [
            ("JavaScript", "a.js", "// @flow\ntype A = {||};"),
            ("JSON", "config/a.json", "{\"a\": 1,\n}"),
            ("JSON", "config/a.json", "// why\n{"),
            ("JSON", ".vscode/settings.json", "{"),
            ("YAML", "helm/shop/templates/job.yaml", "a: {{ .b }}-c\n"),
            ("JSON", "src/Tests/Fixtures/invalid.json", "{"),
        ] {
            assert!(!may_be_wrong(language, path, text, true), "{path}: {text}");
        }
        assert!(!may_be_wrong("Go", "a.go", "f(", false));
    }

    #[test]
    fn the_message_lists_the_lines() {
        let message = |unread: &[(u32, u32)]| errors(unread, false).message();
        let rest = "could not be parsed: only the plain-text rules were applied to";
        assert_eq!(message(&[(7, 7)]), format!("Line 7 {rest} it."));
        assert_eq!(message(&[(7, 9)]), format!("Lines 7\u{2013}9 {rest} them."));
        assert_eq!(
            message(&[(1, 1), (3, 4)]),
            format!("Lines 1 and 3\u{2013}4 {rest} them.")
        );
        let many: Vec<(u32, u32)> = (1..8).map(|line| (line * 2, line * 2)).collect();
        assert_eq!(
            message(&many),
            format!("Lines 2, 4, 6, 8, 10 and 2 more places {rest} them.")
        );
    }
}
