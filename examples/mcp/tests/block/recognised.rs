//! A token that the layer has verified is not verified again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{SecurityScopes, Shared, http_bearer, layer, secured};
use rmcp::{tool, tool_router};
use serde_json::json;

use super::Client;

/// A verifier that asks the issuer each time.
struct Asking<const LAST: bool>(Arc<AtomicUsize>);

impl<const LAST: bool> Verify for Asking<LAST> {
    type Claims = String;

    const CHECKS_SCOPES_LAST: bool = LAST;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<String>, VerifyError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        let granted = token.into().token().as_str().replace('.', ":");
        Verified::new("alice".to_owned(), granted.split('-').map(str::to_owned)).require(scopes)
    }
}

#[http_bearer(
    realm = "tools",
    scopes("read" = "Read.", "write" = "Write."),
    verified = String,
    by = Asking<true>
)]
struct Asked;

#[http_bearer(
    realm = "tools",
    scopes("read" = "Read.", "write" = "Write."),
    verified = String,
    by = Asking<false>
)]
struct AskedForEach;

#[derive(Clone, Copy)]
struct Tools;

#[secured(layer = Asked, scopes("read"))]
#[tool_router(server_handler)]
impl Tools {
    #[security(Asked, scopes("read"))]
    #[tool]
    async fn read(&self, #[security(Asked, scopes("write"))] name: Verified<String>) -> String {
        name.claims().clone()
    }
}

#[derive(Clone, Copy)]
struct Others;

#[secured]
#[tool_router(server_handler)]
impl Others {
    #[security(AskedForEach, scopes("read"))]
    #[security(AskedForEach, scopes("read"))]
    #[tool]
    async fn read(
        &self,
        #[security(AskedForEach, scopes("write"))] name: Verified<String>,
    ) -> String {
        name.claims().clone()
    }
}

#[tokio::test]
async fn one_call_costs_one_question() {
    let asked = Arc::new(AtomicUsize::new(0));
    let shared = Shared::new(Asking::<true>(Arc::clone(&asked)));
    let client = Client::with(layer!(Asked, scopes("read")).with_late_refusals(), Tools, shared);
    let read = json!({ "name": "read" });
    let answer = client.send(Some("read-write"), "tools/call", &read).await;
    assert_eq!((answer.text(), asked.swap(0, Ordering::SeqCst)), ("alice", 1));
    // A token that is not enough is one more question, whose answer is the refusal.
    let refused = client.send(Some("read"), "tools/call", &read).await;
    assert_eq!((refused.status, asked.swap(0, Ordering::SeqCst)), (403, 2));
    assert!(refused.challenge.contains(r#"scope="read write""#), "{}", refused.challenge);
    // The next request is another one.
    client.send(Some("read-write"), "tools/call", &read).await;
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

/// A verifier that may decide by the scopes is asked once for each set of them.
#[tokio::test]
async fn other_scopes_are_another_question() {
    let asked = Arc::new(AtomicUsize::new(0));
    let shared = Shared::new(Asking::<false>(Arc::clone(&asked)));
    let client =
        Client::with(layer!(AskedForEach, scopes("read")).with_late_refusals(), Others, shared);
    let answer = client.send(Some("read-write"), "tools/call", &json!({ "name": "read" })).await;
    assert_eq!((answer.text(), asked.load(Ordering::SeqCst)), ("alice", 2));
}
