//! Languages whose blocks end with a keyword: Ruby's `end`, the shell's `fi`, `done` and `esac`.

use super::closers::{closing, opening};
use super::context::Context;
use super::gaps::{Gaps, Start};
use crate::language::{Blocks, Row};

/// The effect of a line on blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Opens a block that `close` ends.
    Open(&'static str),
    /// A middle part (`else`) of a block that this text would have opened.
    Middle(&'static str, &'static str),
    /// Closes a block that this text would have opened.
    Close(&'static str),
    Nothing,
}

pub(super) fn candidates(
    row: &Row,
    text: &str,
    start: Start<'_>,
    gaps: &Gaps<'_>,
    all: &mut Vec<Context>,
) {
    let step = if row.blocks == Blocks::End {
        ruby
    } else {
        shell
    };
    let mut open: Vec<&'static str> = Vec::new();
    let mut before: Vec<&'static str> = Vec::new();
    // An unmatched middle part: the block is open on both sides of the text.
    let mut middle: Option<(&'static str, &'static str)> = None;
    for line in gaps.code_lines(text) {
        match step(line.trim()) {
            Step::Open(close) => open.push(close),
            Step::Middle(opener, close) if open.is_empty() => {
                middle.get_or_insert((opener, close));
            }
            Step::Close(opener) if open.pop().is_none() => {
                before.push(middle.take().map_or(opener, |(opener, _)| opener))
            }
            _ => {}
        }
    }
    let (outer, last) = middle.map_or(("", ""), |(opener, close)| (opener, close));
    let mut head = String::new();
    let is_code = |text: &&str| !text.is_empty();
    for opener in std::iter::once(outer)
        .filter(is_code)
        .chain(before.iter().rev().copied())
    {
        head.push_str(opener);
        head.push('\n');
    }
    // A case pattern ends in an unmatched parenthesis.
    let is_case = row.blocks == Blocks::Shell && text.contains(";;");
    for gap in gaps
        .missing
        .iter()
        .rev()
        .filter(|gap| gap.closer != b')' || !is_case)
    {
        head.push_str(match gap.closer {
            b')' => "_f(\n",
            b']' => "_x = [\n",
            _ if gap.follow.starts_with(')') => "_f {\n",
            _ if row.blocks == Blocks::Shell => "_f() {\n",
            _ => "_x = {\n",
        });
    }
    let code = gaps.first.and_then(|at| text.get(at..)).unwrap_or_default();
    if code.starts_with('.') || code.starts_with("&&") || code.starts_with("||") {
        head.push_str("_x\n");
    }
    head.push_str(&opening(start));
    let mut tail = format!("{}\n", closing(row, gaps, ""));
    for close in open
        .iter()
        .rev()
        .copied()
        .chain(std::iter::once(last))
        .filter(is_code)
    {
        tail.push_str(close);
        tail.push('\n');
    }
    all.push(Context {
        before: head.replace("_x = {", "_f {"),
        after: tail.clone(),
    });
    all.push(Context {
        before: head.clone(),
        after: tail.clone(),
    });
    all.push(Context {
        before: head,
        after: format!("_x\n{tail}"),
    });
}

fn word(line: &str) -> &str {
    line.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default()
}

fn ruby(line: &str) -> Step {
    let closes_itself = line.ends_with(" end") || line.ends_with(";end") || line.contains("; end");
    match word(line) {
        "end" => Step::Close("def _m"),
        "else" | "elsif" => Step::Middle("if _x", "end"),
        "rescue" | "ensure" => Step::Middle("begin", "end"),
        "when" | "in" => Step::Middle("case _x", "end"),
        _ if closes_itself => Step::Nothing,
        "def"
            if line.contains(") =")
                || !line.contains('(') && line.split(' ').nth(2) == Some("=") =>
        {
            Step::Nothing
        }
        "def" | "class" | "module" | "if" | "unless" | "while" | "until" | "case" | "begin"
        | "for" => Step::Open("end"),
        _ => {
            let takes_block = line.ends_with(" do")
                || line
                    .rsplit_once(" do |")
                    .is_some_and(|(_, rest)| rest.ends_with('|'));
            let assigns = [" = if ", " = case ", " = unless ", " = begin", " << if "]
                .iter()
                .any(|part| line.contains(part))
                || line.ends_with("= begin");
            if takes_block
                || assigns
                || line.starts_with("private def ")
                || line.starts_with("private_class_method def ")
            {
                Step::Open("end")
            } else {
                Step::Nothing
            }
        }
    }
}

fn shell(line: &str) -> Step {
    let ends_in = |end: &str| line.ends_with(end);
    match word(line) {
        "fi" => Step::Close("if _x; then"),
        "done" => Step::Close("while _x; do"),
        "esac" => Step::Close("case _x in"),
        "else" | "elif" => Step::Middle("if _x; then", "fi"),
        "if" if !ends_in("fi") => Step::Open("fi"),
        "for" | "while" | "until" if !ends_in("done") => Step::Open("done"),
        "case" if !ends_in("esac") => Step::Open("esac"),
        _ => Step::Nothing,
    }
}
