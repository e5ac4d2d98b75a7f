//! The list of settings: their names, their kinds, and the structs that they fill.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use serde_json::{Map, Value as Json};
use server::{GrantOnCreate, ManagedBy};
use store::Scope;
use worker::sandbox::Demand;

use super::environment;
use super::field::{Field, Plain};
use super::masked::Url;
use super::memory;
use super::operation::{
    CORS, Cors, PROXY, Proxy, TELEMETRY, TLS, Telemetry, TlsFiles, read_cors, read_proxy,
    read_telemetry, read_tls,
};
use super::section::{self, Presence, Section, Values, section};
use super::value::{FromValue, Listen, Secret, Value};

/// The settings in force, checked.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The settings outside of sections.
    pub service: Service,
    /// The limits of the service.
    pub limits: server::Limits,
    /// The rules for granting entitlements.
    pub entitlements: Entitlements,
    /// Which findings a review returns.
    pub reviews: Reviews,
    /// The processes that parse untrusted code.
    pub workers: Workers,
    /// Absent: only the service's own tokens.
    pub oidc: Option<Oidc>,
    /// Absent: plain HTTP.
    pub tls: Option<TlsFiles>,
    /// The proxies in front of the service.
    pub proxy: Proxy,
    /// The permissions of browsers.
    pub cors: Cors,
    /// Absent: no traces.
    pub telemetry: Option<Telemetry>,
    /// The model engine; absent: rules only.
    pub llm: Option<Llm>,
}

impl Settings {
    /// Whether a language model may read the repository.
    pub fn looks_up(&self) -> bool {
        self.llm.as_ref().is_some_and(|llm| llm.engine.look_ups > 0)
    }
}

/// The settings outside of sections.
#[derive(Debug, Clone)]
pub struct Service {
    /// Where the service listens.
    pub bind: SocketAddr,
    /// The address at which browsers reach the service, an `https` origin.
    pub public_url: Option<String>,
    /// The database.
    pub database: Url,
    /// The maximum number of connections to a PostgreSQL server.
    pub database_connections: u32,
    /// The maximum number of client connections.
    pub connections: usize,
    /// The maximum number of client connections from one address.
    pub connections_per_address: usize,
    /// Where the metrics are served.
    pub metrics_bind: Listen,
    /// Seconds after a stop signal in which requests are still accepted.
    pub shutdown_delay_seconds: u64,
    /// Seconds that reviews in flight have after a stop signal.
    pub shutdown_grace_seconds: u64,
    /// The minimum level of log lines.
    pub log_level: tracing::Level,
    /// Whether log lines include the addresses of clients.
    pub log_client_addresses: bool,
}

/// The issuer of accepted access tokens. Browsers sign in with it if there is a client ID.
#[derive(Debug, Clone)]
pub struct Oidc {
    /// The issuer, as its tokens name it.
    pub issuer: Url,
    /// The audience that tokens must have.
    pub audience: String,
    /// The issuer's keys; `None`: found by discovery.
    pub jwks_url: Option<Url>,
    /// Scopes of every token of the issuer.
    pub scopes: Vec<Scope>,
    /// The service's client ID at the issuer.
    pub client_id: Option<String>,
    /// The client secret; `None` for a public client.
    pub client_secret: Option<Secret>,
    /// Where the issuer redirects browsers.
    pub redirect_url: Option<Url>,
    /// The scopes requested at the issuer, separated by spaces.
    pub request_scopes: String,
    /// The scopes of a browser session.
    pub session_scopes: Vec<Scope>,
}

/// The rules for granting entitlements.
#[derive(Debug, Clone)]
pub struct Entitlements {
    /// The members who get an entitlement with a new organization.
    pub grant_on_create: GrantOnCreate,
    /// The users who can change entitlements.
    pub managed_by: ManagedBy,
}

/// Which findings a review returns.
#[derive(Debug, Clone)]
pub struct Reviews {
    /// The lowest confidence of a returned finding.
    pub min_confidence: f32,
}

/// The processes that parse untrusted code.
#[derive(Debug, Clone, Copy)]
pub struct Workers {
    /// Maximum number of them for one organization; 0: one for each core.
    pub count: usize,
    /// Seconds that one file may take.
    pub file_timeout_seconds: u64,
    /// The address space of one process.
    pub memory_mib: u64,
    /// Whether a process may run without a system call filter.
    pub sandbox: Demand,
}

