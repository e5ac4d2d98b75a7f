//! A call that gives something back and is gone.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::vocabulary;

pub(crate) const RULE: Rule = Rule {
    id: "any/release-removed",
    languages: &[],
    title: "Release removed",
    why: "A call that closes, frees or unregisters something was removed and nothing took its place. If no other \
          path does it, memory, handles or registrations pile up, or a reference is kept too long.",
    fix: "Release it on every path, best by syntax (with, using, defer, try-with-resources, a guard object).",
    priority: Priority::P2,
    category: Category::ResourceLeak,
    confidence: 0.5,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.c\n@@ static void drop(struct conn *c)\n \tshutdown_input(c);\n-\tfree(c->buf);\n^\n \tc->state = DONE;\n",
        "path: src/A.java\n@@ void stop() throws IOException {\n         running = false;\n-        reader.close();\n^\n         queue.clear();\n",
    ],
    quiet: &[
        "path: src/a.c\n@@ static void drop(struct conn *c)\n \tshutdown_input(c);\n-\tfree(c->buf);\n+\tbuf_free(c->buf);\n \tc->state = DONE;\n",
        "path: src/a.c\n@@ static void drop(struct conn *c)\n-\tbuf = malloc(10);\n-\tuse(buf);\n-\tfree(buf);\n \tc->state = DONE;\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context.removed_calls().into_iter().filter(|old| vocabulary::releases(old.call.name)) {
        let value = old.call.arguments.first().copied().or(old.call.receiver);
        let Some(value) = value.filter(|value| !is_gone_too(context, *value)) else { continue };
        let (call, value) = (quote(old.call.callee), quote(value.text()));
        sink.report(old.statement, format!("`{call}` was removed: nothing here releases `{value}` any more."));
    }
}

/// Whether what was released is itself no longer there: it was set on a removed line and is not used any more.
fn is_gone_too(context: &ChangeContext<'_>, value: Node<'_>) -> bool {
    let sets =
        |node: Node<'_>| node.assignment().is_some_and(|assignment| assignment.target.last_name() == value.last_name());
    let was_set = context.old.with_role(Role::Assign).any(|node| node.touches_change() && sets(node));
    was_set && !context.new_names().contains(value.last_name())
}
