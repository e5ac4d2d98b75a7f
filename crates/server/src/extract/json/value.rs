//! The values of a JSON body, as far as they are kept.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader};

use review::Budget;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

/// A body with more properties and list items is not parsed further: each takes many times its size in memory.
const PROPERTIES: usize = 10_000;
/// Maximum number of list items that are kept: the length of the longest list in the API.
pub(super) const ITEMS: usize = 400;

/// A body up to this size is parsed in less than 10 ms whatever its content, so it is parsed in one go. A larger one
/// is parsed in pieces, and before each piece the caller's connection is checked: checking doubles the time.
const AT_ONCE_BYTES: usize = 1 << 20;
const PIECE_BYTES: usize = 64 << 10;

/// The properties of the body, which must be an object. Objects in it keep their properties up to `depth`; the body
/// itself has depth 1.
pub(super) fn parse(
    bytes: &[u8],
    depth: u8,
    budget: &Budget,
) -> Result<Vec<(String, Value)>, String> {
    // RFC 8259 permits parsers to ignore a byte order mark, which some Windows tools write.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.len() <= AT_ONCE_BYTES {
        return document(
            &mut serde_json::Deserializer::from_slice(bytes),
            depth,
            budget,
        );
    }
    let attended = BufReader::with_capacity(
        PIECE_BYTES,
        Attended {
            rest: bytes,
            budget,
        },
    );
    document(
        &mut serde_json::Deserializer::from_reader(attended),
        depth,
        budget,
    )
}

/// A reader that stops when the caller is gone.
struct Attended<'a> {
    rest: &'a [u8],
    budget: &'a Budget,
}

impl io::Read for Attended<'_> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        self.budget.draw(1).map_err(io::Error::other)?;
        self.rest.read(piece)
    }
}

fn document<'de>(
    deserializer: &mut serde_json::Deserializer<impl serde_json::de::Read<'de>>,
    depth: u8,
    budget: &Budget,
) -> Result<Vec<(String, Value)>, String> {
    let kept = Cell::new(0);
    let document = deserializer.deserialize_any(Reader::Property(Keep {
        depth,
        kept: &kept,
        budget,
    }));
    match document.and_then(|document| deserializer.end().map(|()| document)) {
        Ok(Value::Object(_)) if kept.get() > PROPERTIES => Err(format!(
            "the body has more than {PROPERTIES} properties and list items"
        )),
        Ok(Value::Object(properties)) => Ok(properties),
        Ok(other) => Err(format!(
            "the body must be a JSON object, not {}",
            other.kind()
        )),
        // The parser's message has the kind of error, its line and column, and never the content.
        Err(error) => Err(format!("the body is not JSON: {error}")),
    }
}

/// A value. Objects that are nested too deeply, and lists in lists, are kept without their content.
#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Bool,
    /// The number, if it is whole.
    Number(Option<i64>),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).ok())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<'a> FromIterator<&'a str> for Value {
    fn from_iter<I: IntoIterator<Item = &'a str>>(texts: I) -> Self {
        Self::List(texts.into_iter().map(Self::from).collect())
    }
}

/// How much of an object is kept.
#[derive(Clone, Copy)]
struct Keep<'a> {
    /// 0: nothing.
    depth: u8,
    /// Properties and list items so far, in the whole body.
    kept: &'a Cell<usize>,
    budget: &'a Budget,
}

