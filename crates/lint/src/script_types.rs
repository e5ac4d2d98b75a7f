//! What type an expression of JavaScript or TypeScript has, as far as the file itself says it: literals, written types,
//! declarations of the file, and the few calls whose result everybody knows.
//!
//! The answer is a list: one entry for each part of a union. [`Type::Unknown`] stands for what is not known here.

use crate::grammar::Role;
use crate::names::sight;
use crate::node::Node;

/// How many times one question leads to another one.
const DEPTH: u32 = 6;

/// Blocks with more statements than this are not searched for a declaration.
const STATEMENTS: usize = 400;

/// A type, or one part of a union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type<'t> {
    Text,
    Number,
    Bool,
    /// `null` or `undefined`.
    Null,
    Void,
    /// An array, and what says of what.
    Array(Option<Node<'t>>),
    /// A promise, and what says for what.
    Promise(Option<Node<'t>>),
    /// Anything that can be called, and its definition.
    Function(Node<'t>),
    /// A map or a set.
    Collection,
    /// Something else that can be iterated.
    Iterable,
    Class(Node<'t>),
    /// An object of a class of the file, or of a class that everybody knows.
    Instance(Option<Node<'t>>),
    Error,
    /// A plain object, and what says what is in it.
    Object(Option<Node<'t>>),
    Any,
    Unknown,
}

impl Type<'_> {
    /// In words, for a sentence.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Number => "a number",
            Self::Bool => "a boolean",
            Self::Null => "null or undefined",
            Self::Void => "nothing",
            Self::Array(_) => "an array",
            Self::Promise(_) => "a promise",
            Self::Function(_) => "a function",
            Self::Collection => "a map or a set",
            Self::Iterable => "an iterable",
            Self::Class(_) => "a class",
            Self::Instance(_) => "an object of a class",
            Self::Error => "an error",
            Self::Object(_) => "an object",
            Self::Any | Self::Unknown => "of any type",
        }
    }

    /// Whether it is known and holds as true whatever its content.
    pub(crate) fn is_always_true(self) -> bool {
        matches!(
            self,
            Self::Array(_)
                | Self::Promise(_)
                | Self::Function(_)
                | Self::Collection
                | Self::Iterable
                | Self::Class(_)
                | Self::Instance(_)
                | Self::Error
                | Self::Object(_)
        )
    }
}

/// The types that an expression or a written type may have. Empty if the file is too big to ask.
pub(crate) fn types(node: Node<'_>) -> Vec<Type<'_>> {
    if sight(node).is_none() { Vec::new() } else { read(node, DEPTH) }
}

/// The one type of an expression, if it has only one and it is known.
pub(crate) fn only_type(node: Node<'_>) -> Option<Type<'_>> {
    let all = types(node);
    let first = *all.first()?;
    (all.iter().all(|other| *other == first) && !matches!(first, Type::Unknown | Type::Any)).then_some(first)
}

/// Whether a name, or the thing it is a part of, is asked for its type somewhere in the function: then its union may be
/// narrowed where it is used.
pub(crate) fn is_narrowed(node: Node<'_>) -> bool {
    let Some(name) = node.leaves().find(|leaf| leaf.is(&["identifier", "this"])).map(Node::text) else { return true };
    let around = node.ancestors().filter(|outer| outer.has_role(Role::Function) || outer.has_role(Role::Lambda)).last();
    let Some(place) = around.or_else(|| node.ancestors().last()) else { return true };
    let text = place.text();
    let tests = [
        format!("typeof {name}"),
        format!("{name} instanceof"),
        format!("({name})"),
        format!("in {name}"),
        format!("!{name}"),
        format!("{name} ="),
        format!("{name} !"),
        format!("{name} &&"),
    ];
    tests.iter().any(|test| text.contains(test.as_str()))
}

fn read<'t>(node: Node<'t>, depth: u32) -> Vec<Type<'t>> {
    if depth == 0 || !node.is_usable() {
        return vec![Type::Unknown];
    }
    let only = |found: Type<'t>| vec![found];
    let first = || node.named_children().next();
    let inner = |of: Option<Node<'t>>| of.map_or_else(|| vec![Type::Unknown], |of| read(of, depth - 1));
    match node.kind() {
        "type_annotation"
        | "parenthesized_type"
        | "readonly_type"
        | "constraint"
        | "parenthesized_expression"
        | "satisfies_expression"
        | "non_null_expression" => {
            let mut found = inner(first());
            if node.is(&["non_null_expression"]) {
                found.retain(|one| *one != Type::Null);
            }
            found
        }
        "as_expression" => inner(node.named_children().last()),
        "predefined_type" => only(match node.text() {
            "string" => Type::Text,
            "number" => Type::Number,
            "boolean" => Type::Bool,
            "void" => Type::Void,
            "any" => Type::Any,
            "object" => Type::Object(None),
            _ => Type::Unknown,
        }),
        "literal_type" => inner(first()),
        "union_type" | "intersection_type" => node.named_children().flat_map(|part| read(part, depth - 1)).collect(),
        "array_type" | "tuple_type" => only(Type::Array(first())),
        "function_type" => only(Type::Function(node)),
        "object_type" | "object" => only(Type::Object(Some(node))),
        "template_literal_type" | "string" | "template_string" => only(Type::Text),
        "generic_type" => generic(node, depth),
        "type_identifier" => named(node, node.text(), depth),
        "number" => only(Type::Number),
        "true" | "false" => only(Type::Bool),
        "null" | "undefined" => only(Type::Null),
        "array" => only(Type::Array(first())),
        "arrow_function"
        | "function_expression"
        | "generator_function"
        | "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "method_definition"
        | "method_signature" => only(Type::Function(node)),
        "class" | "class_declaration" | "abstract_class_declaration" => only(Type::Class(node)),
        "regex" => only(Type::Instance(None)),
        "this" => {
            let class = node.ancestors().find(|around| around.has_role(Role::Class));
            only(class.map_or(Type::Unknown, |class| Type::Instance(Some(class))))
        }
        "new_expression" => {
            let Some(constructor) = node.field("constructor") else { return only(Type::Unknown) };
            let known = library(constructor.text(), None);
            known.map_or_else(|| made(constructor, depth), only)
        }
        "ternary_expression" => {
            [node.field("consequence"), node.field("alternative")].into_iter().flat_map(inner).collect()
        }
        "binary_expression" => operation(node, depth),
        "unary_expression" => only(match node.children().next().map(Node::text) {
            Some("!" | "delete") => Type::Bool,
            Some("-" | "+" | "~") => Type::Number,
            Some("typeof") => Type::Text,
            Some("void") => Type::Null,
            _ => Type::Unknown,
        }),
        "update_expression" => only(Type::Number),
        "sequence_expression" => inner(node.named_children().last()),
        "assignment_expression" => inner(node.field("right")),
        "await_expression" => {
            let awaited = inner(first()).into_iter().flat_map(|one| match one {
                Type::Promise(Some(of)) => read(of, depth - 1),
                Type::Promise(None) => vec![Type::Unknown],
                other => vec![other],
            });
            awaited.collect()
        }
        "call_expression" => called(node, depth),
        "member_expression" | "subscript_expression" => member(node, depth),
        "identifier" => declared(node).map_or_else(|| vec![Type::Unknown], |at| declaration(at, depth)),
        _ => vec![Type::Unknown],
    }
}

/// A type or a class that everybody knows.
fn library<'t>(name: &str, of: Option<Node<'t>>) -> Option<Type<'t>> {
    Some(match name {
        "Array" | "ReadonlyArray" => Type::Array(of),
        "Promise" | "PromiseLike" => Type::Promise(of),
        "Map" | "Set" | "WeakMap" | "WeakSet" | "ReadonlyMap" | "ReadonlySet" => Type::Collection,
        "Iterable" | "Iterator" | "IterableIterator" | "Generator" | "AsyncIterable" | "AsyncGenerator" => {
            Type::Iterable
        }
        "Date" | "RegExp" | "URL" | "WeakRef" | "AbortController" | "Buffer" | "ArrayBuffer" => Type::Instance(None),
        "Error" | "TypeError" | "RangeError" | "SyntaxError" | "ReferenceError" | "EvalError" | "URIError"
        | "AggregateError" | "DOMException" => Type::Error,
        "Record" => Type::Object(None),
        _ => return None,
    })
}

