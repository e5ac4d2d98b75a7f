//! A name that was changed into a similar one that appears nowhere else.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{ChangeContext, Check, Rule, Sink, Tests};
use crate::semantics::vocabulary::{is_near, is_transposed};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "any/name-misspelt",
    languages: &[
        "JavaScript",
        "TypeScript",
        "TSX",
        "Python",
        "Ruby",
        "PHP",
        "Shell",
        "Go",
        "Java",
        "Kotlin",
        "C#",
        "Rust",
        "C",
        "C++",
    ],
    title: "Probable typo in a changed name",
    why: "Only this use of the name changed, into one that differs by a letter or two and appears nowhere else, while \
          the old name is still used around it. That is usually a typo; the code does not \
          compile, or fails with an undefined name when it runs.",
    fix: "Check the spelling, or rename all uses.",
    references: &[],
    priority: Priority::P2,
    category: Category::LogicBug,
    tests: Tests::Skip,
    check: Check::Change { run },
    positive: &[
        "path: src/a.js\n function check(options) {\n-  if (!options || typeof options === 'string') {\n+  if (!options || typeof option === 'string') {\n^\n     return options;\n   }\n }\n",
        "path: src/a.py\n def total(prices):\n     result = sum(prices)\n-    log(prices)\n+    log(pricess)\n^\n     return result\n",
        "path: src/a.go\n func remove(c *Context) {\n \tslug := c.Param(\"slug\")\n-\terr := drop(&Article{Slug: slug})\n+\terr := drop(&Article{Slug: slgu})\n^\n \tc.fail(err)\n }\n",
    ],
    negative: &[
        "path: src/a.go\n func remove(c *Context) {\n \tslug := c.Param(\"slug\")\n-\terr := drop(&Article{Slug: slug})\n+\terr := drop(&Article{Slug: slugs})\n \tc.fail(err)\n }\n",
        "path: src/a.php\n <?php\n-if (0 === strpos($url, 'http')) {\n+if (0 === stripos($url, 'http')) {\n     return strpos($url, '{') === 0;\n }\n",
        "path: src/a.js\n function check(options) {\n-  if (!options || typeof options === 'string') {\n+  if (!options || typeof settings === 'string') {\n     return options;\n   }\n }\n",
        "path: src/a.js\n function check(item, items) {\n-  use(item);\n+  use(items);\n   return [item, items];\n }\n",
    ],
};

/// The languages in which a wrong name shows only when the code runs.
const SCRIPTS: &[&str] = &[
    "JavaScript",
    "TypeScript",
    "TSX",
    "Python",
    "Ruby",
    "PHP",
    "Shell",
];

fn run(context: &ChangeContext<'_>, sink: &mut Sink<'_>) {
    let count = |name: &str| {
        context
            .new
            .nodes()
            .filter(|node| node.is_leaf() && node.text() == name)
            .count()
    };
    // Compiled code of which only a part is shown may use a field or function whose name differs by one letter.
    let is_compiled = !SCRIPTS.contains(&context.file.language);
    for (old, new) in context.replaced_names() {
        let (was, now) = (old.text(), new.text());
        let known_before = context
            .old
            .nodes()
            .any(|node| node.is_leaf() && node.text() == now);
        let is_value = !new.parent().is_some_and(|parent| {
            parent.has_role(Role::Member) && parent.named_children().last() == Some(new)
        });
        let both_exist = context.file.language == "PHP"
            && is_called(new)
            && is_of_strings(was)
            && is_of_strings(now);
        let is_slip = if is_compiled {
            is_transposed(was, now)
        } else {
            is_near(was, now)
        };
        if is_value && !both_exist && is_slip && !known_before && count(now) == 1 && count(was) >= 1
        {
            sink.report(
                new,
                format!("`{was}` became `{now}` only here; `{now}` appears nowhere else, and `{was}` is still used."),
            );
        }
    }
}

/// Whether it is the name of the function that a call calls.
fn is_called(name: Node<'_>) -> bool {
    name.ancestors()
        .take(2)
        .filter_map(Node::call)
        .any(|call| call.name == name.text())
}

/// The functions of PHP for texts and arrays, whose names differ in a letter or two.
fn is_of_strings(name: &str) -> bool {
    const STARTS: &[&str] = &[
        "str", "mb_", "array_", "preg_", "ctype_", "is_", "iconv_", "json_", "url",
    ];
    const OTHERS: &[&str] = &[
        "sort",
        "rsort",
        "usort",
        "uasort",
        "uksort",
        "ksort",
        "krsort",
        "asort",
        "arsort",
        "natsort",
        "trim",
        "ltrim",
        "rtrim",
        "ucfirst",
        "lcfirst",
        "sprintf",
        "printf",
        "vsprintf",
        "vprintf",
        "fprintf",
        "min",
        "max",
        "htmlentities",
        "ceil",
        "floor",
        "round",
        "intval",
        "floatval",
        "boolval",
        "strval",
        "md5",
        "sha1",
        "substr",
        "explode",
        "implode",
    ];
    STARTS.iter().any(|start| name.starts_with(start)) || OTHERS.contains(&name)
}
