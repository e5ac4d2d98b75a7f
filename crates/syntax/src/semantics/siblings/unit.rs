//! The functions, classes and routes of a tree.

use crate::language::Role;
use crate::semantics::authorization::is_mention;
use crate::tree::{Call, Node, Tree};

/// Functions and methods that register a route, in lower case.
const REGISTERS: &[&str] = &[
    "get", "post", "put", "patch", "delete", "all", "any", "match", "path", "re_path", "handle",
    "handlefunc", "add_url_rule", "add_api_route", "mapget", "mappost", "mapput", "mapdelete",
    "mappatch",
];

/// The parts of a tree that can be compared.
#[derive(Default)]
pub(super) struct Units<'t> {
    pub functions: Vec<Unit<'t>>,
    pub classes: Vec<Node<'t>>,
    pub routes: Vec<Route<'t>>,
}

/// A function, or the handler of a route.
#[derive(Clone)]
pub(super) struct Unit<'t> {
    pub node: Node<'t>,
    /// The name of the function, or the path of the route.
    pub name: Node<'t>,
    /// The class or function around it.
    pub container: Option<usize>,
    /// The guards about the caller of the route that it handles.
    pub route: Option<Guards<'t>>,
    /// All guards of that route.
    pub guards: Guards<'t>,
}

/// The names in the registration of a route outside the handler's code, sorted.
pub(super) type Guards<'t> = Vec<&'t str>;

/// A call that registers a route: `router.get("/path", guard, handler)`.
pub(super) struct Route<'t> {
    pub call: Node<'t>,
    /// The call with the calls that follow it: `routes.MapGet("/path", handler).RequireAuthorization()`.
    pub row: Node<'t>,
    /// The object that registers it, or the function.
    pub router: &'t str,
    pub path: Node<'t>,
    pub guards: Guards<'t>,
}

pub(super) fn units<'t>(tree: &'t Tree<'t>) -> Units<'t> {
    let mut units = Units::default();
    for node in tree.nodes().filter(|node| node.is_usable()) {
        if node.has_role(Role::Class) {
            units.classes.push(node);
        } else if node.has_role(Role::Function) {
            let function = node.function().filter(|function| function.body.is_some());
            units
                .functions
                .extend(function.map(|function| unit(node, function.name)));
        } else if node.has_role(Role::Lambda) && spans_lines(node) {
            units.functions.extend(lambda(node));
        } else if node.has_role(Role::Call) {
            units.routes.extend(route(node));
        }
    }
    units
}

/// Whether a changed node is a function, class or route that the change adds.
pub(super) fn is_added(node: Node<'_>) -> bool {
    let is_unit = node.has_role(Role::Class)
        || node.has_role(Role::Function)
        || (node.has_role(Role::Lambda) && spans_lines(node))
        || registration(node).is_some();
    is_unit && node.is_all_changed()
}

/// Whether it has three lines or more.
fn spans_lines(node: Node<'_>) -> bool {
    node.text().matches('\n').take(2).count() == 2
}

fn unit<'t>(node: Node<'t>, name: Node<'t>) -> Unit<'t> {
    let is_container = |around: &Node<'t>| {
        around.has_role(Role::Class)
            || (around.has_role(Role::Function) && around.function().is_some())
    };
    Unit {
        node,
        name,
        container: node.ancestors().find(is_container).map(Node::index),
        route: None,
        guards: Guards::new(),
    }
}

/// A function without a name of its own: the handler of a route, or one that is assigned to a name.
fn lambda(node: Node<'_>) -> Option<Unit<'_>> {
    let parent = node.parent()?;
    if parent.has_role(Role::Arguments) {
        let route = route(parent.parent()?)?;
        // Guards about other things, such as schemas, differ from route to route.
        let call = route.call.call()?;
        let guards = call.arguments.iter().filter(|argument| **argument != node);
        let guards = guards
            .map(|argument| names(*argument))
            .filter(|names| names.iter().any(|name| is_mention(name)));
        let about_caller = guards.flatten().collect();
        return Some(Unit {
            route: Some(about_caller),
            guards: route.guards,
            ..unit(node, route.path)
        });
    }
    let name = parent.any_field(&["name", "key", "left"])?;
    (name.index() < node.index()).then(|| unit(node, name.last_name_node()))
}

/// A call that registers a route: its first argument is the path, and others follow.
fn registration(node: Node<'_>) -> Option<Call<'_>> {
    node.call().filter(|call| {
        let has_path =
            matches!(call.arguments.as_slice(), [path, _, ..] if path.has_role(Role::Text));
        has_path && REGISTERS.contains(&call.name.to_ascii_lowercase().as_str())
    })
}

/// The registration of a route with its handler.
fn route(node: Node<'_>) -> Option<Route<'_>> {
    let call = registration(node)?;
    let (path, rest) = call.arguments.split_first()?;
    let row = row(node);
    // The handler itself says nothing, unless a guard is called with it: `login_required(view)`.
    let positional = rest.iter().rev().find(|node| !node.is(NAMED));
    let last = positional.filter(|node| !node.has_role(Role::Call));
    let mut guards = Guards::new();
    for argument in rest.iter().filter(|argument| Some(*argument) != last) {
        guards.extend(names(*argument));
    }
    // Calls on the result: `.middleware('auth')`.
    let mut outer = row;
    while outer != node {
        let Some(call) = outer.call() else { break };
        guards.push(call.name);
        guards.extend(call.arguments.iter().flat_map(|argument| names(*argument)));
        let Some(receiver) = call.receiver else { break };
        outer = receiver;
    }
    guards.sort_unstable();
    guards.dedup();
    Some(Route {
        call: node,
        row,
        router: call.receiver.map_or(call.name, Node::last_name),
        path: *path,
        guards,
    })
}

/// The names in an argument, and its texts up to a separator: `can` in `'can:edit,post'`. Code of functions is left out.
fn names<'t>(argument: Node<'t>) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut function: Option<Node<'t>> = None;
    for inner in std::iter::once(argument).chain(argument.descendants().take(MAX_ROW)) {
        if function.is_some_and(|function| inner.is_inside(function)) {
            continue;
        }
        if inner.has_role(Role::Lambda) || inner.has_role(Role::Function) {
            function = Some(inner);
        } else if inner.has_role(Role::Name) && inner.is_leaf() {
            names.push(inner.text());
        } else if let Some(text) = inner.string_value() {
            names.extend(text.split([':', ',', '|']).next());
        }
    }
    names
}

/// Arguments with a name.
const NAMED: &[&str] = &["keyword_argument", "pair"];
/// Maximum number of nodes of a registration.
const MAX_ROW: usize = 400;

/// A call with the calls on its result.
fn row(call: Node<'_>) -> Node<'_> {
    let mut row = call;
    while let Some(parent) = row.parent() {
        let is_on_it = parent.receiver() == Some(row)
            || parent.call().is_some_and(|call| {
                !call.arguments.contains(&row) && row.index() == parent.index() + 1
            });
        if !is_on_it || parent.is_statement() {
            break;
        }
        row = parent;
    }
    row
}
