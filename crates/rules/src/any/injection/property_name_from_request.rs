//! Property names from a request.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/property-name-from-request",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Property name taken from the request",
    why: "Every object inherits properties such as `__proto__`, `constructor` and `toString`. A write to `__proto__` \
          can change all objects of the program, and a call runs functions that were never offered to the sender.",
    fix: "Keep such values in a `Map`, or look the name up in a list of allowed names.",
    references: &["CWE-1321"],
    priority: Priority::P2,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["assignment_expression", "call_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/a.js
 app.post("/", (req, res) => {
+  settings[req.body.name] = req.body.value;
^
   res.end();
 });
"#,
        r#"
path: src/a.js
 app.post("/", (req, res) => {
   const action = req.query.action;
+  res.json(actions[action](1));
^
 });
"#,
    ],
    negative: &[
        r#"
path: src/a.js
 app.post("/", (req, res) => {
+  settings.set(req.body.name, req.body.value);
+  settings[`user-${req.body.name}`] = 1;
+  list[Number(req.body.index)] = 1;
   res.end();
 });
"#,
        r#"
path: src/a.js
 app.post("/", (req, res) => {
   const action = req.query.action;
   if (!ALLOWED.includes(action)) return;
+  res.json(actions[action](1));
 });
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let taken = node
        .assignment()
        .map(|set| set.target)
        .or_else(|| node.field("function"));
    let Some(place) = taken.filter(|place| place.has_role(Role::Index)) else {
        return;
    };
    let Some(name) = place
        .field("index")
        .filter(|name| name.has_role(Role::Name) || name.has_role(Role::Member))
    else {
        return;
    };
    // With a constant prefix, the name cannot be one that every object inherits.
    let prefixed = taint::string_build(name, Kind::Code)
        .is_some_and(|built| built.text.start() <= built.piece.start());
    if let Some(source) = taint::source(name, Kind::Code).filter(|_| !prefixed) {
        let summary = format!(
            "`{}` comes from the request and is used as a property name.",
            quote(source.text())
        );
        sink.report(node, summary);
    }
}
