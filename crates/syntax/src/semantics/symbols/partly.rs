//! Uses of local variables that only some of the paths before them set.

use super::model::{DefKind, ScopeKind, Symbol, Symbols};
use crate::language::Role;
use crate::semantics::flow::can_complete;
use crate::semantics::vocabulary::words_of;
use crate::tree::{Node, Tree};

/// A use of a variable, and the statement that sets it on some paths only.
pub struct PartlySet<'t> {
    /// The use.
    pub used: Node<'t>,
    /// The place that sets the variable.
    pub set: Node<'t>,
    /// The path on which it has no value.
    pub path: Path,
}

/// A path on which a variable has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// The condition of the `if` is false.
    NotEntered,
    /// The `try` succeeds.
    NoError,
    /// The `try` fails, and its handler continues.
    Error,
}

impl Symbols {
    /// The first uses of local variables that a single statement before them sets only on some paths, in document order.
    pub fn partly_set<'t>(&'t self, tree: &'t Tree<'t>) -> Vec<PartlySet<'t>> {
        if !matches!(tree.grammar().name(), "Python" | "PHP") {
            return Vec::new();
        }
        let mut found: Vec<PartlySet<'t>> = self
            .symbols
            .iter()
            .filter_map(|symbol| self.partly(symbol, tree))
            .collect();
        found.sort_by_key(|partly| partly.used.index());
        found
    }

    fn partly<'t>(&'t self, symbol: &'t Symbol, tree: &'t Tree<'t>) -> Option<PartlySet<'t>> {
        let scope = self
            .scopes
            .get(symbol.scope as usize)
            .filter(|scope| scope.kind == ScopeKind::Function && !scope.is_open && !scope.is_cut)?;
        let function = tree.node(scope.node)?;
        if symbol.kind != DefKind::Variable {
            return None;
        }
        let sets: Vec<Node<'t>> = symbol.definitions(tree).collect();
        let first = *sets.first().filter(|set| set.text() != "$this")?;
        let (used, statement) = symbol
            .uses(tree)
            .filter(|used| used.index() > first.index())
            .find_map(|used| Some((used, deciding(first, used)?)))?;
        // Every place that sets it is in one statement, and the use is below that.
        let block = statement.parent()?;
        if sets.iter().any(|set| !set.is_inside(statement)) {
            return None;
        }
        let is_direct = used.is_inside(block)
            && used.enclosing_function() == Some(function)
            && first.enclosing_function() == Some(function);
        let path = missed_path(statement, &sets)?;
        let is_certain = is_direct
            && !is_asked(used)
            && !is_correlated(used, statement, block)
            && !used
                .ancestors()
                .any(|around| around.has_role(Role::Try) && around.is_inside(block));
        is_certain.then_some(PartlySet {
            used,
            set: first,
            path,
        })
    }
}

/// The outermost `if` or `try` around a node and not around a use, if nothing else decides whether the node runs before
/// the use.
fn deciding<'t>(set: Node<'t>, used: Node<'t>) -> Option<Node<'t>> {
    let around = set
        .ancestors()
        .take_while(|around| !used.is_inside(*around));
    let mut outermost = None;
    for node in around {
        let ends = [
            Role::Loop,
            Role::Switch,
            Role::Lambda,
            Role::Function,
            Role::Class,
            Role::With,
        ];
        if ends.into_iter().any(|role| node.has_role(role)) {
            return None;
        }
        if node.has_role(Role::If) || node.has_role(Role::Try) {
            outermost = Some(node);
        }
    }
    // In a loop around both, an earlier round may have set it.
    let is_repeated = set.ancestors().any(|around| around.has_role(Role::Loop));
    outermost.filter(|_| !is_repeated)
}

