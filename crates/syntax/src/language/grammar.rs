//! The languages with their grammars: node kinds and fields by number.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use ast_grep_core::language::Language as PatternLanguage;
use ast_grep_core::matcher::{Pattern, PatternBuilder, PatternError};
use ast_grep_core::tree_sitter::{LanguageExt, StrDoc};

use super::role::Role;
use super::row::Row;
use super::table::ROWS;

/// A language of the table.
#[derive(Clone, Copy)]
pub struct Grammar {
    index: usize,
}

struct Loaded {
    /// Roles of each node kind, as a bit set.
    roles: Vec<u64>,
    /// Names by number, because the grammar's own lookups compare C strings.
    kinds: Vec<&'static str>,
    /// The numbers of the named kinds, and of the others, by name.
    named: HashMap<&'static str, u16>,
    unnamed: HashMap<&'static str, u16>,
    fields: Vec<&'static str>,
}

static LANGUAGES: [OnceLock<tree_sitter::Language>; ROWS.len()] =
    [const { OnceLock::new() }; ROWS.len()];
static LOADED: [OnceLock<Loaded>; ROWS.len()] = [const { OnceLock::new() }; ROWS.len()];

/// Dialects of SQL. Statements that the grammar cannot read are left out (`parse::repair`).
const DIALECTS_OF_SQL: &[&str] = &["PLpgSQL", "TSQL"];

impl Grammar {
    /// Finds a language by Linguist's name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        let name = if DIALECTS_OF_SQL.contains(&name) {
            "SQL"
        } else {
            name
        };
        ROWS.iter()
            .position(|row| row.name == name)
            .map(|index| Self { index })
    }

    /// All languages, in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..ROWS.len()).map(|index| Self { index })
    }

    /// Linguist's name of the language.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its position in the table of languages.
    pub fn index(self) -> usize {
        self.index
    }

    /// Its row of the table.
    pub fn row(self) -> &'static Row {
        #[expect(
            clippy::indexing_slicing,
            reason = "only `find` and `all` make an index, from this table"
        )]
        &ROWS[self.index]
    }

    fn loaded(self) -> &'static Loaded {
        #[expect(clippy::indexing_slicing, reason = "as long as the table of rows")]
        LOADED[self.index].get_or_init(|| Loaded::new(self.row(), self.language()))
    }

    /// The grammar for tree-sitter, loaded on first use.
    pub fn language(self) -> &'static tree_sitter::Language {
        #[expect(clippy::indexing_slicing, reason = "as long as the table of rows")]
        LANGUAGES[self.index].get_or_init(self.row().language)
    }

    /// The name of a node kind.
    pub(crate) fn kind_name(self, kind: u16) -> &'static str {
        self.loaded()
            .kinds
            .get(usize::from(kind))
            .copied()
            .unwrap_or("ERROR")
    }

    /// The number of a node kind, preferably of a named one.
    pub fn kind(self, name: &str) -> Option<u16> {
        let loaded = self.loaded();
        loaded
            .named
            .get(name)
            .or_else(|| loaded.unnamed.get(name))
            .copied()
    }

    /// The name of a field; empty for 0, which means none.
    pub(crate) fn field_name(self, field: u16) -> &'static str {
        self.loaded()
            .fields
            .get(usize::from(field))
            .copied()
            .unwrap_or_default()
    }

    /// The roles of a node kind, as a bit set.
    pub(crate) fn roles_of(self, kind: u16) -> u64 {
        self.loaded()
            .roles
            .get(usize::from(kind))
            .copied()
            .unwrap_or(0)
    }

    /// The node kinds with a role.
    pub fn kinds_of(self, role: Role) -> impl Iterator<Item = u16> {
        let roles = &self.loaded().roles;
        (0_u16..)
            .zip(roles)
            .filter(move |(_, bits)| *bits & role.bit() != 0)
            .map(|(kind, _)| kind)
    }
}

impl Loaded {
    fn new(row: &Row, language: &'static tree_sitter::Language) -> Self {
        let numbers = |count: usize| 0..u16::try_from(count).unwrap_or(u16::MAX);
        let kinds: Vec<&'static str> = numbers(language.node_kind_count())
            .map(|id| language.node_kind_for_id(id).unwrap_or("ERROR"))
            .collect();
        let fields = numbers(language.field_count() + 1)
            .map(|id| language.field_name_for_id(id).unwrap_or_default());
        let (mut named, mut unnamed) = (HashMap::new(), HashMap::new());
        for (id, kind) in (0_u16..).zip(&kinds) {
            let is_supertype = language.node_kind_is_supertype(id);
            if language.node_kind_is_visible(id) || is_supertype {
                let is_named = is_supertype || language.node_kind_is_named(id);
                let ids = if is_named { &mut named } else { &mut unnamed };
                // If several kinds have the same name, nodes have the number that the grammar chose.
                let chosen = |known: &mut u16| *known = language.id_for_node_kind(kind, is_named);
                ids.entry(*kind).and_modify(chosen).or_insert(id);
            }
        }
        let mut roles = vec![0_u64; language.node_kind_count()];
        for (role, kinds) in row.roles {
            for id in kinds.iter().filter_map(|kind| named.get(kind)) {
                if let Some(bits) = roles.get_mut(usize::from(*id)) {
                    *bits |= role.bit();
                }
            }
        }
        Self {
            roles,
            kinds,
            named,
            unnamed,
            fields: fields.collect(),
        }
    }
}

