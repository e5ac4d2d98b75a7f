//! The uses in a whole file of names that it imports from other files.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::Symbols;
use super::model::{DefKind, Symbol};
use super::parameters::Passed;
use crate::semantics::result_use::{ResultUse, result_use};
use crate::tree::{Node, Tree};

/// A use of a name of another file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Borrowed {
    /// The name in the other file.
    pub name: String,
    /// The other file, as the import names it.
    pub module: String,
    /// How the name is imported.
    pub way: Way,
    /// The line.
    pub line: u32,
    /// The arguments, if it is a call with a known number of them.
    pub passed: Option<Passed>,
    /// How the result is used, if it is a call.
    pub result: ResultUse,
}

/// How a name is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Way {
    /// By itself.
    ByName,
    /// As a member of the module.
    OfModule,
    /// As a member of the module's default export.
    OfDefault,
    /// Nothing of it: the use is the import of the module itself, and the name is empty.
    Nothing,
}

/// The uses of these names, in document order.
pub fn borrowed<'t>(tree: &'t Tree<'t>, names: &HashSet<&str>) -> Vec<Borrowed> {
    found(tree, Wanted::Names(names))
}

/// The changed imports of other files, and the changed uses of names from them, in document order.
#[must_use]
pub fn borrowed_by_change<'t>(tree: &'t Tree<'t>) -> Vec<Borrowed> {
    found(tree, Wanted::Changed)
}

fn found<'t>(tree: &'t Tree<'t>, wanted: Wanted<'_>) -> Vec<Borrowed> {
    let Some(symbols) = Symbols::of(tree).filter(|_| tree.is_readable_file()) else {
        return Vec::new();
    };
    let mut found = Found::new(tree, wanted);
    let of_modules = matches!(wanted, Wanted::Changed);
    match tree.grammar().name() {
        "Python" => {
            symbols.symbols().for_each(|symbol| found.of_python(symbol));
            if of_modules {
                found.modules_of_python();
            }
        }
        "JavaScript" | "TypeScript" | "TSX" => {
            symbols.symbols().for_each(|symbol| found.of_script(symbol));
            found.passed_on();
            if of_modules {
                found.modules_of_script();
            }
        }
        _ => {}
    }
    let mut list = found.list;
    list.sort_by_key(|one| one.line);
    list
}

/// The uses to look for.
#[derive(Clone, Copy)]
enum Wanted<'n> {
    /// Uses of these names.
    Names(&'n HashSet<&'n str>),
    /// Uses of any name that the change adds or alters.
    Changed,
}

impl Wanted<'_> {
    fn contains(self, name: &str) -> bool {
        match self {
            Self::Names(names) => names.contains(name),
            Self::Changed => true,
        }
    }
}

struct Found<'t, 'n> {
    tree: &'t Tree<'t>,
    names: Wanted<'n>,
    /// The names that are the content of a string.
    quoted: HashSet<&'t str>,
    /// The modules that are passed to functions, which may replace them.
    replaced: HashSet<&'t str>,
    list: Vec<Borrowed>,
}

impl<'t, 'n> Found<'t, 'n> {
    fn new(tree: &'t Tree<'t>, names: Wanted<'n>) -> Self {
        let mut found = Self {
            tree,
            names,
            quoted: HashSet::new(),
            replaced: HashSet::new(),
            list: Vec::new(),
        };
        for node in tree.nodes() {
            let Some(text) = node.string_value() else {
                continue;
            };
            if names.contains(text) {
                found.quoted.insert(text);
            }
            if is_own_path(text) && is_passed_to_function(node) {
                found.replaced.insert(text);
            }
        }
        found
    }

    fn add(
        &mut self,
        name: &str,
        (module, way): (&str, Way),
        place: Node<'t>,
        function: Option<Node<'t>>,
    ) {
        let call = [Some(place), place.parent()]
            .into_iter()
            .flatten()
            .find_map(call_of);
        let line = match self.names {
            Wanted::Names(_) => Some(place),
            Wanted::Changed => [place]
                .into_iter()
                .chain(call.into_iter().flat_map(Node::leaves))
                .find(|leaf| leaf.touches_change()),
        };
        let Some(line) = line.and_then(Node::line) else {
            return;
        };
        self.list.push(Borrowed {
            name: name.to_owned(),
            module: module.to_owned(),
            way,
            line,
            passed: function.and_then(call_of).and_then(Passed::of_call),
            result: call.map_or(ResultUse::Unknown, result_use),
        });
    }

