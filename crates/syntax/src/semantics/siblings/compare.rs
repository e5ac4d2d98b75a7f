//! Functions next to others of the same class, or of the same name in other classes.

use std::collections::{BTreeSet, HashSet};

use super::act::{Treatment, bare, is_given_away, is_owner, looks_up, telling_words};
use super::lack::{Lack, MAX_NEW, MAX_SIBLINGS, MIN_SIBLINGS, Sibling, What};
use super::profile::{Act, Key, Profile, profile, with_called};
use super::unit::Unit;
use crate::language::Role;
use crate::semantics::vocabulary::{has_word, words_of};
use crate::tree::{Node, Operation};

/// The minimum number of siblings if only the decorator of a route is shared.
const MIN_ROUTES: usize = 4;
/// The minimum number of siblings that test the result of a call, or handle its exceptions.
const MIN_TESTED: usize = 3;
/// Maximum number of keys of a function that are compared: one bit each.
const MAX_KEYS: usize = 24;
/// Names of decorators that make a function the handler of a route.
const ROUTES: &[&str] = &[
    "route", "get", "post", "put", "delete", "patch", "httpget", "httppost", "httpput",
    "httpdelete", "httppatch", "getmapping", "postmapping", "putmapping", "deletemapping",
    "patchmapping", "requestmapping", "action", "api_view",
];
/// Words of steps that exclude others meanwhile.
const LOCKS: &[&str] = &["lock", "mutex", "transaction"];
/// Words that show that a function refuses callers by itself.
const REFUSALS: &[&str] = &[
    "allowed", "can", "cannot", "denied", "deny", "forbid", "forbidden", "gate", "permit",
    "permitted", "policy", "unauthorized", "401", "403",
];
/// Words that many checks have in their names.
const GENERAL: &[&str] = &["can", "check", "get", "has", "is", "the", "to", "user"];

/// Whether a name says that callers are refused.
pub(super) fn refuses(name: &str) -> bool {
    has_word(name, REFUSALS)
}

pub(super) fn lacking<'t>(units: &[Unit<'t>]) -> Vec<Lack<'t>> {
    let (new, old): (Vec<&Unit<'t>>, Vec<&Unit<'t>>) =
        units.iter().partition(|unit| unit.node.is_all_changed());
    let inner: HashSet<usize> = new.iter().map(|unit| unit.node.index()).collect();
    let is_outermost = |unit: &&&Unit<'t>| {
        !unit
            .node
            .ancestors()
            .any(|around| inner.contains(&around.index()))
    };
    let new: Vec<&&Unit<'t>> = new.iter().filter(is_outermost).collect();
    if new.is_empty() || new.len() > MAX_NEW || old.len() < MIN_SIBLINGS {
        return Vec::new();
    }
    let old: Vec<Profile<'t>> = old.into_iter().take(MAX_SIBLINGS).map(profile).collect();
    let new: Vec<Profile<'t>> = new.into_iter().map(|unit| profile(unit)).collect();
    // New functions may call each other.
    let helpers = new.clone();
    new.into_iter()
        .flat_map(|mut new| {
            with_called(&mut new, &old);
            with_called(&mut new, &helpers);
            let siblings: Vec<&Profile<'t>> =
                old.iter().filter(|other| is_sibling(&new, other)).collect();
            beside(&new, &siblings)
        })
        .collect()
}

/// Whether a function is of the same class or file, or has the same name in another class, and is as visible. Handlers of
/// routes are compared only with handlers after the same guards.
fn is_sibling(new: &Profile<'_>, other: &Profile<'_>) -> bool {
    let is_near = new.unit.container == other.unit.container
        || new.unit.name.text() == other.unit.name.text();
    is_near
        && new.unit.route == other.unit.route
        && is_exported(new) == is_exported(other)
        && !new.unit.node.is_inside(other.unit.node)
        && !other.is_private
}

/// Whether other packages can call a function. Only the names of Go show it.
fn is_exported(profile: &Profile<'_>) -> bool {
    let name = profile.unit.name;
    name.tree().grammar().name() != "Go" || name.text().starts_with(char::is_uppercase)
}

impl Profile<'_> {
    /// Whether a name in it says that callers are refused.
    fn refuses(&self) -> bool {
        REFUSALS.iter().any(|word| self.name_words.contains(*word))
    }
}

/// The siblings of a new function, with the keys that they share with it.
struct Siblings<'a, 't> {
    all: Vec<(&'a Profile<'t>, u32)>,
}

