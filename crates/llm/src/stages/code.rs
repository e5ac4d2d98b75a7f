//! What of a line is code: not its comments, and not what its strings hold. It is read from the lines alone, so a comment that began above
//! a hunk may be taken for code.

use review::Language;

/// How a language marks comments.
struct Syntax {
    lines: &'static [&'static str],
    blocks: &'static [(&'static str, &'static str)],
}

const C: &[(&str, &str)] = &[("/*", "*/"), ("\"\"\"", "\"\"\"")];
const PYTHON: &[(&str, &str)] = &[("\"\"\"", "\"\"\""), ("'''", "'''")];
const MARKUP: &[(&str, &str)] = &[("<!--", "-->"), ("/*", "*/")];

impl Syntax {
    /// The syntax of a language; `None` of one that is no code.
    fn of(language: Option<Language>) -> Option<Self> {
        let (lines, blocks): (&[&str], _) = match language.map_or("", Language::name) {
            "Markdown" | "Text" | "reStructuredText" | "AsciiDoc" => return None,
            "Python" | "Ruby" | "Shell" | "YAML" | "Perl" | "R" | "TOML" | "Dockerfile" | "Makefile" | "Elixir"
            | "Julia" | "Nix" | "CMake" | "PowerShell" | "Starlark" => (&["#"], PYTHON),
            "PHP" | "HCL" => (&["//", "#"], C),
            "SQL" | "PLpgSQL" | "PLSQL" | "TSQL" | "Lua" | "Haskell" | "Elm" | "Ada" => (&["--"], C),
            "Clojure" | "Common Lisp" | "Scheme" | "Emacs Lisp" | "INI" => (&[";"], &[]),
            "Erlang" | "TeX" | "MATLAB" => (&["%"], &[]),
            "HTML" | "XML" | "Vue" | "Svelte" => (&["//"], MARKUP),
            "" => (&["//", "#", "--"], C),
            _ => (&["//"], C),
        };
        Some(Self { lines, blocks })
    }
}

/// The code of consecutive lines; what holds no name and no number has none.
pub(crate) fn code<'l>(lines: impl Iterator<Item = &'l str>, language: Option<Language>) -> Vec<String> {
    let Some(syntax) = Syntax::of(language) else { return lines.map(|_| String::new()).collect() };
    let mut open = None;
    lines
        .map(|line| {
            let code = of_line(line, &syntax, &mut open);
            // The middle of a block comment whose beginning is not shown.
            let is_inside = ["* ", "*/"].iter().any(|start| line.trim_start().starts_with(start)) || line.trim() == "*";
            let is_code = !is_inside && code.contains(char::is_alphanumeric);
            if is_code { code } else { String::new() }
        })
        .collect()
}

/// The code of a line; `open` is what ends the block that it begins in, and that it ends in.
fn of_line(line: &str, syntax: &Syntax, open: &mut Option<&'static str>) -> String {
    let (mut code, mut rest) = (String::new(), line);
    while let Some(next) = rest.chars().next() {
        if let Some(close) = *open {
            let Some((_, after)) = rest.split_once(close) else { break };
            (rest, *open) = (after, None);
            continue;
        }
        if let Some((start, close)) = syntax.blocks.iter().find(|(start, _)| rest.starts_with(start)) {
            (rest, *open) = (rest.get(start.len()..).unwrap_or_default(), Some(*close));
            continue;
        }
        if starts_comment(rest, &code, syntax) {
            break;
        }
        let after = rest.get(next.len_utf8()..).unwrap_or_default();
        code.push(next);
        rest = match next {
            '"' | '\'' | '`' => after_text(after, next).unwrap_or_else(|| {
                if next == '`' {
                    *open = Some("`");
                }
                after
            }),
            _ => after,
        };
    }
    code
}

/// Whether a comment begins here. A `#` inside a word is none.
fn starts_comment(rest: &str, before: &str, syntax: &Syntax) -> bool {
    let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
    syntax.lines.iter().any(|mark| rest.starts_with(mark) && (*mark == "//" || is_apart))
}

/// What follows a text that ends on its line.
fn after_text(rest: &str, quote: char) -> Option<&str> {
    let mut chars = rest.char_indices();
    while let Some((at, next)) = chars.next() {
        match next {
            '\\' => drop(chars.next()),
            _ if next == quote => return rest.get(at + next.len_utf8()..),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use review::Language;

    use super::code;

    fn of(language: &str, text: &str) -> Vec<String> {
        let language = Language::find(language).unwrap();
        code(text.lines(), Some(language)).iter().map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn comments_and_the_contents_of_strings_are_no_code() {
        let python =
            "total = 0  # checked above\n# order is never None\nlog(\"order is never None\")\n'''\nsafe()\n'''\nrun()";
        assert_eq!(of("Python", python), ["total = 0", "", "log(\")", "", "", "", "run()"]);
        let rust = "let a = b; // safe\n/* safe();\nsafe(); */ c();\n * safe()\nfn f<'a>(x: &'a str) {\n}";
        assert_eq!(of("Rust", rust), ["let a = b;", "", "c();", "", "fn f<'a str) {", ""][..]);
        assert_eq!(of("JavaScript", "x = `safe\nsafe()\n`; y()"), ["x = `", "", "; y()"]);
        assert_eq!(of("Shell", "echo ${#a} # b"), ["echo ${#a}"]);
        assert_eq!(of("Markdown", "run()"), [""]);
    }

    #[test]
    fn any_text_can_be_read() {
        for text in ["\"", "'\\", "/*", "\"\"\"", "`", "é\"é\\é", "#", ""] {
            assert!(of("Python", text).len() <= 1 && of("Go", text).len() <= 1);
        }
    }
}
