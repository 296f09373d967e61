//! A required scope is checked by somebody: which trees compile, what a hierarchy grants, and that
//! a cached check runs when it has to.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;
use doorward::__rt::{Edge, Function, Node, check_guard, check_scope};
use doorward::scheme::{Flow, Flows, SchemeConfig, Scope};
use doorward::{
    BearerError, BearerToken, Rejection, SecurityScopes, dependency, oauth2_password_bearer, plan,
    secured,
};
use proptest::collection::vec;
use proptest::prelude::*;

use super::asking::{ask_with, block_on, head};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// A tree of dependencies. A set of scopes is a list of places in [`NAMES`].
#[derive(Clone, Debug)]
enum Tree {
    Scheme { declares: Vec<bool>, has_flows: bool },
    Function { asks: bool, fails: bool, below: Vec<Self> },
}

fn trees() -> impl Strategy<Value = Tree> {
    let scheme = (vec(any::<bool>(), 3), any::<bool>())
        .prop_map(|(declares, has_flows)| Tree::Scheme { declares, has_flows });
    scheme.prop_recursive(5, 40, 3, |below| {
        (any::<bool>(), any::<bool>(), vec(below, 0..3))
            .prop_map(|(asks, fails, below)| Tree::Function { asks, fails, below })
    })
}

impl Tree {
    fn node(&self) -> &'static Node {
        Box::leak(Box::new(match self {
            Self::Scheme { declares, has_flows } => {
                let declared = NAMES.iter().zip(declares).filter(|(_, declares)| **declares);
                let scopes: Vec<_> = declared.map(|(name, _)| Scope::new(name, "")).collect();
                let flows = match has_flows {
                    true => Flows::new().with_password(Flow::new().with_scopes(scopes.leak())),
                    false => Flows::new(),
                };
                let config = SchemeConfig::new::<BearerToken>("S").with_flows(flows);
                Node::scheme::<BearerToken>(Box::leak(Box::new(config)))
            }
            Self::Function { asks, fails, below } => {
                let edges: Vec<_> = below.iter().map(|tree| Edge::new(tree.node(), &[])).collect();
                let mut function = Function::new("f");
                if *asks {
                    function = function.asks_scopes();
                }
                if *fails {
                    function = function.fails();
                }
                function.node(edges.leak())
            }
        }))
    }

    fn all(&self) -> Vec<&Self> {
        let mut all = vec![self];
        if let Self::Function { below, .. } = self {
            all.extend(below.iter().flat_map(Self::all));
        }
        all
    }

    /// The model: whether a scope may be required of this.
    fn takes(&self, scope: usize) -> bool {
        let is_declared = |tree: &&Self| match tree {
            Self::Scheme { declares, has_flows } => !has_flows || declares[scope],
            Self::Function { .. } => true,
        };
        self.all().iter().all(is_declared)
            && self.all().iter().any(|tree| matches!(tree, Self::Function { asks: true, .. }))
    }

    /// The model: whether this may be a guard. A function that can fail refuses a request; if there
    /// are schemes, one that can fail is above one of them.
    fn guards(&self) -> bool {
        let is_scheme = |tree: &&Self| matches!(tree, Self::Scheme { .. });
        let fails = |tree: &&Self| matches!(tree, Self::Function { fails: true, .. });
        let mut failing = self.all().into_iter().filter(fails);
        if self.all().iter().any(is_scheme) {
            failing.any(|tree| tree.all().iter().any(is_scheme))
        } else {
            failing.next().is_some()
        }
    }
}

proptest! {
    #[test]
    fn what_compiles_is_what_is_checked(tree in trees()) {
        let node = tree.node();
        for (number, scope) in NAMES.into_iter().enumerate() {
            let compiles = catch_unwind(|| check_scope(node, scope)).is_ok();
            prop_assert_eq!(compiles, tree.takes(number), "{}", scope);
        }
        prop_assert_eq!(catch_unwind(|| check_guard(node)).is_ok(), tree.guards());
    }
}

#[oauth2_password_bearer(token_url = "token", scopes(
    "admin" implies("items", "users:write") as ADMIN = "Everything.",
    "support" implies("users:read") = "Support.",
    "users:write" implies("users:read") = "Change users.",
    "users:read" = "Read users.",
    "items" = "Items.",
))]
struct Api;

/// A second way to the same hierarchy, in another order, with a scope that implies nothing.
#[oauth2_password_bearer(token_url = "other", scopes(
    "items" = "Items.",
    "users:read" = "Read users.",
    "users:write" implies("users:read") = "Change users.",
    "support" implies("users:read") = "Support.",
    "admin" implies("users:write", "items") = "Everything.",
    "me" = "Me.",
))]
struct Other;

#[dependency]
fn required(
    #[security(Api)] _token: BearerToken,
    #[security(Other)] _again: BearerToken,
    scopes: SecurityScopes,
) -> SecurityScopes {
    scopes
}

