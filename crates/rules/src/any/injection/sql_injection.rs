//! SQL statements that are built by concatenation.

use lint::{Check, NodeContext, On, Place, Rule, Sink, Tests, quote, tainted};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::taint::{self, Kind, StringBuild};
use syntax::semantics::{php, sql};
use syntax::tree::Node;

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
        r#"
path: src/a.py
@@ def find(cursor):
     name = request.args.get("name")
+    cursor.execute("SELECT * FROM users WHERE name = '" + name + "'")
^
     return cursor.fetchone()
"#,
        r#"
path: src/a.py
 def find(cursor, name):
+    query = f"SELECT id FROM users WHERE name = '{name}'"
^
+    cursor.execute(query)
"#,
        r#"
path: src/a.js
 app.get("/u", (req, res) => {
+  db.query(`SELECT * FROM users WHERE id = ${req.params.id}`, done);
^
 });
"#,
        r#"
path: src/A.java
@@ void find(HttpServletRequest request) throws SQLException {
         String name = request.getParameter("name");
+        ResultSet rows = statement.executeQuery("SELECT * FROM users WHERE name = '" + name + "'");
^
"#,
        r#"
path: src/a.go
 func find(db *sql.DB, r *http.Request) {
+	q := fmt.Sprintf("SELECT id FROM users WHERE name = '%s'", r.FormValue("name"))
+	db.Query(q)
^
 }
"#,
        r#"
path: src/a.php
 <?php
+$rows = mysqli_query($link, "SELECT * FROM users WHERE id = " . $_GET['id']);
^
"#,
        r#"
path: src/A.cs
@@ void Find(string name) {
+        var command = new SqlCommand("SELECT * FROM users WHERE name = '" + name + "'", connection);
^
         command.ExecuteReader();
"#,
        r#"
path: src/a.py
 def find(cursor, name):
     query = f"SELECT id FROM users WHERE name = '{name}'"
+    cursor.execute(query)
^
"#,
        r#"
path: src/a.py
+query = "DELETE FROM users WHERE id = %s" % user_id
^
"#,
        r#"
path: src/a.py
@@ def query(name):
+    text = f"SELECT id FROM users WHERE name = '{name}'"
^
     return text
"#,
        r#"
path: src/a.php
 <?php
+$rows = $db->query("SELECT * FROM users WHERE name = '$name'");
^
"#,
        r#"
path: src/a.php
 <?php
+mysqli_query($link, 'DELETE FROM users WHERE id = ' . $id);
^
+$sql = "UPDATE users SET name = '{$row['name']}'";
+$db->exec($sql);
^
"#,
        r#"
path: src/a.rb
 def rows(connection, city)
+  connection.select_all("SELECT * FROM orders WHERE city LIKE '%#{city}%'")
^
 end
"#,
        r#"
path: src/a.rb
 def find
+  User.where("name = '#{params[:name]}'")
^
 end
"#,
        r#"
path: src/a.ts
@@ async find(filter) {
     const rows = this.rows.createQueryBuilder("row");
+    rows.andWhere(`row.tags LIKE '%${filter.tag}%'`);
^
     return rows.getMany();
"#,
        r#"
path: src/A.kt
 class Rows {
     fun of(owner: String) = transaction {
+        exec("SELECT id FROM rows WHERE owner = '$owner'") { rows -> rows.next() }
^
     }
 }
"#,
        r#"
path: src/a.php
 <?php
+$row = $this->connection->select("select * from users where id = " . $_GET['id'])[0];
^
"#,
    ],
    negative: &[
        r#"
path: src/a.go
 func find(id *int) (*Rows, error) {
+	where, args := []string{"1 = 1"}, []any{}
+	if id != nil {
+		where, args = append(where, "id = ?"), append(args, *id)
+	}
+	return db.Query("SELECT id FROM a WHERE "+strings.Join(where, " AND "), args...)
 }
"#,
        r#"
path: src/a.ts
@@ async find(filter) {
     const column = "row.tags";
+    rows.andWhere(`${column} LIKE :tag`, { tag: `%${filter.tag}%` });
+    users.where(`users.${filter.name}`, "==", filter.value);
     return rows.getMany();
"#,
        r#"
path: src/a.py
 TABLES = {"asset": "asset_v2", "link": "asset_link"}
 def drop(cursor, kind, asset, column, key: uuid.UUID):
+    table = TABLES[kind]
+    cursor.execute(f"DELETE FROM {table} WHERE asset = %s", (asset,))
+    if column not in ALLOWED:
+        raise ValueError(column)
+    cursor.execute(f"SELECT {column} FROM item WHERE id = '{key}'")
"#,
        r#"
path: src/A.kt
 class Rows {
     fun of(owner: String) = transaction {
+        exec("SELECT id FROM rows WHERE owner = ?", listOf(owner))
+        exec("SELECT id FROM $TABLE WHERE owner = ${id.toInt()}")
     }
 }
"#,
        r#"
path: src/a.py
@@ def find(cursor):
     name = request.args.get("name")
+    cursor.execute("SELECT * FROM users WHERE name = %s", (name,))
     return cursor.fetchone()
"#,
        r#"
path: src/a.py
 TABLE = "users"
 def count(cursor, limit):
+    cursor.execute(f"SELECT count(*) FROM {TABLE} LIMIT {int(limit)}")
+    pool.execute(f"task-{limit}")
"#,
        r#"
path: src/a.py
 def find(cursor, name):
     query = f"SELECT id FROM users WHERE name = '{name}'"
     cursor.execute(query)
+    return 1
"#,
        r#"
path: src/a.js
 function find(id) {
+  return db.query("SELECT * FROM users " +
+    "WHERE id = ?", [id]);
 }
"#,
        r#"
path: src/A.java
@@ void find(String name) throws SQLException {
+        PreparedStatement s = connection.prepareStatement("SELECT * FROM " + TABLE + " WHERE name = ?");
"#,
        r#"
path: src/a.go
 func find(db *sql.DB, name string) {
+	db.Query("SELECT id FROM users WHERE name = $1", name)
 }
"#,
        r#"
path: src/a.php
 <?php
+$rows = $db->prepare('SELECT * FROM users WHERE name = ?');
"#,
        r#"
path: src/a.php
 <?php
+$table = 'users';
+$db->query("SELECT * FROM $table WHERE id = 1");
+$db->query('SELECT * FROM users LIMIT ' . (int) $size);
+$wpdb->query("DROP TABLE {$wpdb->prefix}cart");
+$dom->query('//a[@id="' . $id . '"]');
+$db->query('SELECT * FROM users WHERE name = ' . $db->quote($name) . ' AND ' . self::ACTIVE);
"#,
        r#"
path: src/a.py
+query = "DELETE FROM users WHERE id = %s"
+text = f"select a colour from {colours}"
+table = f"SELECT id FROM {TABLE} WHERE id = %s"
"#,
        r#"
path: src/a.py
@@ def load(self, key):
+    text = "SELECT a FROM {} WHERE id = ?".format(config("table"))
+    other = "DELETE FROM %s WHERE id = $1" % self.table
+    third = "UPDATE " + self.table + " SET a = :a WHERE id = :id"
+    print("DELETE FROM users WHERE id = %d" % key)
"#,
        r##"
path: src/a.rb
 def find(name)
+  User.where("name = ?", name).where("id = #{id.to_i}")
+  User.where(name: "#{name}").order("name DESC")
 end
"##,
        r#"
path: src/a.go
 func (m *Matcher) Match(r *http.Request) bool {
+	q := fmt.Sprintf("/%s", r.URL.Path)
+	return m.compiled.Find(q)
 }
"#,
        r#"
path: src/A.cs
 public Row Find(SqlConnection connection)
 {
+    var command = new SqlCommand("SELECT * FROM users WHERE name = @name", connection);
+    command.Parameters.AddWithValue("@name", Request.Query["name"]);
     return Read(command);
 }
"#,
    ],
};

const ON: On = On::Kinds(&[
    "binary_operator", "call", "call_expression", "concatenated_string", "assignment_expression",
    "function_call_expression", "invocation_expression", "member_call_expression",
    "method_invocation", "new_expression", "nullsafe_member_call_expression",
    "object_creation_expression", "scoped_call_expression", "string",
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
            // Many types have a method named `where`, and it also takes objects.
            if built.is_none() && takes_condition(node) {
                return;
            }
            let finding =
                tainted::report_flow(value, source, "becomes part of the SQL statement", sink);
            if built.is_none() && !is_of_database(node) {
                // Many functions are named `exec` and `query`.
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
        let finding = sink.report(
            place,
            format!(
                "`{name}` is put between quotes in an SQL statement: a `'` in it ends the text."
            ),
        );
        // A field, a constant or the result of a call may have a form without quotes, such as a hash or a time.
        if !is_given(piece) {
            finding.priority(Priority::P2);
        }
    } else {
        sink.report(
            place,
            format!("`{name}` is concatenated into an SQL statement."),
        )
        .priority(Priority::P2);
    }
}

/// Whether a value is a parameter of the function, or a part of one, so that its callers decide what is in it.
fn is_given(piece: Node<'_>) -> bool {
    let names = piece.leaves().filter(|leaf| leaf.has_role(Role::Name));
    let names: Vec<&str> = names.map(Node::text).collect();
    let functions = piece.ancestors().filter_map(Node::function);
    let mut lists = functions.filter_map(|function| function.parameters);
    lists.any(|list| list.leaves().any(|leaf| names.contains(&leaf.text())))
}

/// Whether a string is SQL: by its words, or as the condition passed to a query builder.
fn is_sql(call: Node<'_>, text: &str) -> bool {
    sql::is_sql(text) || (takes_condition(call) && sql::is_condition(text))
}

/// Whether a call takes the condition of a query.
fn takes_condition(call: Node<'_>) -> bool {
    const TAKE_CONDITIONS: &[&str] = &[
        "where", "andWhere", "orWhere", "having", "andHaving", "orHaving", "joins", "exists?",
        "delete_all", "update_all", "destroy_all",
    ];
    call.call()
        .is_some_and(|call| TAKE_CONDITIONS.contains(&call.name))
}

/// Whether the callee belongs to a database, by the name of the function or its receiver.
fn is_of_database(node: Node<'_>) -> bool {
    const NAMES: &[&str] = &[
        "sql", "db", "database", "cursor", "conn", "connection", "statement", "stmt", "session",
        "pool", "pg", "template", "entitymanager", "em", "prisma", "knex", "sequelize", "wpdb",
        "pdo", "tx", "transaction", "orm", "arel",
    ];
    /// Functions that take SQL whatever they are called on.
    const TAKE_SQL: &[&str] = &[
        "execSQL", "executeRaw", "executeRawUnsafe", "exec_query", "extra", "find_by_sql",
        "fromRaw", "groupByRaw", "havingRaw", "joinRaw", "orHavingRaw", "orWhereRaw", "orderByRaw",
        "prepareStatement", "queryRaw", "queryRawUnsafe", "rawQuery", "raw_query", "RawSQL",
        "select_all", "selectRaw", "whereRaw",
    ];
    let Some(call) = node.call() else { return true };
    if TAKE_SQL.contains(&call.name.trim_start_matches('$')) {
        return true;
    }
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

/// Reports a statement that is built from values, regardless of where it is used.
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
    let is_reportable = |text: Node<'_>| {
        !sql::fills_only_names(node, text) && !is_printed(node) && !is_of_sink(node)
    };
    if let Some(built) = built.filter(|built| is_reportable(built.text)) {
        report(node, built, sink);
    }
}

/// The kinds of nodes that are strings or return one.
const TEXTS: &[&str] = &["string", "binary_operator", "call", "concatenated_string"];

/// Whether statements are also searched for outside of the calls that run them.
fn has_statements(node: Node<'_>) -> bool {
    node.tree().grammar().name() == "Python"
}

/// Whether a statement was built on its own line, which has the finding.
fn is_reported_where_built(value: Node<'_>, text: Node<'_>) -> bool {
    has_statements(text)
        && value.has_role(Role::Name)
        && Place::from(text).changed
        && sql::is_statement(text.text())
}

/// Whether a string is not part of a longer one.
fn is_whole(text: Node<'_>) -> bool {
    const AROUND: &[&str] = &[
        "binary_operator", "concatenated_string", "parenthesized_expression", "attribute",
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

/// The call that has a string among its first arguments. Later arguments are not examined, because each would cost as
/// much as all of them.
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
