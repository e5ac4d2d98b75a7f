//! The declaration of a C or C++ variable, and the kind of value of an expression, as far as the hunk shows it.
//!
//! Only certain types are returned. Typedefs of a project, macros and unknown calls have no type here.

use crate::language::Role;
use crate::tree::Node;

/// The maximum number of nodes that one query looks at.
const STEPS: usize = 4000;

/// The maximum depth to which an expression is followed.
const DEPTH: u32 = 8;

/// A declared variable.
#[derive(Clone, Copy)]
pub struct Variable<'t> {
    /// The declaration or the parameter.
    pub node: Node<'t>,
    /// The words of the type, without stars and brackets.
    pub kind: &'t str,
    /// Number of `*`.
    pub stars: usize,
    /// The size in the first brackets, if it is an array; the inner option is `None` for `[]`.
    pub array: Option<Option<Node<'t>>>,
    /// Its number of brackets.
    pub dimensions: usize,
    /// The initial value.
    pub value: Option<Node<'t>>,
    /// It is a parameter.
    pub is_parameter: bool,
    /// It is a C++ reference.
    pub is_reference: bool,
}

impl<'t> Variable<'t> {
    /// Whether it lives only as long as its function runs.
    pub fn is_local(&self) -> bool {
        let is_static = self.node.children().any(|child| {
            child.is(&["storage_class_specifier"])
                && matches!(child.text(), "static" | "extern" | "thread_local")
        });
        !is_static && self.node.enclosing(Role::Function).is_some()
    }

    /// Its number of elements, if that is a plain number.
    pub fn length(&self) -> Option<u64> {
        if self.is_parameter {
            return None;
        }
        number(self.array??)
    }

    /// Whether it is a pointer, or a parameter written as an array.
    pub fn is_pointer(&self) -> bool {
        (self.stars > 0 && self.array.is_none()) || (self.is_parameter && self.array.is_some())
    }

    /// The kind of its value.
    pub fn value_kind(&self) -> Value {
        pointed(self.kind, self.stars + self.dimensions)
    }

    /// Whether the declared type is unsigned and not a pointer.
    pub fn is_unsigned(&self) -> bool {
        self.stars == 0 && self.array.is_none() && is_unsigned(self.kind)
    }
}

/// A kind of value, as variable arguments distinguish them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// `int` and what is promoted to it.
    Int,
    /// `long`.
    Long,
    /// `long long`.
    LongLong,
    /// `size_t` and `ssize_t`.
    Size,
    /// `int64_t` and similar types: `long` or `long long`.
    Wide,
    /// `double` and `float`.
    Double,
    /// `long double`.
    LongDouble,
    /// Pointer to `char`.
    Text,
    /// Pointer to wide characters.
    WideText,
    /// Any other pointer.
    Pointer,
    /// An object of a class.
    Object,
}

fn is_unsigned(kind: &str) -> bool {
    let mut words = kind
        .split_whitespace()
        .filter(|word| !matches!(*word, "const" | "volatile" | "register" | "static"));
    let first = words.next().unwrap_or_default().trim_start_matches("std::");
    first == "unsigned"
        || matches!(
            first,
            "size_t"
                | "uint8_t"
                | "uint16_t"
                | "uint32_t"
                | "uint64_t"
                | "uint"
                | "u8"
                | "u16"
                | "u32"
                | "u64"
                | "uintptr_t"
                | "UINT"
                | "DWORD"
                | "ULONG"
                | "SIZE_T"
        )
        || kind.split_whitespace().any(|word| word == "unsigned")
}

/// The value of a type with this many stars.
fn pointed(kind: &str, stars: usize) -> Value {
    let words: Vec<&str> = kind
        .split_whitespace()
        .filter(|word| {
            !matches!(
                *word,
                "const"
                    | "volatile"
                    | "register"
                    | "static"
                    | "restrict"
                    | "constexpr"
                    | "extern"
                    | "inline"
            )
        })
        .collect();
    let short = words.join(" ");
    let short = short.trim_start_matches("std::");
    match stars {
        0 => scalar(short).unwrap_or(Value::Object),
        1 if matches!(
            short,
            "char" | "signed char" | "unsigned char" | "uint8_t" | "int8_t"
        ) =>
        {
            Value::Text
        }
        1 if matches!(short, "wchar_t" | "char16_t" | "char32_t") => Value::WideText,
        _ => Value::Pointer,
    }
}

