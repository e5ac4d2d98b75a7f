//! A repository that tries to make an editor run its programs when a file is opened.

use serde_json::json;

use crate::session::{BAD, RULE, Session, rules};
use crate::tricks::{PLACES, Tricks};

#[test]
fn opening_a_file_runs_no_programs_named_in_the_repository() {
    let tricks = Tricks::new();
    let clone = tricks.clone_folder();
    for base in [None, Some("HEAD~1")] {
        let mut session = Session::start();
        session.initialize(json!({}), json!({ "pauseMilliseconds": 0, "base": base }));
        let folder = json!({ "uri": session.uri(&clone.display().to_string()), "name": "clone" });
        let event = json!({ "event": { "added": [folder], "removed": [] } });
        session.notify("workspace/didChangeWorkspaceFolders", event);
        for (folder, file) in PLACES
            .into_iter()
            .chain([(".", "new.py"), ("bare", "new.py")])
        {
            let path = clone.join(folder).join(file).display().to_string();
            session.open(&path, "python", BAD);
            let found = session.published(&path, 1);
            assert_eq!(tricks.ran(), Vec::<String>::new(), "{path}");
            // A submodule has only one commit.
            if base.is_none() {
                assert_eq!(
                    rules(&found),
                    [RULE],
                    "{path}: reviewed as a file of the checkout around it"
                );
            }
        }
        let path = clone.join(".git/description").display().to_string();
        session.open(&path, "python", BAD);
        assert!(
            session.published(&path, 1).is_empty(),
            "no file of the working tree"
        );
    }
}
