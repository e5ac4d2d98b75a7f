//! A repository that tries to make a coding agent's review run its programs.

use serde_json::json;

use crate::session::{RULE, Session, findings};
use crate::tricks::{PLACES, Tricks};

#[test]
fn no_tool_runs_programs_named_in_the_repository() {
    let tricks = Tricks::new();
    let clone = tricks.clone_folder();
    let mut session = Session::start(&clone, &[]);
    session.initialize(None);
    for (folder, _) in PLACES {
        for change in [
            json!({}),
            json!({ "staged": true }),
            json!({ "base": "HEAD" }),
        ] {
            let mut arguments = change;
            arguments["path"] = folder.into();
            let id = session.begin(
                "tools/call",
                json!({ "name": "review_working_tree", "arguments": arguments }),
            );
            let answer = session.answer(id).to_string();
            assert_eq!(tricks.ran(), Vec::<String>::new(), "{folder}: {answer}");
            assert_eq!(
                answer.contains("looks like a bare git repository"),
                matches!(folder, "bare" | "linked" | "sub/bare"),
                "{folder}: {answer}"
            );
        }
    }
    let expected =
        ["a.py", "bare/main.py", "linked/main.py", "new.py"].map(|path| format!("{path}:1 {RULE}"));
    assert_eq!(
        findings(&session.call("review_working_tree", json!({}))),
        expected
    );
    session.call("list_rules", json!({}));
    assert_eq!(tricks.ran(), Vec::<String>::new());
}
