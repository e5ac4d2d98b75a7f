//! One row for each syntax.

use super::row::Place::{AfterSpace, Anywhere, LineStart};
use super::row::{BlockComment, Heredoc, Lexical, LineComment};

const fn block(open: &'static str, close: &'static str) -> BlockComment {
    BlockComment {
        open,
        close,
        nests: false,
        is_whole_line: false,
    }
}

const fn nested(open: &'static str, close: &'static str) -> BlockComment {
    BlockComment {
        nests: true,
        ..block(open, close)
    }
}

const SLASHES: &[LineComment] = &[LineComment::new("//", Anywhere)];
const HASH: &[LineComment] = &[LineComment::new("#", Anywhere)];
/// `$#`, `a#b` and `#{` in a string do not start comments.
const HASH_AFTER_SPACE: &[LineComment] = &[LineComment::new("#", AfterSpace)];
/// A URL contains two slashes: `https://example.com`.
const SLASHES_AFTER_SPACE: &[LineComment] = &[LineComment::new("//", AfterSpace)];
const DASHES: &[LineComment] = &[LineComment::new("--", Anywhere)];
const PERCENT: &[LineComment] = &[LineComment::new("%", Anywhere)];
const STARS: &[BlockComment] = &[block("/*", "*/")];
const NESTED_STARS: &[BlockComment] = &[nested("/*", "*/")];
const MARKUP: &[BlockComment] = &[block("<!--", "-->")];
const BACKTICK: &[(&str, &str)] = &[("`", "`")];
const TRIPLE: &[(&str, &str)] = &[("\"\"\"", "\"\"\"")];
const BOTH_TRIPLE: &[(&str, &str)] = &[("\"\"\"", "\"\"\""), ("'''", "'''")];

/// `//`, `/* */`, and strings in double or single quotes.
const CURLY: Lexical = Lexical {
    names: &[],
    line_comments: SLASHES,
    block_comments: STARS,
    quotes: &['"', '\''],
    long_strings: &[],
    heredoc: None,
    keywords: "",
    any_case: false,
};
/// `#`, and strings in double or single quotes.
const SCRIPT: Lexical = Lexical {
    line_comments: HASH_AFTER_SPACE,
    block_comments: &[],
    ..CURLY
};

/// For languages that are not in the table: the marks of most languages. A star starts a line of a block comment.
pub(super) static ANY: Lexical = Lexical {
    line_comments: &[
        LineComment::new("#", Anywhere),
        LineComment::new("//", Anywhere),
        LineComment::new("--", Anywhere),
        LineComment::new(";", Anywhere),
        LineComment::new("%", Anywhere),
        LineComment::new("*", LineStart),
    ],
    block_comments: &[block("/*", "*/"), block("<!--", "-->")],
    quotes: &[],
    ..CURLY
};

const JVM: &str = "\
    abstract as assert boolean break by byte case catch char class companion const continue data def default \
    do double else enum extends false final finally float for fun given if implements import in init inline \
    instanceof int interface internal is lateinit long match native new null object open operator out \
    override package permits private protected public record return sealed short static super suspend switch \
    synchronized this throw throws trait transient true try typealias val var vararg void volatile when \
    where while with yield";

const SCRIPT_WORDS: &str = "\
    abstract any as async await boolean break case catch class const continue debugger declare default \
    delete do else enum export extends false finally for from function get if implements import in infer \
    instanceof interface is keyof let namespace never new null number of package private protected public \
    readonly return satisfies set static string super switch symbol this throw true try type typeof \
    undefined unknown var void while with yield";

const MOBILE: &str = "\
    abstract any as associatedtype async await bool break case catch class const continue default defer \
    deinit do double dynamic else enum extension extends factory false fileprivate final for func get guard \
    if implements import in init inout int is late let mixin mutating new nil null open operator override \
    private protocol public repeat required rethrows return self Self set some static struct super switch \
    this throw throws true try typealias var void weak where while with yield";

const SHELL: &str = "\
    break case continue do done elif else esac exit export fi for function if in local readonly return set \
    shift then trap unset until while ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN \
    SHELL STOPSIGNAL USER VOLUME WORKDIR";

const QUERY: &str = "\
    add all alter and as asc begin between by cascade case check column commit constraint create cross \
    database default delete desc distinct drop else end exists foreign from full function grant group having \
    if in index inner insert into is join key left like limit not null offset on or order outer primary \
    procedure references returning revoke right rollback select set table then trigger truncate union unique \
    update using values view when where with";

const CONSTANTS: &str = "false null true";

