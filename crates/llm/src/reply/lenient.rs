//! Reads JSON as models write it: surrounded by prose, in fences, with trailing commas, single quotes, comments,
//! unquoted keys, Python literals, raw line breaks or unescaped quotes, or cut off.
//!
//! The existing crates are not safe for hostile input: `jsonrepair` and `llm_json` recurse without a depth limit, and
//! both silently close what was cut off, so that half an item looks like a whole one. This reader makes one pass over
//! the text, keeps an explicit stack of at most 64 levels, and records for each value whether it was complete. Valid
//! JSON is read exactly as JSON.

use super::quoted::{closes, end_of, is_key, spaceless, unescaped};

/// Maximum items of one list that are kept: a model that finds more in one part is not reviewing.
pub(super) const ITEMS: usize = 200;
/// Maximum nesting depth.
const DEPTH: usize = 64;
/// Maximum properties of one object that are kept.
const PROPERTIES: usize = 64;
/// Maximum values of one tree that are kept.
const NODES: usize = 20_000;
/// The longest property name, in bytes.
const KEY: usize = 128;

/// A value. Numbers and Booleans are strings, because models quote them inconsistently.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Text(String),
    List(List),
    Object(Object),
}

/// A list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct List {
    pub(crate) items: Vec<Node>,
    /// Items beyond the limit.
    pub(crate) more: usize,
    /// It was closed.
    pub(crate) complete: bool,
}

/// An object, with its properties in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Object {
    pub(crate) properties: Vec<(String, Node)>,
    /// It was closed.
    pub(crate) complete: bool,
}

/// The outermost objects and lists of a text, in order, ignoring everything around them. The cost is linear in the text.
pub(crate) fn roots(text: &str) -> impl Iterator<Item = Node> {
    let mut reader = Reader {
        text,
        at: 0,
        open: Vec::new(),
        nodes: 0,
    };
    std::iter::from_fn(move || reader.root())
}

impl Node {
    fn is_leaf(&self) -> bool {
        match self {
            Self::Null | Self::Text(_) => true,
            Self::List(list) => list.items.is_empty(),
            Self::Object(object) => object.properties.is_empty(),
        }
    }
}

enum Frame {
    List(List),
    /// An object, and the name of the property whose value is read next.
    Object(Object, Option<String>),
}

/// The kind of token that the reader expects.
#[derive(Clone, Copy, PartialEq)]
enum Expected {
    Key,
    Value,
    Item,
    Nothing,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Frame>,
    nodes: usize,
}

impl Frame {
    fn put(&mut self, node: Node, is_room: bool) {
        match self {
            Self::List(list) if is_room && list.items.len() < ITEMS => list.items.push(node),
            Self::List(list) => list.more += 1,
            Self::Object(object, key) => {
                let key = key.take().unwrap_or_default();
                if is_room && object.properties.len() < PROPERTIES {
                    object.properties.push((key, node));
                }
            }
        }
    }

    fn closed(self, complete: bool) -> Node {
        match self {
            Self::List(list) => Node::List(List { complete, ..list }),
            Self::Object(object, _) => Node::Object(Object { complete, ..object }),
        }
    }
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn expected(&self) -> Expected {
        match self.open.last() {
            None => Expected::Nothing,
            Some(Frame::List(_)) => Expected::Item,
            Some(Frame::Object(_, None)) => Expected::Key,
            Some(Frame::Object(_, Some(_))) => Expected::Value,
        }
    }

    fn root(&mut self) -> Option<Node> {
        while let Some(next) = self.rest().chars().next() {
            if let Some(root) = self.step(next) {
                return Some(root);
            }
        }
        self.close_to(0, false)
    }

    /// Reads one token and returns the root that it completes, if any. Each step advances.
    fn step(&mut self, next: char) -> Option<Node> {
        match next {
            '{' | '[' => return self.begin(next),
            _ if self.open.is_empty() => {
                self.at += self.rest().find(['{', '[']).unwrap_or(self.rest().len())
            }
            '}' | ']' => return self.end(next),
            ',' => self.comma(),
            '"' | '\'' => self.quoted(next),
            '/' | '#' if comment(self.rest()) > 0 => self.at += comment(self.rest()),
            _ if next == ':' || next.is_whitespace() => self.at += next.len_utf8(),
            _ => self.bare(),
        }
        None
    }

    fn begin(&mut self, bracket: char) -> Option<Node> {
        let rest = self.rest().get(1..).unwrap_or_default();
        self.at += 1;
        let in_place = matches!(self.expected(), Expected::Value | Expected::Item);
        if !in_place && !begins(bracket, rest) {
            return None;
        }
        // JSON this deep is not an answer, but the part read so far may be one.
        let root = if self.open.len() >= DEPTH {
            self.close_to(0, false)
        } else {
            None
        };
        self.open.push(match bracket {
            '{' => Frame::Object(Object::default(), None),
            _ => Frame::List(List::default()),
        });
        root
    }

