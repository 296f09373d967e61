//! One line for a group of routes, whose dependency takes the framework's own extractors.

use std::collections::HashMap;

use ::actix_web::{App, HttpRequest, test as actix_test, web};
use ::axum::extract::{Path, State};
use ::axum::response::{IntoResponse, Response};
use ::axum::{Extension, Router, routing::get};
use ::poem::EndpointExt as _;
use ::poem::web::{Data, Path as PoemPath};
use ::salvo::{Depot, affix_state, handler};
use doorward::scheme::RefusedRequest;
use doorward::{
    BearerError, BearerToken, SecurityScopes, dependency, http_bearer, layer, openapi::Document,
};
use http::{Method, Request, StatusCode};

use super::each::Asked;
use super::salvo::answer_of;
use crate::asking::seen;

#[http_bearer(scopes("items" = "Read items."))]
struct Token;

/// Tokens, each with its user.
#[derive(Clone, Debug)]
struct Tokens(HashMap<&'static str, &'static str>);

#[derive(Clone, Debug)]
struct User(String);

fn tokens() -> Tokens {
    Tokens([("t0k3n", "johndoe")].into())
}

/// Decides with the tokens of any framework's state.
fn known(
    token: &BearerToken,
    scopes: SecurityScopes,
    tokens: &Tokens,
) -> Result<User, BearerError> {
    match tokens.0.get(token.as_str()) {
        Some(user) => Ok(User((*user).to_owned())),
        None => Err(scopes.invalid_token()),
    }
}

/// What a request gets with the right token, with a wrong one, without one, and at no route.
fn check(answer: impl Fn(&str, Option<&str>) -> (u16, String)) {
    let found = answer("/group/1", Some("Bearer t0k3n"));
    assert_eq!(found, (200, "johndoe".to_owned()));
    assert_eq!(answer("/group/1", Some("Bearer other")).0, 401);
    assert_eq!(answer("/group/1", None).0, 401);
    assert_eq!(answer("/open", None), (200, "open".to_owned()));
}

fn asked(path: &str, authorization: Option<&str>) -> Asked {
    let mut request = Request::get(path);
    if let Some(line) = authorization {
        request = request.header("authorization", line);
    }
    request.body("").unwrap()
}

fn on_axum_with(group: Router<Tokens>, path: &str, line: Option<&str>) -> (u16, String) {
    let app = Router::new().merge(group).route("/open", get(async || "open")).with_state(tokens());
    seen(super::each::axum(app, asked(path, line)))
}

#[test]
fn on_axum() {
    #[dependency]
    fn user(
        #[security(Token)] token: BearerToken,
        scopes: SecurityScopes,
        State(tokens): State<Tokens>,
        Path(id): Path<u32>,
    ) -> Result<User, BearerError> {
        assert_eq!(id, 1);
        known(&token, scopes, &tokens)
    }
    check(|path, line| {
        let group = Router::new()
            .route("/group/{id}", get(async |Extension(user): Extension<User>| user.0))
            .route_layer(layer!(user, scopes("items")).with_state(tokens()));
        on_axum_with(group, path, line)
    });
}

/// The service's own format, a response of axum alone.
#[derive(Debug)]
struct Teapot;

impl From<RefusedRequest> for Teapot {
    fn from(_: RefusedRequest) -> Self {
        Self
    }
}

impl IntoResponse for Teapot {
    fn into_response(self) -> Response {
        (StatusCode::UNAUTHORIZED, "short and stout").into_response()
    }
}

#[http_bearer(error = Teapot)]
struct Formatted;

#[test]
fn a_group_of_axum_refuses_in_the_own_format() {
    #[dependency]
    fn user(#[security(Formatted)] _token: BearerToken) -> Result<User, Teapot> {
        Err(Teapot)
    }
    let group = Router::new()
        .route("/group/{id}", get(async || "in"))
        .route_layer(layer!(user).with_state(()));
    for line in [None, Some("Bearer t0k3n")] {
        let found = on_axum_with(group.clone(), "/group/1", line);
        assert_eq!(found, (401, "short and stout".to_owned()));
    }
}

