//! The limits in force. The table in this file is the only list of them: the settings of `[limits]`, their defaults,
//! `GET /v1/limits`, its OpenAPI description and the documentation are made from it.

use std::fmt;

use review::Extent;
use review::repository::{
    MAX_CONTEXT_BYTES, MAX_CONTEXT_FILES, MAX_CONTEXT_PATHS, MAX_CONTEXT_PATHS_BYTES,
};
use serde::Serialize;
use store::Caps;
use utoipa::ToSchema;

/// Maximum length of an organization's name after trimming, in Unicode scalar values.
pub(crate) const ORGANIZATION_NAME_CHARACTERS: usize = 120;

/// Maximum length of an organization's review guidelines after trimming, in bytes (UTF-8). More would crowd out the
/// change.
pub(crate) const REVIEW_GUIDELINES_BYTES: usize = 8 * 1024;

const GIB: u64 = 1 << 30;
const PIB: u64 = 1 << 50;
const DAY: u64 = 86_400;
const MANY: u64 = 1 << 20;

/// A setting of `[limits]`.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The setting's name. The API's name is the same in camel case.
    pub name: &'static str,
    /// The description, in Markdown.
    pub about: &'static str,
    /// The unit.
    pub unit: &'static str,
    /// The minimum.
    pub least: u64,
    /// The maximum.
    pub most: u64,
    /// The default; `None` if the setting is optional.
    pub default: Option<u64>,
}

