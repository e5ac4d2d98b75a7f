//! The parser on texts: diffs of other tools, wrong counts, and arbitrary input.

#[cfg(test)]
#[path = "diff_text/consistent.rs"]
mod consistent;
#[cfg(test)]
#[path = "diff_text/counts.rs"]
mod counts;
#[cfg(test)]
#[path = "diff_text/forms.rs"]
mod forms;
#[cfg(test)]
#[path = "diff_text/mails.rs"]
mod mails;
#[cfg(test)]
#[path = "diff_text/mutated.rs"]
mod mutated;
#[cfg(test)]
#[path = "diff_text/not_unified.rs"]
mod not_unified;
#[cfg(test)]
#[path = "diff_text/samples.rs"]
mod samples;
#[cfg(test)]
#[path = "diff_text/tools.rs"]
mod tools;
