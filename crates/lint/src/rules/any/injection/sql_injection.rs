//! SQL statements that are built by concatenation.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::tainted;
use crate::rule::{Check, NodeContext, On, Place, Rule, Sink, Tests, quote};
use crate::semantics::taint::{self, Kind, StringBuild};
use crate::semantics::{php, sql};
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
    check: Check::Node { on: ON, run },
    positive: &[
        "path: src/a.py\n@@ def find(cursor):\n     name = request.args.get(\"name\")\n+    cursor.execute(\"SELECT * FROM users WHERE name = '\" + name + \"'\")\n^\n     return cursor.fetchone()\n",
        "path: src/a.py\n def find(cursor, name):\n+    query = f\"SELECT id FROM users WHERE name = '{name}'\"\n^\n+    cursor.execute(query)\n",
        "path: src/a.js\n app.get(\"/u\", (req, res) => {\n+  db.query(`SELECT * FROM users WHERE id = ${req.params.id}`, done);\n^\n });\n",
        "path: src/A.java\n@@ void find(HttpServletRequest request) throws SQLException {\n         String name = request.getParameter(\"name\");\n+        ResultSet rows = statement.executeQuery(\"SELECT * FROM users WHERE name = '\" + name + \"'\");\n^\n",
        "path: src/a.go\n func find(db *sql.DB, r *http.Request) {\n+	q := fmt.Sprintf(\"SELECT id FROM users WHERE name = '%s'\", r.FormValue(\"name\"))\n+	db.Query(q)\n^\n }\n",
        "path: src/a.php\n <?php\n+$rows = mysqli_query($link, \"SELECT * FROM users WHERE id = \" . $_GET['id']);\n^\n",
        "path: src/A.cs\n@@ void Find(string name) {\n+        var command = new SqlCommand(\"SELECT * FROM users WHERE name = '\" + name + \"'\", connection);\n^\n         command.ExecuteReader();\n",
        "path: src/a.py\n def find(cursor, name):\n     query = f\"SELECT id FROM users WHERE name = '{name}'\"\n+    cursor.execute(query)\n^\n",
        "path: src/a.py\n+query = \"DELETE FROM users WHERE id = %s\" % user_id\n^\n",
        "path: src/a.py\n@@ def query(name):\n+    text = f\"SELECT id FROM users WHERE name = '{name}'\"\n^\n     return text\n",
        "path: src/a.php\n <?php\n+$rows = $db->query(\"SELECT * FROM users WHERE name = '$name'\");\n^\n",
        "path: src/a.php\n <?php\n+mysqli_query($link, 'DELETE FROM users WHERE id = ' . $id);\n^\n+$sql = \"UPDATE users SET name = '{$row['name']}'\";\n+$db->exec($sql);\n^\n",
        "path: src/a.rb\n def rows(connection, city)\n+  connection.select_all(\"SELECT * FROM orders WHERE city LIKE '%#{city}%'\")\n^\n end\n",
        "path: src/a.rb\n def find\n+  User.where(\"name = '#{params[:name]}'\")\n^\n end\n",
        "path: src/a.ts\n@@ async find(filter) {\n     const rows = this.rows.createQueryBuilder(\"row\");\n+    rows.andWhere(`row.tags LIKE '%${filter.tag}%'`);\n^\n     return rows.getMany();\n",
        "path: src/A.kt\n class Rows {\n     fun of(owner: String) = transaction {\n+        exec(\"SELECT id FROM rows WHERE owner = '$owner'\") { rows -> rows.next() }\n^\n     }\n }\n",
        "path: src/a.php\n <?php\n+$row = $this->connection->select(\"select * from users where id = \" . $_GET['id'])[0];\n^\n",
    ],
    negative: &[
        "path: src/a.ts\n@@ async find(filter) {\n     const column = \"row.tags\";\n+    rows.andWhere(`${column} LIKE :tag`, { tag: `%${filter.tag}%` });\n+    users.where(`users.${filter.name}`, \"==\", filter.value);\n     return rows.getMany();\n",
        "path: src/a.py\n TABLES = {\"asset\": \"asset_v2\", \"link\": \"asset_link\"}\n def drop(cursor, kind, asset, column, key: uuid.UUID):\n+    table = TABLES[kind]\n+    cursor.execute(f\"DELETE FROM {table} WHERE asset = %s\", (asset,))\n+    if column not in ALLOWED:\n+        raise ValueError(column)\n+    cursor.execute(f\"SELECT {column} FROM item WHERE id = '{key}'\")\n",
        "path: src/A.kt\n class Rows {\n     fun of(owner: String) = transaction {\n+        exec(\"SELECT id FROM rows WHERE owner = ?\", listOf(owner))\n+        exec(\"SELECT id FROM $TABLE WHERE owner = ${id.toInt()}\")\n     }\n }\n",
        "path: src/a.py\n@@ def find(cursor):\n     name = request.args.get(\"name\")\n+    cursor.execute(\"SELECT * FROM users WHERE name = %s\", (name,))\n     return cursor.fetchone()\n",
        "path: src/a.py\n TABLE = \"users\"\n def count(cursor, limit):\n+    cursor.execute(f\"SELECT count(*) FROM {TABLE} LIMIT {int(limit)}\")\n+    pool.execute(f\"task-{limit}\")\n",
        "path: src/a.py\n def find(cursor, name):\n     query = f\"SELECT id FROM users WHERE name = '{name}'\"\n     cursor.execute(query)\n+    return 1\n",
        "path: src/a.js\n function find(id) {\n+  return db.query(\"SELECT * FROM users \" +\n+    \"WHERE id = ?\", [id]);\n }\n",
        "path: src/A.java\n@@ void find(String name) throws SQLException {\n+        PreparedStatement s = connection.prepareStatement(\"SELECT * FROM \" + TABLE + \" WHERE name = ?\");\n",
        "path: src/a.go\n func find(db *sql.DB, name string) {\n+	db.Query(\"SELECT id FROM users WHERE name = $1\", name)\n }\n",
        "path: src/a.php\n <?php\n+$rows = $db->prepare('SELECT * FROM users WHERE name = ?');\n",
        "path: src/a.php\n <?php\n+$table = 'users';\n+$db->query(\"SELECT * FROM $table WHERE id = 1\");\n+$db->query('SELECT * FROM users LIMIT ' . (int) $size);\n+$wpdb->query(\"DROP TABLE {$wpdb->prefix}cart\");\n+$dom->query('//a[@id=\"' . $id . '\"]');\n+$db->query('SELECT * FROM users WHERE name = ' . $db->quote($name) . ' AND ' . self::ACTIVE);\n",
        "path: src/a.py\n+query = \"DELETE FROM users WHERE id = %s\"\n+text = f\"select a colour from {colours}\"\n+table = f\"SELECT id FROM {TABLE} WHERE id = %s\"\n",
        "path: src/a.py\n@@ def load(self, key):\n+    text = \"SELECT a FROM {} WHERE id = ?\".format(config(\"table\"))\n+    other = \"DELETE FROM %s WHERE id = $1\" % self.table\n+    third = \"UPDATE \" + self.table + \" SET a = :a WHERE id = :id\"\n+    print(\"DELETE FROM users WHERE id = %d\" % key)\n",
        "path: src/a.rb\n def find(name)\n+  User.where(\"name = ?\", name).where(\"id = #{id.to_i}\")\n+  User.where(name: \"#{name}\").order(\"name DESC\")\n end\n",
        "path: src/a.go\n func (m *Matcher) Match(r *http.Request) bool {\n+	q := fmt.Sprintf(\"/%s\", r.URL.Path)\n+	return m.compiled.Find(q)\n }\n",
    ],
};

