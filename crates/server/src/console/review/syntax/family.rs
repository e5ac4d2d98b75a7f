//! What comments, strings and keywords look like, by language.

use super::class::Class;

/// How a language is written, as far as colours need to know.
#[derive(Debug)]
pub(in crate::console::review) struct Family {
    /// Linguist's names.
    names: &'static [&'static str],
    /// What starts a comment to the end of the line.
    pub(super) line_comments: &'static [&'static str],
    /// What may go over lines: how it starts, how it ends, what it is.
    pub(super) spans: &'static [(&'static str, &'static str, Class)],
    /// Quotes of strings that end on their line.
    pub(super) quotes: &'static [char],
    /// Words between spaces.
    keywords: &'static str,
    /// Keywords may be written in capitals.
    any_case: bool,
}

/// The end of what an earlier line began, and what it is.
pub(super) type Open = Option<(&'static str, Class)>;

/// No language has a longer keyword.
const KEYWORD_BYTES: usize = 16;

impl Family {
    /// The row of a language.
    pub(super) fn of(language: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.names.contains(&language))
    }

    pub(super) fn is_keyword(&self, word: &str) -> bool {
        let same = |keyword: &str| keyword == word || self.any_case && keyword.eq_ignore_ascii_case(word);
        word.len() <= KEYWORD_BYTES && self.keywords.split_ascii_whitespace().any(same)
    }
}

const SLASHES: &[&str] = &["//"];
const HASH: &[&str] = &["#"];
const C_COMMENT: (&str, &str, Class) = ("/*", "*/", Class::Comment);
const BACKTICK: (&str, &str, Class) = ("`", "`", Class::Text);
const TRIPLE: (&str, &str, Class) = ("\"\"\"", "\"\"\"", Class::Text);
const QUOTES: &[char] = &['"', '\''];
/// Curly braces, `//` and `/* */`.
const CURLY: Family =
    Family { names: &[], line_comments: SLASHES, spans: &[C_COMMENT], quotes: QUOTES, keywords: "", any_case: false };