fn generic(node: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    let name = node.field("name").map_or("", |name| name.text());
    let of = node.field("type_arguments").and_then(|list| list.named_children().next());
    if let Some(found) = library(name, of) {
        return vec![found];
    }
    if matches!(name, "Readonly" | "NonNullable") {
        return of.map_or_else(|| vec![Type::Unknown], |of| read(of, depth - 1));
    }
    named(node, name, depth)
}

/// The type of a name that is declared in the file.
fn named<'t>(node: Node<'t>, name: &str, depth: u32) -> Vec<Type<'t>> {
    const DECLARE: &[&str] = &[
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "enum_declaration",
        "type_parameter",
    ];
    let Some(top) = sight(node) else { return vec![Type::Unknown] };
    let is_it = |other: &Node<'_>| other.is(DECLARE) && other.field("name").is_some_and(|own| own.text() == name);
    let Some(found) = top.descendants().find(is_it) else {
        return vec![library(name, None).unwrap_or(Type::Unknown)];
    };
    match found.kind() {
        "class_declaration" | "abstract_class_declaration" => vec![instance_of(found)],
        "interface_declaration" => vec![interface(found)],
        "type_alias_declaration" => found.field("value").map_or_else(Vec::new, |value| read(value, depth - 1)),
        "type_parameter" => {
            found.field("constraint").map_or_else(|| vec![Type::Unknown], |bound| read(bound, depth - 1))
        }
        _ => vec![Type::Unknown],
    }
}

