//! A path out of the function on which a lock is not released.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/lock-not-released",
    languages: &["Go"],
    title: "Return with the lock held",
    why: "The function returns between `Lock` and `Unlock`. On this path the lock is never released, and the next \
          goroutine that needs it waits forever.",
    fix: "Write `defer mu.Unlock()` directly after the lock, or unlock before the return.",
    references: &["CWE-667", "CWE-833", "https://pkg.go.dev/sync#Mutex"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["expression_statement"]),
        run,
    },
    positive: &[
        r#"
+func (s *Set) Add(n int) error {
+	s.mu.Lock()
+	if n < 0 {
+		return errNegative
^
+	}
+	s.items[n] = true
+	s.mu.Unlock()
+	return nil
+}
"#,
        r#"
+func (c *Cache) Get(key string) (string, bool) {
+	c.lock.RLock()
+	value, ok := c.values[key]
+	if !ok {
+		return "", false
^
+	}
+	c.lock.RUnlock()
+	return value, true
+}
"#,
    ],
    negative: &[
        r#"
+func (s *Set) Add(n int) error {
+	s.mu.Lock()
+	defer s.mu.Unlock()
+	if n < 0 {
+		return errNegative
+	}
+	return nil
+}
"#,
        r#"
+func (s *Set) Add(n int) error {
+	s.mu.Lock()
+	if n < 0 {
+		s.mu.Unlock()
+		return errNegative
+	}
+	go func() { return }()
+	s.mu.Unlock()
+	return nil
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node
        .named_children()
        .next()
        .and_then(Node::call)
        .filter(|call| matches!(call.name, "Lock" | "RLock"))
    else {
        return;
    };
    let Some(receiver) = call.receiver else {
        return;
    };
    let wanted = if call.name == "Lock" {
        "Unlock"
    } else {
        "RUnlock"
    };
    let Some(function) = node
        .ancestors()
        .find(|around| around.is(&["function_declaration", "method_declaration", "func_literal"]))
    else {
        return;
    };
    if !function.is_within_hunk() {
        return;
    }
    let unlocks = |within: Node<'_>| {
        within.all(Role::Call).filter_map(Node::call).any(|call| {
            call.name == wanted && call.receiver.is_some_and(|of| of.says_same(receiver))
        })
    };
    let mut at = node;
    let mut early = None;
    while let Some(next) = at.next() {
        at = next;
        if at.is(&["expression_statement"]) && unlocks(at) {
            if let Some(left) = early {
                sink.report(
                    left,
                    format!(
                        "`{}` is still locked when the function returns here.",
                        quote(receiver.text())
                    ),
                );
            }
            return;
        }
        if at.is(&["defer_statement"]) && (unlocks(at) || at.text().contains("nlock")) {
            return;
        }
        if early.is_none() {
            let mut returns = std::iter::once(at)
                .chain(at.descendants())
                .filter(|inner| inner.is(&["return_statement"]));
            early = returns.find(|exit| {
                exit.ancestors()
                    .take_while(|around| *around != node)
                    .find(|around| {
                        around.is(&["func_literal", "function_declaration", "method_declaration"])
                    })
                    == Some(function)
                    && !before(*exit, at, &unlocks)
            });
        }
    }
}

/// Whether it is unlocked on the path to the return, inside the statement.
fn before(exit: Node<'_>, statement: Node<'_>, unlocks: &dyn Fn(Node<'_>) -> bool) -> bool {
    let mut inner = exit;
    loop {
        let mut siblings = inner;
        while let Some(previous) = siblings.previous() {
            if unlocks(previous) {
                return true;
            }
            siblings = previous;
        }
        if inner == statement || unlocks(inner) {
            return unlocks(inner) && inner.is(&["return_statement"]);
        }
        let Some(around) = inner.parent() else {
            return false;
        };
        inner = around;
    }
}
