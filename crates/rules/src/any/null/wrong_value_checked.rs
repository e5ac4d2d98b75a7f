//! A null check of a value that was checked before, where another value has just been set.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::nullness::{
    NullTest, dereferenced, is_tested, may_set, null_test, tests_for_null,
};
use syntax::semantics::symbols::Symbols;
use syntax::tree::{Branch, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/wrong-value-checked",
    languages: &[
        "Java", "C#", "JavaScript", "TypeScript", "TSX", "Python", "Go", "PHP", "Ruby",
    ],
    title: "Check of the wrong value",
    why: "A check above already leaves the function if this value is null, so this check never succeeds. The value that \
          was set just before it is used below without a check: it is probably the one to test.",
    fix: "Test the value that was just set.",
    references: &["CWE-476"],
    priority: Priority::P1,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::If]),
        run,
    },
    positive: &[
        r#"
path: src/A.cs
 public async Task<Result> Update(Services services, Product product)
 {
     var item = await services.Items.FindAsync(product.Id);
     if (item == null)
     {
         return NotFound();
     }
+    var brand = await services.Brands.FindAsync(product.BrandId);
+    if (item is null)
^
+    {
+        return NotFound();
+    }
+    Log(brand.Name);
     return Save(item);
 }
"#,
        r#"
path: src/a.go
 func remove(s *Store, id string) error {
 	memo, err := s.Memo(id)
 	if err != nil {
 		return err
 	}
 	if memo == nil {
 		return errNotFound
 	}
 	share, err := s.Share(id)
 	if err != nil {
 		return err
 	}
-	if share == nil || share.MemoID != memo.ID {
+	if memo == nil || share.MemoID != memo.ID {
^
 		return errNotFound
 	}
 	return s.Delete(share)
 }
"#,
        r#"
path: src/a.ts
 export async function show(id: string) {
   const user = await find(id);
   if (!user) {
     return notFound();
   }
+  const team = await findTeam(user.teamId);
+  if (!user) {
^
+    return notFound();
+  }
+  return json({ user, name: team.name });
 }
"#,
        r#"
path: src/a.go
 func copyAll(from, to string) error {
 	in, err := os.Open(from)
 	if err != nil {
 		return err
 	}
 	defer in.Close()
+	out, outErr := os.Create(to)
+	if err != nil {
^
+		return err
+	}
+	defer out.Close()
 	return pipe(in, out)
 }
"#,
        r#"
path: src/A.java
 class A {
     Result update(Services services, Product product) {
         Item item = services.items().find(product.id());
         if (item == null) {
             return notFound();
         }
+        Brand brand = services.brands().find(product.brandId());
+        if (item == null) {
^
+            return notFound();
+        }
+        log(brand.name());
         return save(item);
     }
 }
"#,
        r#"
path: src/a.js
 function update(services, product) {
   const item = services.items.find(product.id);
   if (item === null) {
     return notFound();
   }
+  const brand = services.brands.find(product.brandId);
+  if (item === null) {
^
+    return notFound();
+  }
+  log(brand.name);
   return save(item);
 }
"#,
        r#"
path: src/a.py
 def update(services, product):
     item = services.items.find(product.id)
     if item is None:
         return not_found()
+    brand = services.brands.find(product.brand_id)
+    if item is None:
^
+        return not_found()
+    log(brand.name)
     return save(item)
"#,
        r#"
path: src/a.php
 <?php
 function update($services, $product) {
     $item = $services->items->find($product->id);
     if ($item === null) {
         return notFound();
     }
+    $brand = $services->brands->find($product->brandId);
+    if ($item === null) {
^
+        return notFound();
+    }
+    report($brand->name);
     return save($item);
 }
"#,
        r#"
path: src/a.rb
 def update(services, product)
   item = services.items.find(product.id)
   if item.nil?
     return not_found
   end
+  brand = services.brands.find(product.brand_id)
+  if item.nil?
^
+    return not_found
+  end
+  log(brand.name)
   save(item)
 end
"#,
    ],
    negative: &[
        r#"
path: src/A.cs
 public async Task<Result> Update(Services services, Product product)
 {
     var item = await services.Items.FindAsync(product.Id);
     if (item == null)
     {
         return NotFound();
     }
+    var brand = await services.Brands.FindAsync(product.BrandId);
+    if (brand is null)
+    {
+        return NotFound();
+    }
+    item = await services.Items.Reload(item);
+    if (item == null)
+    {
+        return NotFound();
+    }
+    Log(brand.Name);
     return Save(item);
 }
"#,
        r#"
path: src/a.go
 func remove(s *Store, id string) error {
 	memo, err := s.Memo(id)
 	if memo == nil {
 		log.Print(id)
 	}
 	share, err := s.Share(id)
+	if memo == nil || share == nil {
+		return errNotFound
+	}
 	if err != nil {
 		return err
 	}
+	rows, err := s.Rows(id)
+	if err != nil {
+		return err
+	}
+	use(rows.count)
 	return s.Delete(share)
 }
"#,
        r#"
path: src/a.ts
 export async function show(id: string) {
   const user = await find(id);
   if (!user) {
     return notFound();
   }
+  const name = "a" + user.name;
+  if (!user) {
+    return notFound();
+  }
+  return json({ user, name });
 }
"#,
        r#"
path: src/A.java
 class A {
     Result update(Services services, Product product) {
         Item item = services.items().find(product.id());
         if (item == null) {
             return notFound();
         }
+        Brand brand = services.brands().find(product.brandId());
+        if (brand == null) {
+            return notFound();
+        }
+        log(brand.name());
         return save(item);
     }
 }
"#,
        r#"
path: src/a.js
 function update(services, product) {
   const item = services.items.find(product.id);
   if (item === null) {
     return notFound();
   }
+  const brand = services.brands.find(product.brandId);
+  if (brand === null) {
+    return notFound();
+  }
+  log(brand.name);
   return save(item);
 }
"#,
        r#"
path: src/a.py
 def update(services, product):
     item = services.items.find(product.id)
     if item is None:
         return not_found()
+    brand = services.brands.find(product.brand_id)
+    if brand is None:
+        return not_found()
+    log(brand.name)
     return save(item)
"#,
        r#"
path: src/a.php
 <?php
 function update($services, $product) {
     $item = $services->items->find($product->id);
     if ($item === null) {
         return notFound();
     }
+    $brand = $services->brands->find($product->brandId);
+    if ($brand === null) {
+        return notFound();
+    }
+    report($brand->name);
     return save($item);
 }
"#,
        r#"
path: src/a.rb
 def update(services, product)
   item = services.items.find(product.id)
   if item.nil?
     return not_found
   end
+  brand = services.brands.find(product.brand_id)
+  if brand.nil?
+    return not_found
+  end
+  log(brand.name)
   save(item)
 end
"#,
    ],
};

