//! Values whose name is apart from them: the default of a variable (`variable "db_password" { default = "…" }`), the value of
//! an entry (`name: DB_PASSWORD` and `value: …`, in any order), and the lines of a heredoc.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::named::is_credential_name;
use super::value::{Doubt, is_credential};

/// Keys whose value is the name of another value, and the number of them at the start of [`KEYS`].
const NAMES: usize = 3;
/// Keys of names and of values.
const KEYS: &[&str] = &[
    "name", "key", "parameterkey", "value", "default", "defaultvalue", "default_value",
    "parametervalue", "string",
];
/// Bytes of a name or of a value that are looked at.
const ENOUGH: usize = 512;

static FOUND: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::DFA))
        .build(KEYS)
        .ok()
});

/// Adds the secrets of a passage.
pub(super) fn find(lines: &[&str], add: &mut dyn FnMut(usize, Range<usize>)) {
    let mut reader = Reader {
        state: State::default(),
        add,
    };
    for (at, line) in lines.iter().enumerate() {
        if !line.trim().is_empty() && !reader.in_text(at, line) {
            reader.line(at, line);
        }
    }
}

struct Reader<'t, 'a> {
    state: State<'t>,
    add: &'a mut dyn FnMut(usize, Range<usize>),
}

/// The state after the lines above.
#[derive(Default)]
struct State<'t> {
    /// The indentation of the line that opens a block with the name of a credential.
    block: Option<usize>,
    /// The column of the keys of the current entry.
    column: usize,
    /// The entry has the name of a credential.
    is_named: bool,
    /// The value of an entry whose name is not known yet.
    value: Option<(usize, Range<usize>)>,
    text: Option<Text<'t>>,
}

/// A secret of several lines.
enum Text<'t> {
    /// Up to the line with this word.
    Heredoc(&'t str),
    /// Lines that are indented more.
    Deeper(usize),
    /// Up to these quotation marks.
    Quoted(&'static str),
}

impl<'t> Reader<'t, '_> {
    /// Whether a line belongs to a secret of several lines.
    fn in_text(&mut self, at: usize, line: &str) -> bool {
        let indent = line.len() - line.trim_start().len();
        let ends = match self.state.text {
            None => return false,
            Some(Text::Heredoc(end)) => line.trim() == end,
            Some(Text::Deeper(least)) => indent <= least,
            Some(Text::Quoted(end)) => line.trim_start().starts_with(end),
        };
        let was_heredoc = !matches!(self.state.text, Some(Text::Deeper(_)));
        if let Some(Text::Quoted(mark)) = self.state.text
            && let Some(end) = line.find(mark).filter(|_| !ends)
        {
            (self.add)(at, indent..end);
            self.state.text = None;
            return true;
        }
        if ends {
            self.state.text = None;
            return was_heredoc;
        }
        (self.add)(at, indent..line.trim_end().len());
        true
    }

    fn line(&mut self, at: usize, line: &'t str) {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let state = &mut self.state;
        state.block = state.block.filter(|open| indent > *open);
        let column = line.len() - text.trim_start_matches(['-', '{', ' ', '\t']).len();
        if column != state.column || text.starts_with(['-', '{', '}', ']']) {
            (state.column, state.is_named, state.value) = (column, false, None);
        }
        if state.block.is_none() && opened(line).is_some_and(is_credential_name) {
            state.block = Some(indent);
        }
        let quoted = || quotes_of_credential(line).map(Text::Quoted);
        state.text = heredoc_of_credential(line)
            .map(Text::Heredoc)
            .or_else(quoted);
        for hit in FOUND.iter().flat_map(|found| found.find_iter(line)) {
            // The mark at the end of `<name>a</name>` has no value.
            let value = value_of(line, hit.range()).filter(|value| !value.is_empty());
            if let Some(value) = value {
                self.entry(at, line, hit.pattern().as_usize() < NAMES, value);
            }
        }
    }

    /// Reads the value of a key.
    fn entry(&mut self, at: usize, line: &'t str, is_name: bool, range: Range<usize>) {
        let state = &mut self.state;
        let value = line.get(range.clone()).unwrap_or_default();
        if is_name {
            state.is_named = is_credential_name(value);
            if let Some((at, range)) = state.value.take().filter(|_| state.is_named) {
                (self.add)(at, range);
            }
        } else if !is_credential(value, Doubt::Some) {
            if state.block.is_some() || state.is_named {
                let deeper = || {
                    value
                        .starts_with(['|', '>'])
                        .then_some(Text::Deeper(state.column))
                };
                state.text = heredoc(value).map(Text::Heredoc).or_else(deeper);
            }
        } else if state.block.is_some() || state.is_named {
            (self.add)(at, range);
        } else {
            state.value = Some((at, range));
        }
    }
}

