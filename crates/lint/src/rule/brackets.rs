//! Brackets matched by the lexical table of a language. It needs no grammar, so it is a second witness of what a parser says.

use review::language::lexical::{Comment, Quotes, ends_heredoc};
use review::{Lexical, Line, LineKind};

use super::contexts::indent;

/// An open bracket.
#[derive(Clone, Copy)]
pub struct Open {
    /// The character.
    pub bracket: char,
    /// The index of its line.
    pub line: usize,
    /// The bracket starts a value; with a brace, an object or a dictionary.
    pub is_value: bool,
    /// It belongs to a `for` or `try`, so it may contain semicolons.
    is_head: bool,
    /// It contains a tag of JSX, so it may contain text too.
    has_tag: bool,
}

/// A bracket that is not closed.
pub struct Mismatch {
    /// The opening bracket.
    pub bracket: char,
    /// The index of its line.
    pub opened: usize,
    /// The index of the line that shows that it is not closed.
    pub seen: usize,
}

/// The result of matching the brackets of a text: those that are open at its end, or an error. `None` if a comment or string continues beyond its end.
pub type Outcome = Option<Result<Vec<Open>, Mismatch>>;

/// The languages in which brackets can be matched.
pub const BRACKET_LANGUAGES: &[&str] = &[
    "JavaScript", "TypeScript", "TSX", "Java", "C", "C++", "C#", "PHP", "Go", "Rust", "Kotlin",
    "Python", "JSON", "SQL", "HCL", "Ruby",
];
/// Languages with literals of regular expressions.
const REGEXES: &[&str] = &["JavaScript", "TypeScript", "TSX", "Ruby"];
/// Languages in which a semicolon ends a statement, so that there is none in parentheses.
const SEMICOLONS: &[&str] = &[
    "JavaScript", "TypeScript", "TSX", "Java", "C", "C++", "C#", "PHP", "SQL",
];
/// Words before parentheses that contain declarations.
const HEADS: &[&str] = &["for", "foreach", "try"];
/// The same in C++: `if (auto i = f(); i > 0)`.
const CPP_HEADS: &[&str] = &["if", "if constexpr", "switch"];

