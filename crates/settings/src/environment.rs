//! The environment, read once at start. Elsewhere in the workspace only the crate `git` reads it, for its processes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr as _;

use super::value::Secret;

/// The prefix of all our variables.
pub(super) const PREFIX: &str = "HUNKWISE_";
/// The path of the configuration file.
pub(super) const CONFIG: &str = "HUNKWISE_CONFIG";
/// The access token for a server.
pub(super) const TOKEN: &str = "HUNKWISE_TOKEN";
/// The path of a file with the access token.
pub(super) const TOKEN_FILE: &str = "HUNKWISE_TOKEN_FILE";
/// The path of the file to which a step of a GitHub Actions workflow appends its summary.
pub(super) const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// The folders of a user's settings: by the XDG Base Directory Specification, on Windows, and otherwise.
const CONFIG_FOLDERS: [&str; 3] = ["XDG_CONFIG_HOME", "APPDATA", "HOME"];
/// The folders for caches.
const CACHE_FOLDERS: [&str; 3] = ["XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"];

/// A variable of a CI system: a property of the run, or the token of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum CiVariable {
    /// `OWNER/NAME` of the repository.
    GithubRepository,
    /// The file with the event that started the workflow.
    GithubEventPath,
    /// The branch, tag or pull request of the run.
    GithubRef,
    /// The address of GitHub's API.
    GithubApiUrl,
    /// The token for GitHub.
    GithubToken,
    /// The address of GitLab's API.
    #[strum(serialize = "CI_API_V4_URL")]
    CiApiV4Url,
    /// The number of the project on GitLab.
    CiProjectId,
    /// The number of the merge request in its project.
    CiMergeRequestIid,
    /// The token for GitLab.
    GitlabToken,
    /// The first revision of the change that `pre-commit` checks.
    PreCommitFromRef,
    /// The last revision of the change that `pre-commit` checks.
    PreCommitToRef,
}

impl CiVariable {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Our variables, and the variables of other programs that we read.
#[derive(Default)]
pub struct Environment {
    variables: BTreeMap<String, OsString>,
    strict: bool,
}

impl Environment {
    /// The environment that the process was started with.
    #[expect(
        clippy::disallowed_methods,
        reason = "only this module reads the environment"
    )]
    pub fn of_process() -> Self {
        let ours =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
        Self::new(ours)
    }

    /// The environment with these variables.
    pub fn new(variables: impl IntoIterator<Item = (String, OsString)>) -> Self {
        let is_folder =
            |name: &str| CONFIG_FOLDERS.contains(&name) || CACHE_FOLDERS.contains(&name);
        let foreign = |name: &str| {
            name == STEP_SUMMARY || is_folder(name) || CiVariable::from_str(name).is_ok()
        };
        let read = |name: &str| name.starts_with(PREFIX) || foreign(name);
        Self {
            variables: variables
                .into_iter()
                .filter(|(name, _)| read(name))
                .collect(),
            strict: false,
        }
    }

    /// Makes an unknown variable of ours an error if `strict` is set.
    pub fn with_strictness(self, strict: bool) -> Self {
        Self { strict, ..self }
    }

    /// Whether an unknown variable of ours is an error instead of a warning.
    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }

    /// `GITHUB_STEP_SUMMARY`: the file for the summary of a workflow's step.
    pub fn step_summary(&self) -> Option<PathBuf> {
        self.variables
            .get(STEP_SUMMARY)
            .filter(|path| !path.is_empty())
            .map(PathBuf::from)
    }

    /// The folder for our files among the user's settings; `None` if the environment names no folder.
    pub fn config_folder(&self) -> Option<PathBuf> {
        self.folder(CONFIG_FOLDERS, ".config")
    }

    /// The folder for our caches.
    pub fn cache_folder(&self) -> Option<PathBuf> {
        self.folder(CACHE_FOLDERS, ".cache")
    }

    fn folder(&self, variables: [&str; 3], below_home: &str) -> Option<PathBuf> {
        let folder = |name: &str| {
            self.variables
                .get(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let [xdg, windows, home] = variables.map(folder);
        Some(
            xdg.or(windows)
                .or_else(|| Some(home?.join(below_home)))?
                .join("hunkwise"),
        )
    }

    /// The value of a CI variable; `None` if it is empty or not text.
    pub fn ci(&self, variable: CiVariable) -> Option<&str> {
        self.variables
            .get(variable.name())?
            .to_str()
            .filter(|text| !text.trim().is_empty())
            .map(str::trim)
    }

    /// The same for a variable with a token.
    pub fn ci_token(&self, variable: CiVariable) -> Option<Secret> {
        self.ci(variable).map(|token| Secret::new(token.to_owned()))
    }

    /// `HUNKWISE_CONFIG`: the configuration file.
    pub fn config(&self) -> Option<PathBuf> {
        self.variables
            .get(CONFIG)
            .filter(|path| !path.is_empty())
            .map(PathBuf::from)
    }

    /// The access token for `review --server`: `HUNKWISE_TOKEN`, or the content of the file that `HUNKWISE_TOKEN_FILE`
    /// names.
    ///
    /// # Errors
    /// The file cannot be read; the message names it.
    pub fn token(&self) -> Result<Option<Secret>, String> {
        let given = |name| self.variables.get(name).filter(|value| !value.is_empty());
        let text = match (given(TOKEN), given(TOKEN_FILE)) {
            (Some(token), _) => token.to_string_lossy().into_owned(),
            (None, Some(path)) => std::fs::read_to_string(path).map_err(|error| {
                format!("{TOKEN_FILE}: {}: {error}", PathBuf::from(path).display())
            })?,
            (None, None) => return Ok(None),
        };
        let token = text.trim();
        Ok((!token.is_empty()).then(|| Secret::new(token.to_owned())))
    }

    /// The variables that should be settings, sorted by name.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&str, &OsString)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.as_str(), value))
            .filter(|(name, value)| {
                name.starts_with(PREFIX)
                    && ![CONFIG, TOKEN, TOKEN_FILE].contains(name)
                    && !is_service_link(name, &value.to_string_lossy())
            })
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_set().entries(self.variables.keys()).finish()
    }
}

