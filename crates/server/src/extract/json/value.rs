//! What stands in a JSON body, as far as it is kept.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// An object of more properties than these is not read on: each takes memory many times its size in the body.
const PROPERTIES: usize = 10_000;
/// Items of a list that are kept: more than any list of the API may have.
pub(super) const ITEMS: usize = 100;

/// The properties of the object that the body must be.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<(String, Value)>, String> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let mut properties = Vec::new();
    let document = deserializer.deserialize_any(Reader::Document(&mut properties));
    match document.and_then(|document| deserializer.end().map(|()| document)) {
        Ok(Value::Object) if properties.len() > PROPERTIES => {
            Err(format!("the body has more than {PROPERTIES} properties"))
        }
        Ok(Value::Object) => Ok(properties),
        Ok(other) => Err(format!("the body must be a JSON object, not {}", other.kind())),
        // The parser's own words name the kind of error and its line and column, never the content.
        Err(error) => Err(format!("the body is not JSON: {error}")),
    }
}

/// A value. Of inner objects, and of lists in a list, only what they are is kept.
#[derive(Debug)]
pub(super) enum Value {
    Null,
    Bool,
    /// The number, if it is a whole one that is not below 0.
    Number(Option<u64>),
    Text(String),
    List(Vec<Value>),
    Object,
}

impl Value {
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object => "an object",
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader::Property)
    }
}

/// Reads a value, and keeps of what is in it what its place asks for.
enum Reader<'a> {
    /// The whole body: the properties are kept.
    Document(&'a mut Vec<(String, Value)>),
    /// A property: the items of a list are kept.
    Property,
    /// An item of a list: nothing in it is kept.
    Item,
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
        if let Self::Document(properties) = self {
            while properties.len() <= PROPERTIES {
                let Some(property) = map.next_entry()? else { return Ok(Value::Object) };
                properties.push(property);
            }
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        if let Self::Property = self {
            while items.len() <= ITEMS {
                let Some(item) = seq.next_element_seed(Self::Item)? else { return Ok(Value::List(items)) };
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
        Ok(Value::Number(number.try_into().ok()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(Some(number)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number(None))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }
}
