//! An unlock that became a lock.

use review::{Category, Priority};

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/lock-call-exchanged",
    languages: &[],
    title: "Unlock became a lock",
    why: "The call that gave the lock back now takes it once more. Whoever holds it already waits for itself, and all others \
          wait for it.",
    fix: "Lock before what is to be protected, and unlock behind it, on every way out.",
    priority: Priority::P1,
    category: Category::Concurrency,
    confidence: 0.75,
    tests: Tests::Skip,
    check: Check::Change { run },
    fires: &[
        "path: src/a.go\n@@ func (s *Server) Stop() {\n \ts.mu.Lock()\n \tif s.drain {\n-\t\ts.mu.Unlock()\n+\t\ts.mu.Lock()\n^\n \t\treturn\n \t}\n",
        "path: src/a.c\n@@ static void stop(struct server *s)\n \ts->done = 1;\n-\tpthread_mutex_unlock(&s->lock);\n+\tpthread_mutex_lock(&s->lock);\n^\n \treturn;\n",
    ],
    quiet: &[
        "path: src/a.go\n@@ func (s *Server) Stop() {\n-\ts.mu.Unlock()\n-\twait()\n-\ts.mu.Lock()\n+\ts.mu.Lock()\n+\twait()\n+\ts.mu.Unlock()\n",
        "path: src/a.go\n@@ func (s *Server) Stop() {\n-\ts.mu.Lock()\n+\ts.mu.RLock()\n \tdefer s.done()\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.replaced_names() {
        let called = new.enclosing(Role::Call).and_then(Node::call).is_some_and(|call| call.name == new.text());
        let alone = context.run_of(old).is_some_and(|run| run.removed == 1 && run.added == 1);
        if gives_back(old.text()) && takes(new.text()) && called && alone && new.is_usable() {
            sink.report(new, format!("`{}` became `{}`.", quote(old.text()), quote(new.text())));
        }
    }
}

fn gives_back(name: &str) -> bool {
    name.to_lowercase().ends_with("unlock")
}

fn takes(name: &str) -> bool {
    name.to_lowercase().ends_with("lock") && !gives_back(name)
}
