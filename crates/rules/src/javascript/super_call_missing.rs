//! Constructors that do not call `super`, or call it twice.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "javascript/super-call-missing",
    languages: &["JavaScript", "TypeScript", "TSX"],
    title: "Wrong super call in a constructor",
    why: "In a derived class `this` does not exist until super has been called, and super can be called only once. \
          Otherwise the constructor throws a ReferenceError.",
    fix: "Call super once, before the first use of `this`; remove the call if the class extends nothing.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&["method_definition"]),
        run,
    },
    positive: &[
        r#"
+class Cat extends Animal {
+  constructor(name) {
^
+    this.name = name;
+  }
+}
"#,
        r#"
+class Cat extends Animal {
+  constructor(name) {
^
+    if (!name) return;
+    super(name);
+    super.feed();
+  }
+}
"#,
        r#"
+class Cat extends Animal {
+  constructor(name) {
+    super(name);
+    if (name) super();
^
+  }
+}
"#,
        r#"
+class Cat {
+  constructor(name) {
^
+    super(name);
+  }
+}
"#,
        r#"
+class Cat extends Animal {
+  constructor(name) {
^
+    if (name) {
+      super(name);
+    }
+  }
+}
"#,
    ],
    negative: &[
        r#"
+class Cat extends Animal {
+  constructor(name) {
+    super();
+    this.name = name;
+  }
+}
"#,
        r#"
+class Cat extends Animal {
+  constructor(name) {
+    return make(name);
+  }
+}
+class Dog {
+  constructor() {
+    const x = class extends A { constructor() { super(); } };
+  }
+}
"#,
        r#"
+class Cat extends Animal {
+  constructor(kind) {
+    switch (kind) {
+      case 1: super(1); break;
+      case 2: throw kind;
+      default: super(2);
+    }
+    try { this.go(); } catch (e) { log(e); }
+  }
+}
+class Lion extends Cat {
+  constructor(a) {
+    const go = () => super();
+    if (a) { go(); return; }
+    go();
+  }
+}
"#,
        r#"
+declare class Cat extends Animal {
+  constructor(name: string);
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let (Some(name), Some(body)) = (node.field("name"), node.field("body")) else {
        return;
    };
    let Some(class) = node
        .parent()
        .and_then(Node::parent)
        .filter(|class| class.has_role(Role::Class) && class.is_within_hunk())
    else {
        return;
    };
    if name.text() != "constructor" {
        return;
    }
    let is_own = |inner: &Node<'_>| {
        inner
            .ancestors()
            .find(|around| around.has_role(Role::Class))
            == Some(class)
    };
    let calls: Vec<Node<'_>> = body
        .all(Role::Call)
        .filter(|call| {
            call.field("function")
                .is_some_and(|callee| callee.text() == "super")
                && is_own(call)
        })
        .collect();
    let heritage = class.child_of_kind(&["class_heritage"]).map(Node::text);
    let derived =
        heritage.is_some_and(|text| text.starts_with("extends") && !text.ends_with("null"));
    let fixed = heritage.map(|text| text.trim_start_matches("extends").trim());
    let no_class = fixed.is_some_and(|base| {
        base.starts_with(['"', '\'', '`'])
            || base.starts_with(|c: char| c.is_ascii_digit())
            || matches!(base, "true" | "false")
    });
    if no_class {
        sink.report(
            name,
            "The class extends a value that is not a class: the declaration throws.",
        );
        return;
    }
    if heritage.is_none() && !calls.is_empty() {
        let message = "This constructor calls `super`, but the class extends nothing: it throws as soon as it runs.";
        sink.report(name, message);
    }
    let is_later = |call: &Node<'_>| {
        call.ancestors()
            .take_while(|around| *around != body)
            .any(runs_later)
    };
    if !derived || calls.iter().any(is_later) {
        return;
    }
    let mut paths = Paths::default();
    let end = paths.walk(body, Count { least: 0, most: 0 });
    if let Some(second) = paths.second {
        let message = "On some path through this constructor `super` has already been called: the second call throws.";
        sink.report(second, message);
    }
    if paths.returns_without || end.is_some_and(|end| end.least == 0) {
        let message = if calls.is_empty() {
            "This constructor of a derived class does not call `super`: it throws as soon as it runs."
        } else {
            "On some paths through this constructor of a derived class `super` is not called: it then throws."
        };
        sink.report(name, message);
    }
}

