//! `contextFiles` of a request: other files of the repository, in which a language model may look things up.

use std::collections::HashSet;

use review::repository::{ContextFileFault, ContextFiles};
use review::{Diff, Side};

use crate::error::FieldError;
use crate::extract::json::Fields;

const NAME: &str = "contextFiles";

/// A file as sent.
pub(super) struct GivenFile {
    path: String,
    content: String,
}

/// Takes the files. The first malformed one adds a fault and ends the list.
pub(super) fn take(fields: &mut Fields) -> Vec<GivenFile> {
    let mut given = Vec::new();
    for (at, mut object) in fields.optional_objects(NAME).into_iter().enumerate() {
        let (path, content) = (
            object.required_text("path"),
            object.required_text("content"),
        );
        match object.finish(path.zip(content)) {
            Ok((path, content)) => given.push(GivenFile { path, content }),
            Err(problem) => {
                fields.faults_below(&format!("/{NAME}/{at}"), problem.faults);
                break;
            }
        }
    }
    given
}

/// Checks the files against the limits and the diff, and adds the first fault.
pub(super) fn check(
    given: Vec<GivenFile>,
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
        let refused = if changed.contains(&*path) {
            Some((
                format!("/{NAME}/{at}/path"),
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
        ContextFileFault::Path | ContextFileFault::Duplicate => format!("/{NAME}/{at}/path"),
        ContextFileFault::TooLarge => format!("/{NAME}/{at}/content"),
        ContextFileFault::TooMany => format!("/{NAME}/{at}"),
    }
}
