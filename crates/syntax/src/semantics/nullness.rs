//! Tests for null, and accesses that fail on it.

use crate::language::Role;
use crate::semantics::names::handed_over;
use crate::semantics::vocabulary::nil_answers;
use crate::tree::{Branch, Node, Operation};

/// A test whether a value is null.
#[derive(Debug, Clone, Copy)]
pub struct NullTest<'t> {
    /// The tested value.
    pub value: Node<'t>,
    /// The test succeeds if the value is null.
    pub holds_for_null: bool,
    /// It is a test for null alone, and not for other values that count as false.
    pub is_exact: bool,
}

/// The value that a condition tests for null: `x == null`, `x is not None`, `x.nil?`, `!x`, `x`.
pub fn null_test(condition: Node<'_>) -> Option<NullTest<'_>> {
    let condition = condition.unparenthesised();
    let exact = |(value, holds_for_null)| NullTest {
        value,
        holds_for_null,
        is_exact: true,
    };
    if let Some(negated) = condition.negated() {
        let inner = null_test(negated)?;
        return Some(NullTest {
            holds_for_null: !inner.holds_for_null,
            ..inner
        });
    }
    let known = condition
        .null_check()
        .or_else(|| pattern_test(condition))
        .or_else(|| null_call(condition));
    if let Some(known) = known {
        return Some(exact(known));
    }
    let has_truth = matches!(
        condition.tree().grammar().name(),
        "JavaScript" | "TypeScript" | "TSX" | "Python" | "PHP" | "Ruby" | "C" | "C++"
    );
    (has_truth && is_path(condition)).then_some(NullTest {
        value: condition,
        holds_for_null: false,
        is_exact: condition.tree().grammar().name() == "Ruby",
    })
}

/// The values that are null if an `if` with this condition was entered for the first reason: the tests of an `||` chain.
pub fn tests_for_null(condition: Node<'_>) -> impl Iterator<Item = NullTest<'_>> {
    tests_in(condition, Operation::Or, true)
}

/// The same for an `if` or, by the tests of an `&&` chain, an `unless`.
pub fn null_tests_of(branch: Branch<'_>) -> impl Iterator<Item = NullTest<'_>> {
    let operation = if branch.negated {
        Operation::And
    } else {
        Operation::Or
    };
    tests_in(branch.condition, operation, !branch.negated)
}

fn tests_in(
    condition: Node<'_>,
    operation: Operation,
    holds_for_null: bool,
) -> impl Iterator<Item = NullTest<'_>> {
    let operands = condition.operands_of(operation).into_iter();
    operands
        .filter_map(null_test)
        .filter(move |test| test.holds_for_null == holds_for_null)
}

/// `x is null` and `x is not null` of C#.
fn pattern_test(condition: Node<'_>) -> Option<(Node<'_>, bool)> {
    if !condition.is(&["is_pattern_expression"]) {
        return None;
    }
    let value = condition.field("expression")?;
    let pattern = condition.field("pattern")?;
    match pattern.text() {
        "null" => Some((value, true)),
        "not null" => Some((value, false)),
        _ => None,
    }
}

/// `x.nil?` and `is_null($x)`.
fn null_call(condition: Node<'_>) -> Option<(Node<'_>, bool)> {
    let call = condition.call()?;
    match (condition.tree().grammar().name(), call.name) {
        ("Ruby", "nil?") => Some((call.receiver?, true)),
        ("PHP", "is_null") => {
            let argument = handed_over(*call.arguments.first()?);
            Some((argument, true))
        }
        _ => None,
    }
}

/// Whether it is a name, or a member of the object itself or of a name.
fn is_path(node: Node<'_>) -> bool {
    let is_name = |node: Node<'_>| {
        node.has_role(Role::Name) && !node.has_role(Role::Member)
            || matches!(node.text(), "this" | "self" | "$this")
    };
    let of_name = node
        .receiver()
        .is_some_and(|object| is_name(object) && node.has_role(Role::Member));
    is_name(node) || of_name && !node.has_role(Role::Call)
}

/// Whether an occurrence of a name tests it for null.
pub fn is_tested(mention: Node<'_>) -> bool {
    let is_written = mention
        .ancestors()
        .take(4)
        .filter_map(null_test)
        .any(|test| test.is_exact && test.value == mention);
    let decides = [
        Role::If,
        Role::Ternary,
        Role::Loop,
        Role::Binary,
        Role::Assert,
    ];
    let mut around = mention.ancestors().take_while(|around| {
        !around.has_role(Role::Block)
            && !around.has_role(Role::Call)
            && !around.has_role(Role::Member)
    });
    let is_condition = around.any(|around| {
        decides.into_iter().any(|role| around.has_role(role))
            && around.comparison().is_none()
            && around
                .condition()
                .or_else(|| around.binary().map(|binary| binary.left))
                .is_none_or(|condition| condition == mention || mention.is_inside(condition))
    });
    is_written || is_condition
}

/// The value on which the access fails if that value is null.
pub fn dereferenced(access: Node<'_>) -> Option<Node<'_>> {
    let (fields, kinds): (&[&str], &[&str]) = match access.tree().grammar().name() {
        "Java" => (
            &["object", "array"],
            &["method_invocation", "field_access", "array_access"],
        ),
        "C#" => (
            &["expression"],
            &["member_access_expression", "element_access_expression"],
        ),
        "JavaScript" | "TypeScript" | "TSX" => {
            (&["object"], &["member_expression", "subscript_expression"])
        }
        "Python" => (&["object", "value"], &["attribute", "subscript"]),
        "Go" => (&["operand"], &["selector_expression"]),
        "PHP" => (
            &["object"],
            &["member_access_expression", "member_call_expression"],
        ),
        "Ruby" => (&["receiver"], &["call"]),
        "C" | "C++" => (
            &["argument"],
            &[
                "field_expression", "subscript_expression", "pointer_expression",
            ],
        ),
        _ => return None,
    };
    if !access.is(kinds) || is_tolerant(access) {
        return None;
    }
    access.any_field(fields).map(Node::unparenthesised)
}

/// Whether an access accepts null, or does not evaluate the value.
fn is_tolerant(access: Node<'_>) -> bool {
    let has = |token: &str| access.children().any(|child| child.text() == token);
    match access.tree().grammar().name() {
        "JavaScript" | "TypeScript" | "TSX" => has("?.") || is_of_type(access),
        // A method can be called on a nil pointer.
        "Go" => access.own_field() == "function",
        "Ruby" => !has(".") || access.call().is_none_or(|call| nil_answers(call.name)),
        "C" | "C++" => match access.kind() {
            "field_expression" => !has("->"),
            "pointer_expression" => !access.text().starts_with('*'),
            _ => false,
        },
        _ => false,
    }
}

/// `typeof x.y` tests what it names, and types name without evaluating.
fn is_of_type(access: Node<'_>) -> bool {
    access
        .parent()
        .is_some_and(|around| around.text().starts_with("typeof"))
}

/// Whether an occurrence of a name may set the variable: as the target of an assignment or a loop, a parameter, or by
/// reference.
pub fn may_set(name: Node<'_>) -> bool {
    let mut inner = name;
    for around in name.ancestors().take(8) {
        if let Some(set) = around.assignment() {
            return inner == set.target
                || name.is_inside(set.target) && !inner.has_role(Role::Member);
        }
        if around.has_role(Role::Member) || around.has_role(Role::Index) {
            // `x` of `x.y = 1` and `x[0] = 1` is read.
            return false;
        }
        let by_reference = around.is(&["unary_expression", "pointer_expression"])
            && around.text().starts_with('&')
            || around.is(&["argument"])
                && (around.text().starts_with("ref ") || around.text().starts_with("out "))
            || around.is(&["by_ref", "reference_modifier"]);
        let binds = around.has_role(Role::Parameters)
            || around.is(&[
                "update_expression", "inc_statement", "dec_statement", "postfix_unary_expression",
                "prefix_unary_expression", "range_clause", "for_in_clause", "catch_clause",
                "catch_declaration", "catch_formal_parameter", "except_clause", "as_pattern",
                "with_item", "delete_statement", "global_statement", "nonlocal_statement",
                "global_declaration", "static_variable_declaration", "unset_statement",
                "declaration_expression", "declaration_pattern", "var_pattern",
                "variable_declarator", "init_declarator", "declaration", "resource",
                "list_literal", "left_assignment_list", "block_parameters", "exception_variable",
                "rescue",
            ]);
        if by_reference || binds {
            return true;
        }
        if around.has_role(Role::Loop) {
            // The variable of `for (x of xs)`.
            return matches!(inner.own_field(), "left" | "name" | "pattern" | "variable")
                || inner.index() == around.index() + 1 && !around.is(&["while_statement"]);
        }
        if around.has_role(Role::Block) || around.has_role(Role::Call) {
            return false;
        }
        inner = around;
    }
    false
}

/// Whether a value cannot be null, as far as the code shows: it is made where it is used, has a default, or is a variable that
/// gets only such values.
pub fn is_never_null(value: Node<'_>) -> bool {
    let value = value.unparenthesised();
    if !value.has_role(Role::Name) {
        return gives_value(value);
    }
    let name = value.text();
    let around = value.enclosing_function().or_else(|| value.tree().root());
    let sets = around
        .into_iter()
        .flat_map(|around| around.all(Role::Assign));
    let mut own = sets
        .filter(|set| set.index() < value.index())
        .filter_map(Node::assignment)
        .filter(|set| {
            set.target.text() == name || set.target.names().any(|part| part.text() == name)
        })
        .peekable();
    own.peek().is_some() && own.all(|set| gives_value(set.value))
}

/// Whether an expression gives something other than null, by its form.
fn gives_value(value: Node<'_>) -> bool {
    const MADE: &[&str] = &[
        "array", "array_creation_expression", "collection_literal", "composite_literal",
        "dictionary", "hash", "implicit_object_creation_expression", "list", "list_comprehension",
        "new_expression", "object", "object_creation_expression", "set", "template_string",
        "tuple",
    ];
    const CALLS: &[&str] = &[
        "requireNonNull", "requireNonNullElse", "requireNonNullElseGet", "checkNotNull", "listOf",
        "mapOf", "setOf",
    ];
    let value = value.unparenthesised();
    if value.is(MADE)
        || value.has_role(Role::Text)
        || value.has_role(Role::Number)
        || value.has_role(Role::Lambda)
    {
        return true;
    }
    if let Some(binary) = value.binary() {
        let has_default = matches!(binary.operator, "??" | "||" | "or" | "?:");
        return has_default && gives_value(binary.right);
    }
    if value.is(&["unary_expression"]) && value.text().starts_with('&') {
        return true;
    }
    value.call().is_some_and(|call| {
        let is_class = call.receiver.is_none()
            && call.name.starts_with(char::is_uppercase)
            && matches!(value.tree().grammar().name(), "Kotlin" | "Python");
        let has_default = matches!(call.name, "orElse" | "getOrDefault" | "unwrap_or")
            && call.arguments.last().is_some_and(|last| gives_value(*last));
        CALLS.contains(&call.name) || has_default || is_class
    })
}
