//! The parser against git: it reads from a diff what git reports about the change.

#[cfg(test)]
#[path = "diff_git/cases.rs"]
mod cases;
#[cfg(test)]
#[path = "diff_text/consistent.rs"]
mod consistent;
#[cfg(test)]
#[path = "diff_text/counts.rs"]
mod counts;
#[cfg(test)]
#[path = "diff_git/oracle.rs"]
mod oracle;
#[cfg(test)]
#[path = "diff_git/random.rs"]
mod random;
#[cfg(test)]
#[path = "diff_git/repo.rs"]
mod repo;
