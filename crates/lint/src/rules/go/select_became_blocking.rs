//! A channel operation of a `select` that stands alone now.

use review::{Category, Priority};

use crate::node::Node;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "go/select-became-blocking",
    languages: &["Go"],
    title: "Channel operation taken out of its select",
    why: "In the select the goroutine had another way out: a default, a done channel, a timeout. Alone the operation waits \
          until the other side is there, and if that has gone away, for ever: the goroutine leaks, and what it holds is \
          never given back.",
    fix: "Keep the select with the other way out, or give the channel room for all that is sent.",
    priority: Priority::P2,
    category: Category::Concurrency,
    confidence: 0.65,
    tests: Tests::Include,
    check: Check::Change { run },
    fires: &[
        "path: src/a.go\n@@ func (m *Mux) send(event Event) {\n \tfor _, w := range m.watchers {\n-\t\tselect {\n-\t\tcase w.result <- event:\n-\t\tcase <-w.stopped:\n-\t\t}\n+\t\tw.result <- event\n^\n \t}\n }\n",
        "path: src/b.go\n@@ func (p *Pool) wait() error {\n-\tselect {\n-\tcase err := <-p.done:\n-\t\treturn err\n-\tcase <-time.After(limit):\n-\t\treturn errTimeout\n-\t}\n+\terr := <-p.done\n^\n+\treturn err\n }\n",
    ],
    quiet: &[
        "path: src/a.go\n@@ func (m *Mux) send(event Event) {\n-\tselect {\n-\tcase m.result <- event:\n-\tcase <-m.stopped:\n-\t}\n+\tselect {\n+\tcase m.result <- event:\n+\tcase <-ctx.Done():\n+\t}\n }\n",
        "path: src/b.go\n@@ func (m *Mux) send(event Event) {\n-\tselect {\n-\tcase m.result <- event:\n-\t}\n+\tm.result <- event\n }\n",
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let selects = context.old.nodes().filter(|node| node.is(&["select_statement"]) && node.touches_change());
    for select in selects.filter(|node| node.is_usable() && ways(*node) > 1) {
        let operations = select.children().filter_map(|case| case.field("communication"));
        if let Some(now) = operations.filter_map(|operation| alone(context, operation)).next() {
            sink.report(now, format!("`{}` had another way out in a select and now waits alone.", quote(now.text())));
        }
    }
}

fn ways(select: Node<'_>) -> usize {
    select.named_children().filter(|case| case.is(&["communication_case", "default_case"])).count()
}

/// What became of a channel operation that no longer stands in a `select`.
fn alone<'a>(context: &ChangeContext<'a>, operation: Node<'_>) -> Option<Node<'a>> {
    let now = context.cover(operation).filter(|_| context.kept(operation) >= 80)?;
    let now = if now.is_statement() { now } else { now.statement() };
    let still = now.ancestors().any(|node| node.is(&["select_statement"]));
    let waits = now.leaves().any(|leaf| leaf.text() == "<-");
    (!still && waits && now.is_usable() && now.touches_change()).then_some(now)
}
