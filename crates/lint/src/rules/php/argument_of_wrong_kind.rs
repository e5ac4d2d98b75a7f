//! An argument that the declared type of its parameter does not accept.

use review::{Category, Priority};

use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use crate::semantics::php;
use crate::semantics::php::calls::{CALLS, Parameter, Target};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "php/argument-of-wrong-kind",
    languages: &["PHP"],
    title: "Argument incompatible with the declared parameter type",
    why: "PHP checks each argument against the declared type of its parameter. A value that cannot be converted to \
          that type raises a `TypeError` at the call.",
    fix: "Pass a value of the declared type, or correct the declaration.",
    references: &[
        "CWE-686",
        "https://www.php.net/manual/en/language.types.declarations.php",
    ],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(CALLS),
        run,
    },
    positive: &[
        "+function price(int $amount)\n+{\n+    return $amount;\n+}\n+echo price('three');\n^\n",
        "+class Cart {\n+    public function add(array $items, ?Shop $shop) {}\n+    public function fill() {\n+        $this->add(null, null);\n^\n+        $this->add([], 3);\n^\n+    }\n+}\n",
    ],
    negative: &[
        "+function price(int $amount)\n+{\n+    return $amount;\n+}\n+echo price('3');\n",
        "+class Cart {\n+    public function add(array $items = null, ?Shop $shop, float $rate, iterable $more) {}\n+    public function fill($x) {\n+        $this->add(null, null, 3, []);\n+        $this->add($x, new Other(), 0.5, $x);\n+    }\n+}\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(given) = php::calls::arguments(node).filter(|given| !given.is_empty()) else {
        return;
    };
    let Some(Target::Function(function)) = php::calls::target(node) else {
        return;
    };
    let Some(parameters) = php::calls::parameters(function) else {
        return;
    };
    for (place, argument) in given.into_iter().enumerate() {
        let wanted = match argument.field("name") {
            Some(name) => parameters
                .iter()
                .find(|one| one.name.strip_prefix('$') == Some(name.text())),
            None => parameters
                .get(place)
                .or_else(|| parameters.last().filter(|last| last.is_variadic)),
        };
        let (Some(wanted), Some(handed)) = (wanted, php::calls::handed(argument)) else {
            continue;
        };
        if let Some(problem) = problem(handed, wanted) {
            sink.report(argument, problem);
        }
    }
}

fn problem(handed: Node<'_>, wanted: &Parameter<'_>) -> Option<String> {
    let kind = wanted.kind?;
    let value = php::types::value_of(handed)?;
    let is_null = value == php::types::Value::Null && wanted.is_nullable;
    (!is_null && !php::types::fits(value, handed, kind)).then(|| {
        format!(
            "`{}` is {}, but the parameter `{}` is declared `{}`.",
            quote(handed.text()),
            value.name(),
            quote(wanted.name),
            quote(kind.text())
        )
    })
}
