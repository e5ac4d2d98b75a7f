//! The body of a `GIT binary patch`: validated and skipped.
//!
//! One or two blocks, each a line `literal N` or `delta N`, lines of base 85, and an empty line. A line's first character
//! encodes its number of bytes (`A` to `Z` are 1 to 26, `a` to `z` 27 to 52); five characters encode four bytes. See
//! "binary patch" in git's `apply.c` and `diff.c`.

use super::cursor::Cursor;
use super::model::DiffError;

/// Skips the blocks at the cursor; at least one is required.
pub(super) fn skip(cursor: &mut Cursor<'_>) -> Result<(), DiffError> {
    if !is_block(cursor.bare()) {
        return Err(cursor.error("the header of a binary patch is not followed by data"));
    }
    while is_block(cursor.bare()) {
        cursor.advance();
        while let Some(row) = cursor.peek().filter(|row| !row.bare().is_empty()) {
            if !is_data(row.bare()) {
                return Err(row.error("the line is not valid data of a binary patch"));
            }
            cursor.advance();
        }
        cursor.advance();
    }
    Ok(())
}

fn is_block(line: &str) -> bool {
    let size = line
        .strip_prefix("literal ")
        .or_else(|| line.strip_prefix("delta "));
    size.is_some_and(|size| !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_data(line: &str) -> bool {
    let Some((first, digits)) = line.as_bytes().split_first() else {
        return false;
    };
    let bytes = match first {
        b'A'..=b'Z' => first - b'A' + 1,
        b'a'..=b'z' => first - b'a' + 27,
        _ => return false,
    };
    digits.len() == usize::from(bytes).div_ceil(4) * 5 && digits.iter().all(|byte| is_base85(*byte))
}

fn is_base85(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&()*+-;<=>?@^_`{|}~".contains(&byte)
}
