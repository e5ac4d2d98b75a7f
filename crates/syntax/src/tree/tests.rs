//! The contract of nodes, in several languages and on any text.

use proptest::prelude::*;

use super::testing::{each, of_last, with_tree};
use super::{Node, Operation};
use crate::language::Role;

const PYTHON: &str = "def area(width, height=1):\n    if width is not None and height > 0:\n        return width * height\n    raise ValueError(width)\n";
const JAVA: &str = "class A {\n  int area(int width, int height) {\n    if (width != 0 && height > 0) { return width * height; }\n    throw new X(width);\n  }\n}\n";
const GO: &str = "func area(width int, height int) int {\n\tif width != 0 && height > 0 {\n\t\treturn width * height\n\t}\n\tpanic(width)\n}\n";

fn operations(language: &str, code: &str) -> Vec<(Operation, String)> {
    each(language, code, |node| {
        let binary = node.binary()?;
        Some((
            binary.operation(),
            format!(
                "{} {} {}",
                binary.left.text(),
                binary.operator,
                binary.right.text()
            ),
        ))
    })
}

#[test]
fn binary_operations_are_parsed_in_every_language() {
    for (language, code) in [("Python", PYTHON), ("Java", JAVA), ("Go", GO)] {
        let found = operations(language, code);
        let of = |operation: Operation| {
            found
                .iter()
                .filter(|(own, _)| *own == operation)
                .map(|(_, text)| text.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Operation::Order), ["height > 0"], "{language}");
        assert_eq!(of(Operation::Other), ["width * height"], "{language}");
        assert_eq!(of(Operation::And).len(), 1, "{language}");
    }
    assert!(
        operations("Python", "x = a < b < c").is_empty(),
        "a chain is not an operation of two"
    );
}

#[test]
fn a_null_check_has_its_operand_and_direction() {
    for (language, code, checked) in [
        ("Python", "x = a is not None", ("a", false)),
        ("JavaScript", "x = b === null", ("b", true)),
        ("Java", "boolean x = c != null;", ("c", false)),
        ("Go", "x := d == nil", ("d", true)),
    ] {
        let found = each(language, code, |node| {
            node.null_check()
                .map(|(of, is_null)| (of.text().to_owned(), is_null))
        });
        let (of, is_null) = found.first().unwrap();
        assert_eq!((of.as_str(), *is_null), checked, "{language}");
    }
    assert!(each("Python", "x = a == 0", |node| node.null_check().map(|_| ())).is_empty());
}

#[test]
fn a_function_has_its_name_parameters_and_body() {
    for (language, code) in [("Python", PYTHON), ("Java", JAVA), ("Go", GO)] {
        let functions = each(language, code, |node| {
            let function = node.function()?;
            Some((function.name.text().to_owned(), function.body.is_some()))
        });
        assert_eq!(functions, [("area".to_owned(), true)], "{language}");
    }
}

#[test]
fn statements_that_leave_a_block_are_exits() {
    let ends = |language: &str, code: &str| {
        with_tree(language, code, |tree| {
            tree.nodes().filter(|node| node.is_exit()).count()
        })
    };
    assert_eq!(
        ends("Python", "def f():\n    return 1\n    raise X\n    x = 1\n"),
        2
    );
    assert_eq!(
        ends(
            "Java",
            "class A { void f() { while (a) { break; } throw b; } }"
        ),
        2
    );
    assert_eq!(ends("Go", "func f() { for { continue }; return }"), 2);
}

#[test]
fn names_and_receivers_of_members_are_found_in_every_language() {
    for (language, code) in [
        ("Python", "a.b.c"),
        ("JavaScript", "a.b.c"),
        ("Java", "int x = a.b.c;"),
        ("Go", "x := a.b.c"),
    ] {
        let (last, receiver) = of_last(language, code, "a.b.c", |node| {
            (
                node.last_name().to_owned(),
                node.receiver().map(|of| of.text().to_owned()),
            )
        });
        assert_eq!(
            (last.as_str(), receiver.as_deref()),
            ("c", Some("a.b")),
            "{language}"
        );
    }
}

#[test]
fn operands_of_a_chain_are_in_order_without_parentheses() {
    let all = each("JavaScript", "x = a && (b && c) && d || e", |node| {
        let operands = node.operands_of(Operation::And);
        (operands.len() > 2).then(|| {
            operands
                .iter()
                .map(|of| of.text().to_owned())
                .collect::<Vec<_>>()
        })
    });
    assert_eq!(all.first().unwrap(), &["a", "b", "c", "d"]);
}

fn is_sound(node: Node<'_>) -> Result<(), TestCaseError> {
    let mut end = node.start();
    for child in node.children() {
        prop_assert!(
            node.start() <= child.start() && child.end() <= node.end(),
            "inside its parent"
        );
        prop_assert!(end <= child.start(), "after the one before it");
        prop_assert_eq!(child.parent(), Some(node));
        prop_assert!(child.is_inside(node));
        end = child.end();
    }
    let ends: Vec<_> = node
        .descendants()
        .map(Node::end)
        .filter(|end| *end > node.end())
        .collect();
    prop_assert!(ends.is_empty());
    prop_assert!(node.leaves().all(|leaf| leaf.is_leaf()));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn children_are_in_order_within_their_parent_for_any_text(code in "[ab(){}\\[\\];:=+.,'\"<> \n]{0,120}", at in 0_usize..4) {
        let language = ["Python", "JavaScript", "Java", "Go"][at];
        if !code.trim().is_empty() {
            let sound = with_tree(language, &code, |tree| tree.nodes().try_for_each(is_sound));
            sound?;
        }
    }

    #[test]
    fn nodes_of_a_role_are_nodes_with_that_role(at in 0_usize..3) {
        let (language, code) = [("Python", PYTHON), ("Java", JAVA), ("Go", GO)][at];
        with_tree(language, code, |tree| {
            for role in [Role::Call, Role::Name, Role::Block, Role::Return] {
                let asked: Vec<usize> = tree.with_role(role).map(Node::index).collect();
                let all: Vec<usize> = tree.nodes().filter(|node| node.has_role(role)).map(Node::index).collect();
                assert_eq!(asked, all);
            }
        });
    }
}
