//! What the list of tools says of each, and whom it shows them.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, api_key, dependency, layer, one_of, secured};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::MetaObject;
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use serde_json::{Value, json};

use super::{Claims, Client, Notebook};
use crate::decisions::SECOND;

#[api_key(header = "x-key")]
struct Key;

#[dependency]
fn key(#[security(Key)] key: doorward::ApiKey) -> Result<(), Rejection> {
    if key.secret_eq("key") { Ok(()) } else { Err(Rejection::NOT_AUTHENTICATED) }
}

#[derive(Clone, Copy, Debug)]
enum Role {
    Editor,
}

impl AsRef<str> for Role {
    fn as_ref(&self) -> &str {
        "editor"
    }
}

#[dependency]
fn role(
    #[argument(roles)] _least: Role,
    #[security(Notebook)] _caller: Verified<Claims>,
) -> Result<(), Rejection> {
    Err(Rejection::new(StatusCode::FORBIDDEN))
}

#[one_of]
enum Either {
    #[security(key, unscoped)]
    Key(()),
    #[security(Notebook)]
    Token(#[expect(dead_code, reason = "only the list counts")] Verified<Claims>),
}

#[derive(Clone)]
struct Listed {
    tools: ToolRouter<Self>,
}

#[secured(security_schemes(noauth))]
#[tool_router]
impl Listed {
    #[public(reason = "it says nothing")]
    #[tool]
    async fn everyone(&self) -> String {
        String::new()
    }

    #[security(Notebook, scopes("notes:read"))]
    #[security(role(Role::Editor))]
    #[tool(meta = own_meta())]
    async fn editors(&self) -> String {
        String::new()
    }

    #[security(Notebook, scopes("notes:write"))]
    #[tool(description = "Writes.")]
    async fn writers(&self) -> String {
        String::new()
    }

    #[security(Either)]
    #[tool]
    async fn either(&self) -> String {
        String::new()
    }

    #[security(key)]
    #[tool]
    async fn keys(&self) -> String {
        String::new()
    }
}

fn own_meta() -> MetaObject {
    MetaObject(json!({ "own": 1 }).as_object().cloned().unwrap())
}

#[secured(list = granted)]
#[tool_handler(router = self.tools)]
impl ServerHandler for Listed {}

/// Names of dependencies, their arguments and roles are in none.
#[test]
fn each_tool_says_what_one_bearer_scheme_requires() {
    let tools = Listed::tool_router().list_all();
    let meta = tools.iter().map(|tool| (&*tool.name, tool.meta.clone().unwrap_or_default().0));
    let oauth2 = |scope: &str| json!([{ "type": "oauth2", "scopes": [scope] }]);
    assert_eq!(
        Value::from_iter(meta),
        json!({
            "editors": { "own": 1, "securitySchemes": oauth2("notes:read") },
            "either": {},
            "everyone": { "securitySchemes": [{ "type": "noauth" }] },
            "keys": {},
            "writers": { "securitySchemes": oauth2("notes:write") },
        })
    );
}

/// A server whose list says which layer is above it.
#[derive(Clone)]
struct Below {
    tools: ToolRouter<Self>,
}

#[secured(layer = Notebook)]
#[tool_router]
impl Below {
    #[tool]
    async fn readers(&self) -> String {
        String::new()
    }
}

#[secured(list = granted, layer = Notebook)]
#[tool_handler(router = self.tools)]
impl ServerHandler for Below {}

#[tokio::test]
async fn a_list_counts_on_the_layer_above_it() {
    let below = Below { tools: Below::tool_router() };
    let client = Client::behind::<Claims, _, _>(layer!(Notebook), below).await;
    let answer = client.call("notes:read", "tools/list", &json!({})).await;
    assert_eq!(answer.body["result"]["tools"][0]["name"], "readers");
}

#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Takes what was written.
    pub(crate) fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        String::from_utf8(bytes).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Without `with_late_refusals()`, the layer keeps no token.
#[tokio::test]
async fn a_list_without_the_tokens_of_the_request_is_logged() {
    LazyLock::force(&SECOND);
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let listed = Listed { tools: Listed::tool_router() };
    for (layer, is_logged) in
        [(layer!(Notebook).with_late_refusals(), false), (layer!(Notebook), true)]
    {
        let client = Client::verifying::<Claims, _, _>(layer, listed.clone()).await;
        let answer = client.call("admin", "tools/list", &json!({})).await;
        let length = answer.body["result"]["tools"].as_array().map(Vec::len);
        assert_eq!(length, Some(if is_logged { 1 } else { 4 }));
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let sentence = "doorward::trace: `list = granted` lists public tools alone";
        assert_eq!(log.contains(sentence), is_logged, "{log}");
    }
}

#[tokio::test]
async fn a_list_shows_what_the_token_grants() {
    let listed = Listed { tools: Listed::tool_router() };
    let behind = Client::behind::<Claims, _, _>(layer!(Notebook), listed.clone()).await;
    let list = async |client: &Client, scopes: &str| {
        let answer = client.call(scopes, "tools/list", &json!({})).await;
        let tools = answer.body["result"]["tools"].as_array().cloned().unwrap();
        let names = tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
        Vec::from_iter(names).join(" ")
    };
    assert_eq!(list(&behind, "notes:read").await, "editors either everyone");
    assert_eq!(list(&behind, "notes:write").await, "either everyone writers");
    assert_eq!(list(&behind, "admin").await, "editors either everyone writers");
    // No layer has verified a token.
    let open = Client::of::<Claims, _>(listed.clone()).await;
    assert_eq!(list(&open, "admin").await, "everyone");
    // A tool that is hidden decides by itself all the same.
    let write = json!({ "name": "writers" });
    assert_eq!(behind.call("notes:read", "tools/call", &write).await.status, 403);
    // No shared cache may keep the list.
    let answer = behind.call_modern("admin", "tools/list").await;
    assert_eq!(answer.body["result"]["cacheScope"], "private");
}