/// The text of some lines.
pub(crate) fn text_of(lines: &[&Line<'_>]) -> String {
    lines.iter().flat_map(|line| [line.text, "\n"]).collect()
}

/// Matches the brackets of a part of a text by the lexical table of its language, without a grammar.
#[must_use]
pub fn brackets(lines: &[&Line<'_>], language: &str, lexical: &Lexical) -> Outcome {
    matched(lines, language, lexical, false)
}

/// Like [`brackets`], for a whole file: a closing bracket without an opening one is an error.
pub(crate) fn brackets_of_file(lines: &[&Line<'_>], language: &str, lexical: &Lexical) -> Outcome {
    matched(lines, language, lexical, true)
}

fn matched(lines: &[&Line<'_>], language: &str, lexical: &Lexical, is_whole: bool) -> Outcome {
    let text = text_of(lines);
    let mut open: Vec<Open> = Vec::new();
    let (mut at, mut line) = (0, 0);
    let mut quotes = Quotes::default();
    let mut line_start = 0;
    // Nothing starts in the middle of a word or of white space.
    let is_plain = |at: usize| {
        let byte = text.as_bytes().get(at);
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b' ')
    };
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if is_plain(at) && is_plain(at + 1) {
            at += 1;
            continue;
        }
        let next = match lexical.comment_at(&text, at) {
            Some(Comment::Line(_)) => at + text.get(at..)?.find('\n')?,
            Some(Comment::Block(block)) => block.end(&text, at + block.open.len(), &mut 1)?,
            None => match lexical.long_string(text.get(at..)?) {
                Some((start, end)) => {
                    let from = at + start.len();
                    from + text.get(from..)?.find(end)? + end.len()
                }
                None if let Some(end) = literal_end(&text, at, language) => end,
                None if c == '/' && REGEXES.contains(&language) => {
                    regex_end(&text, line_start, at).unwrap_or(at + c.len_utf8())
                }
                None => lexical
                    .string_end(&text, at, &mut quotes)
                    .unwrap_or(at + c.len_utf8()),
            },
        };
        let is_code = next == at + c.len_utf8();
        if is_code && matches!(c, '(' | '[' | '{') {
            let before = text.get(line_start..at).unwrap_or_default().trim_end();
            open.push(Open {
                bracket: c,
                line,
                is_value: is_value(before, language),
                is_head: HEADS.iter().any(|word| before.ends_with(word))
                    || language == "C++" && CPP_HEADS.iter().any(|word| before.ends_with(word)),
                has_tag: false,
            });
        } else if is_code && matches!(c, ')' | ']' | '}') {
            let wanted = match c {
                ')' => '(',
                ']' => '[',
                _ => '{',
            };
            let last = open.pop();
            let is_surplus = is_whole && last.is_none();
            if is_surplus || last.is_some_and(|last| last.bracket != wanted) {
                return Some(Err(Mismatch {
                    bracket: last.map_or(c, |last| last.bracket),
                    opened: last.map_or(line, |last| last.line),
                    seen: line,
                }));
            }
        } else if is_code
            && c == ';'
            && SEMICOLONS.contains(&language)
            && let Some(last) = open
                .last()
                .filter(|last| last.bracket == '(' && !last.is_head && !last.has_tag)
        {
            return Some(Err(Mismatch {
                bracket: '(',
                opened: last.line,
                seen: line,
            }));
        }
        if is_code && c == '<' && matches!(language, "JavaScript" | "TSX") {
            let is_tag = text
                .get(next..)?
                .starts_with(|c: char| c.is_alphabetic() || c == '>');
            if let Some(last) = open.last_mut() {
                last.has_tag |= is_tag;
            }
        }
        let passed = text.get(at..next)?.matches('\n').count();
        if passed > 0 {
            let ended = text.get(line_start..next).unwrap_or_default();
            line += passed;
            line_start = next;
            if let Some(end) = heredoc_end(&text, ended, next, lexical)? {
                line += text.get(next..end)?.matches('\n').count();
                (at, line_start) = (end, end);
                continue;
            }
            // A quotation mark without a partner is an apostrophe, and ends with its line.
            quotes = Quotes::default();
            if let Some(broken) = statement_inside(lines, line, &open, language) {
                return Some(Err(broken));
            }
        }
        at = next;
    }
    Some(Ok(open))
}

/// The end of a literal at this place that the lexical table does not describe: a character of Rust or Kotlin, a raw string of
/// Rust, a literal of Ruby with its own delimiter.
fn literal_end(text: &str, at: usize, language: &str) -> Option<usize> {
    let rest = text.get(at..)?;
    let before = text.get(..at)?.chars().next_back();
    match language {
        "Rust" | "Kotlin" if rest.starts_with('\'') => {
            let mut chars = rest.char_indices().skip(1);
            let (_, first) = chars.next()?;
            let rest_of = if first == '\\' {
                chars.next().map(|_| chars)
            } else {
                Some(chars)
            };
            let mut within = rest_of?.take(if first == '\\' { 10 } else { 1 });
            within
                .find(|(_, c)| *c == '\'')
                .map(|(offset, _)| at + offset + 1)
        }
        "Rust" if rest.starts_with('r') => {
            let is_word = |c: char| c.is_alphanumeric() && !matches!(c, 'b' | 'c') || c == '_';
            let signs = rest
                .get(1..)?
                .bytes()
                .take_while(|byte| *byte == b'#')
                .count();
            let opening = rest.get(1 + signs..)?;
            if before.is_some_and(is_word) || !opening.starts_with('"') {
                return None;
            }
            let end = format!("\"{}", "#".repeat(signs));
            let from = at + 2 + signs;
            Some(from + text.get(from..)?.find(&end)? + end.len())
        }
        "Ruby" if rest.starts_with('%') => {
            let name = rest.get(1..)?;
            let inner = name
                .strip_prefix(['r', 'w', 'W', 'q', 'Q', 'i', 'I', 'x', 's'])
                .unwrap_or(name);
            let open = inner.chars().next().filter(char::is_ascii_punctuation)?;
            let is_operator = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | ']'));
            if is_operator
                || inner.len() == name.len()
                    && (open == '=' || before == Some(' ') && name.starts_with(' '))
            {
                return None;
            }
            let close = match open {
                '(' => ')',
                '[' => ']',
                '{' => '}',
                '<' => '>',
                same => same,
            };
            let from = at + rest.len() - inner.len();
            let mut depth = 0_usize;
            let mut is_escaped = false;
            for (offset, c) in text.get(from..)?.char_indices() {
                if is_escaped || c == '\\' {
                    is_escaped = !is_escaped;
                } else if c == close && (close != open || offset > 0) {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(from + offset + c.len_utf8());
                    }
                } else if c == open {
                    depth += 1;
                }
            }
            None
        }
        _ => None,
    }
}

