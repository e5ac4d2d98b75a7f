//! A resource that was released on every path out of the code and no longer is.

use lint::{ChangeContext, Check, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::vocabulary::{locks, releases};
use syntax::tree::{Call, Node};

pub(crate) const RULE: Rule = Rule {
    id: "any/release-not-guaranteed",
    languages: &[],
    title: "Resource no longer released on every path",
    why: "A `finally`, `defer`, `with`, `using` or try-with-resources released the resource however the code was left. Now \
          the release is an ordinary statement, or gone, so an early return or an exception leaves the resource open.",
    fix: "Keep the construct that releases the resource in any case.",
    references: &["CWE-772", "CWE-459"],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        r#"
path: app/manifest.rb (whole file)
 def store(entries)
   magic = Magic.open
   entries.each { |entry| read(entry, magic) }
-ensure
^
   magic.close
+  log("stored")
 end
"#,
        r#"
path: src/a.py
 def run(path):
     connection = connect(path)
     try:
         data = connection.query()
+        connection.close()
^
     except Stopped:
         connection.cancel()
         raise
-    finally:
-        connection.close()
     return data
"#,
        r#"
path: src/a.go
 func save(name string, data []byte) error {
 	f, err := os.Create(name)
 	if err != nil {
 		return err
 	}
-	defer f.Close()
 	if _, err = f.Write(data); err != nil {
 		return err
 	}
+	if err = f.Close(); err != nil {
^
+		return err
+	}
 	return nil
 }
"#,
        r#"
path: src/A.java
 class A {
     boolean isEmpty(Path path) throws IOException {
-        try (Stream<Path> entries = Files.list(path)) {
-            return entries.findAny().isEmpty();
-        }
+        return Files.list(path).findAny().isEmpty();
^
     }
 }
"#,
        r#"
path: src/a.py
 def read(path):
-    with open(path) as file:
-        return parse(file.read())
+    file = open(path)
^
+    return parse(file.read())
"#,
        r#"
path: src/A.cs
 class A {
     string Read(string path)
     {
-        using var reader = new StreamReader(path);
+        var reader = new StreamReader(path);
^
         return reader.ReadToEnd();
     }
 }
"#,
        r#"
path: src/a.kt
 fun read(file: File): String {
-    return file.inputStream().use { it.readAll() }
+    return file.inputStream().readAll()
^
 }
"#,
    ],
    negative: &[
        r#"
path: app/manifest.rb (whole file)
 def store(entries)
   magic = Magic.open
-  entries.each { |entry| read(entry, magic) }
+  entries.each do |entry|
+    read(entry, magic)
+  end
 ensure
   magic.close
 end
"#,
        r#"
path: src/A.cs
 void Seed(IHost app)
 {
-    using (var scope = app.Services.CreateScope())
     {
+        using var scope = app.Services.CreateScope();
         Run(scope.Provider);
     }
 }
"#,
        r#"
path: src/a.py
 def run(path):
-    connection = connect(path)
-    try:
-        return connection.query()
-    finally:
-        connection.close()
+    with closing(connect(path)) as connection:
+        return connection.query()
"#,
        r#"
path: src/a.go
 func save(name string, data []byte) error {
 	f, err := os.Create(name)
-	defer f.Close()
+	defer func() { _ = f.Close() }()
 	return write(f, data)
 }
"#,
        r#"
path: src/A.java
 class A {
     boolean isEmpty(Path path) throws IOException {
-        try (Stream<Path> entries = Files.list(path)) {
-            return entries.findAny().isEmpty();
+        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
+            return !entries.iterator().hasNext();
         }
     }
 }
"#,
        r#"
path: src/a.py
 def read(path):
-    with open(path) as file:
-        return parse(file.read())
+    return parse(Path(path).read_text())
"#,
        r#"
path: src/a.py
 def read(path, stack):
-    with open(path) as file:
-        return parse(file.read())
+    file = stack.enter_context(open(path))
+    return parse(file.read())
"#,
    ],
};

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    if !context.is_small_change() {
        return;
    }
    let has_new_guard = context.new.nodes().any(|node| {
        node.touches_change()
            && guards(node)
            && node
                .leaves()
                .next()
                .is_some_and(|word| context.old_of(word).is_none())
    });
    if has_new_guard {
        return;
    }
    moved_out(context, sink);
    opened_plainly(context, sink);
}