/// An object of a class: what it inherits from may make it something else.
fn instance_of(class: Node<'_>) -> Type<'_> {
    let heritage = class.child_of_kind(&["class_heritage"]).map_or("", |heritage| heritage.text());
    if heritage.contains("extends Promise") {
        Type::Promise(None)
    } else if heritage.contains("Error") {
        Type::Error
    } else if heritage.contains("extends Array") {
        Type::Array(None)
    } else {
        Type::Instance(Some(class))
    }
}

fn interface(node: Node<'_>) -> Type<'_> {
    let parent = node.child_of_kind(&["extends_type_clause"]).map_or("", |parent| parent.text());
    let calls = node.field("body").is_some_and(|body| body.child_of_kind(&["call_signature"]).is_some());
    if calls {
        Type::Unknown
    } else if parent.contains("Promise") {
        Type::Promise(None)
    } else if parent.contains("Array") {
        Type::Array(None)
    } else if parent.contains("Error") {
        Type::Error
    } else {
        Type::Object(Some(node))
    }
}

fn made<'t>(constructor: Node<'t>, depth: u32) -> Vec<Type<'t>> {
    read(constructor, depth - 1)
        .into_iter()
        .map(|found| match found {
            Type::Class(class) => instance_of(class),
            _ => Type::Unknown,
        })
        .collect()
}

fn operation(node: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return vec![Type::Unknown] };
    match node.field("operator").map_or("", |operator| operator.text()) {
        "==" | "===" | "!=" | "!==" | "<" | ">" | "<=" | ">=" | "in" | "instanceof" => vec![Type::Bool],
        "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => vec![Type::Number],
        "+" => {
            let (first, second) = (read(left, depth - 1), read(right, depth - 1));
            let all = |wanted: Type<'_>| first.iter().all(|one| *one == wanted);
            if all(Type::Text) || second.iter().all(|one| *one == Type::Text) {
                vec![Type::Text]
            } else if all(Type::Number) && second.iter().all(|one| *one == Type::Number) {
                vec![Type::Number]
            } else {
                vec![Type::Unknown]
            }
        }
        "||" | "??" => {
            let mut all = read(left, depth - 1);
            all.retain(|one| *one != Type::Null);
            all.extend(read(right, depth - 1));
            all
        }
        "&&" => read(right, depth - 1),
        _ => vec![Type::Unknown],
    }
}

/// What a call gives.
fn called(node: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    let Some(callee) = node.field("function") else { return vec![Type::Unknown] };
    match callee.text() {
        "Promise.all" | "Promise.allSettled" | "Promise.race" | "Promise.any" | "Promise.resolve"
        | "Promise.reject" | "fetch" => return vec![Type::Promise(None)],
        "String" | "JSON.stringify" | "encodeURIComponent" => return vec![Type::Text],
        "Number" | "parseInt" | "parseFloat" | "Date.now" | "Math.random" | "Math.floor" | "Math.round" => {
            return vec![Type::Number];
        }
        "Boolean" | "Array.isArray" => return vec![Type::Bool],
        "Object.keys" | "Object.values" | "Object.entries" | "Array.from" | "Array.of" => {
            return vec![Type::Array(None)];
        }
        _ => {}
    }
    let mut found = read(callee, depth - 1);
    if found == [Type::Unknown] {
        found = callee.field("object").map_or(found, |object| method_result(callee, object, depth));
    } else {
        let given = |one: Type<'_>| matches!(one, Type::Function(_) | Type::Null);
        if !found.iter().all(|one| given(*one)) {
            return vec![Type::Unknown];
        }
        found = found
            .into_iter()
            .flat_map(|one| match one {
                Type::Function(function) => returned(function, depth - 1),
                other => vec![other],
            })
            .collect();
    }
    found
}

