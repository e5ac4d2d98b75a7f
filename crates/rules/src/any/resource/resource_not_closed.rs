//! A resource that a function opens and does not close on any path.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::resources::{first_read_by, opened, stays_open};
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/resource-not-closed",
    languages: &[
        "C", "C#", "C++", "Go", "Java", "JavaScript", "Kotlin", "Python", "Ruby", "TSX",
        "TypeScript",
    ],
    title: "Unclosed file or connection",
    why: "The function opens a file, a connection or memory, does not pass it on, and never closes it. It stays open until garbage \
          collection or the end of the process. Under load the process runs out of handles, connections or memory, and buffered data may \
          never be written.",
    fix: "Close the resource on every path out of the function, best with the construct of the language (`with`, `using`, `defer`, `use`, \
          try-with-resources).",
    references: &["CWE-772"],
    priority: Priority::P2,
    category: Category::ResourceLeak,
    tests: Tests::Skip,
    check: Check::Node {
        on: On::Roles(&[Role::Assign, Role::Call]),
        run,
    },
    positive: &[
        r#"
path: src/a.c
+int first(const char *path)
+{
+	FILE *in = fopen(path, "r");
^
+	if (!in)
+		return -1;
+	return fgetc(in);
+}
"#,
        r#"
path: src/a.cpp
+int count(const char *path)
+{
+	DIR *folder = opendir(path);
^
+	int n = 0;
+	while (readdir(folder))
+		n++;
+	return n;
+}
"#,
        r#"
path: src/a.c
+int greet(const char *name, size_t size)
+{
+	char *text = malloc(size);
^
+	if (text == NULL)
+		return -1;
+	snprintf(text, size, "Hello %s", name);
+	puts(text);
+	return 0;
+}
"#,
        r#"
path: src/a.py
+def count(path):
+    lines = open(path)
^
+    total = 0
+    for line in lines:
+        total += len(line)
+    return total
"#,
        r#"
path: src/a.py
+def rows(path):
+    source = open(path, newline="")
^
+    reader = csv.reader(source)
+    for row in reader:
+        save(row)
"#,
        r#"
path: src/a.go
+func load(path string) error {
+	file, err := os.Open(path)
^
+	if err != nil {
+		return err
+	}
+	file.Chmod(0600)
+	return nil
+}
"#,
        r#"
path: src/a.go
+func status(url string) (int, error) {
+	resp, err := http.Get(url)
^
+	if err != nil {
+		return 0, err
+	}
+	return resp.StatusCode, nil
+}
"#,
        r#"
path: src/a.go
+func (c *Api) load(request *http.Request, into any) error {
+	resp, err := c.client.Do(request)
^
+	if err != nil {
+		return err
+	}
+	return json.NewDecoder(resp.Body).Decode(into)
+}
"#,
        r#"
path: src/a.go
 func get(client *http.Client, url string) ([]byte, error) {
 	resp, err := client.Get(url)
 	if err != nil {
 		return nil, err
 	}
+	return io.ReadAll(resp.Body)
^
 }
"#,
        r#"
path: src/A.java
+    int first(File file) throws IOException {
+        FileInputStream in = new FileInputStream(file);
^
+        return in.read();
+    }
"#,
        r#"
path: src/A.java
+    void save(String path, String text) throws IOException {
+        BufferedWriter out = new BufferedWriter(new FileWriter(path));
^
+        out.write(text);
+    }
"#,
        r#"
path: src/A.kt
+fun first(file: File): Int {
+    val input = FileInputStream(file)
^
+    return input.read()
+}
"#,
        r#"
path: src/A.cs
+class Store
+{
+    int First(string path)
+    {
+        var stream = new FileStream(path, FileMode.Open);
^
+        return stream.ReadByte();
+    }
+}
"#,
        r#"
path: src/A.cs
+class Store
+{
+    int First(string path)
+    {
+        FileStream stream = File.OpenRead(path);
^
+        return stream.ReadByte();
+    }
+}
"#,
        r#"
path: src/a.rb
+def first(path)
+  file = File.open(path)
^
+  file.readline.strip
+end
"#,
        r#"
path: src/a.js
+function head(path) {
+  const fd = fs.openSync(path, "r");
^
+  const bytes = Buffer.alloc(16);
+  fs.readSync(fd, bytes, 0, 16, 0);
+  return bytes;
+}
"#,
        r#"
path: src/a.ts
+async function total(id: number): Promise<number> {
+  const client = await pool.connect();
^
+  const result = await client.query("SELECT sum(price) FROM item WHERE cart = $1", [id]);
+  return result.rows[0].sum;
+}
"#,
        r#"
path: src/a.tsx
+async function total(id: number) {
+  const client = await pool.connect();
^
+  const result = await client.query(SUM, [id]);
+  return <b>{result.rows[0].sum}</b>;
+}
"#,
    ],
    negative: &[
        r#"
path: src/a.c
+int first(const char *path)
+{
+	FILE *in = fopen(path, "r");
+	keep(in);
+	return 0;
+}
"#,
        r#"
path: src/a.c
+int first(const char *path)
+{
+	FILE *in = fopen(path, "r");
+	if (!in)
+		return -1;
+	int c = fgetc(in);
+	fclose(in);
+	return c;
+}
"#,
        r#"
path: src/a.c
+char *greeting(const char *name, size_t size)
+{
+	char *text = malloc(size);
+	struct node *head = malloc(sizeof *head);
+	if (text)
+		snprintf(text, size, "Hello %s", name);
+	list->head = head;
+	return text;
+}
"#,
        r#"
path: src/a.cpp
+int count(const char *path)
+{
+	std::unique_ptr<DIR, Closer> folder(opendir(path));
+	DIR *other = opendir(path);
+	closedir(other);
+	return 0;
+}
"#,
        r#"
path: src/a.py
+def count(path, keep):
+    with open(path) as lines:
+        total = len(lines.readlines())
+    other = open(path)
+    with other:
+        total += 1
+    third = open(path)
+    keep.append(third)
+    self.fourth = open(path)
+    return total, closing(open(path))
"#,
        r#"
path: src/a.py
+def lines(path):
+    source = open(path)
+    try:
+        return source.readlines()
+    finally:
+        source.close()
+
+def reader(path):
+    source = open(path)
+    return csv.reader(source)
"#,
        r#"
path: src/a.go
+func load(path string) error {
+	file, err := os.Open(path)
+	if err != nil {
+		return err
+	}
+	defer file.Close()
+	return nil
+}
"#,
        r#"
path: src/a.go
+func held(client Client, ctx context.Context, key string) (bool, error) {
+	reply, err := client.Get(ctx, key)
+	if err != nil {
+		return false, err
+	}
+	return len(reply.Values) > 0, nil
+}
"#,
        r#"
path: src/a.go
+func status(url string) (*http.Response, error) {
+	resp, err := http.Get(url)
+	other, err := http.Get(url)
+	keep(other)
+	third, err := http.Get(url)
+	drain(third.Body)
+	return resp, err
+}
"#,
        r#"
path: src/A.java
+    int first(File file) throws IOException {
+        try (FileInputStream in = new FileInputStream(file)) {
+            return in.read();
+        }
+    }
"#,
        r#"
path: src/A.java
+    InputStream open(File file) throws IOException {
+        InputStream in = new FileInputStream(file);
+        InputStream other = new FileInputStream(file);
+        keep(other);
+        return in;
+    }
"#,
        r#"
path: src/A.java
+    String read(String text) {
+        BufferedReader reader = new BufferedReader(new StringReader(text));
+        return reader.readLine();
+    }
"#,
        r#"
path: src/A.java
+    String read(File file) throws IOException {
+        FileInputStream in = new FileInputStream(file);
+        BufferedReader reader = new BufferedReader(new InputStreamReader(in));
+        String line = reader.readLine();
+        reader.close();
+        return line;
+    }
"#,
        r#"
path: src/A.kt
+fun first(file: File): Int {
+    val input = FileInputStream(file)
+    return input.use { it.read() }
+}
+
+fun find(db: Connection, name: String): ResultSet {
+    val statement = db.prepareStatement("SELECT * FROM users WHERE name = ?")
+    statement.setString(1, name)
+    return statement.executeQuery()
+}
"#,
        r#"
path: src/a.go
 func get(client *http.Client, url string) ([]byte, error) {
 	resp, err := client.Get(url)
 	if err != nil {
 		return nil, err
 	}
 	log(io.ReadAll(resp.Body))
+	return io.ReadAll(resp.Body)
 }
"#,
        r#"
path: src/A.cs
+class Store
+{
+    int First(string path)
+    {
+        using var stream = new FileStream(path, FileMode.Open);
+        using (var other = File.OpenRead(path))
+        {
+            return stream.ReadByte() + other.ReadByte();
+        }
+    }
+}
"#,
        r#"
path: src/A.cs
+class Store
+{
+    Stream Open(string path)
+    {
+        var stream = new FileStream(path, FileMode.Open);
+        var kept = new FileStream(path, FileMode.Open);
+        Keep(kept);
+        return stream;
+    }
+}
"#,
        r#"
path: src/a.rb
+def first(path)
+  file = File.open(path)
+  file.readline.strip
+ensure
+  file&.close
+end
"#,
        r#"
path: src/a.js
+function head(path) {
+  const fd = fs.openSync(path, "r");
+  try {
+    return read(fd);
+  } finally {
+    fs.closeSync(fd);
+  }
+}
"#,
        r#"
path: src/a.ts
+async function total(id: number): Promise<number> {
+  const client = await pool.connect();
+  try {
+    return (await client.query(SUM, [id])).rows[0].sum;
+  } finally {
+    client.release();
+  }
+}
"#,
        r#"
path: src/a.tsx
+async function total(id: number) {
+  const client = await pool.connect();
+  try {
+    return <b>{(await client.query(SUM, [id])).rows[0].sum}</b>;
+  } finally {
+    client.release();
+  }
+}
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else {
        if let Some(opened) = opened(node).filter(stays_open) {
            sink.report(
                opened.name,
                format!(
                    "`{}` is opened by `{}` and never closed in this function.",
                    opened.name.text(),
                    quote(opened.value.text())
                ),
            );
        }
        return;
    };
    // The opening is old, and the change adds the first code that reads it.
    let opened = first_read_by(&call, node)
        .filter(|opened| !opened.name.touches_change())
        .filter(stays_open);
    if let Some(opened) = opened {
        let line = opened.name.line().unwrap_or_default();
        sink.report(
            node,
            format!(
                "`{}`, opened in line {line}, is read here and never closed in this function.",
                opened.name.text()
            ),
        );
    }
}
