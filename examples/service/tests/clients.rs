//! The crate `oauth2` against the service: each grant, the routes, revocation, and the error that
//! it returns for what is wrong. Clients in other languages are in the repository's
//! `tests/peers/clients`, and the list of what is wrong is there.

#[expect(dead_code, reason = "the other tests use more of it")]
#[path = "service/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::mem::take;
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oauth2::basic::{BasicClient, BasicErrorResponseType, BasicTokenResponse, BasicTokenType};
use oauth2::http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use oauth2::url::form_urlencoded::{Serializer, parse};
use oauth2::{
    AccessToken, AsyncHttpClient, AuthType, AuthorizationCode, ClientId, ClientSecret,
    EndpointNotSet, EndpointSet, ErrorResponseType, HttpClientError, HttpRequest, HttpResponse,
    RefreshToken, RequestTokenError, ResourceOwnerPassword, ResourceOwnerUsername,
    RevocationErrorResponseType, RevocationUrl, Scope, StandardErrorResponse, TokenResponse,
    TokenUrl,
};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use server::{Answer, Database, PASSWORD, Server, send, with_john};

/// The public address. The crate does not revoke without HTTPS.
const PUBLIC: &str = "https://notes.example.com";

/// Connects the client to the service, in place of TLS. It makes requests wrong in ways in which no
/// client does, and records the responses.
struct Wire {
    to: String,
    change: Change,
    http: oauth2::reqwest::Client,
    said: Mutex<Option<Said>>,
}

/// A status, and the challenge.
type Said = (u16, Option<String>);

/// How a request is made wrong.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Change {
    without: Vec<String>,
    add: Vec<(String, String)>,
    json: bool,
}

type HttpError = HttpClientError<oauth2::reqwest::Error>;

impl<'c> AsyncHttpClient<'c> for Wire {
    type Error = HttpError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + 'c>>;

    fn call(&'c self, mut request: HttpRequest) -> Self::Future {
        let url = request.uri().to_string().replace(PUBLIC, &self.to);
        *request.uri_mut() = url.parse().unwrap();
        let pairs = parse(request.body()).into_owned();
        let pairs = pairs.filter(|(name, _)| !self.change.without.contains(name));
        let pairs: Vec<_> = pairs.chain(self.change.add.iter().cloned()).collect();
        if self.change.json {
            let json = HeaderValue::from_static("application/json");
            request.headers_mut().insert(CONTENT_TYPE, json);
            let pairs: BTreeMap<_, _> = pairs.into_iter().collect();
            *request.body_mut() = json!(pairs).to_string().into_bytes();
        } else {
            let form = Serializer::new(String::new()).extend_pairs(pairs).finish();
            *request.body_mut() = form.into_bytes();
        }
        Box::pin(async move {
            let response = self.http.call(request).await?;
            let challenge = response.headers().get(WWW_AUTHENTICATE);
            let challenge = challenge.map(|challenge| challenge.to_str().unwrap().to_owned());
            *self.said.lock().unwrap() = Some((response.status().as_u16(), challenge));
            Ok(response)
        })
    }
}

/// A client: its name, its secret, and whether both are in the header.
#[derive(Clone, Copy, Debug)]
struct By<'a>(&'a str, Option<&'a str>, bool);

const WEB: By<'_> = By("web", None, false);
const DESK: By<'_> = By("desk", Some("hunter2"), true);
const DESK_IN_THE_FORM: By<'_> = By("desk", Some("hunter2"), false);

type Client = BasicClient<EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet, EndpointSet>;

impl By<'_> {
    fn client(&self) -> Client {
        let Self(name, secret, is_in_header) = *self;
        let client = BasicClient::new(ClientId::new(name.to_owned()))
            .set_token_uri(TokenUrl::new(format!("{PUBLIC}/token")).unwrap())
            .set_revocation_url(RevocationUrl::new(format!("{PUBLIC}/revoke")).unwrap())
            .set_auth_type(if is_in_header { AuthType::BasicAuth } else { AuthType::RequestBody });
        match secret {
            Some(secret) => client.set_client_secret(ClientSecret::new(secret.to_owned())),
            None => client,
        }
    }
}

/// An error, and what the service has said.
type Refused<E> = (E, Said);

fn refused<E: ErrorResponseType + Clone + Display + 'static>(
    error: RequestTokenError<HttpError, StandardErrorResponse<E>>,
    wire: &Wire,
) -> Refused<E> {
    match error {
        RequestTokenError::ServerResponse(error) => {
            (error.error().clone(), wire.said.lock().unwrap().clone().unwrap())
        }
        error => panic!("{error:?}"),
    }
}

/// The parameters of a token request, without those of its grant and its client.
type Parameters<'a> = [(&'a str, &'a str)];

/// The service with an account and a client that has a secret and takes passwords, which none of
/// the first start does.
struct Service {
    server: Server,
    _database: Database,
}

