//! `#[secured]` above blocks of rmcp, in process.

mod client;
mod decisions;
mod lists;
mod orders;
mod recognised;
mod scope_challenge;
mod streams;
mod tables;
mod transports;

use std::sync::{Arc, Mutex};

use doorward::verify::Verified;
use doorward::{http_bearer, secured};
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ResourceContents, Role,
};
use rmcp::service::RequestContext;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, prompt, prompt_handler, prompt_router, schemars, tool,
    tool_handler, tool_router,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use client::Client;

#[http_bearer(
    strict,
    resource = "https://api.example.com/mcp",
    scopes(
        "notes:read" = "Read the notes.",
        "notes:write" = "Add notes.",
        "admin" implies("notes:read", "notes:write") = "Everything."
    ),
    verified = Claims
)]
struct Notebook;

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

#[derive(Deserialize, schemars::JsonSchema)]
struct Note {
    text: String,
}

#[derive(Serialize, schemars::JsonSchema)]
struct Count {
    notes: usize,
}

/// An error of the service. Behind an alias of `Result`, it need not be made from a refusal.
struct Failed(String);

impl rmcp::handler::server::tool::IntoCallToolResult for Failed {
    fn into_call_tool_result(self) -> Result<rmcp::model::CallToolResponse, ErrorData> {
        self.0.into_call_tool_result()
    }
}

type Answer<T> = Result<T, Failed>;

#[secured(Notebook, scopes("notes:read"))]
#[tool_router]
impl Notes {
    const SEPARATOR: &'static str = "\n";

    /// Lists the notes.
    #[tool]
    fn list_notes(&self) -> String {
        if self.all().is_empty() {
            return "none".to_owned();
        }
        self.all()
    }

    #[tool(description = "Adds a note.")]
    async fn add_note(
        &self,
        Parameters(Note { text }): Parameters<Note>,
        #[security(Notebook, scopes("notes:write"))] caller: Verified<Claims>,
    ) -> Result<Json<Count>, String> {
        let mut notes = self.0.lock().unwrap();
        notes.push(format!("{}: {text}", caller.sub));
        Ok(Json(Count { notes: notes.len() }))
    }

    #[security(Notebook, scopes("notes:write"))]
    #[tool(name = "clear all", description = "Removes the notes.")]
    async fn clear(&self) -> Json<Count> {
        self.0.lock().unwrap().clear();
        Json(Count { notes: 0 })
    }

    #[tool(description = "Counts the notes.")]
    async fn count(&self) -> Answer<Json<Count>> {
        let notes = self.0.lock().map_err(|error| Failed(error.to_string()))?.len();
        Ok(Json(Count { notes }))
    }

    #[public(reason = "it says nothing")]
    #[tool(description = "Says hello.")]
    fn hello(&self) -> String {
        "hello".to_owned()
    }

    fn all(&self) -> String {
        self.0.lock().unwrap().join(Self::SEPARATOR)
    }
}

#[secured]
#[prompt_router]
impl Notes {
    #[prompt(name = "sum_up", description = "Sums the notes up.")]
    async fn sum_up(
        &self,
        #[security(Notebook, scopes("notes:read"))] _caller: Verified<Claims>,
    ) -> Vec<PromptMessage> {
        vec![PromptMessage::new_text(Role::User, self.all())]
    }
}

#[secured]
#[tool_handler]
#[prompt_handler]
impl ServerHandler for Notes {
    #[security(Notebook, scopes("notes:read", "notes:write"))]
    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents = ResourceContents::text(self.all(), request.uri);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

/// The tools, each with the scopes that its challenge names.
#[tokio::test]
async fn one_challenge_names_all_scopes() {
    let notes = Notes::default();
    let kept = notes.clone();
    let client = Client::of::<Claims, _>(notes).await;
    let add = ("tools/call", json!({ "name": "add_note", "arguments": { "text": "Milk" } }));
    for (scopes, call, missing) in [
        ("other", &add, r#"scope="notes:read notes:write""#),
        ("notes:read", &add, r#"scope="notes:read notes:write""#),
        ("notes:write", &add, r#"scope="notes:read notes:write""#),
        ("other", &("tools/call", json!({ "name": "list_notes" })), r#"scope="notes:read""#),
        ("other", &("tools/call", json!({ "name": "count" })), r#"scope="notes:read""#),
        ("notes:write", &("tools/call", json!({ "name": "clear all" })), "notes:read notes:write"),
        ("other", &("prompts/get", json!({ "name": "sum_up" })), r#"scope="notes:read""#),
        (
            "notes:read",
            &("resources/read", json!({ "uri": "note://1" })),
            r#"scope="notes:read notes:write""#,
        ),
    ] {
        let refused = client.call(scopes, call.0, &call.1).await;
        assert_eq!(refused.status, 403, "{call:?}");
        assert!(refused.challenge.contains(missing), "{call:?} {}", refused.challenge);
        assert!(refused.challenge.contains("resource_metadata="));
        let accepted = client.call("admin", call.0, &call.1).await;
        assert_eq!(accepted.status, 200, "{call:?}");
        assert!(accepted.body.get("error").is_none(), "{call:?} {}", accepted.body);
    }
    assert!(kept.all().is_empty(), "{}", kept.all());
}

/// A caller without a token is told which one it needs, by the tool itself.
#[tokio::test]
async fn a_public_tool_needs_no_token() {
    let client = Client::of::<Claims, _>(Notes::default()).await;
    let refused = client.send(None, "tools/call", &json!({ "name": "list_notes" })).await;
    assert_eq!(refused.status, 401);
    assert!(refused.challenge.contains(r#"scope="notes:read""#), "{}", refused.challenge);
    assert!(!refused.challenge.contains("error="), "{}", refused.challenge);
    let answer = client.send(None, "tools/call", &json!({ "name": "hello" })).await;
    assert_eq!(answer.text(), "hello");
    let list = client.send(None, "tools/list", &json!({})).await;
    assert_eq!(list.body["result"]["tools"].as_array().unwrap().len(), 5);
}

/// rmcp reads the arguments before it calls the tool.
#[tokio::test]
async fn wrong_arguments_are_told_first() {
    let client = Client::of::<Claims, _>(Notes::default()).await;
    let wrong = json!({ "name": "add_note", "arguments": { "text": 1 } });
    let answer = client.call("other", "tools/call", &wrong).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body["result"]["isError"], true);
}

/// A method that returns no `Result` keeps its schemas, and `return` and `?` in its body.
#[tokio::test]
async fn the_schemas_are_those_of_the_method_as_written() {
    let add = Notes::add_note_tool_attr();
    let properties = &add.input_schema["properties"];
    assert_eq!(Vec::from_iter(properties.as_object().unwrap().keys()), ["text"]);
    for tool in [add, Notes::clear_tool_attr()] {
        assert!(tool.output_schema.unwrap()["properties"]["notes"].is_object());
    }
    let client = Client::of::<Claims, _>(Notes::default()).await;
    let answer = client.call("admin", "tools/call", &json!({ "name": "list_notes" })).await;
    assert_eq!(answer.text(), "none");
    let answer = client.call("admin", "tools/call", &json!({ "name": "count" })).await;
    assert_eq!(answer.body["result"]["structuredContent"], json!({ "notes": 0 }));
}
