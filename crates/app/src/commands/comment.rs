//! `hunkwise comment`: the findings of a review as comments on the lines of a pull or merge request.
//!
//! `plan.rs` decides what to write, from the findings, the existing comments and the host's diff. It does no I/O.
//! `publish.rs` carries out the plan.

mod place;
mod plan;
mod publish;
mod suggestion;
mod summary;
mod target;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use forge::{GitHub, GitLab, is_fingerprint, real_pause};
use review::Priority;
use review::output::json::ReviewBody;

use super::{Context, block_on};
use crate::outcome::{Error, Outcome};
use publish::Publisher;
use target::target;

/// Maximum size of a review, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Write the findings of a review as comments of a pull or merge request
///
/// Each finding gets one comment on its line, and a later run changes, keeps or resolves it. Findings without a line in
/// the host's diff are in one summary comment. The token is taken from GITHUB_TOKEN or GITLAB_TOKEN.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example for a CI job with a shell that stops at the first status other than 0:
  status=0; review=$(mktemp)
  hunkwise review --base origin/main --format \"json=$review\" || status=$?
  hunkwise comment --github \"$review\"
  exit \"$status\""
)]
pub(crate) struct Args {
    #[command(flatten)]
    target: target::Args,

    /// The output of `hunkwise review --format json`; - is stdin
    #[arg(value_name = "REVIEW.json", default_value = "-")]
    review: PathBuf,

    /// Lowest priority to comment on
    #[arg(
        long,
        value_name = "PRIORITY",
        default_value = "P3",
        ignore_case = true
    )]
    min_priority: Priority,

    /// Print what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    let target = target(&args.target, &context.environment)?;
    let review = read(&args.review, args.min_priority)?;
    let step_summary = context.environment.step_summary();
    let publisher = Publisher {
        review: &review,
        dry_run: args.dry_run,
        step_summary: step_summary.as_deref(),
    };
    let (api_url, token) = (&target.api_url, target.token.expose());
    llm::install_tls();
    match target.place {
        target::Place::GitHub { repository, number } => {
            let host = GitHub::new(
                api_url,
                token,
                repository,
                number,
                args.target.author.clone(),
                real_pause(),
            )?;
            block_on(publisher.publish(&host))
        }
        target::Place::GitLab(request) => {
            let host = GitLab::new(api_url, token, request, real_pause())?;
            block_on(publisher.publish(&host))
        }
    }
}

/// Reads the review and keeps the findings that are shown.
fn read(file: &Path, least: Priority) -> Result<ReviewBody, Error> {
    let (name, bytes) = match file.to_str() {
        Some("-") => ("stdin".to_owned(), bytes(io::stdin().lock())),
        _ => (file.display().to_string(), File::open(file).and_then(bytes)),
    };
    let refuse = |what: String| Error::usage(format!("{name}: {what}"));
    let bytes = bytes.map_err(|error| refuse(error.to_string()))?;
    let mut review: ReviewBody = serde_json::from_slice(&bytes).map_err(|error| {
        refuse(format!(
            "expected the output of `hunkwise review --format json`: {error}"
        ))
    })?;
    review
        .findings
        .retain(|finding| finding.priority <= least && !finding.is_in_baseline());
    match review
        .findings
        .iter()
        .position(|finding| !is_fingerprint(&finding.fingerprint))
    {
        Some(at) => Err(refuse(format!(
            "findings[{at}].fingerprint: expected hexadecimal digits"
        ))),
        None => Ok(review),
    }
}

fn bytes(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it is larger than {MAX_BYTES} bytes"
        )));
    }
    Ok(bytes)
}
