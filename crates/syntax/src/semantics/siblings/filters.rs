//! Filters of Rails' controllers: methods that run before or after the actions that a list names.

use crate::language::Role;
use crate::tree::Node;

/// Maximum number of statements of a class that are looked at.
const MAX_STATEMENTS: usize = 60;

/// The filters of an action that name it: `require_admin` for `before_action :require_admin, only: [:ban]`.
pub(super) fn of<'t>(action: Node<'t>) -> Vec<&'t str> {
    let Some(name) = action.function().map(|function| function.name.text()) else {
        return Vec::new();
    };
    let class = action.enclosing(Role::Class);
    let Some(body) = class.and_then(|class| class.field("body")) else {
        return Vec::new();
    };
    let statements = body.named_children().take(MAX_STATEMENTS);
    statements
        .filter_map(|statement| filter(statement, name))
        .collect()
}

fn filter<'t>(statement: Node<'t>, action: &str) -> Option<&'t str> {
    let call = statement.call()?;
    let is_filter = call.name.ends_with("_action") && call.receiver.is_none();
    let (filter, rest) = call.arguments.split_first().filter(|_| is_filter)?;
    let only = rest.iter().find(|pair| {
        pair.field("key")
            .is_some_and(|key| key.text().trim_matches(':') == "only")
    })?;
    let names = only.field("value")?;
    let mut symbols = std::iter::once(names).chain(names.descendants());
    let is_named = symbols.any(|node| node.text().trim_start_matches(':') == action);
    is_named.then(|| filter.text().trim_start_matches(':'))
}
