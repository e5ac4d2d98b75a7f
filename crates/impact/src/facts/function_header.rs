//! Function headers: name, parameters, and whether the result must be awaited.

use syntax::language::Role;
use syntax::tree::{Node, Tree};

use super::calls::{MANY_PARAMETERS, Signature};
use crate::text::hash;

/// A function header in one tree.
#[derive(Clone, Copy)]
pub struct FunctionHeader<'t> {
    /// The name used in calls; for a constructor, the class.
    pub name: Node<'t>,
    /// The position of the name.
    pub place: Node<'t>,
    /// The list of parameters; Ruby omits an empty one.
    pub parameters: Option<Node<'t>>,
    /// The whole function, as far as the tree shows it.
    pub whole: Node<'t>,
}

/// The functions of a tree with a complete header. Their bodies may extend beyond the hunk.
pub fn heads<'t>(tree: &'t Tree<'t>) -> impl Iterator<Item = FunctionHeader<'t>> {
    tree.nodes().filter_map(complete_head)
}

/// The functions within a node with a complete header.
pub(super) fn heads_within<'t>(node: Node<'t>) -> impl Iterator<Item = FunctionHeader<'t>> {
    node.descendants().filter_map(complete_head)
}

fn complete_head(node: Node<'_>) -> Option<FunctionHeader<'_>> {
    head(node).filter(|head| {
        let mut parts = [Some(head.place), head.parameters].into_iter().flatten();
        parts.all(Node::is_usable) && !is_decorated(head.whole)
    })
}

fn head(node: Node<'_>) -> Option<FunctionHeader<'_>> {
    if node.has_role(Role::Function) {
        let function = node.function()?;
        let name = if is_constructor(function.name.text()) {
            node.enclosing(Role::Class)?.field("name")?
        } else {
            function.name
        };
        let is_complete = function.parameters.is_some() || node.is(&["method", "singleton_method"]);
        return is_complete.then_some(FunctionHeader {
            name,
            place: function.name,
            parameters: function.parameters,
            whole: node,
        });
    }
    if !node.has_role(Role::Assign) {
        return None;
    }
    let set = node.assignment()?;
    let is_function = set.value.has_role(Role::Lambda) || set.value.has_role(Role::Function);
    let name = Some(set.target)
        .filter(|target| is_function && target.is_leaf() && target.has_role(Role::Name))?;
    Some(FunctionHeader {
        name,
        place: name,
        parameters: Some(set.value.field("parameters")?),
        whole: set.value,
    })
}

fn is_constructor(name: &str) -> bool {
    matches!(name, "__init__" | "constructor" | "__construct")
}

/// Whether it has a decorator that may change its parameters.
fn is_decorated(function: Node<'_>) -> bool {
    const HARMLESS: &[&str] = &[
        "@staticmethod", "@classmethod", "@abstractmethod", "@override",
    ];
    let around = function
        .parent()
        .filter(|parent| parent.is(&["decorated_definition"]));
    around.is_some_and(|around| {
        around
            .children()
            .any(|child| child.is(&["decorator"]) && !HARMLESS.contains(&child.text().trim()))
    })
}

impl FunctionHeader<'_> {
    /// Whether its name or its parameters are part of the change.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        let mut parts = [Some(self.place), self.parameters].into_iter().flatten();
        parts.any(Node::touches_change)
    }

    /// Whether a call needs a receiver, unless it is inside the class.
    #[must_use]
    pub fn is_member(&self) -> bool {
        if is_constructor(self.place.text()) || self.whole.is(&["constructor_declaration"]) {
            return false;
        }
        let roles = [Role::Class, Role::Function, Role::Lambda];
        let around = self
            .whole
            .ancestors()
            .find(|node| roles.iter().any(|role| node.has_role(*role)));
        around.is_some_and(|around| around.has_role(Role::Class))
            || self.takes_itself()
            || self.whole.is(&[
                "method_definition", "method_declaration", "method", "singleton_method",
            ])
    }

    fn takes_itself(&self) -> bool {
        let first = self.parameter_nodes().next();
        first.is_some_and(|first| {
            first.is(&["self_parameter"]) || matches!(first.text(), "self" | "cls")
        })
    }

    /// The parameters; `None` if their syntax is not supported.
    #[must_use]
    pub fn signature(&self) -> Option<Signature> {
        let mut signature = Signature {
            min_args: 0,
            max_args: Some(0),
            names: Vec::new(),
            is_async: self.is_async(),
        };
        for parameter in self.parameter_nodes().take(MANY_PARAMETERS) {
            if is_itself(parameter) || is_separator(parameter) {
                continue;
            }
            if is_variadic(parameter) {
                signature.max_args = None;
                continue;
            }
            for name in names_of(parameter) {
                signature.names.push(hash(name.text()));
                signature.min_args = signature
                    .min_args
                    .saturating_add(u8::from(!is_optional(parameter)));
                signature.max_args = signature.max_args.map(|most| most.saturating_add(1));
            }
        }
        (self.parameter_nodes().count() <= MANY_PARAMETERS).then_some(signature)
    }

    fn parameter_nodes(&self) -> impl Iterator<Item = Node<'_>> {
        self.parameters.into_iter().flat_map(Node::named_children)
    }

    /// Whether it returns a promise.
    pub(super) fn is_async(&self) -> bool {
        const LATER: &[&str] = &[
            "Promise", "Task", "ValueTask", "Awaitable", "Coroutine", "CompletableFuture",
        ];
        let before_name = self
            .whole
            .children()
            .take_while(|child| child.index() < self.parameters.unwrap_or(self.place).index());
        let keyword = before_name
            .flat_map(Node::leaves)
            .any(|leaf| leaf.text() == "async");
        let result = self
            .whole
            .any_field(&["return_type", "returns", "type", "result"]);
        let starts = |text: &str| {
            LATER
                .iter()
                .any(|later| text.trim_start_matches([':', ' ']).starts_with(later))
        };
        match self.whole.tree().grammar().name() {
            "C#" | "Java" | "Kotlin" => result.is_some_and(|result| starts(result.text())),
            _ => keyword || result.is_some_and(|result| starts(result.text())),
        }
    }
}