impl fmt::Debug for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Patterns contain `$NAME`. Most grammars do not accept `$` in identifiers, so it is replaced by a letter.
impl PatternLanguage for Grammar {
    fn pre_process_pattern<'q>(&self, query: &'q str) -> Cow<'q, str> {
        let expando = self.row().expando;
        if expando == '$' {
            return Cow::Borrowed(query);
        }
        let mut text = String::with_capacity(query.len());
        let mut dollars = 0;
        for c in query.chars().chain(Some('\0')) {
            if c == '$' {
                dollars += 1;
                continue;
            }
            let is_variable = c.is_ascii_uppercase() || c == '_' || dollars == 3;
            let sign = if is_variable { expando } else { '$' };
            text.extend(std::iter::repeat_n(sign, dollars));
            dollars = 0;
            text.push(c);
        }
        text.pop();
        Cow::Owned(text)
    }

    fn expando_char(&self) -> char {
        self.row().expando
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        // ast-grep knows the kind ERROR, and reports kinds that do not exist.
        self.loaded()
            .named
            .get(kind)
            .copied()
            .unwrap_or_else(|| self.language().id_for_node_kind(kind, true))
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.language()
            .field_id_for_name(field)
            .map(std::num::NonZero::get)
    }

    fn build_pattern(&self, builder: &PatternBuilder<'_>) -> Result<Pattern, PatternError> {
        builder.build(|source| StrDoc::try_new(source, *self))
    }
}

impl LanguageExt for Grammar {
    fn get_ts_language(&self) -> tree_sitter::Language {
        self.language().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::Grammar;
    use crate::language::{ROWS, Role};

    #[test]
    fn every_kind_in_the_table_exists_in_its_grammar() {
        let mut wrong = Vec::new();
        for row in ROWS {
            let language = (row.language)();
            for (role, kinds) in row.roles {
                for kind in *kinds {
                    if language.id_for_node_kind(kind, true) == 0 {
                        wrong.push(format!("{} {role:?}: {kind}", row.name));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn kinds_have_the_numbers_of_their_grammars() {
        for grammar in Grammar::all() {
            // ast-grep accepts every prefix of ERROR as the name of an error.
            for kind in grammar
                .loaded()
                .kinds
                .iter()
                .filter(|kind| **kind != "end" && !"ERROR".starts_with(**kind))
            {
                let [named, unnamed] =
                    [true, false].map(|named| grammar.language().id_for_node_kind(kind, named));
                let known = Some(if named == 0 { unnamed } else { named }).filter(|id| *id != 0);
                assert_eq!(grammar.kind(kind), known, "{grammar:?} {kind}");
            }
        }
    }

    /// Whether a text is one comment.
    fn is_comment(grammar: Grammar, text: &str) -> bool {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(grammar.language()).unwrap();
        let tree = parser.parse(text, None).unwrap();
        let length = text.trim_end().len();
        let mut node = tree.root_node().descendant_for_byte_range(0, length);
        while let Some(inner) =
            node.filter(|node| grammar.roles_of(node.kind_id()) & Role::Comment.bit() == 0)
        {
            node = if inner.child_count() == 1 {
                inner.child(0)
            } else {
                None
            };
        }
        node.is_some_and(|node| node.start_byte() == 0 && node.end_byte() >= length)
    }

    #[test]
    fn the_lexical_table_and_the_grammars_agree_on_comments() {
        for grammar in Grammar::all() {
            let lexical = grammar.row().lexical();
            assert!(lexical.names().contains(&grammar.name()), "{grammar:?}");
            for line in lexical.line_comments {
                assert!(
                    is_comment(grammar, &format!("{} x\n", line.mark)),
                    "{grammar:?} {line:?}"
                );
            }
            for block in lexical.block_comments {
                let (open, close) = (block.open, block.close);
                assert!(
                    is_comment(grammar, &format!("{open} x\n{close}\n")),
                    "{grammar:?} {block:?}"
                );
                let nested = is_comment(grammar, &format!("{open} {open} x {close}\n{close}\n"));
                assert!(
                    block.is_whole_line || nested == block.nests,
                    "{grammar:?} {block:?}"
                );
            }
        }
        let php = Grammar::find("PHP").unwrap();
        assert!(is_comment(php, "#x\n") && !is_comment(php, "#[X]\n"));
    }

    #[test]
    fn every_name_is_known_to_linguist() {
        for grammar in Grammar::all() {
            assert_eq!(
                review::Language::find(grammar.name()).map(review::Language::name),
                Some(grammar.name())
            );
        }
    }
}
