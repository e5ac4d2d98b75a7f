//! Closes what is open at the ends of a text: incomplete statements and brackets.

use super::gaps::{Cut, Gaps, Start};
use crate::language::Row;

/// Opens the comment or literal that the text starts in. It ends in a line feed, so rows do not shift.
pub(super) fn opening(start: Start<'_>) -> String {
    match start {
        Some(Cut::Literal(open, _)) => format!("{open}\n"),
        Some(Cut::Heredoc(sign, name)) => format!("{sign}{name}\n"),
        None => String::new(),
    }
}

/// Closes what is open at the end of the text; `end` completes the last statement.
pub(super) fn closing(row: &Row, gaps: &Gaps<'_>, end: &str) -> String {
    let mut out = String::from(end);
    if let Some(close) = gaps.ends_in {
        out.push_str(close);
        out.push('\n');
    }
    for (index, open) in gaps.open.iter().enumerate().rev() {
        let outer = index
            .checked_sub(1)
            .and_then(|index| gaps.open.get(index))
            .map_or(b'{', |open| open.opener);
        out.push_str(match (open.opener, open.word) {
            (b'(', _) if outer == b'{' && is_header(row, open.line) => ") {}",
            (b'(', _) if outer == b'{' && takes_semicolons(row) => ");",
            (b'(', _) => ")",
            (b'[', _) => "]",
            (b'#', _) => "\n#endif\n",
            (_, "try") => "} finally {}",
            (_, "do") => "} while (_x);",
            (b'{', _) if is_script(row) && open.line.trim_start().starts_with("import") => {
                "} from ''"
            }
            (b'{', _)
                if outer == b'{' && takes_semicolons(row) && ends_in_semicolon(row, open.line) =>
            {
                "};"
            }
            _ => "}",
        });
    }
    out
}

/// Whether a block that this line opens with a brace ends a statement or declaration that needs a semicolon.
fn ends_in_semicolon(row: &Row, line: &str) -> bool {
    let line = line.trim_start();
    let declares = ["struct ", "class ", "union ", "enum "]
        .iter()
        .any(|word| line.starts_with(word));
    let is_value = line.starts_with("let ")
        || assigns(line)
        || line.starts_with("return ") && row.name != "Rust";
    let is_head = ["if ", "if(", "while ", "for ", "} else if "]
        .iter()
        .any(|word| line.starts_with(word))
        || line.contains("if let ") && !line.starts_with("let ");
    is_value && !is_head || declares && matches!(row.folder, "c" | "cpp") && !line.contains('(')
}

/// Whether a line is an assignment, and not a parameter with a default value.
fn assigns(line: &str) -> bool {
    let count = |text: &str, sign: char| text.chars().filter(|c| *c == sign).count();
    line.match_indices(" = ").any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        count(before, '(') <= count(before, ')')
    })
}

pub(super) fn is_script(row: &Row) -> bool {
    matches!(row.folder, "javascript" | "typescript")
}

fn takes_semicolons(row: &Row) -> bool {
    matches!(row.folder, "java" | "c" | "cpp" | "csharp" | "rust" | "php")
}

/// Whether a line that ends before an opening parenthesis is the header of a function or block.
fn is_header(row: &Row, line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let starts = [
        "fn", "func", "function", "def", "fun", "if", "for", "while", "switch", "catch", "public",
        "private", "protected", "static", "async", "pub", "pub(crate)", "override", "internal",
        "virtual", "export",
    ];
    let value = ["=", "return", "new", "throw", "await", "yield"]
        .iter()
        .any(|word| words.contains(word))
        || line.contains('.')
        || is_script(row) && words.first() == Some(&"void");
    !value && (words.first().is_some_and(|word| starts.contains(word)) || words.len() >= 2)
}

/// Completes an unfinished statement or header at the end of the text.
pub(super) fn unfinished(row: &Row, text: &str, gaps: &Gaps<'_>) -> &'static str {
    let code = text.get(..gaps.last).unwrap_or_default().trim_end();
    let comma_is_fine = matches!(
        row.folder,
        "javascript" | "typescript" | "python" | "go" | "rust" | "php" | "ruby" | "kotlin" | "hcl"
    );
    let variable = if row.name == "PHP" { "$_x" } else { "_x" };
    if code.ends_with(',') {
        return if row.name == "JSON" {
            "\"_\": 0"
        } else if comma_is_fine {
            ""
        } else {
            "_x"
        };
    }
    if code.ends_with(['=', '+', '-', '*', '%', '&', '|', '?', '<', '.'])
        && !code.ends_with("++")
        && !code.ends_with("--")
        || code.ends_with("->")
        || code.ends_with("return") && row.name == "Rust"
    {
        return variable;
    }
    let last_line = code.rsplit('\n').next().unwrap_or_default().trim_start();
    let is_head = |word: &&str| {
        last_line
            .strip_prefix(*word)
            .is_some_and(|rest| rest.trim_start().starts_with('('))
    };
    if code.ends_with(')')
        && ["if", "for", "while", "switch", "else if", "} else if"]
            .iter()
            .any(is_head)
    {
        return "{}";
    }
    if code.ends_with("else") || code.ends_with("=>") {
        "{}"
    } else {
        ""
    }
}

/// The text needed before a fragment that starts in the middle of a statement.
pub(super) fn unstarted(row: &Row, text: &str, gaps: &Gaps<'_>) -> &'static str {
    let code = gaps.first.and_then(|at| text.get(at..)).unwrap_or_default();
    let variable = if row.name == "PHP" { "$_x" } else { "_x" };
    let two = [
        "&&", "||", "->", "?.", "?:", "??", "==", "!=", "<<", "|>", "+ ", "- ", "* ", "= ", "? ",
        "<= ", ">= ", "< ", "> ", "+= ",
    ];
    if row.folder == "typescript" && code.starts_with("| ") {
        return "type _T =";
    }
    if code.starts_with('.') && !code.starts_with("...")
        || two.iter().any(|sign| code.starts_with(sign))
    {
        return variable;
    }
    let word = code
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    match word {
        _ if code.starts_with(": ") && row.name == "C++" => "_C::_C()",
        _ if code.starts_with(": ") => {
            if row.name == "PHP" {
                "$_x ? $_x"
            } else {
                "_x ? _x"
            }
        }
        _ if code.starts_with('{') => {
            if matches!(row.name, "Go" | "Rust") {
                "if _x"
            } else {
                "if (_x)"
            }
        }
        "else" => {
            if matches!(row.name, "Go" | "Rust") {
                "if _x {}"
            } else {
                "if (_x) {}"
            }
        }
        "catch" | "finally" => "try {}",
        "where" if row.name == "Rust" => "fn _f()",
        _ => "",
    }
}
