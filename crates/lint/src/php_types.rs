//! What kind of value a PHP expression surely has, as far as the text in sight says it: literals, `new`, casts, declared
//! parameters, the library's best known functions, and variables whose last setting stands before them in any case.
//!
//! `None` means "not known here".

use crate::grammar::Role;
use crate::names;
use crate::node::Node;

/// How many times a question leads to another one.
const DEPTH: u32 = 6;

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'t> {
    /// A whole number.
    Int,
    /// A number with a fraction.
    Float,
    /// One of the two.
    Number,
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
    /// An array.
    List,
    /// An object, with the last part of its class's name if that is known.
    Object(&'t str),
}

impl Value<'_> {
    /// For a sentence.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Int => "a whole number".to_owned(),
            Self::Float | Self::Number => "a number".to_owned(),
            Self::Text => "a string".to_owned(),
            Self::Bool => "true or false".to_owned(),
            Self::Null => "null".to_owned(),
            Self::List => "an array".to_owned(),
            Self::Object("") => "an object".to_owned(),
            Self::Object(class) => format!("an object of `{class}`"),
        }
    }

    /// A number, true or false, a string.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self, Self::Int | Self::Float | Self::Number | Self::Text | Self::Bool)
    }
}

/// What a name of PHP means, whatever its case and its namespace.
pub(crate) fn plain(name: &str) -> String {
    name.rsplit('\\').next().unwrap_or_default().to_ascii_lowercase()
}

