//! A branch that left the function or the loop and now falls through to the code below.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::can_complete;
use syntax::semantics::vocabulary::{has_word, words_of};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/exit-removed",
    languages: &[],
    title: "Branch no longer leaves",
    why: "The branch ended with `return`, `throw`, `break` or `continue`. That statement is gone, and the rest of the \
          branch stays, so the code below now runs in this case too: after an error was reported, with a value that was \
          refused, or as the next case of a `switch`.",
    fix: "Keep the statement that leaves.",
    references: &["CWE-705"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func Delete(c *Context) {
 	if err != nil {
 		c.JSON(404, notFound(err))
-		return
^
 	}
 	c.JSON(200, done)
 }
"#,
        r#"
path: src/a.c
@@ void set(client *c, long offset) {
-	if (offset < 0) {
-		addReplyError(c, "offset is out of range");
-		return;
^
-	}
+	if (offset < 0)
+		addReplyErrorFormat(c, "offset %ld is out of range", offset);
 
 	store(c, offset);
 }
"#,
        r#"
path: src/a.js
 app.post('/x', (req, res) => {
   if (!req.body.name) {
-    return res.status(400).send('name');
^
+    res.status(400).send('name');
   }
   save(req.body);
 });
"#,
        r#"
path: src/a.py
 def show(items):
     for item in items:
         if not item.ready:
             log.warning('skipped %s', item)
-            continue
^
         item.run()
"#,
        r#"
path: src/a.js
 function go(kind) {
   switch (kind) {
     case 1:
       one();
-      break;
^
     case 2:
       two();
   }
 }
"#,
        r#"
path: src/A.java
 class A {
     void put(String key) {
         if (key == null) {
             log.error("no key");
-            throw new IllegalArgumentException();
^
         }
         map.put(key, 1);
     }
 }
"#,
        r#"
path: src/a.php
 <?php
 function show($id) {
     if (!$id) {
         http_response_code(404);
-        exit;
^
     }
     render($id);
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.rb
 def check(card)
-  return if card.active?
+  failure(card, :redeemed) unless card.active?
-  failure(card, :redeemed)
+  failure(card, :redeemed) unless card.unused?
 end
"#,
        r#"
path: src/a.c
@@ void set(client *c, long offset) {
 	if (offset < 0) {
-		addReplyError(c, "offset is out of range");
+		addReplyErrorFormat(c, "offset %ld is out of range", offset);
 		return;
 	}
 	store(c, offset);
 }
"#,
        r#"
path: src/a.go
@@ func Delete(c *Context) {
 	if err != nil {
 		c.JSON(404, notFound(err))
-		return
+	} else {
+		c.JSON(200, done)
 	}
-	c.JSON(200, done)
 }
"#,
        r#"
path: src/a.py
 def show(name):
     if not name:
         log.warning('no name')
-        return
+        name = 'nobody'
     render(name)
"#,
        r#"
path: src/a.js
 function go(kind) {
   switch (kind) {
     case 1:
       one();
-      break;
+      return;
     case 2:
       two();
   }
 }
"#,
        r#"
path: src/a.go
@@ func Load() {
 	if err != nil {
 		log.Println(err)
-		return
+		os.Exit(1)
 	}
 	run()
 }
"#,
        r#"
path: src/a.js
 function go(x) {
   if (x) {
     done();
-    return;
   }
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
        .with_role(Role::If)
        .filter(|node| node.touches_change())
    {
        branch(context, old, sink);
    }
    for old in context.removed(Role::Break) {
        case(context, old, sink);
    }
}

fn branch<'a>(context: &ChangeContext<'a>, old: Node<'a>, sink: &mut Sink<'_>) -> Option<()> {
    let before = old.branch().filter(|before| before.otherwise.is_none())?;
    let exit = before
        .then
        .statements()
        .last()
        .copied()
        .filter(|last| last.is_plain_exit() && last.touches_change())?;
    let asks_opposite = |node: Node<'_>| node.kind().contains("unless");
    let now = context
        .same_question(old)
        .filter(|now| asks_opposite(*now) == asks_opposite(old))?;
    let after = now.branch().filter(|after| after.otherwise.is_none())?;
    let left = after.then.statements();
    let stays = exit
        .leaves()
        .next()
        .and_then(|word| context.new_of(word))
        .is_some();
    let around = now.enclosing(Role::Function).unwrap_or(now);
    if stays || !can_complete(after.then) || context.leaves_anew(around) {
        return None;
    }
    // New code in the branch may handle the case instead, unless it only responds, reports or logs.
    let changes_nothing = |node: &Node<'a>| {
        is_call(*node) && (context.similarity_to_old(*node) >= 60 || responds(*node))
    };
    if left.is_empty()
        || !left.iter().all(changes_nothing)
        || left.last().is_some_and(|last| may_leave(*last))
    {
        return None;
    }
    let below = now
        .statement()
        .next()
        .filter(|below| !is_same_end(exit, *below))?;
    let (condition, below) = (quote(after.condition.text()), quote(first_line(below)));
    sink.report(
        exit,
        format!(
            "If `{condition}`, the code no longer leaves with `{}`: `{below}` now runs too.",
            quote(first_line(exit))
        ),
    );
    Some(())
}

