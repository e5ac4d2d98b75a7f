//! Finds the place to comment from the flags, or from the variables of the CI system.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use forge::{MergeRequest, Repository};
use serde::Deserialize;
use settings::{CiVariable, Environment, Secret};

use crate::outcome::Error;

/// Maximum size of GitHub's event file, in bytes; GitHub's own limit is 25 MB.
const EVENT_BYTES: u64 = 32 * 1024 * 1024;

/// The public hosts.
const GITHUB_API: &str = "https://api.github.com";
const GITLAB_API: &str = "https://gitlab.com/api/v4";

/// The flags that name the place.
#[derive(Debug, clap::Args)]
#[group(skip)]
#[command(group(clap::ArgGroup::new("host").required(true).args(["github", "gitlab"])))]
pub(super) struct Args {
    /// Comment on a pull request of GitHub
    #[arg(long)]
    github: bool,

    /// Comment on a merge request of GitLab
    #[arg(long)]
    gitlab: bool,

    /// The repository (environment: GITHUB_REPOSITORY)
    #[arg(long, value_name = "OWNER/NAME", conflicts_with = "gitlab")]
    repository: Option<String>,

    /// The pull request's number (environment: GITHUB_EVENT_PATH, GITHUB_REF)
    #[arg(long, value_name = "N", conflicts_with = "gitlab")]
    pull_request: Option<u64>,

    /// The login of the token's user, whose earlier comments are recognized; by default GitHub is asked
    #[arg(long, value_name = "LOGIN", conflicts_with = "gitlab")]
    pub(super) author: Option<String>,

    /// The project's number or full path (environment: CI_PROJECT_ID)
    #[arg(long, value_name = "ID", conflicts_with = "github")]
    project: Option<String>,

    /// The merge request's number in its project (environment: CI_MERGE_REQUEST_IID)
    #[arg(long, value_name = "N", conflicts_with = "github")]
    merge_request: Option<u64>,

    /// The host's API (environment: GITHUB_API_URL, CI_API_V4_URL), if it is not that of github.com or gitlab.com
    #[arg(long, value_name = "URL")]
    api_url: Option<String>,
}

/// A place on a host, and the API and the token to reach it.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) api_url: String,
    pub(super) token: Secret,
    pub(super) place: Place,
}

#[derive(Debug)]
pub(super) enum Place {
    GitHub { repository: Repository, number: u64 },
    GitLab(MergeRequest),
}

/// The place that the flags and the environment name.
///
/// # Errors
/// One of its parts is missing or invalid. The message names the flag and the variable.
pub(super) fn target(args: &Args, environment: &Environment) -> Result<Target, Error> {
    if args.github {
        github(args, environment)
    } else {
        gitlab(args, environment)
    }
}

fn github(args: &Args, environment: &Environment) -> Result<Target, Error> {
    let given = Given { environment };
    let repository = given.text(
        args.repository.as_ref(),
        "--repository",
        CiVariable::GithubRepository,
    )?;
    let repository = repository
        .parse()
        .map_err(|error| Error::usage(format!("--repository {repository}: {error}")))?;
    let number = args
        .pull_request
        .or_else(|| event_number(environment))
        .or_else(|| ref_number(environment));
    let missing = "--pull-request: missing; GITHUB_EVENT_PATH and GITHUB_REF name no pull request";
    let number = number.ok_or_else(|| Error::usage(missing))?;
    Ok(Target {
        api_url: given.api_url(args, CiVariable::GithubApiUrl, GITHUB_API),
        token: given.token(CiVariable::GithubToken)?,
        place: Place::GitHub { repository, number },
    })
}

fn gitlab(args: &Args, environment: &Environment) -> Result<Target, Error> {
    let given = Given { environment };
    let project = given.text(args.project.as_ref(), "--project", CiVariable::CiProjectId)?;
    let iid = given.text(
        args.merge_request.map(|iid| iid.to_string()).as_ref(),
        "--merge-request",
        CiVariable::CiMergeRequestIid,
    )?;
    let iid = iid
        .parse()
        .map_err(|_| Error::usage(format!("--merge-request {iid}: expected a number")))?;
    Ok(Target {
        api_url: given.api_url(args, CiVariable::CiApiV4Url, GITLAB_API),
        token: given.token(CiVariable::GitlabToken)?,
        place: Place::GitLab(MergeRequest { project, iid }),
    })
}

struct Given<'e> {
    environment: &'e Environment,
}

