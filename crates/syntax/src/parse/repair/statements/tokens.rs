//! The statements of a text of SQL as tokens.

mod clients;
mod signs;

use std::ops::Range;

/// A word, a quoted name or a character of punctuation. Strings and numbers are tokens without text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'t> {
    at: usize,
    length: usize,
    text: &'t str,
}

/// The text up to and including a `;`, or between the delimiters of a body.
#[derive(Debug)]
pub(super) struct Statement<'t> {
    pub(super) range: Range<usize>,
    /// The whole text.
    source: &'t str,
    tokens: Vec<Token<'t>>,
    /// It is in the body of a function or trigger, which does not run with the script.
    is_in_body: bool,
    /// A client sees its end, whatever the statement is.
    is_sent: bool,
    /// The number of the definition or the single statement that it is part of.
    pub(super) group: usize,
}

const BYTE_ORDER_MARK: char = '\u{feff}';
/// Words before a statement within a statement.
const BEFORE: &[&str] = &[
    "BEGIN", "THEN", "ELSE", "LOOP", "DO", "AS", "EXPLAIN", "ANALYZE", "(", ")",
];
/// Words after which a `DELETE` or `UPDATE` on a new line does not begin a statement.
const EVENTS: &[&str] = &["ON", "FOR", "AFTER", "BEFORE", "OF", "OR", ",", "."];
/// Objects with a body of statements.
const DEFINED: &[&str] = &["TRIGGER", "FUNCTION", "PROCEDURE", "PROC"];
/// Words after `END` at the end of a part of a body.
const PARTS: &[&str] = &["IF", "LOOP", "CASE", "WHILE", "REPEAT"];
/// Words that limit the rows of a statement.
const LIMITS: &[&str] = &["WHERE", "LIMIT", "USING", "JOIN"];
/// Words that begin the next statement. In T-SQL, no semicolon is needed before them.
const STARTS: &[&str] = &[
    "SELECT", "INSERT", "UPDATE", "DELETE", "DECLARE", "EXEC", "EXECUTE", "MERGE", "CREATE",
    "ALTER", "DROP", "TRUNCATE", "BEGIN", "END", "IF", "PRINT",
];
/// Words after which a comparison is a condition.
const CONDITIONS: &[&str] = &["WHERE", "ON", "HAVING", "AND", "OR", "WHEN"];

/// The statements of a text; `None` if dialects could disagree about where they end.
pub(super) fn statements(text: &str) -> Option<Vec<Statement<'_>>> {
    let mut scan = Scan {
        text,
        at: 0,
        found: Vec::new(),
        tokens: Vec::new(),
        start: 0,
        is_in_tags: false,
        is_run: false,
        tags: Vec::new(),
        delimiter: None,
        group: 0,
    };
    while scan.at < text.len() {
        scan.token()?;
    }
    if !scan.tags.is_empty() {
        return None;
    }
    scan.end(text.len());
    let mut found = scan.found;
    mark_bodies(&mut found).then_some(found)
}

