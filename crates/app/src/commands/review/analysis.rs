//! The engines on a change, for each command that reviews in this process.

use std::time::{Duration, Instant};

use review::chunk::Sizes;
use review::output::json::{self, ReviewBody};
use review::repository::Repository;
use review::{
    Budget, Diff, Language, Options, Progress, Request, Review, Scope, TextMask, Warning,
};

use super::input::{Input, cut};
use super::request_id::request_id;
use crate::engines::Engines;
use crate::git::repository::Surroundings;
use crate::outcome::Error;
use crate::project::Policy;
use crate::settings::Settings;

/// How a change is to be reviewed.
pub(in crate::commands) struct Analysis<'a> {
    pub(in crate::commands) settings: &'a Settings,
    pub(in crate::commands) policy: &'a Policy,
    pub(in crate::commands) language: Option<Language>,
    /// `None`: what the repository or the settings say.
    pub(in crate::commands) min_confidence: Option<f32>,
    /// What the change is meant to do.
    pub(in crate::commands) message: Option<&'a str>,
    /// The repository around the change, as far as the review may look into it.
    pub(in crate::commands) repository: Option<&'a Surroundings>,
}

impl Analysis<'_> {
    /// Leaves out what is not to be reviewed, with a warning for each file.
    pub(in crate::commands) fn cut(&self, diff: &mut Diff<'_>) -> Vec<Warning> {
        let mut warnings = self.policy.cut(diff);
        warnings.extend(cut(diff, self.language, &self.settings.limits));
        warnings
    }

    /// Runs the engines on the diff of an input. Dropping the future ends their work.
    ///
    /// # Errors
    /// An engine that is required finished nothing.
    pub(in crate::commands) async fn run(
        &self,
        engines: &Engines,
        (diff, input): (&Diff<'_>, &Input),
        observe: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Review, Error> {
        let options = self.options();
        let deadline =
            tokio::time::sleep(Duration::from_secs(self.settings.limits.analysis_seconds));
        let files = input.read_files(diff, self.language);
        let budget = Budget::of_bytes(input.text().len().saturating_add(files.bytes()));
        let filter = self.policy.filter(diff);
        let request = Request {
            diff,
            context: files.context(),
            target_language: self.language,
            engines: engines.list(),
            filters: &[&filter],
            options: &options,
            repository: self
                .repository
                .map(|repository| repository as &dyn Repository),
            budget: &budget,
            mask: TextMask(lint::mask_texts),
        };
        review::review(request, deadline, observe)
            .await
            .map_err(|failure| match engines.unavailable() {
                Some(reason) => Error::failure(format!("{failure}: {reason}")),
                None => Error::failure(failure),
            })
    }

    pub(super) fn options(&self) -> Options {
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

/// The answer of a review that no service was asked for; what was said before it comes first.
pub(in crate::commands) fn body(
    mut before: Vec<Warning>,
    mut review: Review,
    started: Instant,
) -> ReviewBody {
    before.append(&mut review.warnings);
    review.warnings = before;
    let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    json::body(&request_id(), None, &review, milliseconds)
}
