//! The second pass: each use is resolved from its scope outwards.

use std::collections::{HashMap, HashSet};

use super::collect::{Collected, Mention};
use super::model::{Answer, DefKind, FILE, Scope, Symbol, Symbols, Use};
use super::outer::Outer;
use super::table::Table;

/// A scope and a name.
type Key = (u32, u32);

struct Resolver<'c> {
    scopes: &'c [Scope],
    by_name: HashMap<Key, u32>,
    globals: HashSet<Key>,
    locals: &'c HashSet<u32>,
    /// For each symbol, the first node that sees it.
    visible_from: Vec<u32>,
    /// The results so far, if they are the same in all of a scope.
    known: HashMap<Key, Answer>,
    is_ordered: bool,
}

pub(super) fn resolve(found: Collected<'_>, table: &Table) -> Symbols {
    let mut resolver = Resolver {
        scopes: &found.scopes,
        by_name: HashMap::new(),
        globals: found.globals.iter().copied().collect(),
        locals: &found.locals,
        visible_from: Vec::new(),
        known: HashMap::new(),
        is_ordered: table.row.visible_from.is_some(),
    };
    let nonlocals: HashSet<Key> = found.nonlocals.iter().copied().collect();
    let mut made = Symbols::default();
    let is_elsewhere = |mention: &Mention| nonlocals.contains(&(mention.scope, mention.name));
    for (mention, kind) in found
        .definitions
        .iter()
        .filter(|(mention, _)| !is_elsewhere(mention))
    {
        resolver.define(&mut made, mention, *kind);
    }
    let outer = Outer::new(
        &found.scopes, table.row.hides_class_names, &resolver.by_name, &resolver.visible_from,
    );
    for (mention, _) in found
        .definitions
        .iter()
        .filter(|(mention, _)| is_elsewhere(mention))
    {
        if let Answer::Found(symbol) =
            resolver.look(&outer, mention, resolver.parent(mention.scope))
        {
            made.symbols
                .get_mut(symbol as usize)
                .into_iter()
                .for_each(|known| known.definitions.push(mention.node));
        }
    }
    let mut unknown: HashMap<u32, Vec<u32>> = HashMap::new();
    for mention in &found.uses {
        let answer = if mention.is_early {
            early_answer(&outer, mention.scope)
        } else {
            resolver.answer(&outer, mention)
        };
        let is_variable = |symbol: u32| {
            let kind = made.symbols.get(symbol as usize).map(|symbol| symbol.kind);
            matches!(kind, Some(DefKind::Variable | DefKind::Parameter))
        };
        let answer = match answer {
            Answer::Found(symbol) if mention.is_type && is_variable(symbol) => Answer::Unknown,
            other => other,
        };
        match answer {
            Answer::Found(symbol) => {
                made.symbols
                    .get_mut(symbol as usize)
                    .into_iter()
                    .for_each(|symbol| symbol.uses.push(mention.node));
            }
            Answer::Unknown => {
                unknown.entry(mention.name).or_default().push(mention.scope);
            }
            Answer::Absent => {}
        }
        made.uses.push(Use {
            node: mention.node,
            scope: mention.scope,
            answer,
        });
    }
    unknown
        .values_mut()
        .for_each(|scopes| scopes.sort_unstable());
    for ((scope, name), symbol) in &resolver.by_name {
        let is_cut = found
            .scopes
            .get(*scope as usize)
            .is_none_or(|scope| scope.is_cut);
        if let Some(symbol) = made.symbols.get_mut(*symbol as usize) {
            let scopes = unknown.get(name).map_or(&[][..], Vec::as_slice);
            symbol.may_have_more_uses = is_cut || outer.is_around_any(*scope, scopes);
            symbol.definitions.sort_unstable();
        }
    }
    made.steps = outer.steps();
    made.scopes = found.scopes;
    made
}

/// The meaning of a name before the first definition of the variable that it refers to afterwards.
fn early_answer(outer: &Outer, scope: u32) -> Answer {
    if outer.may_hide_local(scope) {
        Answer::Unknown
    } else {
        Answer::Absent
    }
}

impl Resolver<'_> {
    fn parent(&self, scope: u32) -> u32 {
        self.scopes
            .get(scope as usize)
            .map_or(FILE, |scope| scope.parent)
    }

    fn define(&mut self, made: &mut Symbols, mention: &Mention, kind: DefKind) {
        let is_global = self.globals.contains(&(mention.scope, mention.name));
        let key = (if is_global { FILE } else { mention.scope }, mention.name);
        let next = u32::try_from(made.symbols.len()).unwrap_or(u32::MAX);
        let symbol = *self.by_name.entry(key).or_insert(next);
        if symbol == next {
            made.symbols.push(Symbol {
                kind,
                scope: key.0,
                definitions: Vec::new(),
                uses: Vec::new(),
                may_have_more_uses: false,
            });
            self.visible_from.push(mention.visible_from);
        }
        if let Some(known) = made.symbols.get_mut(symbol as usize) {
            known.definitions.push(mention.node);
        }
    }

    fn answer(&mut self, outer: &Outer, mention: &Mention) -> Answer {
        let key = (mention.scope, mention.name);
        if mention.is_unclear {
            return Answer::Unknown;
        }
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let scope = if self.globals.contains(&key) {
            FILE
        } else {
            mention.scope
        };
        let answer = self.look(outer, mention, scope);
        if !self.is_ordered {
            self.known.insert(key, answer);
        }
        answer
    }

    /// The meaning of a name in a scope. The result from an outer scope is unknown if a scope in between may hide it.
    fn look(&self, outer: &Outer, mention: &Mention, from: u32) -> Answer {
        let Some(scope) = self.scopes.get(from as usize) else {
            return Answer::Unknown;
        };
        let name = mention.name;
        let is_visible = |symbol: &&u32| {
            self.visible_from
                .get(**symbol as usize)
                .is_some_and(|from| *from <= mention.node)
        };
        let own = self.by_name.get(&(from, name));
        let is_local = self.locals.contains(&name);
        match own.filter(is_visible) {
            Some(symbol) => Answer::Found(*symbol),
            None if scope.is_open => Answer::Unknown,
            None if from == FILE || is_local && scope.wall == from => Answer::Absent,
            None if is_local => outer.answer_for_local(name, scope.parent, mention.node),
            None => outer.answer(name, scope.parent, mention.node),
        }
    }
}