/// Whether it is a construct that runs or releases something on every exit.
fn guards(node: Node<'_>) -> bool {
    node.has_role(Role::Finally) || node.has_role(Role::With)
}

fn is_guarded(node: Node<'_>) -> bool {
    node.ancestors().any(guards)
}

/// `finally: x.close()` and `defer x.Close()` that became `x.close()`.
fn moved_out(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let is_last =
        |around: Node<'_>| around.has_role(Role::Finally) || around.is(&["defer_statement"]);
    for old in context.old.with_role(Role::Call) {
        let Some(call) = old
            .call()
            .filter(|call| releases(call.name) && !locks(call.callee))
        else {
            continue;
        };
        let Some(guard) = old.ancestors().find(|around| is_last(*around)) else {
            continue;
        };
        let word = guard.leaves().next();
        let Some(word) = word.filter(|word| context.new_of(*word).is_none()) else {
            continue;
        };
        if context.is_in_removed_function(old) {
            continue;
        }
        if !old.touches_change() {
            let stays = old.leaves().next().and_then(|leaf| context.new_of(leaf));
            if stays.is_some_and(|now| !is_guarded(now) && now.enclosing(Role::Catch).is_none()) {
                sink.report(
                    word,
                    format!(
                        "Without `{}`, an error or an early return skips `{}`.",
                        quote(word.text()),
                        quote(old.text())
                    ),
                );
            }
            continue;
        }
        let mut now = same_calls(context, &call);
        let Some(first) = now.next().filter(|first| !is_guarded(*first)) else {
            continue;
        };
        // If it is released in two places, it can be released on every path.
        if now.next().is_none() && first.enclosing(Role::Catch).is_none() {
            sink.report(
                first,
                format!(
                    "`{}` ran on every path before; now an error or an early return above it skips it.",
                    quote(first.text())
                ),
            );
        }
    }
}

/// The changed calls of the new tree with the function and the arguments of an old one.
fn same_calls<'a>(context: &ChangeContext<'a>, old: &Call<'a>) -> impl Iterator<Item = Node<'a>> {
    let same = |now: Call<'a>| {
        now.callee == old.callee
            && now.arguments.len() == old.arguments.len()
            && now
                .arguments
                .iter()
                .zip(&old.arguments)
                .all(|(now, old)| now.says_same(*old))
    };
    let changed = context
        .new
        .with_role(Role::Call)
        .filter(|node| node.touches_change());
    changed.filter(move |node| node.call().is_some_and(same))
}

/// A resource that a construct opened and released, and that is now opened without one.
fn opened_plainly(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    for old in context
        .old
        .nodes()
        .filter(|node| node.touches_change() && node.is_usable())
    {
        let Some((keyword, opened)) = opened_by(old) else {
            continue;
        };
        if context.new_of(keyword).is_some() || context.is_in_removed_function(old) {
            continue;
        }
        // In Python, `with` also manages what is not a resource.
        let is_resource = |call: &Call<'_>| !old.is(&["with_item"]) || opens(call);
        let Some(call) = opened
            .call()
            .filter(|call| !locks(call.callee) && is_resource(call))
        else {
            continue;
        };
        let now = same_calls(context, &call).next();
        let Some(now) = now.or_else(|| set_under_same_name(context, opened)) else {
            continue;
        };
        let opens_it = |around: Node<'_>| opened_by(around).is_some_and(|(_, call)| call == now);
        if is_guarded(now) || now.ancestors().any(opens_it) || is_kept(context, now) {
            continue;
        }
        sink.report(
            now,
            format!(
                "`{}` was released at the end of its block; now nothing releases it if the code is left early.",
                quote(now.text())
            ),
        );
    }
}

