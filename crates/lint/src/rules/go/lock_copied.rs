//! A lock that is copied, alone or with the struct that contains it.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/lock-copied",
    languages: &["Go"],
    title: "Lock copied by value",
    why: "A mutex, a wait group, or a struct that contains one must not be copied: the copy is a separate lock \
          with the state of that moment. Two goroutines that lock different copies do not exclude each other.",
    fix: "Pass, return or receive a pointer.",
    references: &["CWE-667", "https://pkg.go.dev/sync"],
    priority: Priority::P1,
    category: Category::Concurrency,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(&["parameter_declaration"]), run },
    positive: &[
        "@@ type Set struct {\n-func run(mu *sync.Mutex) {\n+func run(mu sync.Mutex) {\n^\n \tmu.Lock()\n",
        "+type Set struct {\n+\tmu sync.Mutex\n+\titems map[int]bool\n+}\n+\n+func (s Set) Add(n int) {\n^\n+\ts.mu.Lock()\n+\tdefer s.mu.Unlock()\n+\ts.items[n] = true\n+}\n",
    ],
    negative: &[
        "+func run(mu *sync.Mutex, all []sync.Mutex, locker sync.Locker) {\n+\tmu.Lock()\n+}\n",
        "+type Set struct {\n+\tmu *sync.Mutex\n+}\n+\n+func (s Set) Add(n int) {\n+\ts.mu.Lock()\n+}\n",
    ],
};

const LOCKS: &[&str] =
    &["sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once", "sync.Cond", "sync.Map", "sync.Pool"];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(kind) = node.field("type") else { return };
    let list = node.parent().filter(|list| list.is(&["parameter_list"]));
    let Some(holder) = list
        .and_then(Node::parent)
        .filter(|holder| holder.is(&["function_declaration", "method_declaration", "func_literal"]))
    else {
        return;
    };
    let is_result = holder.field("result") == list;
    let what = if is_result { "returned" } else { "passed" };
    let Some(file) = node.ancestors().last() else { return };
    if LOCKS.contains(&kind.text()) {
        sink.report(node, format!("`{}` is {what} by value, so only a copy of it is used.", kind.text()));
    } else if let Some(lock) =
        Some(kind).filter(|kind| kind.is(&["type_identifier"])).and_then(|kind| held_lock(file, kind.text(), 3))
    {
        sink.report(
            node,
            format!(
                "`{}` contains a `{lock}` and is {what} by value, so only a copy of the lock is used.",
                kind.text()
            ),
        );
    }
}

/// The lock that a struct of this file contains by value.
fn held_lock<'t>(file: Node<'t>, name: &str, depth: u32) -> Option<&'t str> {
    let specs = file.named_children().filter(|child| child.is(&["type_declaration"])).flat_map(Node::named_children);
    let own = specs
        .filter(|spec| spec.is(&["type_spec"]))
        .find(|spec| spec.field("name").is_some_and(|own| own.text() == name))?;
    let fields =
        own.field("type").filter(|kind| kind.is(&["struct_type"]))?.child_of_kind(&["field_declaration_list"])?;
    fields.named_children().filter_map(|field| field.field("type")).find_map(|kind| {
        if LOCKS.contains(&kind.text()) {
            return Some(kind.text());
        }
        (depth > 0 && kind.is(&["type_identifier"]) && kind.text() != name)
            .then(|| held_lock(file, kind.text(), depth - 1))
            .flatten()
    })
}