/// The value of a type that the language or its library defines.
fn scalar(short: &str) -> Option<Value> {
    let mut words: Vec<&str> = short
        .split(' ')
        .filter(|word| !matches!(*word, "signed" | "unsigned"))
        .collect();
    if words.is_empty() {
        return Some(Value::Int);
    }
    words.retain(|word| *word != "int" || short == "int");
    Some(match words.as_slice() {
        []
        | [
            "int" | "char" | "short" | "bool" | "_Bool" | "uint8_t" | "int8_t" | "uint16_t"
            | "int16_t" | "uint32_t" | "int32_t",
        ] => Value::Int,
        ["long"] => Value::Long,
        ["long", "long"] => Value::LongLong,
        ["size_t" | "ssize_t"] => Value::Size,
        ["int64_t" | "uint64_t" | "intmax_t" | "uintmax_t"] => Value::Wide,
        ["double" | "float"] => Value::Double,
        ["long", "double"] => Value::LongDouble,
        _ => return None,
    })
}

/// Whether a type is certainly a class, and neither a number nor a pointer.
fn is_class(kind: &str) -> bool {
    let short = kind.trim_start_matches("const ").trim();
    matches!(
        short,
        "std::string" | "std::wstring" | "std::string_view" | "QString"
    ) || short.starts_with("std::vector")
        || short.starts_with("struct ")
}

/// The declaration that a name refers to.
pub fn declared<'t>(used: Node<'t>) -> Option<Variable<'t>> {
    if !used.is(&["identifier"]) {
        return None;
    }
    let name = used.text();
    let tree = used.tree();
    let declarations = tree.places(declaration_around);
    let before = |around: Node<'_>| around.index() + 1..used.index();
    for around in used.ancestors() {
        let mut earlier = declarations.within(tree, name, before(around)).rev();
        let found = if around.has_role(Role::Function) || around.has_role(Role::Lambda) {
            earlier
                .filter(|node| is_visible(*node, used))
                .find_map(|node| declaration(node, name))
        } else if around.is(&[
            "translation_unit", "declaration_list", "field_declaration_list",
        ]) {
            earlier
                .find(|node| node.parent() == Some(around))
                .and_then(|node| declaration(node, name))
        } else {
            None
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The declaration in which this occurrence of a name is the declared name.
fn declaration_around(name: Node<'_>) -> Option<Node<'_>> {
    let mut declarator = name;
    for around in name.ancestors().take(10) {
        if is_declaration(around) && !is_initializer(around) {
            let kind = around
                .field("type")
                .filter(|kind| kind.index() < declarator.index())?;
            return read(around, kind, declarator, name.text(), false).map(|_| around);
        }
        declarator = around;
    }
    None
}

fn is_declaration(node: Node<'_>) -> bool {
    node.is(&[
        "declaration", "field_declaration", "parameter_declaration",
        "optional_parameter_declaration",
    ])
}

/// Whether the grammar's parameter is really a value that initializes a local variable. In `vector<float>
/// noise(channels * size);`, `size` is not a pointer to `channels`.
fn is_initializer(parameter: Node<'_>) -> bool {
    let mut above = parameter.ancestors();
    let (list, declarator, declaration) = (above.next(), above.next(), above.next());
    list.is_some_and(|list| list.is(&["parameter_list"]))
        && declarator.is_some_and(|declarator| declarator.is(&["function_declarator"]))
        && declaration.is_some_and(|declaration| declaration.is(&["declaration"]))
        && above
            .next()
            .is_some_and(|block| block.has_role(Role::Block))
}

fn is_visible(node: Node<'_>, used: Node<'_>) -> bool {
    let scope = node.ancestors().find(|around| {
        around.has_role(Role::Block)
            || around.has_role(Role::Function)
            || around.has_role(Role::Loop)
            || around.has_role(Role::Lambda)
            || around.is(&["case_statement", "catch_clause"])
    });
    scope.is_none_or(|scope| used.is_inside(scope))
}

/// The variable of a name in a declaration.
fn declaration<'t>(node: Node<'t>, name: &str) -> Option<Variable<'t>> {
    let is_parameter = node.is(&["parameter_declaration", "optional_parameter_declaration"])
        && !is_initializer(node);
    if !(is_parameter || node.is(&["declaration", "field_declaration"])) {
        return None;
    }
    let kind = node.field("type")?;
    let declarators = node.children().filter(|child| {
        child.is(&[
            "identifier", "field_identifier", "init_declarator", "pointer_declarator",
            "array_declarator", "reference_declarator",
        ])
    });
    declarators
        .filter(|child| child.index() > kind.index())
        .find_map(|child| read(node, kind, child, name, is_parameter))
}

fn read<'t>(
    node: Node<'t>,
    kind: Node<'t>,
    declarator: Node<'t>,
    name: &str,
    is_parameter: bool,
) -> Option<Variable<'t>> {
    let mut variable = Variable {
        node,
        kind: kind.text(),
        stars: 0,
        array: None,
        dimensions: 0,
        value: None,
        is_parameter,
        is_reference: false,
    };
    let mut inner = declarator;
    for _ in 0..8 {
        match inner.kind() {
            "identifier" | "field_identifier" => return (inner.text() == name).then_some(variable),
            "init_declarator" => variable.value = inner.field("value"),
            "pointer_declarator" => variable.stars += 1,
            "reference_declarator" => variable.is_reference = true,
            "array_declarator" => {
                variable.array = Some(inner.field("size"));
                variable.dimensions += 1;
            }
            _ => return None,
        }
        inner = inner
            .field("declarator")
            .or_else(|| inner.named_children().last())?;
    }
    None
}

