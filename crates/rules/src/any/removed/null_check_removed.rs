//! A check for null or emptiness that was removed while the value is still dereferenced.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::nullness;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/null-check-removed",
    languages: &[],
    title: "Null check removed before a use",
    why: "The code checked the value for null before it used it. The check is gone but the use is not, so the case \
          that it handled now fails with a null dereference, a missing attribute or an index error.",
    fix: "Keep the check, or ensure where the value is created that it is never null.",
    references: &["CWE-476"],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.js
 function label(user) {
-  if (user.address !== null && user.address.city) {
+  if (user.address.city) {
^
     return user.name;
   }
"#,
        r#"
path: src/A.java
@@ void close() {
-        if (stream != null) {
^
-            stream.close();
-        }
+        stream.close();
"#,
        r#"
path: src/a.ts
-  const result = this.parser?.info
+  const result = this.parser.info
^
   done(result)
"#,
        r#"
path: src/a.py
 def show(session, id):
     item = session.get(Item, id)
-    if not item:
^
-        raise NotFound(id)
     return item.text
"#,
        r#"
path: src/a.c
@@ static void fill(size_t n)
 	char *p = malloc(n);
-	if (!p)
^
-		return;
 	memset(p, 0, n);
 }
"#,
        r#"
path: src/a.c
@@ static jv home(void)
 	const char *drive = getenv("HOMEDRIVE");
-	if (!drive) drive = "";
^
 	return text(drive);
 }
"#,
        r#"
path: src/a.cc
 Handle* Cache::Lookup(const Slice& key) {
   Handle* e = table_.Lookup(key);
-  if (e != nullptr) {
^
-    Ref(e);
-  }
+  Ref(e);
   return e;
 }
"#,
        r#"
path: src/a.py
 def load(id):
     query = find(id)
-    if query.source:
^
-        result = run(query.last)
-        return result.data
-    else:
-        raise Detached(id)
+    result = run(query.last)
+    return result.data
"#,
        r#"
path: src/a.py
 def size(node):
-    return node.child.size if node.child is not None else 0
^
+    return node.child.size
"#,
    ],
    negative: &[
        r#"
path: src/a.ts
 export function f(entry: Entry) {
-  return entry.owner?.name;
+  if (!entry.owner) return;
+  return entry.owner.name;
 }
"#,
        r#"
path: src/a.ts
 export function f(html: string) {
-  const dom = parse(html);
-  return dom?.window;
+  const dom = new JSDOM(html);
+  return dom.window;
 }
"#,
        r#"
path: src/a.ts
 export function count(board) {
   const rows = board?.rows ?? [];
-  return rows?.length || 1;
+  return rows.length || 1;
 }
"#,
        r#"
path: src/A.java
 class A {
     int count(List<Integer> all) {
         List<Integer> rows = new ArrayList<>(all);
-        if (rows == null) {
-            return 0;
-        }
         return rows.size();
     }
 }
"#,
        r#"
path: src/a.rb
 def count(all)
   rows = all || []
-  rows&.size
+  rows.size
 end
"#,
        r#"
path: src/a.py
-try:
-    import contextvars
-except ImportError:
-    contextvars = None
+import contextvars
 
 
 def run(func):
-    if contextvars is not None:
-        call = contextvars.copy_context().run
-    else:
-        call = plain
+    call = contextvars.copy_context().run
     return call(func)
"#,
        r#"
path: src/a.js
 function label(user) {
-  if (user.address !== null && user.address.city) {
+  if (user.address !== undefined && user.address.city) {
     return user.name;
   }
"#,
        r#"
path: src/A.java
@@ void close() {
-        if (stream != null) {
-            stream.close();
-        }
+        if (isOpen()) {
+            stream.close();
+        }
"#,
        r#"
path: src/a.ts
-  const result = this.parser?.info
+  const result = this.reader?.info
   done(result)
"#,
        r#"
path: src/a.py
 def show(session, id):
     item = session.get(Item, id)
-    if not item:
+    if item is None:
         raise NotFound(id)
     return item.text
"#,
        r#"
path: src/a.cc
 Handle* Cache::Lookup(const Slice& key) {
   Handle* e = table_.Lookup(key);
-  if (e != nullptr) {
-    Ref(e);
-  }
+  if (e == nullptr) return nullptr;
+  Ref(e);
   return e;
 }
"#,
        r#"
path: src/a.ts
   const result = parser.info
-  done(result)
+  finish(result)
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    clauses(context, sink);
    conditions(context, sink);
    guards(context, sink);
    for (link, name) in context.lost_safe_links() {
        let around = name.parent();
        let of_call = around.and_then(Node::call).and_then(|call| call.receiver);
        let receiver = of_call.or_else(|| around?.receiver());
        if receiver.is_some_and(|receiver| {
            nullness::is_never_null(receiver)
                || receiver.has_role(Role::Call) && context.similarity_to_old(receiver) < 100
                || is_tested_anew(context, receiver)
        }) {
            continue;
        }
        let summary = format!(
            "`{link}{}` became `.{}`, which fails if the receiver is null.",
            name.text(),
            name.text()
        );
        sink.report(name, summary);
    }
}

/// Whether a condition that the change adds before a value, or a new part of the condition around it, tests the value.
fn is_tested_anew(context: &ChangeContext<'_>, value: Node<'_>) -> bool {
    let around = value.enclosing(Role::Function).unwrap_or(value);
    let mentions = |condition: Node<'_>| {
        condition.text() == value.text()
            || condition
                .descendants()
                .any(|part| part.text() == value.text())
    };
    let conditions = around
        .descendants()
        .take_while(|node| node.index() < value.index())
        .filter_map(|node| match node.binary() {
            Some(binary) if binary.operator == "&&" => Some(binary.left),
            Some(_) => None,
            None => node.condition(),
        });
    conditions
        .filter(|condition| condition.touches_change() && !value.is_inside(*condition))
        .any(|condition| mentions(condition) && context.similarity_to_old(condition) < 100)
}

/// `x != null && x.ready` that became `x.ready`.
fn clauses(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.lost_clauses() {
        let Some(value) = lost
            .opened()
            .filter(|_| context.mostly_takes_away(lost.chain))
        else {
            continue;
        };
        let (clause, value) = (quote(lost.clause.text()), quote(value.text()));
        let summary = format!("The check `{clause}` was dropped, but `{value}` is still used.");
        if lost.left.touches_change() {
            sink.report(lost.left, summary);
        } else {
            sink.report(lost.clause, summary);
        }
    }
}

/// A removed `if (x == null) { return; }`, where `x` comes from a visible call.
fn guards(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.lost_null_guards() {
        let Some(call) = lost.source.and_then(Node::call) else {
            continue;
        };
        if lost.source.is_some_and(nullness::is_never_null) || nullness::is_never_null(lost.value) {
            continue;
        }
        let (value, callee) = (quote(lost.value.text()), quote(call.callee));
        let summary = format!(
            "`{callee}` may return nothing, which is no longer handled, and `{value}` is used below."
        );
        sink.report(lost.old, summary).priority(Priority::P1);
    }
}

/// Whether the change removes the assignment that made a value null, and with it the case that the check handled.
fn is_never_null_now(context: &ChangeContext<'_>, value: Node<'_>) -> bool {
    let makes_null = |node: &Node<'_>| {
        let set = node.assignment();
        set.is_some_and(|set| set.target.text() == value.text() && set.value.is_null())
    };
    context
        .old
        .nodes()
        .any(|node| node.touches_change() && makes_null(&node))
        && !context.new.nodes().any(|node| makes_null(&node))
}

/// `if (x != null) { x.go(); }` that became `x.go();`.
fn conditions(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for lost in context.unwrapped() {
        let condition = quote(lost.condition.text());
        if lost
            .opened()
            .is_some_and(|value| is_never_null_now(context, value))
        {
            continue;
        }
        if let Some(value) = lost.opened() {
            let value = quote(value.text());
            let summary = format!(
                "The check `{condition}` was removed around code that still uses `{value}`."
            );
            sink.report(lost.whole, summary);
        } else if let Some((value, call)) = context.passed_on(&lost) {
            let summary = format!(
                "The check `{condition}` was removed: where `{call}` finds nothing, `{value}` is passed on as null."
            );
            sink.report(lost.whole, summary).priority(Priority::P1);
        } else if let Some(exit) = lost.refused_otherwise() {
            let exit = quote(exit.text().lines().next().unwrap_or_default());
            let summary = format!(
                "The check `{condition}` was removed, and with it `{exit}` for the other case."
            );
            sink.report(lost.whole, summary);
        }
    }
}
