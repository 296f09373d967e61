//! Dependencies with arguments, wherever a dependency is named.

use core::cell::Cell;

use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use doorward::__rt::{CursorOf, Edge, HasPlan, PlanPosition as _};
use doorward::axum08;
use doorward::openapi::{Document, Operation, secure, secure_all};
use doorward::testing::Overrides;
use doorward::{
    BearerError, BearerToken, Dependency, Plan, Rejection, SecurityLayer, SecurityScopes,
    dependency, http_bearer, layer, one_of, operation, plan, public, secured,
};
use doorward_tests::description::assert_valid;
use http::request::Parts;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tower::Layer;
use utoipa::OpenApi;

use super::asking::{ask_with, seen};

#[http_bearer(scopes("notes" = "Notes."))]
struct OAuth2;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Role {
    Reader,
    Editor,
    Admin,
}

impl Role {
    const fn above(self) -> Self {
        match self {
            Self::Reader => Self::Editor,
            Self::Editor | Self::Admin => Self::Admin,
        }
    }
}

/// What is neither `Copy` nor `Clone` nor `Sync`, and is dropped.
struct Names {
    all: Vec<&'static str>,
    read: Cell<usize>,
}

impl Names {
    const fn none() -> Self {
        Self { all: Vec::new(), read: Cell::new(3) }
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        self.all.clear();
    }
}

fn forbidden() -> Rejection {
    Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights")
}

/// The role of the caller, whose token is its name.
#[dependency]
async fn role(
    #[argument] least: Role,
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<Role, Rejection> {
    tokio::task::yield_now().await;
    let role = match token.as_str() {
        "reader" => Role::Reader,
        "editor" => Role::Editor,
        "admin" => Role::Admin,
        _ => return Err(Rejection::NOT_AUTHENTICATED),
    };
    scopes.check("notes").map_err(|_| forbidden())?;
    if role >= least { Ok(role) } else { Err(forbidden()) }
}

/// Arguments on both sides of other parameters, and one that is not `Sync`.
#[dependency]
fn described(
    #[argument] (before, after): (&str, &'static str),
    #[security(role(Role::Reader))] role: Role,
    #[argument] names: Names,
    Path(id): Path<u32>,
    #[argument] mut times: u8,
) -> String {
    times = times.saturating_add(1);
    let read = names.all.len() + names.read.get();
    format!("{before}{role:?} {id} {read} {times}{after}")
}

const LIMIT: u8 = 5;

#[secured]
async fn shown(
    #[security(described(("<", ">"), Names::none(), LIMIT + 1), scopes("notes"))] text: String,
) -> String {
    text
}

#[secured]
async fn shown_twice(
    #[security(described(("<", ">"), Names::none(), 0))] first: String,
    #[security(described(("[", "]"), Names { all: Vec::new(), read: Cell::new(1) }, 1))]
    second: String,
) -> String {
    first + &second
}

#[secured(role(Role::Admin))]
async fn guarded() -> &'static str {
    "guarded"
}

#[secured(role(Role::Reader.above()), scopes("notes"))]
#[secured(role(Role::Admin))]
async fn guarded_twice() -> &'static str {
    "guarded twice"
}

#[one_of]
enum Caller {
    #[security(role(Role::Editor))]
    Editor(Role),
}

#[secured]
async fn one_of_them(#[security(Caller)] caller: Caller) -> String {
    let Caller::Editor(role) = caller;
    format!("{role:?}")
}

/// Below a layer of the same arguments.
#[secured(layer = role(Role::Editor), scopes("notes"))]
async fn below() -> &'static str {
    "below"
}

fn app() -> Router {
    Router::new()
        .route("/shown/{id}", get(shown))
        .route("/shown-twice/{id}", get(shown_twice))
        .route("/guarded", get(guarded))
        .route("/guarded-twice", get(guarded_twice))
        .route("/one-of-them", get(one_of_them))
}

async fn call(app: Router, path: &str, token: &str) -> (u16, String) {
    seen(ask_with(app, path, Some(token)).await)
}

fn head(token: &str) -> Parts {
    super::asking::head(&[("authorization", &format!("Bearer {token}"))])
}

