//! Types, values and patterns inferred from the code itself.

use proptest::prelude::*;

use super::regexp::find;
use super::{c, python, types};
use crate::tree::testing::{each, each_of_any, of_last};

fn java(code: &str, of: &str) -> Option<String> {
    of_last("Java", code, of, types::type_of)
}

#[test]
fn an_expression_has_the_declared_type_of_its_name() {
    let code = "class A {\n  String name;\n  void f(List<Integer> all, int count) {\n    var copy = new ArrayList<String>();\n    g(name, all, count, copy, \"x\", unknown);\n  }\n}\n";
    let call = |of: &str| java(code, of).map(|kind| types::short(&kind));
    assert_eq!(call("count").as_deref(), Some("int"));
    assert_eq!(call("all").as_deref(), Some("List"));
    assert_eq!(call("name").as_deref(), Some("String"));
    assert_eq!(call("\"x\"").as_deref(), Some("String"));
    assert_eq!(
        call("unknown"),
        None,
        "what the file does not say is not known"
    );
}

#[test]
fn the_nearest_declaration_before_a_use_counts() {
    let code = "class A {\n  long size;\n  void f() { int size = 1; g(size); }\n}\n";
    assert_eq!(java(code, "size").as_deref(), Some("int"));
    let code = "class A {\n  long size;\n  void f() { g(this.size); int size = 1; }\n}\n";
    assert_eq!(java(code, "this.size").as_deref(), Some("long"));
}

#[test]
fn c_numbers_are_read_in_every_notation() {
    for (text, value) in [
        ("16", Some(16)),
        ("0x10", Some(16)),
        ("16u", Some(16)),
        ("0x10UL", Some(16)),
        ("1.5", None),
    ] {
        let code = format!("int f(void) {{ return {text}; }}");
        assert_eq!(of_last("C", &code, text, c::types::number), value, "{text}");
    }
}

#[test]
fn the_declaration_of_a_c_variable_is_found() {
    let code = "void f(const char *from, unsigned size, char out[16]) {\n  static char kept[8];\n  char *to = kept;\n  long left = size;\n  g(from, size, out, kept, to, left);\n}\n";
    let of = |name: &str| {
        of_last("C", code, name, |node| {
            let variable = c::types::declared(node)?;
            Some((
                variable.is_pointer(),
                variable.length(),
                variable.is_unsigned(),
                variable.is_local(),
            ))
        })
    };
    assert_eq!(of("from"), Some((true, None, false, true)));
    assert_eq!(of("size"), Some((false, None, true, true)));
    assert_eq!(
        of("out"),
        Some((true, None, false, true)),
        "an array as a parameter is a pointer"
    );
    assert_eq!(
        of("kept"),
        Some((false, Some(8), false, false)),
        "a static one outlives its function"
    );
    assert_eq!(of("left"), Some((false, None, false, true)));
}

#[test]
fn only_certain_python_values_are_inferred() {
    let code = "def f(flag, given):\n    number = 1\n    words = ['a']\n    either = 1 if flag else 'a'\n    made = dict()\n    g(number, words, either, made, given)\n";
    let of = |name: &str| {
        of_last("Python", code, name, |node| {
            python::types::kind(node).map(|kind| kind.described())
        })
    };
    assert_eq!(of("number").as_deref(), Some("a number"));
    assert_eq!(of("words").as_deref(), Some("a list"));
    assert_eq!(of("made").as_deref(), Some("a dict"));
    assert_eq!((of("either"), of("given")), (None, None));
}

fn can_be_empty(pattern: &str) -> Option<bool> {
    let code = format!("x = /{pattern}/");
    each("JavaScript", &code, |node| {
        Some(find(node)?.parse().ok()?.can_be_empty())
    })
    .pop()
}

#[test]
fn a_pattern_is_parsed_by_its_flavour() {
    for (pattern, empty) in [
        ("a*", true),
        ("a+", false),
        ("(?:a|b?)", true),
        ("(?=a)", true),
        ("[a-z]{2,}", false),
    ] {
        assert_eq!(can_be_empty(pattern), Some(empty), "{pattern}");
    }
    assert_eq!(
        can_be_empty("[b-a]"),
        None,
        "a range that runs backwards is not a pattern"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn inference_is_deterministic_for_any_text(code in "[ab1=.,:;()\\[\\]{}'\"*?|+ \n]{1,80}") {
        for language in ["Python", "Java", "C"] {
            let answers = || {
                each_of_any(language, &code, |node| {
                    Some((types::type_of(node), python::types::kind(node).map(|kind| kind.described()), c::types::number(node)))
                })
            };
            prop_assert_eq!(answers(), answers());
        }
    }

    #[test]
    fn the_pattern_parser_returns_for_any_text(pattern in "[ab*+?|()\\[\\]^$.{},\\\\d0-9-]{0,40}") {
        // The query must return for any pattern, and a repetition of something non-empty is not empty.
        let own = can_be_empty(&pattern);
        let plus = can_be_empty(&format!("(?:{pattern})+"));
        prop_assert!(own.is_none() || plus == own);
    }
}