/// Generates everything that lists the limits.
///
/// - `fixed`: set by the product; only in the API.
/// - `settings`: unit, minimum, maximum, default.
/// - `optional`: settings that may be absent.
/// - `derived`: depend on settings of other sections.
macro_rules! limits {
    (
        fixed { $( $(#[doc = $fixed_doc:tt])+ $fixed:ident = $constant:ident; )+ }
        settings { $( $(#[doc = $doc:tt])+ $name:ident: $type:ty, $unit:literal, $least:expr, $most:expr, $default:expr; )+ }
        optional {
            $( $(#[doc = $maybe_doc:tt])+ $maybe:ident: $maybe_type:ty, $maybe_unit:literal,
               $maybe_least:expr, $maybe_most:expr, example $maybe_example:literal; )+
        }
        derived { $( $(#[doc = $derived_doc:tt])+ $derived:ident: $derived_type:ty, example $example:literal; )+ }
    ) => {
        /// Limits per request, token, user and organization.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Limits {
            $( $(#[doc = $doc])+ pub $name: $type, )+
            $( $(#[doc = $maybe_doc])+ pub $maybe: Option<$maybe_type>, )+
            $( $(#[doc = $derived_doc])+ pub $derived: Option<$derived_type>, )+
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $( $name: $default, )+ $( $maybe: None, )+ $( $derived: None, )+ }
            }
        }

        /// The settings of `[limits]`.
        pub const LIMITS: &[Limit] = &[
            $( Limit {
                name: stringify!($name),
                about: concat!($($doc),+),
                unit: $unit,
                least: $least,
                most: $most,
                default: Some($default as u64),
            }, )+
            $( Limit {
                name: stringify!($maybe),
                about: concat!($($maybe_doc),+),
                unit: $maybe_unit,
                least: $maybe_least,
                most: $maybe_most,
                default: None,
            }, )+
        ];

        impl Limits {
            /// The limits with these settings; `None` if a value is missing or too large for its type.
            pub fn from_settings(value: impl Fn(&'static str) -> Option<u64>) -> Option<Self> {
                Some(Self {
                    $( $name: value(stringify!($name))?.try_into().ok()?, )+
                    $( $maybe: value(stringify!($maybe)).map(TryInto::try_into).transpose().ok()?, )+
                    $( $derived: None, )+
                })
            }
        }

        /// Limits per request, token, user and organization.
        #[derive(Debug, Serialize, ToSchema)]
        #[schema(as = Limits)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct LimitsInForce {
            $( $(#[doc = $fixed_doc])+ $fixed: usize, )+
            $( $(#[doc = $doc])+ $name: $type, )+
            $( $(#[doc = $maybe_doc])+ #[schema(example = $maybe_example)] $maybe: Option<$maybe_type>, )+
            $( $(#[doc = $derived_doc])+ #[schema(example = $example)] $derived: Option<$derived_type>, )+
        }

        impl From<&Limits> for LimitsInForce {
            fn from(limits: &Limits) -> Self {
                Self {
                    $( $fixed: $constant, )+
                    $( $name: limits.$name, )+
                    $( $maybe: limits.$maybe, )+
                    $( $derived: limits.$derived, )+
                }
            }
        }
    };
}

limits! {
    fixed {
        /// Maximum length of an organization's name after trimming, in characters (Unicode scalar values).
        organization_name_characters = ORGANIZATION_NAME_CHARACTERS;
        /// Maximum length of an organization's review guidelines after trimming, in bytes (UTF-8).
        review_guidelines_bytes = REVIEW_GUIDELINES_BYTES;
        /// Maximum number of context files of a review.
        context_files = MAX_CONTEXT_FILES;
        /// Maximum size of all context files of a review together, in bytes (UTF-8) of their paths and contents.
        context_files_bytes = MAX_CONTEXT_BYTES;
        /// Maximum number of lines of the list of a repository's files (`contextPaths`).
        context_paths = MAX_CONTEXT_PATHS;
        /// Maximum size of this list, in bytes (UTF-8).
        context_paths_bytes = MAX_CONTEXT_PATHS_BYTES;
    }
    settings {
        /// Maximum size of a request body after decompression, in bytes.
        body_bytes: usize, "bytes", 1_024, GIB, 8 << 20;
        /// Maximum size of a diff, in bytes.
        diff_bytes: usize, "bytes", 1, GIB, 4 << 20;
        /// Maximum length of a diff, in lines.
        diff_lines: usize, "lines", 1, GIB, 100_000;
        /// Maximum number of files to review in a diff. Deleted, renamed, binary, generated and vendored files do not count.
        diff_files: usize, "files", 1, GIB, 1_000;
        /// Maximum length of a path in a diff, in bytes.
        path_bytes: usize, "bytes", 1, GIB, 4_096;
        /// Maximum length of a hunk header with its section heading, in bytes.
        hunk_header_bytes: usize, "bytes", 1, GIB, 4_096;
        /// Maximum number of parents of a combined diff.
        combined_parents: usize, "parents", 2, GIB, 64;
        /// Maximum length of a line of a diff, in bytes. Longer lines are cut for analysis, with a warning.
        line_bytes: usize, "bytes", 1, GIB, 1 << 20;
        /// Maximum length of a client reference, in characters (Unicode scalar values).
        client_reference_characters: usize, "characters", 0, GIB, 256;
        /// Maximum number of requests per minute with one token, refused ones included, over all replicas on one PostgreSQL
        /// server. The same number of requests without a valid token is answered with 401 per client address and process,
        /// further ones with 429.
        requests_per_minute: u32, "requests", 1, 1_000_000, 600;
        /// Maximum number of concurrent reviews of one organization, over all replicas on one PostgreSQL server.
        reviews_per_organization: usize, "reviews", 1, MANY, 16;
        /// Maximum number of concurrent reviews in one process, for all organizations together.
        reviews_total: usize, "reviews", 1, MANY, 1_024;
        /// Maximum time that a review waits for a slot and for memory before it is refused, in seconds.
        queue_seconds: u64, "seconds", 0, DAY, 10;
        /// Maximum duration of one analysis, in seconds.
        analysis_seconds: u64, "seconds", 1, DAY, 600;
        /// Maximum number of findings in one response. The most important ones are kept, with a warning.
        findings: usize, "findings", 1, MANY, 500;
        /// Maximum time for the header of a request to arrive, in seconds.
        header_timeout_seconds: u64, "seconds", 1, DAY, 10;
        /// Maximum time without progress while a request body arrives, in seconds.
        body_timeout_seconds: u64, "seconds", 1, DAY, 60;
        /// Minimum average rate at which a request body must arrive once the body timeout has passed, in bytes per second
        /// after decompression.
        body_bytes_per_second: u64, "bytes per second", 1, GIB, 8 << 10;
        /// Maximum number of requests per minute with all tokens of one user, as a multiple of the limit for one token.
        user_requests_factor: u32, "multiple", 1, 10_000, 5;
        /// Maximum number of concurrent reviews of one user in one process, over all organizations, as a multiple of the limit
        /// for one organization.
        user_reviews_factor: usize, "multiple", 1, 10_000, 4;
        /// Maximum number of organizations that one user may own. Archived organizations do not count.
        organizations_per_user: u32, "organizations", 1, MANY, Caps::DEFAULT.organizations_per_user;
        /// Maximum number of valid tokens of one user.
        tokens_per_user: u32, "tokens", 1, MANY, Caps::DEFAULT.tokens_per_user;
        /// Maximum number of organizations in which one user is entitled automatically (`entitlements.grant_on_create`). In
        /// others, someone has to grant the entitlement. An organization that was archived or left counts until the end of the
        /// month.
        grants_per_user: u32, "organizations", 0, MANY, Caps::DEFAULT.grants_per_user;
        /// Maximum number of open invitations of one organization.
        invitations_per_organization: u32, "invitations", 1, MANY, Caps::DEFAULT.invitations_per_organization;
    }
    optional {
        /// Maximum memory for all reviews in one process, in bytes, in addition to the memory of the idle service. Without
        /// this setting, half of the memory of the container or machine; `null` in the API if there is no limit. A review takes
        /// 8 MiB and six times the size of its diff, and waits until that much is free. One organization gets at most half of
        /// the memory, or as much as one review of the largest diff needs.
        review_memory: usize, "bytes", 16 << 20, PIB, example 1_073_741_824;
    }
    derived {
        /// Maximum duration of one call of a language-model provider, in seconds (`llm.call_seconds`); `null` without a model.
        provider_call_seconds: u64, example 120;
        /// Maximum number of look-ups that a language model may make in the context files of one review (`llm.look_ups`); `null`
        /// if no model reads them.
        look_ups: usize, example 12;
    }
}

impl Limit {
    /// Finds a limit by name.
    fn named(name: &str) -> Option<&'static Self> {
        LIMITS.iter().find(|limit| limit.name == name)
    }

    /// The name in the API: `diffBytes` for `diff_bytes`.
    #[must_use]
    pub fn api_name(&self) -> String {
        let mut words = self.name.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |name, word| {
            let (initial, rest) = word.split_at_checked(1).unwrap_or(("", word));
            name + &initial.to_ascii_uppercase() + rest
        })
    }
}

impl Limits {
    /// The limits that the store enforces.
    pub(crate) fn caps(&self) -> Caps {
        Caps {
            organizations_per_user: self.organizations_per_user,
            tokens_per_user: self.tokens_per_user,
            grants_per_user: self.grants_per_user,
            invitations_per_organization: self.invitations_per_organization,
        }
    }

    /// The first limit that a part of the diff exceeds: a path, a hunk header, or the parents of a merge.
    #[must_use]
    pub fn exceeded_by(&self, extent: &Extent) -> Option<Exceeded> {
        let parts = [
            ("path_bytes", self.path_bytes, extent.path_bytes),
            (
                "hunk_header_bytes", self.hunk_header_bytes, extent.hunk_header_bytes,
            ),
            (
                "combined_parents", self.combined_parents, extent.combined_parents,
            ),
        ];
        let (name, limit, sent) = parts.into_iter().find(|(_, limit, sent)| sent > limit)?;
        Limit::named(name).map(|exceeded| Exceeded {
            exceeded,
            limit,
            sent,
        })
    }
}

/// A limit, and the size of what exceeds it.
#[derive(Debug, Clone, Copy)]
pub struct Exceeded {
    exceeded: &'static Limit,
    limit: usize,
    sent: usize,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, unit) = (self.exceeded.api_name(), self.exceeded.unit);
        write!(
            f,
            "The limit `{name}` is {} {unit}; the request has {} {unit}.",
            self.limit, self.sent
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{LIMITS, Limits};

    #[test]
    fn every_sentence_names_the_unit_and_every_default_is_in_range() {
        for limit in LIMITS {
            assert!(limit.about.contains(limit.unit), "{}", limit.name);
            let default = limit.default.unwrap_or(limit.least);
            assert!(
                (limit.least..=limit.most).contains(&default),
                "{}",
                limit.name
            );
        }
    }

    #[test]
    fn the_defaults_of_the_settings_are_those_of_the_struct() {
        let default = |name| {
            LIMITS
                .iter()
                .find(|limit| limit.name == name)
                .and_then(|limit| limit.default)
        };
        assert_eq!(Limits::from_settings(default), Some(Limits::default()));
        assert_eq!(
            Limits::from_settings(|_| Some(u64::MAX)),
            None,
            "too large for a number of requests"
        );
    }
}
