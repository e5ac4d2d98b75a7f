//! Openers for the unmatched closers of a text.

use super::closers::is_script;
use super::gaps::Missing;
use crate::language::Row;

/// Openers for the blocks and brackets that the text closes but does not open, outermost first.
pub(super) fn openers(
    row: &'static Row,
    ladder: &[&str],
    base: usize,
    around: u8,
    missing: &[Missing<'_>],
) -> String {
    let mut out = String::new();
    let mut depth = base;
    let mut enclosing = around;
    for gap in missing.iter().rev() {
        let header = match gap.closer {
            b'#' => "#if _x",
            b')' => parenthesis(row, ladder, depth, enclosing, gap),
            b']' if row.name == "JSON" => "[",
            b']' => variable(row, "[", "_x = [", "$_x = ["),
            _ => {
                let header = brace(row, ladder, depth, enclosing, gap);
                depth += 1;
                header
            }
        };
        // An element or argument cannot contain an assignment; an object's value needs a key, a match arm a pattern.
        let value = header
            .trim_start_matches("$_x = ")
            .trim_start_matches("_x = ");
        let is_value = value.len() < header.len() || gap.closer != b'}';
        let header = match enclosing {
            b'{' => header,
            b'm' => {
                out.push_str(if row.name == "Kotlin" {
                    "else -> "
                } else {
                    "_ => "
                });
                if is_value { value } else { "{" }
            }
            b'o' if is_value => {
                out.push_str(key(row));
                value
            }
            _ => value,
        };
        out.push_str(header);
        out.push('\n');
        enclosing = match gap.closer {
            b')' => b'(',
            b']' => b'[',
            _ if header == "{" && enclosing == b'{' => b'{',
            _ => kind_of_opener(row, header),
        };
    }
    out
}

/// One of three texts, for languages without assignments, with plain variables, and with `$` variables.
fn variable(
    row: &Row,
    none: &'static str,
    plain: &'static str,
    dollars: &'static str,
) -> &'static str {
    match row.name {
        "JSON" => none,
        "PHP" => dollars,
        _ => plain,
    }
}

/// The text needed before a value within the braces of a literal.
pub(super) fn key(row: &Row) -> &'static str {
    match row.folder {
        "javascript" | "typescript" | "go" | "rust" => "_y: ",
        "csharp" => "_x = ",
        "json" => "\"_\": ",
        _ => "",
    }
}

/// The opener for a closing parenthesis: of parameters, a group of declarations, a condition or arguments.
fn parenthesis(
    row: &'static Row,
    ladder: &[&str],
    depth: usize,
    enclosing: u8,
    gap: &Missing<'_>,
) -> &'static str {
    let inside = gap.inside;
    let in_class = depth > 0
        && ladder
            .get(depth - 1)
            .is_some_and(|step| step.starts_with("class"));
    if enclosing == b'{'
        && (heads_block(row, gap.follow) || gap.follow.starts_with('{') && inside.is_list())
    {
        if row.name == "Kotlin" && inside.fields {
            return "class _C(";
        }
        return if is_script(row) && in_class {
            "async _m("
        } else {
            function_header(row)
        };
    }
    let declares = row.name == "Go" && enclosing == b'{' && !inside.commas && !inside.statements;
    match gap.follow.starts_with('{') {
        true if matches!(row.name, "Go" | "Rust") => function_header(row),
        true => "if (",
        false if declares && inside.strings && !inside.assigns => "import (",
        false if declares && (inside.assigns || depth == 0) => "const (",
        false => "_f(",
    }
}

/// Whether a closing parenthesis is followed by the rest of a function header: `-> T {`, `throws E {`, `: T {`.
fn heads_block(row: &Row, follow: &str) -> bool {
    let line = follow.lines().next().unwrap_or_default().trim_end();
    let declares = ["func ", "type ", "var ", "const "]
        .iter()
        .any(|word| line.starts_with(word));
    let is_type = row.name == "Go"
        && !declares
        && line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '*' | '(' | '['));
    let starts = [
        "->", "throws ", ": ", "const", "noexcept", "override", "where",
    ];
    (is_type || starts.iter().any(|start| line.starts_with(start))) && line.ends_with(['{', ':'])
}

