//! Tests of all rules together. Those of one rule are the examples in its file.

mod cuts;
mod examples;
mod languages;
mod list;
mod overlaps;
