//! The hosts of pull and merge requests: reads and writes comments.
//!
//! Each host implements [`Host`] and uses the client in `http.rs`. Nothing here knows what a finding is.

mod failure;
mod files;
mod github;
mod gitlab;
mod host;
mod http;
mod marker;
mod rate_limit;

pub(crate) use failure::Failure;
pub(crate) use files::HostFile;
pub(crate) use github::{GitHub, Repository};
pub(crate) use gitlab::{GitLab, MergeRequest};
pub(crate) use host::{Change, Draft, Host, Note, Resolver, Style, Thread};
pub(crate) use http::real_pause;
pub(crate) use marker::{SUMMARY, is_fingerprint, marked};
