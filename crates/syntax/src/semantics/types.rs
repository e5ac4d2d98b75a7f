//! The type of an expression, as far as the hunk itself shows it: literals, declarations of locals, parameters and
//! fields, casts, `new`, and a few library calls with well-known results.
//!
//! `None` means "unknown", never "no type". Covers only Java, C#, Kotlin and Go. Names are as in the source, without
//! type arguments, packages, white space and `?`: `Map`, `int[]`, `String`.

use crate::language::Role;
use crate::tree::{Node, Operation};

/// The maximum number of nodes that one query looks at.
const STEPS: usize = 4000;

/// The maximum depth of nested queries.
const DEPTH: u32 = 6;

/// Where a name was declared.
#[derive(Clone, Copy)]
pub struct Declared<'t> {
    /// The declaration: a declarator, a parameter, a field.
    pub node: Node<'t>,
    /// The type, if one is written.
    pub kind: Option<Node<'t>>,
    /// The initial value.
    pub value: Option<Node<'t>>,
}

impl Declared<'_> {
    /// Whether it belongs to a class and not to a function.
    pub fn is_field(&self) -> bool {
        self.node.ancestors().take(3).any(|around| {
            around.is(&[
                "field_declaration", "class_body", "declaration_list", "property_declaration",
            ])
        }) && self.node.ancestors().take(3).all(|around| {
            !around.is(&[
                "local_variable_declaration", "local_declaration_statement", "block",
                "function_body", "statements",
            ])
        })
    }
}

