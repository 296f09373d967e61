use std::num::NonZeroU32;
use std::time::Duration;

use doorward::secrecy::SecretString;
use doorward::token_endpoint::{TokenError, TokenResponse};
use doorward::{OAuth2PasswordRequestForm, PasswordForm, Shared, public};
use governor::{DefaultKeyedRateLimiter, Quota};

/// Tries of each account: five at once, and then one in a minute.
type Tries = DefaultKeyedRateLimiter<String>;

fn tries() -> Shared<Tries> {
    let at_once = const { NonZeroU32::new(5).unwrap() };
    Shared::new(Tries::keyed(Quota::per_minute(NonZeroU32::MIN).allow_burst(at_once)))
}

#[public(reason = "the form is what logs in")]
async fn token(
    tries: Shared<Tries>,
    PasswordForm(form): PasswordForm<OAuth2PasswordRequestForm>,
) -> Result<TokenResponse, TokenError> {
    // Before the password is looked at, so that a guess costs a try whether it is right or wrong.
    let wait = TokenError::too_many_requests(Duration::from_secs(60));
    tries.check_key(&form.username).map_err(|_| wait)?;
    if !is_password(&form.username, &form.password) {
        return Err(TokenError::invalid_grant("wrong user name or password"));
    }
    Ok(TokenResponse::bearer("t0k3n"))
}

fn is_password(user: &str, password: &SecretString) -> bool {
    user == "johndoe" && doorward::secret_eq(password, "secret")
}

#[tokio::test]
async fn guesses_are_slowed_down() {
    use axum::body::Body;
    use doorward::axum08::{Router, routing::post};
    use doorward::http::Request;

    use super::answer;

    let app: Router = Router::new().route("/token", post(token)).extension(tries());
    let log_in = async |user: &str, password: &str| {
        let form = Body::from(format!("username={user}&password={password}"));
        let request = Request::post("/token");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        answer(&app, request.body(form).unwrap()).await.0
    };
    assert_eq!(log_in("johndoe", "secret").await, 200);
    for _ in 0..4 {
        assert_eq!(log_in("johndoe", "guess").await, 400);
    }
    assert_eq!(log_in("johndoe", "guess").await, 429);
    assert_eq!(log_in("johndoe", "secret").await, 429);
    assert_eq!(log_in("alice", "guess").await, 400);
}
