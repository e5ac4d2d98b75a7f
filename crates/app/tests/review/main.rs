//! `hunkwise review`, as a user or a hook runs it: the real binary, real git, real files.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing setup fails the test"
)]

mod attributes;
mod base;
mod baseline;
mod checkout;
mod comment;
mod config_check;
mod configuration;
mod custom_rules;
mod documents;
mod evasions;
mod exits;
mod fix;
mod formats;
mod former_ids;
mod gaps;
mod git_versions;
mod hidden_code;
mod hook;
mod hostile;
mod imports;
mod input;
mod large;
mod linguist;
mod llama;
mod misleading_text;
mod models;
mod output_files;
mod pipelines;
mod previews;
mod repositories;
mod selections;
mod service;

#[cfg(target_os = "linux")]
mod impact;
mod support;
mod test_code;
#[path = "../tricks/mod.rs"]
mod tricks;
mod untrusted;
mod whole_files;
mod worker;