/// The end of the heredoc that a line opens, after its last line; `Some(None)` if it opens none. The heredoc itself may have no
/// end.
#[expect(clippy::option_option, reason = "no end and no heredoc are different")]
fn heredoc_end(text: &str, line: &str, next: usize, lexical: &Lexical) -> Option<Option<usize>> {
    let Some(name) = lexical.opened_heredoc(line) else {
        return Some(None);
    };
    let mut end = next;
    for line in text.get(next..)?.split_inclusive('\n') {
        end += line.len();
        if ends_heredoc(line, name) {
            return Some(Some(end));
        }
    }
    None
}

/// Whether a brace after this text opens a value with comma-separated entries.
fn is_value(before: &str, language: &str) -> bool {
    match language {
        "Python" => true,
        "JavaScript" | "TypeScript" | "TSX" => {
            let is_type = ["type ", "interface ", "declare "]
                .iter()
                .any(|word| before.contains(word));
            !is_type
                && (before.ends_with(['=', '(', '[']) && !before.ends_with("=>")
                    || before.ends_with("return"))
        }
        "Go" => before.contains(":=") || before.contains(" = ") || before.contains("return "),
        _ => false,
    }
}

/// The end of the regular expression that starts at a slash, if a value is expected there.
fn regex_end(text: &str, line_start: usize, at: usize) -> Option<usize> {
    let before = text.get(line_start..at)?.trim_end();
    if !(before.is_empty()
        || before.ends_with(['(', '=', ',', ':', '!', '&', '|', '?', '[', '{', ';'])
        || before.ends_with("return"))
    {
        return None;
    }
    let (mut is_escaped, mut in_class) = (false, false);
    for (offset, c) in text.get(at..)?.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' | ']' => in_class = c == '[',
            '/' if !in_class => return Some(at + offset + 1),
            _ => {}
        }
    }
    None
}

/// Finds a statement within parentheses: a line that is indented no deeper than the one that opens them, and declares,
/// assigns or returns. A function within them would have opened a block.
fn statement_inside(
    lines: &[&Line<'_>],
    line: usize,
    open: &[Open],
    language: &str,
) -> Option<Mismatch> {
    const OF_PYTHON: &[&str] = &[
        "return ", "raise ", "def ", "class ", "with ", "while ", "import ", "from ", "try:",
        "assert ",
    ];
    const OF_OTHERS: &[&str] = &[
        "return ", "const ", "let ", "var ", "val ", "func ", "fn ", "def ", "class ", "import ",
        "export ", "throw ",
    ];
    let last = open.last().filter(|last| {
        last.line < line
            && lines
                .get(last.line)
                .is_some_and(|own| own.kind == LineKind::Added)
    })?;
    let (text, opener) = (lines.get(line)?.text, lines.get(last.line)?.text);
    let own = text.trim_start();
    // A list of imported names contains no other import.
    let in_import = last.bracket == '{'
        && opener.trim_start().starts_with("import ")
        && own.starts_with("import ");
    if last.bracket == '{' && !in_import || matches!(language, "JSON" | "SQL" | "HCL") {
        return None;
    }
    let is_python = language == "Python";
    let words = if is_python { OF_PYTHON } else { OF_OTHERS };
    let sign = if language == "Go" { " := " } else { " = " };
    let assigns = (is_python || language == "Go")
        && own.split_once(sign).is_some_and(|(target, _)| {
            !target.is_empty()
                && target
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_., ".contains(&byte))
        });
    // In Ruby, an `end` with less indentation than the parenthesis ends an enclosing block.
    let ends = language == "Ruby" && own.trim_end() == "end" && indent(text) < indent(opener);
    let is_statement = assigns || words.iter().any(|word| own.starts_with(word));
    (ends || is_statement && indent(text) <= indent(opener)).then_some(Mismatch {
        bracket: last.bracket,
        opened: last.line,
        seen: line,
    })
}
