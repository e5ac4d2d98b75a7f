//! Changes that break files that refer to a function by its name, a package or a type, without importing it by a path.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashSet};

use review::Side;
use syntax::language::{Grammar, Role};
use syntax::semantics::names::word_counts;
use syntax::semantics::packages::{package, package_statement};
use syntax::semantics::symbols::parameters::Parameters;
use syntax::tree::{Node, Tree};

use super::breaks::BothSides;
use super::calls::{MANY_PARAMETERS, Signature};
use super::constructors::constructors;
use super::function_header::{FunctionHeader, heads};
use super::generating::generating;
use super::implementors::requirements;
use super::members::{
    MemberKind, all_types, is_of_interface, members, name_of_type, outer_types, type_name,
};
use super::mentions::declared_names;
use super::model::{Break, ByName, Cause, Named};
use super::results::{element_change, result_change};
use super::surface::has_text;
use crate::text::hash;

/// The minimum length of the name of a function or member that is searched for.
const NAME: usize = 4;
const MEMBER: usize = 3;
/// The maximum number of names that a file defines.
const DEFINED: usize = 4_000;
/// The maximum nesting of types within each other.
const AROUND: usize = 12;
/// Names that a language or its runtime calls itself.
const CALLED_BY_THE_LANGUAGE: &[&str] = &["main", "init", "initialize", "finalize", "dispose"];

/// A function of a whole file that other files can call.
#[derive(Clone, Copy)]
struct Defined<'t> {
    head: FunctionHeader<'t>,
    owner: Option<Owner<'t>>,
    is_constructor: bool,
}

#[derive(Clone, Copy)]
struct Owner<'t> {
    name: &'t str,
    /// It extends or implements another type.
    has_bases: bool,
}

/// Whether files of a language refer to functions of other files by name. Files of Python and JavaScript import them.
fn is_by_name(grammar: Grammar, is_member: bool) -> bool {
    match grammar.name() {
        "Go" | "Java" | "Kotlin" | "C#" | "PHP" | "Ruby" | "Rust" | "C" | "C++" => true,
        "Python" => is_member,
        _ => false,
    }
}

/// The breaks of a changed file that is whole on both sides.
pub(crate) fn breaks_by_name(sides: &BothSides<'_>) -> Vec<Break> {
    if !sides.old.is_readable_file() || !sides.new.is_readable_file() {
        return removed_c_functions(sides);
    }
    let (before, after) = (by_owner(sides.old), by_owner(sides.new));
    let left = left_names(sides.new, &before, &after);
    // A column of the database replaces a method without any definition.
    let is_ruby = sides.old.grammar().name() == "Ruby";
    let words = LazyCell::new(|| word_counts(text(sides.new)));
    let package = sides.old.root().map(package).unwrap_or_default();
    let mut found = lost_members(sides, &package);
    let lost_types = lost_types(sides, &package);
    let lost: HashSet<&str> = lost_types.iter().map(|lost| lost.name.as_str()).collect();
    for ((owner, name), old) in &before {
        if owner.is_some_and(|owner| lost.contains(owner)) {
            continue;
        }
        let new = after
            .get(&(*owner, *name))
            .map(Vec::as_slice)
            .unwrap_or_default();
        let is_constructor = old.iter().any(|own| own.is_constructor);
        let is_left = left.contains(name)
            || is_ruby && words.contains_key(name.trim_end_matches(['?', '!', '=']));
        if new.is_empty() && (is_constructor || is_left) {
            continue;
        }
        let may_be_inherited = old
            .iter()
            .any(|own| own.owner.is_some_and(|owner| owner.has_bases));
        for (cause, place) in causes(old, new) {
            let by_name = ByName {
                owner: owner.map(str::to_owned),
                package: package.clone(),
                may_be_inherited,
                has_namesake: false,
                named: if is_constructor {
                    Named::Constructor
                } else {
                    Named::Function
                },
            };
            found.push(Break::of_name(name, place, cause, by_name));
        }
    }
    found.extend(lost_types);
    found.extend(requirements(sides, &package));
    found.retain(|one| one.cause != Cause::Removed || !is_generated(sides.new, &one.name));
    found
}