impl<'a, 't> Siblings<'a, 't> {
    fn of(keys: &[&Key<'t>], siblings: &[&'a Profile<'t>]) -> Self {
        let shared = |sibling: &Profile<'t>| {
            let has = keys.iter().map(|key| sibling.keys.contains(*key));
            has.enumerate()
                .fold(0, |bits, (at, has)| bits | (u32::from(has) << at))
        };
        Self {
            all: siblings
                .iter()
                .map(|sibling| (*sibling, shared(sibling)))
                .collect(),
        }
    }

    /// Those that share all keys of a set.
    fn with(&self, keys: u32) -> Vec<&'a Profile<'t>> {
        let all = self.all.iter().filter(|(_, shared)| shared & keys == keys);
        all.map(|(sibling, _)| *sibling).collect()
    }
}

/// The lacks of a new function.
fn beside<'t>(new: &Profile<'t>, siblings: &[&Profile<'t>]) -> Vec<Lack<'t>> {
    if new.is_private || siblings.len() < MIN_SIBLINGS {
        return Vec::new();
    }
    let keys: Vec<&Key<'t>> = new.keys.iter().take(MAX_KEYS).collect();
    let siblings = Siblings::of(&keys, siblings);
    let mut lacks: Vec<Lack<'t>> = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        if let Key::Act(act) = key {
            lacks.extend(treatment(new, act, at, keys.len(), &siblings));
        }
    }
    lacks.extend(authorization(new, &keys, &siblings));
    lacks.extend(step(new, &keys, &siblings));
    lacks
}

/// A treatment of the result or the arguments of a call that nearly all siblings have, and the new function lacks: all functions with
/// the call, or those that share one more key with the new one.
fn treatment<'t>(
    new: &Profile<'t>,
    key: &str,
    at: usize,
    count: usize,
    siblings: &Siblings<'_, 't>,
) -> Option<Lack<'t>> {
    let act = new.acts.get(key)?;
    let others = (0..count)
        .filter(|other| *other != at)
        .map(|other| 1 << other);
    std::iter::once(0).chain(others).find_map(|other| {
        let group = siblings.with(1 << at | other);
        let acts: Vec<&Act<'t>> = group.iter().filter_map(|one| one.acts.get(key)).collect();
        if acts.len() < MIN_SIBLINGS {
            return None;
        }
        let has = |treatment: &Treatment<'t>| {
            let with = acts.iter().filter(|act| act.treatments.contains(treatment));
            with.count()
        };
        let all: BTreeSet<Treatment<'t>> = acts
            .iter()
            .flat_map(|act| act.treatments.iter().copied())
            .collect();
        let common: Vec<Treatment<'t>> = all
            .into_iter()
            .filter(|treatment| are_nearly_all(has(treatment), acts.len()))
            .collect();
        let (treatment, what) = common
            .iter()
            .filter(|treatment| !act.treatments.contains(treatment))
            .find_map(|treatment| {
                let what = lack(new, key, act, *treatment, &common, &group)?;
                Some((treatment, what))
            })?;
        let with = group.iter().filter(|one| {
            one.acts
                .get(key)
                .is_some_and(|act| act.treatments.contains(treatment))
        });
        Some(Lack {
            at: act.call,
            name: new.unit.name.text(),
            what,
            siblings: with.map(|one| named(one)).collect(),
        })
    })
}

/// Whether nearly all siblings have something, so that one without it is an exception.
fn are_nearly_all(some: usize, all: usize) -> bool {
    some == all || (all >= 5 && some * 5 >= all * 4)
}

