//! The only place that writes to the terminal.
//!
//! Results go to stdout, everything else to stderr. Results are written as they are, with their styles: `anstream` strips those where
//! the stream is no terminal, where `NO_COLOR` is set or `--color never` was given. A reader that closed the pipe
//! (`hunkwise … | head`) has seen enough and is no error.

use std::io::{self, Write as _};

use review::output::printable;

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

/// Writes a note to stderr, without what a terminal or a CI system would run: it may name files of a change. A failure to write
/// is ignored: there is nowhere left to report it.
pub(crate) fn note(text: &str) {
    let _unwritable = writeln!(anstream::stderr().lock(), "{}", printable(text));
}

/// Writes an error to stderr, as [`note`] does.
pub(crate) fn error(text: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let _unwritable = writeln!(anstream::stderr().lock(), "{style}error{style:#}: {}", printable(text));
}
