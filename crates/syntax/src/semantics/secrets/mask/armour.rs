//! Private keys in lines of Base64 (RFC 7468, RFC 9580, PuTTY's files), complete or only a part from their middle.
//!
//! After a first line, each line that could be part of a key is masked, and the first other line ends the key. So the
//! words `BEGIN PRIVATE KEY` alone do not mask code. Without a first line, the width of the lines decides.

use std::ops::Range;

/// The widths of lines of keys: PEM and PuTTY, OpenSSH, MIME.
const WIDTHS: Range<usize> = 60..80;
/// A line of a key with at least this length is followed by another one.
const FULL: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    None,
    /// Between the first and the last line of a private key.
    Private,
    /// Between the first and the last line of something public: a certificate.
    Public,
    /// Right after a line of that width.
    Run,
}

/// Adds the lines of private keys.
pub(super) fn find(lines: &[&str], add: &mut dyn FnMut(usize, Range<usize>)) {
    let mut block = Block::None;
    // The first line that belongs to a last line without a first one.
    let mut reach = 0;
    for (at, line) in lines.iter().enumerate() {
        if let Some((is_private, end)) = fence(line, "BEGIN") {
            let is_closed = fence(line.get(end..).unwrap_or_default(), "END").is_some();
            if is_private {
                within(line, end)
                    .into_iter()
                    .for_each(|range| add(at, range));
            }
            block = match (is_closed, is_private) {
                (true, _) => Block::None,
                (false, true) => Block::Private,
                (false, false) => Block::Public,
            };
            reach = at + 1;
        } else if let Some((is_private, _)) = fence(line, "END") {
            if is_private {
                within(line, 0).into_iter().for_each(|range| add(at, range));
                back(lines, reach, at, add);
            }
            (block, reach) = (Block::None, at + 1);
        } else if let Some(count) = ["Private-Lines:", "Public-Lines:"]
            .iter()
            .position(|mark| line.contains(mark))
        {
            block = if count == 0 {
                Block::Private
            } else {
                Block::Public
            };
        } else {
            block = body(line).map_or_else(
                || tail(line, block),
                |range| inside(line, range, block, &mut |range| add(at, range)),
            );
        }
    }
}

/// Whether a line is the first or last line of a block: whether that block is a private key, and where the line ends.
fn fence(line: &str, word: &str) -> Option<(bool, usize)> {
    let mut places = line.match_indices(word);
    places.find_map(|(at, _)| {
        let is_fence = line
            .get(..at)
            .is_some_and(|before| before.trim_end().ends_with("----"));
        let tail = line.get(at + word.len()..).filter(|_| is_fence)?;
        let length = tail.get(..tail.floor_char_boundary(80))?.find("----")?;
        let label = tail.get(..length)?;
        let dashes = tail
            .get(length..)?
            .bytes()
            .take_while(|byte| *byte == b'-')
            .count();
        Some((
            label.contains("PRIVATE KEY"),
            at + word.len() + length + dashes,
        ))
    })
}

/// The parts of a key on a line that a key begins or ends on, from an offset on.
fn within(line: &str, from: usize) -> Vec<Range<usize>> {
    const LONG: usize = 16;
    let mut place = from;
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for piece in line
        .get(from..)
        .unwrap_or_default()
        .split(|c: char| !is_code(c))
    {
        pieces.push(place..place + piece.len());
        place += piece.len() + 1;
    }
    // A line that only mentions a key consists of words.
    let is_key = pieces.iter().any(|piece| piece.len() >= LONG);
    let is_odd = |range: &Range<usize>| {
        line.get(range.clone()).is_some_and(|text| {
            text.bytes()
                .any(|byte| byte.is_ascii_digit() || byte == b'=')
        })
    };
    const LABEL: &[&str] = &["BEGIN", "PRIVATE", "OPENSSH", "ENCRYPTED", "BLOCK"];
    let is_label = |range: &Range<usize>| {
        line.get(range.clone())
            .is_some_and(|text| LABEL.contains(&text))
    };
    pieces.retain(|piece| piece.len() >= 4 && (is_key || is_odd(piece)) && !is_label(piece));
    pieces
}

fn is_code(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')
}

/// Masks lines before a last line, back to the first that is not part of a key.
fn back(lines: &[&str], reach: usize, end: usize, add: &mut dyn FnMut(usize, Range<usize>)) {
    for (at, line) in lines.iter().enumerate().take(end).skip(reach).rev() {
        let Some(range) = body(line) else { return };
        add(at, range);
    }
}

/// The state after a line that could be part of a key.
fn inside(
    line: &str,
    range: Range<usize>,
    block: Block,
    add: &mut dyn FnMut(Range<usize>),
) -> Block {
    let text = line.get(range.clone()).unwrap_or_default();
    let is_wide = WIDTHS.contains(&text.len()) && is_random(text);
    match block {
        Block::Public => Block::Public,
        Block::Private => {
            add(range.clone());
            if range.len() >= FULL {
                Block::Private
            } else {
                Block::None
            }
        }
        _ if is_wide => {
            add(range);
            Block::Run
        }
        Block::Run
            if text.len() >= 8 && (text.ends_with('=') || text.len() < 60 && is_random(text)) =>
        {
            add(range);
            Block::None
        }
        _ => Block::None,
    }
}

/// The state after a line that is not part of a key. Headers and empty lines belong to the block.
fn tail(line: &str, block: Block) -> Block {
    let text = line.trim_matches([' ', '\t', '"', '\'', '#', '*', '\\', 'n', '+', '\r']);
    let is_header = || {
        [
            "Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:", "Private-MAC:",
        ]
        .iter()
        .any(|name| text.starts_with(name))
    };
    if block != Block::Run && (text.is_empty() || is_header()) {
        block
    } else {
        Block::None
    }
}

/// Whether a text has upper case, lower case and digits, as random bytes in Base64. A hash has letters of one case.
fn is_random(text: &str) -> bool {
    let count = |is: fn(&u8) -> bool| text.bytes().filter(is).count() * 16 >= text.len();
    count(u8::is_ascii_uppercase)
        && count(u8::is_ascii_lowercase)
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The single run of Base64 that a line consists of, apart from quotation marks, comments and string concatenation.
fn body(line: &str) -> Option<Range<usize>> {
    const LONGEST: usize = 512;
    if line.len() > LONGEST {
        return None;
    }
    let start = line.len()
        - line
            .trim_start_matches([
                ' ', '\t', '"', '\'', '`', '#', '*', ';', '>', '|', '(', '[', '.', '-',
            ])
            .len();
    let start = start
        + line
            .get(start..)
            .and_then(|rest| rest.find("//").filter(|at| *at == 0))
            .map_or(0, |_| 2);
    let rest = line.get(start..)?;
    let start = start + rest.len() - rest.trim_start_matches([' ', '\t', '"', '\'', '`']).len();
    let rest = line.get(start..)?;
    let rest = rest
        .strip_prefix("+ ")
        .map_or(rest, |rest| rest.trim_start_matches([' ', '"', '\'', '`']));
    let start = line.len() - rest.len();
    let length = rest.find(|c: char| !is_code(c)).unwrap_or(rest.len());
    let tail = rest.get(length..)?.replace("\\n", "").replace("\\r", "");
    let is_end = tail
        .trim_matches([
            ' ', '\t', '\r', '"', '\'', '`', '\\', ';', ',', '+', '.', ')', ']', '&', '|',
        ])
        .is_empty();
    (length > 0 && is_end).then_some(start..start + length)
}
