//! The kind of a Python value, as far as the file itself shows it: literals, calls of the built-in types, functions and
//! classes of the file, and names that refer to one of these where they are used.
//!
//! `None` means "unknown". Only certain types are returned, because rules report a TypeError based on them.

mod bindings;
mod classes;

use crate::tree::Node;

pub use self::bindings::literal;
use self::bindings::{is_settled, value_of};
pub(crate) use self::classes::is_cut;
pub use self::classes::{class_has, is_exception};

/// The maximum depth of nested queries.
const DEPTH: u32 = 5;

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'t> {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool,
    /// An `int`.
    Int,
    /// A `float`.
    Float,
    /// A `complex` number.
    Complex,
    /// A `str`.
    Text,
    /// A `bytes` object.
    Bytes,
    /// A `list`.
    List,
    /// A `tuple`.
    Tuple,
    /// A `dict`.
    Dict,
    /// A `set`.
    Set,
    /// A `frozenset`.
    FrozenSet,
    /// A `range`.
    Range,
    /// The result of `keys()`, `values()` and `items()`.
    View,
    /// An iterator, a generator, an open file.
    Iterator,
    /// The result of calling an `async` function.
    Coroutine,
    /// The result of calling an `async` function with a `yield`.
    AsyncGenerator,
    /// A function or a lambda.
    Function,
    /// A class that the file defines.
    Class(Node<'t>),
    /// An object of a class that the file defines.
    Instance(Node<'t>),
}

impl<'t> Kind<'t> {
    /// Its name, as used in a sentence.
    pub fn described(self) -> String {
        let of = |class: Node<'_>| {
            class
                .field("name")
                .map_or("?", |name| name.text())
                .to_owned()
        };
        match self {
            Self::None => "None".to_owned(),
            Self::Bool => "a boolean".to_owned(),
            Self::Int | Self::Float | Self::Complex => "a number".to_owned(),
            Self::Text => "a string".to_owned(),
            Self::Bytes => "a bytes object".to_owned(),
            Self::List => "a list".to_owned(),
            Self::Tuple => "a tuple".to_owned(),
            Self::Dict => "a dict".to_owned(),
            Self::Set | Self::FrozenSet => "a set".to_owned(),
            Self::Range => "a range".to_owned(),
            Self::View => "a view of a dict".to_owned(),
            Self::Iterator => "an iterator".to_owned(),
            Self::Coroutine => "a coroutine".to_owned(),
            Self::AsyncGenerator => "an asynchronous generator".to_owned(),
            Self::Function => "a function".to_owned(),
            Self::Class(class) => format!("the class `{}`", of(class)),
            Self::Instance(class) => format!("an object of `{}`", of(class)),
        }
    }

    /// Whether it has a special method such as `__getitem__`; `None` if that is unknown.
    pub fn has(self, method: &str) -> Option<bool> {
        let iterates = matches!(method, "__iter__" | "__contains__");
        let reads = method == "__getitem__";
        Some(match self {
            Self::None
            | Self::Bool
            | Self::Int
            | Self::Float
            | Self::Complex
            | Self::Coroutine
            | Self::AsyncGenerator => false,
            Self::Text | Self::Bytes | Self::Tuple | Self::Range => {
                iterates || reads || method == "__reversed__"
            }
            Self::List => method != "__call__",
            Self::Dict => method != "__call__",
            Self::Set | Self::FrozenSet | Self::View | Self::Iterator => iterates,
            Self::Function => method == "__call__",
            Self::Class(class) => match method {
                "__call__" => true,
                "__getitem__" => {
                    return class_has(class, "__class_getitem__", DEPTH).filter(|has| !has);
                }
                _ => return class_has(class, "", DEPTH),
            },
            Self::Instance(class) => {
                let own = class_has(class, method, DEPTH)?;
                let instead = match method {
                    "__iter__" => class_has(class, "__getitem__", DEPTH)?,
                    "__contains__" => {
                        class_has(class, "__getitem__", DEPTH)?
                            || class_has(class, "__iter__", DEPTH)?
                    }
                    _ => false,
                };
                own || instead
            }
        })
    }

    /// Whether it is a number.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Bool | Self::Int | Self::Float | Self::Complex)
    }
}

