//! Parses part of a file.
//!
//! A hunk starts and ends in the middle of something. Both sides of it are put together as text, completed in the few
//! ways in which such a text can be cut out of a file (see `contexts`), parsed, and the reading with the fewest error
//! bytes is kept. What is put before and after the text is synthetic: no rule ever sees it as code.
//!
//! Imports `language`. Start reading in `fragment`.

mod closers;
mod context;
mod contexts;
mod ends;
mod fragment;
mod gaps;
mod heredocs;
mod hunk;
mod indent;
mod limits;
mod openers;
mod reading;
mod repeats;
mod screen;
mod side;

pub(crate) use fragment::{Fragment, ParseError, last_row};
pub use hunk::FileContext;
pub(crate) use hunk::{Hunk, hunks};
pub use limits::Limits;
pub(crate) use side::{SideLine, SideText, shorten};
