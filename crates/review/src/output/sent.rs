//! A summary of the data sent to language models.

use std::fmt::Write as _;

use super::counts::counted;
use super::json::ReviewBody;

/// The data sent, its recipients, tokens and cost, in one line without a full stop; `None` if no language model is
/// configured.
#[must_use]
pub fn sent(body: &ReviewBody) -> Option<String> {
    let used = body.metadata.model_use.as_ref()?;
    if used.calls == 0 {
        return Some("nothing was sent to a language model".to_owned());
    }
    let recipients: Vec<String> = used
        .recipients
        .iter()
        .map(|to| format!("{} at {}", to.model, to.host))
        .collect();
    let calls = counted(usize::try_from(used.calls).unwrap_or(usize::MAX), "call");
    let mut text = format!(
        "{} bytes were sent to {} in {calls}",
        used.sent_bytes,
        recipients.join(" and ")
    );
    let tokens = body.metadata.token_usage;
    let about = if tokens.estimated { "about " } else { "" };
    let _ = write!(text, "; {about}{} tokens in", tokens.prompt_tokens);
    if used.cached_tokens > 0 {
        let _ = write!(text, " ({} cached)", used.cached_tokens);
    }
    let _ = write!(text, ", {} out", tokens.completion_tokens);
    let look_ups = used.look_ups;
    if look_ups.total() > 0 {
        let kinds = [
            (look_ups.read, "read"),
            (look_ups.search, "search"),
            (look_ups.definition, "definition"),
            (look_ups.callers, "callers"),
            (look_ups.refused, "refused"),
        ];
        let kinds: Vec<String> = kinds
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect();
        let all = counted(
            usize::try_from(look_ups.total()).unwrap_or(usize::MAX),
            "look-up",
        );
        let _ = write!(text, "; {all} ({})", kinds.join(", "));
    }
    match used.cost {
        Some(cost) => {
            let _ = write!(text, "; cost {cost:.4}");
        }
        None => text.push_str("; cost unknown, because no price is configured"),
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::sent;
    use crate::engine::TokenUsage;
    use crate::model_use::{LookUps, ModelUse, Recipient};
    use crate::output::samples;

    #[test]
    fn the_summary_contains_bytes_recipients_tokens_and_cost() {
        let mut body = samples::body(Vec::new());
        assert_eq!(sent(&body), None);
        body.metadata.model_use = Some(ModelUse::default());
        assert_eq!(sent(&body).unwrap(), "nothing was sent to a language model");
        body.metadata.token_usage = TokenUsage {
            prompt_tokens: 900,
            completion_tokens: 40,
            total_tokens: 940,
            estimated: false,
        };
        let recipient = |model: &str| Recipient {
            host: "api.example.com".into(),
            model: model.into(),
        };
        let used = ModelUse {
            recipients: vec![recipient("a"), recipient("b")],
            calls: 3,
            sent_bytes: 4_000,
            cached_tokens: 512,
            look_ups: LookUps {
                read: 2,
                callers: 1,
                refused: 1,
                ..LookUps::default()
            },
            cost: Some(0.012_34),
        };
        body.metadata.model_use = Some(used.clone());
        assert_eq!(
            sent(&body).unwrap(),
            "4000 bytes were sent to a at api.example.com and b at api.example.com in 3 calls; 900 tokens in (512 cached), \
             40 out; 3 look-ups (2 read, 1 callers, 1 refused); cost 0.0123"
        );
        body.metadata.model_use = Some(ModelUse {
            cached_tokens: 0,
            look_ups: LookUps::default(),
            cost: None,
            calls: 1,
            ..used
        });
        body.metadata.token_usage.estimated = true;
        assert!(sent(&body).unwrap().ends_with(
            "in 1 call; about 900 tokens in, 40 out; cost unknown, because no price is configured"
        ));
    }
}
