use std::future::Future;
use std::io;
use std::pin::Pin;

use axum::Extension;
use axum::middleware::AddExtension;
use axum_server::accept::Accept;
use axum_server::tls_rustls::RustlsAcceptor;
use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::verify::{CertificateBound, ClientCertificate, Verified};
use doorward::{Shared, http_bearer, secured};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::server::TlsStream;
use tower::Layer;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

type Tokens = CertificateBound<TokenVerifier<Claims>>;

#[http_bearer(verified = Claims, by = Tokens)]
struct Api;

#[secured]
async fn me(#[security(Api)] caller: Verified<Claims>) -> String {
    caller.sub.clone()
}

/// Attaches the certificate of a connection to each of its requests.
#[derive(Clone)]
struct WithCertificate(RustlsAcceptor);

impl<I, S> Accept<I, S> for WithCertificate
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: Send + 'static,
{
    type Stream = TlsStream<I>;
    type Service = AddExtension<S, ClientCertificate>;
    type Future = Pin<Box<dyn Future<Output = io::Result<(TlsStream<I>, Self::Service)>> + Send>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let accepted = self.0.accept(stream, service);
        Box::pin(async move {
            let (stream, service) = accepted.await?;
            let shown = stream.get_ref().1.peer_certificates().and_then(|chain| chain.first());
            let shown = shown.ok_or_else(|| io::Error::other("no certificate"))?;
            let certificate = ClientCertificate::from_der(shown.to_vec());
            Ok((stream, Extension(certificate).layer(service)))
        })
    }
}

async fn serve(
    tls: RustlsAcceptor,
    listener: std::net::TcpListener,
    tokens: Tokens,
) -> io::Result<()> {
    let app = Router::new().route("/me", get(me)).extension(Shared::new(tokens)).into_inner();
    let server = axum_server::from_tcp(listener)?.acceptor(WithCertificate(tls));
    server.serve(app.into_make_service()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_bound_to_the_certificate_of_the_connection() {
    use super::certificates::{Authority, ask};
    use axum_server::tls_rustls::RustlsConfig;

    let authority = Authority::new();
    let [alice, bob] = ["alice", "bob"].map(|name| authority.client(name));
    let issuer = doorward::testing::TestAuthority::new("https://localhost").unwrap();
    let tokens = CertificateBound::new(issuer.verifier().build().await.unwrap());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let tls = RustlsAcceptor::new(RustlsConfig::from_config(authority.server(true)));
    tokio::spawn(serve(tls, listener, tokens));
    let bound = issuer.token("alice").bound_to_certificate(alice.der()).sign().unwrap();
    let plain = issuer.token("alice").sign().unwrap();
    for (token, client, expected) in [
        (&bound, Some(&alice), Some((200, "alice"))),
        (&bound, Some(&bob), Some((401, ""))),
        (&plain, Some(&alice), Some((401, ""))),
        // The handshake needs a certificate.
        (&bound, None, None),
    ] {
        let answer = ask(&authority, address, client, token.as_str()).await;
        let answer = answer
            .as_ref()
            .map(|(status, body)| (*status, if *status == 200 { &**body } else { "" }));
        assert_eq!(answer, expected);
    }
}
