//! A condition that was taken away from around code that stays.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/condition-unwrapped",
    languages: &[],
    title: "Code that ran under a condition now always runs",
    why: "The `if` is gone and what stood under it is still there. It now also runs in the cases that the \
          condition kept out.",
    fix: "Keep the condition, or make sure that the code is right in the cases that it kept out.",
    priority: Priority::P2,
    category: Category::LogicBug,
    confidence: 0.45,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.py\n def fetch(self, response, follow):\n-    if follow:\n^\n-        response.read()\n+    response.read()\n     return self.next(response)\n",
        "path: src/a.go\n@@ func (c *Context) load() {\n-\tif c.cached {\n^\n-\t\tc.query = c.old()\n-\t} else {\n-\t\tc.query = c.read()\n-\t}\n+\tc.query = c.read()\n }\n",
        "path: src/A.java\n@@ void show(Model m) {\n-        if (version.equals(m.version())) {\n^\n             response.setCached();\n-        }\n         done();\n",
    ],
    quiet: &[
        "path: src/a.py\n def fetch(self, response, follow):\n-    if follow:\n-        response.read()\n+    if self.follows:\n+        response.read()\n     return self.next(response)\n",
        "path: src/a.py\n def fetch(self, response, follow):\n-    if follow:\n-        response.read()\n+    for part in response:\n+        response.read()\n     return self.next(response)\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.unwrapped().into_iter().filter(|lost| lost.opened().is_none()) {
        let what = lost.then.statements().first().map_or("", |first| first.text());
        let (what, condition) = (quote(what), quote(lost.condition.text()));
        let (was, is) = if lost.whole.has_role(Role::Ternary) {
            ("was the value", "it is always")
        } else {
            ("was done", "it is always done")
        };
        let not = if lost.otherwise { "not " } else { "" };
        sink.report(lost.whole, format!("`{what}` {was} only if {not}`{condition}`; now {is}."));
    }
}
