//! The hosts of pull and merge requests: reads and writes comments.
//!
//! Each host implements [`Host`] and uses the client in `http.rs`. Nothing here knows what a finding is.
//!
//! The APIs are called with `reqwest`: a dozen routes are two small files, with our own bounds on bytes, waits and redirects. A client
//! library for each host would bring all of its API and an HTTP stack of its own.

mod failure;
mod files;
mod github;
mod gitlab;
mod host;
mod http;
mod marker;
mod rate_limit;

pub use failure::{Failure, SetupError};
pub use files::HostFile;
pub use github::{GitHub, Repository};
pub use gitlab::{GitLab, MergeRequest};
pub use host::{Change, Commits, Draft, Host, Known, Note, Posted, Resolver, Style, Thread};
pub use http::{Pause, real_pause};
pub use marker::{SUMMARY, is_fingerprint, marked};
