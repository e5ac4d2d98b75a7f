//! React hooks that use a value missing from their dependencies.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::names::{is_small, whole_function};
use syntax::semantics::script::types::declared;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/hook-dependency-missing",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Missing hook dependency",
    why: "React runs the function again only when a dependency changes. Until then the function sees the value of an \
          earlier render.",
    fix: "Add the value to the dependencies, or move it out of the function.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Kinds(&["call_expression"]),
        run,
    },
    positive: &[
        r#"
path: src/a.jsx
+function Cart({ user }) {
+  const total = useMemo(() => sum(user.items), []);
^
+  return <b>{total}</b>;
+}
"#,
        r#"
path: src/a.tsx
+function Cart(props: { id: string }) {
+  const [count, setCount] = useState(0);
+  const add = useCallback(() => {
^
+    save(props.id, count + 1);
+    setCount(count + 1);
+  }, [props.id]);
+  return <Button onClick={add} />;
+}
"#,
        r#"
path: src/use_total.ts
+export function useTotal(user: User) {
+  const total = useMemo(() => sum(user.items), []);
^
+  return total;
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.jsx
+function Cart({ user }) {
+  const total = useMemo(() => sum(user.items), [user.items]);
+  return <b>{total}</b>;
+}
"#,
        r#"
path: src/a.jsx
+function Tree({ open = new Set(), tint = theme.plain }) {
+  const all = useMemo(() => new Set(theme.names), []);
+  return <b>{all.size}</b>;
+}
"#,
        r#"
path: src/a.jsx
+function Cart({ user, rest }) {
+  const limit = 3;
+  const box = useRef(null);
+  const [items, setItems] = useState([]);
+  useEffect(() => {
+    const own = box.current;
+    load(limit, LIMIT).then((items) => setItems(items));
+  }, []);
+  useEffect(() => log(user));
+  // eslint-disable-next-line react-hooks/exhaustive-deps
+  useEffect(() => log(user), []);
+  useEffect(() => {
+    log(rest);
+    // eslint-disable-next-line react-hooks/exhaustive-deps
+  }, []);
+}
"#,
        r#"
path: src/use_total.ts
+export function useTotal(user: User) {
+  const total = useMemo(() => sum(user.items), [user.items]);
+  return total;
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some((callee, callback, list)) = hook(node) else {
        return;
    };
    if list.named_children().any(|one| one.is(&["spread_element"])) || is_intended(node) {
        return;
    }
    let Some(component) = whole_function(node).filter(|around| is_small(*around)) else {
        return;
    };
    let known: Vec<&str> = list
        .named_children()
        .filter_map(root)
        .map(Node::text)
        .collect();
    let changes = |name: &Node<'_>| {
        !known.contains(&name.text())
            && declared(*name).is_some_and(|at| {
                at.is_inside(component) && !at.is_inside(callback) && may_change(at, *name)
            })
    };
    let uses = callback
        .descendants()
        .filter(|one| one.is(&["identifier", "shorthand_property_identifier"]));
    let mut missing = uses.filter(|name| !is_reference(*name)).filter(changes);
    if let Some(name) = missing.next() {
        let (name, hook) = (name.text(), quote(callee.text()));
        sink.report(
            callee,
            format!("`{name}` is used in `{hook}` but is missing from its dependencies."),
        );
    }
}

/// The name of the hook, the function that it runs, and the list of dependencies.
fn hook(node: Node<'_>) -> Option<(Node<'_>, Node<'_>, Node<'_>)> {
    let callee = node.field("function")?;
    let place = match callee.last_name() {
        "useEffect" | "useLayoutEffect" | "useInsertionEffect" | "useCallback" | "useMemo" => 0,
        "useImperativeHandle" => 1,
        _ => return None,
    };
    let arguments: Vec<Node<'_>> = node.field("arguments")?.named_children().collect();
    let callback = *arguments
        .get(place)
        .filter(|one| one.is(&["arrow_function", "function_expression"]))?;
    let list = *arguments.get(place + 1).filter(|one| one.is(&["array"]))?;
    Some((callee, callback, list))
}

/// Whether a comment says that the list is intended.
fn is_intended(node: Node<'_>) -> bool {
    let has_marker =
        |text: &str| text.contains("exhaustive-deps") || text.contains("useExhaustiveDependencies");
    let statement = node.statement();
    let around = statement.parent().into_iter().flat_map(Node::children);
    let before = around
        .take_while(|child| child.index() < statement.index())
        .last();
    has_marker(node.text()) || before.is_some_and(|before| has_marker(before.text()))
}

/// The first name of `a.b.c`.
fn root(node: Node<'_>) -> Option<Node<'_>> {
    node.leaves().find(|leaf| leaf.is(&["identifier"]))
}

/// `box.current`: the content of a reference changes without React noticing.
fn is_reference(name: Node<'_>) -> bool {
    name.parent().is_some_and(|access| {
        access.field("object") == Some(name)
            && access
                .field("property")
                .is_some_and(|part| part.text() == "current")
    })
}

/// Whether the value of a name may differ when the component is rendered again.
fn may_change(at: Node<'_>, name: Node<'_>) -> bool {
    if at.is(&[
        "required_parameter", "optional_parameter", "object_pattern", "identifier",
        "assignment_pattern",
    ]) {
        return true;
    }
    let (Some(bound), Some(value)) = (at.field("name"), at.field("value")) else {
        return false;
    };
    let value = value.unparenthesised();
    if value.is(&["arrow_function", "function_expression"]) {
        return false;
    }
    let is_fixed = value.is(&["number", "string", "true", "false", "null", "regex"]);
    let is_constant = at
        .parent()
        .is_some_and(|list| list.text().starts_with("const"));
    let made_by = value.call().map_or("", |call| call.name);
    let is_setter = || {
        bound.is(&["array_pattern"])
            && bound
                .named_children()
                .nth(1)
                .is_some_and(|two| two.text() == name.text())
    };
    match made_by {
        "useRef" | "createRef" | "useEffectEvent" | "useDispatch" | "useId" | "useRouter"
        | "useNavigate" | "useTranslation" | "useCallback" | "useMemoizedFn" | "useEvent" => false,
        "useState" | "useReducer" | "useTransition" | "useRecoilState" | "useAtom" => !is_setter(),
        _ => {
            is_constant
                && !is_fixed
                && (bound.is(&["identifier"])
                    || bound.is(&["object_pattern"]) && made_by.is_empty())
        }
    }
}
