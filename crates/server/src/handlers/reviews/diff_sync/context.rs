//! The repository around the change, as far as a request describes it: `contextFiles`, `contextPaths` and
//! `contextSearches`.

use std::collections::HashSet;

use review::repository::{
    ContextFileFault, ContextFiles, ContextPaths, ContextSearch, RequestRepository,
};
use review::{Diff, Side};

use crate::error::FieldError;
use crate::extract::json::Fields;

const FILES: &str = "contextFiles";
const PATHS: &str = "contextPaths";
const SEARCHES: &str = "contextSearches";
/// Maximum number of searches.
const MAX_SEARCHES: usize = 100;

/// The context as sent.
#[derive(Default)]
pub(super) struct GivenContext {
    files: Vec<GivenFile>,
    changed: Changed,
    paths: Option<String>,
    searches: Vec<ContextSearch>,
}

/// The handling of context files that are files of the diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Changed {
    /// The request is refused: its sender has selected the files.
    #[default]
    Refused,
    /// They are left out: the sender has chosen a whole folder.
    LeftOut,
}

struct GivenFile {
    path: String,
    content: String,
}

/// Takes the properties.
pub(super) fn take(fields: &mut Fields) -> GivenContext {
    let context = GivenContext {
        files: files(fields),
        changed: Changed::Refused,
        paths: fields.optional_text(PATHS),
        searches: searches(fields),
    };
    if context.paths.is_none() && !context.searches.is_empty() {
        fields.fault(SEARCHES, "may be present only with `contextPaths`");
    }
    context
}

/// Takes the files alone.
pub(super) fn take_files(fields: &mut Fields, changed: Changed) -> GivenContext {
    GivenContext {
        files: files(fields),
        changed,
        ..GivenContext::default()
    }
}

/// Takes the files. The first malformed one adds a fault and ends the list.
fn files(fields: &mut Fields) -> Vec<GivenFile> {
    let mut given = Vec::new();
    for (at, mut object) in fields.optional_objects(FILES).into_iter().enumerate() {
        let (path, content) = (
            object.required_text("path"),
            object.required_text("content"),
        );
        match object.finish(path.zip(content)) {
            Ok((path, content)) => given.push(GivenFile { path, content }),
            Err(problem) => {
                fields.faults_below(&format!("/{FILES}/{at}"), problem.faults);
                break;
            }
        }
    }
    given
}

/// Takes the searches. The first malformed one adds a fault and ends the list.
fn searches(fields: &mut Fields) -> Vec<ContextSearch> {
    let mut given = Vec::new();
    for (at, mut object) in fields.optional_objects(SEARCHES).into_iter().enumerate() {
        if at == MAX_SEARCHES {
            fields.fault(SEARCHES, format!("must have at most {MAX_SEARCHES} items"));
            break;
        }
        let names = object.required_texts("names");
        let extensions = object.optional_texts("extensions");
        match object.finish(names) {
            Ok(names) => given.push(ContextSearch {
                names: names.into_iter().collect(),
                extensions: extensions.map(|all| all.into_iter().collect()),
            }),
            Err(problem) => {
                fields.faults_below(&format!("/{SEARCHES}/{at}"), problem.faults);
                break;
            }
        }
    }
    given
}

/// Checks the files and paths against the limits and the diff, and adds the first fault of each. `whole_files`: each hunk
/// of the diff contains all of its file.
pub(super) fn check(
    given: GivenContext,
    diff: Option<&Diff<'_>>,
    whole_files: bool,
    fields: &mut Fields,
) -> RequestRepository {
    let files = check_files(given.files, given.changed, diff, fields);
    let repository = RequestRepository::new(files);
    let paths = given
        .paths
        .and_then(|text| match ContextPaths::parse(&text) {
            Ok(paths) => Some(paths),
            Err(fault) => {
                fields.fault(PATHS, fault.to_string());
                None
            }
        });
    match paths.zip(diff) {
        Some((paths, diff)) => repository.with_paths(paths, given.searches, diff, whole_files),
        None => repository,
    }
}

fn check_files(
    given: Vec<GivenFile>,
    on_changed: Changed,
    diff: Option<&Diff<'_>>,
    fields: &mut Fields,
) -> ContextFiles {
    let sides = |file| [Side::Old, Side::New].map(|side| review::FileDiff::path_on(file, side));
    let changed: HashSet<&str> = diff
        .into_iter()
        .flat_map(|diff| diff.files.iter().flat_map(sides))
        .collect();
    let mut files = ContextFiles::default();
    for (at, GivenFile { path, content }) in given.into_iter().enumerate() {
        let is_changed = changed.contains(&*path);
        if is_changed && on_changed == Changed::LeftOut {
            continue;
        }
        let refused = if is_changed {
            Some((
                format!("/{FILES}/{at}/path"),
                "is the path of a file of the diff".to_owned(),
            ))
        } else {
            files
                .add(path, content)
                .err()
                .map(|fault| (pointer(at, fault), fault.to_string()))
        };
        if let Some((pointer, detail)) = refused {
            fields.faults_below(&pointer, vec![FieldError::body(detail)]);
            break;
        }
    }
    files
}

/// The location of a fault.
fn pointer(at: usize, fault: ContextFileFault) -> String {
    match fault {
        ContextFileFault::Path | ContextFileFault::Duplicate => format!("/{FILES}/{at}/path"),
        ContextFileFault::TooLarge => format!("/{FILES}/{at}/content"),
        ContextFileFault::TooMany => format!("/{FILES}/{at}"),
    }
}
