//! Characters, escapes and declarations because of which a compiler reads other lines than people and tools see.

use lint::{Check, Rule, Sink, Tests, TextContext};
use review::language::lexical::Quotes;
use review::{
    Also, Category, EscapeReader, Escapes, Language, Lexical, Line, LineEnds, LineKind, Priority,
};

pub(crate) const RULE: Rule = Rule {
    id: "any/misleading-source-text",
    languages: &[],
    title: "Source text read differently by compilers",
    why: "Compilers end a line at characters that editors, diffs and review tools show as part of it, such as a lone carriage \
          return or U+2028. The apparent rest of a comment is then code that runs. Unicode escapes of Java, trigraphs and \
          unusual encodings of Python have the same effect.",
    fix: "Use line feeds, or CR LF, to end lines, UTF-8 as encoding, and escape sequences within string literals only.",
    references: &[
        "CWE-1007",
        "CWE-506",
        "https://docs.python.org/3/reference/lexical_analysis.html#physical-lines",
        "https://docs.oracle.com/javase/specs/jls/se21/html/jls-3.html#jls-3.3",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        "path: src/a.py\n+# c\rrun(x)\n^\n",
        "path: src/A.java\n+// c\rrun(x);\n^\n",
        "path: src/a.kt\n+val x = 1 // c\rrun(x)\n^\n",
        "path: config/prod.yml\n+# c\rpassword: x\n^\n",
        "path: config/prod.yml\n+# c\u{85}password: x\n^\n",
        "path: config/prod.yml\n+a: b\u{2028}password: x\n^\n",
        "path: src/a.cs\n+// c\u{2028}Run(x);\n^\n+#region c\u{85}Run(x);\n^\n",
        "path: src/a.js\n+x(); // c\u{2029}run(x);\n^\n",
        "path: src/a.php\n+x(); # c\rrun($x);\n^\n",
        "path: src/a.c\n+// c\rrun(x);\n^\n+// is this checked??/\n^\n+check(x);\n",
        "path: db/a.sql\n+-- c\rDROP TABLE a;\n^\n",
        "path: src/A.java\n+// c \\u000a run(x);\n^\n+/* c \\uu002a\\u002f run(x); /* */\n^\n",
        "path: src/A.java\n+String a = \"x\\u0022 + run(x) + \\u0022\";\n^\n+r.\\u0065xec(x);\n^\n",
        "path: src/a.py\n+# coding: utf-7\n^\n+# c +AAo-run(x)\n",
        "path: src/a.py\n+#!/usr/bin/env python\n+# -*- coding: unicode_escape -*-\n^\n",
        "path: src/a.py\n-\n-\n # vim: set fileencoding=rot13 :\n^\n",
        "path: src/a.py\n # coding: utf-7\n^\n+# c +AAo-run(x)\n",
        "path: src/a.py\n+# coding: gbk\n^\n+s = '\u{fffd}\\'; run(x) #'\n",
        "path: src/a.js\n+#!x\rrun(x);\n^\n",
        "path: src/a.php\n+<?php // ?><?php run($x);\n^\n",
    ],
    negative: &[
        "path: src/a.py\n+# c\r\n+run(x)\r\r\n+\u{c}\n+def f():\n+\rrun(x)\n",
        "path: src/a.py\n+# -*- coding: Latin_1 -*-\n+# coding: utf-8\n+# coding: utf-7\n",
        "path: src/a.py\n # coding: utf-7\n+x = 1\n",
        "path: src/a.py\n+# coding: gbk\n+s = '\u{fffd}\u{fffd}'\n",
        "path: src/a.php\n+<?php // a ?>\n+<p><?= $x ?></p>\n",
        "path: src/a.py\n+x = \"\u{2028}a\" # b\u{85}c\n",
        "path: src/a.js\n+const a = \"b\u{2028}c\"; // \\u000a d\n+const b = `c\rd`;\n",
        "path: src/a.json\n+{\"a\": \"b\u{2028}c\"}\n",
        "path: locales/a.yml\n+a: \"b\u{2028}D: c\"\n+- 'b\u{2028}D: c'\n+b: c\u{2028}d\n",
        "path: src/A.java\n+String a = \"\\u0041\\u00e9\", b = \"\\\\u000a\";\n+char c = '\\u0022';\n+/** The line \\u000a. */\n",
        "path: src/a.c\n+\u{c}\n+\u{c}/* Part two. */\n+// is this checked??\n",
        "path: src/a.go\n+// c\rrun(x)\n",
        "path: src/a.rs\n+// c\u{2028}run(x)\n",
        "path: docs/a.md\n+50 %\r100 %\n",
    ],
};

