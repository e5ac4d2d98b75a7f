//! Runs the engines on a change, for the commands that review in this process.

pub(crate) mod cut;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod request_id;

use std::time::{Duration, Instant};

use review::chunk::Sizes;
use review::output::json::{self, ReviewBody};
use review::repository::Repository;
use review::{
    Budget, Diff, Language, Options, Progress, Request, Review, Scope, TextMask, Warning,
};
use settings::Settings;

use crate::engines::Engines;
use crate::outcome::Error;
use crate::project::Policy;
use cut::cut;
use input::WithFiles;
use request_id::request_id;

/// How a change is to be reviewed.
pub(crate) struct Analysis<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) policy: &'a Policy,
    pub(crate) language: Option<Language>,
    /// `None`: the value from the repository or the settings.
    pub(crate) min_confidence: Option<f32>,
    /// The description of the change.
    pub(crate) message: Option<&'a str>,
    /// The repository around the change, if the review may read it.
    pub(crate) repository: Option<&'a dyn Repository>,
}

impl Analysis<'_> {
    /// Removes the files that are not reviewed from the diff, with a warning for each.
    pub(crate) fn cut(&self, diff: &mut Diff<'_>) -> Vec<Warning> {
        let mut warnings = self.policy.cut(diff);
        warnings.extend(cut(diff, self.language, &self.settings.limits));
        warnings
    }

    /// Runs the engines on a change. Dropping the future ends their work.
    ///
    /// # Errors
    /// A required engine completed no chunk.
    pub(crate) async fn run(
        &self,
        engines: &Engines,
        change: &WithFiles<'_, '_>,
        observe: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Review, Error> {
        let options = self.options();
        let deadline =
            tokio::time::sleep(Duration::from_secs(self.settings.limits.analysis_seconds));
        let budget = Budget::of_bytes(change.bytes);
        let filter = self.policy.filter(change.diff);
        let request = Request {
            diff: change.diff,
            context: change.context(),
            target_language: self.language,
            engines: engines.list(),
            filters: &[&filter],
            options: &options,
            repository: self.repository,
            budget: &budget,
            mask: TextMask(syntax::semantics::secrets::mask_texts),
        };
        review::review(request, deadline, observe)
            .await
            .map_err(|failure| match engines.unavailable() {
                Some(reason) => Error::failure(format!("{failure}: {reason}")),
                None => Error::failure(failure),
            })
    }

    pub(crate) fn options(&self) -> Options {
        let limits = &self.settings.limits;
        let least = self.min_confidence.or(self.policy.min_confidence());
        Options {
            max_findings: limits.findings,
            min_confidence: least.unwrap_or(self.settings.reviews.min_confidence),
            sizes: Sizes {
                line_bytes: limits.line_bytes,
                ..Default::default()
            },
            scope: Scope {
                guidelines: self.policy.guidelines().map(str::to_owned),
                change_description: self.message.map(str::to_owned),
                ..Scope::default()
            },
        }
    }
}

/// The result of a review in this process. The warnings in `before` come first.
pub(crate) fn body(mut before: Vec<Warning>, mut review: Review, started: Instant) -> ReviewBody {
    before.append(&mut review.warnings);
    review.warnings = before;
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    json::body(&request_id(), None, &review, milliseconds)
}
