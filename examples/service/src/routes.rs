//! The routes, the layers around them, and the API description.

use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::{ConnectInfo, MatchedPath, Request};
use axum::http::header::{
    AUTHORIZATION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{map_request, map_response};
use axum::response::Redirect;
use axum::routing::get;
use axum::{Json, Router};
use tollgate::openapi::{Document, DocumentError};
use tower_http::cors::CorsLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::field::{Empty, display};
use tracing::{Level, Span, info_span};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::{Config, SwaggerUi, oauth};

use crate::{accounts, connections, error, notes, signing, token_endpoint};

/// The origins whose pages may call the service.
const ORIGINS: [HeaderValue; 1] = [HeaderValue::from_static("https://notes.example.com")];

/// Other sites cannot show `/docs` in a frame, and it loads nothing from elsewhere. Swagger UI has
/// its pictures and styles in its script.
const BROWSER_HEADERS: [(HeaderName, &str); 3] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
];

/// A request that takes longer gets a 408.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(OpenApi)]
#[openapi(info(title = "Notes", description = "Notes, and accounts that have them."))]
struct Description;

pub(crate) fn router() -> Result<Router, DocumentError> {
    let (routes, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(accounts::register))
        .routes(routes!(token_endpoint::token))
        .routes(routes!(token_endpoint::revoke))
        .routes(routes!(notes::list, notes::create))
        .routes(routes!(notes::delete))
        .routes(routes!(notes::stats))
        .routes(routes!(notes::purge))
        .routes(routes!(signing::jwks))
        .split_for_parts();
    let items = description.paths.paths.values_mut();
    let operations = items.flat_map(|item| [&mut item.get, &mut item.post, &mut item.delete]);
    operations.flatten().for_each(error::describe);
    // Adds the security requirements of the handlers.
    let description = Document::try_from(description)?.into_json();
    let docs = SwaggerUi::new("/docs")
        .config(Config::new(["/openapi.json"]))
        .oauth(oauth::Config::new().client_id("web"));
    let cors = CorsLayer::new()
        .allow_origin(ORIGINS)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            HeaderName::from_static("x-api-key"),
        ])
        .expose_headers([WWW_AUTHENTICATE, RETRY_AFTER]);
    let log = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_response(DefaultOnResponse::new().level(Level::INFO));
    let timeout = TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, TIMEOUT);
    // Each layer is around those above it.
    let router = routes
        .route("/openapi.json", get(Json(description)))
        .merge(docs)
        .route("/", get(Redirect::to("/docs/")))
        .layer(map_request(connections::body_in_one_piece))
        .layer(timeout)
        .layer(map_response(error::in_json))
        .layer(cors)
        .layer(log);
    Ok(BROWSER_HEADERS
        .into_iter()
        .fold(router, |router, (name, value)| {
            let value = HeaderValue::from_static(value);
            router.layer(SetResponseHeaderLayer::overriding(name, value))
        }))
}

/// The log has the route, not the URL, which may contain anything. `caller` is set when the caller
/// is known, and `account` when its password is checked.
fn span(request: &Request) -> Span {
    let extensions = request.extensions();
    let route = extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    let address = extensions.get::<ConnectInfo<SocketAddr>>();
    let address = address.map(|ConnectInfo(address)| display(address.ip()));
    let method = display(request.method());
    info_span!(
        "request",
        method,
        route,
        address,
        caller = Empty,
        account = Empty
    )
}
