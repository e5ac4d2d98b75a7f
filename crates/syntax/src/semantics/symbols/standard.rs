//! Names of a language's standard library that a file uses without importing them.

use std::collections::{HashMap, HashSet};

use super::go;
use super::unbound::{Import, Unbound, imports, unbound};
use crate::language::Role;
use crate::semantics::packages::package;
use crate::tree::{Node, Tree};

/// Packages of Go whose names hardly any variable has.
const GO: &[&str] = &[
    "atomic", "base64", "bufio", "bytes", "context", "errors", "exec", "filepath", "fmt", "hex",
    "http", "io", "ioutil", "json", "math", "os", "reflect", "regexp", "runtime", "slices", "sort",
    "sql", "strconv", "strings", "sync", "time", "utf8",
];
/// Types of Java that hardly any package defines, too.
const JAVA: &[&str] = &[
    "ArrayDeque", "ArrayList", "Arrays", "BigDecimal", "BigInteger", "BufferedReader",
    "Collection", "Collections", "Collectors", "Comparator", "CompletableFuture",
    "ConcurrentHashMap", "Deque", "ExecutorService", "Files", "HashMap", "HashSet", "IOException",
    "InputStream", "InputStreamReader", "Instant", "Iterator", "LinkedHashMap", "LinkedList",
    "List", "LocalDate", "LocalDateTime", "Locale", "Map", "Objects", "Optional", "OutputStream",
    "Paths", "StandardCharsets", "TimeUnit", "TreeMap", "URI", "UUID", "UncheckedIOException",
    "ZonedDateTime",
];
/// Classes of PHP that hardly any namespace defines, too. In a namespace, they need an import or a backslash.
const PHP: &[&str] = &[
    "ArrayAccess", "ArrayIterator", "ArrayObject", "Countable", "DOMDocument", "DateInterval",
    "DatePeriod", "DateTime", "DateTimeImmutable", "DateTimeInterface", "DateTimeZone",
    "IteratorAggregate", "JsonException", "JsonSerializable", "PDO", "ReflectionClass",
    "ReflectionMethod", "ReflectionNamedType", "ReflectionProperty", "SimpleXMLElement",
    "SplFileInfo", "SplObjectStorage", "SplQueue", "Stringable", "Throwable", "WeakMap",
    "ZipArchive", "stdClass",
];

