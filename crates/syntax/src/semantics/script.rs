//! Names and expressions of JavaScript and TypeScript.

pub mod types;