/// The kind of value of an expression.
pub(crate) fn value_of(node: Node<'_>) -> Option<Value<'_>> {
    known(node, DEPTH)
}

/// The expression that a variable got its value from, or the node itself.
pub(crate) fn source_of(node: Node<'_>) -> Node<'_> {
    let node = node.unparenthesised();
    match node.is(&["variable_name"]).then(|| origin(node)) {
        Some(Some(Origin::Value(value))) => value.unparenthesised(),
        _ => node,
    }
}

fn known(node: Node<'_>, depth: u32) -> Option<Value<'_>> {
    let depth = depth.checked_sub(1)?;
    let node = node.unparenthesised();
    Some(match node.kind() {
        "integer" => Value::Int,
        "float" => Value::Float,
        "string" | "encapsed_string" | "heredoc" | "nowdoc" => Value::Text,
        "boolean" => Value::Bool,
        "null" => Value::Null,
        "array_creation_expression" => Value::List,
        "anonymous_function" | "arrow_function" => Value::Object("Closure"),
        "object_creation_expression" => Value::Object(made_class(node)),
        "clone_expression" => return known(node.named_children().next()?, depth),
        "cast_expression" => return cast(node),
        "assignment_expression" => return known(node.field("right")?, depth),
        "variable_name" => {
            return match origin(node)? {
                Origin::Value(value) => known(value, depth),
                Origin::Type(kind) => declared(kind),
                Origin::Is(value) => Some(value),
            };
        }
        "unary_op_expression" => return unary(node, depth),
        "binary_expression" => return binary(node, depth),
        "conditional_expression" => {
            let (then, otherwise) = (node.field("body")?, node.field("alternative")?);
            let value = known(then, depth)?;
            return known(otherwise, depth).filter(|other| *other == value);
        }
        "function_call_expression" => return result(node),
        _ => return None,
    })
}

fn made_class(node: Node<'_>) -> &str {
    let name = node.named_children().next().filter(|name| name.is(&["name", "qualified_name"]));
    let last = name.map_or("", |name| name.text().rsplit('\\').next().unwrap_or_default());
    if matches!(last, "self" | "static" | "parent") { "" } else { last }
}

fn cast(node: Node<'_>) -> Option<Value<'_>> {
    Some(match node.field("type")?.text().trim().to_ascii_lowercase().as_str() {
        "int" | "integer" => Value::Int,
        "float" | "double" | "real" => Value::Float,
        "string" | "binary" => Value::Text,
        "bool" | "boolean" => Value::Bool,
        "array" => Value::List,
        "object" => Value::Object(""),
        _ => return None,
    })
}

fn unary(node: Node<'_>, depth: u32) -> Option<Value<'_>> {
    if node.text().starts_with('!') {
        return Some(Value::Bool);
    }
    let value = known(node.named_children().last()?, depth)?;
    match value {
        Value::Int | Value::Float | Value::Number => Some(value),
        _ => None,
    }
}

fn binary(node: Node<'_>, depth: u32) -> Option<Value<'_>> {
    let binary = node.binary()?;
    Some(match binary.operator.to_ascii_lowercase().as_str() {
        "." => Value::Text,
        "==" | "===" | "!=" | "!==" | "<>" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "and" | "or" | "xor"
        | "instanceof" => Value::Bool,
        "<=>" | "%" | "<<" | ">>" => Value::Int,
        "+" | "-" | "*" | "/" | "**" => match (known(binary.left, depth)?, known(binary.right, depth)?) {
            (Value::Int, Value::Int) if matches!(binary.operator, "+" | "-" | "*") => Value::Int,
            (Value::List, Value::List) if binary.operator == "+" => Value::List,
            (Value::Int | Value::Float | Value::Number, Value::Int | Value::Float | Value::Number) => Value::Number,
            _ => return None,
        },
        _ => return None,
    })
}

/// The kind that a written type allows, if it is only one.
pub(crate) fn declared(kind: Node<'_>) -> Option<Value<'_>> {
    let text = kind.text();
    if kind.is(&["named_type"]) {
        let last = text.rsplit('\\').next().unwrap_or_default();
        return Some(Value::Object(if matches!(last, "self" | "static" | "parent") { "" } else { last }));
    }
    Some(match text.to_ascii_lowercase().as_str() {
        "int" => Value::Int,
        "float" => Value::Float,
        "string" => Value::Text,
        "bool" | "false" | "true" => Value::Bool,
        "array" => Value::List,
        "null" => Value::Null,
        _ => return None,
    })
}

/// Library functions that always give a value of one kind.
fn result(node: Node<'_>) -> Option<Value<'_>> {
    let name = node.field("function").filter(|name| name.is(&["name", "qualified_name"]))?;
    if let Some(own) = own_function(node, name.text()) {
        return declared(own.field("return_type")?);
    }
    Some(match name.text().trim_start_matches('\\').to_ascii_lowercase().as_str() {
        "count" | "strlen" | "intval" | "time" | "rand" | "mt_rand" | "ord" | "mb_strlen" | "strcmp" | "abs_int" => {
            Value::Int
        }
        "floatval" | "sqrt" | "microtime_float" | "floor" | "ceil" | "pi" => Value::Float,
        "strval" | "sprintf" | "implode" | "trim" | "ltrim" | "rtrim" | "strtolower" | "strtoupper" | "ucfirst"
        | "md5" | "sha1" | "date" | "htmlspecialchars" | "str_repeat" | "number_format" | "dirname" | "basename"
        | "chr" | "bin2hex" | "serialize" | "gettype" | "uniqid" | "nl2br" | "ucwords" | "lcfirst" | "substr" => {
            Value::Text
        }
        "is_array" | "is_string" | "is_int" | "is_numeric" | "is_null" | "in_array" | "array_key_exists"
        | "is_object" | "is_callable" | "is_bool" | "method_exists" | "function_exists" | "class_exists"
        | "file_exists" | "is_file" | "is_dir" | "str_contains" | "boolval" => Value::Bool,
        "array_merge" | "array_keys" | "array_values" | "array_filter" | "array_map" | "explode" | "array_unique"
        | "array_slice" | "array_reverse" | "array_flip" | "array_diff" | "array_fill" | "range" | "compact"
        | "array_column" | "str_split" | "get_object_vars" => Value::List,
        _ => return None,
    })
}

/// Where a variable's value comes from.
enum Origin<'t> {
    Value(Node<'t>),
    Type(Node<'t>),
    Is(Value<'t>),
}

/// What a mention of a variable does to it.
enum Mention<'t> {
    Reads,
    Sets(Origin<'t>),
    SetsSomehow,
}

/// The last setting before a use, if that setting happens in any case and nothing else can come between.
fn origin(used: Node<'_>) -> Option<Origin<'_>> {
    let name = used.text();
    if name == "$this" || name == "$GLOBALS" {
        return None;
    }
    let scope = scope(used)?;
    let is_mention =
        |node: &Node<'_>| node.end() - node.start() == name.len() && node.is(&["variable_name"]) && node.text() == name;
    let before = (scope.index()..used.index()).rev().filter_map(|index| used.tree().node(u32::try_from(index).ok()?));
    let mut set = None;
    for node in before {
        if node.is(&["include_expression", "include_once_expression", "require_expression", "require_once_expression"])
        {
            return None;
        }
        if !is_mention(&node) {
            continue;
        }
        if self::scope(node) != Some(scope) {
            if is_shared(node) {
                return None;
            }
            continue;
        }
        match mention(node) {
            Mention::Reads => {}
            Mention::SetsSomehow => return None,
            Mention::Sets(_) if around_assignment(node).is_some_and(|whole| used.is_inside(whole)) => {}
            Mention::Sets(found) if dominates(node, used) => {
                set = Some((node, found));
                break;
            }
            Mention::Sets(_) => return None,
        }
    }
    let (at, found) = set?;
    let is_global = scope.parent().is_none();
    let is_loop = |around: &Node<'_>| {
        let turns = around.field("body").is_some_and(|body| at.is_inside(body));
        around.has_role(Role::Loop) && !turns
    };
    let reset = |around: Node<'_>| {
        let mut later = around.descendants().filter(|node| node.index() > at.index() && is_mention(node));
        later.any(|node| node != used && !matches!(mention(node), Mention::Reads))
    };
    if used.ancestors().take_while(|around| *around != scope).filter(is_loop).any(reset) {
        return None;
    }
    let shares = |node: Node<'_>| is_mention(&node) && node.ancestors().take(2).any(|a| a.is(&["global_declaration"]));
    if is_global && names::sight(used)?.descendants().any(shares) {
        return None;
    }
    Some(found)
}

/// The function whose variable it is, or the whole text.
pub(crate) fn scope(used: Node<'_>) -> Option<Node<'_>> {
    let mut last = None;
    for around in used.ancestors() {
        if around.is(&["function_definition", "method_declaration", "anonymous_function"]) {
            return Some(around);
        }
        if around.is(&["arrow_function", "class_declaration", "namespace_definition", "error", "ERROR"]) {
            return None;
        }
        last = Some(around);
    }
    last
}

/// A function inside takes it by reference.
fn is_shared(node: Node<'_>) -> bool {
    node.parent().is_some_and(|around| around.is(&["by_ref"]))
}

fn around_assignment(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().take(3).find(|around| around.has_role(Role::Assign))
}

/// It happens in any case before the use: the block that it stands in is around the use.
fn dominates(set: Node<'_>, used: Node<'_>) -> bool {
    for around in set.ancestors() {
        if used.is_inside(around) {
            const BRANCHES: &[&str] =
                &["binary_expression", "conditional_expression", "if_statement", "else_if_clause", "try_statement"];
            let first = around.any_field(&["condition", "left"]);
            return !around.is(BRANCHES) || first.is_some_and(|first| set.is_inside(first));
        }
        let stops = around.is(&[
            "compound_statement",
            "colon_block",
            "if_statement",
            "else_if_clause",
            "else_clause",
            "case_statement",
            "default_statement",
            "for_statement",
            "foreach_statement",
            "while_statement",
            "try_statement",
            "catch_clause",
            "conditional_expression",
            "match_conditional_expression",
        ]);
        let is_and = around.is(&["binary_expression"]);
        if stops || is_and {
            return false;
        }
    }
    false
}

fn mention(node: Node<'_>) -> Mention<'_> {
    let Some(parent) = node.parent() else { return Mention::Reads };
    match parent.kind() {
        "simple_parameter" | "property_promotion_parameter" => parameter(parent),
        "variadic_parameter" => Mention::Sets(Origin::Is(Value::List)),
        "assignment_expression" if parent.field("left") == Some(node) => {
            parent.field("right").map_or(Mention::SetsSomehow, |right| Mention::Sets(Origin::Value(right)))
        }
        "augmented_assignment_expression" if parent.field("left") == Some(node) => {
            match parent.field("operator").map(Node::text) {
                Some(".=") => Mention::Sets(Origin::Is(Value::Text)),
                _ => Mention::SetsSomehow,
            }
        }
        "subscript_expression" if parent.named_children().next() == Some(node) => element(parent),
        "catch_clause" => Mention::Sets(Origin::Is(Value::Object(""))),
        "argument" => argument(parent),
        "member_access_expression"
        | "nullsafe_member_access_expression"
        | "member_call_expression"
        | "nullsafe_member_call_expression"
        | "binary_expression"
        | "unary_op_expression"
        | "return_statement"
        | "echo_statement"
        | "parenthesized_expression"
        | "cast_expression"
        | "encapsed_string"
        | "conditional_expression"
        | "assignment_expression"
        | "expression_statement"
        | "throw_expression"
        | "object_creation_expression"
        | "scoped_call_expression"
        | "class_constant_access_expression"
        | "augmented_assignment_expression"
        | "clone_expression"
        | "print_intrinsic"
        | "arrow_function"
        | "anonymous_function_use_clause"
        | "heredoc_body"
        | "variadic_unpacking"
        | "switch_statement"
        | "subscript_expression"
        | "match_condition_list" => Mention::Reads,
        "array_element_initializer" if !is_target(parent) => Mention::Reads,
        "foreach_statement" if parent.named_children().next() == Some(node) => Mention::Reads,
        _ => Mention::SetsSomehow,
    }
}

/// The array is the left side of an assignment: `[$a, $b] = …`.
fn is_target(element: Node<'_>) -> bool {
    element.parent().is_some_and(|list| {
        list.parent().is_some_and(|around| {
            around.is(&["foreach_statement", "array_element_initializer", "pair"]) || around.field("left") == Some(list)
        })
    })
}

fn parameter(parameter: Node<'_>) -> Mention<'_> {
    let is_nullable = parameter.field("default_value").is_some_and(|value| value.text().eq_ignore_ascii_case("null"));
    match parameter.field("type") {
        Some(kind) if !is_nullable => Mention::Sets(Origin::Type(kind)),
        _ => Mention::SetsSomehow,
    }
}

/// `$a[…]`: setting an element makes an array of nothing, and leaves an array one.
fn element(index: Node<'_>) -> Mention<'_> {
    let mut inner = index;
    for around in index.ancestors().take(4) {
        if around.is(&["subscript_expression"]) && around.named_children().next() == Some(inner) {
            inner = around;
            continue;
        }
        if around.is(&["assignment_expression", "augmented_assignment_expression", "update_expression"]) {
            let is_set = around.field("left") == Some(inner) || around.is(&["update_expression"]);
            return if is_set { Mention::SetsSomehow } else { Mention::Reads };
        }
        if around.is(&["argument"]) {
            return argument(around);
        }
        let writes = around.is(&["by_ref", "foreach_statement", "unset_statement", "reference_assignment_expression"]);
        return if writes { Mention::SetsSomehow } else { Mention::Reads };
    }
    Mention::SetsSomehow
}

/// A function may take its argument by reference; those that surely do not only read it.
fn argument(argument: Node<'_>) -> Mention<'static> {
    const READ_ONLY: &[&str] = &[
        "count",
        "strlen",
        "trim",
        "implode",
        "explode",
        "array_merge",
        "array_map",
        "array_keys",
        "array_values",
        "sprintf",
        "printf",
        "json_encode",
        "in_array",
        "substr",
        "strtolower",
        "strtoupper",
        "var_dump",
        "print_r",
        "is_array",
        "is_string",
        "is_null",
        "is_int",
        "is_object",
        "is_callable",
        "is_bool",
        "is_numeric",
        "is_float",
        "array_key_exists",
        "intval",
        "htmlspecialchars",
        "strpos",
        "md5",
        "sha1",
        "file_get_contents",
        "var_export",
        "is_subclass_of",
        "is_a",
        "method_exists",
        "get_class",
        "gettype",
        "array_is_list",
        "asserttype",
        "dumptype",
        "array_filter",
        "array_diff",
        "range",
        "max",
        "min",
        "number_format",
        "ucfirst",
        "str_repeat",
        "strval",
    ];
    let Some(call) = argument.ancestors().nth(1) else { return Mention::SetsSomehow };
    if call.is(&["object_creation_expression"]) {
        return Mention::Reads;
    }
    let Some(name) = call.field("function") else { return Mention::SetsSomehow };
    if READ_ONLY.contains(&plain(name.text()).as_str()) {
        return Mention::Reads;
    }
    let by_value = |own: Node<'_>| own.field("parameters").is_some_and(|list| !list.text().contains('&'));
    match own_function(call, name.text()) {
        Some(own) if by_value(own) => Mention::Reads,
        _ => Mention::SetsSomehow,
    }
}

/// Whether a value can be what a written type asks for. In doubt it can.
pub(crate) fn fits(value: Value<'_>, node: Node<'_>, kind: Node<'_>) -> bool {
    match kind.kind() {
        "optional_type" => value == Value::Null || kind.named_children().next().is_none_or(|of| fits(value, node, of)),
        "union_type" => kind.named_children().any(|of| fits(value, node, of)),
        "named_type" => fits_class(value, kind),
        "primitive_type" => fits_primitive(value, node, &kind.text().to_ascii_lowercase()),
        _ => true,
    }
}

fn fits_class(value: Value<'_>, kind: Node<'_>) -> bool {
    let wanted = kind.text().rsplit('\\').next().unwrap_or_default();
    match value {
        Value::Object(class) => class.is_empty() || wanted.is_empty() || !are_strangers(kind, class, wanted),
        Value::Text | Value::Int | Value::Float | Value::Number | Value::Bool | Value::Null | Value::List => {
            wanted.is_empty() || wanted.len() == 1
        }
    }
}

/// Both classes are in sight, each once, and neither comes from anything that is not.
fn are_strangers(at: Node<'_>, class: &str, wanted: &str) -> bool {
    let Some(mut family) = family(at, class) else { return false };
    family.push(class);
    !family.iter().any(|name| name.eq_ignore_ascii_case(wanted)) && only_class(at, wanted).is_some()
}

/// The only function in sight that has this name. Most have not, so the text is asked before the tree.
pub(crate) fn own_function<'t>(used: Node<'t>, name: &str) -> Option<Node<'t>> {
    let is_written = names::sight(used)?.text().contains(&format!("function {name}"));
    is_written.then(|| names::only_function(used, name)).flatten().filter(|own| own.is(&["function_definition"]))
}

/// The only class or interface in sight that has this name.
pub(crate) fn only_class<'t>(used: Node<'t>, name: &str) -> Option<Node<'t>> {
    let is_it = |node: &Node<'_>| {
        node.has_role(Role::Class) && node.field("name").is_some_and(|own| own.text().eq_ignore_ascii_case(name))
    };
    let mut found = names::sight(used)?.descendants().filter(is_it);
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only).filter(|only| only.is_usable()),
        _ => None,
    }
}

/// The names of all that a class in sight comes from; `None` if some of it is not in sight.
pub(crate) fn family<'t>(at: Node<'t>, class: &str) -> Option<Vec<&'t str>> {
    let mut open = vec![only_class(at, class)?];
    let mut names = Vec::new();
    while let Some(class) = open.pop() {
        if names.len() > 20 {
            return None;
        }
        for clause in class.children().filter(|part| part.is(&["base_clause", "class_interface_clause"])) {
            for parent in clause.named_children() {
                let name = parent.text().rsplit('\\').next().unwrap_or_default();
                names.push(name);
                open.push(only_class(at, name)?);
            }
        }
    }
    Some(names)
}

/// The class and all that it comes from are in sight, and none of it can be used as an array.
pub(crate) fn is_no_array(at: Node<'_>, class: &str) -> bool {
    !class.is_empty() && family(at, class).is_some_and(|names| !names.iter().any(|name| name.contains("Array")))
}

/// Without `strict_types`, numbers, texts and truth values become each other where that makes sense.
fn fits_primitive(value: Value<'_>, node: Node<'_>, wanted: &str) -> bool {
    let is_strict = || names::sight(node).is_some_and(|top| is_strict(top.text()));
    match (wanted, value) {
        ("mixed" | "callable" | "iterable" | "self" | "static", Value::Object(_) | Value::List | Value::Text) => true,
        ("mixed", _) | ("object", Value::Object(_)) | ("array", Value::List) | ("null" | "void", Value::Null) => true,
        ("int" | "float" | "string" | "bool" | "array" | "iterable" | "object" | "callable", Value::Null) => false,
        ("int", Value::Int) | ("float", Value::Int | Value::Float | Value::Number) => true,
        ("int", Value::Number) | ("string", Value::Text) | ("bool" | "false" | "true", Value::Bool) => true,
        ("int" | "float", Value::Text) => !is_strict() && !is_word(node),
        ("string", Value::Object(class)) => !matches!(class, "stdClass" | "Closure"),
        ("int" | "float" | "string" | "bool", Value::List) => false,
        ("int" | "float" | "bool", Value::Object(class)) => class.is_empty(),
        ("int" | "float" | "string" | "bool", _) => !is_strict(),
        ("array" | "iterable" | "object" | "callable", Value::Int | Value::Float | Value::Number | Value::Bool) => {
            false
        }
        ("array" | "object", Value::Text) | ("object", Value::List) => false,
        ("array", Value::Object(_)) => false,
        _ => true,
    }
}

fn is_strict(text: &str) -> bool {
    const HEAD: usize = 200;
    let head: String = text.chars().take(HEAD).filter(|c| !c.is_whitespace()).collect();
    head.contains("strict_types=1")
}

/// What stands in a string that has no values in it.
pub(crate) fn literal_text(node: Node<'_>) -> Option<&str> {
    let is_fixed = |node: Node<'_>| node.named_children().all(|part| part.is(&["string_content", "escape_sequence"]));
    node.string_value().filter(|_| node.is(&["string"]) || node.is(&["encapsed_string"]) && is_fixed(node))
}

/// A text in sight that is no number.
pub(crate) fn is_word(node: Node<'_>) -> bool {
    let source = source_of(node);
    literal_text(source).is_some_and(|text| {
        let start = text.trim_start().trim_start_matches(['-', '+', '.']).chars().next();
        start.is_none_or(|first| !first.is_ascii_digit() && first != '$')
    })
}
