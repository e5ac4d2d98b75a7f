//! Invisible characters that look like spaces.

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::{Category, Lexical, LineKind, Priority};

pub(crate) const RULE: Rule = Rule {
    id: "javascript/irregular-whitespace",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Irregular white space character",
    why: "The character looks like a space or is invisible. Tools split words in unexpected places, searches miss the \
          line, and some parsers reject the file.",
    fix: "Replace it with a space, or use an escape sequence in a string.",
    references: &[],
    priority: Priority::P3,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        "path: src/a.js\n+const\u{a0}size = 1;\n^\n",
        "path: src/a.ts\n+const size =\u{200b} 1;\n^\n",
    ],
    negative: &[
        "path: src/a.js\n+const size = 1;\n+const text = \"10\u{a0}km\"; // 10\u{a0}km\n+const more = `a\u{a0}b`;\n+const re = /a\u{a0}b/;\n",
        "path: src/a.jsx\n+const A = () => <p>10\u{a0}km</p>;\n",
    ],
};

const ODD: &[char] = &[
    '\u{b}', '\u{c}', '\u{85}', '\u{a0}', '\u{1680}', '\u{180e}', '\u{2000}', '\u{2001}',
    '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}', '\u{2008}', '\u{2009}',
    '\u{200a}', '\u{200b}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}', '\u{3000}', '\u{feff}',
];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let lexical = Lexical::or_any(Some("JavaScript"));
    for line in context.lines().iter().filter(|line| {
        line.kind == LineKind::Added
            && !line.text.starts_with('\u{feff}')
            && line.text.contains(ODD)
    }) {
        // In literals, comments and markup it may be intended.
        let Some(before) = line.text.find(ODD).and_then(|at| line.text.get(..at)) else {
            continue;
        };
        // Typographic spaces and those of Asian scripts are normal in a comment.
        let is_comment =
            lexical.is_comment_line(line.text) || lexical.is_in_comment(line.text, before.len());
        let in_text = before.contains(['"', '\'', '`', '>'])
            || is_comment && line.text.contains(['\u{a0}', '\u{3000}', '\u{c}'])
            || !is_comment && before.matches('/').count() % 2 == 1;
        let is_prose = !is_comment && !line.text.contains([';', '(', '=', '{', '}', ':', ',']);
        if !in_text && !is_prose {
            sink.report(
                line,
                "The line contains an irregular white space character.",
            );
        }
    }
}
