//! Conditions that are constant in the code, and the branches that are therefore never taken.

use super::setting::settings;
use crate::language::Role;
use crate::tree::{Binary, Node, Operation};

/// Maximum number of values to follow one after the other.
const DEPTH: u32 = 8;

/// Maximum number of nodes of a function to search for assignments to a variable.
const SEARCHED: usize = 1_000;

/// How many levels up to look for branches.
const HEIGHT: usize = 24;

/// A constant value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fixed {
    Truth(bool),
    Number(i64),
    Text(String),
}

/// Whether a node is in a branch that is never taken.
pub(super) fn is_dead(node: Node<'_>) -> bool {
    around(node)
        .take(HEIGHT)
        .any(|(part, branch)| is_taken(part, branch) == Some(false))
}

/// The ancestors of a node in its function, each with its child that contains the node.
pub(super) fn around<'t>(node: Node<'t>) -> impl Iterator<Item = (Node<'t>, Node<'t>)> {
    let parts = std::iter::once(node).chain(node.ancestors());
    parts
        .zip(node.ancestors())
        .take_while(|(_, around)| !around.has_role(Role::Function))
}

/// Whether a part of a branch is certainly taken, or certainly not.
pub(super) fn is_taken(part: Node<'_>, branch: Node<'_>) -> Option<bool> {
    if branch.has_role(Role::Case) {
        return is_chosen(branch);
    }
    let (then, otherwise) = sides(branch)?;
    let in_then = part.is_inside(then);
    if !in_then && !otherwise.is_some_and(|otherwise| part.is_inside(otherwise)) {
        return None;
    }
    let negated = branch.branch().is_some_and(|branch| branch.negated);
    Some((truth(branch.condition()?)? ^ negated) == in_then)
}

/// The code or value if a condition is true, and the one if it is false.
fn sides(branch: Node<'_>) -> Option<(Node<'_>, Option<Node<'_>>)> {
    if branch.has_role(Role::Ternary) {
        let condition = branch.condition()?;
        let mut parts = branch
            .named_children()
            .filter(|part| part.unparenthesised() != condition);
        return Some((parts.next()?, parts.next()));
    }
    branch
        .branch()
        .map(|branch| (branch.then, branch.otherwise))
}

fn truth(condition: Node<'_>) -> Option<bool> {
    let is_open = |node: Node<'_>| {
        node.has_role(Role::Null) || node.has_role(Role::Member) || node.has_role(Role::Call)
    };
    if condition.descendants().any(is_open) {
        return None;
    }
    match fixed(condition)? {
        Fixed::Truth(truth) => Some(truth),
        _ => None,
    }
}

/// Whether a case is certainly the chosen one, or certainly not.
fn is_chosen(case: Node<'_>) -> Option<bool> {
    let subject = fixed(
        case.enclosing(Role::Switch)?
            .any_field(&["condition", "value", "subject"])?,
    )?;
    let (labels, before) = labels_above(case)?;
    // The case before may fall through.
    if before.is_some_and(|before| !leaves(before)) {
        return None;
    }
    if !labels.is_empty() {
        return names_one_of(&labels, &subject);
    }
    let others = case
        .parent()?
        .named_children()
        .filter(|other| other.has_role(Role::Case) && *other != case);
    let chosen: Option<Vec<bool>> = others
        .map(|other| names_one_of(&self::labels(other), &subject))
        .collect();
    chosen.map(|chosen| !chosen.contains(&true))
}

/// The labels of a case, with those of the empty cases above it, and the case before them.
fn labels_above<'t>(case: Node<'t>) -> Option<(Vec<Node<'t>>, Option<Node<'t>>)> {
    let mut labels = self::labels(case);
    let mut before = case.previous().filter(|before| before.has_role(Role::Case));
    while let Some(empty) = before.filter(|before| is_empty(*before)) {
        let above = self::labels(empty);
        if above.is_empty() || labels.is_empty() {
            return None;
        }
        labels.extend(above);
        before = empty
            .previous()
            .filter(|before| before.has_role(Role::Case));
    }
    Some((labels, before))
}

fn is_empty(case: Node<'_>) -> bool {
    let value = case.field("value");
    case.named_children()
        .all(|child| child.is(&["switch_label"]) || Some(child) == value)
}

fn names_one_of(labels: &[Node<'_>], subject: &Fixed) -> Option<bool> {
    let values: Option<Vec<Fixed>> = labels.iter().map(|label| fixed(*label)).collect();
    values.map(|values| values.contains(subject))
}

fn labels<'t>(case: Node<'t>) -> Vec<Node<'t>> {
    let own = case
        .named_children()
        .filter(|child| child.is(&["switch_label"]))
        .flat_map(Node::named_children);
    case.field("value").into_iter().chain(own).collect()
}

fn leaves(case: Node<'_>) -> bool {
    case.is(&["switch_rule"]) || case.named_children().last().is_some_and(Node::is_exit)
}