const ON: On = On::Kinds(&[
    "binary_operator",
    "call",
    "call_expression",
    "concatenated_string",
    "assignment_expression",
    "function_call_expression",
    "invocation_expression",
    "member_call_expression",
    "method_invocation",
    "new_expression",
    "nullsafe_member_call_expression",
    "object_creation_expression",
    "scoped_call_expression",
    "string",
]);

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    for value in taint::sinks(node, Kind::Sql) {
        // In a list, the first element is the statement and the others are its parameters.
        let list = if value.is(&["array", "list"]) {
            value.named_children().next()
        } else {
            None
        };
        let value = list.unwrap_or(value);
        let built =
            taint::string_build(value, Kind::Sql).filter(|built| is_sql(node, built.text.text()));
        if let Some(source) = taint::source(value, Kind::Sql) {
            // `where` is a method of many things, and takes objects too.
            if built.is_none() && takes_condition(node) {
                return;
            }
            let finding =
                tainted::report_flow(value, source, "becomes part of the SQL statement", sink);
            if built.is_none() && !is_of_database(node) {
                // `exec` and `query` are names of many things.
                finding.priority(Priority::P3);
            }
            return;
        }
        if let Some(built) = built.filter(|built| !is_reported_where_built(value, built.text)) {
            return report(value, built, sink);
        }
    }
    match php::query::value(node) {
        Some(piece) => report(node, StringBuild { piece, text: node }, sink),
        None => statement_with_value(node, sink),
    }
}