/// The missing treatment of a call, unless the new function may have it in another form.
fn lack<'t>(
    new: &Profile<'t>,
    key: &str,
    act: &Act<'t>,
    treatment: Treatment<'t>,
    common: &[Treatment<'t>],
    group: &[&Profile<'t>],
) -> Option<What<'t>> {
    let call = key.to_owned();
    let is_tested = |word: &String| act.words.contains(word) || new.tested_words.contains(word);
    let has_own_check = || {
        let is_common = |check: &&str| group.iter().all(|one| one.checks.contains(*check));
        new.checks.iter().any(|check| !is_common(check)) || new.refuses()
    };
    match treatment {
        Treatment::Compared(member) => {
            let words = telling_words(member);
            let is_lost = !words.is_empty() && !words.iter().any(is_tested) && !has_own_check();
            is_lost.then_some(What::Owner { call, member })
        }
        Treatment::Limited(name) => {
            let words = telling_words(name);
            // The caller's data is known here, but not used to find the data.
            let is_at_hand = || words.iter().all(|word| new.words.contains(word));
            let is_limited_elsewhere = || {
                let all = new.acts.values().flat_map(|act| act.treatments.iter());
                all.filter_map(|treatment| match treatment {
                    Treatment::Limited(other) => Some(telling_words(other)),
                    _ => None,
                })
                .flatten()
                .any(|word| words.contains(&word))
            };
            let is_lost = !words.iter().any(is_tested)
                && !is_limited_elsewhere()
                && (is_owner(name) || (group.len() >= MIN_TESTED && is_at_hand()))
                && !has_own_check();
            is_lost.then_some(What::Filter { call, name })
        }
        _ if act.is_data => None,
        Treatment::Tested => {
            let is_compared = common
                .iter()
                .any(|other| matches!(other, Treatment::Compared(_)));
            let is_used_untested = !is_compared
                && group.len() >= MIN_TESTED
                && looks_up(key)
                && !act.variables.is_empty()
                && act
                    .variables
                    .iter()
                    .all(|name| is_used_untested(new.unit.node, name));
            is_used_untested.then_some(What::Test { call })
        }
        Treatment::Handled(exception) => {
            let has_handler = || new.unit.node.all(Role::Try).next().is_some();
            (group.len() >= MIN_TESTED && !has_handler())
                .then_some(What::Handler { call, exception })
        }
        Treatment::Followed(method) => {
            let has_another = act
                .treatments
                .iter()
                .any(|other| matches!(other, Treatment::Followed(_) | Treatment::Tested));
            (group.len() >= MIN_TESTED && !has_another).then_some(What::FollowUp { call, method })
        }
        Treatment::Closed => {
            let is_kept = || {
                act.variables
                    .iter()
                    .any(|name| is_given_away(new.unit.node, name))
            };
            (!act.variables.is_empty() && !is_kept()).then_some(What::Close { call })
        }
    }
}

/// Whether a function uses a variable as an object and never tests it.
fn is_used_untested(function: Node<'_>, variable: &str) -> bool {
    let mut is_used = false;
    for name in function
        .names()
        .filter(|name| bare(name.text()) == variable)
    {
        let mut around = name
            .ancestors()
            .take_while(|node| !node.is_statement())
            .take(8);
        let is_tested = around.any(|node| {
            let is_condition = node
                .parent()
                .and_then(Node::condition)
                .is_some_and(|condition| name == condition || name.is_inside(condition));
            let is_operand = node
                .binary()
                .is_some_and(|binary| !matches!(binary.operation(), Operation::Other));
            is_condition
                || is_operand
                || node.has_role(Role::Unary)
                || node.kind().contains("optional")
        });
        let after = name.tree().slice(name.end(), name.end() + 2);
        if is_tested || after.starts_with('?') {
            return false;
        }
        let is_argument = || {
            name.ancestors()
                .take(2)
                .any(|around| around.has_role(Role::Arguments))
        };
        is_used |= after.starts_with(['.', '[', '!']) || after.starts_with("->") || is_argument();
    }
    is_used
}

/// The authorization check that all siblings have, or all that share two keys, and the new function has in no form.
fn authorization<'t>(
    new: &Profile<'t>,
    keys: &[&Key<'t>],
    siblings: &Siblings<'_, 't>,
) -> Option<Lack<'t>> {
    if !new.checks.is_empty() || new.refuses() {
        return None;
    }
    let is_parameter = |key: &Key<'t>| matches!(key, Key::Parameter(_));
    let pairs = pairs(keys, |first, second| {
        !(is_parameter(first) && is_parameter(second))
    });
    let pairs = pairs.into_iter().map(|shared| (shared, MIN_SIBLINGS));
    let routes = keys.iter().enumerate().filter(|(_, key)| is_route(key));
    let routes = routes.map(|(at, _)| (1 << at, MIN_ROUTES));
    let whole = std::iter::once((0, MIN_ROUTES));
    let tests_owner = new.tested_words.iter().any(|word| is_owner(word));
    pairs
        .chain(routes)
        .chain(whole)
        .find_map(|(shared, least)| {
            let group = siblings.with(shared);
            if let Some(check) = common(new, &group, least, |one| &one.checks) {
                // A comparison with the owner may replace a check in the code, but no attribute of the function.
                let is_attribute = || group.iter().all(|one| one.attributes.contains(check));
                let is_missing =
                    (!tests_owner || is_attribute()) && !is_about_own_data(new, &group);
                return is_missing.then(|| beside_all(new, What::Authorization(check), &group));
            }
            // Each sibling has a check, though not all the same.
            let protected: Vec<&Profile<'t>> = group
                .iter()
                .filter(|one| !one.checks.is_empty())
                .copied()
                .collect();
            let is_exception = shared != 0
                && !tests_owner
                && protected.len() >= MIN_ROUTES
                && are_nearly_all(protected.len(), group.len());
            let check = protected.first()?.checks.first().filter(|_| is_exception)?;
            Some(beside_all(new, What::Authorization(check), &protected))
        })
}