/// The value of an expression that always evaluates to the same.
pub(super) fn fixed(node: Node<'_>) -> Option<Fixed> {
    worked_out(node, DEPTH)
}

fn worked_out(node: Node<'_>, depth: u32) -> Option<Fixed> {
    let depth = depth.checked_sub(1)?;
    let node = node.unparenthesised();
    if let Some(literal) = literal(node) {
        return Some(literal);
    }
    if node.has_role(Role::Name) {
        return worked_out(only_value(node)?, depth);
    }
    if let Some(operand) = node.negated() {
        return opposite(&worked_out(operand, depth)?);
    }
    if let Some(binary) = node.binary() {
        return of_binary(&binary, depth);
    }
    let call = node.call().filter(|call| call.name == "charAt")?;
    let (text, place) = (
        worked_out(call.receiver?, depth)?,
        worked_out(*call.arguments.first()?, depth)?,
    );
    let (Fixed::Text(text), Fixed::Number(place)) = (text, place) else {
        return None;
    };
    text.chars()
        .nth(usize::try_from(place).ok()?)
        .map(|c| Fixed::Text(c.to_string()))
}

fn literal(node: Node<'_>) -> Option<Fixed> {
    match node.text() {
        "true" | "True" => return Some(Fixed::Truth(true)),
        "false" | "False" => return Some(Fixed::Truth(false)),
        _ => {}
    }
    if node.has_role(Role::Number) {
        return node
            .text()
            .replace('_', "")
            .trim_end_matches(['l', 'L'])
            .parse()
            .ok()
            .map(Fixed::Number);
    }
    let text = node
        .string_value()
        .or_else(|| Some(node.text().trim_matches('\'')).filter(|_| is_character(node)))?;
    Some(Fixed::Text(text.to_owned()))
}

fn is_character(node: Node<'_>) -> bool {
    node.is(&["character_literal", "char_literal", "rune_literal"])
}

fn opposite(value: &Fixed) -> Option<Fixed> {
    match value {
        Fixed::Truth(truth) => Some(Fixed::Truth(!truth)),
        _ => None,
    }
}

fn of_binary(binary: &Binary<'_>, depth: u32) -> Option<Fixed> {
    let (left, right) = (
        worked_out(binary.left, depth),
        worked_out(binary.right, depth),
    );
    match binary.operation() {
        Operation::And => of_both(left, right, false),
        Operation::Or => of_both(left, right, true),
        Operation::Equality => {
            let same = left? == right?;
            Some(Fixed::Truth(same != binary.operator.starts_with('!')))
        }
        _ => of_numbers(&left?, binary.operator, &right?),
    }
}

/// `&&` is decided by one `false`, `||` by one `true`.
fn of_both(left: Option<Fixed>, right: Option<Fixed>, decisive: bool) -> Option<Fixed> {
    let decisive = Fixed::Truth(decisive);
    let decided = left.as_ref() == Some(&decisive) || right.as_ref() == Some(&decisive);
    if decided {
        Some(decisive)
    } else {
        left.and(right)
            .filter(|value| matches!(value, Fixed::Truth(_)))
    }
}

fn of_numbers(left: &Fixed, operator: &str, right: &Fixed) -> Option<Fixed> {
    let (Fixed::Number(left), Fixed::Number(right)) = (left, right) else {
        return None;
    };
    let number = match operator {
        "+" => left.checked_add(*right),
        "-" => left.checked_sub(*right),
        "*" => left.checked_mul(*right),
        "%" => left.checked_rem(*right),
        "<" => return Some(Fixed::Truth(left < right)),
        "<=" => return Some(Fixed::Truth(left <= right)),
        ">" => return Some(Fixed::Truth(left > right)),
        ">=" => return Some(Fixed::Truth(left >= right)),
        _ => None,
    };
    number.map(Fixed::Number)
}

/// The value of a variable that is set once in its function.
fn only_value<'t>(name: Node<'t>) -> Option<Node<'t>> {
    let (tree, inside) = (name.tree(), name.enclosing_function()?.inside());
    let near = inside.start..inside.end.min(inside.start + SEARCHED);
    if tree
        .places(counted_by)
        .within(tree, name.text(), near.clone())
        .next()
        .is_some()
    {
        return None;
    }
    let mut settings = settings(tree, name.text(), near);
    let only = settings.next().filter(|_| settings.next().is_none())?;
    let plain =
        only.replaces && !only.node.has_role(Role::Loop) && only.node.index() < name.index();
    plain.then_some(only.value)
}

fn counted_by(mention: Node<'_>) -> Option<Node<'_>> {
    mention
        .ancestors()
        .take(2)
        .find(|node| counts(*node, mention.text()))
}

/// Whether it is `n++` or similar.
fn counts(node: Node<'_>, name: &str) -> bool {
    let text = node.text();
    (text.ends_with("++")
        || text.ends_with("--")
        || text.starts_with("++")
        || text.starts_with("--"))
        && text.trim_matches(['+', '-', ' ']) == name
}
