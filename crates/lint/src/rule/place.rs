//! The place of a finding.

use review::{Line, LineKind, Side, Span};
use syntax::tree::Node;

/// The place of a finding.
pub struct Place {
    pub(crate) side: Side,
    pub(crate) line: Option<u32>,
    /// Whether its line is added or removed.
    pub changed: bool,
    /// It is in or next to a part of the text that the parser could not parse.
    pub(crate) recovered: bool,
    pub(crate) scope: Option<String>,
    /// The span, with columns in bytes.
    pub(crate) span: Option<Span>,
}

impl From<Node<'_>> for Place {
    fn from(node: Node<'_>) -> Self {
        let line = node.report_line();
        Self {
            side: node.tree().side(),
            line: line.map(|line| line.number),
            changed: line.is_some_and(|line| line.changed),
            recovered: node.is_recovered(),
            scope: node.scope(),
            span: node.span(),
        }
    }
}

impl From<&Line<'_>> for Place {
    fn from(line: &Line<'_>) -> Self {
        let changed = line.kind != LineKind::Context;
        Self {
            side: line.side(),
            line: line.number(),
            changed,
            recovered: false,
            scope: None,
            span: None,
        }
    }
}
