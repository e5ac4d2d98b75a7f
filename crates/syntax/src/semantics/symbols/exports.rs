//! The names that a whole file exports.

use std::collections::{HashMap, HashSet};

use super::parameters::Parameters;
use super::{DefKind, Symbols};
use crate::tree::{Node, Tree};

/// A name that other files can import.
#[derive(Debug, Clone)]
pub struct Export<'t> {
    /// The name, where it is exported.
    pub name: Node<'t>,
    /// The name of the definition that the parameters belong to.
    pub definition: Option<Node<'t>>,
    /// The parameters of a function or of a constructor, if they are certain.
    pub parameters: Option<(Node<'t>, Parameters)>,
}

/// All exports of a file, by name. `None` for a name that is exported in several ways.
#[derive(Default)]
pub struct Exports<'t> {
    /// The exports, by the names under which they are imported.
    pub names: HashMap<&'t str, Option<Export<'t>>>,
    /// A default import is an object with all of them.
    pub is_one_object: bool,
}

impl<'t> Exports<'t> {
    /// The exports of a whole file; `None` if it may have others.
    pub fn of(tree: &'t Tree<'t>) -> Option<Self> {
        match tree.grammar().name() {
            _ if !tree.is_readable_file() => None,
            "Python" => of_python(tree),
            "JavaScript" | "TypeScript" | "TSX" => Script::new(tree)?.exports(),
            _ => None,
        }
    }

    fn add(&mut self, export: Export<'t>) {
        let known = self.names.contains_key(export.name.text());
        self.names
            .insert(export.name.text(), Some(export).filter(|_| !known));
    }
}

fn of_python<'t>(tree: &'t Tree<'t>) -> Option<Exports<'t>> {
    let mut exports = Exports {
        names: HashMap::new(),
        is_one_object: false,
    };
    for symbol in Symbols::of(tree)?.of_file()? {
        let mut definitions = symbol.definitions(tree);
        let Some(name) = definitions.next() else {
            continue;
        };
        let is_only = definitions.next().is_none();
        if name.text() == "__getattr__" || name.text() == "__path__" {
            return None;
        }
        let parameters = match symbol.kind {
            DefKind::Function => name.parent().and_then(python_parameters),
            DefKind::Type => name.parent().and_then(constructor_of_python),
            _ => None,
        };
        let export = Export {
            name,
            definition: Some(name),
            parameters,
        };
        exports
            .names
            .insert(name.text(), Some(export).filter(|_| is_only));
    }
    Some(exports)
}

pub(super) fn is_decorated(definition: Node<'_>) -> bool {
    definition
        .parent()
        .is_some_and(|around| around.is(&["decorated_definition"]))
}

pub(super) fn python_parameters(function: Node<'_>) -> Option<(Node<'_>, Parameters)> {
    let list = function
        .field("parameters")
        .filter(|_| function.is(&["function_definition"]))?;
    if is_decorated(function) {
        return None;
    }
    Some((
        list,
        Parameters::of_python(list).filter(Parameters::is_small)?,
    ))
}

/// The parameters of a Python class with its own constructor.
fn constructor_of_python(class: Node<'_>) -> Option<(Node<'_>, Parameters)> {
    let body = class
        .field("body")
        .filter(|_| class.is(&["class_definition"]) && !is_decorated(class))?;
    let has_metaclass = class
        .field("superclasses")
        .is_some_and(|list| list.child_of_kind(&["keyword_argument"]).is_some());
    let named = |name: &'static str| {
        let methods = body
            .descendants()
            .filter(|node| node.is(&["function_definition"]));
        methods.filter(move |method| method.field("name").is_some_and(|own| own.text() == name))
    };
    let mut constructors = named("__init__");
    let constructor = constructors
        .next()
        .filter(|one| one.parent() == Some(body))?;
    if has_metaclass || constructors.next().is_some() || named("__new__").next().is_some() {
        return None;
    }
    let (list, parameters) = python_parameters(constructor)?;
    Some((list, parameters.without_first()?))
}

