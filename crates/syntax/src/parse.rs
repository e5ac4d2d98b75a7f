//! Parses fragments of files.
//!
//! A hunk starts and ends anywhere in a file. The text of each side is completed in the few ways in which it can have been cut
//! out (see `contexts`), parsed, and the parse with the fewest error bytes is kept. The text added before and after is
//! synthetic: rules never see it as code.
//!
//! Imports `language`. Start reading in `fragment`.

mod alternatives;
mod closers;
mod context;
mod contexts;
mod edits;
mod ends;
mod fragment;
mod gaps;
mod heredocs;
mod hunk;
mod indent;
mod limits;
mod openers;
mod reading;
mod repair;
mod repeats;
mod screen;
mod side;

pub use alternatives::Alternate;
pub use context::Context;
pub(crate) use fragment::last_row;
pub use fragment::{Extent, Fragment, OtherSide, ParseError};
pub use hunk::{FileContext, Hunk, hunks};
pub use limits::Limits;
pub use repair::{LeftOut, Repaired};
pub use side::{SideLine, SideText, shorten};
