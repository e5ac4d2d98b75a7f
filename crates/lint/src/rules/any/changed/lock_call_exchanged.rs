//! An unlock call that became a lock call.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/lock-call-exchanged",
    languages: &[],
    title: "Unlock replaced by a lock",
    why: "The call that released the lock now acquires it again. A thread that already holds a non-reentrant lock \
          deadlocks with itself, and all others wait for it.",
    fix: "Lock before the protected code, and unlock after it on every path.",
    references: &["CWE-667", "CWE-833"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.go\n@@ func (s *Server) Stop() {\n \ts.mu.Lock()\n \tif s.drain {\n-\t\ts.mu.Unlock()\n+\t\ts.mu.Lock()\n^\n \t\treturn\n \t}\n",
        "path: src/a.c\n@@ static void stop(struct server *s)\n \ts->done = 1;\n-\tpthread_mutex_unlock(&s->lock);\n+\tpthread_mutex_lock(&s->lock);\n^\n \treturn;\n",
    ],
    negative: &[
        "path: src/a.go\n@@ func (s *Server) Stop() {\n-\ts.mu.Unlock()\n-\twait()\n-\ts.mu.Lock()\n+\ts.mu.Lock()\n+\twait()\n+\ts.mu.Unlock()\n",
        "path: src/a.go\n@@ func (s *Server) Stop() {\n-\ts.mu.Lock()\n+\ts.mu.RLock()\n \tdefer s.done()\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for (old, new) in context.replaced_names() {
        let called = new
            .enclosing(Role::Call)
            .and_then(Node::call)
            .is_some_and(|call| call.name == new.text());
        let alone = context
            .edit_block_of(old)
            .is_some_and(|run| run.removed == 1 && run.added == 1);
        if gives_back(old.text()) && takes(new.text()) && called && alone && new.is_usable() {
            sink.report(
                new,
                format!("`{}` became `{}`.", quote(old.text()), quote(new.text())),
            );
        }
    }
}

fn gives_back(name: &str) -> bool {
    name.to_lowercase().ends_with("unlock")
}

fn takes(name: &str) -> bool {
    name.to_lowercase().ends_with("lock") && !gives_back(name)
}
