use doorward::axum08::{Router, routing::get};
use doorward::head::FromExtensions;
use doorward::http::StatusCode;
use doorward::{ApiKey, Rejection, api_key, dependency, layer, secured};

#[api_key(header = "x-api-key")]
struct Key;

/// What the key may do.
#[derive(Clone)]
struct Access(Vec<&'static str>);

/// Looks the key up, once for each request.
#[dependency]
async fn access(#[security(Key)] key: ApiKey) -> Result<Access, Rejection> {
    match key.as_str() {
        "k1" => Ok(Access(vec!["books"])), // your query, with `.await`
        _ => Err(Rejection::new(StatusCode::FORBIDDEN)),
    }
}

/// Decides about a collection, without waiting.
#[dependency]
fn may_read(
    #[argument] collection: &'static str,
    FromExtensions(access): FromExtensions<Access>,
) -> Result<(), Rejection> {
    let is_listed = access.0.contains(&collection);
    is_listed.then_some(()).ok_or(Rejection::new(StatusCode::FORBIDDEN))
}

#[secured(layer = access)]
#[secured(may_read("books"))]
async fn books() -> &'static str {
    "books"
}

#[secured(layer = access)]
#[secured(may_read("films"))]
async fn films() -> &'static str {
    "films"
}

fn app() -> Router {
    let app = Router::new().route("/books", get(books)).route("/films", get(films));
    app.layer(layer!(access))
}

#[tokio::test]
async fn handlers_decide_by_what_the_layer_has_found() {
    use http::Request;
    use tower::ServiceExt;

    for (path, expected) in [("/books", 200), ("/films", 403)] {
        let request = Request::get(path).header("x-api-key", "k1");
        let request = request.body(axum::body::Body::empty()).unwrap();
        assert_eq!(app().oneshot(request).await.unwrap().status(), expected, "{path}");
    }
    let table =
        "GET  /books  Key via may_read(\"books\")\nGET  /films  Key via may_read(\"films\")\n";
    assert_eq!(app().routes().to_string(), table);
}
