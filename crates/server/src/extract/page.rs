//! The part of a list that is asked for: `?limit=` and `?cursor=`.

use std::fmt::Display;
use std::str::FromStr;

use axum::body::Body;
use axum::http::request::Parts;
use store::OrganizationId;

use super::Input;
use super::query::Parameters;
use crate::State;
use crate::error::Problem;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 100;

/// Describes the parameters of a page in the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters; Page reads them")]
pub(crate) struct PageParameters {
    /// Items on a page
    #[param(value_type = u32, required = false, default = json!(DEFAULT_LIMIT), minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `nextCursor` of the page before, asked for with the same parameters
    #[param(value_type = String, required = false)]
    cursor: Option<String>,
}

/// The part of a list that is asked for; `I` is the ID of its items.
pub(crate) struct Page<I = OrganizationId> {
    /// At most so many, 1 to 100.
    pub(crate) limit: u32,
    /// Those after this one. To callers it is opaque: the `nextCursor` of the page before.
    pub(crate) after: Option<I>,
}

impl<I: FromStr + Send> Input for Page<I> {
    async fn read(parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        let mut parameters = Parameters::of(parts);
        let page = Self::take(&mut parameters);
        parameters.finish()?;
        Ok(page)
    }
}

impl<I: FromStr> Page<I> {
    /// Takes the parameters of a page, and notes their faults.
    pub(crate) fn take(parameters: &mut Parameters) -> Self {
        let limit = parameters.take("limit", |text| {
            // Digits and nothing else: a number may be parsed with a sign as well.
            let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            let limit = digits.and_then(|text| text.parse().ok()).filter(|limit| (1..=MAX_LIMIT).contains(limit));
            limit.ok_or_else(|| format!("must be a number from 1 to {MAX_LIMIT}").into())
        });
        let after =
            parameters.take("cursor", |text| text.parse().map_err(|_| "is not the `nextCursor` of a page".into()));
        Self { limit: limit.unwrap_or(DEFAULT_LIMIT), after }
    }
}

impl<I: Display> Page<I> {
    /// Cuts a list that was asked for with one item more than the page has, and says where the next page starts.
    pub(crate) fn cut<T>(&self, items: &mut Vec<T>, id: impl Fn(&T) -> I) -> Option<String> {
        let size = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let more = items.len() > size;
        items.truncate(size);
        items.last().filter(|_| more).map(|last| id(last).to_string())
    }
}
