use std::any::Any;
use std::net::TcpListener;

use actix_tls::accept::rustls_0_23::TlsStream;
use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
use actix_web::{App, HttpServer, get};
use doorward::jwt::TokenVerifier;
use doorward::verify::{CertificateBound, ClientCertificate, Verified};
use doorward::{Shared, http_bearer, secured};
use rustls::ServerConfig;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

type Tokens = CertificateBound<TokenVerifier<Claims>>;

#[http_bearer(verified = Claims, by = Tokens)]
struct Api;

#[secured]
#[get("/me")]
async fn me(#[security(Api)] caller: Verified<Claims>) -> String {
    caller.sub.clone()
}

/// Attaches the certificate of a connection to it.
fn attach_certificate(connection: &dyn Any, attached: &mut Extensions) {
    let stream = connection.downcast_ref::<TlsStream<TcpStream>>();
    let chain = stream.and_then(|stream| stream.get_ref().1.peer_certificates());
    if let Some(shown) = chain.and_then(|chain| chain.first()) {
        attached.insert(ClientCertificate::from_der(shown.to_vec()));
    }
}

async fn serve(
    tls: ServerConfig,
    listener: TcpListener,
    tokens: Shared<Tokens>,
) -> std::io::Result<()> {
    HttpServer::new(move || App::new().app_data(tokens.clone()).service(me))
        .on_connect(attach_certificate)
        .listen_rustls_0_23(listener, tls)?
        .run()
        .await
}

#[test]
fn tokens_are_bound_to_the_certificate_of_the_connection() {
    use super::certificates::{Authority, ask};

    actix_web::rt::System::new().block_on(async {
        let authority = Authority::new();
        let [alice, bob] = ["alice", "bob"].map(|name| authority.client(name));
        let issuer = doorward::testing::TestAuthority::new("https://localhost").unwrap();
        let tokens = Shared::new(CertificateBound::new(issuer.verifier().build().await.unwrap()));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let tls = ServerConfig::clone(&authority.server(false));
        actix_web::rt::spawn(serve(tls, listener, tokens));
        let bound = issuer.token("alice").bound_to_certificate(alice.der()).sign().unwrap();
        let plain = issuer.token("alice").sign().unwrap();
        for (token, client, expected) in [
            (&bound, Some(&alice), 200),
            (&bound, Some(&bob), 401),
            (&plain, Some(&alice), 401),
            (&bound, None, 401),
        ] {
            let (status, body) = ask(&authority, address, client, token.as_str()).await.unwrap();
            assert_eq!(status, expected, "{body}");
        }
    });
}
