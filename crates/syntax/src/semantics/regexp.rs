//! Regular expressions in code: where they are, and their syntax.
//!
//! [`find`] takes the pattern from a literal or from the call that compiles it, in the languages that rules look at.
//! [`parse`](Regexp::parse) makes a tree of it. The parser covers what the flavours have in common and gives up on any
//! other syntax, so that rules stay silent.

mod parser;

use std::borrow::Cow;

use crate::tree::Node;
pub use parser::{Group, Item, Part, Problem};

/// A regular expression in the code.
pub struct Regexp<'t> {
    /// The literal.
    pub node: Node<'t>,
    /// The pattern itself.
    pub text: Cow<'t, str>,
    /// Flags after a literal, or arguments of the call that look like flags.
    pub flags: &'t str,
    /// It is a regular expression literal, which the language's compiler has already checked.
    pub is_literal: bool,
}

/// Calls that compile their first argument, or the second one.
const COMPILERS: &[(&str, &[(&str, usize)])] = &[
    (
        "Python",
        &[
            ("re.compile", 0),
            ("re.match", 0),
            ("re.search", 0),
            ("re.fullmatch", 0),
            ("re.findall", 0),
            ("re.finditer", 0),
            ("re.sub", 0),
            ("re.subn", 0),
            ("re.split", 0),
            ("regex.compile", 0),
        ],
    ),
    ("JavaScript", &[("RegExp", 0)]),
    ("TypeScript", &[("RegExp", 0)]),
    ("TSX", &[("RegExp", 0)]),
    (
        "Java",
        &[
            ("Pattern.compile", 0),
            ("Pattern.matches", 0),
            ("java.util.regex.Pattern.compile", 0),
        ],
    ),
    (
        "C#",
        &[
            ("Regex", 0),
            ("Regex.IsMatch", 1),
            ("Regex.Match", 1),
            ("Regex.Matches", 1),
            ("Regex.Replace", 1),
            ("Regex.Split", 1),
        ],
    ),
    ("Kotlin", &[("Regex", 0), ("Pattern.compile", 0)]),
    (
        "Go",
        &[
            ("regexp.MustCompile", 0),
            ("regexp.Compile", 0),
            ("regexp.MatchString", 0),
        ],
    ),
];

/// Languages in which rules look at regular expressions.
pub const LANGUAGES: &[&str] = &[
    "Python", "JavaScript", "TypeScript", "TSX", "Java", "C#", "Kotlin",
];

/// The regular expression that a node is or compiles.
pub fn find<'t>(node: Node<'t>) -> Option<Regexp<'t>> {
    if node.is(&["regex"]) {
        let text = node.field("pattern").map(Node::text)?;
        let flags = node.field("flags").map_or("", Node::text);
        return Some(Regexp {
            node,
            text: Cow::Borrowed(text),
            flags,
            is_literal: true,
        });
    }
    let call = node.call()?;
    let language = node.tree().grammar().name();
    let (_, compilers) = COMPILERS.iter().find(|(name, _)| *name == language)?;
    let (_, place) = compilers
        .iter()
        .find(|(callee, _)| *callee == call.callee)?;
    let argument = call.arguments.get(*place).copied()?;
    let literal = if argument.is(&["argument", "value_argument"]) {
        argument.named_children().last()?
    } else {
        argument
    };
    let text = literal_text(literal)?;
    let flags = call
        .arguments
        .last()
        .filter(|last| last.index() > literal.index())
        .map_or("", |last| last.text());
    Some(Regexp {
        node: literal,
        text,
        flags,
        is_literal: false,
    })
}

/// The content of a string literal, with its escapes decoded.
fn literal_text<'t>(literal: Node<'t>) -> Option<Cow<'t, str>> {
    if literal.is(&["concatenated_string", "binary_expression"]) {
        return None;
    }
    let value = literal.string_value()?;
    let text = literal.text();
    let prefix = text.split(['"', '\'', '`']).next().unwrap_or_default();
    let raw = prefix.contains(['r', 'R', '@'])
        || text.starts_with('`')
        || text.starts_with("\"\"\"") && !text.starts_with("\"\"\"\\");
    if raw || !value.contains('\\') {
        return Some(Cow::Borrowed(value));
    }
    cook(value).map(Cow::Owned)
}

/// Decodes the escapes that all languages share; `None` for any other escape.
fn cook(value: &str) -> Option<String> {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            other @ ('\\' | '"' | '\'' | '/') => out.push(other),
            'u' | 'x' | 'N' | 'U' | '0'..='9' => return None,
            'b' | 'f' | 'v' | 'a' => return None,
            // Python keeps the backslash before other letters.
            other => {
                out.push('\\');
                out.push(other);
            }
        }
    }
    Some(out)
}

impl Regexp<'_> {
    /// Its tree.
    pub fn parse(&self) -> Result<Item, Problem> {
        let is_javascript = self.node.tree().grammar().row().folder.ends_with("script");
        parser::parse(&self.text, is_javascript, self.has_flag('v'))
    }

    /// Whether a one-letter flag is set after a literal, or in the text of the flags.
    pub fn has_flag(&self, flag: char) -> bool {
        self.flags
            .trim_matches(['"', '\'', '`'])
            .chars()
            .all(|c| c.is_ascii_lowercase())
            && self.flags.contains(flag)
    }

    /// Whether `^` and `$` match at every line.
    pub fn is_multiline(&self) -> bool {
        self.has_flag('m')
            || self.flags.contains("MULTILINE")
            || self.flags.contains("re.M")
            || self.flags.contains("Multiline")
            || self.text.contains("(?")
                && self.text.split("(?").skip(1).any(|part| {
                    part.split([')', ':'])
                        .next()
                        .is_some_and(|flags| flags.contains('m') && flags.len() < 6)
                })
    }

    /// Whether white space and comments in it are ignored.
    pub fn is_verbose(&self) -> bool {
        ["VERBOSE", "re.X", "COMMENTS", "IgnorePatternWhitespace"]
            .iter()
            .any(|word| self.flags.contains(word))
            || self.text.contains("(?x")
    }
}

/// Kinds of nodes that [`find`] looks at.
pub const KINDS: &[&str] = &[
    "regex", "call", "call_expression", "new_expression", "method_invocation",
    "invocation_expression", "object_creation_expression",
];