/// Reports a `break` that ended a case.
fn case<'a>(context: &ChangeContext<'a>, old: Node<'a>, sink: &mut Sink<'_>) -> Option<()> {
    const RUN_ON: &[&str] = &[
        "switch_case", "switch_block_statement_group", "case_statement",
    ];
    let around = old.parent().filter(|around| around.is(RUN_ON))?;
    let next = around
        .next()
        .filter(|next| next.has_role(Role::Case) && context.similarity_to_new(*next) >= 60)?;
    let keeps = around
        .named_children()
        .filter(|part| *part != old && context.similarity_to_new(*part) >= 60)
        .count();
    let is_plain = context.inserted_in_block(old) == 0
        && context.mostly_takes_away(old)
        && old.next().is_none();
    if keeps < 2 || !is_plain {
        return None;
    }
    let next = quote(first_line(next));
    sink.report(
        old,
        format!(
            "The `break` before `{next}` was removed: this case now runs on into the next one."
        ),
    );
    Some(())
}

fn first_line(node: Node<'_>) -> &str {
    node.text().lines().next().unwrap_or_default()
}

fn is_call(node: Node<'_>) -> bool {
    node.has_role(Role::Call) || node.has_role(Role::Await)
}

/// Whether a call responds, reports or logs.
fn responds(node: Node<'_>) -> bool {
    const RESPONSES: &[&str] = &[
        "error", "err", "reply", "respond", "response", "fail", "failure", "log", "logger", "warn",
        "warning", "json", "status", "send", "render", "redirect", "abort", "print", "println",
        "printf", "message", "msg", "flash", "toast", "alert", "notify", "reject", "report",
        "debug", "info", "console", "end", "write",
    ];
    node.all(Role::Call)
        .filter_map(Node::call)
        .any(|call| has_word(call.callee, RESPONSES))
}

/// Whether a call may not return: it ends the program or the test, or it is a macro that may contain a `return`.
fn may_leave(node: Node<'_>) -> bool {
    const ENDS: &[&str] = &[
        "exit", "fatal", "fatalf", "panic", "die", "abort", "usage", "bail", "throw", "raise",
        "skip",
    ];
    const TELL: &[&str] = &[
        "error", "warn", "info", "debug", "trace", "println", "eprintln", "log",
    ];
    let Some(call) = node.call() else {
        return false;
    };
    let ends = has_word(call.callee, ENDS);
    let aborts_request = call.receiver.is_some()
        && words_of(call.name)
            .first()
            .is_some_and(|word| word == "abort");
    ends && !aborts_request || node.is(&["macro_invocation"]) && !TELL.contains(&call.name)
}

/// Whether the code below leaves in the same way.
fn is_same_end(exit: Node<'_>, below: Node<'_>) -> bool {
    let bare =
        |node: Node<'_>| node.has_role(Role::Return) && node.named_children().next().is_none();
    exit.says_same(below) || bare(exit) && bare(below)
}