const FORBIDDEN: &str = r#"{"detail":"Not enough rights"}"#;

#[tokio::test]
async fn each_place_has_its_own_arguments() {
    for (path, token, status, body) in [
        ("/shown/7", "reader", 200, "<Reader 7 3 7>"),
        ("/shown-twice/8", "admin", 200, "<Admin 8 3 1>[Admin 8 1 2]"),
        ("/guarded", "editor", 403, FORBIDDEN),
        ("/guarded", "admin", 200, "guarded"),
        ("/guarded-twice", "reader", 403, FORBIDDEN),
        ("/guarded-twice", "editor", 403, FORBIDDEN),
        ("/guarded-twice", "admin", 200, "guarded twice"),
        ("/one-of-them", "reader", 403, FORBIDDEN),
        ("/one-of-them", "editor", 200, "Editor"),
    ] {
        let answer = call(app(), path, token).await;
        assert_eq!(answer, (status, body.to_owned()), "{path} {token}");
    }
}

#[tokio::test]
async fn a_plan_and_a_layer_have_arguments() {
    let plan = plan!(role(Role::Editor), scopes("notes"));
    assert!(plan.resolve(&mut head("reader")).await.is_err());
    assert_eq!(plan.resolve(&mut head("admin")).await.unwrap(), Role::Admin);
    let layered = |layer: SecurityLayer<role>| {
        let plain = async || "let in";
        Router::new().route("/plain", get(plain)).route("/below", get(below)).layer(layer)
    };
    let editor = || layered(layer!(role(Role::Reader.above()), scopes("notes")));
    let answer = call(editor(), "/plain", "reader").await;
    assert_eq!(answer, (403, FORBIDDEN.to_owned()));
    let answer = call(editor(), "/plain", "editor").await;
    assert_eq!(answer, (200, "let in".to_owned()));
    // The same value, written in another way.
    let answer = call(editor(), "/below", "editor").await;
    assert_eq!(answer, (200, "below".to_owned()));
    let outer = || editor().layer(layer!(role(Role::Reader)));
    assert_eq!(call(outer(), "/below", "editor").await.0, 200);
}

#[tokio::test]
async fn a_handler_counts_on_a_layer_with_the_same_arguments_and_scopes() {
    let route = || Router::new().route("/below", get(below));
    for (number, app) in [
        route(),
        route().layer(layer!(role(Role::Reader), scopes("notes"))),
        route().layer(layer!(role(Role::Admin), scopes("notes"))),
        route().layer(layer!(role(Role::Editor))),
        // The scope is required with other arguments.
        route()
            .layer(layer!(role(Role::Editor)))
            .layer(layer!(role(Role::Reader), scopes("notes"))),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(call(app, "/below", "admin").await.0, 500, "{number}");
    }
    let both = route()
        .layer(layer!(role(Role::Reader), scopes("notes")))
        .layer(layer!(role(Role::Editor), scopes("notes")));
    assert_eq!(call(both, "/below", "admin").await.0, 200);
}

#[tokio::test]
async fn a_replacement_sees_the_arguments() {
    let replaced = || {
        let replacement = |(least,): (Role,), head: Parts, scopes: SecurityScopes| async move {
            match least {
                Role::Admin => Err(forbidden()),
                _ if head.uri.path() == "/shown/1" && scopes.scopes() == ["notes"] => Ok(least),
                _ => Ok(Role::Admin),
            }
        };
        let overrides = Overrides::new().with_arguments_fn::<role>(replacement);
        app().layer(axum::Extension(overrides))
    };
    assert_eq!(call(replaced(), "/shown/1", "").await.1, "<Reader 1 3 7>");
    assert_eq!(call(replaced(), "/shown/2", "").await.1, "<Admin 2 3 7>");
    assert_eq!(call(replaced(), "/guarded", "admin").await.0, 403);
    let whole = Overrides::new().with::<described>(|| "replaced".to_owned());
    let app = app().layer(axum::Extension(whole));
    assert_eq!(call(app, "/shown/1", "").await.1, "replaced");
}

