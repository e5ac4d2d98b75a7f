//! Runs the rules: on one file, on the rules' examples, and across files.
//!
//! Imports every other module. Start reading in `file`.

mod absent;
mod allowance;
mod by_name;
mod columns;
mod conclude;
pub mod custom;
mod engine;
mod families;
mod file;
mod hierarchy;
mod impact;
mod in_process;
mod ineffective;
mod lost;
mod modules;
mod one_cause;
mod references;
mod syntax_errors;
mod templates;
pub mod testing;
mod unimported;
mod unknown_keys;
mod unused;
mod versions;
mod wanted;
mod witness;

pub use allowance::Cost;
pub use conclude::{Conclusion, conclude, conclude_at_once};
pub use engine::{RuleEngine, ScanFailure, Scanner};
pub(crate) use file::scan_with;
pub use file::{Report, measure, scan};
pub use in_process::InProcess;
