//! How comments are written, where languages agree.

pub(super) const SLASHES: &[&str] = &["//"];
pub(super) const HASH: &[&str] = &["#"];
pub(super) const STARS: &[(&str, &str)] = &[("/*", "*/")];
