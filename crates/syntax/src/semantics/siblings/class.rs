//! Classes next to others in the file whose names begin or end with the same word.

use std::collections::HashMap;

use super::compare;
use super::lack::{Lack, MAX_SIBLINGS, Sibling, What};
use crate::semantics::authorization::{is_marker, is_named_after_right, opens};
use crate::semantics::decorators;
use crate::semantics::vocabulary::words_of;
use crate::tree::Node;

/// The minimum number of classes with a check.
const MIN_CLASSES: usize = 3;
/// Maximum number of new classes.
const MAX_NEW: usize = 4;
/// Maximum number of base classes that are followed, and of members that are looked at.
const MAX_BASES: usize = 8;
const MAX_MEMBERS: usize = 60;

struct Class<'t> {
    node: Node<'t>,
    name: Node<'t>,
    /// The words of its name.
    words: Vec<String>,
    bases: Vec<&'t str>,
    checks: Vec<&'t str>,
}

/// A class with its checks and those of the classes of the file that it extends.
type Checked<'a, 't> = (&'a Class<'t>, Vec<&'t str>);

pub(super) fn lacking<'t>(nodes: &[Node<'t>]) -> Vec<Lack<'t>> {
    let new = nodes.iter().filter(|node| node.is_all_changed()).count();
    if new == 0 || new > MAX_NEW || nodes.len() > MAX_SIBLINGS {
        return Vec::new();
    }
    let classes: Vec<Class<'t>> = nodes.iter().filter_map(|node| class(*node)).collect();
    let by_name: HashMap<&str, &Class<'t>> = classes
        .iter()
        .map(|class| (class.name.text(), class))
        .collect();
    let all: Vec<Checked<'_, 't>> = classes
        .iter()
        .filter(|class| class.words.len() > 1)
        .map(|class| (class, checks(class, &by_name)))
        .collect();
    let (new, old): (Vec<&Checked<'_, 't>>, Vec<&Checked<'_, 't>>) = all
        .iter()
        .partition(|(class, _)| class.node.is_all_changed());
    new.into_iter()
        .filter(|(_, checks)| checks.is_empty())
        .filter_map(|(class, _)| lack(class, &old))
        .collect()
}

fn class(node: Node<'_>) -> Option<Class<'_>> {
    let name = node.field("name")?;
    let body = node.field("body");
    let head = node
        .named_children()
        .filter(|child| body.is_none_or(|body| child.index() < body.index()) && *child != name);
    let bases: Vec<&str> = head
        .filter(|child| !child.is(&["modifiers", "attribute_list", "decorator"]))
        .flat_map(Node::names)
        .map(Node::last_name)
        .take(MAX_BASES)
        .collect();
    let members = body.into_iter().flat_map(Node::named_children);
    let named = members.take(MAX_MEMBERS).filter_map(|member| {
        let assigned = std::iter::once(member)
            .chain(member.named_children().take(2))
            .find_map(|node| Some(node.assignment()?.target.last_name()));
        assigned.or_else(|| Some(member.function()?.name.text()))
    });
    let decorators = decorators::of(node).into_iter().map(decorators::name);
    let checks = named
        .chain(decorators)
        .chain(bases.iter().copied())
        .filter(|name| is_marker(name) || is_named_after_right(name) || opens(name))
        .collect();
    Some(Class {
        node,
        name,
        words: words_of(name.text()),
        bases,
        checks,
    })
}

/// The checks of a class and of the classes of the file that it extends.
fn checks<'t>(class: &Class<'t>, by_name: &HashMap<&str, &Class<'t>>) -> Vec<&'t str> {
    let mut open: Vec<&Class<'t>> = vec![class];
    let mut checks = Vec::new();
    for _ in 0..MAX_BASES {
        let Some(next) = open.pop() else { break };
        checks.extend(next.checks.iter().copied());
        let bases = next.bases.iter().filter_map(|base| by_name.get(base));
        open.extend(bases.copied());
    }
    checks
}

fn lack<'t>(new: &Class<'t>, old: &[&Checked<'_, 't>]) -> Option<Lack<'t>> {
    let mentions_check = new
        .node
        .names()
        .any(|name| is_marker(name.text()) || compare::refuses(name.text()));
    if mentions_check {
        return None;
    }
    type End = fn(&[String]) -> Option<&String>;
    let ends: [End; 2] = [<[String]>::first, <[String]>::last];
    ends.into_iter().find_map(|end| {
        let siblings: Vec<&&Checked<'_, 't>> = old
            .iter()
            .filter(|(class, _)| end(&class.words) == end(&new.words))
            .collect();
        let (first, rest) = siblings
            .split_first()
            .filter(|_| siblings.len() >= MIN_CLASSES)?;
        let everywhere = |check: &&&str| rest.iter().all(|(_, checks)| checks.contains(check));
        let check = first.1.iter().find(everywhere)?;
        Some(Lack {
            at: new.name,
            name: new.name.text(),
            what: What::Authorization(check),
            siblings: siblings
                .iter()
                .map(|(class, _)| Sibling {
                    name: class.name.text(),
                    node: class.name,
                })
                .collect(),
        })
    })
}
