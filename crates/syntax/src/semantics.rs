//! The meaning of code, as far as a tree alone shows it: names, types, flow, taint, secrets.
//!
//! Imports `language`, `parse` and `tree`. Code for a single language has a folder of its own.

pub mod authorization;
pub mod c;
pub mod class_name;
pub mod decorators;
pub mod flow;
pub mod locks;
pub mod names;
pub mod nullness;
pub mod packages;
pub mod php;
pub mod protection;
pub mod python;
pub mod regexp;
pub mod resources;
pub mod result_use;
pub mod script;
pub mod secrets;
pub mod siblings;
pub mod sql;
pub mod symbols;
pub mod taint;
#[cfg(test)]
mod tests;
pub mod type_name;
pub mod types;
pub mod vocabulary;
