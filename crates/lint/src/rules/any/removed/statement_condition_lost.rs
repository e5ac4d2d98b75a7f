//! A condition that was removed from the `WHERE` of an `UPDATE` or `DELETE`.

use review::{Category, LineKind, Priority};

use crate::rule::{Check, Rule, Sink, Tests, TextContext, quote};

pub(crate) const RULE: Rule = Rule {
    id: "any/statement-condition-lost",
    languages: &[
        "SQL",
        "Python",
        "JavaScript",
        "TypeScript",
        "TSX",
        "Java",
        "Kotlin",
        "Go",
        "C#",
        "PHP",
        "Ruby",
        "Rust",
    ],
    title: "Condition removed from UPDATE or DELETE",
    why: "The statement changed or deleted only the rows that also met this condition. Without it, it reaches more rows: \
          those of other users, or all of them.",
    fix: "Keep the condition.",
    references: &[],
    priority: Priority::P1,
    category: Category::DataIntegrity,
    tests: Tests::Include,
    check: Check::Text { run },
    positive: &[
        "path: src/a.sql\n DELETE\n FROM articles\n-WHERE slug = :slug\n-  AND author_id = (SELECT id FROM users WHERE name = :name);\n+WHERE author_id = (SELECT id FROM users WHERE name = :name);\n^\n",
        "path: src/a.py\n def rename(db, id, user, name):\n-    db.execute(\"UPDATE post SET name = ? WHERE id = ? AND user = ?\", (name, id, user))\n+    db.execute(\"UPDATE post SET name = ? WHERE user = ?\", (name, user))\n^\n",
        "path: src/a.go\n func remove(db *sql.DB, id, owner int) {\n-\tdb.Exec(\"DELETE FROM post WHERE id = $1 AND owner = $2\", id, owner)\n+\tdb.Exec(\"DELETE FROM post WHERE id = $1\", id)\n^\n }\n",
    ],
    negative: &[
        "path: src/a.sql\n DELETE\n-FROM articles\n-WHERE slug = :slug\n-  AND author_id = (SELECT id FROM users WHERE name = :name);\n+FROM articles a\n+    USING users u\n+WHERE a.slug = :slug\n+  AND a.author_id = u.id\n+  AND u.name = :name;\n",
        "path: src/a.py\n def rename(db, id, user, name):\n-    db.execute(\"UPDATE post SET name = ? WHERE id = ? AND user = ?\", (name, id, user))\n+    db.execute(\"UPDATE post SET name = ? WHERE user = ? AND id = ?\", (name, user, id))\n",
        "path: src/a.sql\n SELECT * FROM articles\n-WHERE slug = :slug\n-  AND author_id = :author;\n+WHERE author_id = :author;\n",
    ],
};

/// An edit is at most so many lines.
const LINES: usize = 40;

fn run(context: &TextContext<'_>, sink: &mut Sink<'_>) {
    let lines = context.lines();
    let mut at = 0;
    while at < lines.len() {
        if lines.get(at).is_none_or(|line| line.kind == LineKind::Context) {
            at += 1;
            continue;
        }
        let end = lines
            .iter()
            .skip(at)
            .position(|line| line.kind == LineKind::Context)
            .map_or(lines.len(), |count| at + count);
        if end - at <= LINES {
            edit(lines, at, end, sink);
        }
        at = end;
    }
}

fn edit(lines: &[review::Line<'_>], start: usize, end: usize, sink: &mut Sink<'_>) {
    let side = |kind: LineKind| -> Vec<&review::Line<'_>> {
        lines.iter().take(end).skip(start).filter(|line| line.kind == kind).collect()
    };
    let (old, new) = (side(LineKind::Removed), side(LineKind::Added));
    let joined = |lines: &[&review::Line<'_>]| lines.iter().map(|line| line.text).collect::<Vec<_>>().join(" ");
    let (before, after) = (joined(&old), joined(&new));
    let (Some((head, was)), Some((_, now))) = (conditions(&before), conditions(&after)) else { return };
    // The statement may begin on an unchanged line above.
    let above: Vec<&review::Line<'_>> =
        lines.iter().take(start).rev().take(8).filter(|line| line.kind == LineKind::Context).collect();
    let verb = verb_of(&head)
        .or_else(|| above.iter().take_while(|line| !line.text.contains(';')).find_map(|line| verb_of(line.text)));
    if !matches!(verb, Some("update" | "delete")) || was.len() <= now.len() {
        return;
    }
    let stays = |term: &&String| now.contains(*term);
    let is_shorter = now.iter().all(|term| was.contains(term));
    let lost: Vec<&String> = was.iter().filter(|term| !stays(term)).collect();
    let at = new.iter().find(|line| line.text.to_ascii_lowercase().contains("where")).or_else(|| new.first());
    if let (Some(first), Some(at), true) = (lost.first(), at, is_shorter) {
        let verb = verb.unwrap_or_default().to_ascii_uppercase();
        sink.report(*at, format!("The {verb} is no longer limited by `{}`: it reaches more rows.", quote(first)));
    }
}

/// The last verb of a statement in a text.
fn verb_of(text: &str) -> Option<&'static str> {
    const VERBS: &[&str] = &["select", "insert", "update", "delete"];
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter_map(|word| VERBS.iter().find(|verb| **verb == word)).next().copied()
}

/// The text before the first `WHERE`, and the conditions that it joins with `AND`, outside of brackets.
fn conditions(text: &str) -> Option<(String, Vec<String>)> {
    let lower = text.to_ascii_lowercase();
    let at = lower.match_indices("where").map(|(at, _)| at).find(|at| {
        let before = lower.get(..*at).and_then(|text| text.chars().next_back());
        let after = lower.get(at + 5..).and_then(|text| text.chars().next());
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_') && after.is_some_and(|c| c.is_whitespace() || c == '(')
    })?;
    let head = text.get(..at)?.to_owned();
    let tail = text.get(at + 5..)?;
    let (mut terms, mut term, mut depth) = (Vec::new(), String::new(), 0_i32);
    for word in tail.split_whitespace() {
        if depth == 0 && word.eq_ignore_ascii_case("and") {
            terms.push(std::mem::take(&mut term));
            continue;
        }
        let ends =
            depth == 0 && (["returning", "order", "limit", "group"].iter().any(|end| word.eq_ignore_ascii_case(end)));
        if ends {
            break;
        }
        depth += word.chars().map(|c| i32::from(c == '(') - i32::from(c == ')')).sum::<i32>();
        let stop = word.find([';', '"', '`']).filter(|_| depth <= 0);
        let piece = stop.and_then(|stop| word.get(..stop)).unwrap_or(word);
        term.push_str(piece);
        if stop.is_some() || depth < 0 {
            break;
        }
    }
    terms.push(term);
    // Numbered parameters get other numbers when one is gone.
    let plain = |term: &String| term.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    Some((head, terms.iter().map(plain).filter(|term| !term.is_empty()).collect()))
}
