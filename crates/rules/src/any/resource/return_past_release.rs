//! A new `return` between the acquisition and the release of a resource.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::handed_over;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/return-past-release",
    languages: &[
        "C", "C++", "Python", "PHP", "Java", "C#", "Go", "Ruby", "JavaScript", "TypeScript", "TSX",
    ],
    title: "New return before the resource is released",
    why: "The function opens something and releases it further below. The new `return` leaves in between, so on that path the \
          file, directory, connection or memory leaks.",
    fix: "Release the resource before the `return`, or leave through the code that does.",
    references: &["CWE-772"],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Return, Role::Throw, Role::Call]),
        run,
    },
    positive: &[
        r#"
path: storage/icon.go (whole file)
 package storage
 
 func (s *Storage) Store(icon *Icon) error {
 	tx, err := s.db.Begin()
 	if err != nil {
 		return err
 	}
 
+	if len(icon.Content) == 0 {
+		return errEmpty
^
+	}
+
 	if err := s.save(tx, icon); err != nil {
 		tx.Rollback()
 		return err
 	}
 	if err := tx.Commit(); err != nil {
 		return err
 	}
 	return nil
 }
"#,
        r#"
path: app/Radio.php (whole file)
 <?php
 class Radio
 {
     public function send(string $url): void
     {
         $stream = $this->connect($url);
         while (!feof($stream)) {
             $data = fread($stream, 1024);
             if ($data === false) {
-                break;
+                return;
^
             }
             echo $data;
         }
         fclose($stream);
     }
 }
"#,
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
        r#"
path: src/A.cs
 class A
 {
     void Send(string path)
     {
         var stream = File.Open(path, FileMode.Open);
+        if (IsEmpty(path))
+        {
+            return;
^
+        }
         Copy(stream);
         stream.Close();
     }
 }
"#,
        r#"
path: src/a.rb
 def send(path)
   file = File.open(path)
+  return if empty?(path)
^
   copy(file)
   file.close
 end
"#,
        r#"
path: src/a.js
 async function send(path) {
   const file = await open(path);
+  if (isEmpty(path)) {
+    return;
^
+  }
   await copy(file);
   await file.close();
 }
"#,
    ],
    negative: &[
        r#"
path: storage/icon.go (whole file)
 package storage
 
 func (s *Storage) Store(icon *Icon) error {
 	tx, err := s.db.Begin()
 	if err != nil {
 		return err
 	}
 	defer tx.Rollback()
 
+	if len(icon.Content) == 0 {
+		return errEmpty
+	}
+
 	if err := tx.Commit(); err != nil {
 		return err
 	}
 	return nil
 }
"#,
        r#"
path: storage/icon.go (whole file)
 package storage
 
 func (s *Storage) Store(icon *Icon) error {
 	tx, err := s.db.Begin()
 	if err != nil {
 		return err
 	}
 
+	if len(icon.Content) == 0 {
+		tx.Rollback()
+		return errEmpty
+	}
+
 	return tx.Commit()
 }
"#,
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
        r#"
path: app/Radio.php (whole file)
 <?php
 class Radio
 {
     public function send(string $url): void
     {
         $stream = $this->connect($url);
         while (!feof($stream)) {
             $data = fread($stream, 1024);
             if ($data === false) {
+                break;
             }
             echo $data;
         }
         fclose($stream);
     }
 }
"#,
        r#"
path: src/A.java
 class A {
     void send(Path path) throws IOException {
         InputStream stream = open(path);
+        if (isEmpty(path)) {
+            stream.close();
+            return;
+        }
         copy(stream);
         stream.close();
     }
 }
"#,
        r#"
path: src/A.cs
 class A
 {
     void Send(string path)
     {
         var stream = File.Open(path, FileMode.Open);
+        if (IsEmpty(path))
+        {
+            stream.Close();
+            return;
+        }
         Copy(stream);
         stream.Close();
     }
 }
"#,
        r#"
path: src/a.rb
 def send(path)
+  return if empty?(path)
   file = File.open(path)
   copy(file)
   file.close
 end
"#,
        r#"
path: src/a.js
 async function send(path) {
+  if (isEmpty(path)) {
+    return;
+  }
   const file = await open(path);
   await copy(file);
   await file.close();
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
    (&["flock"], &["flock"]),
    (
        &[
            "Begin", "BeginTx", "Beginx", "BeginTxx", "beginTransaction", "BeginTransaction",
            "transaction",
        ],
        &["Commit", "Rollback", "commit", "rollback"],
    ),
];

/// How many statements and exits above a release are examined.
const NEAR: usize = 12;
/// Functions that release their argument.
const RELEASING: &[&str] = &["fclose", "pclose", "closedir", "curl_close"];
/// Methods that release their object.
const RELEASES: &[&str] = &[
    "close", "Close", "CloseAsync", "dispose", "Dispose", "DisposeAsync", "release", "Release",
    "disconnect", "destroy", "recycle", "shutdown",
];

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(function) = node.enclosing_function() else {
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

fn exit_word(exit: Node<'_>) -> &'static str {
    if exit.has_role(Role::Throw) {
        "throw"
    } else {
        "return"
    }
}

/// A new release, with a `return` that was there before it.
fn moved_below<'t>(node: Node<'t>, function: Node<'t>, sink: &mut Sink<'_>) {
    if !node.is_all_changed() || !may_release(node) {
        return;
    }
    let statement = node.statement();
    let before = statement.preceding().take(NEAR);
    let exits = before
        .flat_map(Node::descendants)
        .filter(|exit| exit.has_role(Role::Return) || exit.has_role(Role::Throw))
        .filter(|exit| !exit.touches_change() && exit.enclosing_function() == Some(function));
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

/// Whether a call has the name of a function or method that releases something.
fn may_release(node: Node<'_>) -> bool {
    node.call().is_some_and(|call| {
        RELEASES.contains(&call.name)
            || RELEASING.contains(&call.name)
            || PAIRS.iter().any(|(_, gives)| gives.contains(&call.name))
    })
}

/// A resource that is acquired before an exit and released after it, with the call that releases it.
fn taken_before<'t>(exit: Node<'t>, function: Node<'t>) -> Option<(&'t str, Node<'t>)> {
    let releases: Vec<Node<'t>> = function
        .all(Role::Call)
        .filter(|call| may_release(*call))
        .collect();
    if releases
        .iter()
        .all(|release| release.index() < exit.index())
    {
        return None;
    }
    let before = function
        .all(Role::Call)
        .filter(|call| call.index() < exit.index() && call.enclosing_function() == Some(function));
    before.filter_map(acquired).find_map(|resource| {
        let release = resource.release_skipped_by(exit, &releases)?;
        Some((resource.value.text(), release))
    })
}

/// A resource that a call acquires.
struct Resource<'t> {
    /// The variable that holds it, or the locked file.
    value: Node<'t>,
    /// A variable holds it.
    is_held: bool,
    /// The functions that release it, in addition to [`RELEASES`].
    gives: &'static [&'static str],
    statement: Node<'t>,
}

