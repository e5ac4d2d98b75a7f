//! Functions around a node, and their parameters.

use crate::language::Role;
use crate::tree::Node;

/// The functions around a node, including lambdas, and the outermost node.
pub(super) fn scopes<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut scopes: Vec<_> = node.ancestors().filter(|node| is_function(*node)).collect();
    scopes.extend(node.ancestors().last());
    scopes
}

fn is_function(node: Node<'_>) -> bool {
    node.has_role(Role::Function) || node.has_role(Role::Lambda)
}

/// The function that a parameter belongs to, and the parameter.
#[derive(Clone, Copy)]
pub(super) struct Parameter<'t> {
    pub(super) function: Node<'t>,
    pub(super) node: Node<'t>,
    /// Its index among the parameters.
    pub(super) place: usize,
}

impl<'t> Parameter<'t> {
    /// The parameter with that name of the innermost enclosing function that has one.
    pub(super) fn find(used: Node<'t>, name: &str) -> Option<Self> {
        used.ancestors()
            .filter(|node| is_function(*node))
            .find_map(|function| Self::of(function, name))
    }

    /// The parameter with that name of a function.
    pub(super) fn of(function: Node<'t>, name: &str) -> Option<Self> {
        let found = parameters(function)
            .enumerate()
            .find(|(_, node)| names(*node, name))?;
        Some(Self {
            function,
            node: found.1,
            place: found.0,
        })
    }
}

/// The parameters of a function, in their order.
pub(super) fn parameters<'t>(function: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let list = match function.function() {
        Some(function) => function.parameters,
        None => function.any_field(&["parameters", "parameter"]),
    };
    let own = list.or_else(|| {
        function.child_of_kind(&["block_parameters", "lambda_parameters", "formal_parameters"])
    });
    let alone = own.filter(|list| list.has_role(Role::Name));
    let inside = own.filter(|list| !list.has_role(Role::Name));
    let is_parameter = |node: &Node<'_>| !node.is(&["parameter_modifiers"]);
    alone.into_iter().chain(
        inside
            .into_iter()
            .flat_map(Node::named_children)
            .filter(is_parameter),
    )
}

fn names(parameter: Node<'_>, name: &str) -> bool {
    parameter.text().contains(name) && parameter.names().any(|part| part.text() == name)
}