/// Types of .NET that hardly any library defines, too, with their namespaces.
const CSHARP: &[(&str, &str)] = &[
    ("ArrayList", "System.Collections"),
    ("BigInteger", "System.Numerics"),
    ("BindingFlags", "System.Reflection"),
    ("CallerMemberName", "System.Runtime.CompilerServices"),
    ("CancellationToken", "System.Threading"),
    ("CancellationTokenSource", "System.Threading"),
    ("ClaimTypes", "System.Security.Claims"),
    ("ClaimsIdentity", "System.Security.Claims"),
    ("ClaimsPrincipal", "System.Security.Claims"),
    ("ConcurrentBag", "System.Collections.Concurrent"),
    ("ConcurrentDictionary", "System.Collections.Concurrent"),
    ("ConcurrentQueue", "System.Collections.Concurrent"),
    ("CultureInfo", "System.Globalization"),
    ("DateTimeStyles", "System.Globalization"),
    ("Dictionary", "System.Collections.Generic"),
    ("HashSet", "System.Collections.Generic"),
    ("HttpClient", "System.Net.Http"),
    ("HttpRequestMessage", "System.Net.Http"),
    ("HttpResponseMessage", "System.Net.Http"),
    ("HttpStatusCode", "System.Net"),
    ("IDictionary", "System.Collections.Generic"),
    ("IEnumerable", "System.Collections.Generic"),
    ("IReadOnlyList", "System.Collections.Generic"),
    ("ImmutableArray", "System.Collections.Immutable"),
    ("ImmutableDictionary", "System.Collections.Immutable"),
    ("ImmutableList", "System.Collections.Immutable"),
    ("JsonConverterAttribute", "System.Text.Json.Serialization"),
    ("JsonElement", "System.Text.Json"),
    ("JsonNamingPolicy", "System.Text.Json"),
    ("JsonSerializerOptions", "System.Text.Json"),
    ("KeyValuePair", "System.Collections.Generic"),
    ("MemoryStream", "System.IO"),
    ("NumberStyles", "System.Globalization"),
    ("ProcessStartInfo", "System.Diagnostics"),
    ("RandomNumberGenerator", "System.Security.Cryptography"),
    ("Regex", "System.Text.RegularExpressions"),
    ("RegexOptions", "System.Text.RegularExpressions"),
    ("SemaphoreSlim", "System.Threading"),
    ("Stopwatch", "System.Diagnostics"),
    ("StreamReader", "System.IO"),
    ("StreamWriter", "System.IO"),
    ("StringBuilder", "System.Text"),
];
/// Types that every file of Java or Kotlin sees. Other packages may have types of the same names.
#[rustfmt::skip]
const JVM: &[&str] = &[
    "AbstractMethodError", "Annotation", "Any", "Appendable", "ArithmeticException", "Array", "ArrayDeque", "ArrayIndexOutOfBoundsException",
    "ArrayList", "AssertionError", "AutoCloseable", "Boolean", "BooleanArray", "Byte", "ByteArray", "Char", "CharArray", "CharSequence",
    "Character", "Class", "ClassCastException", "ClassLoader", "ClassNotFoundException", "CloneNotSupportedException", "Cloneable",
    "Collection", "Comparable", "Comparator", "Compiler", "Deprecated", "Double", "DoubleArray", "Enum", "Error", "Exception", "Float",
    "FloatArray", "Function", "FunctionalInterface", "Grouping", "HashMap", "HashSet", "IllegalAccessException",
    "IllegalArgumentException", "IllegalStateException", "IndexOutOfBoundsException", "IndexedValue", "Int", "IntArray", "IntRange",
    "Integer", "InterruptedException", "Iterable", "Iterator", "JvmField", "JvmName", "JvmOverloads", "JvmStatic", "KotlinVersion", "Lazy",
    "LinkedHashMap", "LinkedHashSet", "LinkageError", "List", "ListIterator", "Long", "LongArray", "LongRange", "Map", "MatchGroup", "MatchResult",
    "Math", "Metadata", "Module", "MutableCollection", "MutableIterable", "MutableIterator", "MutableList", "MutableMap", "MutableSet",
    "NoSuchElementException", "NoSuchFieldException", "NoSuchMethodException", "NoWhenBranchMatchedException", "Nothing", "NotImplementedError",
    "NullPointerException", "Number", "NumberFormatException", "Object", "OptIn", "OutOfMemoryError", "Override", "Package", "Pair", "Process",
    "ProcessBuilder", "ProcessHandle", "RandomAccess", "Readable", "Record", "ReflectiveOperationException", "Regex", "RegexOption", "Result",
    "Retention", "Runnable", "Runtime", "RuntimeException", "SafeVarargs", "SecurityException", "SecurityManager", "Sequence", "Set", "Short", "ShortArray",
    "StackOverflowError", "StackTraceElement", "StackWalker", "StrictMath", "String", "StringBuffer", "StringBuilder", "Suppress",
    "SuppressWarnings", "Synchronized", "System", "Target", "Thread", "ThreadGroup", "ThreadLocal", "Throwable", "Throws", "Transient", "Triple",
    "TypeCastException", "Typography", "UByte", "UInt", "ULong", "UShort", "Unit", "UnsupportedOperationException", "Void", "Volatile",
];

/// The namespace of a type of .NET.
#[must_use]
pub fn namespace_of(name: &str) -> Option<&'static str> {
    let known = CSHARP.iter().find(|(own, _)| *own == name);
    known.map(|(_, namespace)| *namespace)
}

/// Whether every file of Java or Kotlin may see a type of this name.
#[must_use]
pub fn is_default_of_jvm(name: &str) -> bool {
    JVM.contains(&name)
}