/// Encodings in which each ASCII character of a line is what it seems. The names are without signs.
const PLAIN_ENCODINGS: &[&str] = &[
    "utf8", "u8", "utf", "cp65001", "utf8sig", "ascii", "usascii", "646", "latin", "latin1",
    "latin2", "latin9", "l1", "mbcs", "gb2312", "eucjp", "euckr", "euccn", "tis620", "macroman",
    "koi8r", "koi8u",
];
/// Encodings in which a byte before a backslash may make one character of both. The names are without signs.
const BACKSLASH_ENCODINGS: &[&str] = &[
    "gbk", "gb18030", "big5", "big5hkscs", "shiftjis", "sjis", "shiftjis2004", "cp932", "cp936",
    "cp949", "cp950", "johab", "ms932", "mskanji",
];
/// The first part of the names of others.
const PLAIN_FAMILIES: &[&str] = &["iso8859", "cp125", "windows125", "cp437", "cp850", "cp866"];

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let language = context.file.language;
    let is_code = Language::find(language).is_some_and(Language::is_code);
    let ends = LineEnds::of(language, is_code);
    let lexical = Lexical::or_any(Some(language));
    let has_escapes =
        ends.escapes != Escapes::No && context.lines().iter().any(|line| line.text.contains("\\u"));
    let mut escapes = EscapeReader::default();
    for line in context
        .lines()
        .iter()
        .filter(|line| line.kind != LineKind::Removed)
    {
        let escape = if has_escapes {
            escapes.misleading(line.text, ends.escapes)
        } else {
            None
        };
        if ends.also == Also::Encoding
            && let Some(name) = unusual_encoding(line, context)
        {
            sink.report(line, format!("Python decodes this file as `{name}`, so it runs other code than the file shows."));
        }
        if line.kind != LineKind::Added {
            continue;
        }
        if let Some(c) = line_end_within(line.text, ends, lexical) {
            let what = format!(
                "The character U+{:04X} ends a line of {language}, but looks like a part of it",
                u32::from(c)
            );
            sink.report(
                line,
                format!("{what}: the text after it is a line of its own for the compiler."),
            );
        } else if language == "PHP" && is_ended_comment(line.text, lexical) {
            sink.report(line, "`?>` ends this comment, so the code after it runs.");
        } else if let Some(escape) = escape {
            let what =
                format!("The compiler replaces `{escape}` before it reads comments and strings");
            sink.report(line, format!("{what}, so it reads this line differently."));
        } else if ends.also == Also::Trigraphs && continues_comment(line.text, lexical) {
            sink.report(line, "The trigraph `??/` is a backslash, so the next line is a part of this comment and does not run.");
        }
    }
}

/// The first character that ends the line although there is more text on it.
fn line_end_within(line: &str, ends: &LineEnds, lexical: &Lexical) -> Option<char> {
    let text = line.trim();
    let mut at = text.find(ends.anywhere);
    if at.is_none() && text.contains(ends.in_comments) {
        let comment = lexical.without_line_comment(text).len();
        // Node and browsers skip the first line of a script up to any of its line ends.
        let comment = if text.starts_with("#!") { 0 } else { comment };
        let in_comment = text
            .get(comment..)?
            .find(ends.in_comments)
            .map(|at| comment + at);
        at = in_comment.or_else(|| {
            key_after(text, ends.in_comments, lexical).filter(|_| ends.also == Also::Keys)
        });
    }
    text.get(at?..)?.chars().next()
}

