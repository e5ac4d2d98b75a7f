//! Reads a secret from a pipe, or from the terminal without echo.

use std::io::{self, IsTerminal as _, Read as _};

use settings::Secret;

use crate::outcome::Error;

/// More than any token needs.
const MOST_BYTES: u64 = 64 * 1024;

/// Reads a secret from stdin, with this prompt if it is a terminal.
///
/// # Errors
/// The input is empty or unreadable.
pub(crate) fn read(prompt: &str) -> Result<Secret, Error> {
    let unreadable = |error: io::Error| Error::usage(format!("cannot read the token: {error}"));
    let text = if io::stdin().is_terminal() {
        rpassword::prompt_password(prompt).map_err(unreadable)?
    } else {
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(MOST_BYTES)
            .read_to_string(&mut text)
            .map_err(unreadable)?;
        text
    };
    match text.trim() {
        "" => Err(Error::usage(
            "no token was given: paste it at the prompt, or pipe it in",
        )),
        token => Ok(Secret::new(token.to_owned())),
    }
}
