//! tonic's client reads what tonic's server does not say.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use doorward::Shared;
use doorward_grpc::health::LATE;
use doorward_grpc::health::watch::{Refused, serve_watched};
use doorward_grpc::{routes, serve, serve_behind_a_layer};
use http::{Method, StatusCode};
use tokio::time::{Duration, timeout};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tower::ServiceExt as _;

async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Channel::from_shared(format!("http://{address}")).unwrap();
    endpoint.connect().await.unwrap()
}

/// Returns both servers: with a layer around everything, and around one service.
async fn servers() -> [SocketAddr; 2] {
    [serve_behind_a_layer().await.unwrap(), serve(routes()).await.unwrap()]
}

fn asked(token: Option<&str>, service: &str) -> Request<HealthCheckRequest> {
    let mut request = Request::new(HealthCheckRequest { service: service.to_owned() });
    if let Some(token) = token {
        let line = format!("Bearer {token}").parse().unwrap();
        request.metadata_mut().insert("authorization", line);
    }
    request
}

/// What a status says: its code, its message, and a line of its metadata.
fn said<'a>(status: &'a Status, name: &str) -> (Code, &'a str, Option<&'a str>) {
    let line = status.metadata().get(name).map(|line| line.to_str().unwrap());
    (status.code(), status.message(), line)
}

const MISSING: &str = "Bearer realm=\"health\", scope=\"read\"";
const TOO_NARROW: &str = "Bearer realm=\"health\", error=\"insufficient_scope\", \
    error_description=\"The request requires more scopes than the access token grants\", \
    scope=\"read\"";

#[tokio::test]
async fn a_unary_call_is_refused() {
    for address in servers().await {
        let mut client = HealthClient::new(connect(address).await);
        for (token, name, expected) in [
            (None, "www-authenticate", (Code::Unauthenticated, "Not authenticated", MISSING)),
            (
                Some("other"),
                "www-authenticate",
                (Code::PermissionDenied, "Not enough permissions", TOO_NARROW),
            ),
            (Some("busy"), "retry-after", (Code::Unavailable, "Später, zu 100%", "120")),
        ] {
            let status = client.check(asked(token, "")).await.unwrap_err();
            let (code, message, line) = expected;
            assert_eq!(said(&status, name), (code, message, Some(line)));
        }
        let answer = client.check(asked(Some("read"), "")).await.unwrap();
        assert_eq!(answer.metadata().get("caller").unwrap(), "read");
    }
}

/// A stream that is refused does not open.
#[tokio::test]
async fn a_stream_is_refused() {
    for address in servers().await {
        let mut client = HealthClient::new(connect(address).await);
        let status = client.watch(asked(None, "")).await.unwrap_err();
        let expected = (Code::Unauthenticated, "Not authenticated", Some(MISSING));
        assert_eq!(said(&status, "www-authenticate"), expected);

        let stream = client.watch(asked(Some("read"), "")).await.unwrap();
        let mut stream = stream.into_inner();
        assert!(stream.message().await.unwrap().is_some());
        assert!(stream.message().await.unwrap().is_none());
    }
}

/// A stream that has begun ends with the status of the refusal.
#[tokio::test]
async fn a_stream_ends_when_its_caller_is_refused() {
    let refused = Shared::new(Refused::default());
    let address = serve_watched(refused.clone()).await.unwrap();
    let mut client = HealthClient::new(connect(address).await);
    let mut other = client.watch(asked(Some("watch"), "")).await.unwrap().into_inner();
    assert!(other.message().await.unwrap().is_some());
    for (status, code) in [
        (StatusCode::UNAUTHORIZED, Code::Unauthenticated),
        (StatusCode::FORBIDDEN, Code::PermissionDenied),
        (StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable),
    ] {
        // A token is the scopes that it grants.
        let token = format!("read {status:?}");
        let mut stream = client.watch(asked(Some(&token), "")).await.unwrap().into_inner();
        assert!(stream.message().await.unwrap().is_some());
        refused.refuse(&token, status);
        assert_eq!(stream.message().await.unwrap_err().code(), code);
        // As a client asks that begins again.
        assert_eq!(client.watch(asked(Some(&token), "")).await.unwrap_err().code(), code);
    }
    assert!(timeout(Duration::from_millis(1), other.message()).await.is_err());
}

/// The layer sends what a method has refused.
#[tokio::test]
async fn a_method_refuses_late() {
    let address = serve_behind_a_layer().await.unwrap();
    let mut client = HealthClient::new(connect(address).await);
    let status = client.check(asked(Some("read"), LATE)).await.unwrap_err();
    let (code, message, challenge) = said(&status, "www-authenticate");
    assert_eq!((code, message), (Code::PermissionDenied, "Not enough permissions"));
    assert!(challenge.unwrap().ends_with("scope=\"watch\""), "{challenge:?}");
    client.check(asked(Some("watch"), LATE)).await.unwrap();
}

const HEALTH: &str = "/grpc.health.v1.Health/Check";

/// Sends a request by HTTP/2, and returns the status of its answer and of gRPC.
async fn sent(
    channel: &Channel,
    method: Method,
    path: &str,
    kinds: &[&str],
) -> (u16, Option<String>) {
    let mut request = http::Request::builder().method(method).uri(path);
    for kind in kinds {
        request = request.header("content-type", *kind);
    }
    let answer = channel.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let status = answer.headers().get("grpc-status");
    let status = status.map(|status| status.to_str().unwrap().to_owned());
    (answer.status().as_u16(), status)
}

#[tokio::test]
async fn only_a_call_to_the_layer_with_the_word_gets_a_200() {
    let channel = connect(serve(routes()).await.unwrap()).await;
    for path in ["/plain", "/extracted", "/word", HEALTH] {
        let is_grpc = matches!(path, "/word" | HEALTH);
        for kind in ["application/grpc", "application/grpc+proto", "application/grpc;a=b"] {
            let expected = if is_grpc { (200, Some("16".to_owned())) } else { (401, None) };
            assert_eq!(sent(&channel, Method::POST, path, &[kind]).await, expected, "{path}");
            assert_eq!(sent(&channel, Method::GET, path, &[kind]).await, (401, None), "{path}");
            let twice = sent(&channel, Method::POST, path, &[kind, kind]).await;
            assert_eq!(twice, (401, None), "{path}");
        }
        for kind in ["application/grpc-web", "application/grpcx", "application/json"] {
            let answer = sent(&channel, Method::POST, path, &[kind]).await;
            assert_eq!(answer, (401, None), "{path} {kind}");
        }
    }
}

#[tokio::test]
async fn a_call_by_http_1_gets_a_401() {
    let address = serve(routes()).await.unwrap();
    for path in ["/plain", "/extracted", "/word", HEALTH] {
        let answer = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            let request = format!(
                "POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/grpc\r\n\
                 connection: close\r\ncontent-length: 0\r\n\r\n"
            );
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        });
        let answer = answer.await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 401 "), "{path}: {answer}");
        assert!(!answer.contains("grpc-status"), "{path}: {answer}");
    }
}
