//! What is known of each language: what comes from a request, what passes text on, what makes it harmless, and where it
//! must not end up. One file a language; here is how the rows are written and how they are asked.
//!
//! Lists of names are one text each, with blanks between the names. Names are written `a.b.c` in every language, whatever
//! joins the parts there: `name` is a bare name, `.name` a member of anything, `a.name` that member of something called
//! `a`, `*A.name` of something whose name ends in `A`. A source that ends in `()` is a call.

mod csharp;
mod go;
mod java;
mod javascript;
mod php;
mod python;
mod ruby;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::Kind;
use super::names::{last_part, matches, path};
use super::scopes::Parameter;
use crate::grammar::Role;
use crate::node::Node;

static ROWS: [&Row; 7] = [&csharp::ROW, &go::ROW, &java::ROW, &javascript::ROW, &php::ROW, &python::ROW, &ruby::ROW];
static TABLES: [OnceLock<Table>; ROWS.len()] = [const { OnceLock::new() }; ROWS.len()];

/// What is known of a language, as it is written.
struct Row {
    languages: &'static [&'static str],
    /// What a request says.
    sources: &'static str,
    /// What else comes from outside: from where, the purposes for which that is as bad, and what says it.
    others: &'static [(&'static str, &'static [Kind], &'static str)],
    /// Types whose values are requests, with the name that such a value has in `sources`.
    requests: &'static [(&'static str, &'static str)],
    /// Decorators and annotations whose function or parameter gets what a request says.
    markers: &'static [&'static str],
    /// What stands in the head of a method or a class whose text parameters a framework fills.
    actions: &'static [&'static str],
    /// Calls that hand on what they get.
    passes: &'static str,
    /// Calls after which a value is harmless, and for what; no kind at all means for everything.
    cleaners: &'static [(&'static [Kind], &'static str)],
    /// Calls that must not get what a request says.
    sinks: &'static [Sinks],
    /// Members that must not be set to what a request says.
    fields: &'static [(Kind, &'static str)],
    /// Kinds of nodes whose content must not be what a request says.
    places: &'static [(Kind, &'static [&'static str])],
}

/// Calls that are dangerous in the same way.
struct Sinks {
    kind: Kind,
    /// What the calls are members of; empty if their names say it.
    owners: &'static str,
    callees: &'static str,
    argument: Argument,
    needs: &'static str,
}

/// Which argument of a sink is dangerous.
#[derive(Debug, Clone, Copy)]
pub(super) enum Argument {
    /// That one, named ones not counted.
    At(usize),
    /// The one with that name.
    Named(&'static str),
    /// Each of them.
    All,
}

const fn sinks(kind: Kind, callees: &'static str, argument: Argument) -> Sinks {
    Sinks { kind, owners: "", callees, argument, needs: "" }
}

/// That argument of those calls.
const fn at(kind: Kind, callees: &'static str, place: usize) -> Sinks {
    sinks(kind, callees, Argument::At(place))
}

/// That argument of those methods of each of the owners.
const fn of(kind: Kind, owners: &'static str, callees: &'static str, place: usize) -> Sinks {
    Sinks { owners, ..at(kind, callees, place) }
}

/// Any argument of those calls.
const fn all(kind: Kind, callees: &'static str) -> Sinks {
    sinks(kind, callees, Argument::All)
}

/// The argument with that name.
const fn named(kind: Kind, callees: &'static str, name: &'static str) -> Sinks {
    sinks(kind, callees, Argument::Named(name))
}

/// That argument, if this text, written without white space, stands among the arguments.
const fn with(kind: Kind, callees: &'static str, place: usize, needs: &'static str) -> Sinks {
    Sinks { needs, ..at(kind, callees, place) }
}

/// One call that must not get what a request says.
pub(super) struct Sink {
    pub(super) kind: Kind,
    pub(super) callee: String,
    pub(super) argument: Argument,
    /// Text that must stand among the arguments, without white space; empty if it is always dangerous.
    pub(super) needs: &'static str,
}

/// Sources that are no requests.
struct Other {
    origin: &'static str,
    kinds: &'static [Kind],
    called: Names,
    plain: Names,
}

type Names = HashMap<&'static str, Vec<&'static str>>;

/// What is known of a language, by the last part of the names.
pub(super) struct Table {
    sources: Names,
    called_sources: Names,
    others: Vec<Other>,
    requests: &'static [(&'static str, &'static str)],
    pub(super) markers: &'static [&'static str],
    pub(super) actions: &'static [&'static str],
    passes: HashSet<&'static str>,
    cleaners: HashMap<&'static str, Vec<&'static [Kind]>>,
    sinks: HashMap<&'static str, Vec<Sink>>,
    fields: HashMap<&'static str, Vec<(Kind, &'static str)>>,
    places: &'static [(Kind, &'static [&'static str])],
}

