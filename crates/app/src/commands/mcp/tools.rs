//! The tools of `hunkwise mcp`.

use mcp::{Answer, ToolName};
use serde_json::{Map, Value};
use settings::Settings;

use super::client::Client;
use super::progress::Listener;
use super::{review, rules, working_tree};
use crate::engines::Engines;
use crate::outcome::Error;

/// The context of the tools.
pub(super) struct Tools {
    pub(super) settings: Settings,
    pub(super) engines: Engines,
}

impl Tools {
    /// Calls a tool.
    ///
    /// # Errors
    /// An error that the agent can fix.
    pub(super) async fn call(
        &self,
        tool: ToolName,
        arguments: Map<String, Value>,
        client: &Client,
        listener: &mut Listener,
    ) -> Result<Answer, Error> {
        let Self { settings, engines } = self;
        match tool {
            ToolName::ReviewDiff => review::diff(settings, engines, arguments, listener).await,
            ToolName::ReviewWorkingTree => {
                working_tree::review(settings, engines, arguments, (client, listener)).await
            }
            ToolName::ExplainRule => {
                rules::explain(arguments, &rules::own(settings, client).await?)
            }
            ToolName::ListRules => rules::list(arguments, &rules::own(settings, client).await?),
        }
    }
}
