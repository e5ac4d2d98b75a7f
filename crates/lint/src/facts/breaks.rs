//! Changes that break files that import from a changed file.

use review::Side;
use syntax::semantics::symbols::exports::{Export, Exports};
use syntax::tree::Node;

use super::impact::{Break, Cause, ResultChange};
use crate::change::ChangeContext;

/// The minimum length of a name that is searched for.
const NAME: usize = 4;
/// The maximum number of breaks of one file.
const MOST: usize = 100;

/// The breaks that a change to a whole file causes in files that import from it.
pub(crate) fn breaks(context: &ChangeContext<'_>) -> Vec<Break> {
    let [Some(old), Some(new)] = [context.old, context.new].map(Exports::of) else {
        return Vec::new();
    };
    let is_script = context.file.language == "JavaScript";
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
            }
            Some(None) => {}
        }
    }
    found.sort_by(|a, b| (a.side, a.line, &a.name).cmp(&(b.side, b.line, &b.name)));
    found.truncate(MOST);
    found
}

fn removed_line(export: &Export<'_>) -> Option<u32> {
    export.name.line().filter(|_| export.name.touches_change())
}

/// The line of a function that must now be awaited.
fn became_async(old: &Export<'_>, new: &Export<'_>) -> Option<u32> {
    let is_async = |export: &Export<'_>| {
        let (list, _) = export.parameters.as_ref()?;
        let mut before = list
            .parent()?
            .leaves()
            .take_while(|leaf| leaf.index() < list.index());
        Some(before.any(|leaf| leaf.text() == "async"))
    };
    (is_async(old) == Some(false) && is_async(new) == Some(true))
        .then(|| new.definition.and_then(Node::line))
        .flatten()
}

fn parameters(old: &Export<'_>, new: &Export<'_>, is_script: bool) -> Option<((Side, u32), Cause)> {
    let ((old_list, before), (new_list, after)) =
        (old.parameters.as_ref()?, new.parameters.as_ref()?);
    if before == after {
        return None;
    }
    let changed = |list: Node<'_>| {
        list.leaves()
            .find(|leaf| leaf.touches_change())
            .and_then(Node::line)
    };
    let own = new
        .definition
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
