//! One tiny call to a model that checks its settings.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use crate::model::{CallError, ChatModel, Finish, Prompt, Schema};
use crate::reply;

/// Maximum tokens of the reply. It takes ten, but reasoning models also count their reasoning.
const OUTPUT: u64 = 2_048;

/// The smallest answer that a review could parse.
static ANSWER: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let object = |properties: &Value, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    let word = |word: &str| json!({ "type": "string", "enum": [word] });
    let finding = object(
        &json!({ "line": word("NEW:1"), "summary": word("ok") }),
        &["line", "summary"],
    );
    let json = object(
        &json!({ "findings": { "type": "array", "items": finding } }),
        &["findings"],
    );
    Arc::new(Schema {
        name: "findings",
        json,
    })
});

/// The results of a call to a model. A field is `None` if the call did not get that far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// The provider answered.
    pub reachable: Option<bool>,
    /// The provider accepted the key.
    pub key_accepted: Option<bool>,
    /// The provider has the model.
    pub model_known: Option<bool>,
    /// The form of the model's reply, if there was one.
    pub form: Option<Form>,
    /// The provider reported token counts; otherwise they are estimated.
    pub usage_reported: Option<bool>,
    /// Why there is no reply.
    pub error: Option<CallError>,
}

/// How well a reply matches the requested form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The JSON that the schema describes, and nothing else.
    Exact,
    /// The JSON is embedded in other text, and can be extracted.
    Embedded,
    /// The reply was cut off at the token limit.
    CutOff,
    /// Something else.
    Unreadable,
}

impl Check {
    /// Whether reviews with this model can work.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        matches!(self.form, Some(Form::Exact | Form::Embedded))
    }

    fn failed(error: CallError) -> Self {
        let unknown = Self {
            reachable: Some(true),
            key_accepted: None,
            model_known: None,
            form: None,
            usage_reported: None,
            error: Some(error),
        };
        match error {
            CallError::Connection | CallError::TimedOut => Self {
                reachable: Some(false),
                ..unknown
            },
            // The provider was not called.
            CallError::Credential(_) => Self {
                reachable: None,
                key_accepted: Some(false),
                ..unknown
            },
            CallError::Key(_) => Self {
                key_accepted: Some(false),
                ..unknown
            },
            CallError::Unknown(_) => Self {
                model_known: Some(false),
                ..unknown
            },
            // The provider read the prompt.
            CallError::Declined | CallError::TooLong => Self {
                key_accepted: Some(true),
                model_known: Some(true),
                ..unknown
            },
            CallError::Refused(_)
            | CallError::Certificate(_)
            | CallError::RateLimited(_)
            | CallError::Unavailable(..)
            | CallError::TooLarge
            | CallError::Garbled => unknown,
        }
    }
}

/// Makes one minimal call to `model`.
pub async fn check(model: &dyn ChatModel) -> Check {
    let reply = match model.complete(&question()).await {
        Ok(reply) if reply.finish == Finish::Interrupted => {
            return Check::failed(CallError::Connection);
        }
        Ok(reply) => reply,
        Err(error) => return Check::failed(error),
    };
    Check {
        reachable: Some(true),
        key_accepted: Some(true),
        model_known: Some(true),
        form: Some(form(&reply.text, reply.finish)),
        usage_reported: Some(!reply.usage.estimated),
        error: None,
    }
}

fn question() -> Prompt {
    Prompt {
        system: "This is a test of a connection. Answer with one JSON object and no other text."
            .into(),
        user: r#"Answer exactly: {"findings": [{"line": "NEW:1", "summary": "ok"}]}"#.to_owned(),
        later: Vec::new(),
        schema: Arc::clone(&ANSWER),
        max_output_tokens: OUTPUT,
    }
}

