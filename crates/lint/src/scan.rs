//! Runs the rules: on one file, on the rules' examples, and across files.
//!
//! Imports every other module. Start reading in `file`.

mod allowance;
mod columns;
mod conclude;
pub mod custom;
mod engine;
mod file;
mod in_process;
mod ineffective;
mod one_cause;
mod repository;
mod syntax_errors;
pub mod testing;
mod unused;
mod witness;

pub use allowance::Cost;
pub use conclude::{Conclusion, conclude, conclude_at_once};
pub use engine::{RuleEngine, ScanFailure, Scanner};
pub(crate) use file::scan_with;
pub use file::{Report, measure, scan};
pub use in_process::InProcess;