/// The name of the block that a line opens: `variable "NAME" {`, `"NAME": {`, `NAME:`.
fn opened(line: &str) -> Option<&str> {
    let head = line.find('{').map_or_else(
        || line.trim_end().strip_suffix(':'),
        |brace| line.get(..brace),
    )?;
    let head = head.trim_end_matches([' ', ':', '=', '>', '(', '"', '\'']);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name = head.get(head.trim_end_matches(is_part).len()..)?;
    (name.len() <= ENOUGH && !name.is_empty()).then_some(name)
}

/// The range of the value of a key, without quotation marks.
fn value_of(line: &str, key: Range<usize>) -> Option<Range<usize>> {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bytes = line.as_bytes();
    if is_part(key.start.checked_sub(1).and_then(|at| bytes.get(at))) || is_part(bytes.get(key.end))
    {
        return None;
    }
    let rest = line.get(key.end..)?;
    let rest = rest.get(..rest.floor_char_boundary(ENOUGH))?;
    let sign = rest.trim_start_matches(['"', '\'', ' ', '\t']);
    let given = sign.strip_prefix([':', '=', '>'])?;
    let given = given.strip_prefix('>').unwrap_or(given).trim_start();
    let start = key.end + rest.len() - given.len();
    let Some(quote) = given
        .chars()
        .next()
        .filter(|c| matches!(c, '"' | '\'' | '`'))
    else {
        let end = given
            .find([',', '}', '<'])
            .filter(|_| !given.starts_with('<'));
        let value = given.get(..end.unwrap_or(given.len()))?.trim_end();
        return Some(start..start + value.len());
    };
    let inside = given.get(1..)?;
    let end = inside.find(quote).unwrap_or(inside.len());
    Some(start + 1..start + 1 + end)
}

/// The word that ends the heredoc at the start of a text: `<<EOT`, `<<-'EOT'`.
fn heredoc(text: &str) -> Option<&str> {
    let word = text.strip_prefix("<<")?.trim_start_matches(['-', '~']);
    let word = word.trim_matches(|c: char| matches!(c, '"' | '\'') || c.is_whitespace());
    let is_word = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_word && !word.is_empty()).then_some(word)
}

/// The quotation marks that end the text which a line such as `password = """` opens.
fn quotes_of_credential(line: &str) -> Option<&'static str> {
    let text = line.trim_end();
    let mark = ["\"\"\"", "'''", "`"]
        .into_iter()
        .find(|mark| text.ends_with(mark))?;
    let head = text.strip_suffix(mark)?.trim_end();
    let name = head.strip_suffix(['=', ':'])?.trim_end();
    let name = name
        .rsplit([' ', '\t', '"', '\'', '.'])
        .find(|word| !word.is_empty())?;
    (name.len() <= ENOUGH && is_credential_name(name)).then_some(mark)
}

/// The word that ends the heredoc of a line `password = <<EOT`.
fn heredoc_of_credential(line: &str) -> Option<&str> {
    let (head, _) = line.split_once("<<")?;
    let head = head.trim_end().strip_suffix(['=', ':'])?.trim_end();
    let name = head
        .rsplit([' ', '\t', '"'])
        .find(|word| !word.is_empty())?;
    let is_credential = name.len() <= ENOUGH && is_credential_name(name);
    heredoc(line.get(line.find("<<")?..)?).filter(|_| is_credential)
}
