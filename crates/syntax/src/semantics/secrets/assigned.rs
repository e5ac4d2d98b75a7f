//! Values that a line of configuration or code assigns to the name of a secret.

/// How a file writes values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Code: a value is a literal in quotation marks.
    Code,
    /// Configuration in which strings need quotation marks.
    Quoted,
    /// A value ends at white space, or has quotation marks.
    Words,
    /// A value needs no quotation marks and ends with the line.
    Lines,
}

/// A value and the name that it is assigned to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assigned<'t> {
    pub name: &'t str,
    pub value: &'t str,
}

/// Maximum number of names per line that are looked at.
const MOST: usize = 32;

/// All values that a line assigns to names, of secrets or not.
pub fn assigned(line: &str, style: Style) -> Vec<Assigned<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, end)) = next_name(line, from) {
        from = end;
        let (Some(before), Some(name), Some(after)) =
            (line.get(..start), line.get(start..end), line.get(end..))
        else {
            break;
        };
        if let Some(value) = value_after(before, after, style) {
            found.push(Assigned { name, value });
            if found.len() == MOST {
                break;
            }
        }
    }
    found
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

fn next_name(line: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let is_start = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let start = from + bytes.get(from..)?.iter().position(is_start)?;
    let length = bytes
        .get(start..)?
        .iter()
        .take_while(|byte| is_name_byte(**byte))
        .count();
    Some((start, start + length))
}

/// The value between a name and the end of the line, if the name is assigned to.
fn value_after<'t>(before: &str, after: &'t str, style: Style) -> Option<&'t str> {
    // The name is that of a variable that is read.
    if before.ends_with("${") || before.ends_with('$') {
        return None;
    }
    // An XML element.
    if style == Style::Quoted && before.ends_with('<') && after.starts_with('>') {
        let inner = after.get(1..)?;
        return inner
            .get(..inner.find('<')?)
            .filter(|value| !value.contains('>'));
    }
    let closes_quote = after.starts_with(['"', '\'', '`']);
    let rest = after.strip_prefix(['"', '\'', '`']).unwrap_or(after);
    let rest = rest.strip_prefix(']').unwrap_or(rest).trim_start();
    let head = before.trim_end_matches(['"', '\'', '`']).trim();
    let is_docker = ["ENV", "ARG"]
        .iter()
        .any(|word| head.eq_ignore_ascii_case(word));
    let is_first = head.trim_start_matches(['-', ' ']).is_empty()
        || matches!(head, "export" | "set" | "setenv");
    let (rest, equals) = after_separator(rest, style)
        .or_else(|| (is_docker && style == Style::Words).then(|| (rest.trim_start(), false)))?;
    let tight = equals && !rest.starts_with(' ');
    // `[ $PASSWORD = x ]` compares.
    if style == Style::Words
        && equals
        && !(tight
            && after
                .trim_start_matches(['"', '\'', ']'])
                .starts_with(['=', ':', '?']))
    {
        return None;
    }
    let value = rest.trim_start();
    if let Some(quote) = value
        .chars()
        .next()
        .filter(|first| matches!(first, '"' | '\'' | '`'))
    {
        // A quotation mark that closes a string around the name does not open a value.
        let inner = value.get(1..)?;
        return inner.get(..inner.find(quote)?);
    }
    let end_of_word = |c: char| {
        c.is_whitespace() || matches!(c, ';' | '&' | '|' | ')' | ',' | '"' | '\'' | '`' | '}')
    };
    let word = value.get(..value.find(end_of_word).unwrap_or(value.len()));
    match style {
        Style::Code => None,
        // Only within a string: `"Server=a;Password=b"`, `"PASSWORD=b"` in a list.
        Style::Quoted => {
            let is_in_text = before.trim_end().ends_with(['"', '\'', ';', '?', '&']);
            word.filter(|_| tight && !closes_quote && is_in_text)
        }
        Style::Lines if is_first => {
            let text = value.split(" #").next().unwrap_or(value).trim_end();
            Some(text.trim_end_matches(['"', '\'', ',']))
        }
        Style::Words | Style::Lines => word,
    }
}

/// The text after `=`, `:`, `=>`, `:=` or `: Type =`, and whether the separator is an equals sign.
fn after_separator(text: &str, style: Style) -> Option<(&str, bool)> {
    if let Some(rest) = text.strip_prefix('=') {
        return match rest.as_bytes().first() {
            Some(b'=' | b'~') => None,
            Some(b'>') => rest.get(1..).map(|rest| (rest, false)),
            _ => Some((rest, true)),
        };
    }
    if let Some(rest) = text.strip_prefix("?=").or_else(|| text.strip_prefix(":=")) {
        return Some((rest, true));
    }
    if let Some(rest) = text.strip_prefix(':').filter(|rest| !rest.starts_with(':')) {
        return Some((
            typed(rest).filter(|_| style == Style::Code).unwrap_or(rest),
            false,
        ));
    }
    // `var name string = "…"`.
    typed(text)
        .filter(|_| style == Style::Code && text.starts_with(|c: char| c.is_ascii_alphabetic()))
        .map(|rest| (rest, true))
}

/// The text after the `=` that follows a type.
fn typed(text: &str) -> Option<&str> {
    const LONGEST: usize = 60;
    let (kind, value) = text.split_once('=')?;
    let is_type = |c: char| c.is_ascii_alphanumeric() || "_<>[]|&'?., *".contains(c);
    (kind.len() <= LONGEST
        && !kind.trim().is_empty()
        && kind.chars().all(is_type)
        && !value.starts_with(['=', '>']))
    .then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{Assigned, Style, assigned};

    fn values(line: &str, style: Style) -> Vec<(&str, &str)> {
        assigned(line, style)
            .into_iter()
            .map(|Assigned { name, value }| (name, value))
            .collect()
    }

    #[test]
    fn values_are_read_in_every_form() {
        for (line, style, name, value) in [
            (
                "  - DB_PASSWORD=a#b c # why",
                Style::Lines,
                "DB_PASSWORD",
                "a#b c",
            ),
            ("    password: \"a b\"", Style::Lines, "password", "a b"),
            (
                "spring.datasource.password=a=b",
                Style::Lines,
                "spring.datasource.password",
                "a=b",
            ),
            ("export TOKEN='a'", Style::Words, "TOKEN", "a"),
            ("docker run -e TOKEN=a b", Style::Words, "TOKEN", "a"),
            ("ENV TOKEN a", Style::Words, "TOKEN", "a"),
            ("  \"password\": \"a\",", Style::Quoted, "password", "a"),
            (
                "  \"Default\": \"Server=x;Password=a;\"",
                Style::Quoted,
                "Password",
                "a",
            ),
            ("  password = \"a\"", Style::Quoted, "password", "a"),
            ("  <password>a</password>", Style::Quoted, "password", "a"),
            ("SECRET: str = \"a\"", Style::Code, "SECRET", "a"),
            ("const secret: string = 'a';", Style::Code, "secret", "a"),
            (
                "const SECRET: &'static str = \"a\";",
                Style::Code,
                "SECRET",
                "a",
            ),
            ("var secret string = \"a\"", Style::Code, "secret", "a"),
            ("config['secret'] = 'a'", Style::Code, "secret", "a"),
            (":secret => 'a'", Style::Code, "secret", "a"),
        ] {
            assert!(
                values(line, style).contains(&(name, value)),
                "{line}: {:?}",
                values(line, style)
            );
        }
        assert!(values("if password == \"a\"", Style::Code).is_empty());
        assert!(values("  \"password\": x.y,", Style::Quoted).is_empty());
    }
}
