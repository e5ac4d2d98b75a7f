//! A new `return` between the acquisition and the release of a resource.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/return-past-release",
    languages: &[
        "C",
        "C++",
        "Python",
        "PHP",
        "Java",
        "C#",
        "Go",
        "Ruby",
        "JavaScript",
        "TypeScript",
        "TSX",
    ],
    title: "New return before the resource is released",
    why: "The function opens or locks something and releases it further below. The new `return` leaves in between, so on \
          that path the file, directory or memory leaks, or the lock is never released and the next caller blocks forever.",
    fix: "Release the resource before the `return`, or leave through the code that does.",
    references: &["CWE-772", "CWE-667"],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Return]),
        run,
    },
    positive: &[
        r#"
path: src/a.cc
 Status list(const char* path, std::vector<std::string>* result) {
   DIR* dir = opendir(path);
   if (dir == nullptr) {
     return error(path);
   }
   while (auto* entry = readdir(dir)) {
+    if (result->size() > kMax) {
+      return error("too many");
^
+    }
     result->push_back(entry->d_name);
   }
   closedir(dir);
   return ok();
 }
"#,
        r#"
path: src/a.c
 int put(struct q *q, int x) {
 	pthread_mutex_lock(&q->lock);
+	if (q->full)
+		return -1;
^
 	q->items[q->n++] = x;
 	pthread_mutex_unlock(&q->lock);
 	return 0;
 }
"#,
        r#"
path: src/a.c
 void lcs(client *c) {
 	if (c->argc < 2)
 		goto cleanup;
+	if (c->both) {
+		reply(c);
+		return;
^
+	}
 	if (c->wrong)
 		goto cleanup;
 	work(c);
 cleanup:
 	free(c->a);
 }
"#,
        r#"
path: src/a.py
 def copy(path):
     source = open(path)
+    if not is_wanted(path):
+        return None
^
     text = source.read()
     source.close()
     return text
"#,
    ],
    negative: &[
        r#"
path: src/a.cc
 Status list(const char* path, std::vector<std::string>* result) {
   DIR* dir = opendir(path);
   while (auto* entry = readdir(dir)) {
+    if (result->size() > kMax) {
+      closedir(dir);
+      return error("too many");
+    }
     result->push_back(entry->d_name);
   }
   closedir(dir);
   return ok();
 }
"#,
        r#"
path: src/a.c
 int copy(const char *path) {
 	FILE *in = fopen(path, "r");
+	if (!in)
+		return -1;
 	read_all(in);
 	fclose(in);
 	return 0;
 }
"#,
        r#"
path: src/a.c
 void lcs(client *c) {
 	if (c->argc < 2)
 		goto cleanup;
+	if (c->both) {
+		reply(c);
+		goto cleanup;
+	}
 	work(c);
 cleanup:
 	free(c->a);
 }
"#,
        r#"
path: src/a.py
 def copy(path):
     source = open(path)
     try:
+        if not is_wanted(path):
+            return None
         return source.read()
     finally:
         source.close()
"#,
        r#"
path: src/a.go
 func copy(path string) error {
 	f, err := os.Open(path)
+	if err != nil {
+		return err
+	}
 	read(f)
 	return f.Close()
 }
"#,
    ],
};

/// Functions that acquire a resource, and functions that release it.
const PAIRS: &[(&[&str], &[&str])] = &[
    (&["opendir", "fdopendir"], &["closedir"]),
    (&["fopen", "fdopen", "tmpfile"], &["fclose"]),
    (&["popen"], &["pclose"]),
    (
        &[
            "open", "Open", "OpenFile", "Create", "socket", "accept", "connect",
        ],
        &["close", "Close"],
    ),
    (
        &[
            "malloc", "calloc", "strdup", "zmalloc", "kmalloc", "kzalloc",
        ],
        &["free", "zfree", "kfree"],
    ),
    (&["pthread_mutex_lock"], &["pthread_mutex_unlock"]),
    (&["mutex_lock"], &["mutex_unlock"]),
    (
        &["spin_lock", "spin_lock_irqsave"],
        &["spin_unlock", "spin_unlock_irqrestore"],
    ),
    (&["lock", "Lock"], &["unlock", "Unlock"]),
    (&["RLock"], &["RUnlock"]),
    (&["acquire"], &["release"]),
    (&["flock"], &["flock"]),
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    if !node.is_all_changed() {
        return;
    }
    let is_function =
        |around: &Node<'_>| around.has_role(Role::Function) || around.has_role(Role::Lambda);
    let Some(function) = node.ancestors().find(is_function) else {
        return;
    };
    let inside = |other: &Node<'_>| other.ancestors().find(is_function) == Some(function);
    if let Some((taken, gives)) = taken_before(node, function, &inside) {
        let (taken, gives) = (quote(taken), quote(gives));
        sink.report(
            node,
            format!("`{taken}` is released by `{gives}` further below, but this `return` leaves before it."),
        );
        return;
    }
    if let Some(label) = skipped_label(node, function) {
        sink.report(
            node,
            format!("The other exits of the function `goto {label}`, which cleans up; this `return` skips it."),
        );
    }
}

