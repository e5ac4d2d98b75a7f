//! A branch that left the function or the loop and now runs on into the code below.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::semantics::flow::can_complete;
use crate::semantics::vocabulary::{has_word, words_of};
use crate::tree::Node;

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
        "path: src/a.go\n@@ func Delete(c *Context) {\n \tif err != nil {\n \t\tc.JSON(404, notFound(err))\n-\t\treturn\n^\n \t}\n \tc.JSON(200, done)\n }\n",
        "path: src/a.c\n@@ void set(client *c, long offset) {\n-\tif (offset < 0) {\n-\t\taddReplyError(c, \"offset is out of range\");\n-\t\treturn;\n^\n-\t}\n+\tif (offset < 0)\n+\t\taddReplyErrorFormat(c, \"offset %ld is out of range\", offset);\n \n \tstore(c, offset);\n }\n",
        "path: src/a.js\n app.post('/x', (req, res) => {\n   if (!req.body.name) {\n-    return res.status(400).send('name');\n^\n+    res.status(400).send('name');\n   }\n   save(req.body);\n });\n",
        "path: src/a.py\n def show(items):\n     for item in items:\n         if not item.ready:\n             log.warning('skipped %s', item)\n-            continue\n^\n         item.run()\n",
        "path: src/a.js\n function go(kind) {\n   switch (kind) {\n     case 1:\n       one();\n-      break;\n^\n     case 2:\n       two();\n   }\n }\n",
        "path: src/A.java\n class A {\n     void put(String key) {\n         if (key == null) {\n             log.error(\"no key\");\n-            throw new IllegalArgumentException();\n^\n         }\n         map.put(key, 1);\n     }\n }\n",
        "path: src/a.php\n <?php\n function show($id) {\n     if (!$id) {\n         http_response_code(404);\n-        exit;\n^\n     }\n     render($id);\n }\n",
    ],
    negative: &[
        "path: src/a.c\n@@ void set(client *c, long offset) {\n \tif (offset < 0) {\n-\t\taddReplyError(c, \"offset is out of range\");\n+\t\taddReplyErrorFormat(c, \"offset %ld is out of range\", offset);\n \t\treturn;\n \t}\n \tstore(c, offset);\n }\n",
        "path: src/a.go\n@@ func Delete(c *Context) {\n \tif err != nil {\n \t\tc.JSON(404, notFound(err))\n-\t\treturn\n+\t} else {\n+\t\tc.JSON(200, done)\n \t}\n-\tc.JSON(200, done)\n }\n",
        "path: src/a.py\n def show(name):\n     if not name:\n         log.warning('no name')\n-        return\n+        name = 'nobody'\n     render(name)\n",
        "path: src/a.js\n function go(kind) {\n   switch (kind) {\n     case 1:\n       one();\n-      break;\n+      return;\n     case 2:\n       two();\n   }\n }\n",
        "path: src/a.go\n@@ func Load() {\n \tif err != nil {\n \t\tlog.Println(err)\n-\t\treturn\n+\t\tos.Exit(1)\n \t}\n \trun()\n }\n",
        "path: src/a.js\n function go(x) {\n   if (x) {\n     done();\n-    return;\n   }\n }\n",
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
    let now = context.same_question(old)?;
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
        is_call(*node) && (context.similarity_to_old(*node) >= 60 || tells(*node))
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

/// A `break` that ended a case.
fn case<'a>(context: &ChangeContext<'a>, old: Node<'a>, sink: &mut Sink<'_>) -> Option<()> {
    const RUN_ON: &[&str] = &[
        "switch_case",
        "switch_block_statement_group",
        "case_statement",
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
fn tells(node: Node<'_>) -> bool {
    const TELLS: &[&str] = &[
        "error", "err", "reply", "respond", "response", "fail", "failure", "log", "logger", "warn",
        "warning", "json", "status", "send", "render", "redirect", "abort", "print", "println",
        "printf", "message", "msg", "flash", "toast", "alert", "notify", "reject", "report",
        "debug", "info", "console", "end", "write",
    ];
    node.all(Role::Call)
        .filter_map(Node::call)
        .any(|call| has_word(call.callee, TELLS))
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

/// Whether what follows leaves in the same way.
fn is_same_end(exit: Node<'_>, below: Node<'_>) -> bool {
    let bare =
        |node: Node<'_>| node.has_role(Role::Return) && node.named_children().next().is_none();
    exit.says_same(below) || bare(exit) && bare(below)
}
