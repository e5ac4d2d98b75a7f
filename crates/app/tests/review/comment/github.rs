//! A fake GitHub that follows its documentation.

use serde_json::{Value, json};

use super::server::{Reply, Request, Service, numbers, page};

/// A pull request and its comments.
#[derive(Default)]
pub(crate) struct GitHub {
    pub(crate) base: String,
    pub(crate) files: Vec<Value>,
    /// Review comments and issue comments.
    pub(crate) comments: Vec<Value>,
    pub(crate) notes: Vec<Value>,
    /// The resolved threads, each with the login.
    pub(crate) resolved: Vec<(String, String)>,
    /// Responses to the next requests with a line that contains the text.
    pub(crate) faults: Vec<(&'static str, u16, &'static str)>,
    last: u64,
}

impl GitHub {
    fn new_id(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub(crate) fn add_comment(&mut self, login: &str, path: &str, line: u64, body: &str) {
        let id = self.new_id();
        self.comments.push(
            json!({ "id": id, "node_id": format!("C{id}"), "user": { "login": login }, "path": path,
            "line": line, "start_line": null, "in_reply_to_id": null, "body": body }),
        );
    }

    fn has(&self, comment: &Value) -> bool {
        let file = self
            .files
            .iter()
            .find(|file| file["filename"] == comment["path"]);
        let lines = numbers(
            file.and_then(|file| file["patch"].as_str())
                .unwrap_or_default(),
        );
        let is_there = |line: &Value| {
            lines.iter().any(|(old, new)| if comment["side"] == "LEFT" { *old } else { *new } == line.as_u64())
        };
        is_there(&comment["line"])
            && (comment["start_line"].is_null() || is_there(&comment["start_line"]))
    }

    fn review(&mut self, body: &Value) -> Reply {
        let comments = body["comments"].as_array().unwrap();
        assert_eq!(
            (&body["event"], &body["commit_id"]),
            (&json!("COMMENT"), &json!("head"))
        );
        if !comments.iter().all(|comment| self.has(comment)) {
            return Reply(
                422,
                String::new(),
                json!({ "message": "Line could not be resolved" }),
            );
        }
        for comment in comments {
            let (path, text) = (
                comment["path"].as_str().unwrap(),
                comment["body"].as_str().unwrap(),
            );
            self.add_comment(
                "github-actions[bot]",
                path,
                comment["line"].as_u64().unwrap(),
                text,
            );
            self.comments.last_mut().unwrap()["start_line"] = comment["start_line"].clone();
        }
        Reply(
            200,
            String::new(),
            json!({ "user": { "login": "github-actions[bot]" } }),
        )
    }

    fn graphql(&mut self, body: &Value) -> Reply {
        let query = body["query"].as_str().unwrap();
        let id = body["variables"]["id"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        if query.contains("unresolveReviewThread") {
            self.resolved.retain(|(thread, _)| *thread != id);
        } else if query.contains("resolveReviewThread") {
            self.resolved.push((id, "github-actions".to_owned()));
        }
        Reply(
            200,
            String::new(),
            json!({ "data": { "repository": { "pullRequest": { "reviewThreads": self.threads(body) } } } }),
        )
    }

    /// Pages of one thread each.
    fn threads(&self, body: &Value) -> Value {
        let at: usize = body["variables"]["after"]
            .as_str()
            .map_or(0, |cursor| cursor.parse().unwrap());
        let node = self.comments.get(at).map(|comment| {
            let id = format!("T{}", comment["id"]);
            let by = self
                .resolved
                .iter()
                .find(|(thread, _)| *thread == id)
                .map(|(_, login)| json!({ "login": login }));
            json!({ "id": id, "isResolved": by.is_some(), "resolvedBy": by,
                "comments": { "nodes": [{ "id": comment["node_id"] }] } })
        });
        let info = json!({ "hasNextPage": at + 1 < self.comments.len(), "endCursor": (at + 1).to_string() });
        json!({ "pageInfo": info, "nodes": node.into_iter().collect::<Vec<_>>() })
    }
}

fn update(list: &mut [Value], line: &str, body: &Value) -> Reply {
    let id: u64 = line.rsplit('/').next().unwrap().parse().unwrap();
    let one = list.iter_mut().find(|one| one["id"] == id).unwrap();
    one["body"] = body["body"].clone();
    Reply(200, String::new(), one.clone())
}

impl Service for GitHub {
    fn answer(&mut self, Request { line, head, body }: &Request) -> Reply {
        assert!(
            head.contains("authorization: bearer the-token\r\n"),
            "{head}"
        );
        if let Some(at) = self
            .faults
            .iter()
            .position(|(part, ..)| line.contains(part))
        {
            let (_, status, extra) = self.faults.remove(at);
            return Reply(status, extra.to_owned(), json!({ "message": "no" }));
        }
        let path = line.split('?').next().unwrap();
        match path.replace("/api/v3/repos/acme/shop", "").as_str() {
            "GET /api/v3/user" => Reply(
                403,
                String::new(),
                json!({ "message": "Resource not accessible by integration" }),
            ),
            "GET /pulls/7" => Reply(200, String::new(), json!({ "head": { "sha": "head" } })),
            "GET /pulls/7/files" => page(&self.base, line, &self.files),
            "GET /pulls/7/comments" => page(&self.base, line, &self.comments),
            "GET /issues/7/comments" => page(&self.base, line, &self.notes),
            "POST /pulls/7/reviews" => self.review(body),
            "POST /api/graphql" => self.graphql(body),
            "POST /issues/7/comments" => {
                let id = self.new_id();
                self.notes
                    .push(json!({ "id": id, "node_id": format!("N{id}"),
                    "user": { "login": "github-actions[bot]" }, "body": body["body"] }));
                Reply(201, String::new(), json!({}))
            }
            patch if patch.starts_with("PATCH /pulls/comments/") => {
                update(&mut self.comments, path, body)
            }
            patch if patch.starts_with("PATCH /issues/comments/") => {
                update(&mut self.notes, path, body)
            }
            _ => Reply(404, String::new(), json!({ "message": "Not Found" })),
        }
    }
}
