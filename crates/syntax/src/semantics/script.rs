//! What names and expressions are in JavaScript and TypeScript.

pub mod types;