/// Whether an annotation of the file may generate this accessor, because the file names its field.
fn is_generated(new: &Tree<'_>, name: &str) -> bool {
    let field = ["get", "is", "set", "with"].iter().find_map(|start| {
        let rest = name.strip_prefix(start)?;
        let first = rest.chars().next().filter(|c| c.is_uppercase())?;
        Some(format!(
            "{}{}",
            first.to_lowercase(),
            &rest[first.len_utf8()..]
        ))
    });
    let text = text(new);
    new.grammar().name() == "Java"
        && generating("Java").iter().any(|mark| has_text(text, mark))
        && field.is_some_and(|field| has_text(text, &field))
}

/// The functions that a file of C or C++ no longer names. Macros often keep such a file from being read completely.
fn removed_c_functions(sides: &BothSides<'_>) -> Vec<Break> {
    let is_c = ["C", "C++"].contains(&sides.old.grammar().name());
    if !is_c || !sides.old.is_whole() || !sides.new.is_whole() {
        return Vec::new();
    }
    let words = word_counts(text(sides.new));
    let removed = by_owner(sides.old)
        .into_iter()
        .filter_map(|((owner, name), old)| {
            let place =
                removed_line(&old).filter(|_| owner.is_none() && !words.contains_key(name))?;
            let by_name = ByName {
                owner: None,
                package: String::new(),
                may_be_inherited: false,
                has_namesake: false,
                named: Named::Function,
            };
            Some(Break::of_name(name, place, Cause::Removed, by_name))
        });
    removed.collect()
}

fn text<'t>(tree: &'t Tree<'t>) -> &'t str {
    tree.root().map_or("", Node::text)
}

/// The hashes of the names of functions, types and members that a file defines, and of those whose definitions the change adds,
/// both sorted.
pub(crate) fn defined_names(tree: &Tree<'_>) -> (Vec<u64>, Vec<u64>) {
    let functions = heads(tree).map(|head| head.name);
    let members: Vec<Node<'_>> = members(tree).values().map(|member| member.name).collect();
    let types: Vec<Node<'_>> = all_types(tree)
        .values()
        .filter_map(|node| name_of_type(*node))
        .collect();
    let names: Vec<Node<'_>> = functions.chain(members).chain(types).collect();
    let hashes = |names: &mut dyn Iterator<Item = &Node<'_>>| {
        let mut found: Vec<u64> = names.map(|name| hash(name.text())).collect();
        found.sort_unstable();
        found.dedup();
        found.truncate(DEFINED);
        found
    };
    let all = hashes(&mut names.iter());
    (
        all,
        hashes(&mut names.iter().filter(|name| name.touches_change())),
    )
}

/// The types that the file no longer has, or that now belong to another package.
fn lost_types(sides: &BothSides<'_>, package_before: &str) -> Vec<Break> {
    if !matches!(
        sides.old.grammar().name(),
        "Java" | "Kotlin" | "C#" | "PHP" | "Ruby" | "Rust" | "Go"
    ) {
        return Vec::new();
    }
    let package_now = sides.new.root().map(package).unwrap_or_default();
    let has_moved = package_now != package_before;
    let after = outer_types(sides.new);
    let mut gone = outer_types(sides.old);
    gone.retain(|name, _| has_moved || !after.contains_key(name));
    if gone.is_empty() {
        return Vec::new();
    }
    let names: HashSet<&str> = gone.keys().copied().collect();
    let declared = declared_names(sides.new, &names);
    let found = gone.into_iter().filter_map(|(name, node)| {
        let (place, cause) = if has_moved && after.contains_key(name) {
            let line = changed_package(sides.new)?;
            ((Side::New, line), Cause::Moved(package_now.clone()))
        } else {
            let name = name_of_type(node).filter(|name| name.touches_change())?;
            let is_left = declared.contains(name.text());
            (
                (Side::Old, name.line().filter(|_| !is_left)?),
                Cause::Removed,
            )
        };
        let is_wanted = name.len() >= NAME && name.is_ascii() && is_visible_type(node);
        let by_name = ByName {
            owner: Some(name.to_owned()),
            package: package_before.to_owned(),
            may_be_inherited: false,
            has_namesake: false,
            named: Named::Type,
        };
        is_wanted.then(|| Break::of_name(name, place, cause, by_name))
    });
    found.collect()
}

