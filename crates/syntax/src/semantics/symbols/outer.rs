//! The meaning of a name in the scopes outside the one that uses it. A lookup costs a few steps, however deep the
//! scopes are nested.

use std::cell::Cell;
use std::collections::HashMap;

use super::model::{Answer, FILE, Scope, ScopeKind};

/// The scopes around others.
pub(super) struct Outer {
    /// For each scope, the index after the last scope in it.
    ends: Vec<u32>,
    /// For each scope, the innermost one from it outwards that may define names that are not shown.
    obstacles: Vec<Option<Obstacle>>,
    /// For each scope, the innermost one from it outwards that does not see the local variables around it.
    walls: Vec<u32>,
    /// For each name, the scopes that define it visibly for inner scopes, in document order.
    definitions: HashMap<u32, Vec<Definition>>,
    steps: Cell<u64>,
}

#[derive(Clone, Copy)]
struct Obstacle {
    scope: u32,
    /// It may be the body of a class, whose names are not visible further in.
    may_be_class: bool,
}

struct Definition {
    scope: u32,
    symbol: u32,
    /// The first node that sees it.
    visible_from: u32,
    /// The index of the definition in the next scope around.
    outer: Option<usize>,
    /// The index of the innermost definition further out that its scope sees.
    beyond: Option<usize>,
}

impl Outer {
    pub(super) fn new(
        scopes: &[Scope],
        hides_class_names: bool,
        by_name: &HashMap<(u32, u32), u32>,
        visible_from: &[u32],
    ) -> Self {
        let is_class = |at: u32| {
            hides_class_names
                && scopes
                    .get(at as usize)
                    .is_some_and(|scope| scope.kind == ScopeKind::Class)
        };
        let ends = ends(scopes);
        let mut definitions: HashMap<u32, Vec<Definition>> = HashMap::new();
        for ((scope, name), symbol) in by_name.iter().filter(|((scope, _), _)| !is_class(*scope)) {
            let definition = Definition {
                scope: *scope,
                symbol: *symbol,
                visible_from: visible_from
                    .get(*symbol as usize)
                    .copied()
                    .unwrap_or_default(),
                outer: None,
                beyond: None,
            };
            definitions.entry(*name).or_default().push(definition);
        }
        definitions
            .values_mut()
            .for_each(|of_name| nest(of_name, scopes, &ends));
        let mut obstacles: Vec<Option<Obstacle>> = Vec::with_capacity(scopes.len());
        for (at, scope) in (0u32..).zip(scopes) {
            let may_be_class = hides_class_names
                && (scope.kind == ScopeKind::Hidden || scope.is_cut && at == FILE);
            let is_obstacle = may_be_class || scope.is_open && !is_class(at);
            let further_out = obstacles.get(scope.parent as usize).copied().flatten();
            obstacles.push(if is_obstacle {
                Some(Obstacle {
                    scope: at,
                    may_be_class,
                })
            } else {
                further_out
            });
        }
        Self {
            ends,
            obstacles,
            walls: scopes.iter().map(|scope| scope.wall).collect(),
            definitions,
            steps: Cell::new(0),
        }
    }

    /// The meaning of a name at a node in the scopes from this one outwards.
    pub(super) fn answer(&self, name: u32, from: u32, at: u32) -> Answer {
        let obstacle = self.obstacles.get(from as usize).copied().flatten();
        match (self.innermost(name, from, at), obstacle) {
            (Some(found), Some(obstacle)) if obstacle.scope > found.scope => Answer::Unknown,
            (Some(found), Some(obstacle))
                if obstacle.scope == found.scope && obstacle.may_be_class =>
            {
                Answer::Unknown
            }
            (Some(found), _) => Answer::Found(found.symbol),
            (None, Some(_)) => Answer::Unknown,
            (None, None) => Answer::Absent,
        }
    }

