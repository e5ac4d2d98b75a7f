//! The values that a variable may have where it is used.

use super::const_eval::{around, is_dead, is_taken};
use super::scopes::{Parameter, scopes};
use super::setting::{Setting, before, by_comprehension, settings};
use crate::language::Role;
use crate::tree::Node;

/// If a variable has more assignments than this, it is not determined which of them are in branches that are never, or
/// always, taken.
const FEW: usize = 32;

/// Where the value of a variable may come from.
pub(super) struct Origins<'t> {
    /// The assignments before its use, back to one that always happens.
    pub(super) settings: Vec<Setting<'t>>,
    /// The parameter that it may still refer to.
    pub(super) parameter: Option<Parameter<'t>>,
}

/// Where the value of a variable may come from.
pub(super) fn origins<'t>(used: Node<'t>, name: &str) -> Origins<'t> {
    if let Some(setting) = by_comprehension(used, name) {
        return Origins {
            settings: vec![setting],
            parameter: None,
        };
    }
    for scope in scopes(used) {
        let parameter = Parameter::of(scope, name);
        let mut all: Vec<_> = in_scope(scope, used, name).collect();
        let is_few = all.len() <= FEW;
        all.retain(|setting| !is_few || !is_dead(setting.node));
        let certain = all.iter().rposition(|setting| {
            setting.replaces && always_runs_before(setting.node, used, is_few)
        });
        let settings = all.split_off(certain.unwrap_or(0));
        if !settings.is_empty() || parameter.is_some() {
            return Origins {
                settings,
                parameter: parameter.filter(|_| certain.is_none()),
            };
        }
    }
    Origins {
        settings: Vec::new(),
        parameter: None,
    }
}

fn in_scope<'t>(scope: Node<'t>, used: Node<'t>, name: &str) -> impl Iterator<Item = Setting<'t>> {
    settings(scope.tree(), name, before(scope, used))
        .filter(move |setting| !used.is_inside(setting.node) || is_loop_over(setting, used))
}

fn is_loop_over(setting: &Setting<'_>, used: Node<'_>) -> bool {
    setting.node.has_role(Role::Loop) && !used.is_inside(setting.value)
}

/// Whether a statement certainly ran before `used`: it is in no branch or loop that does not also contain `used`,
/// unless the branch is always taken.
pub(super) fn always_runs_before(node: Node<'_>, used: Node<'_>, decide: bool) -> bool {
    let outside = around(node).take_while(|(_, around)| !used.is_inside(*around));
    let mut always_runs = outside.map(|(part, around)| {
        !is_branch(around) || (decide && is_taken(part, around) == Some(true))
    });
    !is_branch(node) && always_runs.all(|always_runs| always_runs)
}

fn is_branch(node: Node<'_>) -> bool {
    let branches = [
        Role::If,
        Role::Loop,
        Role::Case,
        Role::Try,
        Role::Catch,
        Role::Ternary,
        Role::Lambda,
    ];
    branches.into_iter().any(|role| node.has_role(role))
}
