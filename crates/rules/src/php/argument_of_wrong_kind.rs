//! An argument that the declared type of its parameter does not accept.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::php;
use syntax::semantics::php::calls::{CALLS, Parameter, Target};
use syntax::tree::Node;

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
        r#"
+function price(int $amount)
+{
+    return $amount;
+}
+echo price('three');
^
"#,
        r#"
+class Cart {
+    public function add(array $items, ?Shop $shop) {}
+    public function fill() {
+        $this->add(null, null);
^
+        $this->add([], 3);
^
+    }
+}
"#,
    ],
    negative: &[
        r#"
+function price(int $amount)
+{
+    return $amount;
+}
+echo price('3');
"#,
        r#"
+class Cart {
+    public function add(array $items = null, ?Shop $shop, float $rate, iterable $more) {}
+    public function fill($x) {
+        $this->add(null, null, 3, []);
+        $this->add($x, new Other(), 0.5, $x);
+    }
+}
"#,
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
