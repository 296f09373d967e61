//! The routes, the layers around them, and the API description.

use std::net::SocketAddr;

use axum::Json;
use axum::extract::{ConnectInfo, DefaultBodyLimit, MatchedPath, Request};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::{from_fn, map_response};
use axum::response::{Redirect, Response};
use doorward::axum08::{Router, routing::get};
use doorward::utoipa_axum03::{OpenApiRouter, routes};
use doorward::{Shared, openapi::Document, public, routes::Routes, secured};
use serde::Serialize;
use tower_http::cors::CorsLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::{Level, Span, field::Empty, field::display, info_span};
use utoipa::{OpenApi, ToSchema};
use utoipa_swagger_ui::{Config, SwaggerUi, oauth};

use crate::scopes::{Caller, Login, caller};
use crate::{accounts, connections, error, error::Result, health, introspection, notes};
use crate::{signing, token_endpoint};

/// The origins whose pages may call the service.
const ORIGINS: [HeaderValue; 1] = [HeaderValue::from_static("https://notes.example.com")];

const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Other sites cannot show `/docs` in a frame, and it loads nothing from elsewhere. Swagger UI has
/// its pictures and styles in its script.
const BROWSER_HEADERS: [(&str, &str); 3] = [
    (
        "content-security-policy",
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

#[derive(OpenApi)]
#[openapi(info(title = "Notes", description = "Notes, and the accounts that own them."))]
struct Description;

/// Returns the routes, each of which is secured or public. `--routes` prints them.
pub(crate) fn router(url: &str) -> Result<Router> {
    let mut described = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(accounts::register))
        .routes(routes!(accounts::password))
        .routes(routes!(own))
        .routes(routes!(token_endpoint::token))
        .routes(routes!(token_endpoint::revoke))
        .routes(routes!(introspection::introspect))
        .routes(routes!(notes::list, notes::create))
        .routes(routes!(notes::read, notes::delete))
        .routes(routes!(notes::stats))
        .routes(routes!(notes::purge))
        .routes(routes!(signing::jwks));
    let items = described.get_openapi_mut().paths.paths.values_mut();
    let operations =
        items.flat_map(|item| [&mut item.get, &mut item.post, &mut item.put, &mut item.delete]);
    operations.flatten().for_each(error::describe);
    // With the security requirements of the handlers. Scopes stay in the order of their scheme.
    let description = Document::try_from(described.get_openapi().clone())?.into_json();
    let metadata = signing::metadata(url)?;
    let docs = SwaggerUi::new("/docs")
        .config(Config::new(["/openapi.json"]))
        .oauth(oauth::Config::new().client_id("web"));
    let cors = CorsLayer::new()
        .allow_origin(ORIGINS)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE, X_API_KEY])
        .expose_headers([WWW_AUTHENTICATE, RETRY_AFTER]);
    let log = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_response(DefaultOnResponse::new().level(Level::INFO))
        // Failures are logged where they occur.
        .on_failure(());
    let browser_headers = map_response(async |response: Response| (BROWSER_HEADERS, response));
    let discovery = public("clients find the endpoints with it", metadata.clone());
    // Each layer is around those above it.
    Ok(Router::from(described)
        .route("/openapi.json", get(public("the API is no secret", Json(description))))
        .route_service(metadata.path(), discovery)
        .merge(public("the API is no secret", docs))
        .route("/", get(public("it leads to the documentation", Redirect::to("/docs/"))))
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn(connections::in_turn))
        .layer(map_response(error::in_json))
        .layer(cors)
        .layer(log)
        .layer(browser_headers))
}

#[derive(Serialize, ToSchema)]
struct MayCall {
    method: String,
    path: String,
    /// `yes`, or `depends` if more than the scopes decides.
    may: &'static str,
}

/// Lists what the token may be good for, so a page shows no button in vain. The call itself decides.
#[secured]
#[utoipa::path(get, path = "/me/routes",
    responses((status = 200, description = "The routes", body = [MayCall])))]
async fn own(#[security(caller)] caller: Caller, routes: Shared<Routes>) -> Json<Vec<MayCall>> {
    let may = routes.may::<Login>(&caller).map(|(route, may)| MayCall {
        method: route.method().to_owned(),
        path: route.path().to_owned(),
        may: may.as_str(),
    });
    Json(may.collect())
}

/// The log has the route, not the URL, which may contain anything. `caller` is set when the caller
/// is known, and `account` when its password is checked.
fn span(request: &Request) -> Span {
    let extensions = request.extensions();
    let route = extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    let address = extensions.get::<ConnectInfo<SocketAddr>>();
    let address = address.map(|ConnectInfo(address)| display(address.ip()));
    let method = display(request.method());
    info_span!("request", method, route, address, caller = Empty, account = Empty)
}
