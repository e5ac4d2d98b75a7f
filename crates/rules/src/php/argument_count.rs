//! A call with too few or too many arguments, or with an unknown parameter name.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::semantics::php::calls::{CALLS, Parameter, Target};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/argument-count",
    languages: &["PHP"],
    title: "Wrong number of arguments or unknown argument name",
    why: "With too few arguments or an unknown argument name, PHP throws an error at the call. A user-defined \
          function silently ignores extra arguments, so part of what the caller requests does not happen.",
    fix: "Pass the arguments that the function declares, or change the function.",
    references: &[
        "CWE-685",
        "https://www.php.net/manual/en/functions.arguments.php",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(CALLS),
        run,
    },
    positive: &[
        r#"
+function price(int $amount, string $currency)
+{
+    return format($amount, $currency);
+}
+echo price(3);
^
"#,
        r#"
+class Cart {
+    public function __construct(private int $size) {}
+    public function add($item, $count = 1) {}
+    public function fill() {
+        $this->add('a', 2, true);
^
+        $this->add(item: 'a', number: 2);
^
+    }
+}
+$cart = new Cart();
^
"#,
    ],
    negative: &[
        r#"
+function price(int $amount, string $currency = 'EUR')
+{
+    return format($amount, $currency);
+}
+echo price(3);
"#,
        r#"
+function all(...$values) {}
+function some() { return func_get_args(); }
+all(1, 2, 3);
+some(1, 2);
+class Cart {
+    public function add($item, $count = 1) {}
+    public function fill($many) {
+        $this->add(...$many);
+        $this->add(count: 2, item: 'a');
+        return $this->add(...);
+    }
+}
+new Cart;
+new Other(1);
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(given) = php::calls::arguments(node) else {
        return;
    };
    let problem = match php::calls::target(node) {
        Some(Target::Function(function)) => problem(function, &given),
        Some(Target::NoConstructor(class))
            if !given.is_empty() && class.is(&["class_declaration"]) =>
        {
            let name = class.field("name").map_or("", Node::text);
            Some(format!(
                "`{}` has no constructor, so these arguments are ignored.",
                quote(name)
            ))
        }
        _ => None,
    };
    if let Some(problem) = problem {
        sink.report(
            node.any_field(&["name", "function"]).unwrap_or(node),
            problem,
        );
    }
}

fn problem(function: Node<'_>, given: &[Node<'_>]) -> Option<String> {
    let parameters = php::calls::parameters(function)?;
    let name = quote(function.field("name")?.text());
    let named: Vec<&str> = given
        .iter()
        .filter_map(|one| one.field("name"))
        .map(Node::text)
        .collect();
    let placed = given.len() - named.len();
    let is_open = parameters.iter().any(|parameter| parameter.is_variadic);
    let is_known = |name: &&str| {
        parameters
            .iter()
            .any(|parameter| parameter.name.strip_prefix('$') == Some(*name))
    };
    if let Some(unknown) = named.iter().find(|name| !is_open && !is_known(name)) {
        return Some(format!("`{name}` has no parameter `${}`.", quote(unknown)));
    }
    let is_given = |place: usize, parameter: &Parameter<'_>| {
        place < placed
            || named
                .iter()
                .any(|name| parameter.name.strip_prefix('$') == Some(*name))
    };
    let missing = parameters
        .iter()
        .enumerate()
        .find(|(place, p)| !p.is_optional && !is_given(*place, p));
    if let Some((_, missing)) = missing {
        return Some(format!(
            "`{name}` requires `{}`, which this call does not pass.",
            quote(missing.name)
        ));
    }
    (placed > parameters.len() && !is_open).then(|| {
        format!(
            "`{name}` takes {} arguments, but this call passes {placed}.",
            parameters.len()
        )
    })
}
