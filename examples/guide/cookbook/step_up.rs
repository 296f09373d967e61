use std::time::{Duration, SystemTime, UNIX_EPOCH};

use doorward::verify::Verified;
use doorward::{BearerError, SecurityScopes, Shared, dependency, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    acr: Option<String>,
    auth_time: Option<u64>,
}

#[http_bearer(scopes("pay" = "Pay."), verified = Claims)]
struct Api;

const FIVE_MINUTES: Duration = Duration::from_secs(300);

/// Requires a login with a passkey (`phr`) within the last five minutes.
#[dependency]
fn fresh_login(
    #[security(Api)] caller: Verified<Claims>,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    let logged_in = UNIX_EPOCH + Duration::from_secs(caller.auth_time.unwrap_or(0));
    let is_fresh = SystemTime::now().duration_since(logged_in).is_ok_and(|age| age <= FIVE_MINUTES);
    if is_fresh && caller.acr.as_deref() == Some("phr") {
        return Ok(());
    }
    let error = scopes.insufficient_user_authentication().with_max_age(FIVE_MINUTES);
    Err(error.with_acr_values(["phr"]).expect("a literal without spaces and quotes"))
}

#[secured(fresh_login, scopes("pay"))]
async fn pay() -> &'static str {
    "paid"
}

#[tokio::test]
async fn an_old_or_weak_login_does_not_pay() {
    use doorward::axum08::{Router, routing::get};
    use doorward::testing::TestAuthority;
    use tower::ServiceExt;

    use super::bearer;

    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let app: Router = Router::new().route("/", get(pay)).extension(Shared::new(tokens));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    for (acr, auth_time, expected) in
        [("phr", now, 200), ("phr", now - 600, 401), ("1", now, 401), ("phr", now + 600, 401)]
    {
        let token = authority.token("johndoe").scopes(["pay"]);
        let token = token.claim("acr", acr).claim("auth_time", auth_time).sign().unwrap();
        let answer = app.clone().oneshot(bearer("/", &token)).await.unwrap();
        assert_eq!(answer.status(), expected, "{acr} {auth_time}");
        if expected == 401 {
            let challenge = answer.headers()["www-authenticate"].to_str().unwrap();
            assert!(challenge.contains(r#"error="insufficient_user_authentication""#));
            assert!(challenge.ends_with(r#"acr_values="phr", max_age="300""#), "{challenge}");
        }
    }
    let token = authority.token("johndoe").scopes(["pay"]).sign().unwrap();
    assert_eq!(app.oneshot(bearer("/", &token)).await.unwrap().status(), 401);
}