    /// The same for the name of a local variable, which is not visible in the functions within its function.
    pub(super) fn answer_for_local(&self, name: u32, from: u32, at: u32) -> Answer {
        let wall = self.walls.get(from as usize).copied().unwrap_or(FILE);
        match (self.answer(name, from, at), self.innermost(name, from, at)) {
            (Answer::Found(symbol), Some(found)) if found.scope >= wall => Answer::Found(symbol),
            (Answer::Unknown, _) if self.may_hide_local(from) => Answer::Unknown,
            _ => Answer::Absent,
        }
    }

    /// Whether code that is not shown may define a local variable that is visible in a scope.
    pub(super) fn may_hide_local(&self, from: u32) -> bool {
        let wall = self.walls.get(from as usize).copied().unwrap_or(FILE);
        let obstacle = self.obstacles.get(from as usize).copied().flatten();
        obstacle.is_some_and(|obstacle| obstacle.scope >= wall)
    }

    /// The definition of a name that a node sees in the innermost scope from this one outwards.
    fn innermost(&self, name: u32, from: u32, node: u32) -> Option<&Definition> {
        self.count();
        let known = self.definitions.get(&name)?;
        let mut at = known
            .partition_point(|definition| definition.scope <= from)
            .checked_sub(1)?;
        loop {
            self.count();
            let definition = known.get(at)?;
            if self
                .ends
                .get(definition.scope as usize)
                .is_some_and(|end| *end > from)
            {
                return if definition.visible_from <= node {
                    Some(definition)
                } else {
                    definition.beyond.and_then(|beyond| known.get(beyond))
                };
            }
            at = definition.outer?;
        }
    }

    /// Whether one of some scopes, which are sorted, is a scope or within it.
    pub(super) fn is_around_any(&self, scope: u32, others: &[u32]) -> bool {
        let end = self.ends.get(scope as usize).copied().unwrap_or_default();
        let first = others.partition_point(|other| *other < scope);
        others.get(first).is_some_and(|other| *other < end)
    }

    fn count(&self) {
        self.steps.set(self.steps.get() + 1);
    }

    /// The steps of all answers.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }
}

/// For each scope, the index after the last scope in it. Scopes are in document order, each after the one around it.
fn ends(scopes: &[Scope]) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..).take(scopes.len()).collect();
    for (at, scope) in scopes.iter().enumerate().rev() {
        let end = ends.get(at).copied().unwrap_or_default();
        if let Some(around) = ends.get_mut(scope.parent as usize) {
            *around = (*around).max(end);
        }
    }
    ends
}

