//! A modification of an unmodifiable collection.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::types::{Declared, declared, short};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "java/change-of-fixed-collection",
    languages: &["Java"],
    title: "Modification of an unmodifiable collection",
    why: "The collections returned by `List.of`, `Map.of`, `Collections.unmodifiableList`, `Stream.toList` and \
          Guava's `Immutable` types have the mutating methods of the interface, but these throw \
          `UnsupportedOperationException`.",
    fix: "Create a modifiable collection, for example `new ArrayList<>(…)`, or gather all elements before creating \
          it.",
    references: &["https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/List.html"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node { on: On::Kinds(&["method_invocation"]), run },
    positive: &[
        "@@ List<String> names() {\n-        List<String> names = new ArrayList<>();\n+        List<String> names = List.of(\"a\");\n+        names.add(\"b\");\n^\n         return names;\n",
        "+    void run(ImmutableMap<String, User> users, User user) {\n+        users.put(user.name(), user);\n^\n+    }\n",
        "+    void run(List<User> users) {\n+        List<User> own = users.stream().filter(User::isOwn).toList();\n+        own.sort(byName);\n^\n+    }\n",
    ],
    negative: &[
        "@@ List<String> names() {\n+        List<String> names = new ArrayList<>(List.of(\"a\"));\n+        names.add(\"b\");\n         return names;\n",
        "+    void run(ImmutableList.Builder<String> names, boolean more) {\n+        names.add(\"a\");\n+        List<String> all = List.of();\n+        if (more) {\n+            all = new ArrayList<>();\n+        }\n+        all.add(\"b\");\n+    }\n",
        "+    void run(List<User> users) {\n+        List<User> own = users.stream().collect(Collectors.toList());\n+        own.add(next());\n+        BigInteger sum = Sums.of(1);\n+        sum.add(own);\n+    }\n",
    ],
};

const CHANGES: &[&str] = &[
    "add",
    "addAll",
    "remove",
    "removeAll",
    "removeIf",
    "retainAll",
    "clear",
    "put",
    "putAll",
    "putIfAbsent",
    "computeIfAbsent",
    "replaceAll",
    "sort",
    "addFirst",
    "addLast",
];

/// Methods that return unmodifiable collections.
const MAKERS: &[&str] = &[
    "List.of",
    "List.copyOf",
    "Set.of",
    "Set.copyOf",
    "Map.of",
    "Map.ofEntries",
    "Map.copyOf",
    "Collections.unmodifiableList",
    "Collections.unmodifiableSet",
    "Collections.unmodifiableMap",
    "Collections.unmodifiableCollection",
    "Collections.emptyList",
    "Collections.emptySet",
    "Collections.emptyMap",
    "Collections.singletonList",
    "Collections.singleton",
    "Collections.singletonMap",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| CHANGES.contains(&call.name)) else { return };
    let Some(receiver) = call.receiver.filter(|receiver| receiver.is(&["identifier"])) else { return };
    let Some(own) = declared(receiver) else { return };
    if is_immutable_type(own) || (is_made_fixed(own) && !is_set_again(own, receiver)) {
        let (code, name) = (quote(node.text()), quote(receiver.text()));
        sink.report(
            node,
            format!("`{code}` throws UnsupportedOperationException: `{name}` is an unmodifiable collection."),
        );
    }
}

fn is_immutable_type(own: Declared<'_>) -> bool {
    let name = own.kind.map(|kind| short(kind.text()));
    name.is_some_and(|name| {
        matches!(name.as_str(), "ImmutableList" | "ImmutableSet" | "ImmutableMap" | "ImmutableSortedSet")
            || matches!(name.as_str(), "ImmutableMultimap" | "ImmutableCollection" | "ImmutableSortedMap")
    })
}

fn is_made_fixed(own: Declared<'_>) -> bool {
    let Some(call) = own.value.and_then(Node::call) else { return false };
    let ends_stream = call.name == "toList"
        && call.arguments.is_empty()
        && call.receiver.is_some_and(|stream| stream.text().contains("stream()"));
    ends_stream || MAKERS.contains(&call.callee) || call.callee.starts_with("Immutable") && call.name != "builder"
}

/// Whether the variable is assigned another value somewhere.
fn is_set_again(own: Declared<'_>, name: Node<'_>) -> bool {
    let around = own.node.enclosing(Role::Function).or_else(|| own.node.enclosing(Role::Class));
    around.is_none_or(|around| {
        around.all(Role::Assign).any(|set| {
            set.is(&["assignment_expression"])
                && set.assignment().is_some_and(|set| set.target.last_name() == name.text())
        })
    })
}