/// The model engine and its models, in the order of fallback.
#[derive(Debug, Clone)]
pub struct Llm {
    /// The settings of the engine.
    pub engine: llm::Settings,
    /// Enforced by the service, not by the engine; 0: no limit.
    pub organization_monthly_tokens: u64,
    /// The models, in the order of fallback.
    pub models: Vec<Model>,
}

/// One model.
#[derive(Debug, Clone)]
pub struct Model {
    /// The protocol of the provider.
    pub protocol: llm::Protocol,
    /// The provider's name of the model.
    pub model: String,
    /// The address of the provider.
    pub base_url: Url,
    /// The key for the provider.
    pub api_key: Option<Secret>,
    /// The program and its arguments.
    pub credential_command: Option<Vec<String>>,
    /// `name: value`, one per line.
    pub headers: Option<Secret>,
    /// The proxy to reach the provider.
    pub proxy: Option<Url>,
    /// A file with further certificates, in PEM.
    pub ca_file: Option<String>,
    /// Whether the request demands JSON that matches a schema.
    pub structured_output: bool,
    /// Whether answers are streamed.
    pub stream: bool,
    /// How much the model reasons.
    pub reasoning: Option<llm::Reasoning>,
    /// Fields that are added to each request.
    pub extra_body: Map<String, Json>,
    /// Tokens of a prompt and its answer.
    pub context_window: u64,
    /// Maximum number of tokens of an answer.
    pub max_output_tokens: u64,
    /// The price of a million tokens of prompts.
    pub price_input_per_million: f64,
    /// The price of a million tokens of answers.
    pub price_output_per_million: f64,
    /// Whether requests carry the context of the trace.
    pub trace_context: bool,
}

impl Settings {
    /// The settings for the server.
    pub fn server(&self, sign_in: Option<server::SignIn>) -> server::Settings {
        server::Settings {
            limits: server::Limits {
                review_memory: self.limits.review_memory.or_else(memory::half),
                provider_call_seconds: self.llm.as_ref().map(|llm| llm.engine.call_seconds),
                look_ups: self
                    .llm
                    .as_ref()
                    .map(|llm| llm.engine.look_ups)
                    .filter(|look_ups| *look_ups > 0),
                ..self.limits.clone()
            },
            grant_on_create: self.entitlements.grant_on_create,
            managed_by: self.entitlements.managed_by,
            min_confidence: self.reviews.min_confidence,
            review_tokens: self.llm.as_ref().map_or(0, |llm| llm.engine.review_tokens),
            organization_monthly_tokens: self
                .llm
                .as_ref()
                .map_or(0, |llm| llm.organization_monthly_tokens),
            sign_in,
            public_url: self.service.public_url.clone(),
            tls: self.tls.is_some(),
            trusted_proxies: server::TrustedProxies {
                networks: self.proxy.trusted.clone(),
                header: self.proxy.header,
            },
            log_client_addresses: self.service.log_client_addresses,
            rules: None,
            mask: review::TextMask(syntax::semantics::secrets::mask_texts),
            sample_diff: None,
            cors_origins: self.cors.allowed_origins.clone(),
        }
    }
}

const DAY: u64 = 86_400;
const SHARE: u64 = 1 << 20;

section! {
    /// The service itself.
    SERVICE: "", Presence::Always, filled by read_service: Service;

    /// Where the service listens.
    bind = Field::address().or("127.0.0.1:8080"),
    /// The address at which browsers reach the service. Set it if a proxy terminates TLS: cookies are then always
    /// `Secure`, responses have `Strict-Transport-Security`, and invitation links begin with it, regardless of the
    /// `Host` header.
    public_url = Field::https_origin().optional(),
    /// The database: a file on this machine, or a PostgreSQL server that several replicas may share.
    database = Field::database().or("sqlite://hunkwise.db").secret(),
    /// Connections of this process to a PostgreSQL server. All replicas together must leave some of the server's
    /// connections for others.
    database_connections = Field::integer(1, 10_000).or("16"),
    /// Maximum number of client connections. Beyond it, the connection that has been idle for the longest is closed for
    /// each new one.
    connections = Field::integer(1, SHARE).or("4096"),
    /// Maximum number of connections from one address (with IPv6, from one /64 network). Proxies in `proxy.trusted` are
    /// exempt, because their connections carry requests of many clients.
    connections_per_address = Field::integer(1, SHARE).or("1024"),
    /// Where the metrics are served, separately from the API and without authentication; "off" disables them.
    metrics_bind = Field::address_or_off().or("127.0.0.1:9464"),
    /// Seconds after the first stop signal during which new requests are still accepted while `/readyz` already fails:
    /// as long as a load balancer needs to notice.
    shutdown_delay_seconds = Field::integer(0, 3_600).or("0"),
    /// Grace period for reviews in flight after the first stop signal, in seconds.
    shutdown_grace_seconds = Field::integer(0, DAY).or("30"),
    /// Minimum level of log lines.
    log_level = Field::choice(&["error", "warn", "info", "debug"]).or("info"),
    /// Whether the log line of a request includes the client's address, which is personal data.
    log_client_addresses = Field::flag().or("false");
}

