//! Changes that break files that import from a changed file.

use std::collections::HashSet;

use review::{Line, Side, Status};
use syntax::parse::FileContext;
use syntax::semantics::symbols::exports::{Export, Exports};
use syntax::semantics::symbols::parameters::Parameters;
use syntax::semantics::symbols::static_members::static_members;
use syntax::tree::{Node, Tree};

use super::model::{Break, Cause, ResultChange};
use super::results::element_change;

/// The minimum length of a name that is searched for.
const NAME: usize = 4;
/// The maximum number of breaks of one file.
const MOST: usize = 100;

/// Both sides of a hunk.
pub struct BothSides<'a> {
    /// The file.
    pub file: FileContext<'a>,
    /// The tree before the change.
    pub old: &'a Tree<'a>,
    /// The tree after it.
    pub new: &'a Tree<'a>,
    /// The lines of the hunk.
    pub lines: &'a [Line<'a>],
}

/// The breaks that a change to a whole file causes in files that import from it.
pub(crate) fn breaks(sides: &BothSides<'_>) -> Vec<Break> {
    let new = match sides.file.status {
        Status::Removed => Some(Exports::default()),
        _ => Exports::of(sides.new),
    };
    let (Some(old), Some(new)) = (Exports::of(sides.old), new) else {
        return Vec::new();
    };
    let is_script = sides.file.language == "JavaScript";
    let is_one_object = old.is_one_object;
    let mut found = Vec::new();
    for (name, export) in &old.names {
        let Some(export) = export
            .as_ref()
            .filter(|_| name.chars().count() >= NAME && name.is_ascii())
        else {
            continue;
        };
        let made = |(side, line), cause| Break {
            name: (*name).to_owned(),
            line,
            side,
            cause,
            is_one_object,
            by_name: None,
        };
        match new.names.get(name) {
            None => found
                .extend(removed_line(export).map(|line| made((Side::Old, line), Cause::Removed))),
            Some(Some(now)) => {
                found.extend(
                    parameters(export, now, is_script).map(|(place, cause)| made(place, cause)),
                );
                found.extend(became_async(export, now).map(|line| {
                    let cause = Cause::Result(ResultChange::Promise);
                    made((Side::New, line), cause)
                }));
                found.extend(
                    other_elements(export, now)
                        .map(|(change, line)| made((Side::New, line), Cause::Result(change))),
                );
            }
            Some(None) => {}
        }
    }
    if ["JavaScript", "TypeScript", "TSX"].contains(&sides.old.grammar().name()) {
        found.extend(of_members(sides, &old, is_script));
    }
    found.sort_by(|a, b| (a.side, a.line, &a.name).cmp(&(b.side, b.line, &b.name)));
    found.truncate(MOST);
    found
}

/// The members of exported objects, enums and classes that are gone, or that take other parameters.
fn of_members(sides: &BothSides<'_>, exports: &Exports<'_>, is_script: bool) -> Vec<Break> {
    let (before, after) = (static_members(sides.old), static_members(sides.new));
    let owners: HashSet<&str> = after.keys().map(|(owner, _)| *owner).collect();
    let mut found = Vec::new();
    for ((owner, name), old) in &before {
        let is_wanted = name.chars().count() >= NAME
            && name.is_ascii()
            && exports.names.contains_key(owner)
            && owners.contains(owner);
        if !is_wanted {
            continue;
        }
        let mut add = |(side, line), cause| {
            found.push(Break {
                name: format!("{owner}.{name}"),
                line,
                side,
                cause,
                is_one_object: false,
                by_name: None,
            });
        };
        match after.get(&(*owner, *name)) {
            None if old.name.touches_change() => {
                old.name
                    .line()
                    .into_iter()
                    .for_each(|line| add((Side::Old, line), Cause::Removed));
            }
            None => {}
            Some(new) => {
                let broken = changed_parameters(
                    (old.parameters.as_ref(), new.parameters.as_ref()),
                    Some(new.name),
                    is_script,
                );
                broken
                    .into_iter()
                    .for_each(|(place, cause)| add(place, cause));
            }
        }
    }
    found
}

fn removed_line(export: &Export<'_>) -> Option<u32> {
    export.name.line().filter(|_| export.name.touches_change())
}

/// The change of the number of elements that a Python function returns, with the line.
fn other_elements(old: &Export<'_>, new: &Export<'_>) -> Option<(ResultChange, u32)> {
    element_change(function(old)?, function(new)?)
}

fn function<'t>(export: &Export<'t>) -> Option<Node<'t>> {
    export.parameters.as_ref()?.0.parent()
}

/// The line of a function that must now be awaited.
fn became_async(old: &Export<'_>, new: &Export<'_>) -> Option<u32> {
    let is_async = |export: &Export<'_>| {
        let (list, _) = export.parameters.as_ref()?;
        let mut before = function(export)?
            .leaves()
            .take_while(|leaf| leaf.index() < list.index());
        Some(before.any(|leaf| leaf.text() == "async"))
    };
    (is_async(old) == Some(false) && is_async(new) == Some(true))
        .then(|| new.definition.and_then(Node::line))
        .flatten()
}

fn parameters(old: &Export<'_>, new: &Export<'_>, is_script: bool) -> Option<((Side, u32), Cause)> {
    changed_parameters(
        (old.parameters.as_ref(), new.parameters.as_ref()),
        new.definition,
        is_script,
    )
}

type List<'l, 't> = Option<&'l (Node<'t>, Parameters)>;

/// The changed parameters, with the line of the new name or of a changed parameter.
fn changed_parameters(
    (old, new): (List<'_, '_>, List<'_, '_>),
    new_name: Option<Node<'_>>,
    is_script: bool,
) -> Option<((Side, u32), Cause)> {
    let ((old_list, before), (new_list, after)) = (old?, new?);
    if before == after {
        return None;
    }
    let changed = |list: Node<'_>| {
        list.leaves()
            .find(|leaf| leaf.touches_change())
            .and_then(Node::line)
    };
    let own = new_name
        .filter(|name| name.touches_change())
        .and_then(Node::line);
    let new_line = own
        .or_else(|| changed(*new_list))
        .map(|line| (Side::New, line));
    let place = new_line.or_else(|| changed(*old_list).map(|line| (Side::Old, line)))?;
    Some((
        place,
        Cause::Parameters {
            before: before.clone(),
            after: after.clone(),
            is_script,
        },
    ))
}