    /// Closes the innermost object or list of the bracket's kind, along with everything still open inside it.
    fn end(&mut self, bracket: char) -> Option<Node> {
        self.at += 1;
        let fits = |frame: &Frame| matches!(frame, Frame::Object(..)) == (bracket == '}');
        let level = self.open.iter().rposition(fits)?;
        self.close_to(level, true)
    }

    fn close_to(&mut self, level: usize, complete: bool) -> Option<Node> {
        while self.open.len() > level {
            let node = self.open.pop()?.closed(complete);
            if self.open.is_empty() {
                self.nodes = 0;
                return Some(node);
            }
            self.put(node);
        }
        None
    }

    fn put(&mut self, node: Node) {
        // Lists and objects with content are always kept; otherwise a limit reached inside would discard the answer.
        self.nodes += usize::from(node.is_leaf());
        let is_room = !node.is_leaf() || self.nodes <= NODES;
        if let Some(frame) = self.open.last_mut() {
            frame.put(node, is_room);
        }
    }

    fn comma(&mut self) {
        self.at += 1;
        if self.expected() == Expected::Value {
            self.put(Node::Null);
        }
    }

    fn quoted(&mut self, quote: char) {
        self.at += 1;
        let body = self.rest();
        if self.expected() == Expected::Key {
            return self.key(body, quote);
        }
        let in_object = self.expected() == Expected::Value;
        let length = closes(body, quote, in_object).unwrap_or(body.len());
        self.put(Node::Text(unescaped(
            body.get(..length).unwrap_or_default(),
        )));
        self.at = (self.at + length + 1).min(self.text.len());
    }

    /// Reads a property name. A quote that does not begin one is skipped.
    fn key(&mut self, body: &str, quote: char) {
        let short = body
            .get(..body.floor_char_boundary(KEY))
            .unwrap_or_default();
        let Some(end) = end_of(short, quote) else {
            return;
        };
        if body
            .get(end + 1..)
            .is_some_and(|rest| spaceless(rest).starts_with(':'))
        {
            self.name(unescaped(body.get(..end).unwrap_or_default()));
            self.at += end + 1;
        }
    }

    fn name(&mut self, name: String) {
        if let Some(Frame::Object(_, key)) = self.open.last_mut() {
            *key = Some(name);
        }
    }

    /// Reads a token without quotes: a property name, a number or a word.
    fn bare(&mut self) {
        let rest = self.rest();
        let is_key = self.expected() == Expected::Key;
        let end = end_of_bare(rest, is_key);
        let word = rest.get(..end).unwrap_or_default().trim();
        self.at += end.max(rest.chars().next().map_or(1, char::len_utf8));
        match word {
            _ if !is_key => self.put(if is_null(word) {
                Node::Null
            } else {
                Node::Text(word.to_owned())
            }),
            _ if word.len() <= KEY && rest.get(end..).is_some_and(|rest| rest.starts_with(':')) => {
                self.name(word.to_owned());
            }
            _ => {}
        }
    }
}

/// Whether a bracket begins JSON rather than a remark or a block of code.
fn begins(bracket: char, rest: &str) -> bool {
    let rest = spaceless(rest);
    match rest.chars().next() {
        None | Some('"' | '\'' | '/' | '#') => true,
        Some(next) if bracket == '[' => "{[]-tfnTFN".contains(next) || next.is_ascii_digit(),
        Some(next) => next == '}' || is_key(rest),
    }
}

/// The length in bytes of the comment that a text begins with; 0 if it does not.
fn comment(text: &str) -> usize {
    match text {
        _ if text.starts_with("/*") => text.find("*/").map_or(text.len(), |end| end + 2),
        _ if text.starts_with("//") || text.starts_with('#') => {
            text.find('\n').unwrap_or(text.len())
        }
        _ => 0,
    }
}

/// The length in bytes of an unquoted token: up to punctuation, the end of the line or a comment after a space.
fn end_of_bare(text: &str, is_key: bool) -> usize {
    let is_end =
        |c: char| matches!(c, ',' | '{' | '}' | '[' | ']' | '"' | '\n') || is_key && c == ':';
    let token = text
        .get(..text.find(is_end).unwrap_or(text.len()))
        .unwrap_or_default();
    [" //", " #", "/*"]
        .iter()
        .filter_map(|mark| token.find(mark))
        .min()
        .unwrap_or(token.len())
}

fn is_null(word: &str) -> bool {
    ["null", "none", "nil", "undefined", "nan"]
        .iter()
        .any(|null| word.eq_ignore_ascii_case(null))
}
