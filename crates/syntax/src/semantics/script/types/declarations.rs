//! Where a name is declared, and its type according to the declaration.

use crate::language::Role;
use crate::semantics::names::visible_root;
use crate::tree::Node;

use super::inference::Inference;
use super::kind::Type;

/// Blocks with more statements than this are not searched for a declaration.
const STATEMENTS: usize = 400;

/// The declaration of a name: the nearest one in the enclosing blocks and functions.
pub fn declared(used: Node<'_>) -> Option<Node<'_>> {
    visible_root(used)?;
    let name = used.text();
    for around in used.ancestors() {
        let found = match around.kind() {
            "statement_block" | "program" | "switch_case" if may_declare(around, name) => around
                .named_children()
                .take(STATEMENTS)
                .find_map(|statement| declares(statement, name)),
            "for_statement" => around
                .field("initializer")
                .and_then(|start| declares(start, name)),
            "for_in_statement" | "catch_clause" => {
                let bound = around.any_field(&["left", "parameter"]);
                bound
                    .is_some_and(|bound| binds(bound, name))
                    .then_some(around)
            }
            _ if around.has_role(Role::Function) || around.has_role(Role::Lambda) => {
                parameter(around, name).or_else(|| hoisted(around, name))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether something inside may declare a name, determined without a walk.
pub fn may_declare(scope: Node<'_>, name: &str) -> bool {
    let tree = scope.tree();
    tree.places(declaring)
        .within(tree, name, scope.inside())
        .next()
        .is_some()
}

/// The declaration of an occurrence that is not plainly a use.
fn declaring(name: Node<'_>) -> Option<Node<'_>> {
    const FAR: usize = 60;
    let mut inner = name;
    for around in name.ancestors().take(FAR) {
        let is = |field: &str| around.field(field) == Some(inner);
        let is_target = around.is(&["for_in_statement"]) && is("left");
        if around.is(&["import_statement"])
            || around.has_role(Role::Parameters)
            || is_target
            || is("name")
        {
            return Some(name);
        }
        if is("parameter") {
            return Some(name);
        }
        if around.has_role(Role::Block) || around.is(&["expression_statement", "program"]) {
            return None;
        }
        inner = around;
    }
    Some(name)
}

fn declares<'t>(statement: Node<'t>, name: &str) -> Option<Node<'t>> {
    match statement.kind() {
        "lexical_declaration" | "variable_declaration" => {
            statement.named_children().find(|declarator| {
                declarator.field("name").is_some_and(|own| {
                    own.text() == name
                        || own.is(&["object_pattern", "array_pattern"]) && binds(own, name)
                })
            })
        }
        "export_statement" | "ambient_declaration" => statement
            .named_children()
            .find_map(|inner| declares(inner, name)),
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "class_declaration"
        | "abstract_class_declaration"
        | "enum_declaration" => statement
            .field("name")
            .is_some_and(|own| own.text() == name)
            .then_some(statement),
        "import_statement" => statement
            .leaves()
            .any(|leaf| leaf.text() == name)
            .then_some(statement),
        _ => None,
    }
}

fn parameter<'t>(function: Node<'t>, name: &str) -> Option<Node<'t>> {
    if let Some(only) = function.field("parameter") {
        return (only.text() == name).then_some(only);
    }
    function
        .field("parameters")?
        .named_children()
        .find(|parameter| {
            let bound = parameter
                .any_field(&["pattern", "left"])
                .unwrap_or(*parameter);
            binds(bound, name)
        })
}

/// Whether a pattern binds a name, other than as a key or in a default.
fn binds(pattern: Node<'_>, name: &str) -> bool {
    let is_bound = |leaf: Node<'_>| {
        let mut inner = leaf;
        for around in leaf
            .ancestors()
            .take_while(|around| around.is_inside(pattern))
        {
            let is = |field: &str| around.field(field) == Some(inner);
            let reads = match around.kind() {
                "assignment_pattern" | "object_assignment_pattern" => is("right"),
                "pair_pattern" => is("key"),
                "required_parameter" | "optional_parameter" => is("type") || is("value"),
                _ => false,
            };
            if reads {
                return false;
            }
            inner = around;
        }
        true
    };
    pattern
        .leaves()
        .any(|leaf| leaf.text() == name && is_bound(leaf))
}

/// The `var` of a function, which is visible in all of it regardless of where it is.
fn hoisted<'t>(function: Node<'t>, name: &str) -> Option<Node<'t>> {
    let tree = function.tree();
    let mut all = tree.places(hoists).within(tree, name, function.inside());
    all.find(|declarator| declarator.enclosing_function() == Some(function))
}

fn hoists(name: Node<'_>) -> Option<Node<'_>> {
    let is_var = |of: &Node<'_>| {
        of.parent()
            .is_some_and(|list| list.is(&["variable_declaration"]))
    };
    name.parent()
        .filter(|of| of.is(&["variable_declarator"]) && of.field("name") == Some(name))
        .filter(is_var)
}

impl Inference {
    pub(super) fn declaration(self, at: Node<'_>) -> Vec<Type<'_>> {
        let unknown = || vec![Type::Unknown];
        match at.kind() {
            "variable_declarator" => {
                let Some(name) = at.field("name").filter(|name| name.is(&["identifier"])) else {
                    return unknown();
                };
                if let Some(written) = at.field("type") {
                    return self.deeper().read(written);
                }
                let is_const = at.parent().is_some_and(|list| {
                    list.children().next().is_some_and(|w| w.text() == "const")
                });
                match at.field("value") {
                    Some(value) if is_const || !is_set_again(name) => self.deeper().read(value),
                    _ => unknown(),
                }
            }
            "required_parameter" | "optional_parameter" => {
                let is_plain = at
                    .field("pattern")
                    .is_some_and(|pattern| pattern.is(&["identifier"]));
                let Some(written) = at.field("type").filter(|_| is_plain) else {
                    return unknown();
                };
                let mut all = self.deeper().read(written);
                if at.is(&["optional_parameter"]) {
                    all.push(Type::Null);
                }
                all
            }
            "function_declaration"
            | "generator_function_declaration"
            | "function_signature"
            | "class_declaration"
            | "abstract_class_declaration" => self.read(at),
            _ => unknown(),
        }
    }
}

/// Whether a variable is assigned again somewhere.
fn is_set_again(name: Node<'_>) -> bool {
    let Some(top) = visible_root(name) else {
        return true;
    };
    top.descendants()
        .filter(|node| node.is(&["identifier"]) && node.text() == name.text())
        .any(|node| {
            node.ancestors().take(4).any(|around| {
                let is_left = || {
                    around
                        .field("left")
                        .is_some_and(|left| is_target(node, left))
                };
                around.is(&["update_expression"])
                    || around.is(&[
                        "assignment_expression", "augmented_assignment_expression",
                        "for_in_statement",
                    ]) && is_left()
            })
        })
}

/// Whether a name is the assigned variable, and not only a part of the target as in `table[name] = 1`.
fn is_target(name: Node<'_>, left: Node<'_>) -> bool {
    left == name || left.is(&["array_pattern", "object_pattern"]) && name.is_inside(left)
}
