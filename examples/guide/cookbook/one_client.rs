use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    client_id: Option<String>,
}

#[http_bearer(scopes("invoices" = "Change invoices."), verified = Claims)]
struct Api;

const OTHER: Rejection = Rejection::new(StatusCode::FORBIDDEN).with_detail("Not for this client");

/// Requires that the token was issued to this client, whoever its user is.
#[dependency]
fn client(
    #[argument] only: &str,
    #[security(Api)] caller: Verified<Claims>,
) -> Result<(), Rejection> {
    if caller.client_id.as_deref() == Some(only) { Ok(()) } else { Err(OTHER) }
}

#[secured(client("nightly"), scopes("invoices"))]
async fn close_month() -> &'static str {
    "closed"
}

#[tokio::test]
async fn other_clients_are_refused() {
    use doorward::axum08::{Router, routing::get};
    use doorward::testing::TestAuthority;

    use super::{answer, bearer};

    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let app: Router = Router::new().route("/", get(close_month)).extension(Shared::new(tokens));
    let routes = app.routes().to_string();
    assert_eq!(routes, "GET  /  Api(invoices) via client(\"nightly\")\n");
    let token = || authority.token("johndoe").scopes(["invoices"]);
    for (token, expected) in [
        (token().claim("client_id", "nightly"), 200),
        (token().claim("client_id", "web"), 403),
        (token(), 403),
    ] {
        assert_eq!(answer(&app, bearer("/", &token.sign().unwrap())).await.0, expected);
    }
}
