//! Guesses how a text was cut out of a file.
//!
//! A candidate context opens what encloses the text (a class, a function, blocks, an argument list, a comment) and closes what
//! is open. Candidates are guesses: they are parsed until one has no error.

use super::closers::{closing, opening, unfinished, unstarted};
use super::context::Context;
use super::gaps::{self, Gaps, Inside, Start};
use super::openers::{key, kind_of_opener, openers};
use super::{ends, indent};
use crate::language::{Blocks, Grammar, Row};

/// Candidate contexts for `text`, most likely first.
pub(super) fn candidates(grammar: Grammar, text: &str, heading: &str) -> Vec<Context> {
    const MOST: usize = 20;
    let row = grammar.row();
    let starts = gaps::starts(row, text);
    let mut all: Vec<Context> = Vec::new();
    for start in &starts {
        let mut own = of_start(row, text, heading, *start);
        own.truncate(MOST / starts.len());
        all.extend(own);
    }
    all.insert(
        if is_whole(row, text) {
            0
        } else {
            3.min(all.len())
        },
        Context::default(),
    );
    let mut seen: Vec<Context> = Vec::new();
    all.retain(|context| {
        let fresh = !seen.contains(context);
        if fresh {
            seen.push(context.clone());
        }
        fresh
    });
    all
}

/// Whether a context that fits the other side of a hunk leaves no bracket open on this side. If so, an error is in the
/// text itself, and no other context helps.
pub(super) fn fits(grammar: Grammar, text: &str, context: &Context) -> bool {
    let row = grammar.row();
    let whole = format!("{}{text}{}", context.before, context.after);
    let found = gaps::find(row, &whole, None);
    let balanced = found.missing.is_empty() && found.open.is_empty() && found.ends_in.is_none();
    balanced && matches!(row.blocks, Blocks::Braces | Blocks::Indent)
}

/// The context for a text that hardly parses as code: it may be inside a comment or literal.
pub(super) fn prose(grammar: Grammar) -> Option<Context> {
    let row = grammar.row();
    let lexical = row.lexical();
    let long = lexical
        .long_strings
        .iter()
        .find(|(open, close)| open == close);
    let comment = lexical.block_comments.first();
    let comment = comment.map(|block| (format!("{}\n", block.open), format!("{}\n", block.close)));
    let literal = long.map(|(open, close)| (format!("{open}\n"), format!("{close}\n")));
    let (before, after) = if row.blocks == Blocks::Indent {
        literal
    } else {
        comment
    }?;
    Some(Context { before, after })
}

/// Contexts for a text, depending on whether it starts in code, a comment or a literal.
fn of_start(row: &'static Row, text: &str, heading: &str, start: Start<'_>) -> Vec<Context> {
    let mut all = Vec::new();
    let found = gaps::find(row, text, start);
    match row.blocks {
        Blocks::Braces => braces(row, text, heading, start, &found, &mut all),
        Blocks::Indent => indent::python(row, text, heading, start, &found, &mut all),
        Blocks::End | Blocks::Shell => ends::candidates(row, text, start, &found, &mut all),
        Blocks::Plain if row.name == "YAML" => indent::yaml(row, text, &mut all),
        Blocks::Plain => {
            let after = closing(row, &found, "");
            all.push(Context {
                before: opening(start),
                after: after.clone(),
            });
            // Contexts required by the text's own unmatched closers.
            let openers = row.inner.iter().filter(|_| found.missing.len() == 1);
            all.extend(openers.map(|(open, _)| Context {
                before: format!("{open}\n"),
                after: after.clone(),
            }));
        }
    }
    // A text of items is in a list, an object, arguments or fields.
    let inner = inner(row, text, start, &found);
    let is_list = (found.rest.is_list() || is_list(text)) && !has_member_heads(row, text);
    let at = if is_list { 0 } else { all.len().min(9) };
    let is_match = |context: &Context| {
        ["match _x {\n", "when (_x) {\n"]
            .iter()
            .any(|head| context.before.contains(head))
    };
    let arms = if found.rest.arms {
        inner.iter().position(is_match)
    } else {
        None
    };
    all.splice(
        at..at,
        inner
            .iter()
            .enumerate()
            .filter(|(index, _)| Some(*index) != arms)
            .map(|(_, own)| own.clone()),
    );
    if let Some(first) = arms.and_then(|index| inner.get(index)) {
        all.insert(0, first.clone());
    }
    // The end may be a header without body or an unfinished statement.
    if row.blocks == Blocks::Braces && unfinished(row, text, &found).is_empty() {
        let tail = |best: &Context, tail: &str| Context {
            before: best.before.clone(),
            after: format!("{tail}{}", best.after),
        };
        let tails: Vec<Context> = [";", "{}", " _x;", " {};"]
            .iter()
            .flat_map(|text| all.iter().take(1).map(|best| tail(best, text)))
            .collect();
        all.splice(3.min(all.len())..3.min(all.len()), tails);
    }
    all
}