/// The kind of a value.
pub fn kind(node: Node<'_>) -> Option<Kind<'_>> {
    kind_if(node, |_| true)
}

/// The kind of a value, if it is one of the wanted ones. Names are followed only as far as needed.
pub fn kind_if<'t>(node: Node<'t>, wanted: impl Fn(Kind<'t>) -> bool) -> Option<Kind<'t>> {
    let (found, names) = guess(node, DEPTH)?;
    if !wanted(found) || !names.iter().all(|(used, value)| is_settled(*used, *value)) {
        return None;
    }
    Some(found)
}

/// A use of a name, and the node that gave the name its value.
type Step<'t> = (Node<'t>, Node<'t>);

/// The kind of a value, provided that nothing else assigns the names in it.
fn guess<'t>(node: Node<'t>, depth: u32) -> Option<(Kind<'t>, Vec<Step<'t>>)> {
    let plain = |found: Kind<'t>| Some((found, Vec::new()));
    if depth == 0 || !node.is_usable() {
        return None;
    }
    match node.kind() {
        "parenthesized_expression" => guess(node.named_children().next()?, depth),
        "none" => plain(Kind::None),
        "true" | "false" | "not_operator" => plain(Kind::Bool),
        "integer" if node.text().ends_with(['j', 'J']) => plain(Kind::Complex),
        "float" if node.text().ends_with(['j', 'J']) => plain(Kind::Complex),
        "integer" => plain(Kind::Int),
        "float" => plain(Kind::Float),
        "string" => plain(text_kind(node)?),
        "list" | "list_comprehension" => plain(Kind::List),
        "tuple" => plain(Kind::Tuple),
        "dictionary" | "dictionary_comprehension" => plain(Kind::Dict),
        "set" | "set_comprehension" => plain(Kind::Set),
        "generator_expression" => plain(Kind::Iterator),
        "lambda" => plain(Kind::Function),
        "unary_operator" => {
            let (inner, names) = guess(node.field("argument")?, depth - 1)?;
            inner.is_number().then_some((inner, names))
        }
        "call" => called(node, depth),
        "identifier" => {
            let value = value_of(node)?;
            match value.kind() {
                "function_definition" => Some((Kind::Function, vec![(node, value)])),
                "class_definition" => Some((Kind::Class(value), vec![(node, value)])),
                _ => {
                    let (found, mut names) = guess(value, depth - 1)?;
                    names.push((node, value));
                    Some((found, names))
                }
            }
        }
        _ => None,
    }
}

fn text_kind(node: Node<'_>) -> Option<Kind<'_>> {
    let (prefix, _) = node.text().split_once(['"', '\''])?;
    match prefix.to_ascii_lowercase().as_str() {
        "b" | "br" | "rb" => Some(Kind::Bytes),
        "" | "r" | "u" | "f" | "fr" | "rf" => Some(Kind::Text),
        _ => None,
    }
}

/// The kind of a call's result.
fn called(node: Node<'_>, depth: u32) -> Option<(Kind<'_>, Vec<Step<'_>>)> {
    let callee = node.field("function")?;
    if callee.is(&["attribute"]) {
        let name = callee.field("attribute")?.text();
        let object = callee.field("object")?;
        if matches!(name, "keys" | "values" | "items") {
            let (inner, names) = guess(object, depth - 1)?;
            return (inner == Kind::Dict).then_some((Kind::View, names));
        }
        let known = match (object.text(), name) {
            ("os", "popen") => Kind::Iterator,
            ("math", "floor" | "ceil" | "trunc" | "gcd" | "factorial") => Kind::Int,
            ("math", "sqrt" | "acos" | "cos" | "sin" | "tan" | "pow" | "log" | "exp" | "fabs") => {
                Kind::Float
            }
            ("time", "time" | "monotonic" | "perf_counter") => Kind::Float,
            _ => return None,
        };
        return object.is(&["identifier"]).then_some((known, Vec::new()));
    }
    if !callee.is(&["identifier"]) {
        return None;
    }
    let Some(value) = value_of(callee) else {
        return built_in(callee).map(|known| (known, Vec::new()));
    };
    let known = match value.kind() {
        "class_definition" => {
            // A class with its own `__new__` may return anything.
            (class_has(value, "__new__", DEPTH) == Some(false)).then_some(Kind::Instance(value))?
        }
        "function_definition" => made_by(value)?,
        _ => return None,
    };
    Some((known, vec![(callee, value)]))
}

/// The kind of result that follows from the kind of a function.
fn made_by(function: Node<'_>) -> Option<Kind<'_>> {
    if function
        .parent()
        .is_some_and(|parent| parent.is(&["decorated_definition"]))
        || is_cut(function)
    {
        return None;
    }
    let yields = own_nodes(function).any(|inner| inner.is(&["yield"]));
    let is_async = function
        .children()
        .next()
        .is_some_and(|first| first.text() == "async");
    match (is_async, yields) {
        (true, true) => Some(Kind::AsyncGenerator),
        (true, false) => Some(Kind::Coroutine),
        (false, true) => Some(Kind::Iterator),
        (false, false) => None,
    }
}

/// The nodes of a function without those of inner functions and classes.
pub(crate) fn own_nodes(function: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut subtree_end = 0;
    function.descendants().filter(move |node| {
        if node.index() < subtree_end {
            return false;
        }
        if node.is(&["function_definition", "class_definition", "lambda"]) {
            subtree_end = node.descendants().last().map_or(node.index(), Node::index) + 1;
        }
        true
    })
}

fn built_in(callee: Node<'_>) -> Option<Kind<'_>> {
    let known = match callee.text() {
        "int" | "len" | "ord" | "hash" | "id" => Kind::Int,
        "float" => Kind::Float,
        "complex" => Kind::Complex,
        "bool" | "isinstance" | "callable" | "hasattr" | "issubclass" => Kind::Bool,
        "str" | "repr" | "chr" | "hex" | "oct" | "bin" | "ascii" | "input" => Kind::Text,
        "bytes" => Kind::Bytes,
        "list" | "sorted" | "dir" => Kind::List,
        "tuple" => Kind::Tuple,
        "dict" => Kind::Dict,
        "set" => Kind::Set,
        "frozenset" => Kind::FrozenSet,
        "range" => Kind::Range,
        "iter" | "enumerate" | "zip" | "map" | "filter" | "reversed" | "open" => Kind::Iterator,
        "Fraction" | "Decimal" => Kind::Float,
        _ => return None,
    };
    let used = callee.text();
    // The file may redefine a built-in name.
    let is_set = || callee.bindings_of(used).next().is_some();
    let is_imported = matches!(used, "Fraction" | "Decimal");
    (is_imported || !is_set()).then_some(known)
}
