//! Routes next to others that the same router registers.

use super::lack::{Lack, MAX_NEW, MAX_SIBLINGS, Sibling, What};
use super::unit::Route;
use crate::semantics::authorization::is_mention;
use crate::tree::Node;

/// The minimum number of routes with a guard whose paths begin with the same part.
const MIN_ALIKE: usize = 3;
/// The minimum number of all routes of the router in the same list or block.
const MIN_TOGETHER: usize = 4;

pub(super) fn lacking<'t>(routes: &[Route<'t>]) -> Vec<Lack<'t>> {
    let (new, old): (Vec<&Route<'t>>, Vec<&Route<'t>>) =
        routes.iter().partition(|route| route.row.is_all_changed());
    if new.len() > MAX_NEW {
        return Vec::new();
    }
    new.into_iter()
        .filter_map(|route| lack(route, &old))
        .collect()
}

/// The first part of a path with several: `admin` in `/admin/users`.
fn first_part<'t>(route: &Route<'t>) -> Option<&'t str> {
    let text = route.path.string_value()?;
    let first = text.split('/').find(|part| !part.is_empty())?;
    let is_fixed = first
        .chars()
        .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    is_fixed.then_some(first)
}

fn lack<'t>(new: &Route<'t>, old: &[&Route<'t>]) -> Option<Lack<'t>> {
    let of_router = || {
        let all = old.iter().filter(|route| route.router == new.router);
        all.take(MAX_SIBLINGS).copied()
    };
    let place = new.row.statement().parent().map(Node::index);
    let together: Vec<&Route<'t>> = of_router()
        .filter(|route| route.row.statement().parent().map(Node::index) == place)
        .collect();
    let part = first_part(new);
    let alike: Vec<&Route<'t>> = of_router()
        .filter(|route| part.is_some() && first_part(route) == part)
        .collect();
    let groups = [(alike, MIN_ALIKE), (together, MIN_TOGETHER)];
    groups.into_iter().find_map(|(siblings, least)| {
        let (first, rest) = siblings.split_first().filter(|_| siblings.len() >= least)?;
        let everywhere = |name: &&&str| {
            rest.iter()
                .all(|route| route.guards.binary_search(name).is_ok())
        };
        let guard = first
            .guards
            .iter()
            .filter(|name| is_mention(name) && new.guards.binary_search(name).is_err())
            .find(everywhere)?;
        let has_another = new
            .guards
            .iter()
            .any(|name| is_mention(name) && !first.guards.contains(name));
        (!has_another).then(|| Lack {
            at: new.call,
            name: new.path.string_value().unwrap_or(new.path.text()),
            what: What::Authorization(guard),
            siblings: siblings
                .iter()
                .map(|route| Sibling {
                    name: route.path.string_value().unwrap_or(route.path.text()),
                    node: route.call,
                })
                .collect(),
        })
    })
}
