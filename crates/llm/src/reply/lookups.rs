//! Look-ups that a model requests.

use review::repository::{Lookup, MAX_LINES};

use super::lenient::{List, Node, Object};

/// Maximum entries that are read.
const ENTRIES: usize = 50;
const NAME: &[&str] = &["lookups", "look_ups"];
const KIND: &[&str] = &["kind", "type", "tool", "name"];
const ARGUMENT: &[&str] = &["argument", "arguments", "query", "value", "text", "path"];

/// The look-ups that the object of an answer requests; empty if it has no such list. Invalid entries are dropped.
pub(super) fn of(root: &Node) -> Vec<Lookup> {
    let Node::Object(object) = root else {
        return Vec::new();
    };
    let Some(Node::List(List { items, .. })) = object.all(NAME).next() else {
        return Vec::new();
    };
    let entries = items.iter().take(ENTRIES);
    entries
        .filter_map(|item| {
            if let Node::Object(entry) = item {
                lookup(entry)
            } else {
                None
            }
        })
        .collect()
}

fn lookup(entry: &Object) -> Option<Lookup> {
    let argument = entry.text(ARGUMENT)?.trim().to_owned();
    Some(
        match entry.text(KIND)?.trim().to_ascii_lowercase().as_str() {
            "read" => read(&argument),
            "search" => Lookup::Search(argument),
            "definition" => Lookup::Definition(argument),
            "callers" => Lookup::Callers(argument),
            _ => return None,
        },
    )
}

/// `path`, `path:10` or `path:10-20`.
fn read(argument: &str) -> Lookup {
    let whole = || (argument, 1, MAX_LINES);
    let (path, first, last) = argument
        .rsplit_once(':')
        .map_or_else(whole, |(path, lines)| {
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            match (first.trim().parse(), last.trim().parse()) {
                (Ok(first), Ok(last)) => (path, first, last),
                _ => whole(),
            }
        });
    Lookup::Read {
        path: path.to_owned(),
        first,
        last,
    }
}

#[cfg(test)]
mod tests {
    use review::repository::Lookup;

    use super::super::read;

    #[test]
    fn look_ups_are_read_with_and_without_findings() {
        let text = r#"{"lookups": [{"kind": "read", "argument": "a/b.py:10-20"}, {"kind": "read", "argument": "b.py"},
            {"kind": "read", "argument": "c.py:7"}, {"kind": "callers", "argument": " pay "}, {"kind": "run", "argument": "ls"},
            {"kind": "search"}, 7], "findings": []}"#;
        let path = |path: &str, first, last| Lookup::Read {
            path: path.to_owned(),
            first,
            last,
        };
        let expected = [
            path("a/b.py", 10, 20),
            path("b.py", 1, 200),
            path("c.py", 7, 7),
            Lookup::Callers("pay".into()),
        ];
        assert_eq!(read(text).unwrap().lookups, expected);
        let alone = read(r#"{"lookups": [{"kind": "search", "argument": "x y"}]}"#).unwrap();
        assert_eq!(
            (alone.lookups, alone.items.len()),
            (vec![Lookup::Search("x y".into())], 0)
        );
        assert_eq!(
            read(r#"{"lookups": [], "findings": []}"#).unwrap().lookups,
            []
        );
        assert!(
            read(r#"{"lookups": []}"#).is_err(),
            "there is no list of findings"
        );
    }
}