    /// A name that is imported by itself: records the import and its uses.
    fn by_name(&mut self, name: &str, module: &str, import: Node<'t>, symbol: &'t Symbol) {
        self.add(name, (module, Way::ByName), import, None);
        for used in symbol.uses(self.tree) {
            self.add(name, (module, Way::ByName), used, Some(used));
        }
    }

    fn of_python(&mut self, symbol: &'t Symbol) {
        let definitions: Vec<Node<'t>> = symbol.definitions(self.tree).collect();
        let [first, rest @ ..] = definitions.as_slice() else {
            return;
        };
        if symbol.kind != DefKind::Import || definitions.iter().any(|name| is_tried(*name)) {
            return;
        }
        let statement = |name: Node<'t>| {
            name.ancestors()
                .find(|around| around.is(&["import_statement", "import_from_statement"]))
        };
        let Some(import) = statement(*first) else {
            return;
        };
        let alias = first
            .ancestors()
            .find(|around| around.is(&["aliased_import"]));
        if import.is(&["import_from_statement"]) {
            let Some(from) = import.field("module_name").filter(|_| rest.is_empty()) else {
                return;
            };
            let from: String = from.text().split_whitespace().collect();
            let name = alias
                .and_then(|alias| alias.field("name"))
                .unwrap_or(*first)
                .text();
            if self.names.contains(name) {
                self.by_name(name, &from, *first, symbol);
            }
            // A name that a package imports from a module of the same name differs from the module.
            if matches!(self.names, Wanted::Names(_)) {
                let dot = if from.ends_with('.') { "" } else { "." };
                self.members(symbol, "", &format!("{from}{dot}{name}"));
            }
        } else if let Some(path) = alias
            .and_then(|alias| alias.field("name"))
            .filter(|_| rest.is_empty())
        {
            self.members(symbol, "", path.text());
        } else if alias.is_none() {
            // `import a.b` and `import a.c` both define `a`.
            let paths = definitions.iter().filter(|name| {
                statement(**name).is_some_and(|around| around.is(&["import_statement"]))
            });
            let paths: Vec<Node<'t>> = paths
                .filter_map(|name| name.parent().filter(|path| path.is(&["dotted_name"])))
                .collect();
            if paths.len() == definitions.len() {
                for path in paths {
                    self.members(
                        symbol,
                        path.text().strip_prefix(first.text()).unwrap_or_default(),
                        path.text(),
                    );
                }
            }
        }
    }

    /// The members of a Python module that is bound to a name. `path` is below the name: `.b` for `import a.b`.
    fn members(&mut self, symbol: &'t Symbol, path: &str, module: &str) {
        let parts: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
        let mut members = Vec::new();
        for used in symbol.uses(self.tree) {
            let inner = parts.iter().try_fold(used, |node, part| {
                attribute_of(node, "attribute")
                    .filter(|(_, name)| name.text() == *part)
                    .map(|(node, _)| node)
            });
            let Some((member, name)) = inner.and_then(|node| attribute_of(node, "attribute"))
            else {
                continue;
            };
            if !self.names.contains(name.text()) {
                continue;
            }
            // The file adds names to the module, or tests whether it has some.
            let is_set = member.own_field() == "left"
                || member
                    .parent()
                    .is_some_and(|around| around.is(&["delete_statement"]));
            if is_set || is_tried(member) || self.quoted.contains(name.text()) {
                return;
            }
            members.push((member, name));
        }
        for (member, name) in members {
            self.add(name.text(), (module, Way::OfModule), name, Some(member));
        }
    }

    fn of_script(&mut self, symbol: &'t Symbol) {
        let mut definitions = symbol.definitions(self.tree);
        let (Some(name), None) = (definitions.next(), definitions.next()) else {
            return;
        };
        if is_tried(name) {
            return;
        }
        if symbol.kind == DefKind::Import {
            let Some(import) = name
                .ancestors()
                .find(|around| around.is(&["import_statement"]))
            else {
                return;
            };
            let Some(module) = import
                .field("source")
                .and_then(|source| self.module(source))
            else {
                return;
            };
            let Some(around) = name.parent() else { return };
            match around.kind() {
                "import_specifier" => {
                    let original = around.field("name").unwrap_or(name).text();
                    self.imported(original, module, name, symbol);
                }
                "namespace_import" => self.members_of_script(symbol, &[Way::OfModule], module),
                "import_clause" => self.members_of_script(symbol, &[Way::OfDefault], module),
                _ => {}
            }
            return;
        }
        let Some(declarator) = name
            .ancestors()
            .take(4)
            .find(|around| around.is(&["variable_declarator"]))
        else {
            return;
        };
        let Some(value) = declarator.field("value") else {
            return;
        };
        if let Some((source, member)) = required_member(value)
            && self.names.contains(member)
            && declarator.field("name") == Some(name)
            && let Some(module) = self.module(source)
        {
            return self.by_name(member, module, name, symbol);
        }
        let Some(source) = required(value, IMPORTS) else {
            return;
        };
        let Some(module) = self.module(source) else {
            return;
        };
        if declarator.field("name") == Some(name) {
            return self.members_of_script(symbol, &[Way::OfModule, Way::OfDefault], module);
        }
        let original = match name.parent() {
            Some(around) if around.is(&["pair_pattern"]) => {
                around.field("key").filter(|key| *key != name)
            }
            Some(around) if around.is(&["object_pattern"]) => Some(name),
            _ => None,
        };
        if let Some(original) = original {
            self.imported(original.text(), module, name, symbol);
        }
    }

    /// A name that JavaScript imports by itself: records its uses, or those of its members.
    fn imported(&mut self, original: &str, module: &str, name: Node<'t>, symbol: &'t Symbol) {
        if self.names.contains(original) {
            self.by_name(original, module, name, symbol);
        }
        let Wanted::Names(names) = self.names else {
            return;
        };
        for used in symbol.uses(self.tree) {
            let member = attribute_of(used, "property").filter(|(member, name)| {
                names.contains(name.text()) && member.own_field() != "left"
            });
            if let Some((member, name)) = member {
                let path = format!("{original}.{}", name.text());
                self.add(&path, (module, Way::ByName), name, Some(member));
            }
        }
    }

    /// The calls of members of a JavaScript module. Only calls certainly fail.
    fn members_of_script(&mut self, symbol: &'t Symbol, ways: &[Way], module: &str) {
        let mut members = Vec::new();
        for used in symbol.uses(self.tree) {
            let Some((member, name)) = attribute_of(used, "property") else {
                continue;
            };
            if !self.names.contains(name.text()) {
                continue;
            }
            let Some(call) = call_of(member) else { return };
            let is_optional = call
                .children()
                .chain(member.children())
                .any(|child| child.is(&["optional_chain"]));
            if is_optional || is_tried(member) {
                return;
            }
            members.push((member, name));
        }
        for (member, name) in members {
            for way in ways {
                self.add(name.text(), (module, *way), name, Some(member));
            }
        }
    }

    /// `export { name } from './module'`.
    fn passed_on(&mut self) {
        let statements = self.tree.root().into_iter().flat_map(Node::named_children);
        for statement in statements.filter(|node| node.is(&["export_statement"])) {
            let Some(module) = statement
                .field("source")
                .and_then(|source| self.module(source))
            else {
                continue;
            };
            let clause = statement
                .child_of_kind(&["export_clause"])
                .into_iter()
                .flat_map(Node::named_children);
            for name in clause.filter_map(|specifier| specifier.field("name")) {
                if self.names.contains(name.text()) {
                    self.add(name.text(), (module, Way::ByName), name, None);
                }
            }
        }
    }

    /// The modules that changed imports of Python name.
    fn modules_of_python(&mut self) {
        for node in self.tree.changed_nodes() {
            if node.is(&["import_from_statement"]) {
                self.import(node.field("module_name"));
            } else if node.is(&["import_statement"]) {
                for name in node.named_children() {
                    self.import(Some(name.field("name").unwrap_or(name)));
                }
            }
        }
    }

    fn import(&mut self, module: Option<Node<'t>>) {
        if let Some(name) = module.filter(|name| name.touches_change() && !is_tried(*name)) {
            let module: String = name.text().split_whitespace().collect();
            self.add("", (&module, Way::Nothing), name, None);
        }
    }

    /// The files that changed imports of JavaScript name.
    fn modules_of_script(&mut self) {
        for node in self.tree.changed_nodes() {
            let source = if node.is(&["import_statement", "export_statement"]) {
                node.field("source")
            } else if node.is(&["variable_declarator"]) {
                node.field("value")
                    .filter(|value| !value.is(&["await_expression"]))
                    .and_then(|value| required(value, IMPORTS))
            } else {
                None
            };
            let Some(source) = source.filter(|source| !is_tried(*source)) else {
                continue;
            };
            if let Some(module) = self.module(source) {
                self.add("", (module, Way::Nothing), source, None);
            }
        }
    }

    /// The file that a string names, unless the code may replace it.
    fn module(&self, source: Node<'t>) -> Option<&'t str> {
        source
            .string_value()
            .filter(|module| is_own_path(module) && !self.replaced.contains(module))
    }
}

