//! A fake GitLab that follows its documentation.

use serde_json::{Value, json};

use super::server::{Reply, Request, Service, numbers, page};

/// A merge request and its comments.
#[derive(Default)]
pub(crate) struct GitLab {
    pub(crate) base: String,
    pub(crate) diffs: Vec<Value>,
    pub(crate) discussions: Vec<Value>,
    /// The status with which the next write requests are refused.
    pub(crate) refuses: Option<u16>,
}

impl GitLab {
    pub(crate) fn add_comment(&mut self, author: u64, body: &Value, position: Option<&Value>) {
        let id = self.discussions.len() + 1;
        self.discussions.push(json!({ "id": format!("d{id}"), "individual_note": position.is_none(), "notes": [{
            "id": id, "body": body, "author": { "id": author }, "resolvable": position.is_some(), "resolved": false,
            "resolved_by": null, "position": position }] }));
    }

    pub(crate) fn notes(&self) -> impl Iterator<Item = &Value> {
        self.discussions
            .iter()
            .map(|discussion| &discussion["notes"][0])
    }

    fn create_discussion(&mut self, body: &Value) -> Reply {
        let position = &body["position"];
        let hashes = ["base_sha", "start_sha", "head_sha"]
            .map(|name| position[name].as_str().unwrap_or_default());
        assert_eq!(hashes, ["b", "s", "h"]);
        let file = self
            .diffs
            .iter()
            .find(|file| file["new_path"] == position["new_path"]);
        let lines = numbers(
            file.and_then(|file| file["diff"].as_str())
                .unwrap_or_default(),
        );
        if !lines.contains(&(position["old_line"].as_u64(), position["new_line"].as_u64())) {
            return Reply(
                400,
                String::new(),
                json!({ "message": "line_code can't be blank" }),
            );
        }
        self.add_comment(1, &body["body"], Some(position));
        Reply(201, String::new(), json!({}))
    }

    fn change(&mut self, id: &str, change: impl FnOnce(&mut Value)) -> Reply {
        let at: usize = id.trim_start_matches('d').parse().unwrap();
        change(&mut self.discussions[at - 1]["notes"][0]);
        Reply(200, String::new(), json!({}))
    }
}

impl Service for GitLab {
    fn answer(&mut self, Request { line, head, body }: &Request) -> Reply {
        assert!(head.contains("private-token: the-token\r\n"), "{head}");
        if let Some(status) = self.refuses.filter(|_| !line.starts_with("GET ")) {
            return Reply(status, String::new(), json!({ "message": "no" }));
        }
        let path = line
            .split('?')
            .next()
            .unwrap()
            .replace("/api/v4/projects/acme%2Fshop/merge_requests/3", "");
        match path.as_str() {
            "GET /api/v4/user" => Reply(200, String::new(), json!({ "id": 1, "username": "bot" })),
            "GET " => {
                let refs = json!({ "base_sha": "b", "start_sha": "s", "head_sha": "h" });
                Reply(200, String::new(), json!({ "diff_refs": refs }))
            }
            "GET /diffs" => page(&self.base, line, &self.diffs),
            "GET /discussions" => page(&self.base, line, &self.discussions),
            "POST /discussions" => self.create_discussion(body),
            "POST /notes" => {
                self.add_comment(1, &body["body"], None);
                Reply(201, String::new(), json!({}))
            }
            _ => match path.rsplit_once('/') {
                Some(("PUT /notes", id)) => {
                    self.change(id, |note| note["body"] = body["body"].clone())
                }
                Some(("PUT /discussions", id)) => self.change(id, |note| {
                    note["resolved"] = body["resolved"].clone();
                    note["resolved_by"] = json!({ "id": 1 });
                }),
                _ => Reply(404, String::new(), json!({ "message": "404 Not found" })),
            },
        }
    }
}
