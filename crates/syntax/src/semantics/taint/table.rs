//! Taint data of each language: sources, propagators, sanitizers and sinks. One file per language. This file has the
//! lookups; `row` defines the format.

mod c;
mod commands;
mod csharp;
mod go;
mod java;
mod javascript;
mod kotlin;
mod php;
mod python;
mod row;
mod ruby;
mod rust;

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::kind::Kind;
use super::names::{last_part, matches, path};
use super::scopes::Parameter;
use crate::language::Role;
use crate::tree::Node;
use commands::COMMANDS;
pub(super) use row::Argument;
use row::{Row, Sinks};

static ROWS: [&Row; 10] = [
    &c::ROW,
    &csharp::ROW,
    &go::ROW,
    &java::ROW,
    &javascript::ROW,
    &kotlin::ROW,
    &php::ROW,
    &python::ROW,
    &ruby::ROW,
    &rust::ROW,
];
static TABLES: [OnceLock<Table>; ROWS.len()] = [const { OnceLock::new() }; ROWS.len()];

/// A call that must not get data from a request.
pub(super) struct Sink {
    pub(super) kind: Kind,
    pub(super) callee: String,
    pub(super) argument: Argument,
    /// Text that must be in the arguments, without white space; empty if the call is always dangerous.
    pub(super) needs: &'static str,
}

/// Sources that are not requests.
struct Other {
    origin: &'static str,
    kinds: &'static [Kind],
    called: Names,
    plain: Names,
}

type Names = HashMap<&'static str, Vec<&'static str>>;

/// The data of a language, by the last part of each name.
pub(super) struct Table {
    sources: Names,
    called_sources: Names,
    extra_sources: Vec<Other>,
    requests: &'static [(&'static str, &'static str)],
    pub(super) source_annotations: &'static [&'static str],
    pub(super) actions: &'static [&'static str],
    propagators: HashSet<&'static str>,
    sanitizers: HashMap<&'static str, Vec<&'static [Kind]>>,
    sinks: HashMap<&'static str, Vec<Sink>>,
    fields: HashMap<&'static str, Vec<(Kind, &'static str)>>,
    sink_nodes: &'static [(Kind, &'static [&'static str])],
    harmless_types: HashSet<&'static str>,
}

