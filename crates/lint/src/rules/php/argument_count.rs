//! A call with fewer or more arguments than the function takes, or with the name of a parameter that it does not have.

use review::{Category, Priority};

use crate::node::Node;
use crate::php_calls::{self, CALLS, Parameter, Target};
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};

pub(crate) const RULE: Rule = Rule {
    id: "php/argument-count",
    languages: &["PHP"],
    title: "Number of arguments does not fit the function",
    why: "With an argument too few, or with a name that no parameter has, PHP throws an error at the call. With one too many it says \
          nothing and drops it, so what the caller asked for is not done.",
    fix: "Hand over what the function takes, or change the function.",
    priority: Priority::P1,
    category: Category::LogicBug,
    confidence: 0.85,
    tests: Tests::Include,
    check: Check::Node { on: On::Kinds(CALLS), run },
    fires: &[
        "+function price(int $amount, string $currency)\n+{\n+    return format($amount, $currency);\n+}\n+echo price(3);\n^\n",
        "+class Cart {\n+    public function __construct(private int $size) {}\n+    public function add($item, $count = 1) {}\n+    public function fill() {\n+        $this->add('a', 2, true);\n^\n+        $this->add(item: 'a', number: 2);\n^\n+    }\n+}\n+$cart = new Cart();\n^\n",
    ],
    quiet: &[
        "+function price(int $amount, string $currency = 'EUR')\n+{\n+    return format($amount, $currency);\n+}\n+echo price(3);\n",
        "+function all(...$values) {}\n+function some() { return func_get_args(); }\n+all(1, 2, 3);\n+some(1, 2);\n+class Cart {\n+    public function add($item, $count = 1) {}\n+    public function fill($many) {\n+        $this->add(...$many);\n+        $this->add(count: 2, item: 'a');\n+        return $this->add(...);\n+    }\n+}\n+new Cart;\n+new Other(1);\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(given) = php_calls::arguments(node) else { return };
    let problem = match php_calls::target(node) {
        Some(Target::Function(function)) => problem(function, &given),
        Some(Target::NoConstructor(class)) if !given.is_empty() && class.is(&["class_declaration"]) => {
            let name = class.field("name").map_or("", Node::text);
            Some(format!("`{}` has no constructor, so these arguments are dropped.", quote(name)))
        }
        _ => None,
    };
    if let Some(problem) = problem {
        sink.report(node.any_field(&["name", "function"]).unwrap_or(node), problem);
    }
}

fn problem(function: Node<'_>, given: &[Node<'_>]) -> Option<String> {
    let parameters = php_calls::parameters(function)?;
    let name = quote(function.field("name")?.text());
    let named: Vec<&str> = given.iter().filter_map(|one| one.field("name")).map(Node::text).collect();
    let placed = given.len() - named.len();
    let is_open = parameters.iter().any(|parameter| parameter.is_variadic);
    let is_known = |name: &&str| parameters.iter().any(|parameter| parameter.name.strip_prefix('$') == Some(*name));
    if let Some(unknown) = named.iter().find(|name| !is_open && !is_known(name)) {
        return Some(format!("`{name}` has no parameter `${}`.", quote(unknown)));
    }
    let is_given = |place: usize, parameter: &Parameter<'_>| {
        place < placed || named.iter().any(|name| parameter.name.strip_prefix('$') == Some(*name))
    };
    let missing = parameters.iter().enumerate().find(|(place, p)| !p.is_optional && !is_given(*place, p));
    if let Some((_, missing)) = missing {
        return Some(format!("`{name}` needs `{}`, which this call does not hand over.", quote(missing.name)));
    }
    (placed > parameters.len() && !is_open)
        .then(|| format!("`{name}` takes {} arguments, and this call hands over {placed}.", parameters.len()))
}