/// Marks the statements in bodies of definitions: between delimiters, or from `BEGIN` to `END`. Returns whether all bodies
/// end.
fn mark_bodies(statements: &mut [Statement<'_>]) -> bool {
    let mut defines = false;
    let mut open = 0_usize;
    let mut group = 0;
    for own in statements {
        own.group = if open > 0 { group } else { own.group };
        group = own.group;
        if !own.is_in_body && open == 0 {
            // `CREATE OR REPLACE TEMPORARY TRIGGER`.
            let is_definition = own.is("CREATE", 0) || own.is("ALTER", 0);
            defines = is_definition && (1..5).any(|index| own.is_any(DEFINED, index));
        }
        let before = open;
        if defines {
            open = own.open_blocks(open);
        }
        let is_body = before > 0 || defines && own.has("BEGIN");
        own.is_in_body = is_body || own.is_in_body && defines;
        if own.is_sent && open > 0 {
            return false;
        }
    }
    open == 0
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
    found: Vec<Statement<'t>>,
    tokens: Vec<Token<'t>>,
    start: usize,
    /// Whether the statement is between such delimiters.
    is_in_tags: bool,
    /// Whether the statements between the delimiters run immediately: `DO $$ … $$`.
    is_run: bool,
    /// The open delimiters of bodies, such as `$$`.
    tags: Vec<&'t str>,
    /// The delimiter of statements that a command for the client has set.
    delimiter: Option<&'t str>,
    group: usize,
}

impl<'t> Scan<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn end(&mut self, at: usize) {
        let tokens = std::mem::take(&mut self.tokens);
        let rest = self.text.get(self.start..at).unwrap_or_default();
        let is_rest = tokens.is_empty() && !rest.trim().is_empty();
        if let Some(before) = self.found.last_mut().filter(|_| is_rest) {
            // The delimiter of a body, and a semicolon after it, belong to the statement before them.
            before.range.end = at;
        } else if !tokens.is_empty() {
            self.found.push(Statement {
                range: self.start..at,
                source: self.text,
                tokens,
                is_in_body: self.is_in_tags,
                is_sent: false,
                group: self.group,
            });
        }
        self.group += usize::from(self.tags.is_empty());
        self.start = at;
    }

    fn push(&mut self, length: usize, text: &'t str) {
        self.tokens.push(Token {
            at: self.at,
            length,
            text,
        });
        self.at += length;
    }

    /// Reads the next token or comment.
    fn token(&mut self) -> Option<()> {
        let rest = self.rest();
        let first = rest.chars().next()?;
        let word = word(rest);
        if first.is_whitespace() || first == BYTE_ORDER_MARK && self.at == 0 {
            self.at += first.len_utf8();
        } else if rest.starts_with("--") {
            self.line_comment()?;
        } else if word.eq_ignore_ascii_case("DELIMITER") {
            self.command(word)?;
        } else if self.is_at_delimiter(word)? {
            self.send()?;
        } else if rest.starts_with("/*") {
            self.comment()?;
        } else if matches!(first, '\'' | '"' | '`') {
            self.quoted(first)?;
        } else if first == '[' {
            self.bracketed()?;
        } else if let Some(tag) = tag(rest).filter(|_| first == '$') {
            self.tag(tag)?;
        } else if word.eq_ignore_ascii_case("GO") && self.is_alone(word) {
            self.push(word.len(), word);
            self.end(self.at);
        } else if !word.is_empty() {
            let is_name = !word.starts_with(|c: char| c.is_ascii_digit());
            self.push(word.len(), if is_name { word } else { "" });
        } else if first == ';' {
            self.at += 1;
            self.end(self.at);
        } else if first == '#' {
            self.number_sign()?;
        } else if first == '\\' || self.tokens.is_empty() && !matches!(first, '(' | '{' | ')' | '/')
        {
            // A command of a client.
            return None;
        } else {
            self.push(first.len_utf8(), rest.get(..first.len_utf8())?);
        }
        Some(())
    }

    /// Whether a word is alone on its line, as the `GO` of T-SQL, which ends a batch. In other dialects it is part of no statement.
    fn is_alone(&self, word: &str) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        let after = self.rest().get(word.len()..).unwrap_or_default();
        let (before, after) = (before.rsplit('\n').next(), after.split('\n').next());
        [before, after]
            .into_iter()
            .flatten()
            .all(|rest| rest.trim().is_empty())
    }

    /// A comment. Some dialects run what is in some comments, or nest comments.
    fn comment(&mut self) -> Option<()> {
        let inner = self.rest().get(2..)?;
        let end = inner.find("*/")?;
        let inner = inner.get(..end)?;
        if inner.starts_with(['!', '+', 'M']) && !inner.starts_with("M ") || inner.contains("/*") {
            return None;
        }
        self.skips_no_delimiter(inner)?;
        self.at += end + 4;
        Some(())
    }

    /// A string or a quoted name. In some dialects, a backslash escapes its quote.
    fn quoted(&mut self, quote: char) -> Option<()> {
        let inner = self.rest().get(1..)?;
        let end = inner.find(quote)?;
        self.skips_no_delimiter(inner.get(..end)?)?;
        if inner.get(..end)?.ends_with('\\') {
            return None;
        }
        let length = end + 2;
        let text = if quote == '\'' {
            ""
        } else {
            self.rest().get(..length)?
        };
        self.push(length, text);
        Some(())
    }

    /// A name in brackets, or an index. In some dialects, quotation marks in it are part of the name.
    fn bracketed(&mut self) -> Option<()> {
        let inner = self.rest().get(1..)?;
        let end = inner.find(']')?;
        self.skips_no_delimiter(inner.get(..end)?)?;
        if inner.get(..end)?.contains(['\'', '"', '`', ';', '-', '/']) {
            return None;
        }
        let length = end + 2;
        self.push(length, self.rest().get(..length)?);
        Some(())
    }

    /// The beginning or the end of a body.
    fn tag(&mut self, tag: &'t str) -> Option<()> {
        match self.tags.last() {
            Some(open) if *open == tag => drop(self.tags.pop()),
            Some(_) => return None,
            None => {
                self.is_run = self
                    .tokens
                    .first()
                    .is_some_and(|token| token.text.eq_ignore_ascii_case("DO"));
                self.tags.push(tag);
            }
        }
        self.at += tag.len();
        self.end(self.at);
        self.is_in_tags = !self.tags.is_empty() && !self.is_run;
        Some(())
    }
}

