//! All that a diff tells of one name: who defines it, who calls it, what it is set to.
//!
//! Rules that look at the whole diff get one name after the other, and each must be linear in what it gets. So a call is
//! not held against each of the functions that it can mean: [`Meant`] knows them by what a call goes through, and asks
//! once for all calls that pass the same.

use std::cell::Cell;
use std::collections::HashMap;

use crate::facts::{CallSite, Constant, Definition, Facts, ReceiverKind, hash};

/// All that a diff tells of one name, in languages that can call each other, in the order of the diff.
#[derive(Default)]
pub struct Namesakes<'a> {
    definitions: Vec<(&'a Facts, &'a Definition)>,
    calls: Vec<(&'a Facts, &'a CallSite)>,
    constants: Vec<(&'a Facts, &'a Constant)>,
    /// How many functions rules were asked about.
    asked: Cell<u64>,
}

impl<'a> Namesakes<'a> {
    pub(crate) fn define(&mut self, file: &'a Facts, definition: &'a Definition) {
        self.definitions.push((file, definition));
    }

    pub(crate) fn call(&mut self, file: &'a Facts, call: &'a CallSite) {
        self.calls.push((file, call));
    }

    pub(crate) fn set(&mut self, file: &'a Facts, constant: &'a Constant) {
        self.constants.push((file, constant));
    }

    /// What looking at all of it took since the last time.
    pub(crate) fn steps(&self) -> u64 {
        let all = self.definitions.len() + self.calls.len() + self.constants.len();
        self.asked.take().saturating_add(u64::try_from(all).unwrap_or(u64::MAX))
    }

    /// The functions of that name whose head is in sight.
    #[must_use]
    pub fn definitions(&self) -> &[(&'a Facts, &'a Definition)] {
        &self.definitions
    }

    /// The calls by that name on the new side.
    #[must_use]
    pub fn calls(&self) -> &[(&'a Facts, &'a CallSite)] {
        &self.calls
    }

    /// What that name is set to.
    #[must_use]
    pub fn constants(&self) -> &[(&'a Facts, &'a Constant)] {
        &self.constants
    }

    /// The functions whose head changed or that are gone.
    pub fn changed(&self) -> impl Iterator<Item = (&'a Facts, &'a Definition)> {
        self.definitions.iter().copied().filter(|(_, definition)| is_changed(definition))
    }

    /// Those of the changed functions that are wanted, to be found by the calls that mean them.
    #[must_use]
    pub fn meant(&self, is_wanted: impl Fn(&Definition) -> bool) -> Meant<'_, 'a> {
        let mut by_way: HashMap<Way, Vec<(&Facts, &Definition)>> = HashMap::new();
        for (home, definition) in self.changed().filter(|(_, definition)| is_wanted(definition)) {
            for way in ways(home, definition) {
                by_way.entry(way).or_default().push((home, definition));
            }
        }
        Meant { by_way, answers: HashMap::new(), asked: &self.asked }
    }
}

pub(crate) fn is_changed(definition: &Definition) -> bool {
    definition.before.is_some() && definition.before != definition.after
}

/// How a call comes to a function, as far as can be told.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// By the plain name, from anywhere.
    Bare,
    /// By the plain name, in this file.
    BareIn(usize),
    /// Through the object itself, in this file.
    Own(usize),
    /// Through a module of this name.
    Module(u64),
}

/// The ways to a function: a member is reached in its own file only, for elsewhere another of its name may be meant.
fn ways(home: &Facts, definition: &Definition) -> Vec<Way> {
    let bare_members = ["Java", "C#", "Kotlin", "C", "Ruby"].contains(&home.family.as_str());
    let here = Way::BareIn(home.file);
    match (definition.is_member, bare_members) {
        (true, true) => vec![Way::Own(home.file), here],
        (true, false) => vec![Way::Own(home.file)],
        (false, _) => [here, Way::Bare].into_iter().chain(modules(&home.path)).collect(),
    }
}

/// What a file is imported as: its name without the ending, and the name of its folder.
fn modules(path: &str) -> impl Iterator<Item = Way> {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or(file);
    let folder = parts.next().filter(|folder| *folder != stem);
    [Some(stem), folder].into_iter().flatten().map(|name| Way::Module(hash(name)))
}

/// What of a call a rule may ask about.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Passed {
    /// How many arguments; `None` if that cannot be counted.
    pub arguments: Option<u8>,
    /// Some of them are passed by name.
    pub by_name: bool,
    /// It stands on an added line.
    pub added: bool,
    /// It was there before and passed another number of arguments.
    pub adapted: bool,
}

impl From<&CallSite> for Passed {
    fn from(call: &CallSite) -> Self {
        Self { arguments: call.arguments, by_name: call.named > 0, added: call.added, adapted: call.adapted }
    }
}

/// Functions, by the calls that mean them.
pub struct Meant<'n, 'a> {
    by_way: HashMap<Way, Vec<(&'a Facts, &'a Definition)>>,
    /// What was asked before, and which it was.
    answers: HashMap<(Way, Passed), Option<usize>>,
    asked: &'n Cell<u64>,
}

impl<'a> Meant<'_, 'a> {
    /// The first function that a call can mean and that `is_it`; one of the call's own file goes before. `is_it` is asked
    /// once for all calls that come the same way and pass the same.
    pub fn find(
        &mut self,
        file: &Facts,
        call: &CallSite,
        is_it: impl Fn(&'a Facts, &'a Definition, Passed) -> bool,
    ) -> Option<(&'a Facts, &'a Definition)> {
        let passed = Passed::from(call);
        let ways = match call.receiver {
            ReceiverKind::Bare => [Some(Way::BareIn(file.file)), Some(Way::Bare)],
            ReceiverKind::Own => [Some(Way::Own(file.file)), None],
            ReceiverKind::Other => [Some(Way::Module(call.through)), None],
        };
        ways.into_iter().flatten().find_map(|way| {
            let there = self.by_way.get(&way)?;
            let asked = self.asked;
            let first = || {
                there.iter().position(|(home, definition)| {
                    asked.set(asked.get().saturating_add(1));
                    is_it(home, definition, passed)
                })
            };
            there.get((*self.answers.entry((way, passed)).or_insert_with(first))?).copied()
        })
    }
}
