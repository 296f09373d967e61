use governor::{DefaultKeyedRateLimiter, Quota};
use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer};

#[http_bearer(verified = Claims)]
struct Api;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

type Limits = DefaultKeyedRateLimiter<String>;

const TOO_MANY: Rejection =
    Rejection::new(StatusCode::TOO_MANY_REQUESTS).with_detail("Too many requests");

#[dependency]
fn limited(
    #[security(Api)] caller: Verified<Claims>,
    limits: Shared<Limits>,
) -> Result<String, Rejection> {
    limits.check_key(&caller.sub).map_err(|_| TOO_MANY)?;
    Ok(caller.sub.clone())
}

/// Sixty requests in a minute.
fn limits() -> Option<Shared<Limits>> {
    Some(Shared::new(Limits::keyed(Quota::per_minute(60.try_into().ok()?))))
}

#[tokio::test]
async fn a_user_has_a_limit() {
    let caller = || Verified::new(Claims { sub: "johndoe".to_owned() }, []);
    let limits = limits().unwrap();
    for _ in 0..60 {
        assert!(limited(caller(), limits.clone()).is_ok());
    }
    assert!(limited(caller(), limits).is_err());
}
