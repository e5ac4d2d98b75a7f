//! A YAML document as a tree with positions, and a serde deserializer over it.
//!
//! A rule file is parsed once. The rule, its literals and all messages are based on this tree.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde_saphyr::{MessageFormatter as _, Spanned, UserMessageFormatter};

/// A position in a text: line and column from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl At {
    /// The start of a text.
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

/// A problem and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadError {
    pub(crate) at: At,
    pub(crate) message: String,
}

/// A part of a document.
#[derive(Debug)]
pub(crate) struct Yaml {
    pub(crate) at: At,
    pub(crate) value: Value,
}

/// The value of a part.
#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Flag(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Yaml>),
    Map(Vec<(Key, Yaml)>),
}

/// A key of a mapping.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) at: At,
    pub(crate) name: String,
}

impl Yaml {
    /// The documents of a text, without empty ones.
    ///
    /// # Errors
    /// The first position with invalid YAML.
    pub(crate) fn documents(text: &str) -> Result<Vec<Self>, ReadError> {
        ast_grep_config::from_multiple(text).map_err(|error| {
            let at = error.location().map_or(At::START, At::from);
            let message = UserMessageFormatter.format_message(error.without_snippet());
            ReadError {
                at,
                message: one_line(&message),
            }
        })
    }

    /// The entries of a mapping, otherwise none.
    pub(crate) fn entries(&self) -> &[(Key, Self)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list, otherwise none.
    pub(crate) fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The value of a key.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.entries()
            .iter()
            .find(|(key, _)| key.name == name)
            .map(|(_, value)| value)
    }

    /// Its string, if it is a text.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Its type, for messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Flag(_) => "true or false",
            Value::Integer(_) | Value::Number(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        }
    }

    /// The position of the first key or text that equals this word.
    pub(crate) fn place_of(&self, word: &str) -> Option<At> {
        match &self.value {
            Value::Text(text) => (text == word).then_some(self.at),
            Value::List(items) => items.iter().find_map(|item| item.place_of(word)),
            Value::Map(entries) => entries.iter().find_map(|(key, value)| {
                if key.name == word {
                    Some(key.at)
                } else {
                    value.place_of(word)
                }
            }),
            _ => None,
        }
    }

    /// Collects the values of all keys with this name, at any depth.
    pub(crate) fn values_of<'y>(&'y self, name: &str, found: &mut Vec<&'y Self>) {
        for (key, value) in self.entries() {
            if key.name == name {
                found.push(value);
            } else {
                value.values_of(name, found);
            }
        }
        self.items()
            .iter()
            .for_each(|item| item.values_of(name, found));
    }

    /// Deserializes it.
    ///
    /// # Errors
    /// The mismatch with its position.
    pub(crate) fn read<'y, T: Deserialize<'y>>(&'y self) -> Result<T, ReadError> {
        T::deserialize(self).map_err(|error| ReadError {
            at: error.at.unwrap_or(self.at),
            message: error.message,
        })
    }
}

/// Removes line ends and other control characters, because the message may quote the file.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

impl From<serde_saphyr::Location> for At {
    fn from(location: serde_saphyr::Location) -> Self {
        Self {
            line: location.line().max(1),
            column: location.column().max(1),
        }
    }
}

impl<'de> Deserialize<'de> for Yaml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self {
            at: spanned.referenced.into(),
            value: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<String>::deserialize(deserializer)?;
        Ok(Self {
            at: spanned.referenced.into(),
            name: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Accepts any document.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("YAML")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Text(number.to_string()), Value::Integer))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Map(entries))
    }
}

/// A deserialization error. The innermost position is kept.
#[derive(Debug)]
pub(crate) struct Mismatch {
    at: Option<At>,
    message: String,
}

impl Mismatch {
    fn or_at(self, at: At) -> Self {
        Self {
            at: self.at.or(Some(at)),
            ..self
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mismatch {}

impl de::Error for Mismatch {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            at: None,
            message: one_line(&message.to_string()),
        }
    }
}

impl<'de> Deserializer<'de> for &'de Yaml {
    type Error = Mismatch;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let read = match &self.value {
            Value::Null => visitor.visit_unit(),
            Value::Flag(flag) => visitor.visit_bool(*flag),
            Value::Integer(number) => visitor.visit_i64(*number),
            Value::Number(number) => visitor.visit_f64(*number),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(items) => visitor.visit_seq(Items(items.iter())),
            Value::Map(entries) => visitor.visit_map(Entries {
                rest: entries.iter(),
                value: None,
            }),
        };
        read.map_err(|error| error.or_at(self.at))
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match &self.value {
            // `kind: true` and `regex: 1` are texts.
            Value::Flag(flag) => visitor.visit_string(flag.to_string()),
            Value::Integer(number) => visitor.visit_string(number.to_string()),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let read = match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        };
        read.map_err(|error: Mismatch| error.or_at(self.at))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let read = match &self.value {
            Value::Map(entries) => visitor.visit_enum(MapAccessDeserializer::new(Entries {
                rest: entries.iter(),
                value: None,
            })),
            Value::Text(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => Err(de::Error::custom(format!(
                "expected a word, not {}",
                self.type_name()
            ))),
        };
        read.map_err(|error: Mismatch| error.or_at(self.at))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

struct Items<'y>(std::slice::Iter<'y, Yaml>);

impl<'y> SeqAccess<'y> for Items<'y> {
    type Error = Mismatch;

