//! Certificates of a server and of clients, and a client that shows one.

use std::net::SocketAddr;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

pub(super) struct Party(CertificateDer<'static>, KeyPair);

impl Authority {
    pub(super) fn new() -> Self {
        let mut authority = CertificateParams::default();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(authority, KeyPair::generate().unwrap()).unwrap())
    }

    pub(super) fn client(&self, name: &str) -> Party {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        Party(params.signed_by(&key, &self.0).unwrap().der().clone(), key)
    }

    fn roots(&self) -> Arc<RootCertStore> {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        Arc::new(roots)
    }

    pub(super) fn server(&self, needs_certificate: bool) -> Arc<ServerConfig> {
        let Party(certificate, key) = self.client("localhost");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut clients =
            WebPkiClientVerifier::builder_with_provider(self.roots(), provider.clone());
        if !needs_certificate {
            clients = clients.allow_unauthenticated();
        }
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(clients.build().unwrap())
            .with_single_cert(vec![certificate], private(&key));
        Arc::new(config.unwrap())
    }
}

impl Party {
    pub(super) fn der(&self) -> &[u8] {
        &self.0
    }
}

fn private(key: &KeyPair) -> PrivateKeyDer<'static> {
    PrivateKeyDer::try_from(key.serialize_der()).unwrap()
}

/// Returns the status and the body, or nothing if there is no connection.
pub(super) async fn ask(
    authority: &Authority,
    address: SocketAddr,
    client: Option<&Party>,
    token: &str,
) -> Option<(u16, String)> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(authority.roots());
    let config = match client {
        Some(Party(certificate, key)) => {
            config.with_client_auth_cert(vec![certificate.clone()], private(key)).unwrap()
        }
        None => config.with_no_client_auth(),
    };
    let stream = TcpStream::connect(address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.ok()?;
    let request = format!(
        "GET /me HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    // A server may close without saying so.
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8(answer).unwrap();
    let status = answer.split(' ').nth(1)?.parse().unwrap();
    Some((status, answer.split_once("\r\n\r\n")?.1.to_owned()))
}
