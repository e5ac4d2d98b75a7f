//! How what is known of a language is written.
//!
//! Lists of names are one text each, with blanks between the names. Names are written `a.b.c` in every language, whatever
//! joins the parts there: `name` is a bare name, `.name` a member of anything, `a.name` that member of something called
//! `a`, `*A.name` of something whose name ends in `A`. A source that ends in `()` is a call.

use crate::semantics::taint::kind::Kind;

/// What is known of a language, as it is written.
pub(super) struct Row {
    pub(super) languages: &'static [&'static str],
    /// What a request says.
    pub(super) sources: &'static str,
    /// What else comes from outside: from where, the purposes for which that is as bad, and what says it.
    pub(super) extra_sources: &'static [(&'static str, &'static [Kind], &'static str)],
    /// Types whose values are requests, with the name that such a value has in `sources`.
    pub(super) requests: &'static [(&'static str, &'static str)],
    /// Decorators and annotations whose function or parameter gets what a request says.
    pub(super) source_annotations: &'static [&'static str],
    /// What stands in the head of a method or a class whose text parameters a framework fills.
    pub(super) actions: &'static [&'static str],
    /// Calls that hand on what they get.
    pub(super) propagators: &'static str,
    /// Calls after which a value is harmless, and for what; no kind at all means for everything.
    pub(super) sanitizers: &'static [(&'static [Kind], &'static str)],
    /// Calls that must not get what a request says.
    pub(super) sinks: &'static [Sinks],
    /// Members that must not be set to what a request says.
    pub(super) fields: &'static [(Kind, &'static str)],
    /// Kinds of nodes whose content must not be what a request says.
    pub(super) sink_nodes: &'static [(Kind, &'static [&'static str])],
    /// Types whose methods are never sinks, although methods of others have the same names.
    pub(super) harmless_types: &'static str,
}

/// Calls that are dangerous in the same way.
pub(super) struct Sinks {
    pub(super) kind: Kind,
    /// What the calls are members of; empty if their names say it.
    pub(super) owners: &'static str,
    pub(super) callees: &'static str,
    pub(super) argument: Argument,
    pub(super) needs: &'static str,
}

/// Which argument of a sink is dangerous.
#[derive(Debug, Clone, Copy)]
pub(in crate::semantics::taint) enum Argument {
    /// That one, named ones not counted.
    At(usize),
    /// The one with that name.
    Named(&'static str),
    /// Each of them.
    All,
}

pub(super) const fn sinks(kind: Kind, callees: &'static str, argument: Argument) -> Sinks {
    Sinks {
        kind,
        owners: "",
        callees,
        argument,
        needs: "",
    }
}

/// That argument of those calls.
pub(super) const fn at(kind: Kind, callees: &'static str, place: usize) -> Sinks {
    sinks(kind, callees, Argument::At(place))
}

/// That argument of those methods of each of the owners.
pub(super) const fn of(
    kind: Kind,
    owners: &'static str,
    callees: &'static str,
    place: usize,
) -> Sinks {
    Sinks {
        owners,
        ..at(kind, callees, place)
    }
}

/// Any argument of those calls.
pub(super) const fn all(kind: Kind, callees: &'static str) -> Sinks {
    sinks(kind, callees, Argument::All)
}

/// The argument with that name.
pub(super) const fn named(kind: Kind, callees: &'static str, name: &'static str) -> Sinks {
    sinks(kind, callees, Argument::Named(name))
}

/// That argument, if this text, written without white space, stands among the arguments.
pub(super) const fn with(
    kind: Kind,
    callees: &'static str,
    place: usize,
    needs: &'static str,
) -> Sinks {
    Sinks {
        needs,
        ..at(kind, callees, place)
    }
}
