//! Inspects custom rules in worker processes, because a file of rules can crash a grammar like any other file.

use std::collections::{BTreeMap, HashSet};

use futures_util::stream::{self, StreamExt as _};
use lint::custom::{Contents, CustomRule, Problem, RuleFile};
use settings::Workers;
use worker::{Failure, WorkerPool};

use crate::engines;
use crate::outcome::Error;

/// The rules in some files, and all faults in them.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) rules: Vec<CustomRule>,
    pub(crate) problems: Vec<Problem>,
}

impl Found {
    /// The IDs of these rules and of the built-in ones.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        let builtin = rules::catalog().ids().map(|id| -> &str { id });
        builtin.chain(self.rules.iter().map(|rule| rule.info.id.as_str()))
    }
}

/// Reads the rules of files, and with `test` runs them on their examples.
///
/// # Errors
/// No worker process could be started.
pub(crate) async fn inspect(
    files: &[RuleFile],
    test: bool,
    workers: Workers,
) -> Result<Found, Error> {
    if files.is_empty() {
        return Ok(Found::default());
    }
    let pool = engines::inspectors(workers, files.len())?;
    // A list instead of an iterator, because the iterator's closure would make this future not `Send`.
    let mut jobs = Vec::with_capacity(files.len());
    for file in files {
        jobs.push(one(&pool, file, test));
    }
    let contents: Vec<Result<Contents, Error>> =
        stream::iter(jobs).buffered(pool.share()).collect().await;
    pool.stop().await;
    let mut found = Found::default();
    let mut places = BTreeMap::new();
    for (file, contents) in files.iter().zip(contents) {
        let contents = contents?;
        found.problems.extend(contents.problems);
        for rule in &contents.rules {
            found.problems.extend(taken(&mut places, file, rule));
        }
        found.rules.extend(contents.rules);
    }
    Ok(found)
}

async fn one(pool: &WorkerPool, file: &RuleFile, test: bool) -> Result<Contents, Error> {
    let message = match pool.run(&(file, test), |_: &Contents| true).await {
        Ok(contents) => return Ok(contents),
        Err(failure @ Failure::Unavailable(_)) => return Err(Error::failure(failure)),
        Err(Failure::TimedOut) => "checking this file took too long, so its rules are not used",
        Err(_) => {
            "checking this file crashed a parser or took too much memory, so its rules are not used"
        }
    };
    let problem = Problem {
        file: file.name.clone(),
        line: 1,
        column: 1,
        message: message.to_owned(),
    };
    Ok(Contents {
        rules: Vec::new(),
        problems: vec![problem],
    })
}

/// Reports an ID that is already taken.
fn taken(
    places: &mut BTreeMap<String, String>,
    file: &RuleFile,
    rule: &CustomRule,
) -> Option<Problem> {
    let id = &rule.info.id;
    let place = format!("{}:{}:{}", file.name, rule.line, rule.column);
    let reason = match places.get(id) {
        Some(other) => format!("`id`: {id} is also the ID of the rule at {other}"),
        None if builtin(id) => {
            format!(
                "`id`: {id} is a built-in rule; use another ID, or configure that rule in .hunkwise.toml"
            )
        }
        None => {
            places.insert(id.clone(), place);
            return None;
        }
    };
    Some(Problem {
        file: file.name.clone(),
        line: rule.line,
        column: rule.column,
        message: reason,
    })
}

fn builtin(id: &str) -> bool {
    static IDS: std::sync::LazyLock<HashSet<&str>> =
        std::sync::LazyLock::new(|| rules::catalog().ids().collect());
    IDS.contains(id)
}