/// The maximum number of occurrences of a name before a check that are examined.
const MANY: usize = 40;
/// How many statements before the check may set the other value.
const NEAR: usize = 3;

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(branch) = leaving(node).filter(|branch| branch.condition.touches_change()) else {
        return;
    };
    for test in tests_for_null(branch.condition).chain(error_test(branch)) {
        let Some(earlier) = earlier_check(test, node) else {
            continue;
        };
        let Some(other) = set_before(node, earlier, test.value) else {
            continue;
        };
        let (value, other) = (quote(test.value.text()), quote(other.text()));
        let line = earlier.line().unwrap_or_default();
        let summary = format!(
            "`{value}` was already checked in line {line} and not set since; `{other}` is probably meant."
        );
        sink.report(test.value, summary);
        return;
    }
}

/// An `if` without an `else` that leaves.
fn leaving(node: Node<'_>) -> Option<Branch<'_>> {
    node.branch().filter(|branch| {
        !branch.negated && branch.otherwise.is_none() && branch.then.ends_in_exit()
    })
}

/// `err != nil` of Go, which leaves if the value is not null.
fn error_test(branch: Branch<'_>) -> Option<NullTest<'_>> {
    null_test(branch.condition).filter(|test| {
        test.is_exact
            && !test.holds_for_null
            && branch.condition.tree().grammar().name() == "Go"
            && is_error(test.value.text())
    })
}

fn is_error(name: &str) -> bool {
    name.to_ascii_lowercase().contains("err")
}

/// The earlier `if` that leaves in the same case, if the value is a local variable that is not set in between.
fn earlier_check<'t>(test: NullTest<'t>, check: Node<'t>) -> Option<Node<'t>> {
    let value = test.value;
    // `if err := f(); err != nil`
    let sets_it = |part: Node<'_>| part.names().any(|name| name.text() == value.text());
    if check.field("initializer").is_some_and(sets_it) {
        return None;
    }
    let function = check.enclosing_function()?;
    let tree = check.tree();
    let symbols = Symbols::of(tree)?;
    if !value.has_role(Role::Name) || !symbols.is_local(symbols.of_use(value)?) {
        return None;
    }
    let range = function.inside().start..check.index();
    let mentions = tree.mentions().within(tree, value.text(), range);
    for mention in mentions.rev().take(MANY) {
        if may_set(mention) {
            return None;
        }
        let around = mention.enclosing(Role::If);
        let earlier = around.filter(|around| {
            around.enclosing_function() == Some(function)
                && around.parent().is_some_and(|block| check.is_inside(block))
                && !check.is_inside(*around)
        });
        let Some((earlier, branch)) = earlier.and_then(|around| Some((around, leaving(around)?)))
        else {
            continue;
        };
        let mut tests = tests_for_null(branch.condition).chain(error_test(branch));
        if tests.any(|own| {
            own.value == mention
                && own.holds_for_null == test.holds_for_null
                && own.is_exact == test.is_exact
        }) {
            return Some(earlier);
        }
    }
    None
}

/// The value that a call sets shortly before a check and after an earlier one, if it is used below without a check.
fn set_before<'t>(check: Node<'t>, earlier: Node<'t>, tested: Node<'t>) -> Option<Node<'t>> {
    let is_wanted = |target: &Node<'t>| {
        target.text() != tested.text()
            && target.text() != "_"
            && is_error(target.text()) == is_error(tested.text())
    };
    let statements = check
        .preceding()
        .take(NEAR)
        .take_while(|statement| statement.index() > earlier.index());
    for statement in statements {
        let sets = statement.all(Role::Assign).filter_map(Node::assignment);
        for set in sets {
            let is_call = set.value.has_role(Role::Call)
                || set.value.has_role(Role::Await)
                || set.value.is(&["expression_list"]);
            let mut targets = set.target.names().chain([set.target]).filter(is_wanted);
            let Some(target) = targets.next().filter(|_| is_call) else {
                continue;
            };
            return is_unchecked(target, check).then_some(target);
        }
    }
    None
}

/// Whether a value is not tested before or in a check and is dereferenced in it or below. An error only has to be
/// untested.
fn is_unchecked(target: Node<'_>, check: Node<'_>) -> bool {
    let Some(block) = check.parent() else {
        return false;
    };
    let tree = check.tree();
    let range = target.index() + 1..block.inside().end;
    let mut mentions = tree
        .mentions()
        .within(tree, target.text(), range)
        .take(MANY);
    if is_error(target.text()) {
        return mentions.next().is_none();
    }
    mentions
        .find(|mention| {
            is_tested(*mention)
                || mention
                    .parent()
                    .is_some_and(|access| dereferenced(access) == Some(*mention))
                || may_set(*mention)
        })
        .is_some_and(|first| !is_tested(first) && !may_set(first) && first.index() > check.index())
}