#[test]
fn on_actix_web() {
    #[dependency(local)]
    fn user(
        #[security(Token)] token: BearerToken,
        scopes: SecurityScopes,
        request: HttpRequest,
        tokens: web::Data<Tokens>,
    ) -> Result<User, BearerError> {
        assert_eq!(request.path(), "/group/1");
        known(&token, scopes, &tokens)
    }
    async fn item(user: web::ReqData<User>, id: web::Path<u32>) -> String {
        assert_eq!(id.into_inner(), 1);
        user.into_inner().0
    }
    let answer = |of_scope: bool, path: &str, line: Option<&str>| {
        ::actix_web::rt::System::new().block_on(async {
            let group = web::scope("/group");
            let (app, group) = match of_scope {
                true => (App::new(), group.app_data(web::Data::new(tokens()))),
                false => (App::new().app_data(web::Data::new(tokens())), group),
            };
            let group =
                group.wrap(layer!(user, scopes("items"))).route("/{id}", web::get().to(item));
            let app = app.service(group).route("/open", web::get().to(async || "open"));
            let app = actix_test::init_service(app).await;
            let mut request = actix_test::TestRequest::with_uri(path);
            if let Some(line) = line {
                request = request.insert_header(("authorization", line));
            }
            let response = actix_test::call_service(&app, request.to_request()).await;
            let status = response.status().as_u16();
            let body = actix_test::read_body(response).await;
            (status, String::from_utf8(body.to_vec()).unwrap())
        })
    };
    check(|path, line| answer(false, path, line));
    check(|path, line| answer(true, path, line));
}

#[test]
fn on_poem() {
    #[dependency]
    fn user(
        #[security(Token)] token: BearerToken,
        scopes: SecurityScopes,
        Data(tokens): Data<&Tokens>,
    ) -> Result<User, BearerError> {
        known(&token, scopes, tokens)
    }
    #[poem::handler]
    fn item(Data(user): Data<&User>, PoemPath(id): PoemPath<u32>) -> String {
        assert_eq!(id, 1);
        user.0.clone()
    }
    check(|path, line| {
        let group = ::poem::Route::new().at("/:id", item).with(layer!(user, scopes("items")));
        let app = ::poem::Route::new()
            .nest("/group", group)
            .at("/open", ::poem::endpoint::make_sync(|_| "open"))
            .data(tokens());
        seen(super::each::poem(app, asked(path, line)))
    });
}

#[test]
fn on_salvo() {
    #[dependency]
    fn user(
        #[security(Token)] token: BearerToken,
        scopes: SecurityScopes,
        tokens: doorward::Shared<Tokens>,
    ) -> Result<User, BearerError> {
        known(&token, scopes, &tokens)
    }
    #[handler]
    async fn item(depot: &mut Depot) -> String {
        depot.get_typed::<User>().unwrap().0.clone()
    }
    #[handler]
    async fn open() -> &'static str {
        "open"
    }
    check(|path, line| {
        let group =
            ::salvo::Router::with_path("group/{id}").hoop(layer!(user, scopes("items"))).get(item);
        let router = ::salvo::Router::new()
            .hoop(affix_state::inject(doorward::Shared::new(tokens())))
            .push(group)
            .push(::salvo::Router::with_path("open").get(open));
        let answer = answer_of(router.into(), path, line);
        (answer.status, answer.body)
    });
}

/// A layer has the requirements of its plan, whatever state it has.
#[test]
fn a_group_is_described() {
    #[dependency]
    fn user(
        #[security(Token)] token: BearerToken,
        scopes: SecurityScopes,
        State(tokens): State<Tokens>,
    ) -> Result<User, BearerError> {
        known(&token, scopes, &tokens)
    }
    let layer = layer!(user, scopes("items")).with_state(tokens());
    let json = serde_json::json!({ "paths": { "/group/{id}": { "get": {} } } });
    let mut document = Document::new(json).unwrap();
    let mut route = document.operation_at(&Method::GET, "/group/{id}").unwrap();
    route.secure(&layer.plan().operation()).unwrap();
    let document = serde_json::to_value(document.into_json()).unwrap();
    let security = &document["paths"]["/group/{id}"]["get"]["security"];
    assert_eq!(*security, serde_json::json!([{ "Token": ["items"] }]));
}
