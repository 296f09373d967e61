//! Attributes in either order, generic blocks, conditions, and what runs once.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};

use doorward::verify::Verified;
use doorward::{BearerError, Rejection, dependency, layer, rmcp3, secured};
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::{tool, tool_router};
use serde_json::json;

use super::{Claims, Client, Notebook};

#[derive(Clone, Copy)]
struct Below;

#[tool_router(router = below_router, vis = "pub(crate)", server_handler)]
#[secured]
impl Below {
    #[tool(description = "Refuses.")]
    #[security(Notebook, scopes("notes:write"))]
    fn write(&self) -> Result<String, rmcp::ErrorData> {
        Ok("written".to_owned())
    }

    #[expect(dead_code, reason = "the router of the attribute counts")]
    fn tool_router() -> ToolRouter<Self> {
        Self::below_router()
    }
}

#[tokio::test]
async fn the_attribute_may_be_below_that_of_rmcp() {
    let client = Client::of::<Claims, _>(Below).await;
    let write = json!({ "name": "write" });
    let refused = client.call("notes:read", "tools/call", &write).await;
    assert_eq!((refused.status, refused.challenge.contains("notes:write")), (403, true));
    assert_eq!(client.call("admin", "tools/call", &write).await.text(), "written");
    let table = Below::below_router_routes().to_string();
    assert_eq!(table, "TOOL  write  Notebook(notes:write)\n");
}

/// A block whose router is written by hand.
#[derive(Clone, Copy)]
struct ByHand;

#[secured]
impl ByHand {
    #[tool(description = "Never called.")]
    #[cfg(not(test))]
    #[security(Absent)]
    fn conditional(&self) -> String {}

    #[tool]
    #[cfg(test)]
    #[security(Notebook)]
    async fn conditional(&self) -> String {
        String::new()
    }
}

#[test]
fn a_condition_holds_for_the_plan_too() {
    let router = ToolRouter::<ByHand>::new();
    let router = router.with_route((ByHand::conditional_tool_attr(), ByHand::conditional));
    assert!(rmcp3::declared(router, &ByHand::tool_router_routes()).is_ok());
    assert_eq!(ByHand::tool_router_routes().to_string(), "TOOL  conditional  Notebook\n");
}

#[derive(Clone, Copy)]
struct Server<T>(PhantomData<fn() -> T>);
struct A;
struct B;

#[secured(Notebook)]
#[tool_router(router = of_a)]
impl Server<A> {
    #[tool]
    async fn name(&self) -> String {
        "a".to_owned()
    }
}

#[secured(Notebook, scopes("notes:read"))]
#[tool_router(router = of_b)]
impl Server<B> {
    #[tool]
    async fn name(&self) -> String {
        "b".to_owned()
    }
}

#[secured]
#[tool_router(router = of_any)]
impl<T: Clone + Send + Sync + 'static> Server<T> {
    #[tool]
    async fn size(&self, #[security(Notebook)] caller: Verified<Claims>) -> String {
        format!("{} {}", caller.sub, size_of::<T>())
    }
}

#[test]
fn blocks_of_one_type_have_plans_of_their_own() {
    let a = Server::<A>::of_a_routes().to_string();
    assert_eq!(a, "TOOL  name  Notebook\n");
    let b = Server::<B>::of_b_routes().to_string();
    assert_eq!(b, "TOOL  name  Notebook(notes:read)\n");
    assert_eq!(Server::<u8>::of_any_routes().to_string(), "TOOL  size  Notebook\n");
    let names = Server::<A>::of_a().list_all();
    assert_eq!(names[0].name, "name");
    assert_eq!(Server::<B>::of_b().list_all().len(), 1);
    assert_eq!(Server::<u8>::of_any().list_all().len(), 1);
}

static LOADED: AtomicUsize = AtomicUsize::new(0);

#[dependency(cached)]
async fn loaded(#[security(Notebook)] caller: Verified<Claims>) -> Result<String, Rejection> {
    LOADED.fetch_add(1, Ordering::SeqCst);
    Ok(caller.sub.clone())
}

#[dependency]
fn named(#[security(loaded)] name: String) -> Result<String, Rejection> {
    if name == "alice" { Ok(name) } else { Err(Rejection::NOT_AUTHENTICATED) }
}

#[dependency]
fn never(#[security(loaded)] _name: String) -> Result<(), BearerError> {
    Err(BearerError::insufficient_scope())
}

#[derive(Clone, Copy)]
struct Cached;

#[secured(named)]
#[tool_router(server_handler)]
impl Cached {
    #[security(loaded)]
    #[tool]
    async fn twice(&self, #[security(loaded)] name: String) -> String {
        name
    }

    #[security(never)]
    #[tool]
    async fn refused(&self) -> String {
        unreachable!("it is refused")
    }
}

#[tokio::test]
async fn a_cached_dependency_runs_once_for_a_method() {
    let client = Client::of::<Claims, _>(Cached).await;
    let answer = client.call("", "tools/call", &json!({ "name": "twice" })).await;
    assert_eq!((answer.text(), LOADED.load(Ordering::SeqCst)), ("alice", 1));
    let refused = client.call("", "tools/call", &json!({ "name": "refused" })).await;
    assert_eq!(refused.status, 403);
}

#[derive(Clone, Copy)]
struct Layered;

#[secured(layer = Notebook, scopes("notes:read"))]
#[tool_router(server_handler)]
impl Layered {
    #[tool]
    async fn write(
        &self,
        #[security(Notebook, scopes("notes:write"))] _caller: Verified<Claims>,
    ) -> String {
        "written".to_owned()
    }
}

#[tokio::test]
async fn the_scopes_of_a_layer_that_is_counted_on_are_in_the_challenge() {
    let reader = layer!(Notebook, scopes("notes:read"));
    let client = Client::behind::<Claims, _, _>(reader, Layered).await;
    let write = json!({ "name": "write" });
    let refused = client.call("notes:read", "tools/call", &write).await;
    assert_eq!(refused.status, 403);
    assert!(refused.challenge.contains(r#"scope="notes:read notes:write""#));
    assert_eq!(client.call("admin", "tools/call", &write).await.text(), "written");
    // The layer that is counted on is not there.
    let client = Client::of::<Claims, _>(Layered).await;
    assert_eq!(client.call("admin", "tools/call", &write).await.status, 500);
}