/// Whether a function asks who the caller is, as most siblings don't: it is about the caller's own data.
fn is_about_own_data(new: &Profile<'_>, group: &[&Profile<'_>]) -> bool {
    let others = group.iter().filter(|one| one.uses_caller).count();
    new.uses_caller && others * 2 < group.len()
}

/// A step that all siblings take that do the same and have another key in common, or simply all siblings, and that the new
/// function does not take.
fn step<'t>(new: &Profile<'t>, keys: &[&Key<'t>], siblings: &Siblings<'_, 't>) -> Option<Lack<'t>> {
    let is_act = |key: &Key<'t>| matches!(key, Key::Act(_));
    let pairs = pairs(keys, |first, second| is_act(first) || is_act(second));
    let pairs = pairs.into_iter().map(|shared| (shared, MIN_TESTED));
    let whole = std::iter::once((0, MIN_ROUTES));
    pairs.chain(whole).find_map(|(shared, least)| {
        let group = siblings.with(shared);
        let step = common(new, &group, MIN_SIBLINGS, |one| &one.steps).filter(|step| {
            let is_lock =
                || shared != 0 && has_word(step, LOCKS) && new.keys.contains(&Key::Writes);
            group.len() >= least || is_lock()
        })?;
        Some(beside_all(new, What::Step(step), &group))
    })
}

/// The pairs of keys that fulfil a condition, as bits.
fn pairs<'t>(keys: &[&Key<'t>], is_telling: impl Fn(&Key<'t>, &Key<'t>) -> bool) -> Vec<u32> {
    let mut pairs = Vec::new();
    for (first, key) in keys.iter().enumerate() {
        for (second, other) in keys.iter().enumerate().skip(first + 1) {
            if is_telling(key, other) {
                pairs.push(1 << first | 1 << second);
            }
        }
    }
    pairs
}

/// A name that all of a group have, and that the new function has in no form.
fn common<'a, 't>(
    new: &Profile<'t>,
    group: &[&'a Profile<'t>],
    least: usize,
    names: impl Fn(&'a Profile<'t>) -> &'a BTreeSet<&'t str>,
) -> Option<&'t str> {
    let (first, rest) = group.split_first().filter(|_| group.len() >= least)?;
    let everywhere = |name: &&&str| rest.iter().all(|one| names(one).contains(*name));
    names(first)
        .iter()
        .filter(everywhere)
        .find(|name| !has_in_another_form(new, name))
        .copied()
}

/// Whether the new function may do in another way what a function with this name does: it has a call with the same verb and
/// another common word, or, for a name that is only a verb, any word that begins or ends with it.
fn has_in_another_form(new: &Profile<'_>, name: &str) -> bool {
    let words = words_of(name);
    let Some((verb, objects)) = words.split_first() else {
        return true;
    };
    let objects: Vec<&String> = objects
        .iter()
        .filter(|word| !GENERAL.contains(&word.as_str()))
        .collect();
    if objects.is_empty() {
        // `RLock` and `locked` lock as well.
        let is_form =
            |word: &String| word.starts_with(verb.as_str()) || word.ends_with(verb.as_str());
        return GENERAL.contains(&verb.as_str()) || new.words.iter().any(is_form);
    }
    new.calls.iter().any(|call| {
        let has = |word: &String| call.contains(word);
        call.first() == Some(verb) && objects.iter().any(|word| has(word))
    })
}

/// A lack of a function as a whole.
fn beside_all<'t>(new: &Profile<'t>, what: What<'t>, group: &[&Profile<'t>]) -> Lack<'t> {
    Lack {
        at: new.unit.name,
        name: new.unit.name.text(),
        what,
        siblings: group.iter().map(|one| named(one)).collect(),
    }
}

/// Whether a key is the decorator of a route.
fn is_route(key: &Key<'_>) -> bool {
    let Key::Decorator(name) = key else {
        return false;
    };
    let last = name.rsplit(['.', ':', '\\']).next().unwrap_or(name);
    ROUTES.contains(&last.to_ascii_lowercase().as_str())
}

fn named<'t>(profile: &Profile<'t>) -> Sibling<'t> {
    Sibling {
        name: profile.unit.name.text(),
        node: profile.unit.name,
    }
}
