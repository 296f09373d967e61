//! Requests that no client of an SDK sends.

use doorward::BearerToken;
use doorward::testing::TestToken;
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use crate::Server;

/// What a token for `notes:read` does not allow: a tool, a prompt and a resource.
const ATTACKED: [Attacked; 3] = [
    Attacked { method: "tools/call", member: "name", name: "add_note", other: "list_notes" },
    Attacked { method: "prompts/get", member: "name", name: "sum_up", other: "another" },
    Attacked { method: "resources/read", member: "uri", name: "notes:///all", other: "notes:///1" },
];

struct Attacked {
    method: &'static str,
    /// The member of the parameters that has the name, which the header `Mcp-Name` repeats.
    member: &'static str,
    name: &'static str,
    /// Another name, of something that is allowed or not there.
    other: &'static str,
}

impl Attacked {
    /// Returns the body of a call.
    fn call(&self) -> Value {
        let mut call = self.old_call();
        call["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "hostile", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        call
    }

    /// Returns the same call for versions without metadata.
    fn old_call(&self) -> Value {
        let mut params = json!({ self.member: self.name });
        if self.method == "tools/call" {
            params["arguments"] = json!({ "text": "Not allowed." });
        }
        json!({ "jsonrpc": "2.0", "id": 1, "method": self.method, "params": params })
    }
}

/// The call of the tool that changes something, for versions without metadata.
fn old_call() -> Value {
    ATTACKED[0].old_call()
}

impl Server {
    fn post(&self) -> RequestBuilder {
        let request = reqwest::Client::new().post(&self.url);
        request
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
    }

