//! The only place that writes to the terminal.
//!
//! Results go to stdout, everything else to stderr. Results are written with their styles; `anstream` strips them if
//! the stream is not a terminal, if `NO_COLOR` is set or with `--color never`. A closed pipe (`hunkwise … | head`) is
//! not an error.

use std::io::{self, Write as _};

use review::output::printable;

/// Writes `text` to stdout unchanged, and flushes it.
///
/// # Errors
/// The error of writing, except for a closed pipe.
pub(crate) fn result(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Writes a note to stderr, without sequences that a terminal or a CI system would interpret, because it may contain
/// file names from a change. Write errors are ignored, because there is nowhere left to report them.
pub(crate) fn note(text: &str) {
    let _unwritable = writeln!(anstream::stderr().lock(), "{}", printable(text));
}

/// Writes an error to stderr, as [`note`] does.
pub(crate) fn error(text: &str) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    let _unwritable = writeln!(
        anstream::stderr().lock(),
        "{style}error{style:#}: {}",
        printable(text)
    );
}

/// Clears the current line of a terminal and returns to its start.
const CLEAR: &str = "\r\x1b[2K";

/// A line of a terminal that is overwritten, and cleared on drop.
pub(crate) struct StatusLine<W: io::Write> {
    terminal: W,
    shown: String,
}

impl<W: io::Write> StatusLine<W> {
    pub(crate) fn new(terminal: W) -> Self {
        Self {
            terminal,
            shown: String::new(),
        }
    }

    /// Shows `text`, which must be shorter than a line, in place of the previous one.
    pub(crate) fn show(&mut self, text: &str) {
        if self.shown != text {
            text.clone_into(&mut self.shown);
            self.write(text);
        }
    }

    fn write(&mut self, text: &str) {
        let _unwritable =
            write!(self.terminal, "{CLEAR}{text}").and_then(|()| self.terminal.flush());
    }
}

impl<W: io::Write> Drop for StatusLine<W> {
    fn drop(&mut self) {
        if !self.shown.is_empty() {
            self.write("");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::StatusLine;

    #[test]
    fn a_status_line_is_overwritten_and_then_cleared() {
        let mut terminal = Vec::new();
        let mut line = StatusLine::new(&mut terminal);
        for text in ["1 of 2", "1 of 2", "2 of 2"] {
            line.show(text);
        }
        drop(line);
        assert_eq!(terminal, b"\r\x1b[2K1 of 2\r\x1b[2K2 of 2\r\x1b[2K");
        let mut untouched = Vec::new();
        drop(StatusLine::new(&mut untouched));
        assert!(untouched.is_empty());
    }
}
