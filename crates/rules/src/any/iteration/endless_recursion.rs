//! A function that calls itself on every path.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/endless-recursion",
    languages: &["Java", "Go", "C#", "Kotlin"],
    title: "Infinite recursion",
    why: "Every path through the function calls the function again, so it never returns and the program ends with a \
          stack overflow. Usually the method of another object, the inherited one or another overload was intended.",
    fix: "Call the intended function, for example `super` or the wrapped object, or return before the call.",
    references: &["CWE-674"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Function]),
        run,
    },
    positive: &[
        r#"
path: src/A.java
+class A {
+    int size() {
+        return size();
^
+    }
+}
"#,
        r#"
path: src/a.go
+func (s *Set) Len() int {
+	return s.Len()
^
+}
"#,
        r#"
path: src/A.cs
+class A
+{
+    public void Close(int code)
+    {
+        log.Write(code);
+        this.Close(code);
^
+    }
+}
"#,
        r#"
path: src/a.kt
+fun total(items: List<Int>): Int {
+    return total(items)
^
+}
"#,
    ],
    negative: &[
        r#"
path: src/A.cs
+public class A : Parser
+{
+    public Items GetItems(Response response)
+    {
+        var document = Load(response);
+        return GetItems(document);
+    }
+}
"#,
        r#"
path: src/A.cs
+public class A
+{
+#if !OLD
+    public string Header(NameValueCollection values)
+    {
+        var list = new List(values);
+        return Header(list);
+    }
+#endif
+    public string Header(IDictionary<string, string> values)
+    {
+        return values.Count.ToString();
+    }
+}
"#,
        r#"
path: src/A.java
+class A {
+    int size() {
+        return list.size();
+    }
+    int depth(int n) {
+        if (n == 0) return 0;
+        return depth(n - 1);
+    }
+    void put(int n) { put(n, 0); }
+    int next() { run(() -> next()); return ready && next() > 0 ? 1 : 0; }
+}
"#,
        r#"
path: src/a.go
+func (s *Set) Len() int {
+	return s.inner.Len()
+}
+func Serve() {
+	go Serve()
+	for {
+		Serve()
+	}
+}
"#,
        r#"
path: src/a.kt
 class Items(private val all: List<Item>) {
+    fun size(): Int {
+        return all.size
+    }
 }
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(function) = node.function() else {
        return;
    };
    let Some(body) = function.body else { return };
    let name = function.name.text();
    if name.is_empty() {
        return;
    }
    // An explicit interface implementation is not what a call by its plain name refers to.
    if node
        .child_of_kind(&["explicit_interface_specifier"])
        .is_some()
    {
        return;
    }
    let parameters: Vec<_> = function
        .parameters
        .into_iter()
        .flat_map(Node::named_children)
        .collect();
    if parameters.iter().any(|parameter| {
        parameter.text().contains("...")
            || parameter.text().starts_with("params ")
            || parameter.text().contains('=')
    }) {
        return;
    }
    let count = parameters
        .iter()
        .map(|parameter| {
            parameter
                .named_children()
                .filter(|part| part.is(&["identifier"]) && node.tree().grammar().name() == "Go")
                .count()
                .max(1)
        })
        .sum::<usize>();
    let receiver = node
        .field("receiver")
        .and_then(|list| list.named_children().next()?.field("name"))
        .map(Node::text);
    let statements = if body.has_role(Role::Block) || body.is(&["constructor_body"]) {
        body.statements()
    } else {
        vec![body]
    };
    for statement in statements {
        if let Some(call) = sure_calls(statement)
            .into_iter()
            .find(|call| is_own(*call, name, &parameters, count, receiver, node))
        {
            sink.report(
                call,
                format!("`{name}` calls itself on every path, so the recursion never ends."),
            );
            return;
        }
        if leaves(statement) {
            return;
        }
    }
}

