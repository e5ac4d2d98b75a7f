//! An unlock call that became a lock call.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

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
        r#"
path: src/a.go
@@ func (s *Server) Stop() {
 	s.mu.Lock()
 	if s.drain {
-		s.mu.Unlock()
+		s.mu.Lock()
^
 		return
 	}
"#,
        r#"
path: src/a.c
@@ static void stop(struct server *s)
 	s->done = 1;
-	pthread_mutex_unlock(&s->lock);
+	pthread_mutex_lock(&s->lock);
^
 	return;
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func (s *Server) Stop() {
-	s.mu.Unlock()
-	wait()
-	s.mu.Lock()
+	s.mu.Lock()
+	wait()
+	s.mu.Unlock()
"#,
        r#"
path: src/a.go
@@ func (s *Server) Stop() {
-	s.mu.Lock()
+	s.mu.RLock()
 	defer s.done()
"#,
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
        if releases(old.text()) && takes(new.text()) && called && alone && new.is_usable() {
            sink.report(
                new,
                format!("`{}` became `{}`.", quote(old.text()), quote(new.text())),
            );
        }
    }
}

fn releases(name: &str) -> bool {
    name.to_lowercase().ends_with("unlock")
}

fn takes(name: &str) -> bool {
    name.to_lowercase().ends_with("lock") && !releases(name)
}