impl Table {
    /// The table for the language of a node.
    pub(super) fn of(node: Node<'_>) -> Option<&'static Self> {
        let language = node.tree().grammar().name();
        let index = ROWS.iter().position(|row| row.languages.contains(&language))?;
        let (row, table) = (ROWS.get(index)?, TABLES.get(index)?);
        Some(table.get_or_init(|| Self::new(row)))
    }

    fn new(row: &'static Row) -> Self {
        let mut cleaners = HashMap::<_, Vec<_>>::new();
        for (kinds, names) in row.cleaners {
            names.split_whitespace().for_each(|name| cleaners.entry(name).or_default().push(*kinds));
        }
        let mut fields = HashMap::<_, Vec<_>>::new();
        for (kind, names) in row.fields {
            names.split_whitespace().for_each(|name| fields.entry(last_part(name)).or_default().push((*kind, name)));
        }
        let (called_sources, sources) = sources_by_name(row.sources);
        let others = row.others.iter().map(|(origin, kinds, names)| {
            let (called, plain) = sources_by_name(names);
            Other { origin, kinds, called, plain }
        });
        Self {
            sources,
            called_sources,
            others: others.collect(),
            requests: row.requests,
            markers: row.markers,
            actions: row.actions,
            passes: row.passes.split_whitespace().collect(),
            cleaners,
            sinks: sinks_by_name(row.sinks),
            fields,
            places: row.places,
        }
    }

    /// Whether a call only hands on what it gets.
    pub(super) fn passes(&self, name: &str) -> bool {
        self.passes.contains(name)
    }

    /// Whether a call makes a value harmless for a purpose.
    pub(super) fn cleans(&self, name: &str, kind: Kind) -> bool {
        let fits = |kinds: &&[Kind]| kinds.is_empty() || kinds.contains(&kind);
        self.cleaners.get(name).is_some_and(|all| all.iter().any(fits))
    }

    /// What a call of that name must not get.
    pub(super) fn sinks(&self, name: &str) -> &[Sink] {
        self.sinks.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a member must not be set to what a request says.
    pub(super) fn is_field(&self, member: Node<'_>, kind: Kind) -> bool {
        let fields = self.fields.get(member.last_name()).map_or(&[][..], Vec::as_slice);
        fields.iter().any(|(of, field)| *of == kind && matches(&path(member.text()), field))
    }

    /// Whether the content of a node must not be what a request says.
    pub(super) fn is_place(&self, node: Node<'_>, kind: Kind) -> bool {
        self.places.iter().any(|(of, kinds)| *of == kind && node.is(kinds))
    }

    /// Whether a node is what a request says, or, where that is as bad, something else from outside.
    pub(super) fn is_source(&self, node: Node<'_>, kind: Kind) -> bool {
        self.says(node, &self.called_sources, &self.sources)
            || self
                .others
                .iter()
                .any(|other| other.kinds.contains(&kind) && self.says(node, &other.called, &other.plain))
    }

    /// Where a source comes from, if that is not a request.
    pub(super) fn other_origin(&self, node: Node<'_>) -> Option<&'static str> {
        self.others.iter().find(|other| self.says(node, &other.called, &other.plain)).map(|other| other.origin)
    }

    fn says(&self, node: Node<'_>, called: &Names, plain: &Names) -> bool {
        if let Some(call) = node.call() {
            return called.get(call.name).is_some_and(|names| self.is_one_of(node, call.callee, names));
        }
        let is_named = node.has_role(Role::Member) || node.has_role(Role::Name);
        let names = || plain.get(node.last_name()).or_else(|| plain.get(node.text()));
        is_named && names().is_some_and(|names| self.is_one_of(node, node.text(), names))
    }

    fn is_one_of(&self, node: Node<'_>, text: &str, names: &[&str]) -> bool {
        let path = path(text);
        let is_one = |path: &str| names.iter().any(|name| matches(path, name));
        is_one(&path) || self.as_request(node, &path).is_some_and(|path| is_one(&path))
    }

    /// A path that starts with a parameter of a request's type, with the name that requests have in the table.
    fn as_request(&self, node: Node<'_>, path: &str) -> Option<String> {
        let (root, rest) = path.split_once('.').filter(|_| !self.requests.is_empty())?;
        let parameter = Parameter::find(node, root)?;
        let own = parameter.node.text();
        let typed = self.requests.iter().find(|(kind, _)| own == *kind || (kind.len() > 4 && own.contains(kind)));
        typed.map(|(_, name)| format!("{name}.{rest}"))
    }
}

/// The calls and the other names of a list of sources, by their last parts.
fn sources_by_name(names: &'static str) -> (Names, Names) {
    let (called, plain): (Vec<_>, Vec<_>) = names.split_whitespace().partition(|source| source.ends_with("()"));
    let called = called.into_iter().map(|source| source.trim_end_matches("()"));
    (by_last_part(called), by_last_part(plain.into_iter()))
}

fn by_last_part(names: impl Iterator<Item = &'static str>) -> Names {
    let mut map = HashMap::<_, Vec<_>>::new();
    for name in names {
        map.entry(last_part(name)).or_default().push(name);
    }
    map
}

fn sinks_by_name(groups: &'static [Sinks]) -> HashMap<&'static str, Vec<Sink>> {
    let mut map = HashMap::<_, Vec<_>>::new();
    for group in groups {
        let sink = |callee| Sink { kind: group.kind, callee, argument: group.argument, needs: group.needs };
        for name in group.callees.split_whitespace() {
            let own: &mut Vec<Sink> = map.entry(last_part(name)).or_default();
            own.extend(group.owners.split_whitespace().map(|owner| sink(format!("{owner}.{name}"))));
            own.extend(group.owners.is_empty().then(|| sink(name.to_owned())));
        }
    }
    map
}