/// The settings of `[limits]`, from the server's table.
pub(super) const LIMITS: Section = Section {
    path: "limits",
    about: "Limits per request, token, user and organization.",
    presence: Presence::Always,
    fields: &{
        let mut fields = [Field::integer(0, 0); server::LIMITS.len()];
        let mut index = 0;
        while index < fields.len() {
            let limit = &server::LIMITS[index];
            let field = Field::integer(limit.least, limit.most).named(limit.name, limit.about);
            fields[index] = match limit.default {
                Some(default) => field.or_number(default),
                None => field.optional(),
            };
            index += 1;
        }
        fields
    },
};

fn read_limits(values: &Values) -> Option<server::Limits> {
    server::Limits::from_settings(|name| section::value_of(values, &LIMITS, name))
}

section! {
    /// Permissions to review diffs.
    ENTITLEMENTS: "entitlements", Presence::Always, filled by read_entitlements: Entitlements;

    /// The members who get a diff-review entitlement automatically: none, the creator of an organization, or all.
    grant_on_create = Field::choice(&["none", "owner", "members"]).or("none"),
    /// The users who can grant, suspend and revoke entitlements: only operators, or owners of the organization as well.
    managed_by = Field::choice(&["operators", "owners"]).or("operators");
}

section! {
    /// The content of reviews.
    REVIEWS: "reviews", Presence::Always, filled by read_reviews: Reviews;

    /// Findings with a lower confidence are not returned.
    min_confidence = Field::number(0.0, 1.0).or("0");
}

section! {
    /// The processes that parse untrusted code.
    WORKERS: "workers", Presence::Always, filled by read_workers: Workers;

    /// Maximum number of processes for one organization; 0: one per core. The service has one more, so that a review
    /// need not wait for a file of another organization.
    count = Field::integer(0, 1_024).or("0"),
    /// Seconds that one file may take. After that it is skipped, with a warning.
    file_timeout_seconds = Field::integer(1, 3_600).or("10"),
    /// Address space of one process in MiB.
    memory_mib = Field::integer(256, 1_048_576).or("384"),
    /// Whether a process may run on a system that cannot filter system calls: "required" refuses, "best-effort" warns.
    sandbox = Field::choice(&["required", "best-effort"]).or("required");
}

section! {
    /// Access tokens of an OpenID Connect issuer, and signing in to the console with it. Absent: only the service's own tokens.
    OIDC: "oidc", Presence::Optional, filled by read_oidc: Oidc;

    /// The issuer, exactly as its tokens name it.
    issuer = Field::url(Plain::LoopbackOnly),
    /// The audience that tokens must have.
    audience = Field::text(),
    /// The URL of the issuer's keys; by discovery if absent.
    jwks_url = Field::url(Plain::LoopbackOnly).optional(),
    /// Scopes that every token of the issuer has in addition to its own, for issuers that cannot issue Hunkwise's
    /// scopes.
    scopes = Field::words(Scope::NAMES).or(""),
    /// The service's client ID at the issuer. With it, the console offers to sign in with the issuer.
    client_id = Field::text().optional(),
    /// The client secret; a public client has none.
    client_secret = Field::text().optional().secret(),
    /// The URL to which the issuer redirects browsers: the address of this service with the path `/sign-in/callback`,
    /// as registered at the issuer. Required with `client_id`.
    redirect_url = Field::callback().optional(),
    /// The scopes requested from the issuer when a browser signs in, separated by spaces. One of them must be `openid`.
    request_scopes = Field::text().or("openid profile"),
    /// The scopes of a browser session that was started by signing in with the issuer.
    session_scopes = Field::words(Scope::NAMES).or("organizations:read organizations:write reviews:write");
}