/// The lowest level contains headers of functions or types, whose type arguments may look like a list. JavaScript objects have
/// such headers, too.
fn has_member_heads(row: &Row, text: &str) -> bool {
    let is_head = |line: &str| is_declaration(row, line) && line.trim_end().ends_with(['{', ')']);
    !matches!(row.folder, "javascript" | "typescript") && at_bottom(text).any(is_head)
}

/// The lines with the least indentation, without that indentation.
pub(super) fn at_bottom(text: &str) -> impl Iterator<Item = &str> {
    let lowest = lowest_indentation(text);
    let lines = text
        .lines()
        .filter(move |line| !line.trim().is_empty() && indentation(line) == lowest);
    lines
        .map(str::trim_start)
        .filter(|line| !line.starts_with(['}', ')', ']', '/', '*']))
}

pub(super) fn lowest_indentation(text: &str) -> usize {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(indentation)
        .min()
        .unwrap_or(0)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether most lines end in a comma and no statement ends.
fn is_list(text: &str) -> bool {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    let commas = lines.iter().filter(|line| line.ends_with(',')).count();
    commas * 2 > lines.len() && !lines.iter().any(|line| line.ends_with(';'))
}

/// Whether nothing seems to be missing and the text starts without indentation.
fn is_whole(row: &'static Row, text: &str) -> bool {
    let found = gaps::find(row, text, None);
    let balanced = found.missing.is_empty() && found.open.is_empty() && found.ends_in.is_none();
    let at_margin = text
        .lines()
        .any(|line| line.starts_with(|c: char| !c.is_whitespace()));
    balanced
        && row.blocks != Blocks::End
        && (at_margin || row.blocks != Blocks::Indent && row.ladders.is_empty())
}

/// For languages with braces: a ladder of headers down to the level at which the text ends, then the missing openers.
fn braces(
    row: &'static Row,
    text: &str,
    heading: &str,
    start: Start<'_>,
    gaps: &Gaps<'_>,
    all: &mut Vec<Context>,
) {
    let end = unfinished(row, text, gaps);
    let first = if start.is_some() {
        ""
    } else {
        unstarted(row, text, gaps)
    };
    for (ladder, base) in levels(row, text, heading, gaps.rest) {
        let mut before = String::new();
        for step in ladder.iter().take(base) {
            before.push_str(step);
            before.push('\n');
        }
        before.push_str(&openers(row, ladder, base, b'{', &gaps.missing));
        let header = ladder
            .get(base)
            .and_then(|step| step.strip_suffix('{'))
            .filter(|step| !step.trim().is_empty());
        let opens = first.starts_with("if") && !first.ends_with('}');
        let first = match gaps.missing.first() {
            None if opens => header.unwrap_or(first),
            // An element, an argument.
            Some(gap) if opens && (gap.closer != b'}' || gap.inside.commas) => "",
            _ => first,
        };
        if !first.is_empty() {
            before.push_str(first);
            before.push('\n');
        }
        before.push_str(&opening(start));
        let after = format!("{}\n{}", closing(row, gaps, end), "}".repeat(base));
        all.push(Context { before, after });
    }
}

/// Whether a line declares a member or an item.
fn is_declaration(row: &Row, line: &str) -> bool {
    const WORDS: &[&str] = &[
        "public", "private", "protected", "internal", "abstract", "override", "virtual", "fn",
        "pub", "impl", "struct", "enum", "use", "mod", "trait", "func", "fun", "function", "class",
        "interface", "static", "constructor", "namespace", "import", "package", "readonly", "get",
        "set", "open", "companion", "template", "typedef", "extern",
    ];
    let word = line
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default();
    let is_method = || {
        let calls = line
            .get(word.len()..)
            .is_some_and(|rest| rest.starts_with('('));
        calls
            && line.ends_with('{')
            && !["if", "for", "while", "switch", "catch", "with"].contains(&word)
    };
    WORDS.contains(&word)
        || line.starts_with("#[")
        || line.starts_with('[') && row.name == "C#"
        || line.starts_with('@') && !line.starts_with("@\"")
        || matches!(row.folder, "javascript" | "typescript")
            && (is_method() || word == "async" && !line.contains("=>"))
}

/// Ladders, and the depth at which the text ends, most likely first.
fn levels(
    row: &'static Row,
    text: &str,
    heading: &str,
    rest: Inside,
) -> Vec<(&'static [&'static str], usize)> {
    let in_type = [
        "class ", "interface ", "struct ", "impl ", "trait ", "enum ", "namespace ", "object ",
        "record ", "mod ",
    ];
    let heading = format!("{heading} ");
    let names_type = in_type.iter().any(|word| heading.contains(word));
    // Git's heading names the type for all its members, including their bodies.
    let marks_members = matches!(row.folder, "java" | "csharp" | "php" | "rust");
    let is_marked = marks_members && !heading.contains("interface ");
    let names_function = heading.contains('(') && !names_type;
    let lowest = lowest_indentation(text);
    let has_cases = rest.cases || rest.arms && matches!(row.name, "Rust" | "Kotlin");
    let declares = at_bottom(text).any(|line| is_declaration(row, line));
    let mut all = Vec::new();
    for (order, ladder) in row.ladders.iter().enumerate() {
        let is_type = |index: usize| ladder.get(index).is_some_and(|step| !step.contains('('));
        let types = (0..ladder.len())
            .take_while(|index| is_type(*index))
            .count();
        // A ladder with one step is only for an unmatched closing brace.
        let deepest = if ladder.len() == 1 {
            0
        } else {
            ladder.len().min(3)
        };
        let switches = ladder.iter().any(|step| {
            ["switch", "match", "when", "select"]
                .iter()
                .any(|word| step.contains(word))
        });
        for base in 0..=deepest {
            let inside_function = base > types;
            let likely = [
                (lowest == 0) == (base == 0),
                (names_type && (declares || !is_marked)) == (types > 0 && base == types),
                declares != inside_function || lowest == 0,
                !names_function || base == types + 1 || base == 0 && lowest == 0,
                switches == has_cases,
                !switches || inside_function && base == types + 2 || base < types + 1 && has_cases,
            ];
            let doubts = likely.iter().filter(|likely| !**likely).count();
            all.push((doubts * 4 + order.min(3), *ladder, base));
        }
    }
    all.sort_by_key(|(doubts, _, base)| (*doubts, *base));
    all.into_iter()
        .map(|(_, ladder, base)| (ladder, base))
        .take(9)
        .collect()
}

