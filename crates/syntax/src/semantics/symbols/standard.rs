//! Names of a language's standard library that a file uses without importing them.

use std::collections::{HashMap, HashSet};

use crate::language::Role;
use crate::tree::{Node, Tree};

/// Packages of Go whose names hardly any variable has.
const GO: &[&str] = &[
    "atomic", "base64", "bufio", "bytes", "context", "errors", "exec", "filepath", "fmt", "hex",
    "http", "io", "ioutil", "json", "math", "os", "reflect", "regexp", "runtime", "slices", "sort",
    "sql", "strconv", "strings", "sync", "time", "utf8",
];
/// Types of Java that hardly any package defines, too.
const JAVA: &[&str] = &[
    "ArrayDeque",
    "ArrayList",
    "Arrays",
    "BigDecimal",
    "BigInteger",
    "BufferedReader",
    "Collection",
    "Collections",
    "Collectors",
    "Comparator",
    "CompletableFuture",
    "ConcurrentHashMap",
    "Deque",
    "Duration",
    "ExecutorService",
    "Files",
    "HashMap",
    "HashSet",
    "IOException",
    "InputStream",
    "InputStreamReader",
    "Instant",
    "Iterator",
    "LinkedHashMap",
    "LinkedList",
    "List",
    "LocalDate",
    "LocalDateTime",
    "Locale",
    "Map",
    "Matcher",
    "Objects",
    "Optional",
    "OutputStream",
    "Paths",
    "Pattern",
    "Random",
    "Set",
    "StandardCharsets",
    "TimeUnit",
    "TreeMap",
    "URI",
    "UUID",
    "UncheckedIOException",
    "ZonedDateTime",
];
/// Classes of PHP that hardly any namespace defines, too. In a namespace, they need an import or a backslash.
const PHP: &[&str] = &[
    "ArrayAccess",
    "ArrayIterator",
    "ArrayObject",
    "Countable",
    "DOMDocument",
    "DateInterval",
    "DatePeriod",
    "DateTime",
    "DateTimeImmutable",
    "DateTimeInterface",
    "DateTimeZone",
    "IteratorAggregate",
    "JsonException",
    "JsonSerializable",
    "PDO",
    "ReflectionClass",
    "ReflectionMethod",
    "ReflectionNamedType",
    "ReflectionProperty",
    "SimpleXMLElement",
    "SplFileInfo",
    "SplObjectStorage",
    "SplQueue",
    "Stringable",
    "Throwable",
    "WeakMap",
    "ZipArchive",
    "stdClass",
];

/// The uses of such names in a whole file, in document order. The compiler or the interpreter rejects each of them.
#[must_use]
pub fn not_imported<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    if !tree.is_readable_file() {
        return Vec::new();
    }
    match tree.grammar().name() {
        "Go" => of_go(tree),
        "Java" => of_java(tree),
        "PHP" => of_php(tree),
        _ => Vec::new(),
    }
}

/// Uses of packages. A package that is imported under another name is not known by its own.
fn of_go<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    let imports = || tree.nodes().filter(|node| node.is(&["import_spec"]));
    let last = |path: &'t str| {
        path.trim_matches(['"', '`'])
            .rsplit('/')
            .next()
            .unwrap_or_default()
    };
    let mut imported: HashSet<&str> = HashSet::new();
    let mut renamed: HashSet<&str> = HashSet::new();
    for import in imports() {
        let path = import.field("path").map_or("", Node::text);
        match import.field("name").map(Node::text) {
            Some(".") => return Vec::new(),
            Some(name) => {
                imported.insert(name);
                renamed.insert(last(path));
            }
            None => {
                imported.insert(last(path));
            }
        }
    }
    let is_package = |name: &Node<'t>| {
        let parent = name.parent();
        parent.is_some_and(|parent| {
            parent.is(&["selector_expression"]) && parent.field("operand") == Some(*name)
                || parent.is(&["qualified_type"]) && parent.field("package") == Some(*name)
        })
    };
    let is_wanted = |name: &Node<'_>| GO.contains(&name.text()) || renamed.contains(name.text());
    only_in_place(tree, is_wanted, is_package, |name| imported.contains(name))
}

