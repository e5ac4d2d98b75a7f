//! The use of language models in a review: data sent, calls and cost.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::repository::{Answer, Lookup, Refusal};

/// A language model that changes are sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ModelRecipient))]
pub struct Recipient {
    /// The provider's host name, with its port unless it is the protocol's default.
    #[cfg_attr(feature = "openapi", schema(example = "api.openai.com"))]
    pub host: String,
    /// The model's name at the provider.
    #[cfg_attr(feature = "openapi", schema(example = "gpt-5"))]
    pub model: String,
}

/// The use of language models in a review. Tokens are counted in `tokenUsage`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelUse {
    /// The models that data was sent to, without duplicates; empty if nothing was sent.
    pub recipients: Vec<Recipient>,
    /// Calls, including repeated ones.
    #[cfg_attr(feature = "openapi", schema(example = 1))]
    pub calls: u64,
    /// Bytes of the prompts of all calls (UTF-8), without protocol overhead.
    #[cfg_attr(feature = "openapi", schema(example = 9_120))]
    pub sent_bytes: u64,
    /// Prompt tokens that a provider read from its cache. They are part of `tokenUsage.promptTokens`.
    #[cfg_attr(feature = "openapi", schema(example = 0))]
    pub cached_tokens: u64,
    /// Look-ups of the models in the repository, by kind.
    pub look_ups: LookUps,
    /// The cost at the configured prices, cached tokens at the full price; `null` if a model that was called has no
    /// price.
    #[cfg_attr(feature = "openapi", schema(example = 0.0042))]
    pub cost: Option<f64>,
}

/// Look-ups that language models requested, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LookUps {
    /// Lines of a file.
    #[cfg_attr(feature = "openapi", schema(example = 1))]
    pub read: u64,
    /// Lines with a text.
    #[cfg_attr(feature = "openapi", schema(example = 0))]
    pub search: u64,
    /// The definition of a name.
    #[cfg_attr(feature = "openapi", schema(example = 2))]
    pub definition: u64,
    /// The uses of a name.
    #[cfg_attr(feature = "openapi", schema(example = 0))]
    pub callers: u64,
    /// Look-ups of these kinds that were refused: outside the repository, or in a file that usually contains secrets.
    #[cfg_attr(feature = "openapi", schema(example = 0))]
    pub refused: u64,
}

impl LookUps {
    /// A look-up and its answer.
    #[must_use]
    pub fn of(lookup: &Lookup, answer: &Result<Answer, Refusal>) -> Self {
        let refused = u64::from(answer.as_ref().is_err_and(|refusal| refusal.is_forbidden()));
        let none = Self {
            refused,
            ..Self::default()
        };
        match lookup {
            Lookup::Read { .. } => Self { read: 1, ..none },
            Lookup::Search(_) => Self { search: 1, ..none },
            Lookup::Definition(_) => Self {
                definition: 1,
                ..none
            },
            Lookup::Callers(_) => Self { callers: 1, ..none },
        }
    }

    /// All kinds together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.read + self.search + self.definition + self.callers
    }
}

impl Default for ModelUse {
    /// Nothing was sent.
    fn default() -> Self {
        Self {
            recipients: Vec::new(),
            calls: 0,
            sent_bytes: 0,
            cached_tokens: 0,
            look_ups: LookUps::default(),
            cost: Some(0.0),
        }
    }
}

impl AddAssign for ModelUse {
    fn add_assign(&mut self, other: Self) {
        for recipient in other.recipients {
            if !self.recipients.contains(&recipient) {
                self.recipients.push(recipient);
            }
        }
        self.calls += other.calls;
        self.sent_bytes += other.sent_bytes;
        self.cached_tokens += other.cached_tokens;
        self.look_ups += other.look_ups;
        self.cost = self.cost.zip(other.cost).map(|(one, other)| one + other);
    }
}

impl AddAssign for LookUps {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.search += other.search;
        self.definition += other.definition;
        self.callers += other.callers;
        self.refused += other.refused;
    }
}

#[cfg(test)]
mod tests {
    use super::{ModelUse, Recipient};

    #[test]
    fn a_recipient_is_named_once_and_one_unknown_price_leaves_the_cost_unknown() {
        let recipient = |model: &str| Recipient {
            host: "h".into(),
            model: model.into(),
        };
        let call = |model: &str, cost| ModelUse {
            recipients: vec![recipient(model)],
            calls: 1,
            cost,
            ..ModelUse::default()
        };
        let mut sum = ModelUse::default();
        [
            call("a", Some(0.5)),
            call("b", Some(0.25)),
            call("a", Some(0.25)),
        ]
        .into_iter()
        .for_each(|call| sum += call);
        assert_eq!(
            (sum.recipients.len(), sum.calls, sum.cost),
            (2, 3, Some(1.0))
        );
        sum += call("c", None);
        sum += call("a", Some(1.0));
        assert_eq!((sum.recipients.len(), sum.cost), (3, None));
    }
}