impl Service {
    async fn start() -> Self {
        let (database, server) = with_john().await;
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest("hunter2"));
        let add = format!(
            r#"INSERT INTO clients (id, secret_hash, grants, scopes) VALUES ('desk', '{hash}',
            'password refresh_token client_credentials', 'notes:read notes:write')"#
        );
        database.execute(&add).await;
        Self { server, _database: database }
    }

    fn wire(&self, change: Change) -> Wire {
        Wire {
            to: format!("http://{}", self.server.address),
            change,
            http: oauth2::reqwest::Client::new(),
            said: Mutex::default(),
        }
    }

    async fn try_token(
        &self,
        by: By<'_>,
        grant: &str,
        parameters: &Parameters<'_>,
        change: Change,
    ) -> Result<BasicTokenResponse, Refused<BasicErrorResponseType>> {
        let (client, wire) = (by.client(), self.wire(change));
        let find = |name| parameters.iter().find(|(other, _)| *other == name);
        let value = |name| find(name).map(|(_, value)| (*value).to_owned());
        let scopes = value("scope").unwrap_or_default();
        let scopes = scopes.split_whitespace().map(str::to_owned).map(Scope::new);
        let answer = match grant {
            "password" => {
                let username = ResourceOwnerUsername::new(value("username").unwrap());
                let password = ResourceOwnerPassword::new(value("password").unwrap());
                let request = client.exchange_password(&username, &password);
                request.add_scopes(scopes).request_async(&wire).await
            }
            "refresh_token" => {
                let token = RefreshToken::new(value("refresh_token").unwrap());
                let request = client.exchange_refresh_token(&token);
                request.add_scopes(scopes).request_async(&wire).await
            }
            "client_credentials" => {
                let request = client.exchange_client_credentials();
                request.add_scopes(scopes).request_async(&wire).await
            }
            "authorization_code" => {
                let code = AuthorizationCode::new(value("code").unwrap());
                client.exchange_code(code).request_async(&wire).await
            }
            _ => panic!("{grant}"),
        };
        answer.map_err(|error| refused(error, &wire))
    }

    /// Requests a token that there is.
    async fn token(
        &self,
        by: By<'_>,
        grant: &str,
        parameters: &Parameters<'_>,
    ) -> BasicTokenResponse {
        let answer = self.try_token(by, grant, parameters, Change::default());
        answer.await.unwrap()
    }

    async fn log_in(&self, by: By<'_>, scope: &str) -> BasicTokenResponse {
        let john = [("username", "johndoe"), ("password", PASSWORD), ("scope", scope)];
        self.token(by, "password", &john).await
    }

    async fn refresh(&self, by: By<'_>, token: &RefreshToken, scope: &str) -> BasicTokenResponse {
        let parameters = [("refresh_token", &**token.secret()), ("scope", scope)];
        self.token(by, "refresh_token", &parameters).await
    }

    /// Checks that a refresh token is worth nothing.
    async fn assert_ended(&self, by: By<'_>, token: &RefreshToken) {
        let parameters = [("refresh_token", &**token.secret())];
        let answer = self.try_token(by, "refresh_token", &parameters, Change::default());
        let expected = (BasicErrorResponseType::InvalidGrant, (400, None));
        assert_eq!(answer.await.unwrap_err(), expected, "{by:?}");
    }

    async fn revoke(
        &self,
        by: By<'_>,
        token: &RefreshToken,
        change: Change,
    ) -> Result<(), Refused<RevocationErrorResponseType>> {
        let (client, wire) = (by.client(), self.wire(change));
        let request = client.revoke_token(token.into()).unwrap();
        let answer = request.request_async(&wire).await;
        answer.map_err(|error| refused(error, &wire))
    }

    async fn notes(&self, token: &AccessToken) -> Answer {
        send(self.server.get("/notes").bearer_auth(token.secret())).await
    }
}

fn scopes(answer: &BasicTokenResponse) -> Vec<&str> {
    let scopes = answer.scopes().unwrap().iter();
    scopes.map(|scope| scope.as_str()).collect()
}

#[tokio::test]
async fn each_client_logs_in_and_refreshes() {
    let service = Service::start().await;
    // Some clients send the name of a public client in the header, with an empty secret.
    for by in [WEB, By("web", Some(""), true), DESK, DESK_IN_THE_FORM] {
        let first = service.log_in(by, "").await;
        assert_eq!(*first.token_type(), BasicTokenType::Bearer);
        assert_eq!(first.expires_in(), Some(Duration::from_secs(300)));
        assert_eq!(scopes(&first), ["notes:read", "notes:write"]);
        let spent = first.refresh_token().unwrap();
        let second = service.refresh(by, spent, "notes:read").await;
        assert_eq!(scopes(&second), ["notes:read"]);
        assert_ne!(second.access_token().secret(), first.access_token().secret());
        let third = service.refresh(by, second.refresh_token().unwrap(), "").await;
        assert_eq!(scopes(&third), ["notes:read", "notes:write"]);
        service.notes(third.access_token()).await.assert_status(200);

        // The first token is spent. It ends its family.
        service.assert_ended(by, spent).await;
        let last = third.refresh_token().unwrap();
        service.assert_ended(by, last).await;
    }
}