section! {
    /// The language-model engine. Absent: rules only.
    LLM: "llm", Presence::Optional, filled by read_llm: llm::Settings, else llm::Settings::default();

    /// Maximum number of a change's model findings that keep their priority; the others are returned as P3. A change of
    /// fewer than 800 lines has a lower limit: two, and one more for each 200 changed lines.
    max_selected = Field::integer(1, 100).or("6"),
    /// Tokens that one review may use.
    review_tokens = Field::integer(1, u64::MAX).or("200000"),
    /// Timeout for one call to a provider, in seconds.
    call_seconds = Field::integer(1, DAY).or("120"),
    /// Maximum number of concurrent calls for one review.
    concurrency = Field::integer(1, 1_024).or("8"),
    /// Maximum number of look-ups in the repository that a model may request in one review; 0: it sees only the change.
    /// 12 is enough for most changes. With more, it may request them three times in each conversation instead of twice.
    look_ups = Field::integer(0, 50).or("12"),
    /// Whether findings are kept in memory for a day, so that a repeated push pays only for what changed.
    cache = Field::flag().or("true"),
    /// Whether a review fails if the models reviewed nothing. Otherwise it returns the findings of the rules, with a
    /// warning.
    required = Field::flag().or("false");

    apart
    /// Tokens that one organization of the service may use in a calendar month (UTC); 0: no limit. The default is
    /// enough for about 10,000 reviews of typical commits.
    organization_monthly_tokens = Field::integer(0, u64::MAX).or("50000000");
}

section! {
    /// The models, in the order of fallback.
    LLM_MODELS: "llm.models", Presence::List, filled by read_model: Model;

    /// The protocol of the provider.
    protocol = Field::choice(&["openai", "openai-responses", "anthropic", "gemini"]),
    /// The provider's name for the model.
    model = Field::text(),
    /// The URL of the provider's API. With `api_key`, `credential_command` or `headers`, plain http is only allowed for
    /// addresses in a private network.
    base_url = Field::url(Plain::Anywhere).with_secrets(&["api_key", "headers", "credential_command"]),
    /// The provider's key; a local provider may not need one. A file is read again when it changes.
    api_key = Field::text().optional().secret(),
    /// A program, with its arguments, that prints the key: as plain text, or as JSON with `token` or `access_token` and with
    /// `expiry`, `expires_at` or `expires_in`. It is run without a shell, again before the key expires, and once when the provider
    /// refuses the key.
    credential_command = Field::command().optional(),
    /// Headers to send in addition to the protocol's own, one per line, as `name: value`.
    headers = Field::text().optional().secret(),
    /// The proxy for the provider; by default, the one from the environment (`HTTPS_PROXY`). Its user name and password
    /// are not shown.
    proxy = Field::proxy().optional(),
    /// A file with certificate authorities (PEM) to trust in addition to the system's.
    ca_file = Field::text().optional(),
    /// Whether the provider can enforce a JSON Schema.
    structured_output = Field::flag().or("true"),
    /// Whether responses are streamed. Gateways close connections on which nothing is sent for a minute or so.
    stream = Field::flag().or("true"),
    /// How much the model reasons before it answers. Without it, the provider decides.
    reasoning = Field::choice(&["none", "minimal", "low", "medium", "high"]).optional(),
    /// Parameters to add to the body of each request, for gateways and special models. The prompt, the model, the
    /// response format and its length have separate settings and are rejected here.
    extra_body = Field::table().optional(),
    /// Size of the model's context window, in tokens of input and output together.
    context_window = Field::integer(1, u64::MAX),
    /// Maximum number of tokens that the model may generate in one call.
    max_output_tokens = Field::integer(1, u64::MAX),
    /// Price of a million input tokens.
    price_input_per_million = Field::number(0.0, f64::INFINITY).or("0"),
    /// Price of a million output tokens.
    price_output_per_million = Field::number(0.0, f64::INFINITY).or("0"),
    /// Whether calls pass the trace context on to the provider (`traceparent`) if traces are collected. Intended for a
    /// provider or gateway of your own.
    trace_context = Field::flag().or("false");
}

/// Every section, in the order of the reference.
pub(super) const SECTIONS: &[Section] = &[
    SERVICE, LIMITS, ENTITLEMENTS, REVIEWS, WORKERS, TLS, PROXY, CORS, TELEMETRY, OIDC, LLM,
    LLM_MODELS,
];

