//! Recognizes the text of SQL statements, and the values inserted into it.

use crate::language::Role;
use crate::tree::Node;

/// Marks a value that is inserted into a text.
const PIECE: char = '\0';

/// Whether a literal starts like an SQL statement or one of its clauses.
pub fn is_sql(literal: &str) -> bool {
    const STARTS: &[&str] = &[
        "select ", "insert into ", "update ", "delete from ", "replace into ", "where ",
        "merge into ", "call ", "exec ", "with ",
    ];
    const CLAUSES: &[&str] = &[
        " from ", " where ", " values", " set ", " into ", " and ", " like ", "=", " order by ",
    ];
    let text = normalized(literal);
    STARTS.iter().any(|start| text.starts_with(start))
        && CLAUSES.iter().any(|clause| text.contains(clause))
}

/// Whether a text contains the first word of a statement, wherever it is.
pub fn mentions_statement(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "SELECT", "INSERT", "UPDATE", "DELETE", "select", "insert", "update", "delete", "WITH",
        "REPLACE", "MERGE", "with ",
    ];
    WORDS.iter().any(|word| text.contains(word))
}

/// Whether a literal is a whole statement: it has a first word and a clause that belongs to it.
pub fn is_statement(literal: &str) -> bool {
    let text = normalized(literal);
    let has = |word: &str| text.contains(word);
    let asks = has(" from ") && (has(" where ") || has("* from") || !has(" a "));
    match text.split(' ').next().unwrap_or_default() {
        "select" => asks,
        "insert" => text.starts_with("insert into "),
        "update" => has(" set "),
        "delete" => text.starts_with("delete from "),
        "with" | "merge" | "replace" => has(" select ") || has(" into "),
        _ => false,
    }
}

/// Whether a literal is a condition that compares something, as `where` takes it.
pub fn is_condition(literal: &str) -> bool {
    let text = normalized(literal);
    ["=", "<", ">", " like ", " in ", " is "]
        .iter()
        .any(|operator| text.contains(operator))
}

/// Whether a value is inserted between SQL quotes: `'{name}'`, `'%${name}%'`, `'" + name`. A parameter is never quoted,
/// so such a value becomes part of the statement's text.
pub fn quotes_value(literal: &str) -> bool {
    let is_value = |after: &str| {
        let after = after.trim_start_matches('%');
        ["{", "${", "#{", "$", "\"", "s'", "s%", "v'", "v%"]
            .iter()
            .any(|start| after.starts_with(start))
    };
    let mut rest = literal;
    while let Some((_, after)) = rest.split_once('\'') {
        if is_value(after) {
            return true;
        }
        rest = after;
    }
    false
}

/// Whether the name of a value says that it is a part of a statement that cannot be a parameter: a table, a column.
pub fn is_identifier(piece: Node<'_>) -> bool {
    const WORDS: &[&str] = &[
        "table", "column", "schema", "prefix", "placeholder", "clause", "fields", "quoted",
        "field_name",
    ];
    // `model._meta.table_name`, where only `model` is unknown.
    let mut whole = piece;
    while let Some(outer) = whole
        .parent()
        .filter(|outer| outer.has_role(Role::Member) && outer.receiver() == Some(whole))
    {
        whole = outer;
    }
    let name = whole.last_name().to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

/// The words of a literal in lower case, without its prefixes and opening quotes.
fn normalized(literal: &str) -> String {
    let inner = literal.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    // A prefix of one or two letters is right before a quote: `f"`, `rb'`. `$"` has none.
    let content = inner
        .find(['"', '\''])
        .filter(|at| *at <= 2)
        .and_then(|at| inner.get(at..))
        .unwrap_or(inner);
    let content = content.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    content
        .to_ascii_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether all values inserted into a text are names of tables, and the values of the statement have placeholders.
pub fn fills_only_names(node: Node<'_>, text: Node<'_>) -> bool {
    const BEFORE_NAME: &[&str] = &["from", "into", "update", "join", "table"];
    let names_table = |before: &str| {
        let word = before
            .trim_end_matches(['"', '`', '[', ' ', '\n'])
            .rsplit(char::is_whitespace)
            .next();
        let word = word
            .unwrap_or_default()
            .trim_start_matches(['"', '\''])
            .to_ascii_lowercase();
        BEFORE_NAME.contains(&word.as_str())
    };
    let skeleton = skeleton(node, text);
    let mut parts: Vec<&str> = skeleton.split(PIECE).collect();
    parts.pop();
    !parts.is_empty() && parts.into_iter().all(names_table) && has_parameter(&skeleton)
}

/// The text with a mark for each inserted value.
fn skeleton(node: Node<'_>, text: Node<'_>) -> String {
    match node.binary().map(|binary| binary.operator) {
        Some("+") => joined(node),
        Some("%") => with_marks(text.text(), '%', |c| c.is_ascii_alphabetic()),
        _ => with_marks(text.text(), '{', |c| c == '}'),
    }
}

fn joined(node: Node<'_>) -> String {
    match node
        .unparenthesised()
        .binary()
        .filter(|binary| binary.operator == "+")
    {
        Some(binary) => joined(binary.left) + &joined(binary.right),
        None => node.string_value().map_or(PIECE.to_string(), str::to_owned),
    }
}

/// Replaces each placeholder by a mark. A placeholder begins with `begin` and ends with a character for which `ends`
/// holds.
fn with_marks(text: &str, begin: char, ends: fn(char) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(begin) {
        out.push_str(before);
        if let Some(after) = after.strip_prefix(begin) {
            out.push(begin);
            rest = after;
            continue;
        }
        // `%(name)s` ends after its name.
        let name = after
            .find(')')
            .filter(|_| after.starts_with('('))
            .unwrap_or(0);
        let Some(end) = after.get(name..).and_then(|tail| tail.find(ends)) else {
            break;
        };
        out.push(PIECE);
        rest = after.get(name + end + 1..).unwrap_or_default();
    }
    out + rest
}

/// Whether a statement has a database placeholder: `?`, `$1`, `:name`, `%s`, `@name`.
fn has_parameter(text: &str) -> bool {
    let named = |(mark, name): (char, char)| {
        matches!(mark, '$' | ':' | '%' | '@') && (name.is_ascii_alphanumeric() || name == '(')
    };
    text.contains('?') || text.chars().zip(text.chars().skip(1)).any(named)
}

#[cfg(test)]
mod tests {
    use super::{is_condition, is_sql, is_statement};

    #[test]
    fn statements_are_recognized_by_their_first_word_and_a_clause() {
        for text in [
            "f\"SELECT id FROM users WHERE a = '{x}'\"",
            "'''\n  select *\n  from t where a = 1'''",
            "\"DELETE FROM t WHERE id = \"",
            "$\"UPDATE t SET a = {x}\"",
            "\"INSERT INTO t VALUES (%s)\"",
            "rf'WITH x AS (SELECT 1) SELECT * FROM x'",
        ] {
            assert!(is_statement(text) && is_sql(text), "{text}");
        }
        for text in [
            "\"select a colour from {colours}\"", "\"update the page\"", "\"with love\"",
            "\"/select/from\"", "",
        ] {
            assert!(!is_statement(text), "{text}");
        }
        assert!(is_sql("\"WHERE a = \"") && !is_statement("\"WHERE a = \""));
        assert!(is_condition("\"name = '#{x}'\"") && !is_condition("\"name DESC\""));
    }
}
