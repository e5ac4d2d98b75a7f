//! How a file refers to types of other files.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use syntax::language::Role;
use syntax::semantics::packages::{is_import, package};
use syntax::tree::{Node, Tree};

use super::members::type_name;

/// The maximum number of imports of a file that are read.
const IMPORTS: usize = 500;
/// The maximum number of namespaces that a file sees.
const NAMESPACES: usize = 60;

/// The name of a type, and where it is defined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct TypeRef {
    /// The name in its own file.
    pub(crate) name: String,
    /// Where to look for it.
    pub(crate) home: Home,
}

/// Where a type is defined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Home {
    /// In the file that refers to it.
    SameFile,
    /// In the file that an import of JavaScript or Python names.
    Module(String),
    /// In one of these packages or namespaces.
    Packages(Vec<String>),
    /// In the Go package with this import path; empty for the package of the file itself.
    GoPackage(String),
}

impl TypeRef {
    /// A type that the file itself defines.
    pub(super) fn of_same_file(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            home: Home::SameFile,
        }
    }
}

/// The names that a file imports.
pub(super) struct Imports<'t> {
    language: &'static str,
    package: String,
    /// Where each imported name comes from, and its name there; `None` if there are several.
    by_name: HashMap<String, Option<(String, String)>>,
    /// The namespaces that C# sees.
    namespaces: Vec<String>,
    /// The types that the file declares, and the last names of those that it writes with their package.
    unclear: HashSet<&'t str>,
}

impl<'t> Imports<'t> {
    pub(super) fn of(tree: &'t Tree<'t>) -> Self {
        let language = tree.grammar().name();
        let package = tree.root().map(package).unwrap_or_default();
        let mut imports = Self {
            language,
            namespaces: namespaces_around(&package),
            package,
            by_name: HashMap::new(),
            unclear: HashSet::new(),
        };
        let is_by_package = ["Java", "Kotlin", "C#", "PHP"].contains(&language);
        let mut left = IMPORTS;
        for node in tree.nodes() {
            if is_qualified(node) {
                imports.unclear.insert(node.last_name());
            } else if is_by_package && node.has_role(Role::Class) {
                imports.unclear.extend(type_name(node));
            } else if imports_names(node) && left > 0 {
                left -= 1;
                imports.read(node);
            }
        }
        imports
    }

    /// The type that a name in the file means; `None` if that is uncertain.
    pub(super) fn type_ref(&self, name: &str) -> Option<TypeRef> {
        let to = |name: &str, home| {
            Some(TypeRef {
                name: name.to_owned(),
                home,
            })
        };
        if self.language == "Go" {
            return self.go(name.trim_start_matches(['*', '&']));
        }
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_plain || name.is_empty() || self.unclear.contains(name) {
            return None;
        }
        let imported = self.by_name.get(name);
        match self.language {
            "Python" | "JavaScript" | "TypeScript" | "TSX" => match imported {
                Some(Some((module, name))) => to(name, Home::Module(module.clone())),
                Some(None) => None,
                None => to(name, Home::SameFile),
            },
            "C#" => to(name, Home::Packages(self.namespaces.clone())),
            "Java" | "Kotlin" | "PHP" => match imported {
                Some(Some((package, name))) => to(name, Home::Packages(vec![package.clone()])),
                Some(None) => None,
                None => to(name, Home::Packages(vec![self.package.clone()])),
            },
            _ => None,
        }
    }

    /// Whether a name is imported by itself.
    pub(super) fn imports(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The Go package that a name means; it counts as a type without a name.
    pub(super) fn go_package(&self, name: &str) -> Option<TypeRef> {
        let (path, _) = self.by_name.get(name)?.as_ref()?;
        Some(TypeRef {
            name: String::new(),
            home: Home::GoPackage(path.clone()),
        })
    }

    fn go(&self, name: &str) -> Option<TypeRef> {
        let is_name =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let (home, name) = match name.split_once('.') {
            Some((alias, name)) => {
                let (path, _) = self.by_name.get(alias)?.as_ref()?;
                (path.clone(), name)
            }
            None => (String::new(), name),
        };
        is_name(name).then(|| TypeRef {
            name: name.to_owned(),
            home: Home::GoPackage(home),
        })
    }

    fn add(&mut self, local: &str, module: &str, name: &str) {
        let origin = (module.to_owned(), name.to_owned());
        self.by_name
            .entry(local.to_owned())
            .and_modify(|known| {
                if known.as_ref() != Some(&origin) {
                    *known = None;
                }
            })
            .or_insert(Some(origin));
    }

    fn read(&mut self, node: Node<'_>) {
        match self.language {
            "Java" | "Kotlin" => self.read_jvm(node.text()),
            "PHP" => self.read_php(node.text()),
            "C#" => self.read_using(node.text()),
            "Go" => self.read_go(node),
            "Python" => self.read_python(node),
            _ => self.read_script(node),
        }
    }

    fn read_jvm(&mut self, text: &str) {
        let path = text.trim().trim_start_matches("import").trim();
        let path = path.trim_end_matches(';').trim();
        let (path, alias) = match path.split_once(" as ") {
            Some((path, alias)) => (path.trim(), Some(alias.trim())),
            None => (path, None),
        };
        if let Some((package, name)) = path.rsplit_once('.')
            && !path.starts_with("static ")
        {
            self.add(alias.unwrap_or(name), package, name);
        }
    }

    fn read_php(&mut self, text: &str) {
        let path = text.trim().trim_start_matches("use").trim();
        let path = path.trim_end_matches(';').trim();
        if ["function ", "const "]
            .iter()
            .any(|word| path.starts_with(word))
        {
            return;
        }
        let (prefix, items) = match path.split_once('{') {
            Some((prefix, items)) => (prefix.trim(), items.trim_end_matches('}')),
            None => ("", path),
        };
        for item in items
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let (path, alias) = match item.split_once(" as ") {
                Some((path, alias)) => (path.trim(), Some(alias.trim())),
                None => (item, None),
            };
            let path = format!("{prefix}{path}");
            let path = path.trim_start_matches('\\');
            let (package, name) = path.rsplit_once('\\').unwrap_or(("", path));
            self.add(alias.unwrap_or(name), package, name);
        }
    }