/// The line on which the package of a file changed.
fn changed_package(tree: &Tree<'_>) -> Option<u32> {
    let statement = package_statement(tree.root()?)?;
    let changed = statement.leaves().find(|leaf| leaf.touches_change());
    changed?.line()
}

/// Whether other files can use a type.
fn is_visible_type(node: Node<'_>) -> bool {
    node.tree().grammar().name() != "Rust" || node.child_of_kind(&["visibility_modifier"]).is_some()
}

/// The constants, cases and fields that types of the file no longer have.
fn lost_members(sides: &BothSides<'_>, package: &str) -> Vec<Break> {
    if !has_members(sides.old.grammar()) {
        return Vec::new();
    }
    let mut gone = members(sides.old);
    gone.retain(|_, member| member.name.touches_change());
    if gone.is_empty() {
        return Vec::new();
    }
    let after = members(sides.new);
    gone.retain(|key, _| !after.contains_key(key));
    // Another member may have taken the name, or the whole type may have been removed.
    let names: HashSet<&str> = gone.keys().map(|(_, name)| *name).collect();
    let declared = declared_names(sides.new, &names);
    let others: HashSet<&str> = after.keys().map(|(_, name)| *name).collect();
    let owners = all_types(sides.new);
    let gone = gone.into_iter().filter_map(|((owner, name), member)| {
        let named = match member.kind {
            MemberKind::OfType => Named::Constant,
            MemberKind::OfValue => Named::Field,
        };
        let may_be_inherited = has_bases(*owners.get(owner)?);
        // Constants are read by the name of their type, so that namesakes differ.
        let has_namesake = named == Named::Constant && others.contains(name);
        let is_gone = !declared.contains(name) || has_namesake && !may_be_inherited;
        let by_name = ByName {
            owner: Some(owner.to_owned()),
            package: package.to_owned(),
            may_be_inherited,
            has_namesake,
            named,
        };
        let place = (Side::Old, member.name.line().filter(|_| is_gone)?);
        Some(Break::of_name(name, place, Cause::Removed, by_name))
    });
    gone.collect()
}

/// Whether files of a language read members of types of other files by name.
fn has_members(grammar: Grammar) -> bool {
    matches!(
        grammar.name(),
        "Java" | "Kotlin" | "C#" | "PHP" | "Ruby" | "Rust" | "Python" | "Go"
    )
}

/// The names of removed functions that the file still defines: as a function of another type, a variable or an import.
fn left_names<'t>(
    tree: &'t Tree<'t>,
    before: &ByOwner<'t>,
    after: &ByOwner<'t>,
) -> HashSet<&'t str> {
    let removed: HashSet<&str> = before
        .keys()
        .filter(|key| !after.contains_key(key))
        .map(|(_, name)| *name)
        .collect();
    if removed.is_empty() {
        return HashSet::new();
    }
    let mut left = declared_names(tree, &removed);
    left.extend(after.keys().map(|(_, name)| *name));
    left
}

type ByOwner<'t> = BTreeMap<(Option<&'t str>, &'t str), Vec<Defined<'t>>>;

fn by_owner<'t>(tree: &'t Tree<'t>) -> ByOwner<'t> {
    let mut found = ByOwner::new();
    for head in heads(tree) {
        let name = head.name.text();
        let is_constructor = head.name != head.place || head.whole.is(&["constructor_declaration"]);
        if is_constructor || CALLED_BY_THE_LANGUAGE.contains(&name) {
            continue;
        }
        let owner = owner(head);
        let least = if owner.is_some() { MEMBER } else { NAME };
        if name.len() < least || !name.is_ascii() || name.starts_with('_') {
            continue;
        }
        if is_by_name(tree.grammar(), owner.is_some()) && is_visible(head, owner.is_some()) {
            found
                .entry((owner.map(|owner| owner.name), name))
                .or_default()
                .push(Defined {
                    head,
                    owner,
                    is_constructor: false,
                });
        }
    }
    for (class, node) in outer_types(tree) {
        let owner = Some(Owner {
            name: class,
            has_bases: has_bases(node),
        });
        let defined = constructors(node).into_iter().map(|head| Defined {
            head,
            owner,
            is_constructor: true,
        });
        let defined: Vec<Defined<'_>> = defined.collect();
        if !defined.is_empty() {
            found.insert((Some(class), class), defined);
        }
    }
    found
}

