//! A release of a lock that the change removes on one path, while the other paths still release it.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::locks;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/lock-release-removed",
    languages: &[],
    title: "Lock no longer released on a path",
    why: "The code released the lock before it left. Now it leaves with the lock held, and the next caller that needs it waits forever.",
    fix: "Release the lock before leaving, or in a construct that always runs (`defer`, `finally`, `ensure`, `with`).",
    references: &["CWE-667", "CWE-833"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
 func (s *Set) Add(n int) error {
 	s.mu.Lock()
 	if n < 0 {
-		s.mu.Unlock()
^
 		return errNegative
 	}
 	s.items[n] = true
 	s.mu.Unlock()
 	return nil
 }
"#,
        r#"
path: src/a.py
 def put(self, item):
     self.lock.acquire()
     if self.closed:
-        self.lock.release()
^
         return False
     self.items.append(item)
     self.lock.release()
     return True
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func (s *Set) Add(n int) error {
 	s.mu.Lock()
+	defer s.mu.Unlock()
 	if n < 0 {
-		s.mu.Unlock()
 		return errNegative
 	}
 	s.items[n] = true
-	s.mu.Unlock()
 	return nil
 }
"#,
        r#"
path: src/a.py
 def put(self, item):
     self.lock.acquire()
     if self.closed:
-        self.lock.release()
-        return False
+        self.reopen()
     self.items.append(item)
     self.lock.release()
     return True
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let removed: Vec<Node<'_>> = context
        .old
        .with_role(Role::Call)
        .filter(|old| old.touches_change() && old.call().is_some_and(|call| locks::may_lock(&call)))
        .collect();
    if removed.is_empty() {
        return;
    }
    let functions = context
        .new
        .nodes()
        .filter(|node| node.has_role(Role::Function) || node.has_role(Role::Lambda));
    for function in functions {
        let Some(last) = function.leaves().last() else {
            continue;
        };
        for kept in locks::kept(function, last) {
            // `any/lock-not-released` reports what the change adds.
            let mut parts = kept.exits.iter().chain([&kept.release, &kept.lock.call]);
            if parts.any(|part| part.touches_change()) {
                continue;
            }
            let was_released = |old: &&Node<'_>| {
                old.call()
                    .is_some_and(|call| kept.lock.is_released_by(&call))
            };
            if let (Some(old), Some(exit)) = (removed.iter().find(was_released), kept.exits.first())
            {
                let line = exit.line().unwrap_or_default();
                sink.report(
                    *old,
                    format!(
                        "`{}` was released here; now line {line} leaves with it held.",
                        quote(kept.lock.name)
                    ),
                );
            }
        }
    }
}
