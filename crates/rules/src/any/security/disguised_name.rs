//! A name that is written in a way in which neither people nor searches find it.

use lint::{Check, NodeContext, On, Rule, Sink, Tests, quote};
use review::{Category, Priority};
use syntax::semantics::symbols::missing::is_folded;
use syntax::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/disguised-name",
    languages: &["JavaScript", "TypeScript", "TSX", "Python", "C#"],
    title: "Name written in disguise",
    why: "The compiler replaces escapes in a name, leaves invisible characters out or folds letters of other forms, so the code uses \
          another name than the one that it shows. People, searches and review tools do not find it.",
    fix: "Write the name in plain letters.",
    references: &[
        "CWE-1007",
        "https://docs.python.org/3/reference/lexical_analysis.html#identifiers",
        "https://tc39.es/ecma262/#sec-names-and-keywords",
    ],
    priority: Priority::P1,
    category: Category::Security,
    tests: Tests::Include,
    check: Check::Node {
        on: On::Kinds(&[
            "identifier", "property_identifier", "shorthand_property_identifier",
            "private_property_identifier", "type_identifier",
        ]),
        run,
    },
    positive: &[
        "path: src/a.js\n+run(req.qu\\u0065ry.code);\n^\n",
        "path: src/a.ts\n+run(r\\u{65}q.body);\n^\n",
        "path: src/a.py\n+import os\n+\u{ff4f}s.system(x)\n^\n+os.\u{1d42c}ystem(x)\n^\n",
        "path: src/A.cs\n+class A { void F() { Pr\\u006fcess.Start(x); } }\n^\n",
    ],
    negative: &[
        "path: src/a.js\n+const e = \"qu\\u0065ry\", \u{e9}t\u{e9} = /a\\u0041b/;\n",
        "path: src/a.py\n+gr\u{f6}\u{df}e = \"\u{ff41}\"  # \u{ff41}\n+\u{540d}\u{524d} = 1\n",
        r#"
path: src/A.cs
+string query = "qu\u0065ry";
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let name = node.text();
    let is_ignored = |c: char| {
        matches!(
            c,
            '\u{200c}' | '\u{200d}' | '\u{feff}' | '\u{ad}' | '\u{180e}' | '\u{2060}'
        )
    };
    let is_python = node.tree().grammar().name() == "Python";
    let is_disguised = if is_python {
        name.chars().any(is_folded)
    } else {
        name.contains("\\u") || name.contains("\\U") || name.chars().any(is_ignored)
    };
    if is_disguised && node.is_leaf() {
        sink.report(
            node,
            format!(
                "`{}` is another name for the compiler than it seems.",
                quote(name)
            ),
        );
    }
}
