//! Pages of a tool's result. Coding agents refuse large results, so each tool returns the most important items that
//! fit, the number of remaining items, and the cursor of the next page.

use serde_json::Value;

/// Maximum size of a tool's result in bytes of JSON, text and structured content together. It is below 20,000 tokens
/// even at three bytes per token.
pub const RESULT_BYTES: usize = 59_000;
/// Reserved for the parts of a page other than its items.
const RESERVE: usize = 2_000;
/// Maximum number of items on a page.
pub const MAX_LIMIT: usize = 100;
/// Maximum size of an item, in bytes. Larger ones are shortened.
const ITEM_BYTES: usize = 12_000;
/// Limits for shortening an item: characters per text, and entries per list.
const ITEM_SHAPE: (usize, usize) = (200, 5);

/// The requested part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    first: usize,
    limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            first: 0,
            limit: MAX_LIMIT,
        }
    }
}

/// An item of a list: the data, and its line in the text, if any.
pub struct Item {
    /// The data.
    pub data: Value,
    /// The line, with its line feed; empty for an item without one.
    pub text: String,
}

/// The items of a page.
#[derive(Default)]
pub struct Taken {
    /// The data.
    pub data: Vec<Value>,
    /// The lines.
    pub text: String,
    /// The index of the first remaining item; `None` if there is none.
    pub next: Option<usize>,
}

impl Page {
    /// Reads the arguments `cursor` and `limit`.
    ///
    /// # Errors
    /// The name of the invalid argument and what is expected.
    pub fn new(cursor: Option<&str>, limit: Option<u64>) -> Result<Self, (&'static str, String)> {
        let first = cursor.map_or(Ok(0), str::parse);
        let first = first.map_err(|_| {
            (
                "cursor",
                "is not a cursor that this tool returned".to_owned(),
            )
        })?;
        let limit = limit
            .map_or(Ok(MAX_LIMIT), usize::try_from)
            .ok()
            .filter(|limit| (1..=MAX_LIMIT).contains(limit));
        let limit = limit.ok_or_else(|| {
            (
                "limit",
                format!("must be a whole number from 1 to {MAX_LIMIT}"),
            )
        })?;
        Ok(Self { first, limit })
    }

    /// Index of the first requested item.
    pub(crate) fn first(self) -> usize {
        self.first
    }

    /// Collects as many items as fit into a result that has `around` bytes of other content.
    pub fn take(self, around: usize, items: impl IntoIterator<Item = Item>) -> Taken {
        let mut room = RESULT_BYTES.saturating_sub(RESERVE + around);
        let mut taken = Taken::default();
        for (index, Item { mut data, text }) in items.into_iter().enumerate().skip(self.first) {
            let mut bytes = size(&data);
            if bytes > ITEM_BYTES {
                shorten(&mut data, ITEM_SHAPE);
                bytes = size(&data);
            }
            // A comma, and the line as a JSON string.
            let bytes = 1 + bytes + size(&text);
            if taken.data.len() == self.limit || bytes > room {
                taken.next = Some(index);
                break;
            }
            room -= bytes;
            taken.data.push(data);
            taken.text.push_str(&text);
        }
        taken
    }
}

/// Size of a value in bytes of JSON.
pub(crate) fn size(value: &(impl serde::Serialize + ?Sized)) -> usize {
    serde_json::to_string(value).map_or(usize::MAX, |text| text.len())
}

/// Cuts texts to this number of characters and lists to this number of entries. A replacement is removed, because
/// part of an edit is wrong.
pub(crate) fn shorten(value: &mut Value, shape @ (characters, entries): (usize, usize)) {
    match value {
        Value::String(text) if text.chars().nth(characters).is_some() => {
            *text = text
                .chars()
                .take(characters.saturating_sub(1))
                .chain(['…'])
                .collect();
        }
        Value::Array(items) => {
            items.truncate(entries);
            items.iter_mut().for_each(|item| shorten(item, shape));
        }
        Value::Object(members) => {
            for (name, member) in members {
                if name == "replacement" {
                    *member = Value::Null;
                }
                shorten(member, shape);
            }
        }
        _ => {}
    }
}
