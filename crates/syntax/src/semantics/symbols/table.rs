//! The rows as tables by the numbers of a grammar.

use std::sync::{LazyLock, OnceLock};

use super::model::ScopeKind;
use super::row::{Place, Row};
use super::{csharp, go, java, kotlin, php, python, ruby, script};
use crate::language::Grammar;
use crate::tree::Node;

const ROWS: &[&Row] = &[
    &python::ROW,
    &script::ROW,
    &java::ROW,
    &php::ROW,
    &ruby::ROW,
    &go::ROW,
    &csharp::ROW,
    &kotlin::ROW,
];

/// A node kind, with the numbers of the grammar.
#[derive(Default, Clone)]
pub(super) struct Kind {
    pub(super) scope: Option<ScopeKind>,
    pub(super) is_identifier: bool,
    pub(super) is_pattern: bool,
    pub(super) is_special: bool,
    pub(super) is_wildcard: bool,
    pub(super) is_dynamic: bool,
    pub(super) fields: Vec<(&'static str, Place)>,
}

/// A row for one grammar.
pub(super) struct Table {
    pub(super) row: &'static Row,
    kinds: Vec<Kind>,
    other: Kind,
}

static TABLES: LazyLock<Vec<OnceLock<Option<Table>>>> =
    LazyLock::new(|| Grammar::all().map(|_| OnceLock::new()).collect());

impl Table {
    /// The table of a language, if it has a row.
    pub(super) fn of(grammar: Grammar) -> Option<&'static Self> {
        let row = || {
            ROWS.iter()
                .find(|row| row.languages.contains(&grammar.name()))
        };
        TABLES
            .get(grammar.index())?
            .get_or_init(|| row().map(|row| Self::new(row, grammar)))
            .as_ref()
    }

    fn new(row: &'static Row, grammar: Grammar) -> Self {
        let mut table = Self {
            row,
            kinds: Vec::new(),
            other: Kind::default(),
        };
        let mut set = |names: &[&str], set: &dyn Fn(&mut Kind)| {
            for kind in names
                .iter()
                .filter_map(|name| grammar.kind(name))
                .map(usize::from)
            {
                if table.kinds.len() <= kind {
                    table.kinds.resize(kind + 1, Kind::default());
                }
                table.kinds.get_mut(kind).into_iter().for_each(set);
            }
        };
        set(row.identifiers, &|kind| kind.is_identifier = true);
        set(row.patterns, &|kind| kind.is_pattern = true);
        set(row.special, &|kind| kind.is_special = true);
        set(row.wildcards, &|kind| kind.is_wildcard = true);
        set(row.dynamic, &|kind| kind.is_dynamic = true);
        for (name, scope) in row.scopes {
            set(&[name], &|kind| kind.scope = Some(*scope));
        }
        for (name, field, place) in row.fields {
            set(&[name], &|kind| kind.fields.push((field, *place)));
        }
        table
    }

    /// Whether a node of a dynamic kind may use or define any name.
    pub(super) fn is_dynamic(&self, node: Node<'_>) -> bool {
        let locals = self.row.locals.as_ref();
        locals.is_none_or(|row| (row.is_dynamic)(node))
    }

    /// Whether it is a function that reads or defines names given as strings.
    pub(super) fn is_dynamic_name(&self, name: &str) -> bool {
        let mut known = self.row.dynamic_names.iter();
        match self.row.locals {
            None => known.any(|known| *known == name),
            // Names of PHP functions are case-insensitive.
            Some(_) => known.any(|known| known.eq_ignore_ascii_case(name)),
        }
    }

    pub(super) fn kind(&self, node: Node<'_>) -> &Kind {
        self.kinds
            .get(usize::from(node.kind_id()))
            .unwrap_or(&self.other)
    }
}

impl Kind {
    /// Whether a node is a name, which may consist of several tokens.
    pub(super) fn is_name(&self, node: Node<'_>) -> bool {
        self.is_identifier && (node.is_leaf() || self.place("") == Place::Skip)
    }

    /// The meaning of a child in a field.
    pub(super) fn place(&self, field: &str) -> Place {
        let listed = self
            .fields
            .iter()
            .find(|(name, _)| *name == field)
            .map(|(_, place)| *place);
        listed.unwrap_or(if self.is_pattern {
            Place::Inherit
        } else {
            Place::Use
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Grammar, ROWS};

    #[test]
    fn every_kind_and_field_exists_in_a_grammar_of_its_row() {
        let mut wrong = Vec::new();
        for row in ROWS {
            let grammars: Vec<Grammar> = row
                .languages
                .iter()
                .filter_map(|name| Grammar::find(name))
                .collect();
            assert_eq!(grammars.len(), row.languages.len());
            let kinds = [
                row.identifiers, row.patterns, row.wildcards, row.dynamic, row.special,
            ]
            .into_iter()
            .flatten();
            let kinds = kinds.chain(row.scopes.iter().map(|(kind, _)| kind));
            for kind in kinds.chain(row.fields.iter().map(|(kind, ..)| kind)) {
                let exists =
                    |grammar: &Grammar| grammar.language().id_for_node_kind(kind, true) != 0;
                if !grammars.iter().any(exists) {
                    wrong.push(*kind);
                }
            }
            for (_, field, _) in row.fields.iter().filter(|(_, field, _)| !field.is_empty()) {
                if !grammars
                    .iter()
                    .any(|grammar| grammar.language().field_id_for_name(field).is_some())
                {
                    wrong.push(*field);
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