/// The type that a function is a member of.
fn owner(head: FunctionHeader<'_>) -> Option<Owner<'_>> {
    let function = head.whole;
    if let Some(receiver) = function.field("receiver").filter(|_| is_go(function)) {
        let name = receiver
            .leaves()
            .find(|leaf| leaf.is(&["type_identifier"]))?;
        return Some(Owner {
            name: name.text(),
            has_bases: false,
        });
    }
    if let Some(scope) = cpp_scope(head.place) {
        return Some(Owner {
            name: scope.last_name(),
            has_bases: false,
        });
    }
    let class = function
        .ancestors()
        .take(AROUND)
        .find(|around| around.has_role(Role::Class) || around.has_role(Role::Function))
        .filter(|around| around.has_role(Role::Class))?;
    Some(Owner {
        name: type_name(class)?,
        has_bases: has_bases(class),
    })
}

fn is_go(node: Node<'_>) -> bool {
    node.tree().grammar().name() == "Go"
}

/// `A` in `void A::f() {}`.
fn cpp_scope(name: Node<'_>) -> Option<Node<'_>> {
    let qualified = name
        .parent()
        .filter(|around| around.is(&["qualified_identifier"]))?;
    let scope = qualified.field("scope")?;
    (scope != name).then_some(scope)
}

pub(super) fn has_bases(class: Node<'_>) -> bool {
    const BASES: &[&str] = &[
        "base_list", "base_clause", "class_interface_clause", "superclass", "super_interfaces",
        "extends_interfaces", "delegation_specifier", "base_class_clause", "argument_list",
    ];
    let mixes_in = |node: Node<'_>| {
        node.is(&["use_declaration"])
            || node
                .call()
                .is_some_and(|call| matches!(call.name, "include" | "extend" | "prepend"))
    };
    class.child_of_kind(BASES).is_some()
        || class.any_field(&["superclass", "superclasses"]).is_some()
        || class
            .field("body")
            .is_some_and(|body| body.named_children().any(mixes_in))
}

/// Whether other files may call it, and it does not replace a function of a base type.
fn is_visible(head: FunctionHeader<'_>, is_member: bool) -> bool {
    let function = head.whole;
    let before_name: Vec<&str> = function
        .children()
        .take_while(|child| child.index() < head.place.index())
        .flat_map(Node::leaves)
        .filter(|leaf| leaf.index() < head.place.index())
        .map(Node::text)
        .collect();
    let has_modifier = |word: &str| before_name.contains(&word);
    if ["private", "override", "Override"]
        .iter()
        .any(|word| has_modifier(word))
    {
        return false;
    }
    match function.tree().grammar().name() {
        "C" | "C++" => {
            let is_local = !is_member && has_modifier("static");
            let is_unnamed = |around: Node<'_>| {
                around.is(&["namespace_definition"]) && around.field("name").is_none()
            };
            !is_local && !function.ancestors().any(is_unnamed)
        }
        "C#" => has_modifier("public") || has_modifier("internal") || is_of_interface(function),
        "Rust" => {
            let of_trait = |around: Node<'_>| {
                around.is(&["impl_item"]) && around.field("trait").is_some()
                    || around.is(&["trait_item"])
            };
            has_modifier("pub") && !function.ancestors().take(AROUND).any(of_trait)
        }
        _ => true,
    }
}