/// The path through an `if` without `else` or through a `try` on which none of the places is reached.
fn missed_path(statement: Node<'_>, sets: &[Node<'_>]) -> Option<Path> {
    let is_set_in = |part: Node<'_>| sets.iter().any(|set| set.is_inside(part));
    if statement.has_role(Role::If) {
        let branch = statement.branch()?;
        let has_more = statement.named_children().any(|part| {
            part.index() > branch.then.index()
                && !part.is_inside(branch.then)
                && !part.has_role(Role::Comment)
        });
        // An assignment in the condition always happens.
        let is_all = sets.iter().all(|set| set.is_inside(branch.then));
        let is_only = is_all && !has_more && can_complete(branch.then);
        return is_only.then_some(Path::NotEntered);
    }
    let body = statement.field("body")?;
    let handlers: Vec<Node<'_>> = statement
        .named_children()
        .filter(|part| part.has_role(Role::Catch))
        .collect();
    let others = statement
        .named_children()
        .any(|part| (part.has_role(Role::Finally) || part.is(&["else_clause"])) && is_set_in(part));
    if others || handlers.is_empty() {
        return None;
    }
    let continues = |handler: &Node<'_>| {
        let block = handler
            .field("body")
            .or_else(|| handler.named_children().last());
        block.is_some_and(|block| can_complete(block) && !may_leave(block))
    };
    if !is_set_in(body) {
        let succeeds = body.is_usable() && can_complete(body);
        return succeeds.then_some(Path::NoError);
    }
    let misses = handlers
        .iter()
        .any(|handler| !is_set_in(*handler) && continues(handler));
    misses.then_some(Path::Error)
}

/// Whether a use asks whether the variable has a value, or may set it: an argument of a call in PHP is possibly passed by
/// reference.
fn is_asked(used: Node<'_>) -> bool {
    const ASK: &[&str] = &["isset", "empty", "unset"];
    let is_ask = |around: Node<'_>| {
        let asks = |word: &&str| {
            let (own, rest) = around
                .text()
                .split_at_checked(word.len())
                .unwrap_or_default();
            own.eq_ignore_ascii_case(word) && rest.trim_start().starts_with('(')
        };
        ASK.iter().any(asks)
            || around.binary().is_some_and(|binary| {
                matches!(binary.operator, "??" | "??=") && used.is_inside(binary.left)
            })
    };
    let is_argument = |around: Node<'_>| around.is(&["argument"]);
    used.tree().grammar().name() == "PHP"
        && used
            .ancestors()
            .take_while(|around| !around.has_role(Role::Block))
            .any(|around| is_argument(around) && around.text() == used.text() || is_ask(around))
}

/// Whether the last statement of a handler calls something that may never return, by its name.
fn may_leave(block: Node<'_>) -> bool {
    const WORDS: &[&str] = &[
        "abort", "bail", "die", "error", "exit", "fail", "fatal", "halt", "panic", "quit", "raise",
        "redirect", "skip", "stop", "throw", "usage",
    ];
    let last = block
        .named_children()
        .filter(|part| !part.has_role(Role::Comment))
        .last();
    let call = last.and_then(|last| last.call().or_else(|| last.named_children().next()?.call()));
    call.is_some_and(|call| {
        words_of(call.name)
            .iter()
            .any(|word| WORDS.contains(&word.as_str()))
    })
}

/// Whether a use depends on a condition that may hold only where the variable is set.
fn is_correlated(used: Node<'_>, statement: Node<'_>, block: Node<'_>) -> bool {
    let mut known: Vec<&str> = statement
        .all(Role::Assign)
        .filter_map(Node::assignment)
        .flat_map(|set| set.target.names().chain([set.target]))
        .map(Node::text)
        .collect();
    if let Some(branch) = statement.branch() {
        known.extend(
            branch
                .condition
                .names()
                .chain([branch.condition])
                .map(Node::text),
        );
    }
    let own = used.text();
    let depends = |condition: Node<'_>| {
        condition
            .names()
            .chain([condition])
            .filter(|name| name.has_role(Role::Name))
            .any(|name| name.text() != own && known.contains(&name.text()))
    };
    // A condition above the use, or one that leaves before it.
    let inside = used
        .ancestors()
        .take_while(|around| *around != block)
        .filter_map(Node::condition)
        .any(depends);
    let leaves = block.named_children().any(|other| {
        other.index() > statement.index()
            && other.index() < used.index()
            && other
                .branch()
                .is_some_and(|branch| branch.then.ends_in_exit() && depends(branch.condition))
    });
    // `a and b` evaluates the use only if the rest holds.
    let in_chain = used
        .ancestors()
        .take_while(|around| !around.has_role(Role::Block))
        .any(|around| around.has_role(Role::Binary) && depends(around));
    inside || leaves || in_chain
}
