use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::scheme::RejectionReason;
use doorward::{ApiKey, Rejection, Shared, api_key, dependency};

/// The key of this service.
#[api_key(header = "api-key", auto_error = "reason")]
struct Key;

struct Settings {
    key: Option<String>,
}

struct Auth;

const MISSING: Rejection =
    Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Not authenticated");
const WRONG: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Wrong key");

/// Lets every request in unless the service has a key.
#[dependency(extract, decides)]
fn auth(
    #[security(Key)] sent: Result<ApiKey, RejectionReason>,
    settings: Shared<Settings>,
) -> Result<Auth, Rejection> {
    let Some(key) = &settings.key else { return Ok(Auth) };
    match sent {
        Ok(sent) if sent.secret_eq(key) => Ok(Auth),
        Err(RejectionReason::Missing) => Err(MISSING),
        _ => Err(WRONG),
    }
}

async fn collections(_: Auth) -> &'static str {
    "[]"
}

fn app(settings: Settings) -> Router {
    let app = Router::new().route("/collections", get(collections));
    app.extension(Shared::new(settings))
}

#[tokio::test]
async fn a_service_is_open_or_closed_by_its_settings() {
    use http::Request;
    use tower::ServiceExt;

    let status = async |key: Option<&str>, lines: &[&str]| {
        let mut request = Request::get("/collections");
        for line in lines {
            request = request.header("api-key", *line);
        }
        let app = app(Settings { key: key.map(str::to_owned) });
        app.oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap().status()
    };
    let repeated: &[&str] = &["secret", "secret"];
    for lines in [&[][..], &["secret"], &["other"], &["\u{e9}"], repeated] {
        assert_eq!(status(None, lines).await, 200);
    }
    for (lines, expected) in
        [(&[][..], 401), (&["secret"], 200), (&["other"], 403), (&["\u{e9}"], 403), (repeated, 403)]
    {
        assert_eq!(status(Some("secret"), lines).await, expected, "{lines:?}");
    }
    let app = app(Settings { key: None });
    assert_eq!(app.routes().to_string(), "GET  /collections  Key, decided by auth\n");
}