/// The causes of breaks, with the changed line to report. Empty if calls work as before.
fn causes(old: &[Defined<'_>], new: &[Defined<'_>]) -> Vec<(Cause, (Side, u32))> {
    let mut found = Vec::new();
    if new.is_empty() {
        found.extend(removed_line(old).map(|place| (Cause::Removed, place)));
        return found;
    }
    if let Some(cause) = other_parameters(old, new) {
        found.extend(changed_line(old, new).map(|place| (cause, place)));
    }
    if let ([before], [after]) = (old, new)
        && !before.is_constructor
    {
        let header = header_line(after.head);
        let in_header = result_change(before.head, after.head).map(|change| (change, header));
        let in_body = || {
            let (change, line) = element_change(before.head.whole, after.head.whole)?;
            Some((change, header.or(Some(line))))
        };
        if let Some((change, Some(line))) = in_header.or_else(in_body) {
            found.push((Cause::Result(change), (Side::New, line)));
        }
    }
    found
}

fn removed_line(old: &[Defined<'_>]) -> Option<(Side, u32)> {
    let removed = old.iter().find(|own| own.head.place.touches_change())?;
    Some((Side::Old, removed.head.place.line()?))
}

/// The line of the name, or of another change in the header.
fn header_line(head: FunctionHeader<'_>) -> Option<u32> {
    let body = head
        .whole
        .field("body")
        .or_else(|| head.whole.child_of_kind(&["function_body"]));
    let end = body.map_or(usize::MAX, Node::index);
    let header = head.whole.leaves().take_while(|leaf| leaf.index() < end);
    [head.place]
        .into_iter()
        .chain(header)
        .find(|leaf| leaf.touches_change())?
        .line()
}

/// The line of the name or of a parameter that changed; for a removed overload, its own line.
fn changed_line(old: &[Defined<'_>], new: &[Defined<'_>]) -> Option<(Side, u32)> {
    let line = |own: &Defined<'_>| {
        let parameters = own.head.parameters.into_iter().flat_map(Node::leaves);
        let changed = [own.head.place]
            .into_iter()
            .chain(parameters)
            .find(|leaf| leaf.touches_change())?;
        changed.line()
    };
    let in_old = || Some((Side::Old, old.iter().find_map(line)?));
    let in_new = || Some((Side::New, new.iter().find_map(line)?));
    if new.len() < old.len() {
        in_old()
    } else {
        in_new().or_else(in_old)
    }
}

fn other_parameters(old: &[Defined<'_>], new: &[Defined<'_>]) -> Option<Cause> {
    if let ([before], [after]) = (old, new)
        && let [Some(before), Some(after)] = [before, after].map(python_parameters)
    {
        return (before != after).then_some(Cause::Parameters {
            before,
            after,
            is_script: false,
        });
    }
    let signatures = |of: &[Defined<'_>]| -> Option<Vec<Signature>> {
        of.iter().map(|own| own.head.signature()).collect()
    };
    let (before, after) = (signatures(old)?, signatures(new)?);
    if let ([before], [after]) = (before.as_slice(), after.as_slice())
        && let Some(count) = reordered(before, after)
    {
        return Some(Cause::Reordered(count));
    }
    let fails = |count: u8| {
        before.iter().any(|own| own.takes(count)) && !after.iter().any(|own| own.takes(count))
    };
    (0..=u8::try_from(MANY_PARAMETERS).unwrap_or(u8::MAX))
        .any(fails)
        .then_some(Cause::Counts { before, after })
}

/// The number of parameters, all required, if only their order changed.
fn reordered(before: &Signature, after: &Signature) -> Option<u8> {
    let sorted = |own: &Signature| {
        let mut names = own.names.clone();
        names.sort_unstable();
        names
    };
    let all = u8::try_from(before.names.len()).ok()?;
    let are_required = [before, after]
        .iter()
        .all(|own| own.min_args == all && own.max_args == Some(all));
    let is_other = before.names != after.names && sorted(before) == sorted(after);
    (are_required && is_other).then_some(all)
}

fn python_parameters(own: &Defined<'_>) -> Option<Parameters> {
    let list = own.head.parameters?;
    let parameters = Parameters::of_python(list)
        .filter(|_| list.tree().grammar().name() == "Python")
        .filter(Parameters::is_small)?;
    let is_static = own
        .head
        .whole
        .parent()
        .is_some_and(|around| around.text().starts_with("@staticmethod"));
    if is_static {
        Some(parameters)
    } else {
        parameters.without_first()
    }
}
