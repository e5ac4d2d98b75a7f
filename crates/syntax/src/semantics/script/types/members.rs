//! The types of an object's members.

use crate::language::Role;
use crate::tree::Node;

use super::inference::Inference;
use super::kind::Type;

impl Inference {
    /// The types of a member of an object.
    pub(super) fn member(self, node: Node<'_>) -> Vec<Type<'_>> {
        let Some(object) = node.field("object") else {
            return vec![Type::Unknown];
        };
        let of = self.deeper().read(object);
        if node.is(&["subscript_expression"]) {
            // The element may be missing.
            let parts = of.into_iter().flat_map(|one| match one {
                Type::Array(Some(element)) if !element.is(&["spread_element"]) => self
                    .deeper()
                    .read(element)
                    .into_iter()
                    .chain([Type::Null])
                    .collect(),
                Type::Null => vec![Type::Null],
                _ => vec![Type::Unknown],
            });
            return parts.collect();
        }
        let name = node.field("property").map_or("", |name| name.text());
        let parts = of.into_iter().flat_map(|one| match one {
            Type::Object(Some(of)) | Type::Instance(Some(of)) => self.property(of, name),
            Type::Array(_) | Type::Text if name == "length" => vec![Type::Number],
            Type::Null => vec![Type::Null],
            _ => vec![Type::Unknown],
        });
        parts.collect()
    }
}

impl Inference {
    fn property<'t>(self, of: Node<'t>, name: &str) -> Vec<Type<'t>> {
        let body = of.field("body").unwrap_or(of);
        let is_named = |part: &Node<'_>| {
            part.any_field(&["name", "property", "key"])
                .is_some_and(|own| own.text() == name)
        };
        let mut found = body.named_children().filter(is_named);
        let (Some(only), None) = (found.next(), found.next()) else {
            return vec![Type::Unknown];
        };
        let words = |word: &str| {
            only.children()
                .any(|child| child.text() == word && child.is_leaf())
        };
        let mut all = match only.kind() {
            "method_definition" if words("get") => self.deeper().returned(only),
            "method_definition" | "method_signature" => vec![Type::Function(only)],
            "pair" => only
                .field("value")
                .map_or_else(|| vec![Type::Unknown], |value| self.deeper().read(value)),
            _ => match (only.field("type"), only.field("value")) {
                (Some(written), _) => self.deeper().read(written),
                (None, Some(value)) if words("readonly") || value.has_role(Role::Lambda) => {
                    self.deeper().read(value)
                }
                _ => vec![Type::Unknown],
            },
        };
        if words("?") {
            all.push(Type::Null);
        }
        all
    }
}
