use proptest::prelude::{prop, proptest};

use review::Lexical;

use super::scan::Open;
use super::{Painted, scan};

fn painted(language: &str, text: &str) -> String {
    let mut open = None;
    let lines = text.lines().map(|line| {
        let tokens = scan::line(Lexical::of(language).unwrap(), &mut open, line);
        Painted::new(line, &tokens).to_string()
    });
    let html = lines.collect::<Vec<_>>().join("\n");
    html.replace("</span>", "›")
        .replace("<span class=\"", "‹")
        .replace("\">", ":")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&#60;", "<")
        .replace("&#62;", ">")
}

#[test]
fn comments_strings_numbers_and_keywords_have_their_class() {
    for (language, text, expected) in [
        ("Python", "if x: # why", "‹keyword:if› x: ‹comment:# why›"),
        (
            "Python",
            "s = f'a \\' b' + rb\"c\"",
            "s = f‹string:'a \\' b'› + rb‹string:\"c\"›",
        ),
        (
            "Python",
            "\"\"\"a\nif\nb\"\"\" or 1",
            "‹string:\"\"\"a›\n‹string:if›\n‹string:b\"\"\"› ‹keyword:or› ‹number:1›",
        ),
        (
            "Rust",
            "fn a<'x>(c: '\\'') {} // b",
            "‹keyword:fn› a<'x>(c: ‹string:'\\''›) {} ‹comment:// b›",
        ),
        ("Rust", "0xff_u8..1.5", "‹number:0xff_u8›..‹number:1.5›"),
        (
            "C",
            "int a1; /* if\n*/ return",
            "‹keyword:int› a1; ‹comment:/* if›\n‹comment:*/› ‹keyword:return›",
        ),
        (
            "Shell", "echo $# it's # yes", "echo $# it's ‹comment:# yes›",
        ),
        ("Shell", "don't 'a'", "don't ‹string:'a'›"),
        ("SQL", "SELECT a -- b", "‹keyword:SELECT› a ‹comment:-- b›"),
        ("JavaScript", "`a\nb` \"c", "‹string:`a›\n‹string:b`› \"c"),
        ("YAML", "a#b: true", "a#b: ‹keyword:true›"),
        ("PHP", "#[A] # b", "#[A] ‹comment:# b›"),
        ("CSS", "a: b; // c", "a: b; // c"),
        (
            "SCSS", "a: url(https://b); // c", "a: url(https://b); ‹comment:// c›",
        ),
        (
            "Ruby",
            "=begin\na\n=end\nif",
            "‹comment:=begin›\n‹comment:a›\n‹comment:=end›\n‹keyword:if›",
        ),
        (
            "Kotlin",
            "/* a /* b */ c\n*/ val",
            "‹comment:/* a /* b */ c›\n‹comment:*/› ‹keyword:val›",
        ),
        (
            "Shell",
            "cat <<EOF # a\nb # c\nEOF\nif",
            "cat <<EOF ‹comment:# a›\n‹string:b # c›\n‹string:EOF›\n‹keyword:if›",
        ),
        (
            "TOML",
            "a = '''b\n# c'''",
            "a = ‹string:'''b›\n‹string:# c'''›",
        ),
        (
            "Vue",
            "<!-- a\nb --> `c`",
            "‹comment:<!-- a›\n‹comment:b -->› ‹string:`c`›",
        ),
        (
            "JavaScript",
            "return'a' case'b'",
            "‹keyword:return›‹string:'a'› ‹keyword:case›‹string:'b'›",
        ),
    ] {
        assert_eq!(painted(language, text), expected, "{text}");
    }
}

#[test]
fn unpaired_quotes_are_searched_once() {
    let line = "\\'\\\"".repeat(100_000);
    let mut open = None;
    let pieces = scan::line(Lexical::of("Python").unwrap(), &mut open, &line);
    assert_eq!(
        pieces.iter().map(|(_, text)| text.len()).sum::<usize>(),
        line.len()
    );
}

proptest! {
    #[test]
    fn the_text_is_unchanged(
        language in prop::sample::select(Lexical::all().map(|row| row.names()[0]).collect::<Vec<_>>()),
        lines in prop::collection::vec("([\"'`#/*\\\\<!-]|[a-z0-9 .]|<<EOF|EOF|=begin|=end|\\PC){0,40}", 0..6),
        inside in 0..4_usize,
    ) {
        let comment = &Lexical::of("Kotlin").unwrap().block_comments[0];
        let mut open = [None, Some(Open::Comment(comment, 2)), Some(Open::Text("`")), Some(Open::Heredoc("EOF"))][inside];
        for line in &lines {
            let pieces = scan::line(Lexical::of(language).unwrap(), &mut open, line);
            let whole: String = pieces.iter().map(|(_, text)| *text).collect();
            assert_eq!(&whole, line);
            assert!(pieces.iter().all(|(_, text)| !text.is_empty()));
        }
    }
}