/// What a method of a promise, a string or an array gives.
fn method_result<'t>(callee: Node<'t>, object: Node<'t>, depth: u32) -> Vec<Type<'t>> {
    let name = callee.field("property").map_or("", |name| name.text());
    let of = read(object, depth - 1);
    let all = |test: fn(&Type<'_>) -> bool| !of.is_empty() && of.iter().all(test);
    let result = match name {
        "then" | "catch" | "finally" if of.iter().any(|one| matches!(one, Type::Promise(_))) => Type::Promise(None),
        "trim" | "toLowerCase" | "toUpperCase" | "padStart" | "padEnd" | "repeat" | "substring" | "replace"
            if all(|one| *one == Type::Text) =>
        {
            Type::Text
        }
        "split" if all(|one| *one == Type::Text) => Type::Array(None),
        "map" | "filter" | "slice" | "concat" | "flatMap" | "flat" if all(|one| matches!(one, Type::Array(_))) => {
            Type::Array(None)
        }
        "toFixed" | "toISOString" | "join" => Type::Text,
        _ => Type::Unknown,
    };
    vec![result]
}

/// What a function gives back.
pub(crate) fn returned(function: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    if let Some(written) = function.field("return_type") {
        return read(written, depth);
    }
    if is_async(function) {
        return vec![Type::Promise(None)];
    }
    if function.kind().contains("generator") {
        return vec![Type::Iterable];
    }
    match function.field("body") {
        Some(body) if !body.is(&["statement_block"]) => read(body, depth.saturating_sub(1)),
        Some(body) if !gives_value(body) => vec![Type::Void],
        _ => vec![Type::Unknown],
    }
}

/// Whether a function is marked as async.
pub(crate) fn is_async(function: Node<'_>) -> bool {
    function.children().take(4).any(|child| child.text() == "async" && child.is_leaf())
}

/// Whether a body returns something, functions in it aside.
pub(crate) fn gives_value(body: Node<'_>) -> bool {
    own_nodes(body).any(|inner| inner.is(&["return_statement"]) && inner.named_children().next().is_some())
}

/// The nodes in a body without those of the functions and classes in it.
pub(crate) fn own_nodes(body: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut behind = 0;
    body.descendants().filter(move |node| {
        if node.index() < behind {
            return false;
        }
        if node.has_role(Role::Function) || node.has_role(Role::Lambda) || node.has_role(Role::Class) {
            behind = node.descendants().last().map_or(node.index(), Node::index) + 1;
        }
        true
    })
}

/// What a part of an object is.
fn member(node: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    let Some(object) = node.field("object") else { return vec![Type::Unknown] };
    let of = read(object, depth - 1);
    if node.is(&["subscript_expression"]) {
        let parts = of.into_iter().flat_map(|one| match one {
            Type::Array(Some(element)) if !element.is(&["spread_element"]) => read(element, depth - 1),
            Type::Null => vec![Type::Null],
            _ => vec![Type::Unknown],
        });
        return parts.collect();
    }
    let name = node.field("property").map_or("", |name| name.text());
    let parts = of.into_iter().flat_map(|one| match one {
        Type::Object(Some(of)) | Type::Instance(Some(of)) => property(of, name, depth),
        Type::Array(_) | Type::Text if name == "length" => vec![Type::Number],
        Type::Null => vec![Type::Null],
        _ => vec![Type::Unknown],
    });
    parts.collect()
}

fn property<'t>(of: Node<'t>, name: &str, depth: u32) -> Vec<Type<'t>> {
    let body = of.field("body").unwrap_or(of);
    let is_named = |part: &Node<'_>| part.any_field(&["name", "property", "key"]).is_some_and(|own| own.text() == name);
    let mut found = body.named_children().filter(is_named);
    let (Some(only), None) = (found.next(), found.next()) else { return vec![Type::Unknown] };
    let words = |word: &str| only.children().any(|child| child.text() == word && child.is_leaf());
    let mut all = match only.kind() {
        "method_definition" if words("get") => returned(only, depth - 1),
        "method_definition" | "method_signature" => vec![Type::Function(only)],
        "pair" => only.field("value").map_or_else(|| vec![Type::Unknown], |value| read(value, depth - 1)),
        _ => match (only.field("type"), only.field("value")) {
            (Some(written), _) => read(written, depth - 1),
            (None, Some(value)) if words("readonly") || value.has_role(Role::Lambda) => read(value, depth - 1),
            _ => vec![Type::Unknown],
        },
    };
    if words("?") {
        all.push(Type::Null);
    }
    all
}