const FAMILIES: &[Family] = &[
    Family {
        names: &["C", "C++", "Objective-C"],
        keywords: "alignas alignof auto bool break case catch char class co_await co_return co_yield concept const consteval \
            constexpr constinit continue decltype default delete do double else enum explicit export extern false final float \
            for friend goto if inline int long mutable namespace new noexcept nullptr operator override private protected \
            public register requires return short signed sizeof static static_assert static_cast struct switch template this \
            throw true try typedef typeid typename union unsigned using virtual void volatile while NULL",
        ..CURLY
    },
    Family {
        names: &["C#"],
        keywords: "abstract as async await base bool break byte case catch char checked class const continue decimal default \
            delegate do double else enum event explicit extern false finally fixed float for foreach get goto if implicit in \
            init int interface internal is lock long namespace new null object operator out override params private protected \
            public readonly record ref return sbyte sealed set short sizeof stackalloc static string struct switch this throw \
            true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile when where while with yield",
        spans: &[C_COMMENT, TRIPLE],
        ..CURLY
    },
    Family {
        names: &["Java", "Kotlin", "Scala", "Groovy"],
        keywords: "abstract as assert boolean break by byte case catch char class companion const continue data def default do \
            double else enum extends false final finally float for fun given if implements import in init inline instanceof int \
            interface internal is lateinit long match native new null object open operator out override package permits private \
            protected public record return sealed short static super suspend switch synchronized this throw throws trait \
            transient true try typealias val var vararg void volatile when where while with yield",
        spans: &[C_COMMENT, TRIPLE],
        ..CURLY
    },
    Family {
        names: &["JavaScript", "TypeScript", "TSX", "Vue", "Svelte"],
        keywords: "abstract any as async await boolean break case catch class const continue debugger declare default delete do \
            else enum export extends false finally for from function get if implements import in infer instanceof interface \
            is keyof let namespace never new null number of package private protected public readonly return satisfies set \
            static string super switch symbol this throw true try type typeof undefined unknown var void while with yield",
        spans: &[C_COMMENT, BACKTICK],
        ..CURLY
    },
    Family {
        names: &["Go"],
        keywords: "any bool break byte case chan const continue default defer else error fallthrough false float32 float64 for \
            func go goto if import int int32 int64 interface iota map nil package range return rune select string struct switch \
            true type uint uint32 uint64 var",
        spans: &[C_COMMENT, BACKTICK],
        ..CURLY
    },
    Family {
        names: &["Rust"],
        keywords: "as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i16 i32 i64 i8 \
            if impl in isize let loop match mod move mut pub ref return self Self static str struct super trait true type u16 \
            u32 u64 u8 unsafe use usize where while",
        // A quote may start a lifetime.
        quotes: &['"'],
        ..CURLY
    },
    Family {
        names: &["PHP"],
        keywords: "abstract and array as bool break case catch class clone const continue declare default do echo else elseif \
            enum extends false final finally float fn for foreach function global goto if implements include include_once \
            instanceof insteadof int interface isset list match mixed namespace new null or parent print private protected \
            public readonly require require_once return self static string switch this throw trait true try unset use var void \
            while xor yield",
        ..CURLY
    },
    Family {
        names: &["Swift", "Dart"],
        keywords: "abstract any as associatedtype async await bool break case catch class const continue default defer deinit do \
            double dynamic else enum extension extends factory false fileprivate final for func get guard if implements import \
            in init inout int is late let mixin mutating new nil null open operator override private protocol public repeat \
            required rethrows return self Self set some static struct super switch this throw throws true try typealias var \
            void weak where while with yield",
        spans: &[C_COMMENT, TRIPLE],
        ..CURLY
    },
    Family {
        names: &["CSS", "SCSS", "Less"],
        // A URL has two slashes.
        line_comments: &[],
        ..CURLY
    },
    Family {
        names: &["HCL"],
        line_comments: &["#", "//"],
        keywords: "data dynamic false for if in locals module null output provider resource terraform true variable",
        ..CURLY
    },
    Family { names: &["JSON", "JSON with Comments", "JSON5"], keywords: "false null true", ..CURLY },
    Family {
        names: &["Python", "Starlark"],
        line_comments: HASH,
        spans: &[TRIPLE, ("'''", "'''", Class::Text)],
        keywords: "and as assert async await break case class continue def del elif else except False finally for from global \
            if import in is lambda match None nonlocal not or pass raise return self True try while with yield",
        ..CURLY
    },
    Family {
        names: &["Ruby"],
        line_comments: HASH,
        spans: &[("=begin", "=end", Class::Comment)],
        keywords: "alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or \
            private protected public redo require rescue retry return self super then true undef unless until when while yield",
        ..CURLY
    },
    Family {
        names: &["Shell", "Dockerfile", "Makefile"],
        line_comments: HASH,
        spans: &[],
        keywords: "break case continue do done elif else esac exit export fi for function if in local readonly return set shift \
            then trap unset until while ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER \
            VOLUME WORKDIR",
        ..CURLY
    },
    Family {
        names: &["YAML", "TOML", "INI"],
        line_comments: HASH,
        spans: &[TRIPLE],
        keywords: "false null true",
        ..CURLY
    },
    Family {
        names: &["SQL", "PLpgSQL", "PLSQL", "TSQL"],
        line_comments: &["--"],
        keywords: "add all alter and as asc begin between by cascade case check column commit constraint create cross database \
            default delete desc distinct drop else end exists foreign from full function grant group having if in index inner \
            insert into is join key left like limit not null offset on or order outer primary procedure references returning \
            revoke right rollback select set table then trigger truncate union unique update using values view when where with",
        any_case: true,
        ..CURLY
    },
    Family {
        names: &["HTML", "XML", "SVG"],
        line_comments: &[],
        spans: &[("<!--", "-->", Class::Comment)],
        quotes: &['"'],
        ..CURLY
    },
];