pub(super) static ROWS: &[Lexical] = &[
    Lexical {
        names: &["C", "C++", "Objective-C"],
        keywords: "\
            alignas alignof auto bool break case catch char class co_await co_return co_yield concept const \
            consteval constexpr constinit continue decltype default delete do double else enum explicit export \
            extern false final float for friend goto if inline int long mutable namespace new noexcept nullptr \
            operator override private protected public register requires return short signed sizeof static \
            static_assert static_cast struct switch template this throw true try typedef typeid typename union \
            unsigned using virtual void volatile while NULL",
        ..CURLY
    },
    Lexical {
        names: &["C#"],
        long_strings: &[
            ("\"\"\"", "\"\"\""),
            ("@\"", "\""),
            ("@$\"", "\""),
            ("$@\"", "\""),
        ],
        keywords: "\
            abstract as async await base bool break byte case catch char checked class const continue decimal \
            default delegate do double else enum event explicit extern false finally fixed float for foreach get \
            goto if implicit in init int interface internal is lock long namespace new null object operator out \
            override params private protected public readonly record ref return sbyte sealed set short sizeof \
            stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort \
            using var virtual void volatile when where while with yield",
        ..CURLY
    },
    Lexical {
        names: &["Java"],
        long_strings: TRIPLE,
        keywords: JVM,
        ..CURLY
    },
    Lexical {
        names: &["Kotlin", "Scala"],
        block_comments: NESTED_STARS,
        long_strings: TRIPLE,
        keywords: JVM,
        ..CURLY
    },
    Lexical {
        names: &["Groovy", "Gradle"],
        long_strings: BOTH_TRIPLE,
        keywords: JVM,
        ..CURLY
    },
    Lexical {
        names: &["JavaScript", "TypeScript", "TSX"],
        long_strings: BACKTICK,
        keywords: SCRIPT_WORDS,
        ..CURLY
    },
    Lexical {
        names: &["Vue", "Svelte", "Astro"],
        line_comments: SLASHES_AFTER_SPACE,
        block_comments: &[block("<!--", "-->"), block("/*", "*/")],
        long_strings: BACKTICK,
        keywords: SCRIPT_WORDS,
        ..CURLY
    },
    Lexical {
        names: &["Go"],
        long_strings: BACKTICK,
        keywords: "\
            any bool break byte case chan const continue default defer else error fallthrough false float32 float64 \
            for func go goto if import int int32 int64 interface iota map nil package range return rune select \
            string struct switch true type uint uint32 uint64 var",
        ..CURLY
    },
    Lexical {
        names: &["Rust"],
        block_comments: NESTED_STARS,
        // A single quote may start a lifetime.
        quotes: &['"'],
        long_strings: &[("r###\"", "\"###"), ("r##\"", "\"##"), ("r#\"", "\"#")],
        keywords: "\
            as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i16 i32 \
            i64 i8 if impl in isize let loop match mod move mut pub ref return self Self static str struct super \
            trait true type u16 u32 u64 u8 unsafe use usize where while",
        ..CURLY
    },
    Lexical {
        names: &["PHP"],
        // `#[` starts an attribute.
        line_comments: &[
            LineComment::new("//", Anywhere),
            LineComment {
                unless: "[",
                ..LineComment::new("#", Anywhere)
            },
        ],
        heredoc: Some(Heredoc {
            mark: "<<<",
            flags: &[' '],
        }),
        keywords: "\
            abstract and array as bool break case catch class clone const continue declare default do echo else \
            elseif enum extends false final finally float fn for foreach function global goto if implements include \
            include_once instanceof insteadof int interface isset list match mixed namespace new null or parent \
            print private protected public readonly require require_once return self static string switch this throw \
            trait true try unset use var void while xor yield",
        ..CURLY
    },
    Lexical {
        names: &["Swift"],
        block_comments: NESTED_STARS,
        long_strings: TRIPLE,
        keywords: MOBILE,
        ..CURLY
    },
    Lexical {
        names: &["Dart"],
        block_comments: NESTED_STARS,
        long_strings: BOTH_TRIPLE,
        keywords: MOBILE,
        ..CURLY
    },
    Lexical {
        names: &["CSS"],
        line_comments: &[],
        ..CURLY
    },
    Lexical {
        names: &["SCSS", "Less", "Sass", "Stylus"],
        line_comments: SLASHES_AFTER_SPACE,
        ..CURLY
    },
    Lexical {
        names: &["HCL"],
        line_comments: &[
            LineComment::new("#", Anywhere),
            LineComment::new("//", Anywhere),
        ],
        heredoc: Some(Heredoc {
            mark: "<<",
            flags: &['-'],
        }),
        keywords: "\
            data dynamic false for if in locals module null output provider resource terraform true variable",
        ..CURLY
    },
    Lexical {
        names: &["JSON", "JSON with Comments", "JSON5"],
        keywords: CONSTANTS,
        ..CURLY
    },
    Lexical {
        names: &["Protocol Buffer", "Solidity", "Zig"],
        ..CURLY
    },
    Lexical {
        names: &["Python", "Starlark"],
        line_comments: HASH,
        long_strings: BOTH_TRIPLE,
        keywords: "\
            and as assert async await break case class continue def del elif else except False finally for from \
            global if import in is lambda match None nonlocal not or pass raise return self True try while with \
            yield",
        ..SCRIPT
    },
    Lexical {
        names: &["Ruby"],
        block_comments: &[BlockComment {
            is_whole_line: true,
            ..block("=begin", "=end")
        }],
        heredoc: Some(Heredoc {
            mark: "<<",
            flags: &['-', '~'],
        }),
        keywords: "\
            alias and begin break case class def defined? do else elsif end ensure false for if in module next nil \
            not or private protected public redo require rescue retry return self super then true undef unless until \
            when while yield",
        ..SCRIPT
    },
    Lexical {
        names: &["Shell", "Dockerfile"],
        heredoc: Some(Heredoc {
            mark: "<<",
            flags: &['-', ' '],
        }),
        keywords: SHELL,
        ..SCRIPT
    },
    Lexical {
        names: &["Makefile"],
        keywords: SHELL,
        ..SCRIPT
    },
    Lexical {
        names: &["Perl"],
        heredoc: Some(Heredoc {
            mark: "<<",
            flags: &['~'],
        }),
        ..SCRIPT
    },
    Lexical {
        names: &["PowerShell"],
        block_comments: &[block("<#", "#>")],
        ..SCRIPT
    },
    Lexical {
        names: &["Elixir"],
        long_strings: BOTH_TRIPLE,
        ..SCRIPT
    },
    Lexical {
        names: &["R", "CMake", "Nix"],
        ..SCRIPT
    },
    Lexical {
        names: &["YAML"],
        keywords: CONSTANTS,
        ..SCRIPT
    },
    Lexical {
        names: &["TOML"],
        line_comments: HASH,
        long_strings: BOTH_TRIPLE,
        keywords: CONSTANTS,
        ..SCRIPT
    },
    Lexical {
        names: &["INI"],
        line_comments: &[
            LineComment::new("#", AfterSpace),
            LineComment::new(";", AfterSpace),
        ],
        keywords: CONSTANTS,
        ..SCRIPT
    },
    Lexical {
        names: &["SQL", "PLSQL", "TSQL"],
        line_comments: DASHES,
        keywords: QUERY,
        any_case: true,
        ..CURLY
    },
    Lexical {
        names: &["PLpgSQL"],
        line_comments: DASHES,
        block_comments: NESTED_STARS,
        keywords: QUERY,
        any_case: true,
        ..CURLY
    },
    Lexical {
        names: &["Lua"],
        line_comments: DASHES,
        block_comments: &[block("--[[", "]]")],
        long_strings: &[("[[", "]]")],
        ..CURLY
    },
    Lexical {
        names: &["Haskell", "Elm"],
        line_comments: DASHES,
        block_comments: &[nested("{-", "-}")],
        quotes: &['"'],
        ..CURLY
    },
    Lexical {
        names: &["Clojure", "Common Lisp", "Emacs Lisp", "Scheme"],
        line_comments: &[LineComment::new(";", Anywhere)],
        block_comments: &[],
        quotes: &['"'],
        ..CURLY
    },
    Lexical {
        names: &["Erlang"],
        line_comments: PERCENT,
        block_comments: &[],
        quotes: &['"'],
        ..CURLY
    },
    Lexical {
        names: &["TeX"],
        line_comments: &[LineComment::new("%", AfterSpace)],
        block_comments: &[],
        quotes: &[],
        ..CURLY
    },
    Lexical {
        names: &["HTML"],
        // Comments of embedded scripts.
        line_comments: SLASHES_AFTER_SPACE,
        block_comments: MARKUP,
        quotes: &['"'],
        ..CURLY
    },
    Lexical {
        names: &["XML", "SVG"],
        line_comments: &[],
        block_comments: MARKUP,
        quotes: &['"'],
        ..CURLY
    },
];
