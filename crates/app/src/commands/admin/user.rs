//! `hunkwise admin user …`

use clap::Subcommand;
use serde_json::{Value, json};
use store::User;

use super::{Answer, Desk, PAGE, parse_name, rfc3339};
use crate::commands::Error;
use crate::database::explain;

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

pub(super) async fn act(desk: &Desk, verb: Verb) -> Result<Option<Answer>, Error> {
    match verb {
        Verb::Create { name, operator } => {
            let user = desk.store.insert_user(&name, operator, desk.now).await.map_err(explain)?;
            let id = user.id.to_string();
            Ok(Some(Answer { text: format!("{id}\n"), json: json!({ "userId": id }) }))
        }
        Verb::List => {
            let page = async |after| desk.store.list_users(after, PAGE).await;
            desk.list("users", page, |user| user.id, line, object).await.map(|()| None)
        }
    }
}

fn line(user: &User) -> String {
    let operator = if user.operator { "operator" } else { "-" };
    format!("{}  {}  {operator:8}  {}\n", user.id, rfc3339(user.created_at), user.name)
}

fn object(user: &User) -> Value {
    json!({
        "userId": user.id.to_string(),
        "displayName": user.name,
        "operator": user.operator,
        "createdAt": rfc3339(user.created_at),
    })
}
