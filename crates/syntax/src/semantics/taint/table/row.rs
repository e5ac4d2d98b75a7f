//! The format of a language's taint data.
//!
//! Each list of names is one string with blanks between the names. Names are written `a.b.c` for every language,
//! regardless of its separator: `name` is a bare name, `.name` a member of anything, `a.name` that member of something
//! called `a`, `*A.name` of something with a name that ends in `A`. A source that ends in `()` is a call.

use crate::semantics::taint::kind::Kind;

/// The taint data of a language, as written in its file.
pub(super) struct Row {
    pub(super) languages: &'static [&'static str],
    /// Data from a request.
    pub(super) sources: &'static str,
    /// Other external sources: their origin, the purposes for which they are as dangerous, and their names.
    pub(super) extra_sources: &'static [(&'static str, &'static [Kind], &'static str)],
    /// Types whose values are requests, with the name that such a value has in `sources`.
    pub(super) requests: &'static [(&'static str, &'static str)],
    /// Decorators and annotations that mark a function or parameter as filled with data from a request.
    pub(super) source_annotations: &'static [&'static str],
    /// Text in the header of a method or a class that shows that a framework fills its string parameters.
    pub(super) actions: &'static [&'static str],
    /// Calls that pass their arguments on.
    pub(super) propagators: &'static str,
    /// Calls that sanitize a value, and for which purposes; an empty list means all.
    pub(super) sanitizers: &'static [(&'static [Kind], &'static str)],
    /// Calls that must not get data from a request. Those that run commands are in `commands`.
    pub(super) sinks: &'static [Sinks],
    /// Members that must not be assigned data from a request.
    pub(super) fields: &'static [(Kind, &'static str)],
    /// Kinds of nodes with content that must not be data from a request.
    pub(super) sink_nodes: &'static [(Kind, &'static [&'static str])],
    /// Types with methods that are never sinks, although methods of other types with the same names are.
    pub(super) harmless_types: &'static str,
}

/// Calls that are dangerous in the same way.
pub(super) struct Sinks {
    pub(super) kind: Kind,
    /// The owners that the calls are members of; empty if their names are unambiguous.
    pub(super) owners: &'static str,
    pub(super) callees: &'static str,
    pub(super) argument: Argument,
    pub(super) needs: &'static str,
}

/// Which argument of a sink is dangerous.
#[derive(Debug, Clone, Copy)]
pub(in crate::semantics::taint) enum Argument {
    /// The one at this index, not counting named arguments.
    At(usize),
    /// The one with this name.
    Named(&'static str),
    /// All of them.
    All,
    /// The only one, not counting named ones and a leading map.
    Alone,
    /// The one after a shell and its option for a command line: `"sh", "-c", LINE`, also in a list.
    Line,
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

/// The argument at this index of these calls.
pub(super) const fn at(kind: Kind, callees: &'static str, place: usize) -> Sinks {
    sinks(kind, callees, Argument::At(place))
}

/// The argument at this index of these methods of each of the owners.
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

/// Any argument of these calls.
pub(super) const fn all(kind: Kind, callees: &'static str) -> Sinks {
    sinks(kind, callees, Argument::All)
}

/// The only argument of these calls.
pub(super) const fn alone(kind: Kind, callees: &'static str) -> Sinks {
    sinks(kind, callees, Argument::Alone)
}

/// The command line that these calls pass to a shell.
pub(super) const fn line(callees: &'static str) -> Sinks {
    sinks(Kind::CommandLine, callees, Argument::Line)
}

/// The argument with this name.
pub(super) const fn named(kind: Kind, callees: &'static str, name: &'static str) -> Sinks {
    sinks(kind, callees, Argument::Named(name))
}

/// The argument at this index, if the arguments contain this text, written without white space.
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
