//! The parameters that `extra_body` must not set.

use serde_json::{Map, Value};

/// The first reserved parameter that `extra` sets, in its spelling there, and the setting that determines it.
pub(super) fn reserved(
    extra: &Map<String, Value>,
    reserved: &[(&str, &'static str)],
) -> Option<(String, &'static str)> {
    reserved
        .iter()
        .find_map(|(pointer, setting)| Some((find(extra, pointer)?, *setting)))
}

/// Follows a pointer, and returns it in the spelling of `extra`. A value on the path that is not an object would
/// replace the parameter.
fn find(extra: &Map<String, Value>, pointer: &str) -> Option<String> {
    let mut object = extra;
    let mut path = String::new();
    for name in pointer.split('/').skip(1) {
        let (key, value) = object.iter().find(|(key, _)| is_same(key, name))?;
        path = format!("{path}/{key}");
        match value {
            Value::Object(inner) => object = inner,
            _ => return Some(path),
        }
    }
    Some(path)
}

/// Gemini accepts each name in two spellings.
fn is_same(key: &str, name: &str) -> bool {
    let letters = |text: &str| text.replace('_', "").to_ascii_lowercase();
    letters(key) == letters(name)
}
