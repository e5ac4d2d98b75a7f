//! The class that a value is declared or created as in Python, JavaScript, TypeScript and PHP, as the file names it.
//!
//! `None` means that it is unknown. The value may also be of a subclass, or empty.

use crate::language::Role;
use crate::tree::Node;

/// The maximum number of declarations of one name that are compared.
const MOST: usize = 20;

/// The name of the class of an object: `Repo` for `self.repo` in a class that declares `repo: Repo`.
pub fn class_name<'t>(value: Node<'t>) -> Option<&'t str> {
    known(value, true)
}

fn known<'t>(value: Node<'t>, follows: bool) -> Option<&'t str> {
    let (name, is_own) = named(value)?;
    let of_class = |around: &Node<'_>| around.has_role(Role::Class);
    let of_function = |around: &Node<'_>| {
        around.has_role(Role::Function)
            && !around.is(&["arrow_function", "anonymous_function", "lambda"])
    };
    let around = value.ancestors().find(|around| {
        if is_own {
            of_class(around)
        } else {
            of_function(around)
        }
    })?;
    let tree = value.tree();
    let places = tree
        .places(declaration)
        .within(tree, name.text(), around.inside());
    let mut own = places.filter(|declaration| is_of_object(*declaration) == is_own);
    let declarations: Vec<Node<'t>> = own.by_ref().take(MOST).collect();
    if declarations.is_empty() || own.next().is_some() {
        return None;
    }
    let found: Vec<&str> = declarations
        .iter()
        .filter_map(|one| class_of(*one, follows))
        .collect();
    // A property that is declared with its class may also be set to values that are unknown here.
    let is_declared = is_own && declarations.iter().any(|one| one.field("type").is_some());
    let first = found.first()?;
    let agrees = found.len() == declarations.len() || is_declared;
    (agrees && found.iter().all(|other| other == first)).then_some(first)
}

/// The name of a variable, or of a property of the current object.
fn named(value: Node<'_>) -> Option<(Node<'_>, bool)> {
    match value.kind() {
        "identifier" => Some((value, false)),
        "variable_name" => Some((value.named_children().next()?, false)),
        "attribute" | "member_expression" | "member_access_expression" => {
            let object = value.field("object")?;
            let name = value.any_field(&["attribute", "property", "name"])?;
            let is_own = matches!(object.text(), "self" | "this" | "$this");
            (is_own && name.is_leaf()).then_some((name, true))
        }
        _ => None,
    }
}

/// The declaration, or the assignment, in which a leaf is the name of a variable or property.
fn declaration(leaf: Node<'_>) -> Option<Node<'_>> {
    const PARAMETERS: &[&str] = &[
        "required_parameter", "optional_parameter", "typed_parameter", "typed_default_parameter",
        "default_parameter", "simple_parameter", "property_promotion_parameter",
    ];
    let mut name = leaf;
    let mut around = leaf.parent()?;
    if around.is(&[
        "variable_name", "attribute", "member_expression", "member_access_expression",
    ]) {
        named(around).filter(|(own, _)| *own == leaf)?;
        (name, around) = (around, around.parent()?);
    }
    let is_name = match around.kind() {
        kind if PARAMETERS.contains(&kind) => {
            around
                .any_field(&["pattern", "name"])
                .or_else(|| around.named_children().next())
                == Some(name)
        }
        "public_field_definition" | "field_definition" | "variable_declarator" => {
            around.any_field(&["name", "property"]) == Some(name)
        }
        "assignment" | "assignment_expression" => around.field("left") == Some(name),
        "property_element" => {
            return around
                .parent()
                .filter(|_| around.named_children().next() == Some(name));
        }
        // A parameter of Python without a type, and any other way to set a variable.
        "parameters" | "for_statement" | "as_pattern_target" | "foreach_statement" => true,
        _ => false,
    };
    is_name.then_some(around)
}

/// Whether a declaration declares or sets a property of the current object.
fn is_of_object(declaration: Node<'_>) -> bool {
    match declaration.kind() {
        "public_field_definition"
        | "field_definition"
        | "property_declaration"
        | "property_promotion_parameter" => true,
        "required_parameter" | "optional_parameter" => {
            let is_modifier = |child: Node<'_>| {
                child.is(&["accessibility_modifier"]) || child.text() == "readonly"
            };
            declaration.children().any(is_modifier)
        }
        "assignment" | "assignment_expression" => {
            let left = declaration.field("left");
            let in_class_body = declaration.is(&["assignment"])
                && declaration
                    .enclosing(Role::Function)
                    .zip(declaration.enclosing(Role::Class))
                    .is_none_or(|(function, class)| !function.is_inside(class));
            left.is_some_and(|left| !left.is(&["identifier", "variable_name"])) || in_class_body
        }
        _ => false,
    }
}