/// How well a review could parse the reply: it uses the same parser.
fn form(text: &str, finish: Finish) -> Form {
    match reply::read(text) {
        Ok(answers) if answers.unreadable == 0 && !answers.cut => {
            let whole = serde_json::from_str::<Value>(text)
                .is_ok_and(|value| value.get("findings").is_some());
            if whole { Form::Exact } else { Form::Embedded }
        }
        _ if finish == Finish::Length => Form::CutOff,
        _ => Form::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Check, Form, check, form};
    use crate::client::HttpModel;
    use crate::model::{CallError, Finish};
    use crate::settings::Protocol;
    use crate::testing::{FaultKind, Script, ScriptedProvider, Turn};

    const GOOD: &str = r#"{"findings": [{"line": "NEW:1", "summary": "ok"}]}"#;

    /// The result for a provider that takes this turn. Faults that last until the timeout get a short one.
    async fn checked(protocol: Protocol, turn: Turn) -> Check {
        let lasts = matches!(
            turn,
            Turn::Fail(
                FaultKind::HangBeforeAnswer | FaultKind::HangInsideAnswer | FaultKind::SlowTokens,
                _
            )
        );
        let time = if lasts {
            Duration::from_millis(500)
        } else {
            Duration::from_secs(20)
        };
        let provider = ScriptedProvider::start(protocol, Script::always(turn))
            .await
            .unwrap();
        let model = HttpModel::new(&provider.settings(), time).unwrap();
        let checked = check(&model).await;
        assert_eq!(provider.requests().len(), 1, "exactly one call");
        checked
    }

    #[tokio::test]
    async fn each_step_of_a_call_is_reported_separately() {
        for protocol in Protocol::ALL {
            let good = checked(protocol, Turn::say(GOOD)).await;
            assert_eq!(
                (good.form, good.usage_reported, good.is_usable()),
                (Some(Form::Exact), Some(true), true)
            );
            let key = checked(protocol, Turn::fail(FaultKind::WrongKey)).await;
            assert_eq!(
                (key.reachable, key.key_accepted, key.model_known),
                (Some(true), Some(false), None),
                "{key:?}"
            );
            let model = checked(protocol, Turn::fail(FaultKind::WrongModel)).await;
            assert_eq!(
                (model.reachable, model.model_known),
                (Some(true), Some(false)),
                "{model:?}"
            );
            let silent = checked(protocol, Turn::fail(FaultKind::HangBeforeAnswer)).await;
            assert_eq!(
                (silent.reachable, silent.error),
                (Some(false), Some(CallError::TimedOut))
            );
            let prose = checked(protocol, Turn::say("Everything is fine.")).await;
            assert_eq!(
                (prose.form, prose.is_usable()),
                (Some(Form::Unreadable), false)
            );
            let uncounted =
                checked(protocol, Turn::Fail(FaultKind::NoUsage, GOOD.to_owned())).await;
            assert_eq!(
                (uncounted.usage_reported, uncounted.is_usable()),
                (Some(false), true)
            );
        }
    }

    #[tokio::test]
    async fn no_fault_is_reported_as_a_usable_model() {
        for fault in FaultKind::ALL {
            let checked = checked(Protocol::OpenAi, Turn::Fail(fault, GOOD.to_owned())).await;
            let fine = matches!(fault, FaultKind::ProseAroundText | FaultKind::NoUsage);
            assert_eq!(checked.is_usable(), fine, "{fault:?}: {checked:?}");
        }
    }

    #[test]
    fn the_form_of_a_reply_is_what_a_review_would_parse() {
        for (text, expected) in [
            (GOOD.to_owned(), Form::Exact),
            (r#"{"findings": []}"#.to_owned(), Form::Exact),
            (
                format!("Here you are:\n```json\n{GOOD}\n```"),
                Form::Embedded,
            ),
            (
                r#"{"findings": [{"ok": "yes"}]}"#.to_owned(),
                Form::Unreadable,
            ),
            (r#"{"ok": true}"#.to_owned(), Form::Unreadable),
            (String::new(), Form::Unreadable),
        ] {
            assert_eq!(form(&text, Finish::Stop), expected, "{text}");
        }
        assert_eq!(form(r#"{"findings": [{"#, Finish::Length), Form::CutOff);
    }
}
