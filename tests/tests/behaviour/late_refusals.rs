//! Refusals from a place that cannot send an HTTP answer. The layer above sends them.

use std::convert::Infallible;

use doorward::layers::LateRefusal;
use doorward::{
    BearerError, BearerToken, SecurityLayer, SecurityScopes, dependency, http_bearer, layer, plan,
};
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{Request, Response, StatusCode};
use tokio::sync::oneshot;
use tower::{Layer, ServiceExt, service_fn};

#[http_bearer(
    realm = "notes",
    scopes(
        "read" = "Read.",
        "write" implies("read") = "Change.",
        "delete" = "Delete."
    )
)]
struct Token;

/// The token is the list of its scopes.
#[dependency]
fn caller(
    #[security(Token)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    scopes.check(token.as_str())?;
    Ok(token.as_str().to_owned())
}

async fn change(head: &Parts) -> Result<String, LateRefusal> {
    let writer = plan!(caller, scopes("write"));
    writer.resolve_late(&mut head.clone()).await
}

async fn delete(head: &Parts) -> Result<String, LateRefusal> {
    let deleter = plan!(caller, scopes("delete"));
    deleter.resolve_late(&mut head.clone()).await
}

fn request(token: &str) -> Request<()> {
    let request = Request::get("/").header(AUTHORIZATION, format!("Bearer {token}"));
    request.body(()).unwrap()
}

fn challenge(response: &Response<String>) -> &str {
    response.headers()[WWW_AUTHENTICATE].to_str().unwrap()
}

/// Calls a service that answers with a 200, whatever the places below it decide.
async fn call<D, F>(
    layer: SecurityLayer<D>,
    token: &str,
    places: impl Fn(Parts) -> F + Clone + Send + 'static,
) -> Response<String>
where
    F: Future<Output = String> + Send,
    SecurityLayer<D>: Layer<
            tower::util::BoxCloneService<Request<()>, Response<String>, Infallible>,
            Service: tower::Service<Request<()>, Response = Response<String>, Error = Infallible>,
        >,
{
    let service = service_fn(move |request: Request<()>| {
        let places = places.clone();
        async move { Ok::<_, Infallible>(Response::new(places(request.into_parts().0).await)) }
    });
    let service = layer.layer(tower::util::BoxCloneService::new(service));
    service.oneshot(request(token)).await.unwrap()
}

#[tokio::test]
async fn the_layer_sends_the_refusal() {
    let layer = layer!(caller, scopes("read")).with_late_refusals();
    let change = |head: Parts| async move { format!("{:?}", change(&head).await) };
    let refused = call(layer, "read", change).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert_eq!(
        challenge(&refused),
        "Bearer realm=\"notes\", error=\"insufficient_scope\", \
         error_description=\"The request requires more scopes than the access token grants\", \
         scope=\"write\""
    );
    assert_eq!(refused.body(), r#"{"detail":"Not enough permissions"}"#);

    let accepted = call(layer, "write", change).await;
    assert_eq!(accepted.into_body(), r#"Ok("write")"#);
}

/// The place sees the status, for the answer in a format of its own.
#[tokio::test]
async fn the_place_gets_an_error() {
    let refusal = change(&request("read").into_parts().0).await.unwrap_err();
    assert_eq!(refusal.status(), StatusCode::FORBIDDEN);
    assert_eq!(refusal.to_string(), "the request is refused: 403 Forbidden");
    let (head, ()) = Request::new(()).into_parts();
    let refusal = change(&head).await.unwrap_err();
    assert_eq!(refusal.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_first_refusal_is_sent() {
    let layer = layer!(caller, scopes("read")).with_late_refusals();
    let refused = call(layer, "read", |head| async move {
        let both = (delete(&head).await, change(&head).await);
        assert!(both.0.is_err() && both.1.is_err());
        String::new()
    });
    assert!(challenge(&refused.await).ends_with(r#"scope="delete""#));
}

/// Without the setting, nobody sends the refusal. The place still gets the error.
#[tokio::test]
async fn a_layer_that_takes_none_sends_none() {
    let layer = layer!(caller, scopes("read"));
    let answer =
        call(layer, "read", |head| async move { change(&head).await.unwrap_err().to_string() });
    let answer = answer.await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.body(), "the request is refused: 403 Forbidden");
}

/// A service can answer first and go on working, as one that streams does.
#[tokio::test]
async fn a_refusal_after_the_answer_is_an_error_alone() {
    let (sender, receiver) = oneshot::channel();
    let sender = std::sync::Arc::new(std::sync::Mutex::new(Some(sender)));
    let layer = layer!(caller, scopes("read")).with_late_refusals();
    let answer = call(layer, "read", move |head| {
        let sender = sender.lock().unwrap().take().unwrap();
        async move {
            sender.send(head).unwrap();
            "begun".to_owned()
        }
    });
    assert_eq!(answer.await.into_body(), "begun");
    assert!(change(&receiver.await.unwrap()).await.is_err());
}

/// The inner layer answers, as it is the one that the request has seen last.
#[tokio::test]
async fn the_innermost_layer_sends_it() {
    let service = service_fn(async |request: Request<()>| {
        let answer = change(&request.into_parts().0).await;
        Ok::<_, Infallible>(Response::new(format!("{answer:?}")))
    });
    let inner = layer!(caller, scopes("read")).with_late_refusals();
    let outer = layer!(caller).with_late_refusals();
    let seen = tower::util::MapResponseLayer::new(|response: Response<String>| {
        assert_eq!(response.status(), StatusCode::FORBIDDEN);
        response
    });
    let service = outer.layer(seen.layer(inner.layer(service)));
    let refused = service.oneshot(request("read")).await.unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
}

/// A refusal is the answer, even if the service fails after it.
#[tokio::test]
async fn a_refusal_counts_more_than_an_error_of_the_service() {
    let service = service_fn(async |request: Request<()>| {
        let (head, ()) = request.into_parts();
        match change(&head).await {
            Ok(_) => Err::<Response<String>, _>("accepted, and failed"),
            Err(_) => Err("refused, and failed"),
        }
    });
    let layer = layer!(caller, scopes("read")).with_late_refusals();
    let service = layer.layer(service);
    let refused = service.clone().oneshot(request("read")).await.unwrap();
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let failed = service.oneshot(request("write")).await.unwrap_err();
    assert_eq!(failed, "accepted, and failed");
}