/// The value of an integer literal, in any base.
pub fn number(node: Node<'_>) -> Option<u64> {
    let node = node.unparenthesised();
    if node.is(&["binary_expression"]) {
        let binary = node.binary()?;
        let (left, right) = (number(binary.left)?, number(binary.right)?);
        return match binary.operator {
            "+" => left.checked_add(right),
            "-" => left.checked_sub(right),
            "*" => left.checked_mul(right),
            _ => None,
        };
    }
    if !node.is(&["number_literal"]) {
        return defined(node);
    }
    let text = node
        .text()
        .trim_end_matches(['u', 'U', 'l', 'L'])
        .replace('\'', "");
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(&text, 8).ok(),
        None => text.parse().ok(),
    }
}

/// The number that a `#define` in the same text defines.
fn defined(node: Node<'_>) -> Option<u64> {
    if !node.is(&["identifier"]) || node.text().chars().any(|c| c.is_ascii_lowercase()) {
        return None;
    }
    let root = node.tree().root()?;
    let mut found = root.named_children().take(STEPS).filter(|child| {
        child.is(&["preproc_def"])
            && child
                .field("name")
                .is_some_and(|name| name.text() == node.text())
    });
    let value = found.next()?.field("value")?.text().trim();
    if found.next().is_some() {
        return None;
    }
    value.trim_matches(['(', ')']).parse().ok()
}

/// The kind of value of an expression.
pub fn value_of(node: Node<'_>) -> Option<Value> {
    known(node, DEPTH)
}

fn known(node: Node<'_>, depth: u32) -> Option<Value> {
    if depth == 0 {
        return None;
    }
    let node = node.unparenthesised();
    match node.kind() {
        "number_literal" => literal(node.text()),
        "char_literal" => Some(Value::Int),
        "string_literal" => Some(
            if node.text().starts_with(['L', 'u', 'U']) && !node.text().starts_with("u8") {
                Value::WideText
            } else {
                Value::Text
            },
        ),
        "true" | "false" => Some(Value::Int),
        "identifier" => of_variable(node),
        "sizeof_expression" => Some(Value::Size),
        "pointer_expression" => pointer_type(node, depth),
        "subscript_expression" => element(node, depth),
        "call_expression" => result(node),
        "cast_expression" => of_type(node.field("type")?),
        "binary_expression" => arithmetic(node, depth),
        "update_expression" => known(node.field("argument")?, depth - 1),
        "unary_expression" => {
            let inner = known(node.field("argument")?, depth - 1)?;
            Some(if node.text().starts_with('!') {
                Value::Int
            } else {
                inner
            })
        }
        "conditional_expression" => {
            let (one, other) = (
                known(node.field("consequence")?, depth - 1)?,
                known(node.field("alternative")?, depth - 1)?,
            );
            (one == other).then_some(one)
        }
        _ => None,
    }
}

fn literal(text: &str) -> Option<Value> {
    let lower = text.to_ascii_lowercase();
    if !lower.starts_with("0x") && lower.contains(['.', 'e']) {
        return Some(if lower.ends_with('l') {
            Value::LongDouble
        } else {
            Value::Double
        });
    }
    Some(match lower.trim_end_matches('u') {
        rest if rest.ends_with("ll") || rest.ends_with("llu") => Value::LongLong,
        rest if rest.ends_with('l') => Value::Long,
        _ if lower.len() > 9 => return None,
        _ => Value::Int,
    })
}

