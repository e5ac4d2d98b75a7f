//! SQL statements that are built by concatenation.

use review::{Category, Priority};

use crate::rule::tainted;
use crate::rule::{Check, NodeContext, Rule, Sink, Tests, quote};
use crate::semantics::taint::{self, Kind};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/sql-injection",
    languages: taint::LANGUAGES,
    title: "SQL statement built from values",
    why: "A value that is concatenated into an SQL statement can end its literal and continue as SQL: it can read \
          other users' rows, change them, or log in without a password. A name with an apostrophe also breaks the \
          statement.",
    fix: "Keep the statement constant and pass the values as parameters (`?`, `%s`, `$1`, `:name`). Choose names of \
          tables and columns from a fixed list.",
    references: &["CWE-89"],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node { on: tainted::ON, run },
    positive: &[
        "path: src/a.py\n@@ def find(cursor):\n     name = request.args.get(\"name\")\n+    cursor.execute(\"SELECT * FROM users WHERE name = '\" + name + \"'\")\n^\n     return cursor.fetchone()\n",
        "path: src/a.py\n def find(cursor, name):\n+    query = f\"SELECT id FROM users WHERE name = '{name}'\"\n+    cursor.execute(query)\n^\n",
        "path: src/a.js\n app.get(\"/u\", (req, res) => {\n+  db.query(`SELECT * FROM users WHERE id = ${req.params.id}`, done);\n^\n });\n",
        "path: src/A.java\n@@ void find(HttpServletRequest request) throws SQLException {\n         String name = request.getParameter(\"name\");\n+        ResultSet rows = statement.executeQuery(\"SELECT * FROM users WHERE name = '\" + name + \"'\");\n^\n",
        "path: src/a.go\n func find(db *sql.DB, r *http.Request) {\n+	q := fmt.Sprintf(\"SELECT id FROM users WHERE name = '%s'\", r.FormValue(\"name\"))\n+	db.Query(q)\n^\n }\n",
        "path: src/a.php\n <?php\n+$rows = mysqli_query($link, \"SELECT * FROM users WHERE id = \" . $_GET['id']);\n^\n",
        "path: src/A.cs\n@@ void Find(string name) {\n+        var command = new SqlCommand(\"SELECT * FROM users WHERE name = '\" + name + \"'\", connection);\n^\n         command.ExecuteReader();\n",
        "path: src/a.rb\n def find\n+  User.where(\"name = '#{params[:name]}'\")\n^\n end\n",
    ],
    negative: &[
        "path: src/a.py\n@@ def find(cursor):\n     name = request.args.get(\"name\")\n+    cursor.execute(\"SELECT * FROM users WHERE name = %s\", (name,))\n     return cursor.fetchone()\n",
        "path: src/a.py\n TABLE = \"users\"\n def count(cursor, limit):\n+    cursor.execute(f\"SELECT count(*) FROM {TABLE} LIMIT {int(limit)}\")\n+    pool.execute(f\"task-{limit}\")\n",
        "path: src/a.py\n def find(cursor, name):\n     query = f\"SELECT id FROM users WHERE name = '{name}'\"\n     cursor.execute(query)\n+    return 1\n",
        "path: src/a.js\n function find(id) {\n+  return db.query(\"SELECT * FROM users \" +\n+    \"WHERE id = ?\", [id]);\n }\n",
        "path: src/A.java\n@@ void find(String name) throws SQLException {\n+        PreparedStatement s = connection.prepareStatement(\"SELECT * FROM \" + TABLE + \" WHERE name = ?\");\n",
        "path: src/a.go\n func find(db *sql.DB, name string) {\n+	db.Query(\"SELECT id FROM users WHERE name = $1\", name)\n }\n",
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for value in taint::sinks(node, Kind::Sql) {
        // In a list, the first element is the statement and the others are its parameters.
        let list = if value.is(&["array", "list"]) { value.named_children().next() } else { None };
        let value = list.unwrap_or(value);
        if let Some(source) = taint::source(value, Kind::Sql) {
            tainted::report_flow(value, source, "becomes part of the SQL statement", sink);
        } else if let Some(built) = taint::string_build(value, Kind::Sql).filter(|built| is_sql(built.text.text())) {
            let summary = format!("`{}` is concatenated into an SQL statement.", quote(built.piece.text()));
            sink.report(value, summary).priority(Priority::P2);
        }
    }
}

/// Whether a string starts like an SQL statement or one of its clauses.
fn is_sql(text: &str) -> bool {
    const STARTS: &[&str] = &[
        "select ",
        "insert into ",
        "update ",
        "delete from ",
        "replace into ",
        "where ",
        "merge into ",
        "select\n",
        "call ",
        "exec ",
        "with ",
    ];
    const CLAUSES: &[&str] = &[" from ", " where ", " values", " set ", " into ", " and ", " like ", "=", " order by "];
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).to_ascii_lowercase();
    let text = text
        .strip_prefix("f\"")
        .or_else(|| text.strip_prefix("f'"))
        .unwrap_or(&text)
        .trim_start_matches(['"', ' ', '\n', '\'']);
    STARTS.iter().any(|start| text.starts_with(start)) && CLAUSES.iter().any(|clause| text.contains(clause))
}