impl Given<'_> {
    fn text(
        &self,
        value: Option<&String>,
        flag: &str,
        variable: CiVariable,
    ) -> Result<String, Error> {
        let value = value
            .map(String::as_str)
            .or_else(|| self.environment.ci(variable));
        let missing = || {
            Error::usage(format!(
                "{flag}: missing; pass it, or set {}",
                variable.name()
            ))
        };
        value.map(str::to_owned).ok_or_else(missing)
    }

    fn api_url(&self, args: &Args, variable: CiVariable, public: &str) -> String {
        args.api_url
            .as_deref()
            .or_else(|| self.environment.ci(variable))
            .unwrap_or(public)
            .to_owned()
    }

    fn token(&self, variable: CiVariable) -> Result<Secret, Error> {
        let missing = || {
            Error::usage(format!(
                "no token: set {} (there is no flag for it)",
                variable.name()
            ))
        };
        self.environment.ci_token(variable).ok_or_else(missing)
    }
}

/// The number in the event that started the workflow.
fn event_number(environment: &Environment) -> Option<u64> {
    #[derive(Deserialize)]
    struct Event {
        pull_request: Pull,
    }
    #[derive(Deserialize)]
    struct Pull {
        number: u64,
    }
    let path = Path::new(environment.ci(CiVariable::GithubEventPath)?);
    let mut text = String::new();
    File::open(path)
        .ok()?
        .take(EVENT_BYTES)
        .read_to_string(&mut text)
        .ok()?;
    serde_json::from_str::<Event>(&text)
        .ok()
        .map(|event| event.pull_request.number)
}

/// The number in `refs/pull/N/merge`.
fn ref_number(environment: &Environment) -> Option<u64> {
    environment
        .ci(CiVariable::GithubRef)?
        .strip_prefix("refs/pull/")?
        .split('/')
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn named(line: &str, variables: &[(&str, &str)]) -> Result<Place, String> {
        let args = Line::try_parse_from(line.split(' '))
            .map_err(|error| error.to_string())?
            .args;
        let environment = Environment::new(
            variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.into())),
        );
        target(&args, &environment)
            .map(|target| target.place)
            .map_err(|error| error.message)
    }

    const GITHUB: [(&str, &str); 3] = [
        ("GITHUB_REPOSITORY", "acme/shop"),
        ("GITHUB_REF", "refs/pull/7/merge"),
        ("GITHUB_TOKEN", "t"),
    ];
    const GITLAB: [(&str, &str); 3] = [
        ("CI_PROJECT_ID", "12"),
        ("CI_MERGE_REQUEST_IID", "3"),
        ("GITLAB_TOKEN", "t"),
    ];

    #[test]
    fn the_place_is_read_from_the_ci_system() {
        let folder = tempfile::tempdir().unwrap();
        let event = folder.path().join("event.json");
        std::fs::write(
            &event,
            r#"{"action": "opened", "pull_request": {"number": 8}}"#,
        )
        .unwrap();
        let number = |place: Place| match place {
            Place::GitHub { number, .. } => number,
            Place::GitLab(request) => request.iid,
        };
        assert_eq!(named("x --github", &GITHUB).map(number), Ok(7));
        let event = [
            &GITHUB[..],
            &[("GITHUB_EVENT_PATH", event.to_str().unwrap())],
        ]
        .concat();
        assert_eq!(named("x --github", &event).map(number), Ok(8));
        assert_eq!(
            named("x --github --pull-request 9", &event).map(number),
            Ok(9)
        );
        assert_eq!(named("x --gitlab", &GITLAB).map(number), Ok(3));
    }

    #[test]
    fn the_api_comes_from_the_flag_the_ci_system_or_the_public_host() {
        let api_url = |line: &str, variables: &[(&str, &str)]| {
            let args = Line::try_parse_from(line.split(' ')).unwrap().args;
            let variables = variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.into()));
            target(&args, &Environment::new(variables)).unwrap().api_url
        };
        let own = [
            &GITLAB[..],
            &[("CI_API_V4_URL", "https://git.example.com/api/v4")],
        ]
        .concat();
        assert_eq!(api_url("x --github", &GITHUB), GITHUB_API);
        assert_eq!(api_url("x --gitlab", &GITLAB), GITLAB_API);
        assert_eq!(
            api_url("x --gitlab", &own),
            "https://git.example.com/api/v4"
        );
        assert_eq!(
            api_url("x --gitlab --api-url https://a.example.com", &own),
            "https://a.example.com"
        );
    }

    #[test]
    fn a_missing_value_is_named_with_its_flag_and_variable() {
        for (host, all, expected) in [
            (
                "x --github",
                GITHUB,
                ["--repository", "--pull-request", "no token"],
            ),
            (
                "x --gitlab",
                GITLAB,
                ["--project", "--merge-request", "no token"],
            ),
        ] {
            for ((variable, _), flag) in all.iter().zip(expected) {
                let others: Vec<_> = all
                    .iter()
                    .copied()
                    .filter(|(name, _)| name != variable)
                    .collect();
                let error = named(host, &others).unwrap_err();
                assert!(error.contains(flag) && error.contains(variable), "{error}");
            }
        }
        for line in [
            "x", "x --github --gitlab", "x --github --project 1", "x --gitlab --author me",
        ] {
            assert!(named(line, &[]).is_err(), "{line}");
        }
    }
}
