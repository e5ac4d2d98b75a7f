//! The passes: each searches the repository, has the files read that matter, and finds one kind of conflict.
//!
//! Nothing is parsed here: what code says is in the links of the changed files and in the answers about the others.

mod absent;
mod broken;
mod by_name;
mod hierarchy;
mod imports;
mod lost;
mod unimported;
mod unknown_keys;

use crate::conflict::{Judge, Ruling};
use crate::links::Links;
use crate::project::Project;

/// The beginning of a warning about files that could not be read.
const UNREAD: &str = "The files that this change imports from could not be read";

/// The judgements of the rules on the conflicts between a change and the repository around it. A failure is at most a warning.
pub async fn compare(
    project: &Project<'_, '_>,
    changed: &[Links],
    judges: &[Judge],
) -> Vec<Ruling> {
    let mut found = broken::find(project, changed, judges).await;
    let work = imports::find(project, changed, judges);
    let imports = project.unless_refused(UNREAD, work).await;
    let work = absent::find(project, changed, judges);
    let absent = project.unless_refused(UNREAD, work).await;
    let work = unimported::find(project, changed, judges);
    let unimported = project.unless_refused(UNREAD, work).await;
    let work = lost::find(project, changed, judges);
    let lost = project.unless_refused(broken::UNSEARCHED, work).await;
    let work = unknown_keys::find(project, changed, judges);
    let unknown = project.unless_refused(broken::UNSEARCHED, work).await;
    let rest = [imports, absent, unimported, lost, unknown];
    found.extend(rest.into_iter().flatten().flatten());
    found
}
