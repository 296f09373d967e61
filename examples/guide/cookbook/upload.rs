use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use doorward::axum08::{Router, routing::post};
use doorward::verify::Verified;
use doorward::{Shared, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("files" = "Add files."), verified = Claims)]
struct Api;

/// The body is the last parameter, so it is read when the caller has been checked.
#[secured]
async fn upload(#[security(Api, scopes("files"))] caller: Verified<Claims>, file: Bytes) -> String {
    format!("{} bytes of {}", file.len(), caller.sub)
}

fn app() -> Router {
    let limit = DefaultBodyLimit::max(10 << 20);
    Router::new().route("/files", post(upload).layer(limit))
}

#[tokio::test]
async fn a_refused_file_is_not_read() {
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use axum::body::Body;
    use doorward::http::Request;
    use doorward::testing::TestAuthority;

    use super::answer;

    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let app = app().extension(Shared::new(tokens));
    let token = |scope: &str| {
        let token = authority.token("johndoe").scopes([scope]).sign().unwrap();
        format!("Bearer {}", token.as_str())
    };
    for (line, expected, read) in
        [(token("files"), 200, 3), (token("other"), 403, 0), ("Bearer guess".to_owned(), 401, 0)]
    {
        let pieces = Arc::new(AtomicUsize::new(0));
        let counted = pieces.clone();
        let file = tokio_stream::iter((0..3).map(move |_| {
            counted.fetch_add(1, Relaxed);
            Ok::<_, Infallible>("piece")
        }));
        let request = Request::post("/files").header("authorization", line);
        let answer = answer(&app, request.body(Body::from_stream(file)).unwrap()).await;
        assert_eq!((answer.0, pieces.load(Relaxed)), (expected, read));
    }
}