/// The variables that are not settings, and their purpose.
pub(super) const OTHER_VARIABLES: &[(&str, &str)] = &[
    (
        environment::CONFIG,
        "The configuration file, as `--config` names it.",
    ),
    (
        environment::TOKEN,
        "The access token of `hunkwise review --server` and `whoami`. It takes precedence over the one stored by `hunkwise login`.",
    ),
    (
        environment::STEP_SUMMARY,
        "Set by GitHub Actions: the file to which `hunkwise review --format github` appends the findings beyond GitHub's limit of annotations.",
    ),
    (
        "GITHUB_API_URL`, `GITHUB_REPOSITORY`, `GITHUB_EVENT_PATH`, `GITHUB_REF",
        "Set by GitHub Actions: where `hunkwise comment --github` writes its comments.",
    ),
    (
        "GITHUB_TOKEN",
        "The token of `hunkwise comment --github`; a workflow passes it on as `${{ github.token }}`.",
    ),
    (
        "CI_API_V4_URL`, `CI_PROJECT_ID`, `CI_MERGE_REQUEST_IID",
        "Set by GitLab CI: where `hunkwise comment --gitlab` writes its comments.",
    ),
    (
        "GITLAB_TOKEN",
        "The token of `hunkwise comment --gitlab`: a project access token with the scope `api`.",
    ),
];

pub(super) fn fill(values: &Values) -> Option<Settings> {
    Some(Settings {
        service: read_service(values)?,
        limits: read_limits(values)?,
        entitlements: read_entitlements(values)?,
        reviews: read_reviews(values)?,
        workers: read_workers(values)?,
        oidc: optional(values, &OIDC, read_oidc)?,
        tls: optional(values, &TLS, read_tls)?,
        proxy: read_proxy(values)?,
        cors: read_cors(values)?,
        telemetry: optional(values, &TELEMETRY, read_telemetry)?,
        llm: read_models(values)?,
    })
}

/// An optional section; `Some(None)` if it is missing.
fn optional<T>(
    values: &Values,
    section: &Section,
    read: fn(&Values) -> Option<T>,
) -> Option<Option<T>> {
    let there = section
        .fields
        .iter()
        .any(|field| values.contains_key(&section.full(field.name)));
    if there {
        read(values).map(Some)
    } else {
        Some(None)
    }
}

/// The section and its list of models; `Some(None)` if both are missing.
fn read_models(values: &Values) -> Option<Option<Llm>> {
    if !values.contains_key(&LLM.full("max_selected")) {
        return Some(None);
    }
    let name = |name: &str| {
        name.strip_prefix("llm.models.")?
            .split_once('.')?
            .0
            .parse::<u64>()
            .ok()
    };
    let numbers: BTreeSet<u64> = values.keys().filter_map(|full| name(full)).collect();
    let models: Option<Vec<Model>> = numbers
        .into_iter()
        .map(|number| read_model(&numbered(values, number)))
        .collect();
    let organization_monthly_tokens =
        section::value_of(values, &LLM, "organization_monthly_tokens")?;
    Some(Some(Llm {
        engine: read_llm(values)?,
        organization_monthly_tokens,
        models: models?,
    }))
}

/// The values of one table of a list, as if it were the only one.
fn numbered(values: &Values, number: u64) -> Values {
    let prefix = format!("{}.{number}.", LLM_MODELS.path);
    let own = values
        .iter()
        .filter_map(|(name, entry)| Some((name.strip_prefix(&prefix)?, entry)));
    own.map(|(name, entry)| (LLM_MODELS.full(name), entry.clone()))
        .collect()
}

impl FromValue for llm::Reasoning {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        String::from_value(value)?.parse().ok()
    }
}

/// A table that is not set is empty.
impl FromValue for Map<String, Json> {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match value {
            Some(Value::Table(table)) => Some(table.clone()),
            Some(_) => None,
            None => Some(Self::new()),
        }
    }
}

impl FromValue for llm::Protocol {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        String::from_value(value)?.parse().ok()
    }
}

impl FromValue for Vec<Scope> {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        String::from_value(value)?
            .split_whitespace()
            .map(|word| word.parse().ok())
            .collect()
    }
}

impl FromValue for tracing::Level {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        String::from_value(value)?.parse().ok()
    }
}

impl FromValue for GrantOnCreate {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match String::from_value(value)?.as_str() {
            "none" => Some(Self::Nobody),
            "owner" => Some(Self::Owner),
            "members" => Some(Self::Members),
            _ => None,
        }
    }
}

impl FromValue for ManagedBy {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match String::from_value(value)?.as_str() {
            "operators" => Some(Self::Operators),
            "owners" => Some(Self::Owners),
            _ => None,
        }
    }
}