/// A file of JavaScript or TypeScript.
struct Script<'t> {
    tree: &'t Tree<'t>,
    /// The functions of the file by name; `None` for one with several definitions.
    functions: HashMap<&'t str, Option<Function<'t>>>,
    found: Exports<'t>,
    /// The places where `exports` is used in a way that is understood.
    read: HashSet<usize>,
}

#[derive(Clone)]
struct Function<'t> {
    name: Node<'t>,
    list: Node<'t>,
    parameters: Parameters,
}

impl<'t> Script<'t> {
    fn new(tree: &'t Tree<'t>) -> Option<Self> {
        let root = tree.root().filter(|root| root.is(&["program"]))?;
        let mut functions = HashMap::new();
        for statement in root.named_children() {
            let statement = statement
                .field("declaration")
                .filter(|_| statement.is(&["export_statement"]))
                .unwrap_or(statement);
            for (name, function) in definitions(statement) {
                let known = functions.contains_key(name.text());
                functions.insert(
                    name.text(),
                    function
                        .and_then(|function| callable(name, function))
                        .filter(|_| !known),
                );
            }
        }
        let found = Exports {
            names: HashMap::new(),
            is_one_object: false,
        };
        Some(Self {
            tree,
            functions,
            found,
            read: HashSet::new(),
        })
    }

    fn exports(mut self) -> Option<Exports<'t>> {
        for statement in self.tree.root()?.named_children() {
            if statement.is(&["export_statement"]) {
                self.statement(statement)?;
            } else if statement.is(&["expression_statement"]) {
                let assigned = statement
                    .named_children()
                    .next()
                    .filter(|node| node.is(&["assignment_expression"]));
                if let Some((left, right)) =
                    assigned.and_then(|set| Some((set.field("left")?, set.field("right")?)))
                {
                    self.assignment(left, right)?;
                }
            }
        }
        // Any other use of `exports` may add names.
        let is_other = |leaf: Node<'t>| {
            leaf.is_leaf()
                && leaf.text() == "exports"
                && leaf.is_named()
                && !self.read.contains(&leaf.index())
                && !is_member_read(leaf)
        };
        (!self.tree.nodes().any(is_other)).then_some(self.found)
    }

    fn add(&mut self, name: Node<'t>, local: Option<&str>) {
        let function = local.and_then(|local| self.functions.get(local)?.clone());
        let definition = function.as_ref().map(|function| function.name);
        let parameters = function.map(|function| (function.list, function.parameters));
        self.found.add(Export {
            name,
            definition,
            parameters,
        });
    }

    fn statement(&mut self, statement: Node<'t>) -> Option<()> {
        let has = |text: &str| statement.children().any(|child| child.text() == text);
        if has("=") || has("*") && statement.child_of_kind(&["namespace_export"]).is_none() {
            return None;
        }
        if has("default") {
            return Some(());
        }
        if let Some(declaration) = statement.field("declaration") {
            let declared: Vec<Node<'t>> = names(declaration)?;
            declared
                .into_iter()
                .for_each(|name| self.add(name, Some(name.text())));
        }
        let is_passed_on = statement.field("source").is_some();
        let clause = statement.child_of_kind(&["export_clause"]);
        for specifier in clause
            .into_iter()
            .flat_map(Node::named_children)
            .filter(|node| node.is(&["export_specifier"]))
        {
            let local = specifier.field("name")?;
            let name = specifier.field("alias").unwrap_or(local);
            self.add(name, Some(local.text()).filter(|_| !is_passed_on));
        }
        self.found.names.extend(
            statement
                .child_of_kind(&["namespace_export"])
                .and_then(|node| Some((node.leaves().last()?.text(), None))),
        );
        Some(())
    }

    /// `module.exports = { a, b }`, `exports.a = …`.
    fn assignment(&mut self, left: Node<'t>, right: Node<'t>) -> Option<()> {
        if let Some(leaf) = exports_object(left) {
            self.read.insert(leaf.index());
            self.found.is_one_object = true;
            let right = right.unparenthesised();
            if !right.is(&["object"]) {
                return None;
            }
            for member in right.named_children().filter(|node| !node.is(&["comment"])) {
                match member.kind() {
                    "shorthand_property_identifier" => self.add(member, Some(member.text())),
                    "pair" => {
                        let (key, value) = (member.field("key")?, member.field("value")?);
                        let local = value.is(&["identifier"]).then(|| value.text());
                        if !key.is(&["property_identifier"]) {
                            return None;
                        }
                        self.add(key, local);
                    }
                    "method_definition" => self.add(member.field("name")?, None),
                    _ => return None,
                }
            }
        } else if let Some(leaf) = left.field("object").and_then(exports_object) {
            let name = left
                .field("property")
                .filter(|_| left.is(&["member_expression"]))?;
            self.read.insert(leaf.index());
            self.found.is_one_object = true;
            self.add(name, right.is(&["identifier"]).then(|| right.text()));
        }
        Some(())
    }
}

