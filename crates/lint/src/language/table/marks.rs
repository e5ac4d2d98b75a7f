//! Comment delimiters that several languages share.

pub(super) const SLASHES: &[&str] = &["//"];
pub(super) const HASH: &[&str] = &["#"];
pub(super) const STARS: &[(&str, &str)] = &[("/*", "*/")];