#[tokio::test]
async fn each_route_takes_the_tokens() {
    let service = Service::start().await;
    let server = &service.server;
    let secret = server.first_secrets().reporter;
    let mut machine = None;
    for is_in_header in [true, false] {
        let reporter = By("reporter", Some(&secret), is_in_header);
        let answer = service.token(reporter, "client_credentials", &[]).await;
        assert_eq!(scopes(&answer), ["stats:read"]);
        assert!(answer.refresh_token().is_none());
        machine = Some(answer.access_token().clone());
    }
    let machine = machine.unwrap();
    let stats = send(server.get("/stats").bearer_auth(machine.secret())).await;
    assert_eq!(stats.json()["accounts"], 2);

    let writer = service.log_in(WEB, "").await;
    let add = server.post("/notes").json(&json!({ "text": "Hello" }));
    let added = send(add.bearer_auth(writer.access_token().secret())).await;
    added.assert_status(201);
    let notes = service.notes(writer.access_token()).await;
    assert_eq!(notes.json(), json!([added.json()]));

    let lacking = |scope: &str| {
        format!(
            r#"Bearer realm="notes", error="insufficient_scope", error_description="The request requires more scopes than the access token grants", scope="{scope}""#
        )
    };
    let reader = service.refresh(WEB, writer.refresh_token().unwrap(), "notes:read").await;
    let add = server.post("/notes").json(&json!({ "text": "No" }));
    let refused = send(add.bearer_auth(reader.access_token().secret())).await;
    refused.assert_refused(403, &[&lacking("notes:write")]);
    let refused = service.notes(&machine).await;
    refused.assert_refused(403, &[&lacking("notes:read")]);
}

#[tokio::test]
async fn a_revoked_token_is_worth_nothing() {
    let service = Service::start().await;
    for by in [WEB, DESK, DESK_IN_THE_FORM] {
        let login = service.log_in(by, "").await;
        let token = login.refresh_token().unwrap();
        let unknown = RefreshToken::new("unknown".to_owned());
        for token in [token, token, &unknown] {
            let answer = service.revoke(by, token, Change::default()).await;
            answer.unwrap();
        }
        service.assert_ended(by, token).await;
        // The access token ends with its login.
        service.notes(login.access_token()).await.assert_status(401);
    }
}

/// The list of wrong requests.
#[derive(Deserialize)]
struct Refusals {
    token: Vec<TokenCase>,
    revocation: Vec<RevocationCase>,
}

#[derive(Deserialize)]
struct TokenCase {
    grant: String,
    parameters: BTreeMap<String, String>,
    #[serde(flatten)]
    case: Case,
}

#[derive(Deserialize)]
struct RevocationCase {
    token: String,
    #[serde(flatten)]
    case: Case,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    /// Its name, its secret, and where both are.
    client: Vec<String>,
    #[serde(default)]
    change: Change,
    error: String,
    status: Option<u16>,
}

impl Case {
    fn by(&self) -> By<'_> {
        match &*self.client {
            [name] => By(name, None, false),
            [name, secret, place] => By(name, Some(secret), place == "header"),
            _ => panic!("{}", self.name),
        }
    }

    /// Returns the code, and what the service should say.
    fn expected(&self) -> (&str, Said) {
        let status = self.status.unwrap_or(400);
        let challenge = r#"Basic realm="token", charset="UTF-8""#.to_owned();
        (&self.error, (status, (status == 401).then_some(challenge)))
    }
}

#[tokio::test]
async fn each_refusal_has_its_code() {
    let service = Service::start().await;
    let login = service.log_in(WEB, "notes:read").await;
    let token = login.refresh_token().unwrap();
    let refusals = include_str!("../../../tests/peers/clients/service_refusals.json")
        .replace("{reporter}", &service.server.first_secrets().reporter)
        .replace("{access_token}", login.access_token().secret())
        .replace("{refresh_token}", token.secret())
        .replace("{long}", &"x".repeat(100_000));
    let refusals: Refusals = serde_json::from_str(&refusals).unwrap();

    for TokenCase { grant, parameters, mut case } in refusals.token {
        let parameters = parameters.iter().map(|(name, value)| (&**name, &**value));
        let parameters: Vec<_> = parameters.collect();
        let change = take(&mut case.change);
        let answer = service.try_token(case.by(), &grant, &parameters, change);
        let (error, said) = answer.await.unwrap_err();
        assert_eq!((error.as_ref(), said), case.expected(), "{}", case.name);
        let is_unknown = matches!(error, BasicErrorResponseType::Extension(_));
        assert!(!is_unknown, "{}", case.name);
    }
    for RevocationCase { token, mut case } in refusals.revocation {
        let change = take(&mut case.change);
        let token = RefreshToken::new(token);
        let answer = service.revoke(case.by(), &token, change);
        let (error, said) = answer.await.unwrap_err();
        assert_eq!((error.as_ref(), said), case.expected(), "{}", case.name);
        let is_unknown = matches!(
            error,
            RevocationErrorResponseType::Basic(BasicErrorResponseType::Extension(_))
        );
        assert!(!is_unknown, "{}", case.name);
    }
    // Nothing of this has spent the token.
    let again = service.refresh(WEB, token, "").await;
    assert_eq!(scopes(&again), ["notes:read"]);
}
