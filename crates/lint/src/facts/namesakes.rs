//! All facts of a diff about one name: definitions and calls.
//!
//! Cross-file rules get one name after another, and each must be linear in its input. So a call is not compared with
//! each function that it may refer to. [`Resolver`] groups functions by how they can be called, and evaluates the
//! predicate once for all equivalent calls.

use std::cell::Cell;
use std::collections::HashMap;

use impact::{CallSite, ReceiverKind, hash};

use crate::facts::{Definition, Facts};

/// All facts of a diff about one name, in languages that can call each other, in diff order.
#[derive(Default)]
pub struct Namesakes<'a> {
    definitions: Vec<(&'a Facts, &'a Definition)>,
    calls: Vec<(&'a Facts, &'a CallSite)>,
    /// The number of functions on which predicates were evaluated.
    evaluated: Cell<u64>,
}

impl<'a> Namesakes<'a> {
    pub(crate) fn define(&mut self, file: &'a Facts, definition: &'a Definition) {
        self.definitions.push((file, definition));
    }

    pub(crate) fn call(&mut self, file: &'a Facts, call: &'a CallSite) {
        self.calls.push((file, call));
    }

    /// The cost since the last call.
    pub(crate) fn steps(&self) -> u64 {
        let all = self.definitions.len() + self.calls.len();
        self.evaluated
            .take()
            .saturating_add(u64::try_from(all).unwrap_or(u64::MAX))
    }

    /// The functions with that name and a visible header.
    #[must_use]
    pub fn definitions(&self) -> &[(&'a Facts, &'a Definition)] {
        &self.definitions
    }

    /// The calls by that name on the new side.
    #[must_use]
    pub fn calls(&self) -> &[(&'a Facts, &'a CallSite)] {
        &self.calls
    }

    /// The functions that were removed or whose header changed.
    pub fn changed(&self) -> impl Iterator<Item = (&'a Facts, &'a Definition)> {
        self.definitions
            .iter()
            .copied()
            .filter(|(_, definition)| is_changed(definition))
    }

    /// A resolver for the changed functions that satisfy a predicate.
    #[must_use]
    pub fn meant(&self, is_wanted: impl Fn(&Definition) -> bool) -> Resolver<'_, 'a> {
        let mut by_way: HashMap<Access, Vec<(&Facts, &Definition)>> = HashMap::new();
        for (home, definition) in self
            .changed()
            .filter(|(_, definition)| is_wanted(definition))
        {
            for way in ways(home, definition) {
                by_way.entry(way).or_default().push((home, definition));
            }
        }
        Resolver {
            by_way,
            answers: HashMap::new(),
            evaluated: &self.evaluated,
        }
    }
}

pub(crate) fn is_changed(definition: &Definition) -> bool {
    definition.before.is_some() && definition.before != definition.after
}

/// How a call can refer to a function, as far as that is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Access {
    /// By the plain name, in any file.
    Bare,
    /// By the plain name, in this file.
    BareIn(usize),
    /// Through the current object, in this file.
    Own(usize),
    /// Through a module of this name.
    Module(u64),
}

/// The ways to call a function. Members only count within their own file, because elsewhere the call may refer to
/// another member with that name.
fn ways(home: &Facts, definition: &Definition) -> Vec<Access> {
    let bare_members = ["Java", "C#", "Kotlin", "C", "Ruby"].contains(&home.family.as_str());
    let here = Access::BareIn(home.file);
    match (definition.is_member, bare_members) {
        (true, true) => vec![Access::Own(home.file), here],
        (true, false) => vec![Access::Own(home.file)],
        (false, _) => [here, Access::Bare]
            .into_iter()
            .chain(modules(&home.path))
            .collect(),
    }
}

/// The module names of a file: its name without the extension, and that of its folder.
fn modules(path: &str) -> impl Iterator<Item = Access> {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or(file);
    let folder = parts.next().filter(|folder| *folder != stem);
    [Some(stem), folder]
        .into_iter()
        .flatten()
        .map(|name| Access::Module(hash(name)))
}

/// The properties of a call on which a predicate may depend.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallShape {
    /// The number of arguments; `None` if unknown.
    pub arguments: Option<u8>,
    /// Some arguments are named.
    pub by_name: bool,
    /// It is on an added line.
    pub added: bool,
    /// It existed before and passed another number of arguments.
    pub adapted: bool,
}

impl From<&CallSite> for CallShape {
    fn from(call: &CallSite) -> Self {
        Self {
            arguments: call.arguments,
            by_name: call.named > 0,
            added: call.added,
            adapted: call.adapted,
        }
    }
}

/// Resolves calls to functions.
pub struct Resolver<'n, 'a> {
    by_way: HashMap<Access, Vec<(&'a Facts, &'a Definition)>>,
    /// Earlier results.
    answers: HashMap<(Access, CallShape), Option<usize>>,
    evaluated: &'n Cell<u64>,
}

impl<'a> Resolver<'_, 'a> {
    /// The first function that a call may refer to and that satisfies `is_it`, preferably in the call's own file. `is_it` is
    /// evaluated once for all equivalent calls.
    pub fn find(
        &mut self,
        file: &Facts,
        call: &CallSite,
        is_it: impl Fn(&'a Facts, &'a Definition, CallShape) -> bool,
    ) -> Option<(&'a Facts, &'a Definition)> {
        let passed = CallShape::from(call);
        let ways = match call.receiver {
            ReceiverKind::Bare => [Some(Access::BareIn(file.file)), Some(Access::Bare)],
            ReceiverKind::Own => [Some(Access::Own(file.file)), None],
            ReceiverKind::Other => [Some(Access::Module(call.through)), None],
        };
        ways.into_iter().flatten().find_map(|way| {
            let there = self.by_way.get(&way)?;
            let evaluated = self.evaluated;
            let first = || {
                there.iter().position(|(home, definition)| {
                    evaluated.set(evaluated.get().saturating_add(1));
                    is_it(home, definition, passed)
                })
            };
            there
                .get((*self.answers.entry((way, passed)).or_insert_with(first))?)
                .copied()
        })
    }
}
