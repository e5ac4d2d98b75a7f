//! The only place that writes to the terminal.
//!
//! Results go to stdout, everything else to stderr. Styled text is written as it is: `anstream` strips the styles where
//! the stream is no terminal, where `NO_COLOR` is set or `--color never` was given. A reader that closed the pipe
//! (`hunkwise … | head`) has seen enough and is no error.

use std::io::{self, Write as _};

/// Writes `text` to stdout as it is, and flushes it.
///
/// # Errors
/// Whatever writing gave, a closed pipe excepted.
pub(crate) fn result(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Writes one line to stderr. A failure to write is ignored: there is nowhere left to report it.
pub(crate) fn note(line: &str) {
    let mut stderr = anstream::stderr().lock();
    let _unwritable = writeln!(stderr, "{line}");
}