impl Table {
    /// The table for the language of a node.
    pub(super) fn of(node: Node<'_>) -> Option<&'static Self> {
        let language = node.tree().grammar().name();
        let index = ROWS
            .iter()
            .position(|row| row.languages.contains(&language))?;
        let (row, table) = (ROWS.get(index)?, TABLES.get(index)?);
        Some(table.get_or_init(|| Self::new(row)))
    }

    fn new(row: &'static Row) -> Self {
        let mut sanitizers = HashMap::<_, Vec<_>>::new();
        for (kinds, names) in row.sanitizers {
            names
                .split_whitespace()
                .for_each(|name| sanitizers.entry(name).or_default().push(*kinds));
        }
        let mut fields = HashMap::<_, Vec<_>>::new();
        for (kind, names) in row.fields {
            names.split_whitespace().for_each(|name| {
                fields
                    .entry(last_part(name))
                    .or_default()
                    .push((*kind, name))
            });
        }
        let (called_sources, sources) = sources_by_name(row.sources);
        let extra_sources = row.extra_sources.iter().map(|(origin, kinds, names)| {
            let (called, plain) = sources_by_name(names);
            Other {
                origin,
                kinds,
                called,
                plain,
            }
        });
        let commands = COMMANDS
            .iter()
            .filter(|(language, _)| row.languages.contains(language))
            .take(1)
            .flat_map(|(_, groups)| *groups);
        Self {
            sources,
            called_sources,
            extra_sources: extra_sources.collect(),
            requests: row.requests,
            source_annotations: row.source_annotations,
            actions: row.actions,
            propagators: row.propagators.split_whitespace().collect(),
            sanitizers,
            sinks: sinks_by_name(row.sinks.iter().chain(commands)),
            fields,
            sink_nodes: row.sink_nodes,
            harmless_types: row.harmless_types.split_whitespace().collect(),
        }
    }

    /// Whether a call only passes its arguments on.
    pub(super) fn propagates(&self, name: &str) -> bool {
        self.propagators.contains(name)
    }

    /// Whether a call sanitizes a value for a purpose.
    pub(super) fn cleans(&self, name: &str, kind: Kind) -> bool {
        let fits = |kinds: &&[Kind]| kinds.is_empty() || kinds.contains(&kind);
        self.sanitizers
            .get(name)
            .is_some_and(|all| all.iter().any(fits))
    }

    /// The sinks among the calls with that name.
    pub(super) fn sinks(&self, name: &str) -> &[Sink] {
        self.sinks.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether the methods of a type are never sinks.
    pub(super) fn is_harmless(&self, type_name: &str) -> bool {
        self.harmless_types.contains(type_name)
    }

    /// Whether a member must not be assigned data from a request.
    pub(super) fn is_field(&self, member: Node<'_>, kind: Kind) -> bool {
        // The object that an initializer makes has no name.
        let bare = format!(".{}", member.text());
        let fields = self
            .fields
            .get(member.last_name())
            .map_or(&[][..], Vec::as_slice);
        fields.iter().any(|(of, field)| {
            *of == kind && (bare == *field || matches(&path(member.text()), field))
        })
    }

    /// Whether the content of a node must not be data from a request.
    pub(super) fn is_place(&self, node: Node<'_>, kind: Kind) -> bool {
        self.sink_nodes
            .iter()
            .any(|(of, kinds)| *of == kind && node.is(kinds))
    }

    /// Whether a node is data from a request, or from another external source that is as dangerous for this purpose.
    pub(super) fn is_source(&self, node: Node<'_>, kind: Kind) -> bool {
        self.is_listed(node, &self.called_sources, &self.sources)
            || self.extra_sources.iter().any(|other| {
                other.kinds.contains(&kind) && self.is_listed(node, &other.called, &other.plain)
            })
    }

    /// The origin of a source that is not a request.
    pub(super) fn other_origin(&self, node: Node<'_>) -> Option<&'static str> {
        self.extra_sources
            .iter()
            .find(|other| self.is_listed(node, &other.called, &other.plain))
            .map(|other| other.origin)
    }

    fn is_listed(&self, node: Node<'_>, called: &Names, plain: &Names) -> bool {
        if let Some(call) = node.call() {
            return called
                .get(call.name)
                .is_some_and(|names| self.is_one_of(node, call.callee, names));
        }
        let is_named = node.has_role(Role::Member) || node.has_role(Role::Name);
        let names = || {
            plain
                .get(node.last_name())
                .or_else(|| plain.get(node.text()))
        };
        is_named && names().is_some_and(|names| self.is_one_of(node, node.text(), names))
    }

    fn is_one_of(&self, node: Node<'_>, text: &str, names: &[&str]) -> bool {
        let path = path(text);
        if self.is_of_other_type(node, &path) {
            return false;
        }
        let is_one = |path: &str| {
            let mut names = names.iter().filter(|name| matches(path, name));
            names.any(|name| !is_attribute(name) || is_in_handler(node))
        };
        is_one(&path)
            || self
                .as_request(node, &path)
                .is_some_and(|path| is_one(&path))
    }

    /// Whether a path starts with a parameter of a package's own type, such as the description of a request that the program is
    /// to send: `request host.HTTPRequest`. Go has one type of requests, and frameworks have contexts.
    fn is_of_other_type(&self, node: Node<'_>, path: &str) -> bool {
        let language = node.tree().grammar().name();
        if language == "Ruby" && !path.contains('.') {
            // `def link(params = {})` has options of this name.
            let parameter = Parameter::find(node, path).map(|parameter| parameter.node);
            return parameter.is_some_and(|own| own.is(&["optional_parameter"]));
        }
        let root = path.split_once('.').map(|(root, _)| root);
        let parameter = root
            .filter(|_| language == "Go" && !self.requests.is_empty())
            .and_then(|root| Parameter::find(node, root));
        let kind = parameter.and_then(|parameter| parameter.node.field("type"));
        kind.is_some_and(|kind| {
            let name = kind.text().trim_start_matches('*');
            let is_known = self.requests.iter().any(|(own, _)| *own == name);
            !is_known && name != "http.Request" && name.ends_with(REQUEST)
        })
    }

    /// A path that starts with a parameter of a request type, with the name that requests have in the table.
    fn as_request(&self, node: Node<'_>, path: &str) -> Option<String> {
        let (root, rest) = path.split_once('.').filter(|_| !self.requests.is_empty())?;
        let parameter = Parameter::find(node, root)?;
        let own = parameter.node.text();
        let typed = self
            .requests
            .iter()
            .find(|(kind, _)| own == *kind || (kind.len() > 4 && own.contains(kind)));
        typed.map(|(_, name)| format!("{name}.{rest}"))
    }
}

/// The word with which the types of requests begin or end, in every framework.
const REQUEST: &str = "Request";

/// Whether a source is an attribute of the object itself. Other classes than those that handle requests have such ones too.
fn is_attribute(name: &str) -> bool {
    name.strip_prefix("self.")
        .is_some_and(|attribute| !attribute.contains(['.', '(']))
}

/// Whether a class around a node is derived from one that handles requests, by its name.
fn is_in_handler(node: Node<'_>) -> bool {
    node.ancestors()
        .filter(|around| around.has_role(Role::Class))
        .filter_map(|class| class.any_field(&["superclasses", "superclass"]))
        .any(|bases| bases.text().contains("Handler"))
}

/// The calls and the other names in a list of sources, by their last parts.
fn sources_by_name(names: &'static str) -> (Names, Names) {
    let (called, plain): (Vec<_>, Vec<_>) = names
        .split_whitespace()
        .partition(|source| source.ends_with("()"));
    let called = called
        .into_iter()
        .map(|source| source.trim_end_matches("()"));
    (by_last_part(called), by_last_part(plain.into_iter()))
}

fn by_last_part(names: impl Iterator<Item = &'static str>) -> Names {
    let mut map = HashMap::<_, Vec<_>>::new();
    for name in names {
        map.entry(last_part(name)).or_default().push(name);
    }
    map
}

fn sinks_by_name(groups: impl Iterator<Item = &'static Sinks>) -> HashMap<&'static str, Vec<Sink>> {
    let mut map = HashMap::<_, Vec<_>>::new();
    for group in groups {
        let sink = |callee| Sink {
            kind: group.kind,
            callee,
            argument: group.argument,
            needs: group.needs,
        };
        for name in group.callees.split_whitespace() {
            let own: &mut Vec<Sink> = map.entry(last_part(name)).or_default();
            own.extend(
                group
                    .owners
                    .split_whitespace()
                    .map(|owner| sink(format!("{owner}.{name}"))),
            );
            own.extend(group.owners.is_empty().then(|| sink(name.to_owned())));
        }
    }
    map
}
