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
        "Kotlin",
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
        on: On::Roles(&[Role::Return, Role::Throw, Role::Call]),
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
        r#"
path: src/A.java
 class A {
     void clean(Database db) {
         final var cursor = db.query("SELECT id FROM account");
+        if (cursor.getCount() == 0) {
+            return;
^
+        }
         while (cursor.moveToNext()) {
             clean(cursor.getLong(0));
         }
         cursor.close();
     }
 }
"#,
        r#"
path: src/a.go
 func fetch(url string) ([]byte, error) {
 	response, err := http.Get(url)
 	if err != nil {
 		return nil, err
 	}
-	defer response.Body.Close()
 	if response.StatusCode != http.StatusOK {
 		return nil, errStatus
 	}
+	defer response.Body.Close()
^
 	return io.ReadAll(response.Body)
 }
"#,
        r#"
path: src/a.ts
+export async function load(pool: Pool, id: number) {
+  const client = await pool.connect();
+  const row = await client.query(SQL, [id]);
+  if (row.rows.length === 0) {
+    throw new Error("not found");
^
+  }
+  client.release();
+  return row;
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func fetch(url string) ([]byte, error) {
 	response, err := http.Get(url)
 	if err != nil {
 		return nil, err
 	}
 	defer response.Body.Close()
+	if response.StatusCode != http.StatusOK {
+		return nil, errStatus
+	}
 	return io.ReadAll(response.Body)
 }
"#,
        r#"
path: src/a.ts
+export async function load(pool: Pool, id: number) {
+  const client = await pool.connect();
+  if (!client) {
+    throw new Error("no client");
+  }
+  const row = await client.query(SQL, [id]);
+  if (row.rows.length === 0) {
+    done(client);
+    return null;
+  }
+  client.release();
+  return row;
+}
"#,
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

/// How many statements and exits above a release are examined.
const NEAR: usize = 12;
/// Methods that release their object.
const RELEASES: &[&str] = &[
    "close",
    "Close",
    "CloseAsync",
    "dispose",
    "Dispose",
    "DisposeAsync",
    "release",
    "Release",
    "disconnect",
    "destroy",
    "recycle",
    "shutdown",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(function) = node.ancestors().find(is_function) else {
        return;
    };
    if node.has_role(Role::Call) {
        moved_below(node, function, sink);
        return;
    }
    if !node.is_all_changed() {
        return;
    }
    if let Some((taken, release)) = taken_before(node, function) {
        let gives = release.call().map_or("", |call| call.callee);
        let (taken, gives, exit) = (quote(taken), quote(gives), exit_word(node));
        let summary = format!(
            "`{taken}` is released by `{gives}` further below, but this `{exit}` leaves before it."
        );
        sink.report(node, summary);
        return;
    }
    if node.has_role(Role::Throw) {
        return;
    }
    if let Some(label) = skipped_label(node, function) {
        sink.report(
            node,
            format!("The other exits of the function `goto {label}`, which cleans up; this `return` skips it."),
        );
    }
}

fn is_function(around: &Node<'_>) -> bool {
    around.has_role(Role::Function) || around.has_role(Role::Lambda)
}

fn exit_word(exit: Node<'_>) -> &'static str {
    if exit.has_role(Role::Throw) {
        "throw"
    } else {
        "return"
    }
}

/// A new release, with a `return` that was there before it.
fn moved_below<'t>(node: Node<'t>, function: Node<'t>, sink: &mut Sink<'_>) {
    let is_release = node.is_all_changed()
        && node.call().is_some_and(|call| {
            PAIRS.iter().any(|(_, gives)| gives.contains(&call.name))
                || RELEASES.contains(&call.name)
        });
    if !is_release {
        return;
    }
    let statement = node.statement();
    let before = statement.preceding().take(NEAR);
    let exits = before
        .flat_map(Node::descendants)
        .filter(|exit| exit.has_role(Role::Return) || exit.has_role(Role::Throw))
        .filter(|exit| {
            !exit.touches_change() && exit.ancestors().find(is_function) == Some(function)
        });
    for exit in exits.take(NEAR) {
        let Some((taken, _)) = taken_before(exit, function).filter(|(_, release)| *release == node)
        else {
            continue;
        };
        let (taken, exit_word) = (quote(taken), exit_word(exit));
        let line = exit.line().unwrap_or_default();
        let summary = format!(
            "`{taken}` is released only here, but the `{exit_word}` in line {line} leaves before it."
        );
        sink.report(node, summary);
        return;
    }
}

/// A resource that is acquired before a `return` and released after it, with the call that releases it.
fn taken_before<'t>(node: Node<'t>, function: Node<'t>) -> Option<(&'t str, Node<'t>)> {
    let inside = |other: &Node<'t>| other.ancestors().find(is_function) == Some(function);
    let own_block = node.parent()?;
    let before = function
        .all(Role::Call)
        .filter(|call| call.index() < node.index() && inside(call));
    for call in before {
        let Some(own) = call.call() else { continue };
        let pair = PAIRS.iter().find(|(takes, _)| takes.contains(&own.name));
        let gives = pair.map_or(&[][..], |(_, gives)| gives);
        let is_by_method = pair.is_none();
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
        if is_by_method && set.is_none_or(|set| set.value != call && !is_awaited(set.value, call)) {
            continue;
        }
        let is_of_value = |receiver: Node<'t>| {
            // Go closes the body of a response.
            let is_body = || {
                receiver
                    .receiver()
                    .filter(|_| receiver.last_name() == "Body")
            };
            receiver.says_same(value) || is_body().is_some_and(|object| object.says_same(value))
        };
        let is_release = |other: &Node<'t>| {
            other.call().is_some_and(|other| {
                let is_receiver = other.receiver.is_some_and(is_of_value);
                let is_argument = || {
                    let first = other.arguments.first();
                    first.is_some_and(|first| handed_over(*first).says_same(value))
                };
                gives.contains(&other.name) && (is_receiver || is_argument())
                    || RELEASES.contains(&other.name) && is_receiver && set.is_some()
            })
        };
        let in_any_case = |other: Node<'t>| {
            other.ancestors().any(|around| {
                around.has_role(Role::Finally)
                    || around.has_role(Role::Catch)
                    || around.has_role(Role::With) && !around.is(&["defer_statement"])
            })
        };
        let all: Vec<Node<'t>> = function.all(Role::Call).filter(is_release).collect();
        let below = all.iter().copied().find(|other| {
            other.index() > node.index()
                && other.is_inside(block)
                && other.statement().parent() == Some(block)
                && (!other.touches_change() || set.is_some())
        });
        let Some(below) = below else { continue };
        let is_safe = all.iter().any(|other| {
            in_any_case(*other) || other.is_inside(own_block) && other.index() < node.index()
        }) || all
            .iter()
            .any(|other| other.index() > statement.index() && other.index() < node.index())
            || node.names().any(|name| is_itself(name, value))
            || set.is_some() && is_passed_on(value, own_block, node)
            || mentions_in_conditions(node, block, value);
        if !is_safe {
            return Some((value.text(), below));
        }
    }
    None
}