/// Whether a statement may leave the function or may be skipped by a jump.
fn leaves(statement: Node<'_>) -> bool {
    let jumps = |node: Node<'_>| {
        [Role::Return, Role::Throw, Role::Break, Role::Continue]
            .into_iter()
            .any(|role| node.has_role(role))
            || node.is(&["goto_statement", "yield_statement", "labeled_statement"])
            || node.is_exit()
    };
    std::iter::once(statement)
        .chain(statement.descendants())
        .any(jumps)
}

/// The calls in a statement that always happen.
fn sure_calls(statement: Node<'_>) -> Vec<Node<'_>> {
    let unsure = |node: Node<'_>| {
        [
            Role::Lambda,
            Role::Function,
            Role::Class,
            Role::Loop,
            Role::If,
            Role::Ternary,
            Role::Switch,
            Role::Try,
        ]
        .into_iter()
        .any(|role| node.has_role(role))
            || node.is(&[
                "go_statement", "defer_statement", "func_literal", "lambda_expression",
                "object_creation_expression", "conditional_access_expression", "select_statement",
                "expression_switch_statement", "type_switch_statement", "yield_statement",
                "await_expression", "array_creation_expression",
            ])
            || node
                .binary()
                .is_some_and(|binary| matches!(binary.operator, "&&" | "||" | "??" | "?:"))
    };
    let mut found = Vec::new();
    let mut skip_to = 0;
    for node in std::iter::once(statement).chain(statement.descendants()) {
        if node.index() < skip_to {
            continue;
        }
        if unsure(node) {
            skip_to = node.descendants().last().map_or(node.index(), Node::index) + 1;
        } else if node.has_role(Role::Call) {
            found.push(node);
        }
    }
    found
}

fn is_named(function: Node<'_>, name: &str) -> bool {
    function.field("name").is_some_and(|own| own.text() == name)
}

/// The lists of types from which a class inherits other overloads.
const BASES: &[&str] = &[
    "base_list", "superclass", "super_interfaces", "extends_interfaces",
];

fn is_own(
    node: Node<'_>,
    name: &str,
    parameters: &[Node<'_>],
    count: usize,
    receiver: Option<&str>,
    function: Node<'_>,
) -> bool {
    let Some(call) = node
        .call()
        .filter(|call| call.name == name && call.arguments.len() == count)
    else {
        return false;
    };
    // C#: `other?.Close()` calls a method of another object.
    if node.field("function").is_some_and(|callee| {
        callee.is(&["conditional_access_expression", "member_binding_expression"])
    }) {
        return false;
    }
    let overloaded = function
        .enclosing(Role::Class)
        .or_else(|| function.parent())
        .is_some_and(|class| {
            class
                .all(Role::Function)
                .filter(|one| is_named(*one, name))
                .count()
                > 1
        });
    let same_receiver = match call.receiver {
        None => receiver.is_none() || function.tree().grammar().name() != "Go",
        Some(of) => {
            of.unparenthesised().text() == "this" || receiver.is_some_and(|own| own == of.text())
        }
    };
    // Other overloads may exist outside the hunk, so only identical arguments are proof.
    let language = function.tree().grammar().name();
    let whole = function.enclosing(Role::Class).is_some_and(|class| {
        class.is_within_hunk() && class.is_all_changed() && class.child_of_kind(BASES).is_none()
    });
    let passes_parameters = call
        .arguments
        .iter()
        .zip(parameters)
        .all(|(argument, parameter)| {
            let name = parameter
                .field("name")
                .or_else(|| parameter.child_of_kind(&["simple_identifier"]));
            name.is_some_and(|name| name.text() == argument.text())
        });
    let generic = node
        .text()
        .split('(')
        .next()
        .is_some_and(|callee| callee.contains('<'));
    let same_values = !generic
        && (language == "Go"
            || !overloaded && (passes_parameters || whole && language != "Kotlin"));
    same_receiver
        && same_values
        && call.callee.ends_with(name)
        && !node.is(&["object_creation_expression"])
}
