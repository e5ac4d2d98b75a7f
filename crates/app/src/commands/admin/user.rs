//! `hunkwise admin user …`

use clap::Subcommand;
use serde_json::{Value, json};
use store::{User, names};

use super::context::{AdminContext, Answer, PAGE};
use super::values::{parse_name, rfc3339};
use crate::database::explain;
use crate::outcome::Error;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Add a user
    #[command(after_help = "Example: hunkwise admin user create --name Ada --operator")]
    Create {
        /// For people to read; need not be unique
        #[arg(long, value_parser = parse_name)]
        name: String,
        /// Let the user use the operators' part of the API
        #[arg(long)]
        operator: bool,
    },
    /// List every user, the newest last
    #[command(after_help = "Example: hunkwise admin user list --json")]
    List,
}

pub(super) async fn act(context: &AdminContext, verb: Verb) -> Result<Option<Answer>, Error> {
    match verb {
        Verb::Create { name, operator } => {
            let user = context.store.insert_user(&name, operator, context.now).await.map_err(explain)?;
            let id = user.id.to_string();
            Ok(Some(Answer { text: format!("{id}\n"), json: json!({ "userId": id }) }))
        }
        Verb::List => {
            let page = async |after| context.store.list_users(after, PAGE).await;
            context.list("users", page, |user| user.id, line, object).await.map(|()| None)
        }
    }
}

fn line(user: &User) -> String {
    let operator = if user.operator { "operator" } else { "-" };
    format!("{}  {}  {operator:8}  {}\n", user.id, rfc3339(user.created_at), names::plain(&user.name))
}

fn object(user: &User) -> Value {
    json!({
        "userId": user.id.to_string(),
        "displayName": user.name,
        "operator": user.operator,
        "createdAt": rfc3339(user.created_at),
    })
}