    fn token(&self, change: impl Fn(TestToken<'_>) -> TestToken<'_>) -> BearerToken {
        change(self.authority.token("mallory")).sign().unwrap()
    }

    /// Returns the notes, as somebody sees them who may read them.
    async fn notes(&self) -> String {
        let reader = self.token(|token| token.scopes(["notes:read"]));
        let list = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "list_notes" },
        });
        let request = self.post().bearer_auth(reader.as_str());
        let response = request.body(list.to_string()).send().await.unwrap();
        let response: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
        response["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

fn challenge(response: &Response) -> &str {
    response.headers()["www-authenticate"].to_str().unwrap()
}

/// Whatever version a request claims, and whatever its headers say, the tool, the prompt and the
/// resource decide.
#[tokio::test]
async fn no_header_and_no_body_gets_around_the_plan() {
    let server = Server::start().await;
    let reader = server.token(|token| token.scopes(["notes:read"]));
    let request = |body: String, headers: &[(&'static str, &'static str)]| {
        let mut request = server.post().bearer_auth(reader.as_str());
        for header in headers {
            request = request.header(header.0, header.1);
        }
        request.body(body)
    };
    for attacked in ATTACKED {
        let Attacked { method, member, name, other } = attacked;
        let (call, old_call) = (attacked.call().to_string(), attacked.old_call().to_string());
        let modern = ("mcp-protocol-version", "2026-07-28");
        let old = ("mcp-protocol-version", "2025-11-25");
        let truth = [modern, ("mcp-method", method), ("mcp-name", name)];
        let honest = [
            request(call.clone(), &truth),
            request(old_call.clone(), &[]),
            request(old_call.clone(), &[("mcp-protocol-version", "2025-03-26")]),
            request(old_call.clone(), &[old]),
            // An old version does not promise that these headers are true.
            request(old_call.clone(), &[("mcp-method", "tools/list"), ("mcp-name", other)]),
            request(old_call.clone(), &[old, ("mcp-method", method), ("mcp-name", other)]),
            request(old_call.clone(), &[old, ("mcp-session-id", "session")]),
        ];
        for request in honest {
            let refused = request.send().await.unwrap();
            assert_eq!(refused.status(), 403, "{method}");
            assert!(challenge(&refused).contains(r#"scope="notes:write""#));
        }
        let lies = [
            request(call.clone(), &[modern, ("mcp-method", "tools/list")]),
            request(call.clone(), &[modern, ("mcp-method", method), ("mcp-name", other)]),
            request(call.clone(), &[modern]),
            request(call.clone(), &[]),
        ];
        for request in lies {
            let refused = request.send().await.unwrap();
            assert_eq!(refused.status(), 400, "{method}");
            let error: Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
            assert_eq!(error["error"]["code"], -32020);
        }
        for batch in [json!([attacked.old_call()]), json!([attacked.call(), attacked.call()])] {
            let refused = request(batch.to_string(), &truth).send().await.unwrap();
            assert_eq!(refused.status(), 415);
        }
        // Whichever of two names counts, nothing is done.
        for first in [name, other] {
            let twice = format!(r#""{member}":"{first}","{member}":"#);
            let twice = old_call.replace(&format!(r#""{member}":"#), &twice);
            let answer = request(twice, &[]).send().await.unwrap();
            assert!(answer.status() == 403 || answer.text().await.unwrap().contains(r#""error""#));
        }
    }
    assert_eq!(server.notes().await, "");
}

/// A scope is not a role.
#[tokio::test]
async fn only_editors_remove_notes() {
    let server = Server::start().await;
    let clear = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "clear_notes" },
    });
    let with_role = |role: &'static str| {
        server.token(move |token| token.scopes(["notes:write"]).claim("role", role))
    };
    let author = server.token(|token| token.scopes(["notes:write"]));
    for (token, status) in [(author, 403), (with_role("author"), 403), (with_role("editor"), 200)] {
        let request = server.post().bearer_auth(token.as_str()).body(clear.to_string());
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status);
        // A client that saw a challenge would ask for another token in vain.
        assert!(answer.headers().get("www-authenticate").is_none());
    }
}

fn writer(token: TestToken<'_>) -> TestToken<'_> {
    token.scopes(["notes:write"])
}

/// A token is for this server, and comes from its issuer.
#[tokio::test]
async fn other_tokens_are_refused() {
    let server = Server::start().await;
    let elsewhere = server.url.replace("/mcp", "/other");
    for token in [
        server.token(|token| writer(token).expired()),
        server.token(|token| writer(token).for_another_audience()),
        server.token(|token| writer(token).claim("aud", &*elsewhere)),
        server.token(|token| writer(token).claim("iss", "https://authority.test")),
        server.token(|token| writer(token).header("typ", "JWT")),
    ] {
        let request = server.post().bearer_auth(token.as_str());
        let refused = request.body(old_call().to_string()).send().await.unwrap();
        assert_eq!(refused.status(), 401);
        assert!(challenge(&refused).contains(r#"error="invalid_token""#));
    }
    // A repeated header is malformed.
    let good = format!("Bearer {}", server.token(writer).as_str());
    let twice = server.post().header("authorization", &good).header("authorization", &good);
    let refused = twice.body(old_call().to_string()).send().await.unwrap();
    assert_eq!(refused.status(), 400);
    assert!(challenge(&refused).contains(r#"error="invalid_request""#));
    // A token in the URL is none.
    let token = server.token(writer);
    let url = format!("{}?access_token={}", server.url, token.as_str());
    let request = reqwest::Client::new().post(url).body(old_call().to_string());
    assert_eq!(request.send().await.unwrap().status(), 401);
    // The scope to write implies the one to read, so one scope suffices.
    let request = server.post().bearer_auth(token.as_str());
    let accepted = request.body(old_call().to_string()).send().await.unwrap();
    assert_eq!(accepted.status(), 200);
    assert_eq!(server.notes().await, "mallory: Not allowed.");
}

/// A page of another site, whose name has been made to point here.
#[tokio::test]
async fn other_hosts_and_origins_are_refused() {
    let server = Server::start().await;
    let token = server.token(writer);
    for header in [("host", "evil.example"), ("origin", "https://evil.example")] {
        let request = server.post().bearer_auth(token.as_str());
        let request = request.header(header.0, header.1).body(old_call().to_string());
        assert_eq!(request.send().await.unwrap().status(), 403);
        // Without a token, the layer refuses the request first.
        let request = server.post().header(header.0, header.1).body(old_call().to_string());
        assert_eq!(request.send().await.unwrap().status(), 401);
    }
    assert_eq!(server.notes().await, "");
    // Another port is another origin.
    let own = server.url.trim_end_matches("/mcp");
    for (origin, status) in [(own, 200), ("http://127.0.0.1:1", 403), ("null", 403)] {
        let request = server.post().bearer_auth(token.as_str());
        let request = request.header("origin", origin).body(old_call().to_string());
        assert_eq!(request.send().await.unwrap().status(), status, "{origin}");
    }
}

/// The document says which authorization server to ask, and which scope to ask for first.
#[tokio::test]
async fn the_metadata_document() {
    let server = Server::start().await;
    let url = server.url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
    let refused = server.post().body(old_call().to_string()).send().await.unwrap();
    assert_eq!(refused.status(), 401);
    assert_eq!(
        challenge(&refused),
        format!(r#"Bearer realm="Notebook", scope="notes:read", resource_metadata="{url}""#)
    );
    let metadata = reqwest::get(url).await.unwrap().text().await.unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&metadata).unwrap(),
        json!({
            "resource": server.url,
            "authorization_servers": [server.authority.issuer()],
            "scopes_supported": ["notes:read"],
            "bearer_methods_supported": ["header"],
        })
    );
}
