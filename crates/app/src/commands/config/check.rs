//! `hunkwise config check`: makes one tiny real call to each configured model and reports the result.

use futures_util::future::join_all;
use llm::{CallError, Check, Form};
use review::output::{printable, printable_json};
use serde_json::{Value, json};
use settings::Model;

use crate::commands::{Context, block_on, print};
use crate::models;
use crate::outcome::{Error, Exit, Outcome};

/// Make one tiny call to each configured model and report the result
///
/// All models are called concurrently, without retries. No part of a change is sent. The response of a provider is
/// examined but never shown.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise config check --config hunkwise.toml
  hunkwise config check --json

Exit status: 0 all models are usable, 2 wrong settings or no model, 3 a model is not usable.")]
pub(super) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Outcome {
    let settings = context.settings()?;
    let none = "no model is configured: add [[llm.models]] to the configuration file (docs/models.md shows how), and \
                name the file with --config or HUNKWISE_CONFIG";
    let llm = settings.llm.ok_or_else(|| Error::usage(none))?;
    let clients = models::clients(&llm)?;
    let checks =
        block_on(async { Ok(join_all(clients.iter().map(|client| llm::check(client))).await) })?;
    let all: Vec<(&Model, Check)> = llm.models.iter().zip(checks).collect();
    print(&if args.json {
        as_json(&all)
    } else {
        as_text(&all)
    })?;
    Ok(if all.iter().all(|(_, check)| check.is_usable()) {
        Exit::Success
    } else {
        Exit::Failure
    })
}

fn as_text(all: &[(&Model, Check)]) -> String {
    let models: String = all
        .iter()
        .enumerate()
        .map(|(at, (model, check))| of_model(at + 1, model, *check))
        .collect();
    let usable = all.iter().filter(|(_, check)| check.is_usable()).count();
    format!("{models}{usable} of {} usable\n", all.len())
}

fn of_model(number: usize, model: &Model, check: Check) -> String {
    let mut text = format!(
        "{number}. {} ({}, {})\n",
        printable(&model.model),
        model.protocol,
        printable(&model.base_url.to_string())
    );
    for (what, answer) in steps(model, check) {
        text.push_str(&format!("   {what:<18} {answer}\n"));
    }
    for advice in advice(model, check) {
        text.push_str(&format!("   → {advice}\n"));
    }
    text.push('\n');
    text
}

/// The checked steps and their results, in the order of a call. An error is reported at the step that it disproves, or
/// at the first step that it leaves open.
fn steps(model: &Model, check: Check) -> [(&'static str, String); 5] {
    let steps = [
        ("reachable", check.reachable),
        ("key accepted", check.key_accepted),
        ("model known", check.model_known),
        (
            "structured output",
            check.form.map(|form| form == Form::Exact),
        ),
        ("usage reported", check.usage_reported),
    ];
    let denied = steps.iter().position(|(_, step)| *step == Some(false));
    let end = denied.or_else(|| steps.iter().position(|(_, step)| step.is_none()));
    let mut at = 0..steps.len();
    steps.map(|(what, step)| {
        let is_end = at.next() == end;
        let why = check
            .error
            .filter(|_| is_end)
            .map(|error| format!(": {}", described(error, model)))
            .unwrap_or_default();
        let answer = match (what, step) {
            ("structured output", Some(_)) => {
                check.form.map_or("not known", |form| of_form(model, form))
            }
            (_, Some(true)) => "yes",
            (_, Some(false)) => "no",
            (_, None) => "not known",
        };
        (what, format!("{answer}{why}"))
    })
}

/// The error, with the name of the program if a credential command failed.
fn described(error: CallError, model: &Model) -> String {
    let program = model.credential_command.iter().flatten().next();
    match (error, program) {
        (CallError::Credential(_), Some(program)) => format!("{error} ({})", printable(program)),
        _ => error.to_string(),
    }
}

fn of_form(model: &Model, form: Form) -> &'static str {
    match form {
        Form::Exact | Form::Embedded if !model.structured_output => {
            "switched off; the reply could be read"
        }
        Form::Exact => "yes",
        Form::Embedded => "no: the JSON was embedded in other text, but could be extracted",
        Form::CutOff => "no: the reply was cut off at the output limit",
        Form::Unreadable => "no: the reply was not the requested JSON",
    }
}

