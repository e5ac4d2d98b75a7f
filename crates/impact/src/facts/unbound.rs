//! Names of types, and of packages of Go, that a changed file uses and neither defines nor imports.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use syntax::semantics::packages::package;
use syntax::semantics::symbols::standard::needs_import;
use syntax::semantics::symbols::unbound::{Unbound, imports, unbound, usings};
use syntax::tree::{Node, Tree};

/// The maximum number of such names of one file.
const NAMES: usize = 200;
/// The maximum number of namespaces that a file imports.
const NAMESPACES: usize = 200;

/// The unbound names of a whole file of a language with packages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnboundNames {
    /// The package or namespace of the file.
    pub(crate) package: String,
    /// The namespaces that a file of C# imports.
    pub(crate) namespaces: Vec<String>,
    /// Those whose import the change removes, with the lines of the old side.
    pub(crate) lost_namespaces: Vec<(String, u32)>,
    /// The names.
    pub(crate) names: Vec<UnboundName>,
}

/// An unbound name that is used in an added line, or whose import the change removes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnboundName {
    pub(crate) name: String,
    /// The line of the first use, or of the first added one.
    pub(crate) line: u32,
    /// The change adds the use.
    pub(crate) is_added: bool,
    /// The package from which the old file imported it, and the line of that import.
    pub(crate) lost: Option<(String, u32)>,
    /// A base type may define it.
    pub(crate) may_be_inherited: bool,
    /// The uses of a package of Go in the file.
    pub(crate) member: Option<String>,
    /// The first use has type arguments.
    pub(crate) is_generic: bool,
}

/// The unbound names of the new side of a whole file; `old` is missing for an added file.
pub(crate) fn unbound_names(old: Option<&Tree<'_>>, new: &Tree<'_>) -> UnboundNames {
    let Some(uses) = unbound(new).filter(|uses| !uses.is_empty()) else {
        return UnboundNames::default();
    };
    let package = new.root().map(package).unwrap_or_default();
    let namespaces: Vec<String> = usings(new)
        .take(NAMESPACES)
        .map(|(name, _)| name.to_owned())
        .collect();
    let removed = old.into_iter().flat_map(usings);
    let lost_namespaces: Vec<(String, u32)> = removed
        .filter(|(name, using)| using.touches_change() && !namespaces.iter().any(|own| own == name))
        .filter_map(|(name, using)| Some((name.to_owned(), using.line()?)))
        .take(NAMESPACES)
        .collect();
    let lost = old.map(lost_imports).unwrap_or_default();
    let before = match old {
        Some(old) => unbound(old),
        None => Some(Vec::new()),
    };
    let is_wildcard_gone = before.is_none();
    let known: HashSet<&str> = before.iter().flatten().map(|own| own.name.text()).collect();
    let mut found: BTreeMap<&str, UnboundName> = BTreeMap::new();
    for Unbound {
        name,
        may_be_inherited,
    } in uses
    {
        let text = name.text();
        if needs_import(new, text) {
            continue;
        }
        let is_added = name.touches_change();
        let (Some(line), true) = (name.line(), found.len() < NAMES || found.contains_key(text))
        else {
            continue;
        };
        let lost = lost.get(text).filter(|(from, _)| *from != package);
        let is_new = is_added && !known.contains(text) && !is_wildcard_gone;
        if lost.is_none() && !is_new && lost_namespaces.is_empty() {
            continue;
        }
        let own = found.entry(text).or_insert_with(|| UnboundName {
            name: text.to_owned(),
            line,
            is_added,
            lost: lost.cloned(),
            may_be_inherited,
            member: member(name),
            is_generic: name
                .parent()
                .is_some_and(|around| around.is(&["generic_name"])),
        });
        if is_added && !own.is_added {
            (own.line, own.is_added) = (line, true);
        }
        own.may_be_inherited |= may_be_inherited;
    }
    UnboundNames {
        package,
        namespaces,
        lost_namespaces,
        names: found.into_values().collect(),
    }
}

/// The imports on removed lines, with their packages and lines.
fn lost_imports<'t>(old: &'t Tree<'t>) -> HashMap<&'t str, (String, u32)> {
    let removed = imports(old).filter(|import| import.node.touches_change());
    removed
        .filter_map(|import| Some((import.name, (import.package, import.node.line()?))))
        .collect()
}

/// The used names of a package of Go.
fn member(package: Node<'_>) -> Option<String> {
    let parent = package.parent()?;
    let member = match parent.kind() {
        "selector_expression" => parent.field("field"),
        "qualified_type" => parent.field("name"),
        _ => None,
    };
    member.map(|member| member.text().to_owned())
}