fn runs_later(node: Node<'_>) -> bool {
    node.has_role(Role::Function) || node.has_role(Role::Lambda) || node.has_role(Role::Class)
}

/// How often `super` has been called on the paths to a position.
#[derive(Clone, Copy)]
struct Count {
    least: u32,
    most: u32,
}

impl Count {
    fn or(self, other: Option<Self>) -> Self {
        other.map_or(self, |other| Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        })
    }
}

/// Joins two paths, each of which may not reach its end.
fn either(one: Option<Count>, other: Option<Count>) -> Option<Count> {
    one.map(|one| one.or(other)).or(other)
}

/// Findings about the paths through a constructor.
#[derive(Default)]
struct Paths<'t> {
    /// A path ends in `return` before `super` was called.
    returns_without: bool,
    /// A call that comes after another one.
    second: Option<Node<'t>>,
    /// The paths that left the enclosing loop or switch with `break`.
    broken: Option<Count>,
}

impl<'t> Paths<'t> {
    /// The paths after a piece of code, or `None` if its end is never reached.
    fn walk(&mut self, node: Node<'t>, before: Count) -> Option<Count> {
        let part = |name: &str| node.field(name);
        match node.kind() {
            "return_statement" => {
                self.returns_without |= before.least == 0 && node.named_children().next().is_none();
                None
            }
            "throw_statement" => None,
            "break_statement" => {
                self.broken = Some(before.or(self.broken));
                None
            }
            "if_statement" | "ternary_expression" => {
                let before = self.all(part("condition"), before)?;
                let then = self.all(part("consequence"), before);
                either(then, self.all(part("alternative"), before))
            }
            "binary_expression" => {
                let before = self.all(part("left"), before)?;
                let is_choice = node
                    .binary()
                    .is_some_and(|binary| matches!(binary.operator, "&&" | "||" | "??"));
                let after = self.all(part("right"), before);
                if is_choice {
                    Some(before.or(after))
                } else {
                    after
                }
            }
            "while_statement" | "for_statement" | "for_in_statement" => {
                self.iterations(part("body"), before)
            }
            "switch_statement" => self.cases(node, before),
            "try_statement" => {
                let body = self.all(part("body"), before);
                let handled = self.all(part("handler"), before.or(body));
                let after = if part("handler").is_some() {
                    either(body, handled)
                } else {
                    body
                };
                self.all(part("finalizer"), after?)
            }
            "call_expression"
                if part("function").is_some_and(|callee| callee.text() == "super") =>
            {
                if before.most > 0 {
                    self.second = self.second.or(Some(node));
                }
                Some(Count {
                    least: before.least + 1,
                    most: before.most + 1,
                })
            }
            _ if runs_later(node) => Some(before),
            _ => node
                .named_children()
                .try_fold(before, |before, child| self.walk(child, before)),
        }
    }

    fn all(&mut self, part: Option<Node<'t>>, before: Count) -> Option<Count> {
        part.map_or(Some(before), |part| self.walk(part, before))
    }

    /// A loop may run zero times.
    fn iterations(&mut self, body: Option<Node<'t>>, before: Count) -> Option<Count> {
        let outer = self.broken.take();
        let after = self.all(body, before);
        let left = std::mem::replace(&mut self.broken, outer);
        Some(before.or(either(after, left)))
    }

    /// Each case can be entered from the start or from the case before.
    fn cases(&mut self, node: Node<'t>, before: Count) -> Option<Count> {
        let outer = self.broken.take();
        let cases: Vec<Node<'t>> = node
            .field("body")
            .into_iter()
            .flat_map(Node::named_children)
            .collect();
        let has_default = cases.iter().any(|case| case.is(&["switch_default"]));
        let after = cases
            .into_iter()
            .fold(None, |after, case| self.walk(case, before.or(after)));
        let left = std::mem::replace(&mut self.broken, outer);
        let entered = either(after, left);
        if has_default {
            entered
        } else {
            Some(before.or(entered))
        }
    }
}