#[tokio::test]
async fn a_test_passes_the_arguments_in_order() {
    let token = BearerToken::try_from("editor").unwrap();
    let none = SecurityScopes::NONE;
    assert_eq!(role(Role::Editor, token.clone(), none).await.unwrap(), Role::Editor);
    assert!(role(Role::Admin, token, none).await.is_err());
    let text = described(("", ""), Role::Admin, Names::none(), Path(4), 9);
    assert_eq!(text, "Admin 4 3 10");
}

/// A plan that no macro writes: the arguments are not there, or are another dependency's.
#[tokio::test]
async fn arguments_that_are_not_there_are_an_error_of_the_service() {
    struct Without;
    impl HasPlan for Without {
        const EDGES: &'static [Edge] = &[Edge::new(role::NODE, &[])];
    }
    let plan = Plan::<role>::__new(<CursorOf<Without, 0>>::CURSOR);
    let refusal = plan.resolve(&mut head("admin")).await.unwrap_err();
    assert_eq!(refusal.status(), StatusCode::INTERNAL_SERVER_ERROR);

    struct Others;
    impl HasPlan for Others {
        const EDGES: &'static [Edge] = &[Edge::new(role::NODE, &[]).with(
            const {
                &doorward::__rt::Arguments::new(&((|| (Some(Role::Admin),)) as fn() -> _), &["…"])
            },
        )];
    }
    let plan = Plan::<role>::__new(<CursorOf<Others, 0>>::CURSOR);
    let refusal = plan.resolve(&mut head("admin")).await.unwrap_err();
    assert_eq!(refusal.status(), StatusCode::INTERNAL_SERVER_ERROR);
}

/// A dependency whose arguments never fail it.
#[dependency]
fn limit(
    #[argument] limit: u32,
    #[security(OAuth2)] token: BearerToken,
) -> Result<u32, BearerError> {
    if token.as_str().len() > 3 { Ok(limit) } else { Err(BearerError::invalid_token()) }
}

mod elsewhere {
    pub(super) const LIMIT: u32 = 3;
}

/// The names of arguments are resolved where they are written.
#[tokio::test]
async fn a_constant_of_the_place_is_an_argument() {
    const LIMIT: u32 = 4;

    #[secured]
    async fn handler(
        #[security(limit(LIMIT))] here: u32,
        #[security(limit(elsewhere::LIMIT))] there: u32,
        #[security(self::limit({ const TWO: u32 = 2; TWO }))] inside: u32,
    ) -> String {
        format!("{here} {there} {inside}")
    }

    let app = Router::new().route("/", get(handler));
    assert_eq!(call(app, "/", "admin").await, (200, "4 3 2".to_owned()));
}

/// Decides for everyone, without a scheme.
#[dependency]
fn window(#[argument] hours: core::ops::Range<u8>) -> Result<(), Rejection> {
    if hours.contains(&12) { Ok(()) } else { Err(forbidden()) }
}

#[secured(window(8..18))]
async fn open() {}

/// Never refuses, and another status.
#[dependency(insufficient_scope = 404)]
fn item(
    #[argument] action: &str,
    #[security(limit(1))] _limit: u32,
    Path(id): Path<u32>,
) -> Result<String, Rejection> {
    Ok(format!("{action} {id}"))
}

#[secured(role(Role::Admin), scopes("notes"))]
#[secured(role(Role::Admin))]
#[secured(role(Role::Editor))]
#[utoipa::path(put, path = "/items/{id}/{part}", params(("part" = u8, Path)), responses((status = 200, description = "The item")))]
async fn put_item(#[security(item("change"))] item: String) -> String {
    item
}

fn is_within<const LEAST: usize, const MOST: usize>(name: &str) -> bool {
    (LEAST..=MOST).contains(&name.len())
}

/// A rule about the name of the caller, which has no text but the one in the source.
#[dependency]
fn named(
    #[argument] rule: fn(&str) -> bool,
    #[security(OAuth2)] token: BearerToken,
) -> Result<(), Rejection> {
    if rule(token.as_str()) { Ok(()) } else { Err(forbidden()) }
}