/// The usual aliases of folders with a project's own JavaScript.
const ALIASES: &[&str] = &["@/", "~/", "#/", "@app/", "src/"];

/// The path of a JavaScript import without the alias of a folder before it.
#[must_use]
pub fn below_alias(module: &str) -> Option<&str> {
    ALIASES.iter().find_map(|alias| module.strip_prefix(alias))
}

/// The path in an import such as `@shared/utils`, whose alias may be that of the folder `shared`. It may also name a
/// package.
#[must_use]
pub fn named_folder(module: &str) -> Option<&str> {
    let path = module.strip_prefix(['@', '~'])?;
    path.split_once('/')
        .filter(|(folder, rest)| !folder.is_empty() && !rest.is_empty())
        .map(|_| path)
}

/// Whether an import of JavaScript may name a file of the project: a relative path, or one that starts with an alias.
fn is_own_path(module: &str) -> bool {
    module.starts_with('.') || below_alias(module).is_some() || named_folder(module).is_some()
}

/// Whether a string is an argument of a function other than an import.
fn is_passed_to_function(string: Node<'_>) -> bool {
    let call = string
        .parent()
        .and_then(Node::parent)
        .filter(|call| call.is(&["call_expression"]));
    let imports = |call: Node<'_>| {
        call.field("function")
            .is_some_and(|own| IMPORTS.contains(&own.text()))
    };
    call.is_some_and(|call| !imports(call))
}