/// The declaration that a name refers to: the nearest one before it in its function, otherwise one of its class or
/// file.
pub fn declared<'t>(used: Node<'t>) -> Option<Declared<'t>> {
    let name = match used.kind() {
        "field_access" | "member_access_expression"
            if used
                .named_children()
                .next()
                .is_some_and(|of| of.is(&["this", "this_expression"]))
                || used.text().starts_with("this.") =>
        {
            used.last_name()
        }
        "identifier" | "simple_identifier" => used.text(),
        _ => return None,
    };
    let is_member = !used.is(&["identifier", "simple_identifier"]);
    let tree = used.tree();
    let declarations = tree.places(declaration_around);
    for around in used.ancestors() {
        let is_function =
            (around.has_role(Role::Function) || around.has_role(Role::Lambda)) && !is_member;
        let found = if is_function {
            let earlier = declarations
                .within(tree, name, around.index() + 1..used.index())
                .rev();
            earlier
                .filter(|node| is_visible(*node, used))
                .find_map(|node| declaration(node, name))
        } else if around.is(&[
            "class_body", "declaration_list", "enum_body", "interface_body", "program",
            "compilation_unit", "source_file", "enum_class_body",
        ]) {
            let own = declarations.within(tree, name, around.inside());
            own.filter(|node| is_member_of(*node, around) && !node.is_inside(used))
                .find_map(|node| declaration(node, name))
        } else if around.has_role(Role::Class) {
            let before_body = around.index() + 1..body_of(around);
            let mut parameters = declarations
                .within(tree, name, before_body)
                .filter(|node| node.is(&["parameter", "class_parameter"]));
            parameters.find_map(|node| declaration(node, name))
        } else {
            None
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The index of the body of a class, behind the parameters of its primary constructor.
fn body_of(class: Node<'_>) -> usize {
    let body = class
        .field("body")
        .or_else(|| class.child_of_kind(&["class_body", "enum_class_body"]));
    body.map_or(class.index() + 1, Node::index)
}

/// The declaration in which this occurrence of a name may be the declared name.
fn declaration_around(name: Node<'_>) -> Option<Node<'_>> {
    let mut inner = name;
    for around in name.ancestors().take(5) {
        let declares = match around.kind() {
            // These can be long lists of names, in which only the position decides.
            "var_spec"
            | "const_spec"
            | "parameter_declaration"
            | "variadic_parameter_declaration" => inner == name,
            "short_var_declaration" | "range_clause" => around.field("left") == Some(inner),
            _ => declaration(around, name.text()).is_some(),
        };
        if declares {
            return Some(around);
        }
        inner = around;
    }
    None
}

/// Maximum number of nodes between a child of a class and the declaration in it.
const NEAR: usize = 40;

/// Whether a declaration is a direct member of a class, and not inside code.
fn is_member_of(node: Node<'_>, class: Node<'_>) -> bool {
    let child = std::iter::once(node)
        .chain(node.ancestors())
        .find(|inner| inner.parent() == Some(class));
    let Some(child) =
        child.filter(|child| !child.has_role(Role::Function) && !child.has_role(Role::Class))
    else {
        return false;
    };
    const CODE: &[&str] = &[
        "block", "class_body", "lambda_expression", "declaration_list", "function_body",
    ];
    let place = node.index() - child.index();
    place <= NEAR && !child.descendants().take(place).any(|inner| inner.is(CODE))
}

/// Whether a declaration is visible at the use: its block encloses the use.
fn is_visible(node: Node<'_>, used: Node<'_>) -> bool {
    let block = node.ancestors().find(|around| {
        around.has_role(Role::Block)
            || around.has_role(Role::Function)
            || around.has_role(Role::Lambda)
            || around.has_role(Role::Loop)
            || around.has_role(Role::Catch)
            || around.has_role(Role::Case)
    });
    block.is_none_or(|block| used.is_inside(block))
        || node
            .ancestors()
            .take(8)
            .any(|around| around.is(&["instanceof_expression", "is_pattern_expression"]))
}

fn declaration<'t>(node: Node<'t>, name: &str) -> Option<Declared<'t>> {
    let is_it = |part: Node<'_>| part.text() == name;
    match node.kind() {
        // Java and C#
        "variable_declarator" => {
            node.any_field(&["name"])
                .or_else(|| node.named_children().next())
                .filter(|part| is_it(*part))?;
            let kind = node.parent().and_then(|parent| {
                parent.field("type").or_else(|| {
                    parent
                        .named_children()
                        .find(|part| part.kind().ends_with("type") || part.is(&["type_identifier"]))
                })
            });
            let value = node.field("value").or_else(|| {
                node.named_children()
                    .skip(1)
                    .find(|part| !part.is(&["bracketed_argument_list", "dimensions"]))
            });
            Some(Declared { node, kind, value })
        }
        "formal_parameter"
        | "parameter"
        | "catch_formal_parameter"
        | "resource"
        | "catch_declaration"
        | "declaration_pattern"
        | "declaration_expression" => {
            let named = node
                .field("name")
                .or_else(|| node.child_of_kind(&["simple_identifier"]))?;
            let typed = || {
                node.named_children()
                    .find(|part| part.kind().ends_with("type") && !part.is(&["catch_type"]))
            };
            is_it(named).then(|| Declared {
                node,
                kind: node.field("type").or_else(typed),
                value: node.field("value"),
            })
        }
        "enhanced_for_statement" => is_it(node.field("name")?).then(|| Declared {
            node,
            kind: node.field("type"),
            value: None,
        }),
        "foreach_statement" => is_it(node.field("left")?).then(|| Declared {
            node,
            kind: node.field("type"),
            value: None,
        }),
        "instanceof_expression" => is_it(node.field("name")?).then(|| Declared {
            node,
            kind: node.field("right"),
            value: None,
        }),
        // C#
        "property_declaration" if node.field("name").is_some() => {
            is_it(node.field("name")?).then(|| Declared {
                node,
                kind: node.field("type"),
                value: None,
            })
        }
        // Kotlin
        "property_declaration" | "class_parameter" => {
            let holder = node
                .child_of_kind(&["variable_declaration"])
                .unwrap_or(node);
            is_it(holder.child_of_kind(&["simple_identifier"])?).then_some(())?;
            let kind = holder
                .named_children()
                .find(|part| part.is(&["user_type", "nullable_type", "function_type"]));
            let value = node.named_children().last().filter(|part| {
                !part.is(&[
                    "variable_declaration", "getter", "setter", "property_delegate", "user_type",
                    "nullable_type",
                ])
            });
            Some(Declared {
                node,
                kind,
                value: value.filter(|_| node.text().contains('=')),
            })
        }
        // Go
        "var_spec" | "const_spec" | "parameter_declaration" | "variadic_parameter_declaration" => {
            let place = node
                .named_children()
                .take_while(|part| part.is(&["identifier"]))
                .position(is_it)?;
            let value = node
                .field("value")
                .and_then(|list| list.named_children().nth(place));
            Some(Declared {
                node,
                kind: node.field("type"),
                value,
            })
        }
        "short_var_declaration" => {
            let (left, right) = (node.field("left")?, node.field("right")?);
            let place = left.named_children().position(is_it)?;
            let single = right.named_children().count() == left.named_children().count();
            Some(Declared {
                node,
                kind: None,
                value: right.named_children().nth(place).filter(|_| single),
            })
        }
        "range_clause" => {
            let place = node.field("left")?.named_children().position(is_it)?;
            (place < 2).then_some(Declared {
                node,
                kind: None,
                value: None,
            })
        }
        _ => None,
    }
}

/// The type of an expression.
pub fn type_of(node: Node<'_>) -> Option<String> {
    known(node, DEPTH)
}

/// Whether an expression is certainly of this type.
pub fn is_of(node: Node<'_>, names: &[&str]) -> bool {
    type_of(node).is_some_and(|name| names.contains(&name.as_str()))
}

/// A type as written, shortened: no packages, no type arguments, no white space, no `?`.
pub fn short(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_u32;
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => out.clear(),
            c if depth == 0 && !c.is_whitespace() && c != '?' => out.push(c),
            _ => {}
        }
    }
    out
}