/// The resource that a call acquires: by one of [`PAIRS`], or any value that a variable holds and a method may release.
fn acquired(call: Node<'_>) -> Option<Resource<'_>> {
    let own = call.call()?;
    let pair = PAIRS.iter().find(|(takes, _)| takes.contains(&own.name));
    let statement = call.statement();
    let within = call
        .ancestors()
        .take_while(|around| around.is_inside(statement));
    let set = within
        .filter_map(Node::assignment)
        .filter(|set| call.is_inside(set.value))
        .last();
    // `any/lock-not-released` is about other locks.
    let is_lock = own.name == "flock";
    let value = match set {
        // Go returns the value and the error.
        Some(set) if set.target.is(&["expression_list"]) => set.target.names().next()?,
        Some(set) => {
            let names = set.target.names().last();
            names.or_else(|| set.target.leaves().find(|leaf| leaf.has_role(Role::Name)))?
        }
        None if pair.is_some() && is_lock => own
            .receiver
            .or_else(|| own.arguments.first().map(|first| handed_over(*first)))?,
        None => return None,
    };
    let is_result = set.is_some_and(|set| is_result_of(set.value, call));
    (pair.is_some() || is_result).then_some(Resource {
        value,
        is_held: set.is_some(),
        gives: pair.map_or(&[], |(_, gives)| gives),
        statement,
    })
}

impl<'t> Resource<'t> {
    /// The release in the same block that an exit skips, unless the resource is also released on the way to the exit.
    fn release_skipped_by(&self, exit: Node<'t>, releases: &[Node<'t>]) -> Option<Node<'t>> {
        let own_block = exit.parent()?;
        // The exit comes after the statement, in the same block or inside of it.
        let block = self
            .statement
            .parent()
            .filter(|block| exit.is_inside(*block))?;
        let own: Vec<Node<'t>> = releases
            .iter()
            .copied()
            .filter(|call| self.is_released_by(*call))
            .collect();
        let below = own.iter().copied().find(|release| {
            release.index() > exit.index()
                && release.is_inside(block)
                && is_directly_in(release.statement(), block)
                && (!release.touches_change() || self.is_held)
        })?;
        let is_safe = own.iter().any(|release| {
            let is_above = release.index() < exit.index();
            runs_in_any_case(*release)
                || is_above && release.is_inside(own_block)
                || is_above && release.index() > self.statement.index()
        });
        let is_handed_out = exit.names().any(|name| is_itself(name, self.value))
            || self.is_held && is_passed_on(self.value, own_block, exit);
        let is_excused =
            is_safe || is_handed_out || mentions_in_conditions(exit, block, self.value);
        (!is_excused).then_some(below)
    }

    fn is_released_by(&self, call: Node<'t>) -> bool {
        let Some(call) = call.call() else {
            return false;
        };
        let is_receiver = call.receiver.is_some_and(|receiver| self.is_in(receiver));
        let is_argument = || {
            let first = call.arguments.first();
            first.is_some_and(|first| handed_over(*first).says_same(self.value))
        };
        let is_given = self.gives.contains(&call.name) && (is_receiver || is_argument());
        is_given
            || RELEASING.contains(&call.name) && self.is_held && is_argument()
            || RELEASES.contains(&call.name) && is_receiver && self.is_held
    }

    /// Whether it is the resource, or the body of a response, which Go closes.
    fn is_in(&self, receiver: Node<'t>) -> bool {
        let is_body = || {
            let response = receiver
                .receiver()
                .filter(|_| receiver.last_name() == "Body");
            response.is_some_and(|response| response.says_same(self.value))
        };
        receiver.says_same(self.value) || is_body()
    }
}

/// Whether a statement is in a block itself, or in the head of an `if` in it.
fn is_directly_in(statement: Node<'_>, block: Node<'_>) -> bool {
    let around = statement.parent();
    let of_head = || {
        around
            .filter(|around| around.has_role(Role::If) && statement.own_field() == "initializer")
            .and_then(Node::parent)
    };
    around == Some(block) || of_head() == Some(block)
}

fn runs_in_any_case(release: Node<'_>) -> bool {
    release.ancestors().any(|around| {
        around.has_role(Role::Finally)
            || around.has_role(Role::Catch)
            || around.has_role(Role::With) && !around.is(&["defer_statement"])
    })
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

/// Whether a value is what a call returns: the call itself, awaited, or together with the error of Go.
fn is_result_of(value: Node<'_>, call: Node<'_>) -> bool {
    let is_around = value.has_role(Role::Await) || value.is(&["expression_list"]);
    value == call || is_around && value.named_children().next() == Some(call)
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