fn is_itself(parameter: Node<'_>) -> bool {
    let is_first = parameter.previous().is_none();
    parameter.is(&["self_parameter"])
        || (is_first && matches!(parameter.text(), "self" | "cls" | "&self" | "void"))
}

fn is_separator(parameter: Node<'_>) -> bool {
    matches!(parameter.text(), "*" | "/") || parameter.is(&["keyword_separator", "positional_separator"])
        // A block argument is not a parameter. Kotlin's defaults are siblings of their parameter.
        || parameter.is(&["block_parameter", "attribute_item"])
        || (parameter.tree().grammar().name() == "Kotlin"
            && !parameter.is(&["parameter", "class_parameter"]))
}

fn is_variadic(parameter: Node<'_>) -> bool {
    let kind = parameter.kind();
    let by_kind = ["variadic", "rest", "spread", "splat"]
        .iter()
        .any(|part| kind.contains(part));
    let text = parameter.text();
    by_kind
        || text.starts_with('*') && parameter.tree().grammar().name() == "Python"
        || text.contains("...")
        || text.starts_with("params ")
        || parameter
            .previous()
            .is_some_and(|before| before.text().contains("vararg"))
}

fn is_optional(parameter: Node<'_>) -> bool {
    let by_kind = parameter.kind().contains("default") || parameter.kind().contains("optional");
    let by_sign = parameter
        .children()
        .any(|child| matches!(child.text(), "=" | "?"));
    let beside = parameter.tree().grammar().name() == "Kotlin"
        && parameter.parent().is_some_and(|list| {
            list.children()
                .find(|child| child.index() > parameter.index() && !child.is_inside(parameter))
                .is_some_and(|next| next.text() == "=")
        });
    let by_field = parameter.any_field(&["value", "default_value"]).is_some();
    by_kind
        || by_sign
        || beside
        || by_field
        || parameter.is(&["keyword_parameter", "assignment_pattern"])
}

/// The names that a parameter declares. In Go, several can share a type.
fn names_of(parameter: Node<'_>) -> Vec<Node<'_>> {
    let named: Vec<Node<'_>> = match parameter.tree().grammar().name() {
        "Go" => parameter
            .children()
            .filter(|child| child.is(&["identifier"]))
            .collect(),
        "C" | "C++" => parameter
            .field("declarator")
            .and_then(|own| own.leaves().find(is_name))
            .into_iter()
            .collect(),
        _ => parameter
            .any_field(&["name", "pattern", "left"])
            .into_iter()
            .collect(),
    };
    if named.is_empty() {
        parameter
            .leaves()
            .find(is_name)
            .or(Some(parameter))
            .into_iter()
            .collect()
    } else {
        named
    }
}

fn is_name(leaf: &Node<'_>) -> bool {
    leaf.has_role(Role::Name)
}
