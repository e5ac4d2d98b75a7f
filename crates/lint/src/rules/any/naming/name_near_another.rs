//! A name that appears once in a function and is a letter away from a parameter of it.

use std::collections::BTreeMap;

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::vocabulary::is_near;
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/name-near-another",
    languages: &["JavaScript", "TypeScript", "TSX", "Python", "PHP", "Ruby"],
    title: "Probable typo of a parameter name",
    why: "The name is read once in the function and is not set anywhere in view, and a parameter of the function \
          differs from it by one letter. That is usually a typo; in a language without a compiler, the name is \
          undefined at run time.",
    fix: "Check the spelling.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node { on: On::Roles(&[Role::Function]), run },
    positive: &[
        "path: src/a.js\n+function check(options) {\n+  if (!options || typeof option === 'string') {\n^\n+    return options;\n+  }\n+  return options.name;\n+}\n",
        "path: src/a.py\n+def total(prices):\n+    for price in prices:\n+        log(price, price.tax)\n+    return sum(pices)\n^\n",
    ],
    negative: &[
        "path: src/a.js\n+function check(options) {\n+  const option = options[0];\n+  if (!options || typeof option === 'string') {\n+    return options;\n+  }\n+  return options.name;\n+}\n",
        "path: src/a.js\n import { option } from './option';\n+function check(options) {\n+  if (!options || typeof option === 'string') {\n+    return options;\n+  }\n+  return options.name;\n+}\n",
        "path: src/a.py\n+def total(prices):\n+    return sum(prices, price=1) + self.price + prices[0]\n",
    ],
};

/// Functions with more nodes are not searched.
const LARGEST: usize = 4_000;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if node.descendants().size_hint().0 > LARGEST {
        return;
    }
    let Some(parameters) = node.function().and_then(|function| function.parameters) else { return };
    let mut uses = BTreeMap::<&str, Vec<Node<'_>>>::new();
    for name in node.names().filter(|name| name.text().len() >= 5) {
        uses.entry(name.text()).or_default().push(name);
    }
    let locals: Vec<&str> =
        parameters.names().map(Node::text).filter(|name| uses.get(name).is_some_and(|own| own.len() >= 2)).collect();
    for (name, places) in &uses {
        let [place] = places.as_slice() else { continue };
        let near = locals.iter().find(|local| is_near(local, name));
        if let Some(local) = near.filter(|_| is_read(*place) && !is_known_elsewhere(node, name)) {
            sink.report(
                *place,
                format!("`{name}` appears only here and is not set in view; `{local}` is a parameter of the function."),
            );
        }
    }
}

/// Whether a name is read as a variable: not a field, a key, an argument's name, a label or a declaration.
fn is_read(name: Node<'_>) -> bool {
    let Some(around) = name.parent() else { return false };
    let is_field = around.has_role(Role::Member) && around.named_children().next() != Some(name);
    let declares = [
        "pattern",
        "parameter",
        "import",
        "pair",
        "keyword_argument",
        "declarator",
        "specifier",
        "property",
        "label",
        "type",
        "catch",
        "for_in",
        "for_statement",
        "decorator",
        "shorthand",
    ];
    let is_target = around.assignment().is_some_and(|set| set.target == name);
    let keyword = around.field("name") == Some(name)
        || around.field("key") == Some(name)
        || around.field("property") == Some(name);
    !is_field
        && !is_target
        && !keyword
        && name.is(&["identifier", "variable_name"])
        && !declares.iter().any(|kind| around.kind().contains(kind))
        && !around.has_role(Role::Parameters)
}

/// Whether the name appears anywhere else in view.
fn is_known_elsewhere(function: Node<'_>, name: &str) -> bool {
    let Some(top) = crate::semantics::names::visible_root(function) else { return true };
    crate::semantics::names::mentions(top.text(), name) > 1
}
