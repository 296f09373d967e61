use doorward::secrecy::SecretString;
use doorward::{ApiKey, Rejection, Shared, api_key, dependency, secured};

/// The secret that the gateway adds to each request that it lets in.
#[api_key(header = "x-gateway-secret")]
struct Gateway;

/// The user of the token that the gateway has checked.
#[api_key(header = "x-user")]
struct User;

/// A secret that only the gateway has.
struct OfGateway(SecretString);

/// The user, as the gateway says, if it is the gateway that says so.
#[dependency]
fn user(
    #[security(Gateway)] sent: ApiKey,
    #[security(User)] user: ApiKey,
    secret: Shared<OfGateway>,
) -> Result<String, Rejection> {
    if sent.secret_eq(&secret.0) {
        Ok(user.as_str().to_owned())
    } else {
        Err(Rejection::NOT_AUTHENTICATED)
    }
}

#[secured]
async fn me(#[security(user)] user: String) -> String {
    user
}

#[tokio::test]
async fn a_caller_who_bypasses_the_gateway_is_refused() {
    use axum::body::Body;
    use doorward::axum08::{Router, routing::get};
    use doorward::http::Request;

    use super::answer;

    let secret = OfGateway("d1ff3r3nt".into());
    let app: Router = Router::new().route("/", get(me)).extension(Shared::new(secret));
    let ask = async |lines: &[(&str, &str)]| {
        let mut request = Request::get("/").body(Body::empty()).unwrap();
        for (name, value) in lines {
            let name = doorward::http::HeaderName::from_bytes(name.as_bytes()).unwrap();
            request.headers_mut().append(name, value.parse().unwrap());
        }
        answer(&app, request).await
    };
    let (secret, user) = (("x-gateway-secret", "d1ff3r3nt"), ("x-user", "johndoe"));
    assert_eq!(ask(&[secret, user]).await, (200, "johndoe".to_owned()));
    assert_eq!(ask(&[user]).await.0, 401);
    assert_eq!(ask(&[("x-gateway-secret", "guess"), user]).await.0, 401);
    assert_eq!(ask(&[secret]).await.0, 401);
    // The gateway has to remove what a client sends, because two are refused.
    assert_eq!(ask(&[secret, ("x-user", "rita"), user]).await.0, 401);
}
