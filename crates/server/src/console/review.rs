//! /organizations/{organizationId}/review: accepts a pasted or dropped diff, and shows it with its findings.
//!
//! The review is the API's, with the same checks, quota, metering and deadline. Its result is rendered into the
//! response and not stored. A script requests `text/event-stream`, and receives the API's progress followed by the same
//! rendering.

mod diff_view;
mod downloads;
mod finding_view;
mod form;
mod list;
mod places;
mod result;
mod suggestion;
mod syntax;
mod words;

use askama::Template;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::Response;
use review::output::json::ReviewBody;
use review::repository::{MAX_CONTEXT_BYTES, MAX_CONTEXT_FILES};
use review::{Diff, Recipient};

use super::place::Place;
use crate::State;
use crate::error::Problem;
use crate::extract::session::Session;
use crate::extract::{Call, Entitled, MediaType, Member, Nothing, ReviewsWrite};
use crate::handlers::reviews::diff_sync::{self, ApiEvents, admit};
use crate::product::DIFF_REVIEW;
use crate::web::page::{Frame, respond};
use crate::web::shown::Prose;
use form::{Draft, ReviewForm};

#[derive(Template)]
#[template(path = "review/review.html")]
struct ReviewPage {
    frame: Frame,
    place: Place,
    draft: Draft,
    problem: Option<Problem>,
    has_sample: bool,
    /// Whether a language model is used.
    asks_models: bool,
    /// The language models that the diff may be sent to, the preferred one first.
    recipients: Vec<Recipient>,
    /// Whether a language model may look into the files of a chosen folder or archive.
    looks_up: bool,
    /// Whether the member may review, as far as known before a review.
    is_entitled: bool,
    /// The rendered result; `None` before a review.
    result: Option<String>,
}

impl ReviewPage {
    fn new(state: &State, session: &Session, member: &Member<ReviewsWrite>) -> Self {
        Self {
            frame: Frame::of(member.caller.name.clone(), session.form_token()),
            place: Place::of(&member.membership, "review"),
            draft: Draft::default(),
            problem: None,
            has_sample: state.settings().sample_diff.is_some(),
            asks_models: state.asks_models(),
            recipients: state.recipients(),
            looks_up: state.asks_models() && state.limits().look_ups.is_some(),
            is_entitled: true,
            result: None,
        }
    }
}

impl ReviewPage {
    /// The problem with the input.
    fn detail(&self) -> Prose<'_> {
        Prose(self.problem.as_ref().map_or("", |problem| &problem.detail))
    }
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<Member<ReviewsWrite>, Nothing>,
) -> Result<Response, Problem> {
    let member = call.principal;
    let (organization, user) = (member.membership.organization.id, member.caller.user);
    let entitlement = state
        .store()
        .find_active_entitlement(organization, user, DIFF_REVIEW, state.now())
        .await?;
    let page = ReviewPage {
        is_entitled: entitlement.is_some(),
        ..ReviewPage::new(&state, &session, &member)
    };
    Ok(respond(StatusCode::OK, &page))
}

pub(super) async fn submit(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<Entitled<ReviewsWrite>, ReviewForm>,
) -> Result<Response, Problem> {
    let Call {
        context,
        principal,
        answer,
        input: ReviewForm { draft, input },
    } = call;
    let page = ReviewPage {
        draft,
        ..ReviewPage::new(&state, &session, &principal.member)
    };
    let input = match input {
        Ok(input) => input,
        Err(problem) if answer == MediaType::EventStream => return Err(problem),
        // The user's input is not lost.
        Err(problem) => {
            return Ok(respond(
                problem.code.status(),
                &ReviewPage {
                    problem: Some(problem),
                    ..page
                },
            ));
        }
    };
    let read_as = (input.target_language, input.has_whole_files);
    let job = admit(
        state.clone(),
        Call {
            context,
            principal,
            answer,
            input,
        },
    )
    .await?;
    let rules = state.rule_pages().cloned();
    let render = move |body: ReviewBody, diff: &Diff<'_>| {
        result::render(&body, diff, read_as, rules.as_ref())
    };
    if answer == MediaType::EventStream {
        return Ok(diff_sync::respond(job, render, ApiEvents::new()));
    }
    let result = Some(job.run(&mut |_| (), render).await?);
    Ok(respond(StatusCode::OK, &ReviewPage { result, ..page }))
}
