use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use doorward::http::StatusCode;
use doorward::jwt::TokenVerifierBuilder;
use doorward::verify::Verified;
use doorward::{Shared, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sid: String,
}

#[http_bearer(verified = Claims)]
struct Api;

/// The logins that have ended: a table of your database, for all nodes.
#[derive(Default)]
struct Ended(RwLock<HashSet<String>>);

/// Ends the login, with each token that it has got.
#[secured]
async fn log_out(#[security(Api)] caller: Verified<Claims>, ended: Shared<Ended>) -> StatusCode {
    let mut ended = ended.0.write().unwrap_or_else(PoisonError::into_inner);
    ended.insert(caller.sid.clone());
    StatusCode::NO_CONTENT
}

fn refuse(
    tokens: TokenVerifierBuilder<Claims>,
    ended: Shared<Ended>,
) -> TokenVerifierBuilder<Claims> {
    tokens.refuse_if(move |claims| {
        let ended = ended.0.read().unwrap_or_else(PoisonError::into_inner);
        ended.contains(&claims.sid)
    })
}

#[tokio::test]
async fn an_ended_login_is_refused() {
    use doorward::axum08::{Router, routing::get};
    use doorward::testing::TestAuthority;

    use super::{answer, bearer};

    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let ended = Shared::new(Ended::default());
    let tokens = refuse(authority.verifier(), ended.clone()).build().await.unwrap();
    let app: Router =
        Router::new().route("/", get(log_out)).extension(Shared::new(tokens)).extension(ended);
    let token = |login: &str| authority.token("johndoe").claim("sid", login).sign().unwrap();
    assert_eq!(answer(&app, bearer("/", &token("a"))).await.0, 204);
    assert_eq!(answer(&app, bearer("/", &token("a"))).await.0, 401);
    assert_eq!(answer(&app, bearer("/", &token("b"))).await.0, 204);
}
