use proptest::prelude::{prop, proptest};

use super::table::ANY;
use super::{BlockComment, Comment, Lexical, Quotes};
use crate::language::Language;

fn of(name: &str) -> &'static Lexical {
    Lexical::of(name).unwrap()
}

/// Whether the `X` of a line is in a comment.
fn is_commented(language: &str, line: &str) -> bool {
    of(language).is_in_comment(line, line.find('X').unwrap())
}

fn block(language: &str) -> &'static BlockComment {
    of(language).block_comments.first().unwrap()
}

#[test]
fn every_name_is_linguists_and_has_one_row() {
    let names: Vec<&str> = Lexical::all()
        .flat_map(|row| row.names())
        .copied()
        .collect();
    for name in &names {
        assert_eq!(Language::find(name).map(Language::name), Some(*name));
        assert_eq!(
            names.iter().filter(|other| *other == name).count(),
            1,
            "{name}"
        );
    }
}

#[test]
fn the_comments_of_every_language_are_recognized() {
    for row in Lexical::all() {
        let name = row.names();
        for line in row.line_comments {
            let mark = line.mark;
            assert_eq!(
                row.comment_at(&format!("a {mark} X"), 2),
                Some(Comment::Line(line)),
                "{name:?}"
            );
            assert!(
                row.is_comment_line(&format!("  {mark} X")),
                "{name:?} {mark}"
            );
            assert!(
                row.is_in_comment(&format!("a {mark} X"), 3 + mark.len()),
                "{name:?} {mark}"
            );
            assert_eq!(
                row.without_line_comment(&format!("a {mark} X")),
                "a ",
                "{name:?} {mark}"
            );
        }
        for block in row.block_comments {
            let BlockComment { open, close, .. } = block;
            assert!(row.is_comment_line(&format!("{open} X")), "{name:?} {open}");
            let text = format!("{open} X\n{close}\nY");
            assert_eq!(
                row.comment_at(&text, 0),
                Some(Comment::Block(block)),
                "{name:?} {open}"
            );
            assert_eq!(
                block.end(&text, open.len(), &mut 1),
                Some(text.len() - 2),
                "{name:?} {open}"
            );
        }
    }
}

#[test]
fn languages_outside_the_table_have_the_common_marks() {
    for line in Lexical::all().flat_map(|row| row.line_comments) {
        assert!(ANY.is_comment_line(&format!("{} X", line.mark)), "{line:?}");
    }
    assert!(std::ptr::eq(
        Lexical::or_any(Some("Brainfuck")),
        &raw const ANY
    ));
    assert!(std::ptr::eq(Lexical::or_any(None), &raw const ANY));
    assert_eq!(Lexical::or_any(Some("Go")).names(), ["Go"]);
}

#[test]
fn each_language_has_its_own_comments() {
    for (language, line, expected) in [
        ("PHP", "f(); # X", true),
        ("PHP", "f();# X", true),
        ("PHP", "#[X]", false),
        ("PHP", "// X", true),
        ("CSS", "a { b: url(//X) }", false),
        ("CSS", "a; // X", false),
        ("CSS", "/* X */", true),
        ("SCSS", "a: b; // X", true),
        ("SCSS", "b: url(https://X)", false),
        ("Ruby", "=begin X", true),
        ("Ruby", "a =begin X", false),
        ("Ruby", "a # X", true),
        ("Ruby", "\"#{X}\"", false),
        ("HCL", "a = 1 # X", true),
        ("HCL", "a = 1 // X", true),
        ("HCL", "a = \"https://X\"", false),
        ("SQL", "a -- X", true),
        ("SQL", "'--' X", false),
        ("SQL", "a # X", false),
        ("JavaScript", "--X", false),
        ("JavaScript", "a = '//' + X", false),
        ("JavaScript", "/* a */ X", false),
        ("Kotlin", "/* /* a */ X */", true),
        ("Java", "/* /* a */ X */", false),
        ("Vue", "<!-- X -->", true),
        ("Vue", "// X", true),
        ("HTML", "<!-- X -->", true),
        ("HTML", "<!-- a --> X", false),
        ("XML", "// X", false),
        ("Shell", "a $# X", false),
        ("Shell", "don't # X isn't", true),
        ("Python", "f(a,# X", true),
        ("Python", "'# a' + X", false),
        ("YAML", "a#b: X", false),
        ("Lua", "--[[ a ]] X", false),
        ("INI", "; X", true),
        ("C", "#define X", false),
    ] {
        assert_eq!(is_commented(language, line), expected, "{language}: {line}");
    }
}

