//! Fuzzes an enum of grants and a form for revocation, each with the credentials of its client. The
//! first line of the input is an `Authorization` line, and the rest the body.
#![no_main]

use std::borrow::Cow;

use doorward::form::FromText;
use doorward::secrecy::SecretString;
use doorward::token_endpoint::{Client, ClientForm, CodeVerifier, RevocationForm, TokenRequest};
use doorward_fuzz::by_the_book;
use doorward_fuzz::grants::{Grant, Refused, read_grant, read_revocation};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use libfuzzer_sys::fuzz_target;

/// Returns the same client with another secret.
fn with_another_secret(client: &Client) -> Client {
    let secret = client.client_secret().map(|_| "another".into());
    let lines: [&[u8]; 0] = [];
    let found = Client::find_in_lines(lines, Some(client.client_id()), secret.as_ref());
    found.expect("it was found before").expect("an identifier")
}

/// Changes every secret of a grant, and returns what the grant's form prints, which is empty for
/// forms that print nothing.
fn printed_with(grant: &mut Grant, change: bool) -> String {
    let put = |secret: &mut SecretString| {
        if change {
            *secret = "another".into();
        }
    };
    match grant {
        Grant::Password(form) => {
            put(&mut form.password);
            form.client_secret.as_mut().map(put);
            format!("{form:?}")
        }
        Grant::RefreshToken(form) => {
            put(&mut form.refresh_token);
            format!("{form:?}")
        }
        Grant::ClientCredentials(form) => format!("{form:?}"),
        Grant::AuthorizationCode(form) => {
            put(&mut form.code);
            if let Some(verifier) = &mut form.code_verifier
                && change
            {
                let another = CodeVerifier::from_text(Cow::Owned("a".repeat(43)));
                *verifier = another.expect("long enough");
            }
            format!("{form:?}")
        }
        Grant::DeviceCode(_) | Grant::TokenExchange(_) | Grant::OneTime(_) => String::new(),
    }
}

fn check_printed(headers: &HeaderMap, body: &[u8]) {
    if let Ok(mut form) = TokenRequest::<Grant>::decode_request(headers, body) {
        let printed = [format!("{form:?}"), printed_with(&mut form.grant, false)];
        form.client = form.client.as_ref().map(with_another_secret);
        let grant = printed_with(&mut form.grant, true);
        assert_eq!(printed, [format!("{form:?}"), grant]);
    }
    if let Ok(mut request) = ClientForm::<RevocationForm>::decode_request(headers, body) {
        let printed = format!("{request:?} {:?}", request.form);
        request.client = request.client.as_ref().map(with_another_secret);
        request.form.token = "another".into();
        assert_eq!(printed, format!("{request:?} {:?}", request.form));
    }
}

/// Returns why a request is refused. Its response is JSON.
fn refusal(refused: Refused) -> by_the_book::Refusal {
    let refusal = refused.refusal();
    let response: http::Response<String> = refused.error.into();
    assert_eq!(response.status(), 400);
    serde_json::from_str::<serde_json::Value>(response.body()).expect("JSON");
    refusal
}

fuzz_target!(|data: &[u8]| {
    let line = data.iter().position(|byte| *byte == b'\n');
    let (line, body) = match line {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (&[][..], data),
    };
    let mut headers = HeaderMap::new();
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    headers.insert(CONTENT_TYPE, form);
    let Ok(value) = HeaderValue::from_bytes(line) else {
        return;
    };
    headers.insert(AUTHORIZATION, value);
    assert_eq!(read_grant(&headers, body).map_err(refusal), by_the_book::grant(&[line], body));
    assert_eq!(
        read_revocation(&headers, body).map_err(refusal),
        by_the_book::revocation(&[line], body)
    );
    check_printed(&headers, body);
});