const IMPLIED: [(&str, &[&str]); 5] = [
    ("admin", &["items", "users:write"]),
    ("support", &["users:read"]),
    ("users:write", &["users:read"]),
    ("users:read", &[]),
    ("items", &[]),
];

/// The model: what is granted, with all that it implies.
fn expanded(granted: &BTreeSet<&'static str>) -> BTreeSet<&'static str> {
    let mut all = granted.clone();
    loop {
        let implied = IMPLIED.iter().filter(|(scope, _)| all.contains(scope));
        let more: Vec<_> = implied.flat_map(|(_, implied)| *implied).collect();
        let before = all.len();
        all.extend(more);
        if all.len() == before {
            return all;
        }
    }
}

#[tokio::test]
async fn a_scope_grants_what_it_implies() {
    let mut head = head(&[("authorization", "Bearer x")]);
    assert_eq!(Api::ADMIN, "admin");
    let plans = [
        plan!(required),
        plan!(required, scopes("users:read")),
        plan!(required, scopes("items")),
        plan!(required, scopes("users:read", "items")),
        plan!(required, scopes("users:write", "users:read")),
    ];
    for plan in plans {
        let required = plan.resolve(&mut head).await.unwrap();
        for set in 0_u32..32 {
            let names = IMPLIED.iter().enumerate();
            let granted: BTreeSet<_> = names
                .filter(|(number, _)| set & (1 << number) != 0)
                .map(|(_, (name, _))| *name)
                .collect();
            let all = expanded(&granted);
            let missing: Vec<_> =
                required.scopes().iter().copied().filter(|scope| !all.contains(scope)).collect();
            let list: Vec<_> = granted.iter().map(|scope| (*scope).to_owned()).collect();
            let claim = format!("  {}  unknown ", list.join("   "));
            let results =
                [required.check(&list), required.check(claim.as_str()), required.check(&granted)];
            for result in results {
                let found = result.err().map(|error| error.missing().to_vec()).unwrap_or_default();
                assert_eq!(found, missing, "{granted:?} of {required:?}");
            }
        }
    }
}

#[test]
fn the_description_says_what_is_implied() {
    use doorward::Scheme;
    let scheme = serde_json::json!(Api::CONFIG);
    let scopes = &scheme["flows"]["password"]["scopes"];
    assert_eq!(scopes["admin"], "Everything. Implies items, users:write.");
    assert_eq!(scopes["items"], "Items.");
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[dependency(cached)]
fn counted() -> Result<usize, Rejection> {
    Ok(RUNS.fetch_add(1, Ordering::Relaxed))
}

#[dependency]
fn twice(#[security(counted)] first: usize, #[security(counted)] second: usize) -> [usize; 2] {
    [first, second]
}

#[dependency]
fn afresh(
    #[security(counted)] first: usize,
    #[security(counted, fresh)] second: usize,
    #[security(counted)] third: usize,
) -> [usize; 3] {
    [first, second, third]
}

#[tokio::test]
async fn a_fresh_dependency_runs_although_its_value_is_cached() {
    let [first, second] = plan!(twice).resolve(&mut head(&[])).await.unwrap();
    assert_eq!(first, second);
    // The first value stays in the cache, as in FastAPI.
    let [first, second, third] = plan!(afresh).resolve(&mut head(&[])).await.unwrap();
    assert_eq!((first + 1, first), (second, third));
}

#[dependency]
fn keyed(
    #[security(Api)] token: BearerToken,
    State(key): State<&'static str>,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    if token.as_str() != key {
        return Err(scopes.invalid_token());
    }
    Ok(scopes.check("support")?)
}

/// A layer with state: a secured middleware function. As a `route_layer`, it leaves unknown paths.
#[tokio::test]
async fn a_middleware_with_state_guards_routes() {
    #[secured(keyed, scopes("users:read"))]
    async fn guard(request: Request, next: Next) -> Response {
        next.run(request).await
    }
    let app = axum::Router::new()
        .route("/users", get(async || "users"))
        .route_layer(from_fn_with_state("key", guard))
        .with_state("key");
    for (path, token, status) in [
        ("/users", Some("key"), 200),
        ("/users", Some("lock"), 401),
        ("/users", None, 401),
        ("/none", None, 404),
    ] {
        let response = ask_with(app.clone(), path, token).await;
        assert_eq!(response.status(), status, "{path} {token:?}");
    }
}

/// A value that stays on its thread may pass through a dependency that does not wait, with
/// replacements in the tests too.
#[test]
fn a_replaced_value_need_not_be_send() {
    #[dependency]
    fn shared() -> Result<std::rc::Rc<str>, Rejection> {
        Ok("shared".into())
    }
    #[dependency]
    fn length(#[security(shared)] text: std::rc::Rc<str>) -> usize {
        text.len()
    }
    let length = block_on(plan!(length).resolve_local(&mut head(&[])));
    assert_eq!(length.unwrap(), 6);
}