    fn read_using(&mut self, text: &str) {
        let path = text.trim().trim_start_matches("global").trim();
        let path = path.trim_start_matches("using").trim();
        let path = path.trim_end_matches(';').trim();
        let is_namespace = path
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        if is_namespace && self.namespaces.len() < NAMESPACES {
            self.namespaces.push(path.to_owned());
        }
    }

    fn read_go(&mut self, node: Node<'_>) {
        let Some(path) = node.field("path").map(|path| path.text().trim_matches('"')) else {
            return;
        };
        let is_version = |part: &str| {
            part.strip_prefix('v')
                .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
        };
        let last = path.rsplit('/').find(|part| !is_version(part));
        let local = node.field("name").map(Node::text).or(last);
        if let Some(local) = local.filter(|local| !matches!(*local, "." | "_")) {
            self.add(local, path, "");
        }
    }

    fn read_python(&mut self, node: Node<'_>) {
        let Some(module) = node.field("module_name") else {
            return;
        };
        let from: String = module.text().split_whitespace().collect();
        for name in node.named_children().filter(|name| *name != module) {
            match name.kind() {
                "dotted_name" => self.add(name.text(), &from, name.text()),
                "aliased_import" => {
                    if let Some((name, alias)) = name.field("name").zip(name.field("alias")) {
                        self.add(alias.text(), &from, name.text());
                    }
                }
                _ => {}
            }
        }
    }

    fn read_script(&mut self, node: Node<'_>) {
        if node.is(&["variable_declarator"]) {
            return self.read_require(node);
        }
        let module = node.field("source").and_then(Node::string_value);
        let clause = node.child_of_kind(&["import_clause"]);
        let Some((module, clause)) = module.zip(clause) else {
            return;
        };
        for part in clause.named_children() {
            match part.kind() {
                "identifier" => self.add(part.text(), module, "default"),
                "named_imports" => {
                    for one in part.named_children() {
                        if let Some(name) = one.field("name") {
                            let local = one.field("alias").unwrap_or(name);
                            self.add(local.text(), module, name.text());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// `const A = require('./a')` and `const { A } = require('./a')`.
    fn read_require(&mut self, node: Node<'_>) {
        let call = node
            .field("value")
            .filter(|value| value.is(&["call_expression"]));
        let module = call
            .filter(|call| {
                call.field("function")
                    .is_some_and(|own| own.text() == "require")
            })
            .and_then(|call| call.field("arguments")?.named_children().next())
            .and_then(Node::string_value);
        let Some((module, name)) = module.zip(node.field("name")) else {
            return;
        };
        if name.is(&["identifier"]) {
            return self.add(name.text(), module, "default");
        }
        for one in name.named_children() {
            if one.is(&["shorthand_property_identifier_pattern"]) {
                self.add(one.text(), module, one.text());
            }
        }
    }
}

/// A namespace and those that enclose it.
fn namespaces_around(package: &str) -> Vec<String> {
    let mut found = vec![package.to_owned()];
    let mut rest = package;
    while let Some((outer, _)) = rest.rsplit_once('.') {
        found.push(outer.to_owned());
        rest = outer;
    }
    found.truncate(NAMESPACES);
    found
}

/// Whether a node imports names: a statement, one line of Go's, or a call of `require`.
fn imports_names(node: Node<'_>) -> bool {
    let is_set_by_call = || {
        let value = node.field("value");
        value.is_some_and(|value| value.is(&["call_expression"]))
    };
    is_import(node)
        || node.is(&["import_spec"])
        || node.is(&["variable_declarator"]) && is_set_by_call()
}

fn is_qualified(node: Node<'_>) -> bool {
    let is_path = node.is(&[
        "qualified_name", "scoped_type_identifier", "nested_type_identifier",
    ]);
    is_path
        && !node
            .ancestors()
            .take(4)
            .any(|around| imports_names(around) || around.kind().contains("namespace_"))
}
