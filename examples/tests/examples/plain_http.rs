//! Tests the example without a framework from outside.

use doorward_tests::server::Server;
use oauth2::reqwest::{Client, StatusCode};

#[tokio::test]
async fn a_password_opens_the_protected_route() {
    let server = Server::start(env!("CARGO_BIN_EXE_plain_http"), &[]).unwrap();
    // A refused body closes the connection, so no connection is used twice.
    let client = Client::builder().pool_max_idle_per_host(0).build().unwrap();
    let url = |path: &str| format!("http://{}{path}", server.address());
    let log_in = async |body: String| {
        let request =
            client.post(url("/token")).header("content-type", "application/x-www-form-urlencoded");
        request.body(body).send().await.unwrap()
    };
    let read_me = async |authorization: &str| {
        client.get(url("/users/me/")).header("authorization", authorization).send().await.unwrap()
    };

    let answer = log_in("username=johndoe&password=secret".to_owned()).await;
    for (name, value) in [
        ("content-type", "application/json"),
        ("cache-control", "no-store"),
        ("pragma", "no-cache"),
    ] {
        assert_eq!(answer.headers()[name], value);
    }
    assert_eq!(answer.text().await.unwrap(), r#"{"access_token":"johndoe","token_type":"bearer"}"#);
    let wrong = log_in("username=johndoe&password=wrong".to_owned()).await;
    assert_eq!(wrong.status(), StatusCode::BAD_REQUEST);
    assert_eq!(
        wrong.text().await.unwrap(),
        r#"{"error":"invalid_grant","error_description":"wrong user name or password"}"#
    );
    assert_eq!(log_in("username=johndoe".to_owned()).await.headers()["cache-control"], "no-store");
    let too_long = format!("username=johndoe&password={}", "a".repeat(64 * 1024));
    assert_eq!(log_in(too_long).await.status(), StatusCode::PAYLOAD_TOO_LARGE);

    assert_eq!(read_me("bearer johndoe").await.text().await.unwrap(), r#"{"username":"johndoe"}"#);
    let nobody = read_me("Bearer nobody").await;
    assert_eq!(
        (nobody.status(), &nobody.headers()["www-authenticate"]),
        (StatusCode::UNAUTHORIZED, &r#"Bearer error="invalid_token""#.parse().unwrap())
    );
    let refused = read_me("Basic am9obmRvZQ==").await;
    assert_eq!(
        (refused.status(), &refused.headers()["www-authenticate"]),
        (StatusCode::UNAUTHORIZED, &"Bearer".parse().unwrap())
    );
    assert_eq!(refused.text().await.unwrap(), r#"{"detail":"Not authenticated"}"#);
}
