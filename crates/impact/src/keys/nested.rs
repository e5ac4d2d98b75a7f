//! The keys of nested structures as dotted paths: JSON, YAML, PHP arrays and objects of scripts.

/// The maximum depth of a key. Deeper ones are left out.
const DEPTH: usize = 8;
/// The maximum length of a part of a key in bytes.
const PART: usize = 120;

/// How a format separates a key from its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON, and objects of JavaScript and TypeScript.
    Object,
    /// Arrays of PHP.
    Array,
    Yaml,
}

/// The dotted paths of all keys, with their lines.
pub(super) fn keys(format: Format, lines: &[(u32, &str)]) -> Vec<(String, u32)> {
    if format == Format::Yaml {
        return of_yaml(lines);
    }
    let mut reader = Reader::default();
    for (number, line) in lines {
        reader.line(format, *number, line);
    }
    reader.found
}

#[derive(Default)]
struct Reader<'t> {
    /// The keys of the open brackets; `None` for those without.
    open: Vec<Option<&'t str>>,
    /// A string or name that may be a key.
    last: Option<&'t str>,
    /// The key of the value that follows.
    key: Option<&'t str>,
    found: Vec<(String, u32)>,
}

impl<'t> Reader<'t> {
    fn line(&mut self, format: Format, number: u32, line: &'t str) {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            rest = match first {
                '"' | '\'' => {
                    let (text, after) = string(after, first);
                    self.last = Some(text);
                    after
                }
                '/' if after.starts_with('/') && format != Format::Array => return,
                ':' if format == Format::Object => self.separator(number, after),
                '=' if format == Format::Array && after.starts_with('>') => {
                    self.separator(number, after.get(1..).unwrap_or_default())
                }
                '{' | '[' | '(' => {
                    self.open.push(self.key.take());
                    self.last = None;
                    after
                }
                '}' | ']' | ')' => {
                    self.open.pop();
                    (self.key, self.last) = (None, None);
                    after
                }
                ',' => {
                    (self.key, self.last) = (None, None);
                    after
                }
                c if c.is_alphanumeric() || c == '_' => {
                    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                    let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                    self.last = Some(word).filter(|_| format == Format::Object);
                    after
                }
                _ => after,
            };
        }
    }

    fn separator(&mut self, number: u32, after: &'t str) -> &'t str {
        if let Some(key) = self.last.take().filter(|_| self.key.is_none()) {
            let parts = self.open.iter().flatten().copied();
            self.found
                .extend(dotted(parts.chain([key])).map(|path| (path, number)));
            self.key = Some(key);
        }
        after
    }
}

/// The text of a string and what follows its closing quote.
fn string(text: &str, quote: char) -> (&str, &str) {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !is_escaped {
            let after = text.get(at + 1..).unwrap_or_default();
            return (text.get(..at).unwrap_or_default(), after);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    (text, "")
}

fn dotted<'k>(parts: impl Iterator<Item = &'k str>) -> Option<String> {
    let mut path = String::new();
    for (at, part) in parts.enumerate() {
        if at == DEPTH || part.is_empty() || part.len() > PART {
            return None;
        }
        if at > 0 {
            path.push('.');
        }
        path.push_str(part);
    }
    Some(path)
}

fn of_yaml(lines: &[(u32, &str)]) -> Vec<(String, u32)> {
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut found = Vec::new();
    for (number, line) in lines {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let Some((key, rest)) = text.split_once(':') else {
            continue;
        };
        if !rest.is_empty() && !rest.starts_with([' ', '\r']) {
            continue;
        }
        while open.last().is_some_and(|(own, _)| *own >= indent) {
            open.pop();
        }
        let key = key.trim().trim_matches(['"', '\'']);
        let parts = open.iter().map(|(_, part)| *part).take(DEPTH);
        found.extend(dotted(parts.chain([key])).map(|path| (path, *number)));
        open.push((indent, key));
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Format, keys};

    fn found(format: Format, text: &str) -> Vec<String> {
        let lines: Vec<_> = (1..).zip(text.lines()).collect();
        let all = keys(format, &lines).into_iter();
        all.map(|(key, line)| format!("{line} {key}")).collect()
    }

    #[test]
    fn keys_are_paths() {
        let json =
            "{\n \"a\": {\n  \"b: \\\"\": \"c: d\",\n  \"e\": [1, {\"f\": 2}]\n },\n \"g\": 1\n}";
        assert_eq!(
            found(Format::Object, json),
            ["2 a", "3 a.b: \\\"", "4 a.e", "4 a.e.f", "6 g"]
        );
        assert_eq!(
            found(Format::Object, "export default {\n  a: { b: 'c' },\n}"),
            ["2 a", "2 a.b"]
        );
        let php = "return [\n 'a' => env('B', 4),\n 'c' => ['d' => true],\n];";
        assert_eq!(found(Format::Array, php), ["2 a", "3 c", "3 c.d"]);
        let yaml = "en:\n  a:\n    \"b\": c: d\n  e: f\n";
        assert_eq!(
            found(Format::Yaml, yaml),
            ["1 en", "2 en.a", "3 en.a.b", "4 en.e"]
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "([\\[\\](){}:,\"'\\\\ =>a\n]|\\PC){0,200}") {
            for format in [Format::Object, Format::Array, Format::Yaml] {
                prop_assert!(found(format, &text).len() <= text.len());
            }
        }
    }
}
