//! The characters that end a line in each language in addition to LF and CR LF, and other reasons for which a compiler reads
//! different text from people and our parsers: one row for each group of languages, after their specifications and main compilers.

/// The line ends of some languages.
#[derive(Debug)]
pub struct LineEnds {
    /// Linguist's names.
    names: &'static [&'static str],
    /// Characters that end a line, and that a reader may take for a part of it.
    pub anywhere: &'static [char],
    /// Characters that end a comment. Elsewhere in a line they are harmless, or our parsers read them as the compiler does.
    pub in_comments: &'static [char],
    /// Where `\u000a` in the source is replaced before anything else is read.
    pub escapes: Escapes,
    /// Another difference between the text and the compiler's reading.
    pub also: Also,
}

/// Where Unicode escapes count as the characters that they name, outside string literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// Nowhere.
    No,
    /// In comments, where an escape may end the comment. Elsewhere they also occur in literals that only a parser recognizes.
    InComments,
    /// Everywhere.
    Everywhere,
}

/// Other differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Also {
    /// None.
    Nothing,
    /// A comment in the first two lines names the encoding.
    Encoding,
    /// The characters that end comments also start a line before the key of a mapping, if the text before is not quoted.
    Keys,
    /// `??/` is a backslash, so that a comment continues on the next line.
    Trigraphs,
}

const CR: char = '\r';
const VT: char = '\u{b}';
const FF: char = '\u{c}';
const NEL: char = '\u{85}';
const LS: char = '\u{2028}';
const PS: char = '\u{2029}';

const LF_ONLY: LineEnds = LineEnds {
    names: &[],
    anywhere: &[],
    in_comments: &[],
    escapes: Escapes::No,
    also: Also::Nothing,
};
const RETURNS: LineEnds = LineEnds {
    anywhere: &[CR],
    ..LF_ONLY
};
/// For code in other languages.
static OTHER_CODE: LineEnds = LineEnds {
    in_comments: &[CR],
    ..LF_ONLY
};
/// For text in other languages.
static OTHER_TEXT: LineEnds = LF_ONLY;

static ROWS: &[LineEnds] = &[
    LineEnds {
        names: &[
            "CMake", "CSS", "Common Lisp", "Dockerfile", "Elixir", "Elm", "Emacs Lisp", "Erlang",
            "Go", "HCL", "JSON", "Less", "Makefile", "Perl", "Protocol Buffer", "R", "Ruby",
            "Rust", "SVG", "Shell", "Stylus", "TOML", "TeX", "XML", "Zig",
        ],
        ..LF_ONLY
    },
    LineEnds {
        names: &[
            "Clojure", "Dart", "GraphQL", "INI", "Java Properties", "Kotlin", "Lua", "Nix",
            "Objective-C", "PLSQL", "PLpgSQL", "PowerShell", "SQL", "Starlark", "Swift", "TSQL",
        ],
        ..RETURNS
    },
    LineEnds {
        names: &["Python", "Cython"],
        also: Also::Encoding,
        ..RETURNS
    },
    LineEnds {
        names: &["Java"],
        escapes: Escapes::Everywhere,
        ..RETURNS
    },
    LineEnds {
        names: &["Scala", "Groovy", "Gradle"],
        escapes: Escapes::InComments,
        ..RETURNS
    },
    LineEnds {
        names: &["C", "C++"],
        also: Also::Trigraphs,
        ..RETURNS
    },
    LineEnds {
        names: &["C#", "Visual Basic .NET"],
        anywhere: &[CR, NEL, LS, PS],
        ..LF_ONLY
    },
    LineEnds {
        names: &["Scheme"],
        anywhere: &[CR, NEL, LS],
        ..LF_ONLY
    },
    LineEnds {
        names: &["Solidity"],
        anywhere: &[CR, VT, FF, NEL, LS, PS],
        ..LF_ONLY
    },
    LineEnds {
        names: &["Haskell", "SCSS", "Sass"],
        anywhere: &[CR, FF],
        ..LF_ONLY
    },
    LineEnds {
        names: &["YAML"],
        anywhere: &[CR],
        in_comments: &[NEL, LS, PS],
        also: Also::Keys,
        ..LF_ONLY
    },
    LineEnds {
        names: &[
            "Astro", "HTML", "JSON with Comments", "JSON5", "JavaScript", "Svelte", "TSX",
            "TypeScript", "Vue",
        ],
        in_comments: &[CR, LS, PS],
        ..LF_ONLY
    },
    LineEnds {
        names: &["PHP"],
        in_comments: &[CR],
        ..LF_ONLY
    },
];

impl LineEnds {
    /// The row of a language by Linguist's name. `is_code`: people write programs in it.
    #[must_use]
    pub fn of(language: &str, is_code: bool) -> &'static Self {
        let other = if is_code { &OTHER_CODE } else { &OTHER_TEXT };
        ROWS.iter()
            .find(|row| row.names.contains(&language))
            .unwrap_or(other)
    }
}

#[cfg(test)]
mod tests {
    use super::ROWS;
    use crate::language::Language;
    use crate::language::lexical::Lexical;

    #[test]
    fn every_language_with_known_comments_has_one_row() {
        let names: Vec<&str> = ROWS.iter().flat_map(|row| row.names).copied().collect();
        for name in &names {
            assert_eq!(Language::find(name).map(Language::name), Some(*name));
            let same = names.iter().filter(|other| *other == name).count();
            assert_eq!(same, 1, "{name}");
        }
        for name in Lexical::all().flat_map(Lexical::names) {
            assert!(names.contains(name), "{name}");
        }
    }
}