#[test]
fn a_line_comment_is_cut_off() {
    for (language, line, expected) in [
        ("C", "a /**//**/ b // c", "a /**//**/ b "),
        ("C", "\"//\" /* // */ b", "\"//\" /* // */ b"),
        ("Python", "if a == '#': # b", "if a == '#': "),
        ("YAML", "a#b", "a#b"),
    ] {
        assert_eq!(
            of(language).without_line_comment(line),
            expected,
            "{language}"
        );
    }
}

#[test]
fn a_comment_ends_with_its_outermost_end() {
    let text = "/* a /* b */ c\n*/ d";
    assert_eq!(block("Kotlin").end(text, 2, &mut 1), Some(17));
    assert_eq!(block("Java").end(text, 2, &mut 1), Some(12));
    let mut depth = 1;
    assert_eq!(block("Rust").end(" /* a", 0, &mut depth), None);
    assert_eq!(depth, 2);
    assert_eq!(
        block("Ruby").end("=begin\nx =end\n=end\n", 6, &mut 1),
        Some(18)
    );
}

#[test]
fn long_strings_and_heredocs_belong_to_their_languages() {
    for (language, text, expected) in [
        ("Python", "'''a", Some("'''")),
        ("TOML", "'''a", Some("'''")),
        ("Java", "'''a", None),
        ("YAML", "\"\"\"a", None),
        ("Go", "`a", Some("`")),
        ("Rust", "r##\"a", Some("\"##")),
        ("C#", "@\"a", Some("\"")),
    ] {
        assert_eq!(
            of(language).long_string(text).map(|(_, close)| *close),
            expected,
            "{language}: {text}"
        );
    }
    for (language, text, expected) in [
        ("Ruby", "<<~SQL.strip", Some("SQL")),
        ("Ruby", "<< list", None),
        ("PHP", "<<<'EOT'", Some("EOT")),
        ("Shell", "<<-\"EOF\" > x", Some("EOF")),
        ("Shell", "<<< WORD", None),
        ("HCL", "<<-EOT", Some("EOT")),
        ("C", "<<LIMIT", None),
    ] {
        assert_eq!(
            of(language).heredoc_name(text),
            expected,
            "{language}: {text}"
        );
    }
}

#[test]
fn keywords_are_those_of_the_language() {
    for (language, word, expected) in [
        ("Python", "elif", true),
        ("Go", "elif", false),
        ("SQL", "SELECT", true),
        ("Python", "DEF", false),
    ] {
        assert_eq!(
            of(language).is_keyword(word),
            expected,
            "{language}: {word}"
        );
    }
}

proptest! {
    #[test]
    fn any_text_can_be_scanned_in_every_language(
        text in "(//|/\\*|\\*/|#|--|<!--|-->|=begin|=end|\"\"\"|'|\"|`|\\\\|\n|<<EOF|[a-z ]|\\PC){0,60}",
        number in prop::sample::select(Lexical::all().enumerate().map(|(number, _)| number).collect::<Vec<_>>()),
    ) {
        let row = Lexical::all().nth(number).unwrap();
        let code = row.without_line_comment(&text);
        assert!(text.starts_with(code));
        assert!(code.len() == text.len() || row.comment_at(&text, code.len()).is_some());
        for at in 0..=text.len() {
            let _ = (row.comment_at(&text, at), row.is_in_comment(&text, at));
            let end = row.string_end(&text, at, &mut Quotes::default());
            assert!(end.is_none_or(|end| end > at && text.is_char_boundary(end)));
        }
    }
}

/// A quadratic scan of such a line takes hours.
#[test]
fn a_long_line_of_marks_is_scanned_once() {
    for (row, mark) in [
        (&ANY, "a*"),
        (&ANY, "a *"),
        (of("Python"), "\\'\\\""),
        (of("C"), "/**/"),
        (of("SQL"), "a'"),
    ] {
        let line = format!("x{}", mark.repeat(1 << 19));
        assert!(!row.is_in_comment(&line, line.len()), "{mark}");
        assert_eq!(row.without_line_comment(&line), line, "{mark}");
    }
}