/// A function header up to its parameters, from the row's ladders.
fn function_header(row: &'static Row) -> &'static str {
    let steps = row.ladders.iter().flat_map(|ladder| ladder.iter());
    let functions = steps.filter_map(|step| step.find("_f(").and_then(|at| step.get(..at + 3)));
    functions.chain(["void _f("]).next().unwrap_or_default()
}

fn brace<'r>(
    row: &'r Row,
    ladder: &[&'r str],
    depth: usize,
    enclosing: u8,
    gap: &Missing<'_>,
) -> &'r str {
    let bare = matches!(row.name, "Go" | "Rust" | "Kotlin");
    let follows = |word: &str| gap.follow.starts_with(word);
    let inside = gap.inside;
    let ends_value = [",", ")", "]", ";"].into_iter().any(follows);
    let is_literal = !inside.statements
        && !row.lambda.is_empty()
        && (ends_value && !inside.code || inside.is_list());
    let in_block = enclosing == b'{' && depth > 0;
    if follows("catch") || follows("finally") {
        "try {"
    } else if let Some(switch) = switch(row, gap).filter(|_| in_block) {
        switch
    } else if is_script(row) && enclosing == b'{' && (follows("= ") || follows("from ")) {
        if follows("= ") { "const {" } else { "import {" }
    } else if row.name == "C#" && inside.accessors {
        "int _p {"
    } else if row.name == "Rust" && depth == 0 && inside.is_list() && follows(";") {
        "use _x::{"
    } else if is_literal && matches!(row.name, "Go" | "Rust") && (depth > 0 || row.name == "Go") {
        match (row.name, enclosing) {
            ("Go", b'o' | b'[') => "{",
            ("Go", b'(') => "_T{",
            ("Go", _) if depth == 0 => "var _x = _T{",
            ("Go", _) => "_x = _T{",
            _ => "_x = _S {",
        }
    } else if follows("else") {
        if bare && row.name != "Kotlin" {
            "if _x {"
        } else {
            "if (_x) {"
        }
    } else if follows("while (") && row.name != "Kotlin" {
        "do {"
    } else if row.name == "JSON" {
        if matches!(enclosing, b'{' | b'o') && depth > 0 {
            "\"_\": {"
        } else {
            "{"
        }
    } else if matches!(enclosing, b'(' | b'[') {
        match row.folder {
            "javascript" | "typescript" | "hcl" if is_literal => "{",
            "c" | "cpp" if is_literal => "{",
            "csharp" if is_literal => "new _T {",
            _ => row.lambda,
        }
    } else if enclosing == b'o' {
        match row.folder {
            "javascript" | "typescript" if is_literal => "_y: {",
            "csharp" if is_literal => "_x = new _T {",
            "javascript" | "typescript" => "_m() {",
            "csharp" | "kotlin" | "rust" | "go" => row.lambda,
            _ => "{",
        }
    } else if is_literal && depth > 0 {
        match row.folder {
            "javascript" | "typescript" | "hcl" => "_x = {",
            "c" | "cpp" => "_t _x = {",
            "csharp" => "_x = new _T {",
            "java" if ends_value => "_t[] _x = {",
            _ => ladder.get(depth).or(ladder.last()).copied().unwrap_or("{"),
        }
    } else if is_literal && matches!(row.folder, "c" | "cpp") && follows(";") && !inside.keys {
        "int _x[] = {"
    } else {
        ladder.get(depth).or(ladder.last()).copied().unwrap_or("{")
    }
}

/// The header of a `switch` or `match` that fits a block's content.
fn switch(row: &Row, gap: &Missing<'_>) -> Option<&'static str> {
    let inside = gap.inside;
    if inside.cases {
        return match (row.folder, inside.late_cases) {
            ("go", false) if inside.receives => Some("select {"),
            ("go", true) if inside.receives => Some("select { case <-_x:"),
            ("go", false) => Some("switch _x {"),
            ("go", true) => Some("switch _x { case 1:"),
            ("rust" | "kotlin" | "python" | "hcl", _) => None,
            ("php", false) => Some("switch ($_x) {"),
            ("php", true) => Some("switch ($_x) { case 1:"),
            (_, false) => Some("switch (_x) {"),
            (_, true) => Some("switch (_x) { case 1:"),
        };
    }
    match row.folder {
        "rust" if inside.arms && !inside.statements => Some("match _x {"),
        "kotlin" if inside.arms && !inside.statements => Some("when (_x) {"),
        "csharp" if inside.arms && inside.commas && !inside.statements => Some("_x = _x switch {"),
        _ => None,
    }
}

/// The kind of bracket at the end of some code: `(`, `[`, `o` for an object or literal, `{` for a block.
pub(super) fn kind_of_opener(row: &Row, opener: &str) -> u8 {
    let opener = opener.trim_end();
    let is_literal = ["= {", "_T{", "_S {", "_T {", "] {"]
        .iter()
        .any(|end| opener.ends_with(end))
        || row.name == "JSON"
        || opener == "{" && row.folder != "php";
    let is_match = opener.ends_with("match _x {") || opener.ends_with("when (_x) {");
    match opener.as_bytes().last() {
        _ if is_match => b'm',
        Some(b'(') => b'(',
        Some(b'[') => b'[',
        _ if is_literal => b'o',
        _ => b'{',
    }
}