fn of_java<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    let imports = tree.nodes().filter(|node| node.is(&["import_declaration"]));
    let mut imported: HashSet<&str> = HashSet::new();
    for import in imports {
        let text = import.text().trim_end_matches(';').trim_end();
        if text.ends_with('*') || text.starts_with("import module") {
            return Vec::new();
        }
        imported.insert(text.rsplit('.').next().unwrap_or_default());
    }
    let is_type = |name: &Node<'t>| {
        let is_within_name = name
            .parent()
            .is_some_and(|parent| parent.is(&["scoped_type_identifier", "type_parameter"]));
        let is_owner = || {
            name.parent().is_some_and(|parent| {
                parent.is(&["method_invocation", "field_access"])
                    && parent.field("object") == Some(*name)
            })
        };
        name.is(&["type_identifier"]) && !is_within_name || is_owner()
    };
    only_in_place(
        tree,
        |name| JAVA.contains(&name.text()),
        is_type,
        |name| imported.contains(name),
    )
}

fn of_php<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    if !tree.nodes().any(|node| node.is(&["namespace_definition"])) {
        return Vec::new();
    }
    let clauses = tree
        .nodes()
        .filter(|node| node.is(&["namespace_use_clause"]));
    let imported: HashSet<&str> = clauses
        .filter_map(|clause| clause.leaves().filter(|leaf| leaf.is(&["name"])).last())
        .map(Node::text)
        .collect();
    const PLACES: &[&str] = &[
        "object_creation_expression",
        "named_type",
        "scoped_call_expression",
        "class_constant_access_expression",
        "base_clause",
        "class_interface_clause",
    ];
    const LISTS: &[&str] = &["base_clause", "class_interface_clause"];
    let is_class = |name: &Node<'t>| {
        name.is(&["name"])
            && name.parent().is_some_and(|parent| {
                parent.is(PLACES)
                    && (parent.is(LISTS) || parent.named_children().next() == Some(*name))
            })
    };
    // A constant or method of that name, and an alias, are no classes.
    let found = tree
        .nodes()
        .filter(|name| PHP.contains(&name.text()) && is_class(name));
    let declared: HashSet<&str> = declared(tree).collect();
    found
        .filter(|name| !imported.contains(name.text()) && !declared.contains(name.text()))
        .collect()
}

/// The names of the types that a file declares.
fn declared<'t>(tree: &'t Tree<'t>) -> impl Iterator<Item = &'t str> {
    let types = tree.nodes().filter(|node| node.has_role(Role::Class));
    types.filter_map(|node| node.field("name")).map(Node::text)
}

/// The uses in such a place of names that occur in no other place of the file, where something could define them.
fn only_in_place<'t>(
    tree: &'t Tree<'t>,
    is_wanted: impl Fn(&Node<'t>) -> bool,
    is_place: impl Fn(&Node<'t>) -> bool,
    is_imported: impl Fn(&str) -> bool,
) -> Vec<Node<'t>> {
    let names = tree.nodes().filter(|node| {
        node.is(&["identifier", "type_identifier", "package_identifier"])
            && is_wanted(node)
            && !is_imported(node.text())
    });
    let mut found: HashMap<&str, Option<Vec<Node<'t>>>> = HashMap::new();
    for name in names {
        // The member of something else.
        let is_member = name.parent().is_some_and(|parent| {
            parent.has_role(Role::Member) && parent.receiver() != Some(name)
                || parent.call().is_some_and(|call| {
                    call.name == name.text()
                        && call.receiver.is_some()
                        && call.receiver != Some(name)
                })
        });
        if is_member {
            continue;
        }
        let uses = found.entry(name.text()).or_insert_with(|| Some(Vec::new()));
        if !is_place(&name) {
            *uses = None;
        } else if let Some(uses) = uses {
            uses.push(name);
        }
    }
    let mut found: Vec<Node<'t>> = found.into_values().flatten().flatten().collect();
    found.sort_by_key(|name| name.index());
    found
}