fn named(declared: Declared<'_>, depth: u32) -> Option<String> {
    let value = || known(declared.value?, depth - 1);
    let Some(kind) = declared
        .kind
        .filter(|kind| !matches!(kind.text(), "var" | "final" | "auto"))
    else {
        return value();
    };
    let mut name = if declared.node.tree().grammar().name() == "Go" {
        kind.text().to_owned()
    } else {
        short(kind.text())
    };
    let dimensions = declared.node.field("dimensions").map_or("", Node::text);
    name.extend(dimensions.chars().filter(|c| !c.is_whitespace()));
    if declared
        .node
        .parent()
        .is_some_and(|parent| parent.is(&["spread_parameter"]))
        || declared.node.is(&["variadic_parameter_declaration"])
    {
        name.push_str("[]");
    }
    Some(name)
}

fn known(node: Node<'_>, depth: u32) -> Option<String> {
    if depth == 0 {
        return None;
    }
    let node = node.unparenthesised();
    let fixed = match node.kind() {
        "string_literal"
        | "verbatim_string_literal"
        | "raw_string_literal"
        | "interpolated_string_expression" => {
            if matches!(node.tree().grammar().name(), "C#" | "Go") {
                "string"
            } else {
                "String"
            }
        }
        "interpreted_string_literal" => "string",
        "character_literal" | "rune_literal" => "char",
        "true" | "false" | "boolean_literal" => "boolean",
        "decimal_integer_literal"
        | "hex_integer_literal"
        | "octal_integer_literal"
        | "binary_integer_literal"
        | "integer_literal" => {
            if node.text().ends_with(['l', 'L']) {
                "long"
            } else {
                "int"
            }
        }
        "int_literal" => "int",
        "decimal_floating_point_literal" | "real_literal" => {
            if node.text().ends_with(['f', 'F']) {
                "float"
            } else {
                "double"
            }
        }
        _ => "",
    };
    if !fixed.is_empty() {
        return Some(fixed.to_owned());
    }
    match node.kind() {
        "identifier" | "simple_identifier" | "field_access" | "member_access_expression" => {
            if matches!(node.last_name(), "length" | "Length")
                && node
                    .receiver()
                    .and_then(|of| known(of, depth - 1))
                    .is_some_and(|of| of.ends_with("[]") || of.eq_ignore_ascii_case("string"))
            {
                return Some("int".to_owned());
            }
            named(declared(node)?, depth)
        }
        "object_creation_expression" => Some(short(node.field("type")?.text()))
            .filter(|_| node.child_of_kind(&["class_body"]).is_none()),
        "array_creation_expression" => {
            let text = node.field("type")?.text();
            let ranks = node
                .children()
                .filter(|part| part.is(&["dimensions", "dimensions_expr"]))
                .count();
            Some(if text.contains('[') {
                short(text)
            } else {
                short(text) + &"[]".repeat(ranks.max(1))
            })
        }
        "cast_expression" => Some(short(node.field("type")?.text())),
        "array_access" => known(node.field("array")?, depth - 1)?
            .strip_suffix("[]")
            .map(str::to_owned),
        "binary_expression" | "additive_expression" | "multiplicative_expression" => {
            arithmetic(node, depth)
        }
        "unary_expression" | "prefix_unary_expression" => {
            let operand = node
                .any_field(&["operand", "argument"])
                .or_else(|| node.named_children().last())?;
            if node.text().starts_with('!') {
                Some("boolean".to_owned())
            } else {
                known(operand, depth - 1).filter(|_| !node.text().starts_with(['&', '*']))
            }
        }
        "method_invocation" | "invocation_expression" => result(node, depth),
        "composite_literal" => Some(node.field("type")?.text().to_owned()),
        _ => None,
    }
}

fn arithmetic(node: Node<'_>, depth: u32) -> Option<String> {
    let binary = node.binary()?;
    if matches!(
        binary.operation(),
        Operation::Order | Operation::Equality | Operation::And | Operation::Or
    ) {
        return Some("boolean".to_owned());
    }
    let (left, right) = (
        known(binary.left, depth - 1),
        known(binary.right, depth - 1),
    );
    let is_text = |name: &Option<String>| {
        name.as_deref()
            .is_some_and(|name| name == "String" || name == "string")
    };
    if binary.operator == "+" && (is_text(&left) || is_text(&right)) {
        return left
            .filter(|name| name == "String" || name == "string")
            .or(right);
    }
    let (left, right) = (left?, right?);
    if matches!(binary.operator, "<<" | ">>" | ">>>") {
        return rank(&left).map(|_| {
            if left == "long" {
                left
            } else {
                "int".to_owned()
            }
        });
    }
    let wide = if rank(&left)? >= rank(&right)? {
        left
    } else {
        right
    };
    Some(if rank(&wide)? < 3 {
        "int".to_owned()
    } else {
        wide
    })
}

