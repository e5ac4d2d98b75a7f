//! `tools/call`.

use axum::response::Response;
use mcp::{Error, MAX_LIMIT, ORGANIZATION, Page, ProgressReporter, ToolName, refusal, review_page};
use review::output::json::ReviewBody;
use review::{Category, Diff, Language};
use serde_json::Value;
use store::OrganizationId;

use super::events::Messages;
use super::refusal::tool_error;
use super::reply::Reply;
use crate::State;
use crate::error::{FieldError, Problem};
use crate::extract::json::{Fields, Hold};
use crate::extract::{Call, Entitled, MediaType, Member, Reviewer, ReviewsWrite, Unconfirmed};
use crate::handlers::reviews::diff_sync::{self, Changed, ReviewInput, target_language};

/// Maximum length of a rule's ID; no rule has a longer one.
const RULE_ID_BYTES: usize = 200;

type Posted = Unconfirmed<Reviewer, ()>;

/// The parameters of the request.
struct Params {
    name: String,
    arguments: Fields,
    progress_token: Option<Value>,
}

fn params(mut fields: Fields) -> Result<Params, Problem> {
    let name = fields.required_text("name");
    let arguments = fields.object("arguments");
    let mut meta = fields.object("_meta");
    let progress_token = meta.optional_name("progressToken");
    meta.check()?;
    fields.finish_open(name.map(|name| Params {
        name,
        arguments,
        progress_token,
    }))
}

/// Calls a tool. A problem that the caller can solve is returned as the tool's result.
///
/// # Errors
/// Any other problem.
pub(super) async fn call(
    state: &State,
    posted: Posted,
    fields: Fields,
    hold: Hold,
    reply: Reply,
) -> Result<Response, Problem> {
    let params = match params(fields) {
        Ok(params) => params,
        Err(problem) => {
            posted.confirm(state).await?;
            return Ok(reply.error(&Error::invalid_params(problem.detail)));
        }
    };
    match run(state, posted, params, hold, &reply).await {
        Err(problem) => tool_error(&problem, state.now())
            .map(|refusal| reply.tool(&refusal))
            .ok_or(problem),
        answered => answered,
    }
}

async fn run(
    state: &State,
    posted: Posted,
    params: Params,
    hold: Hold,
    reply: &Reply,
) -> Result<Response, Problem> {
    let Params {
        name,
        arguments,
        progress_token,
    } = params;
    match (state.mcp().find(&name), &state.settings().rules) {
        (Ok(ToolName::ReviewDiff), _) => {
            let (call, page) = asked_review(state, posted, arguments, hold).await?;
            review(
                state,
                call,
                page,
                ProgressReporter::new(progress_token),
                reply,
            )
            .await
        }
        (Ok(ToolName::ExplainRule), Some(rules)) => {
            let id = rule_id(arguments)?;
            posted.confirm(state).await?;
            Ok(reply.tool(
                &rules
                    .explain(&id)
                    .map_or_else(|why| refusal(&why), Into::into),
            ))
        }
        (Ok(ToolName::ListRules), Some(rules)) => {
            let (language, category, page) = kinds(arguments)?;
            posted.confirm(state).await?;
            Ok(reply.tool(&rules.list(language, category, page).into()))
        }
        (found, _) => {
            posted.confirm(state).await?;
            Ok(reply.error(&found.err().unwrap_or_else(|| state.mcp().unknown_tool())))
        }
    }
}

fn rule_id(mut arguments: Fields) -> Result<String, Problem> {
    let id = arguments.required_text("ruleId");
    if id.as_ref().is_some_and(|id| id.len() > RULE_ID_BYTES) {
        arguments.fault("ruleId", format!("must have at most {RULE_ID_BYTES} bytes"));
    }
    arguments.finish(id)
}

fn kinds(mut arguments: Fields) -> Result<(Option<Language>, Option<Category>, Page), Problem> {
    let page = page(&mut arguments);
    let language = target_language(&mut arguments, "language");
    let category = arguments.optional_text("category").and_then(|name| {
        let category = name.parse().ok();
        if category.is_none() {
            let known: Vec<&str> = Category::ALL
                .iter()
                .map(|category| category.as_str())
                .collect();
            arguments.fault("category", format!("must be one of {}", known.join(", ")));
        }
        category
    });
    arguments.finish(page.map(|page| (language, category, page)))
}

/// The page in the arguments; invalid ones are added to their faults.
fn page(arguments: &mut Fields) -> Option<Page> {
    let cursor = arguments.optional_text("cursor");
    let limit = arguments
        .nullable_number("limit", MAX_LIMIT as u64)
        .flatten();
    match Page::new(cursor.as_deref(), limit) {
        Ok(page) => Some(page),
        Err((argument, why)) => {
            arguments.fault(argument, why);
            None
        }
    }
}

/// Makes the API's checks of a review, in their order.
async fn asked_review(
    state: &State,
    posted: Posted,
    mut arguments: Fields,
    hold: Hold,
) -> Result<(Call<Entitled<ReviewsWrite>, ReviewInput>, Page), Problem> {
    let Call {
        context,
        principal: Reviewer(caller),
        answer,
        input: (),
    } = posted.0;
    let organization = organization(&mut arguments, caller.bound_to)?;
    let member = Member::of(caller, organization, &context, state).await?;
    let page = page(&mut arguments).unwrap_or_default();
    let input = ReviewInput::of_fields(arguments, hold, (Changed::Refused, false), state).await?;
    let call = Unconfirmed(Call {
        context,
        principal: Entitled::from(member),
        answer,
        input,
    });
    Ok((call.confirm(state).await?, page))
}

/// The organization in the argument, if it is a well-formed ID; without the argument, the one that the token is bound
/// to.
fn organization(
    arguments: &mut Fields,
    bound_to: Option<OrganizationId>,
) -> Result<Option<OrganizationId>, Problem> {
    let name = arguments.optional_text(ORGANIZATION);
    arguments.check()?;
    match (name, bound_to) {
        (Some(name), _) => Ok(name.parse().ok()),
        (None, Some(organization)) => Ok(Some(organization)),
        (None, None) => {
            let detail =
                "is missing; it is optional only if the access token is bound to an organization";
            Err(Problem::invalid(vec![FieldError::at(ORGANIZATION, detail)]))
        }
    }
}

async fn review(
    state: &State,
    call: Call<Entitled<ReviewsWrite>, ReviewInput>,
    page: Page,
    progress: ProgressReporter,
    reply: &Reply,
) -> Result<Response, Problem> {
    let job = diff_sync::admit(state.clone(), call).await?;
    let render = move |body: ReviewBody, diff: &Diff<'_>| {
        review_page(ToolName::ReviewDiff, &body, diff, page)
    };
    if reply.form == MediaType::EventStream || progress.is_wanted() && reply.streams {
        let events = Messages {
            id: reply.id.clone(),
            progress,
            clock: state.clock().clone(),
        };
        return Ok(diff_sync::respond(job, render, events));
    }
    let answer = job.run(&mut |_| (), render).await?;
    Ok(reply.tool(&answer.into()))
}
