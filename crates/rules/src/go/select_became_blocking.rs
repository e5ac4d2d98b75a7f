//! A channel operation that was moved out of a `select` into its own statement.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/select-became-blocking",
    languages: &["Go"],
    title: "Channel operation taken out of its select",
    why: "Inside the select the goroutine had another case to leave by: a default, a done channel or a timeout. \
          Alone, the operation waits for the other side. If that has ended, the goroutine blocks forever and leaks \
          with everything that it references.",
    fix: "Keep the select with its other case, or make the channel's buffer large enough for everything that is sent.",
    references: &["https://go.dev/ref/spec#Select_statements"],
    priority: Priority::P2,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Change { run },
    positive: &[
        r#"
path: src/a.go
@@ func (m *Mux) send(event Event) {
 	for _, w := range m.watchers {
-		select {
-		case w.result <- event:
-		case <-w.stopped:
-		}
+		w.result <- event
^
 	}
 }
"#,
        r#"
path: src/b.go
@@ func (p *Pool) wait() error {
-	select {
-	case err := <-p.done:
-		return err
-	case <-time.After(limit):
-		return errTimeout
-	}
+	err := <-p.done
^
+	return err
 }
"#,
    ],
    negative: &[
        r#"
path: src/a.go
@@ func (m *Mux) send(event Event) {
-	select {
-	case m.result <- event:
-	case <-m.stopped:
-	}
+	select {
+	case m.result <- event:
+	case <-ctx.Done():
+	}
 }
"#,
        r#"
path: src/b.go
@@ func (m *Mux) send(event Event) {
-	select {
-	case m.result <- event:
-	}
+	m.result <- event
 }
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let selects = context
        .old
        .nodes()
        .filter(|node| node.is(&["select_statement"]) && node.touches_change());
    for select in selects.filter(|node| node.is_usable() && ways(*node) > 1) {
        let operations = select
            .children()
            .filter_map(|case| case.field("communication"));
        if let Some(now) = operations
            .filter_map(|operation| alone(context, operation))
            .next()
        {
            sink.report(
                now,
                format!(
                    "`{}` was one case of a select and now blocks until the other side is ready.",
                    quote(now.text())
                ),
            );
        }
    }
}

fn ways(select: Node<'_>) -> usize {
    select
        .named_children()
        .filter(|case| case.is(&["communication_case", "default_case"]))
        .count()
}

/// The new statement of a channel operation that is no longer in a `select`.
fn alone<'a>(context: &ChangeContext<'a>, operation: Node<'_>) -> Option<Node<'a>> {
    let now = context
        .cover(operation)
        .filter(|_| context.similarity_to_new(operation) >= 80)?;
    let now = if now.is_statement() {
        now
    } else {
        now.statement()
    };
    let still = now.ancestors().any(|node| node.is(&["select_statement"]));
    let waits = now.leaves().any(|leaf| leaf.text() == "<-");
    (!still && waits && now.is_usable() && now.touches_change()).then_some(now)
}
