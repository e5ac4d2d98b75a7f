//! Names of properties that a request chooses.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::taint::{self, Kind};

pub(crate) const RULE: Rule = Rule {
    id: "any/property-name-from-request",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Name of a property taken from the request",
    why: "Every object has properties that nobody put there: `__proto__`, `constructor`, `toString`. Written to, they change \
          all objects of the program; called, they run functions that were not meant to be offered.",
    fix: "Keep such values in a Map, or look the name up among those that are allowed.",
    priority: Priority::P2,
    category: Category::Security,
    confidence: 0.65,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["assignment_expression", "call_expression"]), run },
    fires: &[
        "path: src/a.js\n app.post(\"/\", (req, res) => {\n+  settings[req.body.name] = req.body.value;\n^\n   res.end();\n });\n",
        "path: src/a.js\n app.post(\"/\", (req, res) => {\n   const action = req.query.action;\n+  res.json(actions[action](1));\n^\n });\n",
    ],
    quiet: &[
        "path: src/a.js\n app.post(\"/\", (req, res) => {\n+  settings.set(req.body.name, req.body.value);\n+  settings[`user-${req.body.name}`] = 1;\n+  list[Number(req.body.index)] = 1;\n   res.end();\n });\n",
        "path: src/a.js\n app.post(\"/\", (req, res) => {\n   const action = req.query.action;\n   if (!ALLOWED.includes(action)) return;\n+  res.json(actions[action](1));\n });\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let taken = node.assignment().map(|set| set.target).or_else(|| node.field("function"));
    let Some(place) = taken.filter(|place| place.has_role(Role::Index)) else { return };
    let Some(name) = place.field("index").filter(|name| name.has_role(Role::Name) || name.has_role(Role::Member))
    else {
        return;
    };
    // Behind a constant start no name is one that every object has.
    let prefixed = taint::built(name, Kind::Code).is_some_and(|built| built.text.start() <= built.piece.start());
    if let Some(source) = taint::source(name, Kind::Code).filter(|_| !prefixed) {
        let summary = format!("`{}` comes from the request and names the property here.", quote(source.text()));
        sink.report(node, summary);
    }
}