/// Sorts the definitions of a name, and connects each with those in the scopes around.
fn nest(definitions: &mut [Definition], scopes: &[Scope], ends: &[u32]) {
    definitions.sort_unstable_by_key(|definition| definition.scope);
    let end = |scope: u32| ends.get(scope as usize).copied().unwrap_or_default();
    let mut around: Vec<(usize, u32)> = Vec::new();
    for at in 0..definitions.len() {
        let Some(scope) = definitions.get(at).map(|definition| definition.scope) else {
            return;
        };
        while around.last().is_some_and(|(_, end)| *end <= scope) {
            around.pop();
        }
        let outer = around.last().map(|(outer, _)| *outer);
        let start = scopes.get(scope as usize).map_or(0, |scope| scope.node);
        let next = outer.and_then(|outer| definitions.get(outer));
        // A definition further out that this scope does not see either becomes visible after it, or is not visible at
        // its node.
        let beyond = match next {
            Some(next) if next.visible_from > start => next.beyond,
            _ => outer,
        };
        if let Some(definition) = definitions.get_mut(at) {
            (definition.outer, definition.beyond) = (outer, beyond);
        }
        around.push((at, end(scope)));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Answer, FILE, Outer, Scope, ScopeKind};

    /// Scopes with these parents.
    fn scopes(parents: impl Iterator<Item = u32>) -> Vec<Scope> {
        let scope = |(node, parent)| Scope {
            kind: ScopeKind::Block,
            parent,
            wall: FILE,
            node,
            is_open: false,
            is_cut: false,
        };
        (0..).zip(parents).map(scope).collect()
    }

    #[test]
    fn a_lookup_through_ten_thousand_scopes_costs_as_much_as_through_one() {
        const DEPTH: u32 = 10_000;
        let mut nested = scopes((0..DEPTH).map(|at| at.saturating_sub(1)));
        // Name 0 is defined outermost, name 1 everywhere, and each other one in the scope of its number.
        let everywhere = (0..DEPTH).flat_map(|at| [((at, 1), at), ((at, at + 2), DEPTH + at)]);
        let by_name: HashMap<(u32, u32), u32> = everywhere.chain([((0, 0), 7)]).collect();
        let outer = Outer::new(&nested, false, &by_name, &[]);
        for from in 0..DEPTH {
            assert_eq!(outer.answer(0, from, 0), Answer::Found(7));
            assert_eq!(outer.answer(1, from, 0), Answer::Found(from));
            assert_eq!(outer.answer(2, from, 0), Answer::Found(DEPTH));
            assert_eq!(
                outer.answer(from + 3, from, 0),
                Answer::Absent,
                "it is defined further in"
            );
        }
        assert!(
            outer.steps() <= u64::from(DEPTH) * 4 * 2,
            "{}",
            outer.steps()
        );
        nested[5_000].is_open = true;
        let outer = Outer::new(&nested, false, &by_name, &[]);
        assert_eq!(
            [outer.answer(0, 4_999, 0), outer.answer(0, DEPTH - 1, 0)],
            [Answer::Found(7), Answer::Unknown]
        );
        assert_eq!(
            outer.answer(1, 6_000, 0),
            Answer::Found(6_000),
            "nearer than the open one"
        );
    }

    #[test]
    fn a_scope_does_not_define_names_for_its_siblings() {
        // 0 { 1 { 2 } } { 3 }
        let siblings = scopes([0, 0, 1, 0].into_iter());
        let by_name = HashMap::from([((0, 9), 100), ((1, 9), 101), ((2, 9), 102), ((1, 8), 103)]);
        let outer = Outer::new(&siblings, false, &by_name, &[]);
        assert_eq!(
            [0, 1, 2, 3].map(|from| outer.answer(9, from, 0)),
            [100, 101, 102, 100].map(Answer::Found)
        );
        assert_eq!(
            [2, 3].map(|from| outer.answer(8, from, 0)),
            [Answer::Found(103), Answer::Absent]
        );
    }

    #[test]
    fn a_definition_after_a_use_is_skipped_for_an_outer_one() {
        // 0 { 1 { 2 { 3 } } { 4 } }, each with its node; all of 0 to 3 define name 7.
        let nested = scopes([0, 0, 1, 2, 1].into_iter());
        let by_name: HashMap<(u32, u32), u32> = (0..4).map(|at| ((at, 7), at)).collect();
        let visible_from = [0, 1, 50, 60];
        let outer = Outer::new(&nested, false, &by_name, &visible_from);
        let answers = [
            (3, 70),
            (3, 60),
            (3, 59),
            (3, 10),
            (2, 49),
            (2, 50),
            (4, 80),
        ];
        let found = answers.map(|(from, node)| outer.answer(7, from, node));
        assert_eq!(found, [3, 3, 1, 1, 1, 2, 1].map(Answer::Found));
    }

    #[test]
    fn ten_thousand_definitions_after_their_uses_are_skipped_in_one_step() {
        const DEPTH: u32 = 10_000;
        let nested = scopes((0..DEPTH).map(|at| at.saturating_sub(1)));
        let by_name: HashMap<(u32, u32), u32> = (0..DEPTH).map(|at| ((at, 1), at)).collect();
        let visible_from: Vec<u32> = (0..DEPTH)
            .map(|at| if at == 0 { 0 } else { 2 * DEPTH })
            .collect();
        let outer = Outer::new(&nested, false, &by_name, &visible_from);
        assert!((0..DEPTH).all(|from| outer.answer(1, from, DEPTH) == Answer::Found(0)));
        assert!(outer.steps() <= u64::from(DEPTH) * 2, "{}", outer.steps());
    }
}