/// The uses of such names in a whole file, in document order. The compiler or the interpreter rejects each of them.
#[must_use]
pub fn not_imported<'t>(tree: &'t Tree<'t>) -> Vec<Node<'t>> {
    let names = names(tree);
    if names.is_empty() {
        return Vec::new();
    }
    // A package that is imported under another name is not known by its own.
    let renamed = renamed_packages(tree);
    let is_wanted = |name: &&Unbound<'t>| {
        let text = name.name.text();
        names.contains(&text) || renamed.contains(text)
    };
    let unbound = unbound(tree).unwrap_or_default();
    let mut found: Vec<Node<'t>> = unbound
        .iter()
        .filter(is_wanted)
        .map(|own| own.name)
        .collect();
    if tree.grammar().name() != "PHP" {
        let named_otherwise = named_otherwise(tree, &found);
        found.retain(|name| !named_otherwise.contains(name.text()));
    }
    found
}

/// The names that a file needs an import for.
fn names(tree: &Tree<'_>) -> &'static [&'static str] {
    match tree.grammar().name() {
        "Go" => GO,
        "Java" => JAVA,
        "PHP" if !tree.root().map(package).unwrap_or_default().is_empty() => PHP,
        _ => &[],
    }
}

/// Whether a file needs an import for a name of the standard library.
#[must_use]
pub fn needs_import(tree: &Tree<'_>, name: &str) -> bool {
    names(tree).contains(&name)
}

/// The imports on removed lines whose names a whole file still uses, with the first use: packages of Go, and names of the standard
/// libraries of Java and PHP. The names of other packages may now belong to the package of the file.
#[must_use]
pub fn lost_imports<'t>(old: &'t Tree<'t>, new: &'t Tree<'t>) -> Vec<(Node<'t>, Node<'t>)> {
    let is_go = new.grammar().name() == "Go";
    let lost: Vec<Import<'t>> = imports(old)
        .filter(|import| import.node.touches_change() && (is_go || needs_import(new, import.name)))
        .collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let mut first: HashMap<&str, Node<'t>> = HashMap::new();
    for own in unbound(new).unwrap_or_default() {
        first.entry(own.name.text()).or_insert(own.name);
    }
    // A package may have another name than its path. An import that stays cannot have bound the same name.
    let paths: Vec<&str> = new
        .nodes()
        .filter(|node| is_go && node.is(&["import_spec"]) && node.field("name").is_none())
        .filter(|import| import.touches_change())
        .filter_map(|import| import.field("path"))
        .map(|path| path.text().trim_matches(['"', '`']))
        .collect();
    let may_be_another = |name: &str| {
        paths
            .iter()
            .any(|path| path.contains(name) || go::package(path).is_none())
    };
    let used = |import: Import<'t>| {
        let used = first.get(import.name)?;
        let is_lost = !used.touches_change() && !may_be_another(import.name);
        is_lost.then_some((import.node, *used))
    };
    lost.into_iter().filter_map(used).collect()
}

/// The names of the packages that a file of Go imports under another name.
fn renamed_packages<'t>(tree: &'t Tree<'t>) -> HashSet<&'t str> {
    let imports = tree
        .nodes()
        .filter(|node| node.is(&["import_spec"]) && node.field("name").is_some());
    let paths = imports.filter_map(|import| import.field("path"));
    paths
        .filter_map(|path| go::package(path.text().trim_matches(['"', '`'])))
        .collect()
}

/// The names among these that the file mentions as something else, which other files may define: not as members.
fn named_otherwise<'t>(tree: &'t Tree<'t>, found: &[Node<'t>]) -> HashSet<&'t str> {
    let (names, known): (HashSet<&str>, HashSet<usize>) =
        found.iter().map(|name| (name.text(), name.index())).unzip();
    if names.is_empty() {
        return HashSet::new();
    }
    let is_other = |node: &Node<'t>| {
        node.is(&["identifier", "type_identifier", "package_identifier"])
            && names.contains(node.text())
            && !known.contains(&node.index())
            && !is_member(*node)
    };
    tree.nodes().filter(is_other).map(Node::text).collect()
}

/// Whether a name is the member of something else.
fn is_member(name: Node<'_>) -> bool {
    name.parent().is_some_and(|parent| {
        parent.has_role(Role::Member) && parent.receiver() != Some(name)
            || parent.call().is_some_and(|call| {
                call.name == name.text() && call.receiver.is_some() && call.receiver != Some(name)
            })
    })
}
