//! Statements.

use super::node::Node;
use crate::language::Role;

impl Node<'_> {
    /// Whether it is directly in a block, a case or at the top level, as a statement or a definition.
    #[must_use]
    pub fn is_statement(self) -> bool {
        const LISTS: &[&str] = &[
            "program", "source_file", "module", "translation_unit", "compilation_unit",
            "statement_list", "statements", "switch_block_statement_group", "switch_section",
            "case_statement", "switch_case", "switch_default", "expression_case", "default_case",
            "communication_case", "default_statement", "body_statement", "do_group",
        ];
        self.is_named()
            && !self.has_role(Role::Comment)
            && self
                .parent()
                .is_some_and(|parent| parent.has_role(Role::Block) || parent.is(LISTS))
    }
}
