//! A removed call that releases a resource.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/release-removed",
    languages: &[],
    title: "Release call removed",
    why: "A call that closes, frees or unregisters a resource was removed without a replacement. If no other path \
          does it, memory, handles or registrations leak, or a reference is kept too long.",
    fix: "Release the resource on every path, preferably with a language construct (`with`, `using`, `defer`, \
          try-with-resources, a guard object).",
    references: &["CWE-772"],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.c
@@ static void drop(struct conn *c)
 	shutdown_input(c);
-	free(c->buf);
^
 	c->state = DONE;
"#,
        r#"
path: src/A.java
@@ void stop() throws IOException {
         running = false;
-        reader.close();
^
         queue.clear();
"#,
    ],
    negative: &[
        r#"
path: src/A.cs
 class Store {
     void Stop() {
-        feed.Close();
         feed.Dispose();
         state = 2;
     }
 }
"#,
        r#"
path: src/a.c
@@ static void drop(struct conn *c)
 	shutdown_input(c);
-	free(c->buf);
+	buf_free(c->buf);
 	c->state = DONE;
"#,
        r#"
path: src/a.c
@@ static void drop(struct conn *c)
-	buf = malloc(10);
-	use(buf);
-	free(buf);
 	c->state = DONE;
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .removed_calls()
        .into_iter()
        .filter(|old| vocabulary::releases(old.call.name))
    {
        let value = old.call.arguments.first().copied().or(old.call.receiver);
        let Some(value) = value.filter(|value| {
            !is_gone_too(context, *value) && !is_released(context, old.statement, *value)
        }) else {
            continue;
        };
        let (call, value) = (quote(old.call.callee), quote(value.text()));
        sink.report(
            old.statement,
            format!("`{call}` was removed, and no other call here releases `{value}`."),
        );
    }
}

/// Whether a remaining call releases the same value.
fn is_released(context: &ChangeContext<'_>, statement: Node<'_>, value: Node<'_>) -> bool {
    let function = statement
        .enclosing(Role::Function)
        .and_then(|function| context.cover(function));
    let calls = context
        .new
        .with_role(Role::Call)
        .filter(|call| function.is_none_or(|function| call.is_inside(function)));
    let mut releases = calls
        .filter_map(Node::call)
        .filter(|call| vocabulary::releases(call.name));
    releases.any(|call| {
        call.arguments
            .iter()
            .chain(&call.receiver)
            .any(|other| other.says_same(value))
    })
}

/// Whether the released value was removed too: it was set on a removed line and is no longer used.
fn is_gone_too(context: &ChangeContext<'_>, value: Node<'_>) -> bool {
    let sets = |node: Node<'_>| {
        node.assignment()
            .is_some_and(|assignment| assignment.target.last_name() == value.last_name())
    };
    let was_set = context
        .old
        .with_role(Role::Assign)
        .any(|node| node.touches_change() && sets(node));
    was_set && !context.new_names().contains(value.last_name())
}
