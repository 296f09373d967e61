//! The login page, and the codes that it issues (RFC 6749, 4.1, with PKCE, RFC 7636).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use doorward::form::{FormBody, RequestForm};
use doorward::public;
use doorward::secrecy::ExposeSecret as _;
use doorward::token_endpoint::{AuthorizationCodeGrant, TokenError};
use url::Url;

use crate::Issuer;
use crate::loopback::is_loopback;

/// The request of a client, in the query.
#[derive(RequestForm)]
struct Request {
    response_type: String,
    client_id: String,
    redirect_uri: String,
    scopes: Vec<String>,
    state: Option<String>,
    code_challenge: String,
    code_challenge_method: String,
}

#[derive(RequestForm)]
struct Approval {
    username: String,
}

/// The login behind a code.
pub(crate) struct Login {
    pub(crate) user: String,
    pub(crate) scopes: Vec<String>,
}

struct Issued {
    login: Login,
    client: String,
    redirect_uri: String,
    challenge: String,
    ends: Instant,
}

#[derive(Default)]
pub(crate) struct Codes(Mutex<HashMap<String, Issued>>);

impl Codes {
    fn issue(&self, issued: Issued) -> Result<String, getrandom::Error> {
        let mut random = [0; 16];
        getrandom::fill(&mut random)?;
        let code: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|_, issued| issued.ends > Instant::now());
        codes.insert(code.clone(), issued);
        Ok(code)
    }

    /// Redeems a code, which is good for one attempt.
    pub(crate) fn redeem(
        &self,
        client: &str,
        form: &AuthorizationCodeGrant,
    ) -> Result<Login, TokenError> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let issued = codes.remove(form.code.expose_secret()).filter(|issued| {
            let proof = form.code_verifier.as_ref();
            issued.ends > Instant::now()
                && issued.client == client
                && form.redirect_uri.as_ref() == Some(&issued.redirect_uri)
                && proof.is_some_and(|proof| proof.verify(&issued.challenge))
        });
        let issued = issued.ok_or(TokenError::invalid_grant(
            "the code is used or expired, or of another client, redirect_uri or challenge",
        ))?;
        Ok(issued.login)
    }
}

/// Asks the developer for a name.
#[public(reason = "the page is the login")]
pub(crate) async fn page(RawQuery(query): RawQuery) -> Response {
    if let Err(fault) = Request::of(query) {
        return refused(&fault);
    }
    // It is sent to the same URL, so the query need not be repeated.
    let html = "<!doctype html><title>Log in</title><form method=post>\
        <p><input name=username value=johndoe> <button>Log in</button></form>";
    ([(CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'")], Html(html))
        .into_response()
}

/// Sends the browser back to the client, with a code.
#[public(reason = "the form is the login")]
pub(crate) async fn approve(
    State(issuer): State<Arc<Issuer>>,
    RawQuery(query): RawQuery,
    form: FormBody,
) -> Response {
    let (request, mut redirect) = match Request::of(query) {
        Ok(found) => found,
        Err(fault) => return refused(&fault),
    };
    let form = match form.decode::<Approval>() {
        Ok(form) => form,
        Err(faults) => return refused(&faults.to_string()),
    };
    let code = issuer.codes.issue(Issued {
        login: Login { user: form.username, scopes: request.scopes },
        client: request.client_id,
        redirect_uri: request.redirect_uri,
        challenge: request.code_challenge,
        ends: Instant::now() + Duration::from_secs(60),
    });
    let Ok(code) = code else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    redirect.query_pairs_mut().append_pair("code", &code);
    if let Some(state) = request.state {
        redirect.query_pairs_mut().append_pair("state", &state);
    }
    Redirect::to(redirect.as_str()).into_response()
}

impl Request {
    /// Reads a request, and the URL to which the browser goes back.
    fn of(query: Option<String>) -> Result<(Self, Url), String> {
        let query = query.unwrap_or_default();
        let request = Self::decode(query.as_bytes()).map_err(|faults| faults.to_string())?;
        if request.response_type != "code" || request.code_challenge_method != "S256" {
            return Err("write `response_type=code` and `code_challenge_method=S256`".to_owned());
        }
        let redirect = Url::parse(&request.redirect_uri).ok();
        let is_safe = |url: &Url| is_loopback(url) && url.fragment().is_none();
        let redirect =
            redirect.filter(is_safe).ok_or("`redirect_uri` is not `http://127.0.0.1…`")?;
        Ok((request, redirect))
    }
}

fn refused(fault: &str) -> Response {
    (StatusCode::BAD_REQUEST, fault.to_owned()).into_response()
}