/// `$$` or `$name$`.
fn tag(rest: &str) -> Option<&str> {
    let name = word(rest.get(1..)?);
    let is_tag = !name.starts_with(|c: char| c.is_ascii_digit())
        && rest.get(1 + name.len()..)?.starts_with('$');
    rest.get(..name.len() + 2).filter(|_| is_tag)
}

fn word(text: &str) -> &str {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

impl Statement<'_> {
    fn text(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.text)
    }

    fn is(&self, word: &str, index: usize) -> bool {
        self.text(index).eq_ignore_ascii_case(word)
    }

    fn is_any(&self, words: &[&str], index: usize) -> bool {
        words.iter().any(|word| self.is(word, index))
    }

    fn has(&self, word: &str) -> bool {
        (0..self.tokens.len()).any(|index| self.is(word, index))
    }

    /// The number of blocks that are open after it, from the number before it.
    fn open_blocks(&self, mut open: usize) -> usize {
        for index in 0..self.tokens.len() {
            let follows_end = index > 0 && self.is("END", index - 1) && !self.is_on_new_line(index);
            let is_transaction =
                self.is("BEGIN", index) && self.is_any(&["TRAN", "TRANSACTION"], index + 1);
            if self.is_any(&["BEGIN", "CASE"], index) && !follows_end && !is_transaction {
                open += 1;
            } else if self.is("END", index)
                && (!self.is_any(PARTS, index + 1) || self.is_on_new_line(index + 1))
            {
                open = open.saturating_sub(1);
            }
        }
        open
    }

    /// Whether a token is on another line than the one before it.
    fn is_on_new_line(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|at| self.tokens.get(at));
        let Some((before, token)) = before.zip(self.tokens.get(index)) else {
            return false;
        };
        let between = self.source.get(before.at + before.length..token.at);
        between.is_some_and(|text| text.contains('\n'))
    }

    /// Whether a statement begins at a token: the first one, one after such a word, or one at the start of a line.
    fn starts(&self, index: usize) -> bool {
        if index == 0 {
            return true;
        }
        // `SET NOCOUNT ON`.
        let follows_option = index > 2 && self.is("SET", index - 3);
        let is_event = self.is_any(EVENTS, index - 1) && !follows_option;
        self.is_any(BEFORE, index - 1) || self.is_on_new_line(index) && !is_event
    }

    /// Whether its parentheses are closed.
    pub(super) fn is_balanced(&self) -> bool {
        let mut depth = 0_usize;
        for token in &self.tokens {
            depth = match token.text {
                "(" => depth + 1,
                ")" if depth == 0 => return false,
                ")" => depth - 1,
                _ => depth,
            };
        }
        depth == 0
    }

    /// Short statements for what its tokens show, each with its position.
    pub(super) fn shown(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let starts = self.starts(index);
            let note = if starts && self.is("DELETE", index) && !self.is_in_body {
                self.delete(index)
            } else if starts && self.is("UPDATE", index) && !self.is_in_body {
                self.update(index)
            } else if self.is("DROP", index) && self.is("COLUMN", index + 1) {
                self.drop_column(index)
            } else if self.is("NULL", index) {
                self.comparison(index)
            } else {
                None
            };
            found.extend(note.map(|note| (token.at, note)));
        }
        found
    }

    /// Whether words of the statement itself, and not of one within it, limit its rows.
    fn is_limited(&self, from: usize) -> bool {
        let mut depth = 0_usize;
        for index in from..self.tokens.len() {
            match self.text(index) {
                "(" => depth += 1,
                ")" if depth == 0 => return false,
                ")" => depth -= 1,
                _ if depth == 0 && self.is_any(LIMITS, index) => return true,
                _ if depth == 0 && index > from && self.starts_next(index) => return false,
                _ => {}
            }
        }
        false
    }

    fn starts_next(&self, index: usize) -> bool {
        self.is_any(STARTS, index) && self.starts(index)
    }

    /// A name of one or more parts from a token on; `None` if there is no name.
    fn name(&self, from: usize) -> Option<String> {
        let part = |at: usize| {
            let text = self.text(at);
            let bracketed = text
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'));
            bracketed.map_or_else(|| text.to_owned(), |name| format!("\"{name}\""))
        };
        let mut name = part(from);
        let mut at = from;
        while self.is(".", at + 1) {
            name = format!("{name}.{}", part(at + 2));
            at += 2;
        }
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"' | '`'));
        is_name.then_some(name)
    }

    fn delete(&self, index: usize) -> Option<String> {
        let from = (index + 1..self.tokens.len()).find(|at| self.is("FROM", *at));
        let at = from.map_or(index + 1, |from| from + 1);
        let at = if self.is("ONLY", at) { at + 1 } else { at };
        (!self.is_limited(index))
            .then(|| self.name(at))
            .flatten()
            .map(|name| format!("DELETE FROM {name};"))
    }

    fn update(&self, index: usize) -> Option<String> {
        let set = (index + 1..self.tokens.len()).find(|at| self.is("SET", *at))?;
        if set == index + 1 {
            // Of a `MERGE`, whose condition is its own.
            return None;
        }
        let is_limited =
            self.is_limited(index) || (index..self.tokens.len()).any(|at| self.is("FROM", at));
        // `UPDATE OR IGNORE t`, `UPDATE ONLY t`.
        let words = [("OR", 2), ("ONLY", 1), ("LOW_PRIORITY", 1), ("IGNORE", 1)];
        let skipped = words
            .iter()
            .find(|(word, _)| self.is(word, index + 1))
            .map_or(0, |(_, count)| *count);
        let column = self.name(set + 1)?;
        let name = (!is_limited)
            .then(|| self.name(index + 1 + skipped))
            .flatten()?;
        Some(format!("UPDATE {name} SET {column} = 1;"))
    }

    fn drop_column(&self, index: usize) -> Option<String> {
        let column = if self.is("IF", index + 2) {
            index + 4
        } else {
            index + 2
        };
        let table = (0..index).find(|at| self.is("TABLE", *at))?;
        let is_optional = self.is("IF", table + 1);
        let table = if is_optional { table + 3 } else { table + 1 };
        let table = if self.is("ONLY", table) {
            table + 1
        } else {
            table
        };
        Some(format!(
            "ALTER TABLE {} DROP COLUMN {};",
            self.name(table)?,
            self.name(column)?
        ))
    }

    /// `= NULL` and `<> NULL` in a condition.
    fn comparison(&self, index: usize) -> Option<String> {
        let operator = index.checked_sub(1)?;
        if !matches!(self.text(operator), "=" | ">") {
            return None;
        }
        let is_unequal = self.text(operator) == ">" || self.text(operator.checked_sub(1)?) == "!";
        let condition = (0..operator).rev().find(|at| {
            self.is_any(CONDITIONS, *at)
                || self.is("SET", *at)
                || self.is(",", *at)
                || self.is("THEN", *at)
        })?;
        let is_condition = self.is_any(CONDITIONS, condition);
        let column = self.name(condition + 1)?;
        let sign = if is_unequal { "<>" } else { "=" };
        is_condition.then(|| format!("SELECT 1 FROM t WHERE {column} {sign} NULL;"))
    }
}