/// The changed call whose result is now kept in the variable that held an opened resource.
fn set_under_same_name<'a>(context: &ChangeContext<'a>, opened: Node<'a>) -> Option<Node<'a>> {
    let target = |node: Node<'a>| Some(node.assignment()?.target.text());
    let name = opened
        .ancestors()
        .take(4)
        .find_map(target)
        .filter(|_| opened.tree().grammar().name() != "Python")?;
    let mut sets = context
        .new
        .with_role(Role::Assign)
        .filter(|node| node.touches_change() && target(*node) == Some(name));
    let only = sets.next().filter(|_| sets.next().is_none())?;
    only.assignment()?.value.all(Role::Call).next()
}

/// The keyword of a construct that releases, and the resource that it opens: `with open(p)`, `try (var x = open(p))`,
/// `using var x = …`, `open(p).use { … }`, `File.open(p) { … }`.
fn opened_by(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    match node.kind() {
        "with_item" => {
            let with = node
                .ancestors()
                .find(|around| around.is(&["with_statement"]))?;
            Some((
                with.leaves().find(|word| word.text() == "with")?,
                node.all(Role::Call).next()?,
            ))
        }
        "resource" => {
            let with = node
                .ancestors()
                .find(|around| around.is(&["try_with_resources_statement"]))?;
            Some((
                with.leaves().next()?,
                node.field("value").unwrap_or(node).all(Role::Call).next()?,
            ))
        }
        "using_statement" => {
            let body = node.field("body")?;
            let call = node
                .all(Role::Call)
                .find(|call| call.index() < body.index())?;
            Some((node.leaves().find(|word| word.text() == "using")?, call))
        }
        "local_declaration_statement" => {
            let word = node.children().find(|word| word.text() == "using")?;
            Some((word, node.all(Role::Call).next()?))
        }
        "call_expression" => {
            let call = node.call().filter(|call| call.name == "use")?;
            let word = node.leaves().find(|leaf| leaf.text() == "use")?;
            Some((word, call.receiver?))
        }
        _ => None,
    }
}

/// Whether a call opens something that must be released.
fn opens(call: &Call<'_>) -> bool {
    const OPENS: &[&str] = &[
        "open", "fdopen", "connect", "Files.list", "Files.lines", "Files.walk",
        "Files.newInputStream", "list", "lines", "walk", "newInputStream", "newOutputStream",
        "newBufferedReader", "newBufferedWriter", "inputStream", "outputStream", "bufferedReader",
        "bufferedWriter", "openConnection", "getConnection", "prepareStatement", "createStatement",
        "OpenRead", "OpenWrite", "OpenText", "cursor", "urlopen", "socket", "newDirectoryStream",
        "reader", "writer", "openStream", "TemporaryFile", "NamedTemporaryFile", "ZipFile",
        "TarFile", "Session", "executeQuery", "openFile", "ClientSession",
    ];
    let is_type = [
        "Stream", "Reader", "Writer", "Connection", "Client", "Socket", "Command", "Scanner",
        "File", "Response",
    ]
    .iter()
    .any(|end| call.name.ends_with(end) && call.name.starts_with(char::is_uppercase));
    OPENS.contains(&call.name) || is_type
}

/// Whether the opened resource is passed to code that releases it, or is released later.
fn is_kept(context: &ChangeContext<'_>, now: Node<'_>) -> bool {
    let within = std::iter::once(now)
        .chain(now.ancestors())
        .take_while(|node| !node.is_statement());
    let mut set = within.chain([now.statement()]).filter_map(Node::assignment);
    let name = set.next().map(|set| set.target.last_name());
    let is_argument = now
        .ancestors()
        .take(2)
        .any(|around| around.has_role(Role::Arguments));
    let is_member = now
        .statement()
        .assignment()
        .is_some_and(|set| set.target.has_role(Role::Member));
    let is_returned = now
        .parent()
        .is_some_and(|around| around.has_role(Role::Return));
    let released = name.is_some_and(|name| {
        let calls = context
            .new
            .with_role(Role::Call)
            .filter(|node| node.index() > now.index());
        let mut calls = calls.filter_map(|node| node.call().map(|call| (node, call)));
        calls.any(|(node, call)| {
            let of_it = call
                .receiver
                .into_iter()
                .chain(call.arguments.iter().copied())
                .any(|of| of.last_name() == name);
            of_it
                && (releases(call.name) && is_guarded(node) || call.name.contains("enter_context"))
        })
    });
    is_argument || is_member || is_returned || released
}