/// Where a key of a mapping follows one of these characters, outside a quoted value: `a: b<U+2028>password: x`.
fn key_after(text: &str, ends: &[char], lexical: &Lexical) -> Option<usize> {
    let is_key = |rest: &str| {
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '-');
        let after = rest.trim_start_matches(|c: char| {
            c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'')
        });
        after.len() < rest.len() && (after == ":" || after.starts_with(": "))
    };
    let from = |at: usize| Some(text.len() - text.get(at..)?.trim_start_matches([' ', '-']).len());
    let is_quoted = |at: usize| Some(text.get(at..)?.starts_with(['"', '\'']));
    let item = from(0)?;
    let value = match text.find(": ") {
        Some(colon) if !is_quoted(item)? => from(colon + 2)?,
        _ => item,
    };
    let is_quoted = is_quoted(value)?;
    let quoted_to = lexical
        .string_end(text, value, &mut Quotes::default())
        .unwrap_or(text.len());
    let plain = if is_quoted { quoted_to } else { 0 };
    let mut places = text.match_indices(ends).map(|(at, _)| at);
    places.find(|at| *at >= plain && text.get(*at..).is_some_and(is_key))
}

/// The encoding that a comment in the first two lines names (PEP 263), if text in it may be other than it looks.
fn unusual_encoding<'a>(line: &Line<'a>, context: &TextContext<'_>) -> Option<&'a str> {
    let was_read = line.kind == LineKind::Context && (line.old == line.new || line.old == Some(1));
    if line.new.is_none_or(|number| number > 2) {
        return None;
    }
    let is_added = |is_odd: fn(&str) -> bool| {
        let mut added = context
            .lines()
            .iter()
            .filter(|line| line.kind == LineKind::Added);
        added.any(|line| is_odd(line.text))
    };
    // In a file that had the encoding before, only text that it changes matters.
    if was_read && !is_added(is_shifted) {
        return None;
    }
    let comment = line
        .text
        .trim_start_matches(['\u{feff}', ' ', '\t', '\u{c}'])
        .strip_prefix('#')?;
    let given = comment.match_indices("coding").find_map(|(at, word)| {
        let rest = comment
            .get(at + word.len()..)?
            .strip_prefix([':', '='])?
            .trim_start_matches([' ', '\t']);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
        rest.get(..end.unwrap_or(rest.len()))
            .filter(|name| !name.is_empty())
    })?;
    let name = given.to_ascii_lowercase().replace('_', "-");
    let is_variant = ["utf-8-", "latin-1-"]
        .iter()
        .any(|start| name.starts_with(start));
    let name = name.replace(['-', '.'], "");
    if BACKSLASH_ENCODINGS.contains(&name.as_str()) {
        return is_added(|text| text.contains("\u{fffd}\\")).then_some(given);
    }
    let is_family = PLAIN_FAMILIES.iter().any(|start| name.starts_with(start));
    (!is_variant && !is_family && !PLAIN_ENCODINGS.contains(&name.as_str())).then_some(given)
}

/// Whether code follows a comment of PHP on its line: `// ?><?php run();`.
fn is_ended_comment(line: &str, lexical: &Lexical) -> bool {
    let comment = line
        .get(lexical.without_line_comment(line).len()..)
        .unwrap_or_default();
    comment
        .split_once("?>")
        .is_some_and(|(_, rest)| rest.contains("<?"))
}

/// Whether a line has the marks of an encoding within ASCII: `+AAo-` of UTF-7, or a backslash.
fn is_shifted(line: &str) -> bool {
    let is_base64 = |rest: &str| {
        let end = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '/'))
            .unwrap_or(0);
        end > 1 && rest.get(end..).is_some_and(|rest| rest.starts_with('-'))
    };
    line.contains('\\') || line.split('+').skip(1).any(is_base64)
}

/// Whether a comment of C continues on the next line, by a trigraph.
fn continues_comment(line: &str, lexical: &Lexical) -> bool {
    let text = line.trim_end();
    text.ends_with("??/") && lexical.without_line_comment(text).len() < text.len()
}
