//! What code means, as far as a tree alone tells: names, types, flow, taint, secrets.
//!
//! Imports `language`, `parse` and `tree`. What holds for one language only has a folder of its own.

pub(crate) mod authorization;
pub(crate) mod c;
pub(crate) mod flow;
pub(crate) mod names;
pub(crate) mod packages;
pub(crate) mod php;
pub(crate) mod python;
pub(crate) mod regexp;
pub(crate) mod result_use;
pub(crate) mod script;
pub(crate) mod secrets;
pub(crate) mod sql;
pub(crate) mod symbols;
pub(crate) mod taint;
#[cfg(test)]
mod tests;
pub(crate) mod type_name;
pub(crate) mod types;
pub(crate) mod vocabulary;