/// The advice for a failed or degraded check.
fn advice(model: &Model, check: Check) -> Vec<&'static str> {
    let mut advice = Vec::new();
    advice.extend(check.error.map(|error| for_error(error, model)));
    let refused = matches!(check.error, Some(CallError::Refused(_)));
    if refused && (model.reasoning.is_some() || !model.extra_body.is_empty()) {
        advice.push(
            "check reasoning and extra_body: the model may not accept these parameters or values",
        );
    }
    advice.extend(match check.form {
        Some(Form::Embedded) if model.structured_output => Some(
            "the provider does not enforce the schema; reviews still work; structured_output = false \
             turns it off",
        ),
        Some(Form::CutOff) => Some("raise max_output_tokens: reasoning counts towards the limit as well"),
        Some(Form::Unreadable) if model.structured_output => {
            Some("try structured_output = false; if that does not help, the model is too weak for reviews: use another one")
        }
        Some(Form::Unreadable) => {
            Some("set structured_output = true if the provider supports it, or use another model: this one is too weak")
        }
        _ => None,
    });
    if check.usage_reported == Some(false) {
        advice
            .push("the provider does not count tokens: they are estimated from bytes, for budgets and for tokenUsage");
    }
    advice
}

fn for_error(error: CallError, model: &Model) -> &'static str {
    match error {
        CallError::Connection => {
            "check base_url (host, port, https or http), proxy and ca_file, and whether a firewall blocks this machine"
        }
        CallError::Certificate(fault) => fault.advice(),
        CallError::TimedOut => {
            "raise llm.call_seconds, or find out why the provider is slow: a server may be loading the model"
        }
        CallError::Credential(_) => {
            "run credential_command by hand, as the user of this service: its first word is looked up in PATH"
        }
        CallError::Key(_) if model.credential_command.is_some() => {
            "the provider rejects the key from credential_command: it may belong to another account or lack a role"
        }
        CallError::Key(_) if model.api_key.is_none() && model.headers.is_none() => {
            "set api_key_file (or headers_file, for a provider that expects its key in another header)"
        }
        CallError::Key(_) => {
            "check api_key or headers: the key may be expired, for another provider, or lack access to this model"
        }
        CallError::Unknown(_) => {
            "check model and base_url: the protocol's paths are appended to base_url as it is"
        }
        CallError::Refused(402 | 429) => {
            "the provider's account has no credit left: see its billing page"
        }
        CallError::Refused(_) if model.structured_output => {
            "try structured_output = false, and check that max_output_tokens is not more than the model supports"
        }
        CallError::Refused(_) => {
            "check protocol and base_url, and that max_output_tokens is not more than the model supports"
        }
        CallError::TooLong => {
            "the model's context window is too small: raise it on the server and set context_window accordingly"
        }
        CallError::RateLimited(_) => {
            "wait and try again; if it persists, ask the provider for a higher limit"
        }
        CallError::Unavailable(..) => {
            "try again later; if it persists, see the provider's status page or the server's log"
        }
        CallError::Declined => {
            "the model or a filter of the provider refuses even a harmless question: use another model"
        }
        CallError::TooLarge | CallError::Garbled => {
            "check protocol and base_url: the server there does not speak this protocol"
        }
    }
}

fn as_json(all: &[(&Model, Check)]) -> String {
    let models: Vec<Value> = all
        .iter()
        .map(|(model, check)| {
            json!({
                "model": model.model,
                "protocol": model.protocol.to_string(),
                "baseUrl": model.base_url.to_string(),
                "usable": check.is_usable(),
                "reachable": check.reachable,
                "keyAccepted": check.key_accepted,
                "modelKnown": check.model_known,
                "structuredOutput": check.form.filter(|_| model.structured_output).map(|form| form == Form::Exact),
                "usageReported": check.usage_reported,
                "error": check.error.map(|error| described(error, model)),
                "advice": advice(model, *check),
            })
        })
        .collect();
    let usable = all.iter().all(|(_, check)| check.is_usable());
    printable_json(json!({ "usable": usable, "models": models }).to_string()) + "\n"
}