#[cfg(test)]
mod tests {
    use super::statements;

    fn shown(text: &str) -> Vec<String> {
        let all = statements(text).unwrap();
        all.iter()
            .flat_map(|own| own.shown())
            .map(|(_, note)| note)
            .collect()
    }

    #[test]
    fn tokens_show_statements_without_conditions() {
        for (text, note) in [
            (
                "WITH x AS (SELECT 1) DELETE FROM ONLY a.t;",
                "DELETE FROM a.t;",
            ),
            ("DELETE LOW_PRIORITY FROM `t`;", "DELETE FROM `t`;"),
            ("DO $$ BEGIN DELETE FROM t; END $$;", "DELETE FROM t;"),
            ("UPDATE OR IGNORE t SET a = 2;", "UPDATE t SET a = 1;"),
            (
                "ALTER TABLE IF EXISTS t ADD UNIQUE (a), DROP COLUMN IF EXISTS b;",
                "ALTER TABLE t DROP COLUMN b;",
            ),
            (
                "SET NOCOUNT ON\n\nDELETE FROM [dbo].[t]\n\nSELECT 1 FROM a WHERE b = 1\nGO\n",
                "DELETE FROM \"dbo\".\"t\";",
            ),
            (
                "IF @a IS NULL\nBEGIN\n  UPDATE dbo.t\n  SET a = 1\nEND\nGO\nSELECT 1 WHERE 1 = 1",
                "UPDATE dbo.t SET a = 1;",
            ),
            (
                "DELETE a FROM a JOIN b ON a.x <> NULL;", "SELECT 1 FROM t WHERE a.x <> NULL;",
            ),
        ] {
            assert_eq!(shown(text), [note], "{text}");
        }
        for text in [
            "DELETE a FROM a JOIN b ON a.x = b.x;",
            "WITH x AS (SELECT 1) DELETE FROM t USING x;",
            "CREATE TABLE a (b INT REFERENCES c ON DELETE CASCADE) STRICT;",
            "CREATE TRIGGER x AFTER DELETE ON a BEGIN DELETE FROM b; END;",
            "CREATE FUNCTION f() RETURNS int AS $a$ BEGIN DELETE FROM b; END $a$ LANGUAGE plpgsql;",
            "\u{feff}CREATE PROCEDURE p @a INT\nAS\nBEGIN\n  DELETE FROM b\n  BEGIN TRAN\n  SELECT CASE WHEN 1 = 1 THEN 2 END\nEND\nGO\nSELECT 1",
            "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES c ON\nDELETE CASCADE;",
            "MERGE INTO a USING b ON a.x = b.x WHEN MATCHED THEN\nUPDATE SET c = 1 WHEN NOT MATCHED THEN INSERT (x) VALUES (1);",
            "INSERT OR IGNORE INTO a VALUES ('DELETE FROM t', NULL);",
            "UPDATE OR IGNORE t SET a = NULL WHERE b = 1;",
        ] {
            assert_eq!(shown(text), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn nothing_is_left_out_where_a_statement_may_end_elsewhere() {
        for text in [
            "SELECT 'a;\nDELETE FROM t;",
            "SELECT 'a\\'; DELETE FROM t; --';",
            "SELECT 1 /*! ; DELETE FROM t */;",
            "SELECT 1 /* a /* b */ ; DELETE FROM t; */",
            "SELECT 1; # it's\n",
            "SELECT 1 # it's\n;",
            "DELETE FROM t # WHERE a = 1;\n;",
            "DELETE FROM t #>> '{a}' WHERE a = 1;\n;",
            "CREATE PROCEDURE p() #> BEGIN\nDELETE FROM t;",
            "SELECT 1 #>> '\n; DELETE FROM t; -- '",
            "DO $$ BEGIN DELETE FROM t;",
            "DELIMITER '\nDELETE FROM t'",
            "DELIMITER -- x\nDELETE FROM t",
            "DELIMITER go\nSELECT 1\ngo\nDELETE FROM t\ngo",
            "DELIMITER d//\nDELETE FROM abcd// WHERE a = 1;",
            "DELIMITER //\nSELECT '// DELETE FROM t // '",
            "DELIMITER //\nSELECT 1 /* // DELETE FROM t // */",
            "DELIMITER $$\nSELECT 1; -- $$ ;\nDELETE FROM t;",
            "DELIMITER //\nCREATE TRIGGER x AFTER DELETE ON a BEGIN SELECT 1 //\nDELETE FROM b //\nEND //",
            "DELIMITER //\nCREATE FUNCTION f() AS $$ //\nDELETE FROM t //\n$$ //",
            "SELECT 1 DELIMITER //\n' //\n'",
            "\\connect x\n",
            "CREATE TRIGGER x AFTER DELETE ON a BEGIN SELECT 1; DELETE FROM b;",
        ] {
            assert!(statements(text).is_none(), "{text}");
        }
        assert!(!statements("SELECT (1; DELETE FROM t;").unwrap()[0].is_balanced());
    }
}
