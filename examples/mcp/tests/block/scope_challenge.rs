//! The scenario `sep-2350-server-scope-challenge` of the conformance suite: four operations with a
//! token that grants too little, whose one challenge names all scopes, and then with a token that
//! grants all of them. The names are those of its fixture.

use std::collections::BTreeSet;

use doorward::rmcp3::Head;
use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{SecurityScopes, Shared, http_bearer, layer, plan, secured};
use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, Role,
};
use rmcp::service::RequestContext;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, prompt, prompt_handler, prompt_router, tool,
    tool_handler, tool_router,
};
use serde_json::json;

use super::Client;

#[http_bearer(
    resource = "http://localhost/mcp",
    scopes(
        "mcp:conformance:baseline" = "Connect.",
        "mcp:conformance:tools:call" = "Call tools.",
        "mcp:conformance:tools:test_simple_text" = "Call the tool.",
        "mcp:conformance:resources:read" = "Read resources.",
        "mcp:conformance:resources:static" = "Read the static one.",
        "mcp:conformance:resources:template:123" = "Read the one with the number 123.",
        "mcp:conformance:prompts:get" = "Get prompts.",
        "mcp:conformance:prompts:test_simple_prompt" = "Get the prompt.",
    ),
    verified = (),
    by = Fixture
)]
struct Conformance;

/// The two tokens of the fixture.
struct Fixture;

impl Verify for Fixture {
    type Claims = ();

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<()>, VerifyError> {
        let granted = match token.into().token().as_str() {
            "mcp-conformance-scope-low" => &["mcp:conformance:baseline"][..],
            "mcp-conformance-scope-full" => &[
                "mcp:conformance:baseline",
                "mcp:conformance:tools:call",
                "mcp:conformance:tools:test_simple_text",
                "mcp:conformance:resources:read",
                "mcp:conformance:resources:static",
                "mcp:conformance:resources:template:123",
                "mcp:conformance:prompts:get",
                "mcp:conformance:prompts:test_simple_prompt",
            ],
            _ => return Err(VerifyError::invalid_token(scopes)),
        };
        Verified::new((), granted.iter().map(|scope| (*scope).to_owned())).require(scopes)
    }
}

#[derive(Clone)]
struct Server {
    tools: ToolRouter<Self>,
    prompts: PromptRouter<Self>,
}

#[secured(Conformance, scopes("mcp:conformance:tools:call"))]
#[tool_router]
impl Server {
    #[security(Conformance, scopes("mcp:conformance:tools:test_simple_text"))]
    #[tool(description = "Returns simple text.")]
    async fn test_simple_text(&self) -> String {
        "This is a simple text response for testing.".to_owned()
    }
}

#[secured(Conformance, scopes("mcp:conformance:prompts:get"))]
#[prompt_router]
impl Server {
    #[security(Conformance, scopes("mcp:conformance:prompts:test_simple_prompt"))]
    #[prompt(description = "Is simple.")]
    async fn test_simple_prompt(&self) -> Vec<PromptMessage> {
        vec![PromptMessage::new_text(Role::User, "This is a simple prompt for testing.")]
    }
}

#[secured]
#[tool_handler(router = self.tools)]
#[prompt_handler(router = self.prompts)]
impl ServerHandler for Server {
    #[public(reason = "each resource has its own scopes")]
    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let mut head = Head::of(&context);
        match &*request.uri {
            "test://static-text" => head.resolve_late(plan!(
                Conformance,
                scopes("mcp:conformance:resources:read", "mcp:conformance:resources:static")
            )),
            "test://template/123/data" => head.resolve_late(plan!(
                Conformance,
                scopes("mcp:conformance:resources:read", "mcp:conformance:resources:template:123")
            )),
            _ => return Err(ErrorData::resource_not_found("no such resource", None)),
        }
        .await?;
        let contents = ResourceContents::text("text", request.uri);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

#[tokio::test]
async fn one_challenge_names_all_scopes_of_an_operation() {
    let server = Server { tools: Server::tool_router(), prompts: Server::prompt_router() };
    let baseline = layer!(Conformance, scopes("mcp:conformance:baseline"));
    let client = Client::with(baseline.with_late_refusals(), server, Shared::new(Fixture));
    for (method, params, scopes) in [
        (
            "tools/call",
            json!({ "name": "test_simple_text", "arguments": {} }),
            ["mcp:conformance:tools:call", "mcp:conformance:tools:test_simple_text"],
        ),
        (
            "resources/read",
            json!({ "uri": "test://static-text" }),
            ["mcp:conformance:resources:read", "mcp:conformance:resources:static"],
        ),
        (
            "resources/read",
            json!({ "uri": "test://template/123/data" }),
            ["mcp:conformance:resources:read", "mcp:conformance:resources:template:123"],
        ),
        (
            "prompts/get",
            json!({ "name": "test_simple_prompt" }),
            ["mcp:conformance:prompts:get", "mcp:conformance:prompts:test_simple_prompt"],
        ),
    ] {
        let low = client.send_modern("mcp-conformance-scope-low", method, params.clone()).await;
        assert_eq!(low.status, 403, "{method}");
        let challenge = &low.challenge;
        assert!(challenge.starts_with("Bearer "), "{challenge}");
        assert!(challenge.contains(r#"error="insufficient_scope""#), "{challenge}");
        assert!(challenge.contains("resource_metadata="), "{challenge}");
        let named = challenge.split_once(r#" scope=""#).unwrap().1.split('"').next().unwrap();
        assert_eq!(BTreeSet::from_iter(named.split(' ')), BTreeSet::from(scopes));
        let full = client.send_modern("mcp-conformance-scope-full", method, params).await;
        assert_eq!(full.status, 200, "{method} {}", full.body);
        assert!(full.body["error"].is_null(), "{method} {}", full.body);
    }
    let initial = client.send_modern("mcp-conformance-scope-low", "tools/list", json!({})).await;
    assert_eq!(initial.body["result"]["tools"].as_array().unwrap().len(), 1);
}
