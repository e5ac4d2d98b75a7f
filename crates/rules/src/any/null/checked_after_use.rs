//! A value that is dereferenced before the check that it is not null.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::flow::always_before;
use syntax::semantics::nullness::{
    NullTest, dereferenced, is_tested, may_set, null_test, null_tests_of,
};
use syntax::semantics::symbols::Symbols;
use syntax::tree::{Node, Operation};

pub(crate) const RULE: Rule = Rule {
    id: "any/null-checked-after-use",
    languages: &[
        "Java", "C#", "JavaScript", "TypeScript", "TSX", "Python", "Go", "PHP", "Ruby", "C", "C++",
    ],
    title: "Null check after the value is used",
    why: "The code below checks whether the value is null, so it can be. Here it is dereferenced before that check: if it \
          is null, this line fails and the check is never reached.",
    fix: "Move the use below the check.",
    references: &["CWE-476"],
    priority: Priority::P2,
    category: Category::NullSafety,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Function, Role::Lambda]),
        run,
    },
    positive: &[
        r#"
path: app/models/note.rb (whole file)
 class Note
   def self.accept(code)
     invitation = Invitation.find_by(code: code)
-    return unless invitation
+    sender = invitation.user
^
+    return unless invitation && sender
     invitation.update!(used: true)
   end
 end
"#,
        r#"
path: src/A.java
 class A {
     void cleanup(Backup backup) {
         var status = backup.getStatus();
+        var filename = status.getFilename();
^
-        if (status == null || status.getFilename().isEmpty()) {
+        if (status == null || filename.isEmpty()) {
             return;
         }
         delete(filename);
     }
 }
"#,
        r#"
path: src/a.js
 function pause(server, id) {
   const job = server.find(id);
+  log.debug(`Pause ${job.title}`);
^
   if (!job) {
     throw new Error("not found");
   }
   job.pause();
 }
"#,
        r#"
path: src/a.py
 def show(store, key):
     entry = store.get(key)
+    title = entry.title.strip()
^
     if entry is None:
         raise KeyError(key)
     return title
"#,
        r#"
path: src/a.go
 func show(ctx context.Context, s *Store) error {
 	user, err := s.Find(ctx)
 	if err != nil {
 		return err
 	}
+	name := user.Name
^
 	if user == nil {
 		return errNotFound
 	}
 	return print(name)
 }
"#,
        r#"
path: src/A.cs
+public string Show(Order order)
+{
+    var lines = order.Lines;
^
+    if (order is null)
+    {
+        throw new ArgumentNullException(nameof(order));
+    }
+    return Join(lines);
+}
"#,
        r#"
path: src/a.php
 <?php
 function show($user) {
+    $name = $user->name;
^
     if ($user === null) {
         return '';
     }
     return $name;
 }
"#,
        r#"
path: src/a.c
 int length(struct list *list) {
+	int n = list->count;
^
 	if (!list)
 		return 0;
 	return n;
 }
"#,
        r#"
path: src/a.cpp
 void cleanup(Backup* backup) {
     Status* status = backup->status();
+    auto name = status->name();
^
-    if (status == nullptr || status->name().empty()) {
+    if (status == nullptr || name.empty()) {
         return;
     }
     drop(name);
 }
"#,
    ],
    negative: &[
        r#"
path: app/models/note.rb (whole file)
 class Note
   def self.accept(code)
     invitation = Invitation.find_by(code: code)
-    return unless invitation
+    sender = invitation&.user
+    return unless invitation && sender
     invitation.update!(used: true)
   end
 end
"#,
        r#"
path: src/A.java
 class A {
     void cleanup(Backup backup) {
         var status = backup.getStatus();
+        if (status == null || status.getFilename().isEmpty()) {
+            return;
+        }
+        delete(status.getFilename());
+        if (status == null) {
+            return;
+        }
+        log(status != null ? status.getFilename() : "");
     }
 }
"#,
        r#"
path: src/a.js
 function pause(server, id) {
   let job = server.find(id);
+  const title = job?.title;
+  const start = () => job.start();
+  if (job && job.isDone) return;
+  if (server.isBusy) {
+    job.stop();
+  }
   if (!job) {
     throw new Error("not found");
   }
   job.pause();
 }
"#,
        r#"
path: src/a.py
 def show(store, keys):
     for key in keys:
         entry = store.get(key)
+        title = entry.title
         entry = store.parent(key)
         if entry is None:
             raise KeyError(key)
         names = key.strip()
+        rows = names.split()
         if not names:
             return
"#,
        r#"
path: src/a.go
 func show(s *Store) error {
 	user := s.first
+	name := user.FullName()
 	if user == nil {
 		return errNotFound
 	}
 	for user != nil {
+		user = user.next
+		if user == nil {
+			break
+		}
 	}
 	return print(name)
 }
"#,
        r#"
path: src/A.cs
 public string Show(Order order)
 {
     try
     {
+        Print(order.Lines);
     }
     catch (Exception)
     {
     }
     if (order is null)
     {
         return "";
     }
     return order.Name;
 }
"#,
        r#"
path: src/a.php
 <?php
 function cleanup(Backup $backup) {
     $status = $backup->getStatus();
-    if ($status === null || $status->getName() === '') {
+    if ($status === null || $status->getFile() === '') {
         return;
     }
     remove($status);
 }
"#,
        r#"
path: src/a.c
 void cleanup(struct backup *backup) {
     struct status *status = status_of(backup);
-    if (status == NULL || status->size == 0) {
+    if (status == NULL || status->length == 0) {
         return;
     }
     drop(status);
 }
"#,
    ],
};

/// The maximum number of occurrences of a name before a check that are examined.
const MANY: usize = 40;

fn run(function: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let checks = function
        .all(Role::If)
        .filter(|check| check.enclosing_function() == Some(function));
    for check in checks {
        examine(check, function, sink);
    }
}

fn examine<'t>(node: Node<'t>, function: Node<'t>, sink: &mut Sink<'_>) {
    let Some(branch) = node.branch() else {
        return;
    };
    let leaves = branch.then.ends_in_exit();
    for test in null_tests_of(branch) {
        if let Some(used) = used_before(test, function) {
            report(test, used, leaves, sink);
        }
    }
    if branch.negated {
        return;
    }
    let operands = branch.condition.operands_of(Operation::And);
    let tests = operands.into_iter().filter_map(null_test);
    for test in tests.filter(|test| test.is_exact && !test.holds_for_null) {
        let used = used_before(test, function).filter(|used| used.is_inside(branch.condition));
        if let Some(used) = used {
            report(test, used, true, sink);
        }
    }
}

/// Reports a use that the change adds, or a check that it adds below a use.
fn report(test: NullTest<'_>, used: Node<'_>, leaves: bool, sink: &mut Sink<'_>) {
    let value = quote(test.value.text());
    let line = |node: Node<'_>| node.line().unwrap_or_default();
    if used.touches_change() {
        let line = line(test.value);
        let summary = format!(
            "`{value}` is dereferenced here, but only line {line} checks whether it is null."
        );
        sink.report(used, summary);
    } else if leaves && test.is_exact && test.value.touches_change() {
        let line = line(used);
        let summary =
            format!("`{value}` is checked for null here, but line {line} already dereferences it.");
        sink.report(test.value, summary);
    }
}

/// The access that fails if the tested value is null, and that always runs before the test.
fn used_before<'t>(test: NullTest<'t>, function: Node<'t>) -> Option<Node<'t>> {
    let value = test.value;
    if !value.has_role(Role::Name) || value.has_role(Role::Member) {
        return None;
    }
    let tree = function.tree();
    let range = function.inside().start..value.index();
    let mentions = tree.mentions().within(tree, value.text(), range);
    let mut found = None;
    for (seen, mention) in mentions.rev().enumerate() {
        if seen == MANY {
            return None;
        }
        if mention.enclosing_function() != Some(function) {
            // A function inside this one may set it at any time.
            if may_set(mention) {
                return None;
            }
            continue;
        }
        if may_set(mention) || is_replaced(mention) {
            break;
        }
        if is_tested(mention) {
            return None;
        }
        let access = mention.parent().filter(|access| {
            dereferenced(*access).is_some_and(|object| object == mention)
                && (test.is_exact || !is_of_plain_value(*access))
                && always_before(*access, value)
        });
        found = access.or(found);
    }
    let access = found?;
    let is_local = Symbols::of(tree)
        .and_then(|symbols| Some(symbols.is_local(symbols.of_use(value)?)))
        .unwrap_or(false);
    // Functions of the same object may set its fields.
    let is_own_call = |call: &Node<'_>| {
        call.call().is_some_and(|own| {
            own.receiver
                .is_none_or(|object| matches!(object.text(), "this" | "self" | "$this" | "base"))
        })
    };
    let statement = access.statement();
    let has_calls_between = || {
        function.all(Role::Call).any(|call| {
            let range = statement.inside().end..value.index();
            range.contains(&call.index()) && is_own_call(&call)
        })
    };
    (is_local || !has_calls_between()).then_some(access)
}

/// Whether the statement that uses a variable also gives it another value, as `x = x.next` does.
fn is_replaced(mention: Node<'_>) -> bool {
    let within = mention
        .ancestors()
        .take_while(|around| !around.has_role(Role::Block));
    within.filter_map(Node::assignment).any(|set| {
        std::iter::once(set.target)
            .chain(set.target.names())
            .any(|target| target.text() == mention.text() && may_set(target))
    })
}

/// Whether an access is to a member of texts, lists or numbers, which count as false when they are empty.
fn is_of_plain_value(access: Node<'_>) -> bool {
    const MEMBERS: &[&str] = &[
        "length", "size", "count", "trim", "strip", "split", "join", "map", "filter", "slice",
        "sort", "push", "pop", "append", "extend", "items", "keys", "values", "get", "lower",
        "upper", "toLowerCase", "toUpperCase", "replace", "startsWith", "endsWith", "startswith",
        "endswith", "includes", "indexOf", "match", "test", "toString", "toFixed", "encode",
        "decode", "format", "forEach", "reduce", "find", "some", "every", "concat", "isdigit",
        "lstrip", "rstrip", "index", "substring", "substr", "charAt", "reverse", "shift",
        "unshift", "splice", "update", "remove", "insert", "clear", "add", "discard", "setdefault",
        "copy", "exec", "group",
    ];
    access.is(&["subscript", "subscript_expression"])
        || access
            .any_field(&["property", "attribute", "name", "method"])
            .is_some_and(|member| MEMBERS.contains(&member.text()))
}