/// Reads a value, and keeps the parts that depend on its position.
enum Reader<'a> {
    /// The whole body or a property: list items are kept, and so are the properties of an object that is not too
    /// deep.
    Property(Keep<'a>),
    /// An item of a list: the properties of an object that is not too deep are kept.
    Item(Keep<'a>),
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut properties = Vec::new();
        let (Self::Property(keep) | Self::Item(keep)) = self;
        if let Some(depth) = keep.depth.checked_sub(1) {
            while keep.kept.get() <= PROPERTIES {
                keep.budget.draw(1).map_err(A::Error::custom)?;
                let Some(name) = map.next_key()? else {
                    return Ok(Value::Object(properties));
                };
                keep.kept.update(|kept| kept + 1);
                properties.push((
                    name,
                    map.next_value_seed(Self::Property(Keep { depth, ..keep }))?,
                ));
            }
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Object(properties))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        if let Self::Property(keep) = self {
            while items.len() <= ITEMS && keep.kept.get() <= PROPERTIES {
                let Some(item) = seq.next_element_seed(Self::Item(keep))? else {
                    return Ok(Value::List(items));
                };
                keep.kept.update(|kept| kept + 1);
                items.push(item);
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::List(items))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Bool)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(Some(number)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.try_into().ok()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number(None))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use review::{Budget, Spent};

    use super::{AT_ONCE_BYTES, PIECE_BYTES, parse};

    /// Large bodies with one property of different kinds.
    fn bodies() -> [String; 4] {
        let bytes = 2 * AT_ONCE_BYTES;
        let inner = [
            format!("\"{}\"", "x".repeat(bytes)),
            format!("\"{}\"", "\\u0041".repeat(bytes / 6)),
            format!("[[{}1]]", "1,".repeat(bytes / 2)),
            format!("{}{}", "[".repeat(bytes / 2), "]".repeat(bytes / 2)),
        ];
        inner.map(|inner| format!("{{\"diff\": {inner}}}"))
    }

    #[test]
    fn the_callers_connection_is_checked_within_a_property() {
        for body in bodies() {
            let budget = Budget::of_bytes(body.len());
            parse(body.as_bytes(), 1, &budget).unwrap();
            let looks = usize::try_from(budget.taken()).unwrap();
            assert!(
                looks >= body.len() / PIECE_BYTES,
                "{looks} times in {}",
                &body[..20]
            );
            // One step for the property, and three for the pieces.
            let error = parse(body.as_bytes(), 1, &Budget::new(4, 0)).unwrap_err();
            assert!(error.contains(&Spent::Steps.to_string()), "{error}");
        }
    }

    #[test]
    fn listed_objects_are_kept_up_to_the_depth_and_the_number_of_values_is_bounded() {
        let read = |body: &str, depth| {
            parse(body.as_bytes(), depth, &Budget::of_bytes(body.len()))
                .map(|found| format!("{found:?}"))
        };
        let body = r#"{"a": [{"b": 1, "c": {"d": 2}}, [3]]}"#;
        let kept = |inner: &str| Ok(format!(r#"[("a", List([{inner}, List([])]))]"#));
        assert_eq!(read(body, 1), kept("Object([])"));
        assert_eq!(
            read(body, 2),
            kept(r#"Object([("b", Number(Some(1))), ("c", Object([]))])"#)
        );
        let long = format!("{{\"a\": [{}1]}}", "1,".repeat(100_000));
        assert_eq!(
            read(&long, 2).unwrap().matches("Number").count(),
            super::ITEMS + 1
        );
        let list = format!("\"a\": [{}1],", "1,".repeat(super::ITEMS));
        let lists = |count: usize| format!("{{{}\"b\": 1}}", list.repeat(count));
        assert!(read(&lists(20), 2).is_ok());
        assert!(
            read(&lists(30), 2)
                .unwrap_err()
                .contains("properties and list items")
        );
    }

    #[test]
    fn reading_in_pieces_returns_the_same_result() {
        let padded = |body: &str| format!("{body}{}", " ".repeat(AT_ONCE_BYTES));
        for body in [
            r#"{"a": "\u00e9\n", "b": [1, "x", {}], "c": null}"#,
            "[1]",
            "{\"a\":\n 1,}",
            "{\"a\": \"\n\"}",
        ] {
            let read = |body: &str| {
                format!(
                    "{:?}",
                    parse(body.as_bytes(), 1, &Budget::of_bytes(body.len()))
                )
            };
            assert_eq!(read(body), read(&padded(body)), "{body}");
        }
        for bytes in [&b"{\"a\": \"\xff\"}"[..], b"{\"a\": \"\xc3\"}"] {
            let large = [bytes, " ".repeat(AT_ONCE_BYTES).as_bytes()].concat();
            parse(&large, 1, &Budget::of_bytes(large.len())).unwrap_err();
        }
    }
}
