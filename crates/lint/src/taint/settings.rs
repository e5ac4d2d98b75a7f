//! What a variable may hold where it is used.

use super::decided::{around, is_dead, is_taken};
use super::scopes::{Parameter, scopes};
use crate::grammar::Role;
use crate::node::Node;

/// How far before its use a variable's settings are looked for, in nodes: some hundred lines.
const WINDOW: usize = 2_500;

/// Up to how many settings of a variable it is worked out which are in branches that are never, or always, taken.
const FEW: usize = 32;

/// Methods that put something into what they are called on.
const ADDERS: &[&str] = &[
    "append",
    "add",
    "push",
    "extend",
    "put",
    "insert",
    "unshift",
    "addAll",
    "addElement",
    "concat",
    "offer",
    "Append",
    "Add",
    "AppendFormat",
    "AppendLine",
    "WriteString",
];

/// Methods that fill what they are handed from what they are called on.
const FILLERS: &[&str] = &["read", "readFully", "readNBytes", "readBytes", "Read", "ReadAsync"];

/// A place where a variable gets something.
pub(super) struct Setting<'t> {
    pub(super) node: Node<'t>,
    pub(super) value: Node<'t>,
    /// It replaces what was there before.
    pub(super) replaces: bool,
}

/// Where the value of a variable may come from.
pub(super) struct Origins<'t> {
    /// The settings before its use, back to one that is always done.
    pub(super) settings: Vec<Setting<'t>>,
    /// The parameter that it may still hold.
    pub(super) parameter: Option<Parameter<'t>>,
}

/// Where the value of a variable may come from.
pub(super) fn origins<'t>(used: Node<'t>, name: &str) -> Origins<'t> {
    if let Some(setting) = by_comprehension(used, name) {
        return Origins { settings: vec![setting], parameter: None };
    }
    for scope in scopes(used) {
        let parameter = Parameter::of(scope, name);
        let mut all: Vec<_> = in_scope(scope, used, name).collect();
        let is_few = all.len() <= FEW;
        all.retain(|setting| !is_few || !is_dead(setting.node));
        let certain = all.iter().rposition(|setting| setting.replaces && is_on_the_way(setting.node, used, is_few));
        let settings = all.split_off(certain.unwrap_or(0));
        if !settings.is_empty() || parameter.is_some() {
            return Origins { settings, parameter: parameter.filter(|_| certain.is_none()) };
        }
    }
    Origins { settings: Vec::new(), parameter: None }
}

fn in_scope<'t>(scope: Node<'t>, used: Node<'t>, name: &str) -> impl Iterator<Item = Setting<'t>> {
    let all = before(scope, used).filter_map(move |node| setting(node, name));
    all.filter(move |setting| !used.is_inside(setting.node) || is_loop_over(setting, used))
}

/// What stands before a use in a scope, as far as it is near.
pub(super) fn before<'t>(scope: Node<'t>, used: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let first = (scope.index() + 1).max(used.index().saturating_sub(WINDOW));
    (first..used.index()).filter_map(move |index| scope.tree().node(u32::try_from(index).ok()?))
}

fn is_loop_over(setting: &Setting<'_>, used: Node<'_>) -> bool {
    setting.node.has_role(Role::Loop) && !used.is_inside(setting.value)
}

/// Whether a statement was surely done before `used`: no branch or loop around it that is not around `used` too, unless
/// the code itself decides that it is taken.
pub(super) fn is_on_the_way(node: Node<'_>, used: Node<'_>, decide: bool) -> bool {
    let outside = around(node).take_while(|(_, around)| !used.is_inside(*around));
    let mut on_the_way =
        outside.map(|(part, around)| !is_branch(around) || (decide && is_taken(part, around) == Some(true)));
    !is_branch(node) && on_the_way.all(|on_the_way| on_the_way)
}

fn is_branch(node: Node<'_>) -> bool {
    let branches = [Role::If, Role::Loop, Role::Case, Role::Try, Role::Catch, Role::Ternary, Role::Lambda];
    branches.into_iter().any(|role| node.has_role(role))
}

/// What a node sets a variable to.
pub(super) fn setting<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    by_assignment(node, name)
        .or_else(|| by_loop(node, name))
        .or_else(|| by_call(node, name))
        .or_else(|| by_shift(node, name))
}

fn by_assignment<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let assignment = node.assignment()?;
    let (target, value) = (assignment.target, assignment.value);
    let is_it = |part: Node<'_>| part.has_role(Role::Name) && part.text() == name;
    if target.has_role(Role::Member) || target.has_role(Role::Index) {
        let base = target.named_children().next().is_some_and(is_it);
        return base.then_some(Setting { node, value, replaces: false });
    }
    let hit = is_it(target) || (target.text().contains(name) && target.names().any(is_it));
    hit.then_some(Setting { node, value, replaces: matches!(assignment.operator, "=" | ":=") })
}

fn by_loop<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    if !node.has_role(Role::Loop) {
        return None;
    }
    let range = |field: &str| node.child_of_kind(&["range_clause"])?.field(field);
    // PHP's `foreach` has no fields.
    let bare = |place: usize| node.named_children().nth(place).filter(|_| node.is(&["foreach_statement"]));
    let over = node.any_field(&["right", "value"]).or_else(|| range("right")).or_else(|| bare(0))?;
    let each = node.any_field(&["left", "name", "pattern"]).or_else(|| range("left")).or_else(|| bare(1))?;
    let hit = each.names().any(|part| part.text() == name);
    hit.then_some(Setting { node, value: over, replaces: true })
}

/// `[… name … for name in value]`.
fn by_comprehension<'t>(used: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let comprehensions =
        ["list_comprehension", "generator_expression", "set_comprehension", "dictionary_comprehension"];
    let around = used.ancestors().take(12).filter(|node| node.is(&comprehensions));
    let clauses = around.flat_map(Node::children).filter(|node| node.is(&["for_in_clause"]));
    let mut binding = clauses.filter(|clause| !used.is_inside(*clause)).filter_map(|clause| {
        let bound = clause.field("left")?.names().any(|part| part.text() == name);
        Some(Setting { node: clause, value: clause.field("right").filter(|_| bound)?, replaces: true })
    });
    binding.next()
}

fn by_call<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let call = node.call().filter(|call| ADDERS.contains(&call.name) || FILLERS.contains(&call.name))?;
    if FILLERS.contains(&call.name) {
        call.arguments.iter().find(|argument| argument.text() == name)?;
        return Some(Setting { node, value: call.receiver?, replaces: false });
    }
    call.receiver.filter(|receiver| receiver.text() == name)?;
    Some(Setting { node, value: *call.arguments.last()?, replaces: false })
}

/// Ruby's `list << value`.
fn by_shift<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let shift = node.binary().filter(|binary| binary.operator == "<<" && binary.left.text() == name)?;
    Some(Setting { node, value: shift.right, replaces: false })
}
