use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode};
use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::{Shared, public, secret_eq};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The secret that the sender signs with.
struct Webhook(SecretString);

impl Webhook {
    /// Checks `sha256=…`, the HMAC of the body as it came, in constant time.
    fn is_signed(&self, sent: Option<&str>, body: &[u8]) -> bool {
        let Ok(mac) = Hmac::<Sha256>::new_from_slice(self.0.expose_secret().as_bytes()) else {
            return false;
        };
        let mac = mac.chain_update(body).finalize().into_bytes();
        let expected = mac.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        sent.is_some_and(|sent| secret_eq(SecretString::from(expected), sent))
    }
}

#[public(reason = "the sender signs the body, and the handler checks it")]
async fn event(webhook: Shared<Webhook>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let sent = headers.get("x-hub-signature-256").and_then(|line| line.to_str().ok());
    if !webhook.is_signed(sent.and_then(|line| line.strip_prefix("sha256=")), &body) {
        return StatusCode::UNAUTHORIZED;
    }
    // Parse the body here, and not before.
    StatusCode::NO_CONTENT
}

#[tokio::test]
async fn only_the_sender_is_heard() {
    use axum::body::Body;
    use doorward::axum08::{Router, routing::post};
    use doorward::http::Request;

    use super::answer;

    // The example in GitHub's documentation.
    const SIGNATURE: &str =
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    let webhook = Webhook("It's a Secret to Everybody".into());
    let app: Router = Router::new().route("/", post(event)).extension(Shared::new(webhook));
    for (signature, body, expected) in [
        (SIGNATURE, "Hello, World!", 204),
        (SIGNATURE, "Hello, World?", 401),
        (&SIGNATURE[7..], "Hello, World!", 401),
        ("sha256=", "Hello, World!", 401),
        ("", "Hello, World!", 401),
    ] {
        let request = Request::post("/").header("x-hub-signature-256", signature);
        let request = request.body(Body::from(body)).unwrap();
        assert_eq!(answer(&app, request).await.0, expected, "{signature} {body}");
    }
    let unsigned = Request::post("/").body(Body::from("Hello, World!")).unwrap();
    assert_eq!(answer(&app, unsigned).await.0, 401);
}
