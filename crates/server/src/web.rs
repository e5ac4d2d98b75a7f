//! The parts that the pages of the console, the API reference and the rules share.

pub(crate) mod assets;
pub(crate) mod error_page;
pub(crate) mod markdown;
pub(crate) mod own_path;
pub(crate) mod page;
pub(crate) mod shown;