/// Whether the `return` is under a condition about the resource itself or the error of acquiring it.
fn mentions_in_conditions(node: Node<'_>, block: Node<'_>, value: Node<'_>) -> bool {
    let around = node.ancestors().take_while(|around| *around != block);
    around.filter_map(Node::condition).any(|condition| {
        let mentions_value = std::iter::once(condition)
            .chain(condition.names())
            .any(|name| is_itself(name, value));
        let is_error = condition
            .names()
            .chain([condition])
            .any(|name| is_error(name.text()));
        let is_call_on_it = condition
            .all(Role::Call)
            .any(|call| call.names().any(|name| name.text() == value.last_name()));
        mentions_value && !is_call_on_it || is_error
    })
}

/// Whether a name is a value, and not the object of an access to one of its members.
fn is_itself(name: Node<'_>, value: Node<'_>) -> bool {
    let is_object = |parent: Node<'_>| {
        parent.has_role(Role::Member) && parent.receiver() == Some(name)
            || parent
                .call()
                .is_some_and(|call| call.receiver == Some(name))
    };
    name.text() == value.last_name() && !name.parent().is_some_and(is_object)
}

fn is_error(name: &str) -> bool {
    matches!(name, "ok" | "errno") || name.to_ascii_lowercase().contains("err")
}

/// Whether a value is a call, or the same call awaited.
fn is_awaited(value: Node<'_>, call: Node<'_>) -> bool {
    value.has_role(Role::Await) && value.named_children().next() == Some(call)
        || value.is(&["expression_list"]) && value.named_children().next() == Some(call)
}

/// Whether the block of an exit passes a value on to code that may release it.
fn is_passed_on(value: Node<'_>, block: Node<'_>, exit: Node<'_>) -> bool {
    block
        .names()
        .any(|name| name.index() < exit.index() && name.text() == value.text())
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
