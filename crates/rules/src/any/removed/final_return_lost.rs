//! A function without its last `return`, so that one path returns nothing.

use lint::{ChangeContext, Check, Rule, Sink, Tests, indent, quote};
use review::{Category, LineKind, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/final-return-lost",
    languages: &[
        "Python", "JavaScript", "TypeScript", "TSX", "PHP", "C", "C++",
    ],
    title: "Function no longer returns its value at the end",
    why: "The function ended with `return` and a value. That line was removed or moved into a branch, so the function \
          reaches its end and returns nothing (`None`, `undefined`, null, garbage in C). Its callers use the result.",
    fix: "Return the value on every path.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.py
 def sign_in(name) -> User | None:
     user = find(name)
     if user:
         user.seen()
-    return user
^
 
 
 def sign_out(name):
     pass
"#,
        r#"
path: src/a.py
 def filtered(rows, tags):
     if tags:
         rows = rows.having(tags)
-    return rows
^
+        return rows
 
 
 def ordered(rows):
     pass
"#,
        r#"
path: src/a.js
 function total(items) {
   let sum = 0;
   for (const item of items) sum += item.price;
-  return sum;
^
 }
"#,
        r#"
path: src/a.php
 <?php
 function signIn(string $name): ?User
 {
     $user = find($name);
     if ($user) {
         $user->seen();
     }
-    return $user;
^
 }

 function signOut(string $name): void
 {
 }
"#,
        r#"
path: src/a.c
 int sign_in(struct user *user) {
     if (!user) {
         return 0;
     }
     seen(user);
-    return user->id;
^
 }

 void sign_out(struct user *user) {
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.py
 def filtered(rows, tags):
-    if tags:
-        rows = rows.having(tags)
-    return rows
+    if not tags:
+        return rows
+    return rows.having(tags)
 
 
 def ordered(rows):
     pass
"#,
        r#"
path: src/a.js
 function total(items) {
   let sum = 0;
-  return sum;
+  return sum + 1;
 }
"#,
        r#"
path: src/a.py
 def sign_in(name):
     user = find(name)
     user.seen()
-    return None
 
 
 def sign_out(name):
     pass
"#,
        r#"
path: src/a.py
 def sign_in(name):
     user = find(name)
     if user:
         user.seen()
-    return user
+    user.sign_in()
+    raise Failed(user)
 
 
 def sign_out(name):
     pass
"#,
        r#"
path: src/a.php
 <?php
 function signIn(string $name): ?User
 {
     $user = find($name);
-    if ($user) {
-        $user->seen();
-    }
+    $user?->seen();
     return $user;
 }

 function signOut(string $name): void
 {
 }
"#,
        r#"
path: src/a.c
 int sign_in(struct user *user) {
-    if (user) {
-        seen(user);
-    }
+    seen(user);
     return user->id;
 }

 void sign_out(struct user *user) {
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    for old in context
        .old
        .with_role(Role::Return)
        .filter(|node| node.is_all_changed())
    {
        lost(context, old, sink);
    }
}

fn lost<'a>(context: &ChangeContext<'a>, old: Node<'a>, sink: &mut Sink<'_>) -> Option<()> {
    let value = old
        .named_children()
        .next()
        .filter(|value| !value.is_null())?;
    let body = old.parent().filter(|body| body.has_role(Role::Block))?;
    let is_python = context.file.language == "Python";
    // The code around a Python hunk is unknown. The end of the hunk shows that it is a function.
    let is_function = |node: Node<'_>| {
        node.has_role(Role::Function)
            || node.has_role(Role::Lambda)
            || is_python && !node.is_within_hunk()
    };
    if !body.parent().is_some_and(is_function) || old.next().is_some() || !ends_after(context, old)
    {
        return None;
    }
    let last = old
        .previous()
        .filter(|last| context.similarity_to_new(*last) >= 60)?;
    let word = last.leaves().find_map(|leaf| context.new_of(leaf))?;
    let is_in_body = |node: &Node<'_>| {
        node.parent()
            .and_then(Node::parent)
            .is_some_and(is_function)
    };
    let now = word
        .ancestors()
        .find(|node| node.is_statement() && is_in_body(node))?;
    // Nothing follows it, and its end can be reached.
    if now.next().is_some() || !can_complete(now) {
        return None;
    }
    let function = now.ancestors().find(|node| is_function(*node))?;
    // Moved into a branch, it is not reached in the other case. Elsewhere it can be.
    let moved = function
        .all(Role::Return)
        .find(|node| node.touches_change() && node.says_same(old));
    let is_branch = |node: Node<'_>| node.has_role(Role::If) || node.has_role(Role::Loop);
    if moved.is_some_and(|moved| {
        !moved
            .ancestors()
            .take_while(|around| *around != function)
            .any(is_branch)
    }) {
        return None;
    }
    let returns_value = |node: Node<'_>| {
        node.named_children()
            .next()
            .is_some_and(|value| !value.is_null())
    };
    let own =
        |node: &Node<'_>| node.ancestors().find(|around| is_function(*around)) == Some(function);
    let still_returns = function.all(Role::Return).filter(own).any(returns_value);
    let declares = function.text().lines().next().is_some_and(declares_value)
        || context.heading().is_some_and(declares_value);
    let names: Vec<&str> = value.names().map(Node::text).collect();
    let computes = function
        .all(Role::Assign)
        .filter_map(Node::assignment)
        .any(|set| {
            set.target.is_usable() && set.target.names().any(|name| names.contains(&name.text()))
        });
    if still_returns || declares || computes && context.mostly_takes_away(old) {
        let value = quote(value.text());
        sink.report(
            old,
            format!("The function no longer ends with `return {value}`: it now ends without a value here."),
        );
    }
    Some(())
}

/// Whether a function header declares a return value.
fn declares_value(head: &str) -> bool {
    let declared = head
        .split_once("->")
        .map(|(_, declared)| declared.trim().trim_end_matches([':', '{']).trim());
    declared.is_some_and(|declared| !matches!(declared, "None" | "NoReturn" | "void" | ""))
}

/// Whether the text shows that the block ends after a statement: a line with less indentation, or a bracket.
fn ends_after(context: &ChangeContext<'_>, old: Node<'_>) -> bool {
    let Some((first, last)) = old.hunk_lines() else {
        return false;
    };
    let lines = context.lines();
    let Some(own) = lines.get(first).map(|line| indent(line.text)) else {
        return false;
    };
    let mut below = lines
        .iter()
        .skip(last + 1)
        .filter(|line| line.kind != LineKind::Added && !line.text.trim().is_empty());
    let is_head = |text: &str| {
        ["def ", "async def ", "class ", "@"]
            .iter()
            .any(|head| text.trim_start().starts_with(head))
    };
    let is_python = context.file.language == "Python";
    below
        .next()
        .is_some_and(|line| indent(line.text) < own && (!is_python || is_head(line.text)))
}
