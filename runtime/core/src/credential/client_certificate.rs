//! The certificate of a client.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, HeaderName};

use crate::syntax::debug_text::debug_only;
use crate::syntax::urlencoded::decode_strictly;

/// The certificate that a client has shown in the TLS handshake.
///
/// The program that accepts connections attaches it to each request: to the extensions of the
/// `http` crate's requests and of actix-web's, or to its connection there, and in Rocket to the
/// local cache, in an `Option`. [The guide](https://docs.rs/doorward/latest/doorward/guide/bound_tokens/index.html) has examples.
#[derive(Clone, PartialEq, Eq)]
pub struct ClientCertificate(Bytes);

impl ClientCertificate {
    /// Creates it from the DER encoding of the client's own certificate, without the certificates
    /// that signed it ([RFC 5280, 4.1](https://www.rfc-editor.org/rfc/rfc5280#section-4.1)).
    #[must_use]
    pub fn from_der(der: impl Into<Bytes>) -> Self {
        Self(der.into())
    }

    /// Reads it from a header line of the proxy that has ended TLS: `Client-Cert`
    /// ([RFC 9440, 2.2](https://www.rfc-editor.org/rfc/rfc9440#section-2.2)), the `Cert` of Envoy's
    /// `X-Forwarded-Client-Cert`, or a line with nginx's `$ssl_client_escaped_cert`. Returns `None`
    /// if there is no such line, more than one, or one that two proxies have written.
    ///
    /// **A client can send any header**, so name only one that your proxy removes or overwrites in
    /// each request.
    #[must_use]
    pub fn from_header(headers: &HeaderMap, name: &HeaderName) -> Option<Self> {
        let mut lines = headers.get_all(name).iter();
        let (Some(line), None) = (lines.next(), lines.next()) else { return None };
        let line = line.to_str().ok()?.trim();
        let der = match line.strip_prefix(':') {
            Some(bytes) => STANDARD.decode(bytes.strip_suffix(':')?).ok()?,
            None if line.starts_with('-') => of_escaped_pem(line)?,
            None => of_escaped_pem(forwarded(line)?)?,
        };
        Some(Self(der.into()))
    }

    /// Returns the DER encoding.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.0
    }
}

debug_only!([] ClientCertificate {});

/// Returns the `Cert` of Envoy's header, which has the pairs of one proxy. A name in a certificate
/// may have any text, so a quoted value is read to its end.
fn forwarded(mut rest: &str) -> Option<&str> {
    let mut found = None;
    while !rest.is_empty() {
        let (name, value) = rest.split_once('=')?;
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => {
                let mut is_escaped = false;
                let end = quoted.find(|character| {
                    let is_end = character == '"' && !is_escaped;
                    is_escaped = character == '\\' && !is_escaped;
                    is_end
                });
                let (value, after) = quoted.split_at_checked(end?)?;
                (value, after.strip_prefix('"')?)
            }
            None => value.split_at(value.find([';', ',']).unwrap_or(value.len())),
        };
        if name.eq_ignore_ascii_case("cert") && found.replace(value).is_some() {
            return None;
        }
        rest = if after.is_empty() { after } else { after.strip_prefix(';')? };
    }
    found
}

/// Decodes a certificate in percent-encoded PEM. Some proxies leave a `+` as it is.
fn of_escaped_pem(text: &str) -> Option<Vec<u8>> {
    let pem = decode_strictly(text.replace('+', "%2B").as_bytes())?;
    let (_, body) = pem.split_once("-----BEGIN CERTIFICATE-----")?;
    let (body, _) = body.split_once("-----END CERTIFICATE-----")?;
    STANDARD.decode(body.split_ascii_whitespace().collect::<String>()).ok()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn each_proxy_writes_it_in_its_own_way() {
        let name = HeaderName::from_static("client-cert");
        let read = |lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(&name, HeaderValue::from_str(line).unwrap());
            }
            let found = ClientCertificate::from_header(&headers, &name);
            found.map(|certificate| certificate.as_der().to_vec())
        };
        let pem =
            "-----BEGIN%20CERTIFICATE-----%0A3q2%2B%0A7w%3D%3D%0A-----END%20CERTIFICATE-----%0A";
        let der = Some(vec![0xde, 0xad, 0xbe, 0xef]);
        assert_eq!(read(&[":3q2+7w==:"]), der);
        assert_eq!(read(&[pem]), der);
        assert_eq!(
            read(&[&format!("By=spiffe://a;Hash=00;Cert=\"{pem}\";Subject=\"CN=a,O=b\"")]),
            der
        );
        assert_eq!(read(&[&format!("Subject=\"\\\";Cert=\\\"x\";cert={pem}")]), der);
        for lines in [
            &[][..],
            &[""],
            &[":3q2+7w==:", ":3q2+7w==:"],
            &[":3q2+7w==:, :3q2+7w==:"],
            &["3q2+7w=="],
            &[":3q2+7w:"],
            &["Hash=00"],
            &["Cert=\"x"],
            &["-----BEGIN%20CERTIFICATE-----%0A3q2%2B"],
            &["-----BEGIN%2"],
            &[&format!("Cert=\"{pem}\",Cert=\"{pem}\"")],
            &[&format!("Cert={pem},Hash=00")],
            &[&format!("Cert={pem};Cert={pem}")],
            &[&format!("Subject=\";Cert={pem}\"")],
        ] {
            assert_eq!(read(lines), None, "{lines:?}");
        }
    }
}