fn rank(name: &str) -> Option<u32> {
    Some(match name {
        "byte" | "sbyte" => 0,
        "short" | "ushort" => 1,
        "char" => 2,
        "int" => 3,
        "long" => 4,
        "float" => 5,
        "double" => 6,
        _ => return None,
    })
}

/// Library calls with a well-known result, whatever the type of the receiver.
const RESULTS: &[(&str, &str)] = &[
    ("hashCode", "int"),
    ("GetHashCode", "int"),
    ("ToString", "string"),
    ("toString", "String"),
    ("compareTo", "int"),
    ("size", "int"),
    ("isEmpty", "boolean"),
    ("equals", "boolean"),
    ("Equals", "boolean"),
    ("intValue", "int"),
    ("longValue", "long"),
    ("doubleValue", "double"),
    ("currentTimeMillis", "long"),
    ("nanoTime", "long"),
    ("getBytes", "byte[]"),
    ("toCharArray", "char[]"),
    ("parseInt", "int"),
    ("parseLong", "long"),
    ("parseDouble", "double"),
    ("getSimpleName", "String"),
    ("indexOf", "int"),
    ("lastIndexOf", "int"),
];

/// String methods that return a string.
const OF_TEXT: &[&str] = &[
    "trim", "substring", "toLowerCase", "toUpperCase", "replace", "replaceAll", "replaceFirst",
    "concat", "intern", "strip", "repeat", "format", "valueOf", "join", "formatted", "Trim",
    "Substring", "ToLower", "ToUpper", "Replace", "TrimEnd", "TrimStart", "ToLowerInvariant",
    "ToUpperInvariant", "Format", "Join", "Concat", "Insert", "Remove", "PadLeft", "PadRight",
];

fn result(node: Node<'_>, depth: u32) -> Option<String> {
    let call = node.call()?;
    let is_csharp = node.tree().grammar().name() == "C#";
    if let Some(receiver) = call.receiver.filter(|receiver| receiver.text() != "this") {
        let text = if is_csharp { "string" } else { "String" };
        if OF_TEXT.contains(&call.name)
            && (receiver.text().eq_ignore_ascii_case("string")
                || known(receiver, depth - 1).as_deref() == Some(text))
        {
            return Some(text.to_owned());
        }
        if matches!(
            receiver.text(),
            "Integer" | "Long" | "Double" | "Short" | "Byte" | "Character" | "Boolean" | "Float"
        ) && call.name == "valueOf"
        {
            return Some(receiver.text().to_owned());
        }
        return RESULTS
            .iter()
            .find(|(name, _)| *name == call.name)
            .map(|(_, result)| (*result).to_owned());
    }
    let class = node
        .ancestors()
        .find(|around| around.is(&["class_body", "declaration_list"]))?;
    let mut own = class.named_children().take(STEPS).filter(|child| {
        child.is(&["method_declaration"])
            && child
                .field("name")
                .is_some_and(|name| name.text() == call.name)
    });
    let first = own.next()?;
    let kind = first.any_field(&["type", "returns"])?;
    own.next().is_none().then(|| short(kind.text()))
}

/// Groups of Java types. Values of two different groups are never equal. Numbers and characters are one group each.
pub fn equality_group(name: &str) -> Option<&'static str> {
    Some(match name {
        "String" => "String",
        "StringBuilder" => "StringBuilder",
        "StringBuffer" => "StringBuffer",
        "Integer" | "int" => "Integer",
        "Long" | "long" => "Long",
        "Short" | "short" => "Short",
        "Byte" | "byte" => "Byte",
        "Character" | "char" => "Character",
        "Boolean" | "boolean" => "Boolean",
        "Double" | "double" => "Double",
        "Float" | "float" => "Float",
        "BigDecimal" => "BigDecimal",
        "BigInteger" => "BigInteger",
        "UUID" => "UUID",
        "LocalDate" => "LocalDate",
        "LocalDateTime" => "LocalDateTime",
        "Instant" => "Instant",
        "List" | "ArrayList" | "LinkedList" => "List",
        "Set" | "HashSet" | "TreeSet" | "LinkedHashSet" => "Set",
        "Map" | "HashMap" | "TreeMap" | "LinkedHashMap" => "Map",
        "Optional" => "Optional",
        "File" => "File",
        "Class" => "Class",
        "AtomicInteger" => "AtomicInteger",
        "AtomicLong" => "AtomicLong",
        "AtomicBoolean" => "AtomicBoolean",
        "Pattern" => "Pattern",
        name if name.ends_with("[]") => "an array",
        _ => return None,
    })
}