/// The functions that import a file.
const IMPORTS: &[&str] = &["require", "import"];

/// The string in a call of one of these functions, which may be awaited: `require('…')`, `await import('…')`.
pub(super) fn required<'t>(value: Node<'t>, functions: &[&str]) -> Option<Node<'t>> {
    let call = if value.is(&["await_expression"]) {
        value.named_children().next()?
    } else {
        value
    };
    let function = call
        .field("function")
        .filter(|_| call.is(&["call_expression"]))?;
    let mut arguments = call.field("arguments")?.named_children();
    arguments
        .next()
        .filter(|_| functions.contains(&function.text()))
}

/// The string and the name in `require('…').name`.
fn required_member(value: Node<'_>) -> Option<(Node<'_>, &str)> {
    let object = value
        .field("object")
        .filter(|_| value.is(&["member_expression"]))?;
    Some((required(object, IMPORTS)?, value.field("property")?.text()))
}

/// The access to a member of the module or object that a node refers to, and the member's name.
fn attribute_of<'t>(node: Node<'t>, field: &str) -> Option<(Node<'t>, Node<'t>)> {
    let around = node
        .parent()
        .filter(|around| around.is(&["attribute", "member_expression"]))?;
    let name = around.field(field)?;
    (node.own_field() == "object").then_some((around, name))
}

/// The call of a function.
fn call_of(function: Node<'_>) -> Option<Node<'_>> {
    let around = function
        .parent()
        .filter(|around| around.is(&["call", "call_expression", "new_expression"]))?;
    matches!(function.own_field(), "function" | "constructor").then_some(around)
}

/// Whether its failure may be expected.
fn is_tried(node: Node<'_>) -> bool {
    let suppresses = |around: Node<'_>| {
        let items = around
            .child_of_kind(&["with_clause"])
            .filter(|_| around.is(&["with_statement"]));
        items.is_some_and(|items| {
            items.text().contains("suppress") || items.text().contains("raises")
        })
    };
    node.ancestors()
        .any(|around| around.is(&["try_statement"]) || suppresses(around))
}
