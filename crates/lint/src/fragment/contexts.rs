//! The ways in which a text can be cut out of a file.
//!
//! What opens it (a class, a function, a few blocks, an argument list, a comment) and what closes it is put around it. A
//! candidate is only a proposal: all are parsed until one has no error.

use super::gaps::{self, Gaps, Missing};
use super::{Context, ends, indent};
use crate::grammar::{Blocks, Grammar, Row};

/// Ways to complete `text`, the likeliest first.
pub(super) fn candidates(grammar: Grammar, text: &str, heading: &str) -> Vec<Context> {
    const MOST: usize = 20;
    let row = grammar.row();
    let mut all = Vec::new();
    for start in gaps::starts(row, text) {
        let found = gaps::find(row, text, start.map(|(_, close)| close));
        match row.blocks {
            Blocks::Braces => braces(row, text, heading, start, &found, &mut all),
            Blocks::Indent => indent::python(row, text, heading, start, &found, &mut all),
            Blocks::End | Blocks::Shell => ends::candidates(row, text, start, &found, &mut all),
            Blocks::Plain if row.name == "YAML" => indent::yaml(text, &mut all),
            Blocks::Plain => all.push(Context { before: opening(start), after: closing(row, &found, "") }),
        }
        // Lines that end in commas are a list, an object or fields.
        let inner = inner(row, text, start, &found);
        if is_list(text) {
            all.splice(0..0, inner);
        } else {
            all.extend(inner);
        }
    }
    all.insert(if is_whole(row, text) { 0 } else { 3.min(all.len()) }, Context::default());
    let mut seen: Vec<Context> = Vec::new();
    all.retain(|context| {
        let fresh = !seen.contains(context);
        if fresh {
            seen.push(context.clone());
        }
        fresh
    });
    all.truncate(MOST);
    all
}

/// Most lines end in a comma, and no statement ends.
fn is_list(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let commas = lines.iter().filter(|line| line.ends_with(',')).count();
    commas * 2 > lines.len() && !lines.iter().any(|line| line.ends_with(';'))
}

/// Nothing seems to be missing, and the text starts where a file starts: at the margin.
fn is_whole(row: &'static Row, text: &str) -> bool {
    let found = gaps::find(row, text, None);
    let balanced = found.missing.is_empty() && found.open.is_empty() && found.ends_in.is_none();
    let at_margin = text.lines().any(|line| line.starts_with(|c: char| !c.is_whitespace()));
    balanced && row.blocks != Blocks::End && (at_margin || row.blocks != Blocks::Indent && row.ladders.is_empty())
}

/// What opens the comment or literal that the text starts in. It ends in a line feed, so that lines stay lines.
pub(super) fn opening(start: Option<(&str, &str)>) -> String {
    start.map_or_else(String::new, |(open, _)| format!("{open}\n"))
}

/// Closes what is open at the end of the text; `end` completes its last statement.
pub(super) fn closing(row: &Row, gaps: &Gaps<'_>, end: &str) -> String {
    let mut out = String::from(end);
    if let Some(close) = gaps.ends_in {
        out.push_str(close);
        out.push('\n');
    }
    for (index, open) in gaps.open.iter().enumerate().rev() {
        let outer = index.checked_sub(1).and_then(|index| gaps.open.get(index)).map_or(b'{', |open| open.opener);
        out.push_str(match (open.opener, open.word) {
            (b'(', _) if outer == b'{' && is_header(open.line) => ") {}",
            (b'(', _) if outer == b'{' && takes_semicolons(row) => ");",
            (b'(', _) => ")",
            (b'[', _) => "]",
            (b'#', _) => "\n#endif\n",
            (_, "try") => "} finally {}",
            (_, "do") => "} while (_x);",
            _ => "}",
        });
    }
    out
}

fn takes_semicolons(row: &Row) -> bool {
    matches!(row.folder, "java" | "c" | "cpp" | "csharp" | "rust" | "php")
}

/// Whether a line that ends before an opening parenthesis is the head of a function or of a block.
fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let starts = [
        "fn",
        "func",
        "function",
        "def",
        "fun",
        "if",
        "for",
        "while",
        "switch",
        "catch",
        "public",
        "private",
        "protected",
        "static",
        "async",
        "pub",
        "pub(crate)",
        "override",
        "internal",
        "virtual",
        "export",
    ];
    let value =
        ["=", "return", "new", "throw", "await", "yield"].iter().any(|word| words.contains(word)) || line.contains('.');
    !value && (words.first().is_some_and(|word| starts.contains(word)) || words.len() >= 2)
}