/// A resource that is acquired before a `return` and released after it, with the call that releases it.
fn taken_before<'t>(
    node: Node<'t>,
    function: Node<'t>,
    inside: &dyn Fn(&Node<'t>) -> bool,
) -> Option<(&'t str, &'t str)> {
    let own_block = node.parent()?;
    let before = function
        .all(Role::Call)
        .filter(|call| call.index() < node.index() && !call.touches_change() && inside(call));
    for call in before {
        let Some(own) = call.call() else { continue };
        let Some((_, gives)) = PAIRS.iter().find(|(takes, _)| takes.contains(&own.name)) else {
            continue;
        };
        // The `return` comes after the statement, in the same block or inside of it.
        let statement = call.statement();
        let Some(block) = statement.parent().filter(|block| node.is_inside(*block)) else {
            continue;
        };
        let is_lock = own.name.to_ascii_lowercase().contains("lock") || own.name == "acquire";
        let set = statement
            .all(Role::Assign)
            .filter_map(Node::assignment)
            .find(|set| call.is_inside(set.value));
        let value = match set {
            Some(set) => set
                .target
                .names()
                .last()
                .or_else(|| set.target.leaves().find(|leaf| leaf.has_role(Role::Name)))?,
            None if is_lock => own
                .receiver
                .or_else(|| own.arguments.first().map(|first| handed_over(*first)))?,
            None => continue,
        };
        // Go returns the value and the error.
        let value = match set {
            Some(set) if set.target.is(&["expression_list"]) => {
                set.target.names().next().unwrap_or(value)
            }
            _ => value,
        };
        let is_release = |other: &Node<'t>| {
            other.call().is_some_and(|other| {
                gives.contains(&other.name)
                    && (other
                        .receiver
                        .is_some_and(|receiver| receiver.says_same(value))
                        || other
                            .arguments
                            .first()
                            .is_some_and(|first| handed_over(*first).says_same(value)))
            })
        };
        let in_any_case = |other: Node<'t>| {
            other
                .ancestors()
                .any(|around| around.has_role(Role::Finally) || around.has_role(Role::With))
        };
        let all: Vec<Node<'t>> = function.all(Role::Call).filter(is_release).collect();
        let below = all.iter().copied().find(|other| {
            other.index() > node.index() && other.is_inside(block) && !other.touches_change()
        });
        let Some(below) = below else { continue };
        let is_safe = all.iter().any(|other| {
            in_any_case(*other) || other.is_inside(own_block) && other.index() < node.index()
        }) || all
            .iter()
            .any(|other| other.index() > statement.index() && other.index() < node.index())
            || node.names().any(|name| name.text() == value.text())
            || mentions_in_conditions(node, block, value);
        if !is_safe {
            return Some((value.text(), below.call()?.callee));
        }
    }
    None
}

/// Whether the `return` is under a condition about the resource itself or the error of acquiring it.
fn mentions_in_conditions(node: Node<'_>, block: Node<'_>, value: Node<'_>) -> bool {
    let around = node.ancestors().take_while(|around| *around != block);
    around.filter_map(Node::condition).any(|condition| {
        let mentions_value = condition
            .names()
            .any(|name| name.text() == value.last_name());
        let is_error = condition
            .names()
            .any(|name| matches!(name.text(), "err" | "error" | "errno"));
        let is_call_on_it = condition
            .all(Role::Call)
            .any(|call| call.names().any(|name| name.text() == value.last_name()));
        mentions_value && !is_call_on_it || is_error
    })
}

/// The label that the other exits go to, if it is below and cleans up.
fn skipped_label<'t>(node: Node<'t>, function: Node<'t>) -> Option<&'t str> {
    let gotos: Vec<Node<'t>> = function
        .descendants()
        .filter(|other| other.is(&["goto_statement"]) && !other.touches_change())
        .collect();
    let before = gotos
        .iter()
        .filter(|goto| goto.index() < node.index())
        .count();
    let label = gotos.last()?.named_children().next()?.text();
    let same = gotos.iter().all(|goto| {
        goto.named_children()
            .next()
            .is_some_and(|other| other.text() == label)
    });
    let target = function
        .descendants()
        .find(|other| other.is(&["labeled_statement"]) && other.index() > node.index())?;
    let is_it = target
        .named_children()
        .next()
        .is_some_and(|name| name.text() == label);
    let cleans = [
        "clean", "out", "err", "fail", "end", "done", "exit", "free", "finish", "bail",
    ]
    .iter()
    .any(|word| label.to_ascii_lowercase().contains(word));
    let plain_before = function.all(Role::Return).any(|other| {
        !other.touches_change()
            && other.index() > gotos.first().map_or(0, |goto| goto.index())
            && other.index() < node.index()
    });
    let is_after = node.index() < target.index();
    (before > 0 && gotos.len() > 1 && same && is_it && cleans && is_after && !plain_before)
        .then_some(label)
}