fn of_variable(node: Node<'_>) -> Option<Value> {
    let variable = declared(node)?;
    let kind = variable.value_kind();
    (kind != Value::Object || is_class(variable.kind)).then_some(kind)
}

/// The variable at the bottom of `*p`, `p[i]`, with one star less.
fn element(node: Node<'_>, depth: u32) -> Option<Value> {
    let base = node.field("argument")?;
    if let Some(variable) = declared(base) {
        let levels = (variable.stars + variable.dimensions).checked_sub(1)?;
        return Some(pointed(variable.kind, levels)).filter(|kind| *kind != Value::Object);
    }
    match known(base, depth - 1)? {
        Value::Text => Some(Value::Int),
        _ => None,
    }
}

fn pointer_type(node: Node<'_>, depth: u32) -> Option<Value> {
    if node.text().starts_with('&') {
        let inner = node.field("argument")?;
        let variable = declared(inner);
        let is_char = variable.is_some_and(|variable| {
            variable.stars == 0
                && variable.array.is_none()
                && matches!(pointed(variable.kind, 1), Value::Text | Value::WideText)
        });
        return if is_char { None } else { Some(Value::Pointer) };
    }
    element(node, depth)
}

fn result(node: Node<'_>) -> Option<Value> {
    let call = node.call()?;
    match call.callee.trim_start_matches("std::") {
        "strlen" | "wcslen" | "strnlen" | "fread" | "fwrite" | "strspn" | "strcspn" => {
            Some(Value::Size)
        }
        "strerror" | "getenv" | "strdup" | "strchr" | "strrchr" | "strstr" | "strtok" => {
            Some(Value::Text)
        }
        "abs" | "atoi" | "getchar" | "fgetc" | "strcmp" | "toupper" | "tolower" | "rand"
        | "isalpha" | "isdigit" => Some(Value::Int),
        "atof" | "sqrt" | "pow" | "fabs" | "floor" | "ceil" | "sin" | "cos" | "strtod" | "log"
        | "exp" => Some(Value::Double),
        "labs" | "strtol" | "strtoul" | "atol" | "ftell" => Some(Value::Long),
        "malloc" | "calloc" => Some(Value::Pointer),
        _ if call.name == "c_str" && call.arguments.is_empty() => Some(Value::Text),
        _ => None,
    }
}

fn of_type(descriptor: Node<'_>) -> Option<Value> {
    let stars = descriptor.text().matches('*').count();
    let kind = pointed(descriptor.field("type")?.text(), stars);
    (kind != Value::Object).then_some(kind)
}

fn arithmetic(node: Node<'_>, depth: u32) -> Option<Value> {
    let binary = node.binary()?;
    if matches!(
        binary.operator,
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||"
    ) {
        return Some(Value::Int);
    }
    let left = known(binary.left, depth - 1)?;
    if matches!(binary.operator, "<<" | ">>") {
        return Some(left);
    }
    let right = known(binary.right, depth - 1)?;
    let is_pointer = |value: Value| {
        matches!(
            value,
            Value::Text | Value::WideText | Value::Pointer | Value::Object
        )
    };
    match (is_pointer(left), is_pointer(right)) {
        (true, true) | (false, true) => None,
        (true, false) => Some(left).filter(|kind| *kind != Value::Object),
        _ if left == right => Some(left),
        _ => [Value::LongDouble, Value::Double]
            .into_iter()
            .find(|wide| left == *wide || right == *wide)
            .or(match (left, right) {
                (Value::Int, other) | (other, Value::Int) => Some(other),
                _ => None,
            }),
    }
}

/// The statements after a statement in its own block.
pub fn following<'t>(statement: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let is_list = |parent: &Node<'_>| {
        parent.has_role(Role::Block) || parent.is(&["case_statement", "translation_unit"])
    };
    statement
        .parent()
        .filter(is_list)
        .into_iter()
        .flat_map(move |_| statement.following())
}

/// The uses of an expression in a node: nodes with the same text, except as the left part of a longer member chain.
pub fn uses<'t>(inside: Node<'t>, of: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let first = of.leaves().next().map_or("", Node::text);
    std::iter::once(inside)
        .chain(inside.descendants().take(STEPS))
        .filter(move |node| {
            node.kind_id() == of.kind_id() && node.text().starts_with(first) && node.says_same(of)
        })
}