/// Completes a statement or header that the text ends in the middle of.
fn unfinished(row: &Row, text: &str, gaps: &Gaps<'_>) -> &'static str {
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
    let is_head = |word: &&str| last_line.strip_prefix(*word).is_some_and(|rest| rest.trim_start().starts_with('('));
    if code.ends_with(')') && ["if", "for", "while", "switch", "else if", "} else if"].iter().any(is_head) {
        return "{}";
    }
    if code.ends_with("else") || code.ends_with("=>") { "{}" } else { "" }
}

/// What a text that begins in the middle of a statement needs before it.
fn unstarted(row: &Row, text: &str, gaps: &Gaps<'_>) -> &'static str {
    let code = gaps.first.and_then(|at| text.get(at..)).unwrap_or_default();
    let variable = if row.name == "PHP" { "$_x" } else { "_x" };
    let two = [
        "&&", "||", "->", "?.", "?:", "??", "==", "!=", "<<", "|>", "+ ", "- ", "* ", "= ", "? ", "<= ", ">= ", "< ",
        "> ", "+= ",
    ];
    if code.starts_with('.') && !code.starts_with("...") || two.iter().any(|sign| code.starts_with(sign)) {
        return variable;
    }
    let word = code.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match word {
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
        _ => "",
    }
}

/// Languages with braces: a ladder of headers down to the level that the text ends on, then what its closers lack.
fn braces(
    row: &'static Row,
    text: &str,
    heading: &str,
    start: Option<(&'static str, &'static str)>,
    gaps: &Gaps<'_>,
    all: &mut Vec<Context>,
) {
    let end = unfinished(row, text, gaps);
    let first = if start.is_some() { "" } else { unstarted(row, text, gaps) };
    for (ladder, base) in levels(row, text, heading) {
        let mut before = String::new();
        for step in ladder.iter().take(base) {
            before.push_str(step);
            before.push('\n');
        }
        before.push_str(&openers(row, ladder, base, &gaps.missing));
        let header = ladder.get(base).and_then(|step| step.strip_suffix('{')).filter(|step| step.contains("_m("));
        let first = if gaps.missing.is_empty() && first.starts_with("if") && !first.ends_with('}') {
            header.unwrap_or(first)
        } else {
            first
        };
        if !first.is_empty() {
            before.push_str(first);
            before.push('\n');
        }
        before.push_str(&opening(start));
        let after = format!("{}\n{}", closing(row, gaps, end), "}".repeat(base));
        all.push(Context { before, after });
    }
    // The last thing may be a header without its body, or a statement without its end.
    if let Some(best) = all.first().cloned().filter(|_| end.is_empty()) {
        for tail in [";", "{}", " _x;", " {};"] {
            all.push(Context { before: best.before.clone(), after: format!("{tail}{}", best.after) });
        }
    }
}

/// Whether a line declares a member or an item, as against doing something.
fn is_declaration(row: &Row, line: &str) -> bool {
    const WORDS: &[&str] = &[
        "public",
        "private",
        "protected",
        "internal",
        "abstract",
        "override",
        "virtual",
        "fn",
        "pub",
        "impl",
        "struct",
        "enum",
        "use",
        "mod",
        "trait",
        "func",
        "fun",
        "function",
        "class",
        "interface",
        "static",
        "constructor",
        "namespace",
        "import",
        "package",
        "readonly",
        "get",
        "set",
        "open",
        "companion",
        "template",
        "typedef",
        "extern",
    ];
    let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_method = || {
        let calls = line.get(word.len()..).is_some_and(|rest| rest.starts_with('('));
        calls && line.ends_with('{') && !["if", "for", "while", "switch", "catch", "with"].contains(&word)
    };
    WORDS.contains(&word)
        || line.starts_with("#[")
        || line.starts_with('[') && row.name == "C#"
        || line.starts_with('@') && !line.starts_with("@\"")
        || matches!(row.folder, "javascript" | "typescript") && (is_method() || word == "async" && !line.contains("=>"))
}

/// Ladders and how far down them the text ends, the likeliest first.
fn levels(row: &'static Row, text: &str, heading: &str) -> Vec<(&'static [&'static str], usize)> {
    let in_type =
        ["class ", "interface ", "struct ", "impl ", "trait ", "enum ", "namespace ", "object ", "record ", "mod "];
    let heading = format!("{heading} ");
    let names_type = in_type.iter().any(|word| heading.contains(word));
    let names_function = heading.contains('(') && !names_type;
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let lowest = lines().map(indentation).min().unwrap_or(0);
    let has_cases = lines().any(|line| {
        let line = line.trim_start();
        line.starts_with("case ") || line.starts_with("default:") || line.contains(" => ")
    });
    let at_bottom = || {
        lines().filter(|line| indentation(line) == lowest && !line.trim_start().starts_with(['}', ')', ']', '/', '*']))
    };
    let declares = at_bottom().any(|line| is_declaration(row, line.trim_start()));
    let mut all = Vec::new();
    for (order, ladder) in row.ladders.iter().enumerate() {
        let is_type = |index: usize| ladder.get(index).is_some_and(|step| !step.contains('('));
        let types = (0..ladder.len()).take_while(|index| is_type(*index)).count();
        // A ladder of one step is for a closing brace that has no opening one.
        let deepest = if ladder.len() == 1 { 0 } else { ladder.len().min(3) };
        let switches =
            ladder.iter().any(|step| ["switch", "match", "when", "select"].iter().any(|word| step.contains(word)));
        for base in 0..=deepest {
            let inside_function = base > types;
            let likely = [
                (lowest == 0) == (base == 0),
                names_type == (types > 0 && base == types),
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
    all.into_iter().map(|(_, ladder, base)| (ladder, base)).take(9).collect()
}

/// Opens what the text closes without having opened it, the outermost first.
fn openers(row: &'static Row, ladder: &[&str], base: usize, missing: &[Missing<'_>]) -> String {
    let mut out = String::new();
    let mut depth = base;
    let mut enclosing = b'{';
    let bare = matches!(row.name, "Go" | "Rust");
    for gap in missing.iter().rev() {
        let header = match gap.closer {
            b')' if heads_block(gap.follow) => function_header(row),
            b')' if gap.follow.starts_with('{') => {
                if bare {
                    function_header(row)
                } else {
                    "if ("
                }
            }
            b'#' => "#if _x",
            b')' => "_f(",
            b']' => {
                if row.name == "JSON" {
                    "["
                } else {
                    "_x = ["
                }
            }
            _ => {
                let header = brace(row, ladder, depth, enclosing, gap);
                depth += 1;
                header
            }
        };
        // A value of a list or of arguments takes no assignment.
        let header = if enclosing == b'{' { header } else { header.trim_start_matches("_x = ") };
        out.push_str(header);
        out.push('\n');
        enclosing = match gap.closer {
            b')' => b'(',
            b']' => b'[',
            _ if header.ends_with("= {")
                || header.ends_with("_T{")
                || header.ends_with("_S {")
                || header == "{" && enclosing != b'{' =>
            {
                b'o'
            }
            _ => b'{',
        };
    }
    out
}

/// Whether what follows a closing parenthesis is the rest of a function's head: `-> T {`, `throws E {`, `: T {`.
fn heads_block(follow: &str) -> bool {
    let line = follow.lines().next().unwrap_or_default().trim_end();
    ["->", "throws ", ": ", "const", "override", "where"].iter().any(|start| line.starts_with(start))
        && line.ends_with(['{', ':'])
}

/// The head of a function up to its parameters, from the row's ladders.
fn function_header(row: &'static Row) -> &'static str {
    let steps = row.ladders.iter().flat_map(|ladder| ladder.iter());
    let functions = steps.filter_map(|step| step.find("_f(").and_then(|at| step.get(..at + 3)));
    functions.chain(["void _f("]).next().unwrap_or_default()
}

fn brace<'r>(row: &'r Row, ladder: &[&'r str], depth: usize, enclosing: u8, gap: &Missing<'_>) -> &'r str {
    let bare = matches!(row.name, "Go" | "Rust" | "Kotlin");
    let follows = |word: &str| gap.follow.starts_with(word);
    let is_literal =
        !gap.statements && !row.lambda.is_empty() && (follows(",") || follows(")") || follows("]") || follows(";"));
    if follows("catch") || follows("finally") {
        "try {"
    } else if is_literal && matches!(row.name, "Go" | "Rust") && depth > 0 {
        match (row.name, enclosing) {
            ("Go", b'o' | b'(' | b'[') => "{",
            ("Go", _) => "_x = _T{",
            (_, b'o') => "_y: _S {",
            (_, b'(' | b'[') => "_S {",
            _ => "_x = _S {",
        }
    } else if follows("else") {
        if bare && row.name != "Kotlin" { "if _x {" } else { "if (_x) {" }
    } else if follows("while (") && row.name != "Kotlin" {
        "do {"
    } else if row.name == "JSON" {
        if enclosing == b'{' && depth > 0 { "\"_\": {" } else { "{" }
    } else if matches!(enclosing, b'(' | b'[') {
        if is_literal && matches!(row.folder, "javascript" | "typescript") { "{" } else { row.lambda }
    } else if enclosing == b'o' {
        if is_literal { "_y: {" } else { "_m() {" }
    } else if is_literal && depth > 0 && matches!(row.folder, "javascript" | "typescript" | "c" | "cpp") {
        "_x = {"
    } else {
        ladder.get(depth).or(ladder.last()).copied().unwrap_or("{")
    }
}

/// Contexts inside a statement.
fn inner(row: &Row, text: &str, start: Option<(&'static str, &'static str)>, gaps: &Gaps<'_>) -> Vec<Context> {
    let end = unfinished(row, text, gaps);
    let around = |(open, close): &(&str, &str)| Context {
        before: format!("{open}\n{}", opening(start)),
        after: format!("{}\n{close}", closing(row, gaps, end)),
    };
    row.inner.iter().map(around).collect()
}