    fn next_element_seed<T: DeserializeSeed<'y>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mismatch> {
        let Some(item) = self.0.next() else {
            return Ok(None);
        };
        seed.deserialize(item)
            .map(Some)
            .map_err(|error| error.or_at(item.at))
    }
}

struct Entries<'y> {
    rest: std::slice::Iter<'y, (Key, Yaml)>,
    value: Option<&'y Yaml>,
}

impl<'y> MapAccess<'y> for Entries<'y> {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'y>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mismatch> {
        let Some((key, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        let name = de::value::BorrowedStrDeserializer::new(&key.name);
        seed.deserialize(name)
            .map(Some)
            .map_err(|error: Mismatch| error.or_at(key.at))
    }

    fn next_value_seed<T: DeserializeSeed<'y>>(&mut self, seed: T) -> Result<T::Value, Mismatch> {
        let value = self
            .value
            .take()
            .ok_or_else(|| de::Error::custom("a value was requested before its key"))?;
        seed.deserialize(value)
            .map_err(|error| error.or_at(value.at))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::{At, Yaml};

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Sample {
        name: String,
        level: Option<f32>,
        way: Way,
        parts: BTreeMap<String, Vec<i8>>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Way {
        End,
        Rule { kind: String },
    }

    fn read(text: &str) -> Result<Sample, (u64, u64, String)> {
        let documents = Yaml::documents(text)
            .map_err(|fault| (fault.at.line, fault.at.column, fault.message))?;
        documents
            .first()
            .unwrap()
            .read()
            .map_err(|fault| (fault.at.line, fault.at.column, fault.message))
    }

    #[test]
    fn a_tree_deserializes_like_its_text() {
        let text = "name: 7\nlevel: 0.5\nway: end\nparts:\n  a: [1, -2]\n  b: []\n";
        let parts = BTreeMap::from([("a".to_owned(), vec![1, -2]), ("b".to_owned(), Vec::new())]);
        let sample = Sample {
            name: "7".to_owned(),
            level: Some(0.5),
            way: Way::End,
            parts: parts.clone(),
        };
        assert_eq!(read(text).unwrap(), sample);
        let text = "name: x\nlevel: null\nway: {rule: {kind: true}}\nparts: {a: [1, -2], b: []}\n";
        let way = Way::Rule {
            kind: "true".to_owned(),
        };
        assert_eq!(
            read(text).unwrap(),
            Sample {
                name: "x".to_owned(),
                level: None,
                way,
                parts
            }
        );
    }

    #[test]
    fn a_mismatch_has_the_innermost_position() {
        let place = |text: &str| {
            read(text)
                .map_err(|(line, column, _)| (line, column))
                .unwrap_err()
        };
        assert_eq!(place("name: x\nway: end\nparts:\n  a: [1, x]\n"), (4, 10));
        assert_eq!(place("name: x\nway: end\nparts: {}\nother: 1\n"), (4, 1));
        assert_eq!(place("name: x\nway:\n  ruel: {}\nparts: {}\n"), (3, 3));
        assert_eq!(place("name: [\n"), (1, 7));
        assert_eq!(place("name: x\nname: y\n"), (2, 1));
    }

    #[test]
    fn several_documents_are_several_trees() {
        let documents = Yaml::documents("a: 1\n---\n# nothing\n---\nb: [x, {y: z}]\n").unwrap();
        assert_eq!(documents.len(), 2);
        assert_eq!(
            documents[1].place_of("z"),
            Some(At {
                line: 5,
                column: 12
            })
        );
        assert!(Yaml::documents("").unwrap().is_empty());
    }

    #[test]
    fn hostile_documents_are_rejected() {
        assert!(Yaml::documents(&"[".repeat(10_000)).is_err());
        let nested: String = (0..5_000).map(|n| " ".repeat(n) + "a:\n").collect();
        assert!(Yaml::documents(&nested).is_err());
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for n in 1..12 {
            let aliases = vec![format!("*a{}", n - 1); 9].join(", ");
            bomb.push_str(&format!("a{n}: &a{n} [{aliases}]\n"));
        }
        assert!(Yaml::documents(&bomb).is_err());
    }
}