/// Where a name is declared: the nearest declaration in the blocks and functions around.
pub(crate) fn declared(used: Node<'_>) -> Option<Node<'_>> {
    sight(used)?;
    let name = used.text();
    for around in used.ancestors() {
        let found = match around.kind() {
            "statement_block" | "program" | "switch_case" => {
                around.named_children().take(STATEMENTS).find_map(|statement| declares(statement, name))
            }
            "for_statement" => around.field("initializer").and_then(|start| declares(start, name)),
            "for_in_statement" | "catch_clause" => {
                let bound = around.any_field(&["left", "parameter"])?;
                bound.leaves().any(|leaf| leaf.text() == name).then_some(around)
            }
            _ if around.has_role(Role::Function) || around.has_role(Role::Lambda) => parameter(around, name),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn declares<'t>(statement: Node<'t>, name: &str) -> Option<Node<'t>> {
    match statement.kind() {
        "lexical_declaration" | "variable_declaration" => statement.named_children().find(|declarator| {
            declarator.field("name").is_some_and(|own| {
                own.text() == name
                    || own.is(&["object_pattern", "array_pattern"]) && own.leaves().any(|leaf| leaf.text() == name)
            })
        }),
        "export_statement" | "ambient_declaration" => {
            statement.named_children().find_map(|inner| declares(inner, name))
        }
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "class_declaration"
        | "abstract_class_declaration"
        | "enum_declaration" => statement.field("name").is_some_and(|own| own.text() == name).then_some(statement),
        "import_statement" => statement.leaves().any(|leaf| leaf.text() == name).then_some(statement),
        _ => None,
    }
}

fn parameter<'t>(function: Node<'t>, name: &str) -> Option<Node<'t>> {
    if let Some(only) = function.field("parameter") {
        return (only.text() == name).then_some(only);
    }
    function.field("parameters")?.named_children().find(|parameter| {
        let bound = parameter.any_field(&["pattern", "left"]).unwrap_or(*parameter);
        bound.leaves().any(|leaf| leaf.text() == name)
    })
}

fn declaration(at: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    let unknown = || vec![Type::Unknown];
    match at.kind() {
        "variable_declarator" => {
            let Some(name) = at.field("name").filter(|name| name.is(&["identifier"])) else { return unknown() };
            if let Some(written) = at.field("type") {
                return read(written, depth - 1);
            }
            let is_const = at.parent().is_some_and(|list| list.children().next().is_some_and(|w| w.text() == "const"));
            match at.field("value") {
                Some(value) if is_const || !is_set_again(name) => read(value, depth - 1),
                _ => unknown(),
            }
        }
        "required_parameter" | "optional_parameter" => {
            let is_plain = at.field("pattern").is_some_and(|pattern| pattern.is(&["identifier"]));
            let Some(written) = at.field("type").filter(|_| is_plain) else { return unknown() };
            let mut all = read(written, depth - 1);
            if at.is(&["optional_parameter"]) {
                all.push(Type::Null);
            }
            all
        }
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "class_declaration"
        | "abstract_class_declaration" => read(at, depth),
        _ => unknown(),
    }
}

/// Whether a variable gets another value somewhere.
fn is_set_again(name: Node<'_>) -> bool {
    let Some(top) = sight(name) else { return true };
    top.descendants().filter(|node| node.is(&["identifier"]) && node.text() == name.text()).any(|node| {
        node.ancestors().take(4).any(|around| {
            let is_left = || around.field("left").is_some_and(|left| node.is_inside(left));
            around.is(&["update_expression"])
                || around.is(&["assignment_expression", "augmented_assignment_expression", "for_in_statement"])
                    && is_left()
        })
    })
}
