//! An added call of a function or method of the same file with too few or too many arguments.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::symbols::callables::go_count;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "go/call-arguments-mismatch",
    languages: &["Go"],
    title: "Wrong number of arguments for a function of the file",
    why: "The function takes another number of arguments. The code does not compile.",
    fix: "Pass the arguments that the function takes, or change its parameters together with its other callers.",
    references: &["CWE-628"],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
path: price.go (whole file)
 package shop

 func total(prices []int, rate, discount int) int {
 	return len(prices) * rate
 }

 func show(cart Cart) int {
+	return total(cart.Prices, 2)
^
 }
"#,
        r#"
path: cart.go (whole file)
 package shop

 func (c *Cart[T]) add(item T, count int) {
 	c.items = append(c.items, item)
 }

 func (c Cart[T]) Fill(item T) {
+	c.add(item, 1, true)
^
 }
"#,
        r#"
path: log.go (whole file)
 package shop

 func write(level int, parts ...string) {}

 func Warn(text string) {
+	write()
^
 }
"#,
    ],
    negative: &[
        r#"
path: price.go (whole file)
 package shop

 func total(prices []int, rate, discount int) int {
 	return len(prices) * rate
 }

 func all(parts ...string) {}

 func one(int, string) {}

 func show(cart Cart, values []string) int {
+	all()
+	all("a", "b")
+	all(values...)
+	one(cart.Pair())
+	one(pair())
 	return total(cart.Prices, 2, 1)
 }
"#,
        r#"
path: cart.go (whole file)
 package shop

 func (c *Cart) add(item Item, count int) {}

 func (b *Bag) add(item Item) {}

 func (b *Bag) Fill(item Item, c Other, total func(int)) {
+	b.add(item)
+	c.add(item)
+	b.cart.add(item, 1)
+	total(1)
+	func(b *Cart) { b.add(item, 1) }(b.cart)
 }

 func total(a, b int) {}
"#,
    ],
};

fn run(call: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(count) = go_count(call).filter(|count| !count.fits()) else {
        return;
    };
    let place = call.field("arguments").unwrap_or(call);
    let name = call.field("function").map_or("", Node::last_name);
    let least = if count.is_open { "at least " } else { "" };
    let (name, plural) = (quote(name), if count.taken == 1 { "" } else { "s" });
    sink.report(
        place,
        format!(
            "`{name}` takes {least}{} argument{plural}, but this call passes {}.",
            count.taken, count.passed
        ),
    );
}