#[secured(named(is_within::<1, 7>))]
async fn laid_out() -> &'static str {
    "laid out"
}

/// In another layout, with a comma at the end.
#[rustfmt::skip]
#[secured(named(
    is_within :: <1,7 > ,
))]
async fn laid_out_again() -> &'static str {
    "laid out again"
}

fn routes() -> axum08::Router {
    use axum08::routing::{get, put};
    axum08::Router::new()
        .route("/shown/{id}", get(shown))
        .route("/guarded-twice", get(guarded_twice))
        .route("/laid-out", get(laid_out))
        .route("/laid-out-again", get(laid_out_again))
        .route("/one-of-them", get(one_of_them))
        .route("/open", get(open))
        .route("/below", get(below))
        .route("/items/{id}/{part}", put(put_item))
        .nest_service(
            "/files",
            layer!(role(Role::Reader)).layer(public("they are behind the layer", app())),
        )
}

#[test]
fn the_table_of_routes_names_them() {
    assert_eq!(
        routes().routes().to_string(),
        "\
GET  /below              OAuth2(notes) via role(Editor)
ANY  /files/*            OAuth2 via role(Reader)
GET  /guarded-twice      OAuth2(notes) via role(Editor), role(Admin)
PUT  /items/{id}/{part}  OAuth2(notes) via role(Admin), role(Editor), item(\"change\"), limit(1)
GET  /laid-out           OAuth2 via named(is_within::<1, 7>)
GET  /laid-out-again     OAuth2 via named(is_within::<1, 7>)
GET  /one-of-them        OAuth2 via role(Editor)
GET  /open               window(8..18)
GET  /shown/{id}         OAuth2(notes) via described((\"<\", \">\"), Names::none(), 6), role(Reader)
"
    );
    let markdown = routes().routes().to_markdown();
    assert!(markdown.contains("| GET | /one-of-them | OAuth2 via role(Editor) | "), "{markdown}");
    let json: Value = serde_json::from_str(&routes().routes().to_json()).unwrap();
    let find = |path: &str| {
        let mut routes = json.as_array().unwrap().iter();
        routes.find(|route| route["path"] == path).unwrap()
    };
    assert_eq!(find("/one-of-them")["security"], json!([{ "OAuth2": [] }]));
    assert_eq!(find("/one-of-them")["via"], json!(["role(Editor)"]));
    assert_eq!(find("/open")["dependencies"], json!(["window(8..18)"]));
    let plain = axum08::Router::<()>::new();
    let plain = plain.route("/", axum08::routing::get(public("it says nothing", async || "")));
    assert!(!plain.routes().to_json().contains("via"));
}

#[derive(OpenApi)]
#[openapi(paths(put_item))]
struct ApiDoc;

/// The document of utoipa, and the same as JSON of any tool.
#[test]
fn the_description_of_a_refusal_names_them() {
    let mut utoipa = ApiDoc::openapi();
    secure(&mut utoipa).unwrap();
    let utoipa = json!(utoipa);
    let by_hand = || {
        json!({
            "openapi": "3.1.0",
            "info": { "title": "Items", "version": "1" },
            "paths": { "/items/{id}/{part}": { "put": {
                "parameters": [{ "name": "part", "in": "path", "required": true, "schema": {} }],
                "responses": { "200": { "description": "" } },
            } } },
        })
    };
    let secured = |document: Value, operation: &Operation| {
        let mut document = Document::new(document).unwrap();
        document.secure(operation).unwrap();
        json!(document.into_json())
    };
    let of_any_tool = secured(by_hand(), &operation!(put_item));
    for document in [&utoipa, &of_any_tool] {
        assert_valid(document);
        let operation = &document["paths"]["/items/{id}/{part}"]["put"];
        assert_eq!(operation["security"], json!([{ "OAuth2": ["notes"] }]));
        let description = |status: &str| operation["responses"][status]["description"].clone();
        assert_eq!(description("403"), "Forbidden: `role(Admin)`, `role(Editor)`, `limit(1)`");
        assert_eq!(description("404"), "Not Found: `item(\"change\")`");
        assert_eq!(description("401"), "Unauthorized");
        // The one that only the dependency takes is added, once.
        let parameters = operation["parameters"].as_array().unwrap();
        let names: Vec<_> = parameters.iter().map(|parameter| &parameter["name"]).collect();
        assert_eq!(names, ["part", "id"]);
        assert_eq!(parameters[1]["schema"], json!({ "type": "string" }));
    }
    // A second time, nothing is added.
    assert_eq!(secured(of_any_tool.clone(), &operation!(put_item)), of_any_tool);
    // The description of the service keeps its words.
    let mut written = by_hand();
    let operation = &mut written["paths"]["/items/{id}/{part}"]["put"];
    operation["responses"]["403"] = json!({ "description": "Only for admins" });
    operation["parameters"] = json!([{ "$ref": "#/components/parameters/id" }]);
    let written = secured(written, &operation!(put_item));
    let operation = &written["paths"]["/items/{id}/{part}"]["put"];
    assert_eq!(
        operation["responses"]["403"]["description"],
        "Only for admins: `role(Admin)`, `role(Editor)`, `limit(1)`"
    );
    assert_eq!(operation["parameters"].as_array().unwrap().len(), 1);
    // The parameters of the path count for each operation.
    let mut of_path = by_hand();
    of_path["paths"]["/items/{id}/{part}"]["parameters"] =
        json!([{ "name": "id", "in": "path", "required": true, "schema": {} }]);
    let of_path = secured(of_path, &operation!(put_item));
    let operation = &of_path["paths"]["/items/{id}/{part}"]["put"];
    assert_eq!(operation["parameters"].as_array().unwrap().len(), 1);
}

#[test]
fn the_requirement_of_a_plan_and_of_a_layer_names_them() {
    let plan = plan!(role(Role::Admin), scopes("notes")).operation();
    assert_eq!(plan.via().collect::<Vec<_>>(), ["role(Admin)"]);
    let both = plan.and(&layer!(role(Role::Editor)).plan().operation());
    let both = both.and(&plan!(role(Role::Admin)).operation());
    assert_eq!(both.via().collect::<Vec<_>>(), ["role(Admin)", "role(Editor)"]);
    let described = json!(both);
    assert_eq!(
        described["responses"]["403"]["description"],
        "Forbidden: `role(Admin)`, `role(Editor)`"
    );
    // Their bodies are the service's own.
    assert!(!both.responses_to(&Method::GET).contains_key("403"));
    let mut document = ApiDoc::openapi();
    secure_all(&mut document, &both).unwrap();
    let document = json!(document);
    let operation = &document["paths"]["/items/{id}/{part}"]["put"];
    assert_eq!(
        operation["responses"]["403"]["description"],
        "Forbidden: `role(Admin)`, `role(Editor)`"
    );
    // None of these takes an extractor.
    assert_eq!(operation["parameters"].as_array().unwrap().len(), 1);
}

/// FastAPI's tutorial "Advanced Dependencies": its app, and what its tests ask.
mod advanced_dependencies {
    use axum::Json;
    use axum::extract::Query;

    use super::*;

    #[derive(serde::Deserialize)]
    struct Asked {
        #[serde(default)]
        q: String,
    }

    #[dependency]
    fn checker(#[argument] fixed_content: &str, Query(asked): Query<Asked>) -> bool {
        asked.q.contains(fixed_content)
    }

    #[secured]
    async fn read_query_check(
        #[security(checker("bar"))] fixed_content_included: bool,
    ) -> Json<Value> {
        Json(json!({ "fixed_content_in_query": fixed_content_included }))
    }

    #[tokio::test]
    async fn it_answers_as_in_python() {
        let app = || Router::new().route("/query-checker/", get(read_query_check));
        for (query, is_included) in [("", false), ("?q=qwerty", false), ("?q=foobar", true)] {
            let (status, body) = call(app(), &format!("/query-checker/{query}"), "").await;
            let expected = format!(r#"{{"fixed_content_in_query":{is_included}}}"#);
            assert_eq!((status, body), (200, expected), "{query}");
        }
    }
}
