//! What names and expressions are in JavaScript and TypeScript.

pub(crate) mod types;