fn report(place: Node<'_>, built: StringBuild<'_>, sink: &mut Sink<'_>) {
    let StringBuild { piece, text } = built;
    if sql::is_identifier(piece) {
        return;
    }
    let name = quote(piece.text());
    let whole = text
        .ancestors()
        .take_while(|around| around.binary().is_some())
        .last()
        .unwrap_or(text);
    if sql::quotes_value(whole.text()) {
        sink.report(
            place,
            format!(
                "`{name}` is put between quotes in an SQL statement: a `'` in it ends the text."
            ),
        );
    } else {
        sink.report(
            place,
            format!("`{name}` is concatenated into an SQL statement."),
        )
        .priority(Priority::P2);
    }
}

/// Whether a text is SQL: by its words, or as the condition that a query builder takes.
fn is_sql(call: Node<'_>, text: &str) -> bool {
    sql::is_sql(text) || (takes_condition(call) && sql::is_condition(text))
}

/// Whether a call takes the condition of a query.
fn takes_condition(call: Node<'_>) -> bool {
    const TAKE_CONDITIONS: &[&str] = &[
        "where",
        "andWhere",
        "orWhere",
        "having",
        "andHaving",
        "orHaving",
        "joins",
        "exists?",
        "delete_all",
        "update_all",
        "destroy_all",
    ];
    call.call()
        .is_some_and(|call| TAKE_CONDITIONS.contains(&call.name))
}

/// Whether what is called belongs to a database, by the name of the function or of its receiver.
fn is_of_database(node: Node<'_>) -> bool {
    const NAMES: &[&str] = &[
        "sql",
        "db",
        "database",
        "cursor",
        "conn",
        "connection",
        "statement",
        "stmt",
        "session",
        "pool",
        "pg",
        "template",
        "entitymanager",
        "em",
        "prisma",
        "knex",
        "sequelize",
        "wpdb",
        "pdo",
        "tx",
        "transaction",
        "orm",
    ];
    let Some(call) = node.call() else { return true };
    let name = |text: &str| text.trim_end_matches("()").to_ascii_lowercase();
    let receiver = call.receiver.map(|receiver| name(receiver.last_name()));
    let is_known = |text: &str| NAMES.iter().any(|name| text.ends_with(name));
    match receiver {
        Some(receiver) => is_known(&receiver),
        None => {
            NAMES.iter().any(|part| name(call.name).contains(part))
                || name(call.name).ends_with("query")
        }
    }
}

/// A statement that is put together, wherever it goes.
fn statement_with_value(node: Node<'_>, sink: &mut Sink<'_>) {
    if !has_statements(node)
        || !node.is(TEXTS)
        || !is_whole(node)
        || !sql::mentions_statement(node.text())
    {
        return;
    }
    let built =
        taint::string_build(node, Kind::Sql).filter(|built| sql::is_statement(built.text.text()));
    let is_meant = |text: Node<'_>| {
        !sql::fills_only_names(node, text) && !is_printed(node) && !is_of_sink(node)
    };
    if let Some(built) = built.filter(|built| is_meant(built.text)) {
        report(node, built, sink);
    }
}

/// The kinds of nodes that are or make a text.
const TEXTS: &[&str] = &["string", "binary_operator", "call", "concatenated_string"];

/// Whether statements are looked for outside of calls that run them.
fn has_statements(node: Node<'_>) -> bool {
    node.tree().grammar().name() == "Python"
}

/// Whether a statement was built by a line of its own, which has the finding.
fn is_reported_where_built(value: Node<'_>, text: Node<'_>) -> bool {
    has_statements(text)
        && value.has_role(Role::Name)
        && Place::from(text).changed
        && sql::is_statement(text.text())
}

/// Whether a text is no part of a longer one.
fn is_whole(text: Node<'_>) -> bool {
    const AROUND: &[&str] = &[
        "binary_operator",
        "concatenated_string",
        "parenthesized_expression",
        "attribute",
        "unary_operator",
    ];
    !text.parent().is_some_and(|parent| parent.is(AROUND))
}

fn is_printed(text: Node<'_>) -> bool {
    let call = call_around(text).and_then(Node::call);
    call.is_some_and(|call| call.callee == "print" || call.callee.starts_with("log"))
}

fn is_of_sink(text: Node<'_>) -> bool {
    call_around(text).is_some_and(|call| !taint::sinks(call, Kind::Sql).is_empty())
}

/// The call that has a text among its first arguments. Others are not looked at: each would cost as much as all of them.
fn call_around(text: Node<'_>) -> Option<Node<'_>> {
    const FIRST: usize = 3;
    let around = text
        .ancestors()
        .take(3)
        .find(|above| above.has_role(Role::Arguments))?;
    let is_first = around
        .named_children()
        .take(FIRST)
        .any(|argument| text == argument || text.is_inside(argument));
    around.parent().filter(|_| is_first)
}