/// Whether the variable was set by an orchestrator instead of a person: Kubernetes sets variables for the services of a
/// namespace in every container, and a service called `hunkwise` leads to `HUNKWISE_SERVICE_HOST`,
/// `HUNKWISE_PORT_8080_TCP_ADDR`, ….
fn is_service_link(name: &str, value: &str) -> bool {
    let protocol = |text: &str| {
        ["TCP", "UDP", "SCTP"]
            .iter()
            .any(|known| text.contains(known))
    };
    if name.contains("__") {
        return false;
    }
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || (name.ends_with("_PORT") && value.contains("://"))
        || name.split_once("_PORT_").is_some_and(|(_, rest)| {
            rest.starts_with(|c: char| c.is_ascii_digit()) && protocol(rest)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(variables: &[(&str, &str)]) -> Vec<String> {
        let environment = Environment::new(
            variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.into())),
        );
        environment
            .settings()
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    #[test]
    fn service_links_of_an_orchestrator_are_not_settings() {
        let links = [
            ("HUNKWISE_SERVICE_HOST", "10.0.0.1"),
            ("HUNKWISE_SERVICE_PORT", "8080"),
            ("HUNKWISE_SERVICE_PORT_HTTP", "8080"),
            ("HUNKWISE_PORT", "tcp://10.0.0.1:8080"),
            ("HUNKWISE_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
            ("HUNKWISE_METRICS_PORT_9464_TCP_PROTO", "tcp"),
        ];
        assert_eq!(names(&links), Vec::<String>::new());
    }

    #[test]
    fn other_variables_with_our_prefix_are_settings() {
        let meant = [
            ("HUNKWISE_BIND", "x"),
            ("HUNKWISE_LIMITS__DIFF_BYTES", "1"),
            ("HUNKWISE_PORT", "8080"),
            ("PATH", "/bin"),
        ];
        assert_eq!(
            names(&meant),
            [
                "HUNKWISE_BIND", "HUNKWISE_LIMITS__DIFF_BYTES", "HUNKWISE_PORT"
            ]
        );
    }

    #[test]
    fn the_settings_folder_follows_the_system() {
        let folder = |variables: &[(&str, &str)]| {
            let variables = variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.into()));
            Environment::new(variables).config_folder()
        };
        let home = ("HOME", "/home/ada");
        assert_eq!(
            folder(&[home]),
            Some(PathBuf::from("/home/ada/.config/hunkwise"))
        );
        assert_eq!(
            folder(&[home, ("XDG_CONFIG_HOME", "/cfg")]),
            Some(PathBuf::from("/cfg/hunkwise"))
        );
        assert_eq!(
            folder(&[home, ("XDG_CONFIG_HOME", "relative")]),
            folder(&[home]),
            "as the specification requires"
        );
        assert_eq!(folder(&[]), None);
        let cache = Environment::new([("HOME".to_owned(), "/home/ada".into())]).cache_folder();
        assert_eq!(cache, Some(PathBuf::from("/home/ada/.cache/hunkwise")));
        assert_eq!(names(&[home]), Vec::<String>::new(), "not our setting");
    }

    #[test]
    fn variables_of_a_ci_system_are_read_but_are_not_settings() {
        let theirs = [
            ("GITHUB_TOKEN", "t"),
            ("CI_API_V4_URL", "u"),
            ("GITHUB_REF", " "),
            ("GITHUB_STEP_SUMMARY", "s"),
        ];
        assert_eq!(names(&theirs), Vec::<String>::new());
        let environment =
            Environment::new(theirs.map(|(name, value)| (name.to_owned(), value.into())));
        assert_eq!(environment.ci(CiVariable::CiApiV4Url), Some("u"));
        assert_eq!(environment.ci(CiVariable::GithubRef), None);
        assert_eq!(
            environment
                .ci_token(CiVariable::GithubToken)
                .map(|token| token.expose().to_owned()),
            Some("t".into())
        );
    }

    #[test]
    fn debug_output_has_no_values() {
        let environment = Environment::new([(TOKEN.to_owned(), "hw_canary".into())]);
        assert!(!format!("{environment:?}").contains("hw_canary"));
        assert_eq!(
            environment
                .token()
                .unwrap()
                .map(|token| token.expose().to_owned()),
            Some("hw_canary".to_owned())
        );
    }

    #[test]
    fn the_token_may_be_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        std::fs::write(&path, "hw_filed\n").unwrap();
        let from = |path: &std::path::Path| {
            Environment::new([(TOKEN_FILE.to_owned(), path.into())]).token()
        };
        assert_eq!(
            from(&path).unwrap().map(|token| token.expose().to_owned()),
            Some("hw_filed".to_owned())
        );
        assert!(
            from(&folder.path().join("none"))
                .unwrap_err()
                .starts_with("HUNKWISE_TOKEN_FILE: ")
        );
    }
}
