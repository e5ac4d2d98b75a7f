//! The requested page of a list: `?limit=` and `?cursor=`.

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

/// Describes the pagination parameters in the OpenAPI document.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters; Page reads them")]
pub(crate) struct PageParameters {
    /// Maximum number of items on a page
    #[param(value_type = u32, required = false, default = json!(DEFAULT_LIMIT), minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `nextCursor` of the previous page, to be sent with the same parameters
    #[param(value_type = String, required = false)]
    cursor: Option<String>,
}

/// The requested page of a list; `I` is the ID of its items.
pub(crate) struct Page<I = OrganizationId> {
    /// Maximum number of items, 1 to 100.
    pub(crate) limit: u32,
    /// The last item of the previous page. Opaque to callers: that page's `nextCursor`.
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
    /// Takes the pagination parameters, and adds their faults.
    pub(crate) fn take(parameters: &mut Parameters) -> Self {
        let limit = parameters.take("limit", |text| {
            // Only digits are allowed, because parsing also accepts a sign.
            let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            let limit = digits
                .and_then(|text| text.parse().ok())
                .filter(|limit| (1..=MAX_LIMIT).contains(limit));
            limit.ok_or_else(|| format!("must be a number from 1 to {MAX_LIMIT}").into())
        });
        let after = parameters.take("cursor", |text| {
            text.parse()
                .map_err(|_| "is not the `nextCursor` of a page".into())
        });
        Self {
            limit: limit.unwrap_or(DEFAULT_LIMIT),
            after,
        }
    }
}

impl<I: Display> Page<I> {
    /// Cuts a list that was read with one item more than the page has, and returns the cursor of the next page.
    pub(crate) fn cut<T>(&self, items: &mut Vec<T>, id: impl Fn(&T) -> I) -> Option<String> {
        let size = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let more = items.len() > size;
        items.truncate(size);
        items
            .last()
            .filter(|_| more)
            .map(|last| id(last).to_string())
    }
}
