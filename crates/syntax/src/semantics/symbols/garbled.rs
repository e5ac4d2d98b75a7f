//! Names that a change uses but does not define, although it defines nearly the same name.

use std::collections::HashSet;

use super::builtins::is_builtin;
use super::misspelt::{Misspelt, is_slip};
use crate::language::Role;
use crate::semantics::names::word_counts;
use crate::semantics::vocabulary::words_of;
use crate::tree::{Node, Tree};

/// The minimum length of a name.
const SHORTEST: usize = 5;
/// A change with more new names than this is not searched.
const MANY: usize = 200;
/// Words that do not change what a name refers to.
const FILLERS: &[&str] = &[
    "is", "has", "as", "the", "a", "an", "are", "be", "my", "of", "to",
];

/// How a name is used or defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Variable,
    Function,
    /// A member of the object itself.
    Member,
}

/// The names that the change uses for the first time and that occur nowhere else in a file, with the nearly identical
/// name that the change defines. `removed` are the words of removed lines.
pub fn garbled<'t>(tree: &'t Tree<'t>, removed: &HashSet<&str>) -> Vec<Misspelt<'t>> {
    if !tree.is_readable_file() {
        return Vec::new();
    }
    let is_long = |name: &Node<'_>| bare(name.text()).len() >= SHORTEST && name.text().is_ascii();
    let changed = || {
        tree.changed_nodes()
            .filter(|name| is_outer(*name) && is_long(name))
    };
    let defined: Vec<(Kind, Node<'t>)> = changed()
        .filter_map(|name| Some((defines(name)?, name)))
        .take(MANY + 1)
        .collect();
    if defined.is_empty() || defined.len() > MANY {
        return Vec::new();
    }
    let language = tree.grammar().name();
    let used = changed().filter_map(|name| {
        let kind = uses(name).filter(|_| !is_builtin(language, bare(name.text())))?;
        let is_like = |(own, meant): &&(Kind, Node<'t>)| {
            *own == kind
                && !is_backing(bare(name.text()), bare(meant.text()))
                && is_garbled(bare(name.text()), bare(meant.text()))
                && (kind != Kind::Function || may_call(name, *meant))
        };
        let (_, meant) = defined.iter().find(is_like)?;
        Some((kind, name, *meant))
    });
    let found: Vec<(Kind, Node<'t>, Node<'t>)> = used.take(MANY).collect();
    if found.is_empty() {
        return Vec::new();
    }
    let counts = word_counts(tree.root().map_or("", Node::text));
    let count = |name: Node<'_>| counts.get(bare(name.text())).copied().unwrap_or_default();
    let is_new = |name: Node<'t>| {
        let mut mentions = tree.mentions().within(tree, name.text(), 0..usize::MAX);
        !removed.contains(bare(name.text())) && mentions.all(|mention| mention.touches_change())
    };
    found
        .into_iter()
        .filter(|(kind, name, meant)| {
            // A variable is also used under its right name; a function or a member would be unused.
            let is_defined_for_this = *kind == Kind::Variable || count(*meant) == 1;
            count(*name) == 1 && is_new(*name) && is_new(*meant) && is_defined_for_this
        })
        .map(|(_, name, meant)| Misspelt {
            name,
            meant: meant.text(),
        })
        .collect()
}

fn bare(name: &str) -> &str {
    name.trim_start_matches(['$', '@', '#'])
}

/// PHP's `$x` is a name around another one.
fn is_outer(name: Node<'_>) -> bool {
    name.has_role(Role::Name)
        && !name
            .parent()
            .is_some_and(|parent| parent.has_role(Role::Name))
}

/// The kind of the definition that a name belongs to.
fn defines(name: Node<'_>) -> Option<Kind> {
    let parent = name.parent()?;
    if parent
        .function()
        .is_some_and(|function| function.name == name)
    {
        return Some(Kind::Function);
    }
    let around = std::iter::once(parent).chain(name.ancestors().skip(1).take(1));
    for set in around.filter_map(Node::assignment) {
        if set.target != name && set.target.names().next() != Some(name) {
            continue;
        }
        let owner = name.ancestors().find(|around| {
            around.has_role(Role::Class)
                || around.has_role(Role::Function)
                || around.has_role(Role::Lambda)
        });
        let is_member = owner.is_some_and(|owner| owner.has_role(Role::Class));
        let is_plain = set.target == name && !set.target.has_role(Role::Member);
        return match (is_member, is_plain) {
            (true, _) => Some(Kind::Member),
            (false, true) => Some(Kind::Variable),
            (false, false) => None,
        };
    }
    if is_own_member(name) && parent.parent()?.assignment()?.target == parent {
        return Some(Kind::Member);
    }
    parent.has_role(Role::Parameters).then_some(Kind::Variable)
}

/// Whether two names differ only in underscores around them: `_size` holds the value of a property `size`.
fn is_backing(name: &str, other: &str) -> bool {
    name.trim_matches('_') == other.trim_matches('_')
}

