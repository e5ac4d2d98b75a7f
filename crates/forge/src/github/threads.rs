//! The threads of review comments.

use reqwest::{Method, Url};
use serde::Deserialize;
use serde_json::{Value, json};

use super::GitHub;
use super::wire::User;
use crate::failure::Failure;
use crate::host::Resolver;

/// Maximum number of pages of threads.
const PAGES: usize = 50;

const THREADS: &str = "query($owner:String!,$name:String!,$number:Int!,$after:String){repository(owner:$owner,name:$name){\
    pullRequest(number:$number){reviewThreads(first:100,after:$after){pageInfo{hasNextPage endCursor}\
    nodes{id isResolved resolvedBy{login} comments(first:1){nodes{id}}}}}}}";
const RESOLVE: &str = "mutation($id:ID!){resolveReviewThread(input:{threadId:$id}){thread{id}}}";
const UNRESOLVE: &str =
    "mutation($id:ID!){unresolveReviewThread(input:{threadId:$id}){thread{id}}}";

/// The state of a thread.
pub(super) struct State {
    pub(super) id: String,
    /// The ID of its first comment.
    pub(super) comment: String,
    pub(super) resolved: Option<Resolver>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    page_info: PageInfo,
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
    end_cursor: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    id: String,
    is_resolved: bool,
    resolved_by: Option<User>,
    comments: Comments,
}

#[derive(Debug, Deserialize)]
struct Comments {
    nodes: Vec<FirstComment>,
}

#[derive(Debug, Deserialize)]
struct FirstComment {
    id: String,
}

impl GitHub {
    /// The threads of the pull request.
    pub(super) async fn threads(&self, author: &str) -> Result<Vec<State>, Failure> {
        let mut states = Vec::new();
        let mut after = None;
        for _ in 0..PAGES {
            let page = self.threads_after(after).await?;
            states.extend(
                page.nodes
                    .into_iter()
                    .filter_map(|node| state(node, author)),
            );
            after = page
                .page_info
                .end_cursor
                .filter(|_| page.page_info.has_next_page);
            if after.is_none() {
                return Ok(states);
            }
        }
        Err(self.api.failure(
            &self.graphql(),
            format!("the pull request has more than {PAGES} pages of threads"),
        ))
    }

    async fn threads_after(&self, after: Option<String>) -> Result<Page, Failure> {
        let variables = json!({
            "owner": self.repository.owner, "name": self.repository.name, "number": self.number, "after": after,
        });
        let mut data = self.ask(THREADS, &variables).await?;
        let page = data
            .pointer_mut("/repository/pullRequest/reviewThreads")
            .map(Value::take)
            .unwrap_or_default();
        serde_json::from_value(page).map_err(|error| {
            self.api
                .failure(&self.graphql(), format!("no threads: {error}"))
        })
    }

    /// Resolves or reopens a thread.
    pub(super) async fn resolve(&self, id: &str, resolved: bool) -> Result<(), Failure> {
        let mutation = if resolved { RESOLVE } else { UNRESOLVE };
        self.ask(mutation, &json!({ "id": id })).await.map(drop)
    }

    /// The data of a response. GraphQL returns errors in successful responses.
    async fn ask(&self, query: &str, variables: &Value) -> Result<Value, Failure> {
        let body = json!({ "query": query, "variables": variables });
        let mut answer: Value = self.api.write(Method::POST, self.graphql(), &body).await?;
        match answer.pointer("/errors/0") {
            None => Ok(answer["data"].take()),
            Some(error) if error["type"] == "FORBIDDEN" => {
                Err(Failure::Forbidden(error["message"].to_string()))
            }
            Some(error) => Err(self.api.failure(&self.graphql(), &error["message"])),
        }
    }

    /// The GraphQL endpoint: `https://api.github.com/graphql`, or `https://HOST/api/graphql` for `https://HOST/api/v3`.
    fn graphql(&self) -> Url {
        let mut url = self.api.base().clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty();
        }
        if url.path().ends_with("/v3")
            && let Ok(mut path) = url.path_segments_mut()
        {
            path.pop();
        }
        if let Ok(mut path) = url.path_segments_mut() {
            path.push("graphql");
        }
        url
    }
}

fn state(node: Node, author: &str) -> Option<State> {
    // GraphQL returns the names of bots without the suffix.
    let bare = |login: &str| login.trim_end_matches("[bot]").to_ascii_lowercase();
    let by_us = node
        .resolved_by
        .is_some_and(|user| bare(&user.login) == bare(author));
    let resolver = if by_us {
        Resolver::Us
    } else {
        Resolver::SomeoneElse
    };
    let comment = node.comments.nodes.into_iter().next()?.id;
    Some(State {
        id: node.id,
        comment,
        resolved: node.is_resolved.then_some(resolver),
    })
}