/// The class that a declaration names, or that its value is an object of.
fn class_of(declaration: Node<'_>, follows: bool) -> Option<&str> {
    if let Some(written) = declaration.field("type") {
        return nominal(written);
    }
    let value = declaration.any_field(&["value", "right"])?;
    match value.kind() {
        "new_expression" => simple(value.field("constructor")?),
        "object_creation_expression" => simple(value.named_children().next()?),
        "call" => simple(value.field("function")?)
            .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase())),
        // `self.repo = repo` in a constructor.
        "identifier" | "variable_name" if follows => known(value, false),
        _ => None,
    }
}

/// The only class in a written type, which may be optional.
fn nominal(written: Node<'_>) -> Option<&str> {
    let mut inner = written;
    for _ in 0..4 {
        let parts: Vec<Node<'_>> = inner
            .named_children()
            .filter(|part| !matches!(part.text(), "None" | "null" | "undefined"))
            .collect();
        inner = match (inner.kind(), parts.as_slice()) {
            (
                "type_annotation" | "type" | "union_type" | "binary_operator" | "optional_type"
                | "named_type",
                [only],
            ) => *only,
            ("generic_type", [first, list]) if first.text() == "Optional" => {
                list.named_children().next()?
            }
            ("generic_type", [first, ..]) if first.is(&["type_identifier"]) => *first,
            _ => break,
        };
    }
    simple(inner.child_of_kind(&["string_content"]).unwrap_or(inner))
}

/// The last part of a name; `None` for anything else.
fn simple(name: Node<'_>) -> Option<&str> {
    let is_name = name.is(&["identifier", "type_identifier", "name", "string_content"]);
    let is_path = name.is(&[
        "qualified_name", "attribute", "member_expression", "nested_type_identifier",
    ]);
    let text = if is_path {
        name.last_name()
    } else {
        name.text()
    };
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    ((is_name || is_path) && is_plain).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::class_name;
    use crate::tree::testing::of_last;

    #[test]
    fn a_class_is_known_from_a_declaration_or_its_only_value() {
        let of = |language: &str, code: &str, text: &str| {
            of_last(language, code, text, |node| {
                class_name(node).map(str::to_owned)
            })
        };
        let script = "class A {\n  private x: Repo;\n  constructor(private readonly svc: Svc<B>, mine?: Own) { go(this.x, this.svc, mine); }\n  f(b: Q | null, c) {\n    const made = new Made();\n    let other = 1; other = new Other();\n    go(b, c, made, other, this.given);\n  }\n}\n";
        let python = "class A:\n    kind: Kind\n    def __init__(self, repo: Repo, x, y: Optional[Y] = None):\n        self.repo = repo\n        self.x = x\n        self.made = Made(x)\n    def f(self, p: 'P', q: Q | None, r: list[R]):\n        go(self.repo, self.x, self.made, self.kind, p, q, r)\n    def g(self, y: Optional[Y]):\n        go(y)\n";
        let php = "<?php\nclass A {\n  private Repo $x;\n  public function __construct(protected ?B\\Svc $svc, Own $own) { go($own); }\n  function f(Bar $b, $c) { $k = new Foo(); go($this->x, $this->svc, $this->own, $b, $c, $k); }\n}\n";
        for (language, code, text, expected) in [
            ("TypeScript", script, "this.x", Some("Repo")),
            ("TypeScript", script, "this.svc", Some("Svc")),
            ("TypeScript", script, "this.given", None),
            ("TypeScript", script, "mine", Some("Own")),
            ("TypeScript", script, "b", Some("Q")),
            ("TypeScript", script, "c", None),
            ("TypeScript", script, "made", Some("Made")),
            ("TypeScript", script, "other", None),
            ("Python", python, "self.repo", Some("Repo")),
            ("Python", python, "self.x", None),
            ("Python", python, "self.made", Some("Made")),
            ("Python", python, "self.kind", Some("Kind")),
            ("Python", python, "p", Some("P")),
            ("Python", python, "q", Some("Q")),
            ("Python", python, "r", None),
            ("Python", python, "y", Some("Y")),
            ("PHP", php, "$this->x", Some("Repo")),
            ("PHP", php, "$this->svc", Some("Svc")),
            ("PHP", php, "$this->own", None),
            ("PHP", php, "$own", Some("Own")),
            ("PHP", php, "$b", Some("Bar")),
            ("PHP", php, "$c", None),
            ("PHP", php, "$k", Some("Foo")),
        ] {
            assert_eq!(
                of(language, code, text).as_deref(),
                expected,
                "{language} {text}"
            );
        }
    }
}
