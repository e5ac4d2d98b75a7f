//! The protocol's side of the tools.

use std::borrow::Cow;

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData, InitializeResult,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use server::mcp::tools::{EXPLAIN_RULE, LIST_RULES, REVIEW_DIFF};
use server::mcp::{self, Answer, refusal};

use super::progress::Listener;
use super::{review, rules, tools, working_tree};
use crate::engines::Engines;
use crate::outcome::Error;
use crate::settings::Settings;

const INSTRUCTIONS: &str = "Hunkwise reviews code changes. After an edit call review_working_tree, fix what it finds \
                            and call it again; explain_rule tells more about a finding's rule.";

/// Answers the client's requests.
pub(super) struct Handler {
    settings: Settings,
    engines: Engines,
    tools: Vec<Tool>,
}

impl Handler {
    pub(super) fn new(settings: Settings, engines: Engines) -> Self {
        Self { settings, engines, tools: tools::all() }
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Result<Answer, Error>, ErrorData> {
        let (settings, engines, arguments) = (&self.settings, &self.engines, request.arguments);
        Ok(match request.name.as_ref() {
            REVIEW_DIFF => review::diff(settings, engines, arguments, &Listener::of(context)).await,
            tools::REVIEW_WORKING_TREE => working_tree::review(settings, engines, arguments, context).await,
            EXPLAIN_RULE => rules::own(settings, context).await.and_then(|own| rules::explain(arguments, &own)),
            LIST_RULES => rules::own(settings, context).await.and_then(|own| rules::list(arguments, &own)),
            _ => return Err(self.unknown_tool()),
        })
    }

    fn unknown_tool(&self) -> ErrorData {
        let names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_ref()).collect();
        ErrorData::invalid_params(format!("there is no such tool; there are {}", names.join(", ")), None)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> InitializeResult {
        mcp::introduction(INSTRUCTIONS)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(mcp::versions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    // Some clients ask for the following whatever the capabilities say, and take an error for a server that failed.

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::default())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::default())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::default())
    }

    /// Runs a tool. When the client cancels, the work is dropped, and nobody waits for what is returned.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let answer = tokio::select! {
            answer = self.call(request, &context) => answer?,
            () = context.ct.cancelled() => Err(Error::interrupted()),
        };
        Ok(answer.map_or_else(|error| refusal(error.message), Into::into).into())
    }

    /// What has a known method but not its parameters arrives here, too.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method == "tools/call" {
            let message = "tools/call: expected a name (a string) and arguments (an object)";
            return Err(ErrorData::invalid_params(message, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None))
    }
}