/// Whether the word `exports` is part of a member that is read: `run(exports.a)`.
fn is_member_read(exports: Node<'_>) -> bool {
    let object = exports
        .parent()
        .filter(|around| exports_object(*around) == Some(exports))
        .unwrap_or(exports);
    object.parent().is_some_and(|member| {
        member.is(&["member_expression"])
            && member.field("object") == Some(object)
            && member.own_field() != "left"
            && !member
                .parent()
                .is_some_and(|around| around.is(&["unary_expression", "update_expression"]))
    })
}

/// The word `exports` of `exports` and of `module.exports`.
fn exports_object(node: Node<'_>) -> Option<Node<'_>> {
    if node.is(&["identifier"]) && node.text() == "exports" {
        return Some(node);
    }
    let is_module = node
        .field("object")
        .is_some_and(|object| object.text() == "module");
    node.field("property")
        .filter(|property| is_module && property.text() == "exports")
}

/// The names that a declaration defines; `None` if that is unclear.
fn names(declaration: Node<'_>) -> Option<Vec<Node<'_>>> {
    if declaration.is(&["lexical_declaration", "variable_declaration"]) {
        let declarators = declaration
            .named_children()
            .filter(|node| node.is(&["variable_declarator"]));
        let names: Vec<Node<'_>> = declarators.filter_map(|node| node.field("name")).collect();
        return names
            .iter()
            .all(|name| name.is(&["identifier"]))
            .then_some(names);
    }
    if declaration.is(&["ambient_declaration"]) {
        let inner = declaration
            .named_children()
            .find(|node| !node.is(&["comment"]))?;
        return names(inner);
    }
    Some(vec![declaration.field("name")?])
}

/// The names that a statement defines, with the functions that they refer to.
fn definitions(statement: Node<'_>) -> Vec<(Node<'_>, Option<Node<'_>>)> {
    if statement.is(&["lexical_declaration", "variable_declaration"]) {
        let declarators = statement
            .named_children()
            .filter(|node| node.is(&["variable_declarator"]));
        return declarators
            .filter_map(|node| Some((node.field("name")?, node.field("value"))))
            .collect();
    }
    statement
        .field("name")
        .map(|name| (name, Some(statement)))
        .into_iter()
        .collect()
}

fn callable<'t>(name: Node<'t>, function: Node<'t>) -> Option<Function<'t>> {
    let (list, parameters) = script_parameters(function)?;
    Some(Function {
        name,
        list,
        parameters,
    })
}

/// The parameters of a JavaScript or TypeScript function that accesses its arguments only by parameter name.
pub(super) fn script_parameters(function: Node<'_>) -> Option<(Node<'_>, Parameters)> {
    const FUNCTIONS: &[&str] = &[
        "function_declaration", "generator_function_declaration", "arrow_function",
        "function_expression", "method_definition",
    ];
    let list = function
        .field("parameters")
        .filter(|_| function.is(FUNCTIONS))?;
    let reads_all = function
        .field("body")?
        .leaves()
        .any(|leaf| leaf.text() == "arguments");
    let parameters = Parameters::of_script(list).filter(|list| list.is_small() && !reads_all)?;
    Some((list, parameters))
}