/// Whether it is `name` of `self.name`, `this.name` or `$this->name`.
fn is_own_member(name: Node<'_>) -> bool {
    name.parent().is_some_and(|access| {
        access
            .receiver()
            .or_else(|| access.call()?.receiver)
            .is_some_and(|object| {
                object != name && matches!(object.text(), "self" | "this" | "$this")
            })
    })
}

/// How an expression uses a name.
fn uses(name: Node<'_>) -> Option<Kind> {
    let parent = name.parent()?;
    if is_own_member(name) {
        let is_set = parent
            .parent()
            .and_then(Node::assignment)
            .is_some_and(|set| set.target == parent);
        return (!is_set).then_some(Kind::Member);
    }
    if let Some(call) = parent.call()
        && call.name == name.text()
        && !call.arguments.contains(&name)
    {
        let is_bare = call.receiver.is_none();
        return is_bare.then_some(Kind::Function);
    }
    let starts_small = bare(name.text()).starts_with(|first: char| first.is_lowercase());
    if !starts_small || name.is(&["type_identifier", "property_identifier", "field_identifier"]) {
        return None;
    }
    let is_object = parent.has_role(Role::Member) && parent.receiver() == Some(name)
        || parent
            .call()
            .is_some_and(|call| call.receiver == Some(name));
    let is_argument = parent.has_role(Role::Arguments)
        || parent.is(&["argument", "value_argument"]) && parent.named_children().count() == 1;
    let is_operand = parent.has_role(Role::Binary) || parent.negated() == Some(name);
    let is_condition = parent.condition() == Some(name)
        || parent.is(&["parenthesized_expression", "match_pattern"])
            && name.own_field() != "pattern";
    let is_value =
        parent.assignment().is_some_and(|set| set.value == name) || parent.has_role(Role::Return);
    (is_object || is_argument || is_operand || is_condition || is_value).then_some(Kind::Variable)
}

/// Whether a call without a receiver can mean the function of this name. Otherwise it calls a function from somewhere else:
/// a method needs a receiver in most languages, and a function that wraps another one has nearly its name.
fn may_call(call: Node<'_>, function: Node<'_>) -> bool {
    const OWN_METHODS: &[&str] = &["Java", "Kotlin", "C#", "Ruby"];
    let is_method = || {
        let definition = function.parent();
        definition.is_some_and(|own| own.is(&["method_declaration", "method_definition"]))
            || function
                .ancestors()
                .any(|around| around.has_role(Role::Class))
    };
    let is_inside = || {
        let around = function.parent().filter(|own| own.function().is_some());
        around.is_some_and(|own| call.is_inside(own))
    };
    // In the body of a class of Ruby, only methods of the class itself can be called, and those of its bases.
    let language = call.tree().grammar().name();
    let is_outside = language == "Ruby" && call.enclosing(Role::Function).is_none();
    (OWN_METHODS.contains(&language) || !is_method()) && !is_inside() && !is_outside
}

/// Whether two names follow the same convention. A name of another one comes from somewhere else.
fn is_of_same_style(one: &str, other: &str) -> bool {
    let is_upper = |name: &str| name.starts_with(char::is_uppercase);
    let is_snake = |name: &str| name.contains('_');
    let is_camel = |name: &str| !is_snake(name) && name.chars().skip(1).any(char::is_uppercase);
    let differ = is_snake(one) && is_camel(other) || is_camel(one) && is_snake(other);
    is_upper(one) == is_upper(other) && !differ
}

/// Whether a name is another one with a typing error, with its words in another order, with a word that says nothing, or
/// in the plural.
fn is_garbled(name: &str, meant: &str) -> bool {
    let is_plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    // `price = prices.find(id)`: the collection is inherited or mixed in.
    if name == meant || is_plural(meant, name) || !is_of_same_style(name, meant) {
        return false;
    }
    if is_slip(name, meant) || is_plural(name, meant) {
        return true;
    }
    let content = |text: &str| {
        let mut words = words_of(text);
        words.retain(|word| !FILLERS.contains(&word.as_str()));
        words.sort_unstable();
        words
    };
    let (one, other) = (content(name), content(meant));
    !one.is_empty() && one == other && one.concat().len() >= SHORTEST
}

#[cfg(test)]
mod tests {
    use super::is_garbled;

    #[test]
    fn a_garbled_name_differs_in_what_people_confuse() {
        for (name, meant) in [
            ("tmpl_nag", "nag_tmpl"),
            ("header", "headers"),
            ("is_diff_mode", "diff_mode"),
            ("mark_as_deleted", "mark_deleted"),
            ("recieved", "received"),
        ] {
            assert!(is_garbled(name, meant), "{name}");
        }
        for (name, meant) in [
            ("newConfig", "config"),
            ("defaultTimeout", "timeout"),
            ("first_name", "last_name"),
            ("headers", "headers"),
            ("array_map", "arrayMap"),
            ("GridWalk", "gridWalk"),
            ("Header", "headers"),
            ("headers", "header"),
        ] {
            assert!(!is_garbled(name, meant), "{name}");
        }
    }
}