/// Contexts within a statement.
fn inner(row: &'static Row, text: &str, start: Start<'_>, gaps: &Gaps<'_>) -> Vec<Context> {
    let end = unfinished(row, text, gaps);
    let ladder = row.ladders.first().copied().unwrap_or_default();
    let value = if start.is_some() {
        ""
    } else {
        unstarted(row, text, gaps)
    };
    let value = if value.starts_with("_x") || value.starts_with("$_x") {
        value
    } else {
        ""
    };
    let around = |(open, close): &(&str, &str)| {
        let kind = kind_of_opener(row, open);
        let openers = openers(row, ladder, ladder.len(), kind, &gaps.missing);
        let innermost = gaps
            .missing
            .first()
            .map_or(kind, |_| kind_of_opener(row, &openers));
        let key = if !value.is_empty() && innermost == b'o' {
            key(row)
        } else {
            ""
        };
        Context {
            before: format!(
                "{open}\n{openers}{key}{value}{}{}",
                if value.is_empty() { "" } else { "\n" },
                opening(start)
            ),
            after: format!("{}\n{close}", closing(row, gaps, end)),
        }
    };
    let mut all: Vec<Context> = row.inner.iter().map(around).collect();
    // Go's arguments have no keys.
    let has_keys = gaps.rest.keys || gaps.missing.last().is_some_and(|gap| gap.inside.keys);
    if has_keys && row.name == "Go" {
        all.sort_by_key(|context| {
            context
                .before
                .lines()
                .next()
                .is_none_or(|open| kind_of_opener(row, open) != b'o')
        });
    }
    all
}
