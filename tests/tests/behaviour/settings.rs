//! A service whose URLs and realm come from its environment, in a process of its own: a `static` is
//! set once in a process. It is asked over a socket.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Stdio};
use std::time::Duration;

use axum::{Router, routing::get};
use doorward::metadata::ResourceMetadata;
use doorward::openapi::{Document, SecurityAddon, secure};
use doorward::scheme::{Flow, Flows, Setting, TextOrSetting};
use doorward::{
    BasicCredentials, BearerError, BearerToken, Rejection, Scheme, SecurityScopes, dependency,
    http_basic, oauth2_bearer, open_id_connect, operation, secured,
};
use doorward_tests::client::{Response, ask};
use doorward_tests::description::assert_valid;
use serde_json::{Value, json};
use utoipa::OpenApi;

use super::process;

static ISSUER: Setting = Setting::issuer("ISSUER");
static AUTHORIZE: Setting = Setting::url("AUTHORIZE_URL");
static TOKEN: Setting = Setting::url("TOKEN_URL");
static DISCOVERY: Setting = Setting::url("DISCOVERY_URL");
static REALM: Setting = Setting::realm("REALM");
static API: Setting = Setting::resource("API_URL");

#[oauth2_bearer(
    flows(
        authorization_code(authorization_url = &AUTHORIZE, token_url = &TOKEN),
        client_credentials(token_url = "/token", refresh_url = &TOKEN),
        password(token_url = "/token"),
    ),
    scopes("items" = "Read items."),
    realm = &REALM,
    resource = &API,
    authorization_servers("https://other.example.com", &ISSUER)
)]
struct Login;

#[open_id_connect(url = &DISCOVERY, scopes("items" = "Read items."))]
struct Provider;

#[http_basic(realm = &REALM)]
struct Admin;

#[dependency]
fn user(#[security(Login)] _token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[dependency]
fn member(
    #[security(Provider)] _token: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[dependency]
fn admin(#[security(Admin)] _admin: BasicCredentials) -> Result<(), Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[secured(user, scopes("items"))]
#[utoipa::path(get, path = "/items", responses((status = 200, description = "OK")))]
async fn items() {}

#[secured(member, scopes("items"))]
#[utoipa::path(get, path = "/profile", responses((status = 200, description = "OK")))]
async fn profile() {}

#[secured(admin)]
async fn restart() {}

#[derive(OpenApi)]
#[openapi(paths(items, profile))]
struct Plain;

#[derive(OpenApi)]
#[openapi(paths(items, profile), modifiers(&SecurityAddon))]
struct Described;

/// The description that a service writes, or why it cannot.
async fn description() -> String {
    let described = || {
        let operation = |id: &str| json!({ "get": { "operationId": id, "responses": {} } });
        let mut document = Document::new(json!({
            "openapi": "3.1.0",
            "info": { "title": "Items", "version": "1" },
            "paths": { "/items": operation("items"), "/profile": operation("profile") },
        }))?;
        document.operation("profile")?.secure(&operation!(profile))?;
        document.operation("items")?.secure(&operation!(items))?;
        Ok::<_, doorward::openapi::DocumentError>(json!(document.into_json()).to_string())
    };
    described().unwrap_or_else(|error| error.to_string())
}

/// What utoipa, serde and the metadata say.
async fn others() -> String {
    let text = |error: &dyn std::fmt::Display| Value::from(error.to_string());
    let mut plain = Plain::openapi();
    let secured = secure(&mut plain);
    json!({
        "utoipa": Described::openapi(),
        "secure": secured.map_or_else(|error| text(&error), |()| json!(plain)),
        "utoipa as JSON": Document::new(Plain::openapi())
            .map_or_else(|error| text(&error), |document| json!(document.into_json())),
        "scheme": serde_json::to_value(Login::CONFIG).unwrap_or_else(|error| text(&error)),
        "flows": serde_json::to_value(Login::CONFIG.flows()).unwrap_or_else(|error| text(&error)),
        "metadata": ResourceMetadata::of::<Login>().map_or_else(
            |error| text(&error),
            |metadata| serde_json::from_str(&metadata.to_json()).unwrap(),
        ),
    })
    .to_string()
}

/// The part that runs in a process of its own, for a minute at most.
#[test]
fn the_service() {
    if !process::is_its_own() {
        return;
    }
    if let Ok(issuer) = env::var("ISSUER") {
        AUTHORIZE.set(format!("{issuer}/authorize")).unwrap();
        TOKEN.set(format!("{issuer}/token")).unwrap();
        let discovery = format!("{issuer}/.well-known/openid-configuration");
        DISCOVERY.set(discovery).unwrap();
        ISSUER.set(issuer).unwrap();
    }
    for (name, setting) in [("REALM", &REALM), ("API_URL", &API)] {
        if let Ok(value) = env::var(name) {
            setting.set(value).unwrap();
        }
    }
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    runtime.block_on(async {
        let app = Router::new()
            .route("/items", get(items))
            .route("/profile", get(profile))
            .route("/restart", get(restart))
            .route("/openapi.json", get(description))
            .route("/others", get(others));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        println!("\nhttp://{}", listener.local_addr().unwrap());
        let served = axum::serve(listener, app).into_future();
        let _ = tokio::time::timeout(Duration::from_secs(60), served).await;
    });
}

struct Service {
    process: Child,
    address: SocketAddr,
}

impl Service {
    fn start(environment: &[(&str, &str)]) -> Self {
        let mut command = process::of("settings::the_service");
        for name in ["ISSUER", "REALM", "API_URL"] {
            command.env_remove(name);
        }
        command.envs(environment.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let mut lines = output.lines().map(Result::unwrap);
        let address = lines.find_map(|line| line.strip_prefix("http://")?.parse().ok());
        Self { process, address: address.unwrap() }
    }

    fn get(&self, path: &str, line: Option<&str>) -> Response {
        let line = line.map(|line| ("Authorization", line));
        ask(self.address, "GET", path, line.as_slice())
    }

    /// Ends the service, and returns what it has told its developer.
    fn notices(mut self) -> Vec<String> {
        self.process.kill().unwrap();
        let mut said = String::new();
        let mut errors = self.process.stderr.take().unwrap();
        errors.read_to_string(&mut said).unwrap();
        let lines = said.lines();
        let lines = lines.filter_map(|line| line.strip_prefix("doorward: "));
        lines.map(str::to_owned).collect()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // The process may already have ended, which is fine.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_service_with_an_environment_has_its_values() {
    let service = Service::start(&[
        ("ISSUER", "https://id.example.com/realms/x"),
        ("REALM", "the items"),
        ("API_URL", "https://api.example.com/v1"),
    ]);
    let refused = service.get("/items", None);
    assert_eq!(refused.status, 401);
    let metadata = "https://api.example.com/.well-known/oauth-protected-resource/v1";
    assert_eq!(
        refused.header("www-authenticate"),
        [format!(r#"Bearer realm="the items", scope="items", resource_metadata="{metadata}""#)]
    );
    let refused = service.get("/items", Some("Bearer a"));
    let challenge = refused.header("www-authenticate").concat();
    assert!(challenge.starts_with(r#"Bearer realm="the items", error="invalid_token""#));
    assert!(challenge.ends_with(&format!(r#"resource_metadata="{metadata}""#)));
    let refused = service.get("/restart", None);
    assert_eq!(refused.header("www-authenticate"), [r#"Basic realm="the items""#]);

    let document = service.get("/openapi.json", None).json();
    assert_valid(&document);
    let scopes = json!({ "items": "Read items." });
    let login = json!({ "type": "oauth2", "flows": {
        "password": { "tokenUrl": "/token", "scopes": scopes },
        "clientCredentials": {
            "tokenUrl": "/token",
            "refreshUrl": "https://id.example.com/realms/x/token",
            "scopes": scopes,
        },
        "authorizationCode": {
            "authorizationUrl": "https://id.example.com/realms/x/authorize",
            "tokenUrl": "https://id.example.com/realms/x/token",
            "scopes": scopes,
        },
    } });
    let schemes = json!({ "Login": login, "Provider": {
        "type": "openIdConnect",
        "openIdConnectUrl": "https://id.example.com/realms/x/.well-known/openid-configuration",
    } });
    assert_eq!(document["components"]["securitySchemes"], schemes);

    let others = service.get("/others", None).json();
    for way in ["utoipa", "secure", "utoipa as JSON"] {
        assert_eq!(others[way]["components"]["securitySchemes"], schemes, "{way}");
    }
    assert_eq!(others["scheme"], login);
    assert_eq!(others["metadata"]["resource"], "https://api.example.com/v1");
    assert_eq!(
        others["metadata"]["authorization_servers"],
        json!(["https://other.example.com", "https://id.example.com/realms/x"])
    );
    assert_eq!(service.notices(), [""; 0]);
}

#[test]
fn a_service_without_an_environment_says_what_is_missing() {
    let service = Service::start(&[]);
    for line in [None, Some("Bearer a"), Some("Basic YTpi")] {
        for path in ["/items", "/restart"] {
            let refused = service.get(path, line);
            assert_eq!(refused.status, 500, "{path} {line:?}");
            assert!(refused.header("www-authenticate").is_empty());
        }
    }
    // Its challenges need nothing that is not set.
    assert_eq!(service.get("/profile", None).status, 401);

    let not_set =
        |what: &str| format!("{what} is not set; call `Setting::set` before the service starts");
    let unknown = |scheme: &str, what: &str| {
        format!("the security scheme `{scheme}` has a URL that is not known: {}", not_set(what))
    };
    let document = service.get("/openapi.json", None);
    assert_eq!(document.body, unknown("Provider", "the URL `DISCOVERY_URL`"));

    let others = service.get("/others", None).json();
    // The client credentials come first.
    let first = unknown("Login", "the URL `TOKEN_URL`");
    assert_eq!(others["secure"], first);
    assert_eq!(others["utoipa as JSON"], first);
    for part in ["scheme", "flows"] {
        assert_eq!(others[part], not_set("the URL `TOKEN_URL`"));
    }
    assert_eq!(others["metadata"], not_set("the resource `API_URL`"));
    // utoipa's modifier cannot fail. What it writes is valid, and true as far as it goes.
    let described = &others["utoipa"];
    assert_valid(described);
    assert_eq!(
        described["components"]["securitySchemes"],
        json!({
            "Login": { "type": "oauth2", "flows": {
                "password": { "tokenUrl": "/token", "scopes": { "items": "Read items." } },
            } },
            "Provider": { "type": "http", "scheme": "bearer" },
        })
    );
    let items = &described["paths"]["/items"]["get"];
    assert_eq!(items["security"], json!([{ "Login": ["items"] }]));

    let mut notices = service.notices();
    if cfg!(not(debug_assertions)) {
        assert_eq!(notices, [""; 0]);
        return;
    }
    notices.sort_unstable();
    assert_eq!(
        notices,
        [
            format!("`Admin` answers every request with a 500: {}", not_set("the realm `REALM`")),
            format!("`Login` answers every request with a 500: {}", not_set("the realm `REALM`")),
            format!(
                "the description of `Login` is not complete: {}",
                not_set("the URL `TOKEN_URL`")
            ),
            format!(
                "the description of `Provider` is not complete: {}",
                not_set("the URL `DISCOVERY_URL`")
            ),
        ]
    );
}

/// A value that is good for its setting need not be good where the setting is used.
#[test]
fn a_value_is_checked_where_it_is_used() {
    static NAME: Setting = Setting::url("NAME");

    #[oauth2_bearer(
        flows(password(token_url = "token")),
        realm = &NAME,
        resource = &NAME,
        authorization_servers(&NAME)
    )]
    struct Crossed;

    NAME.set("a \"quoted\" name").unwrap();
    let refused = Crossed::authenticate(&http::HeaderMap::new()).unwrap_err();
    assert_eq!(refused.status(), 500);
    assert_eq!(
        ResourceMetadata::of::<Crossed>().unwrap_err().to_string(),
        "the resource `NAME` must be an absolute URL; write one like `https://example.com`"
    );
    let flow = Flow::new().with_token_url(TextOrSetting::Setting(&NAME));
    let flows = json!(Flows::new().with_password(flow));
    assert_eq!(flows["password"]["tokenUrl"], "a \"quoted\" name");
}

#[test]
fn a_realm_may_be_a_constant() {
    const REALM: &str = "constant";

    #[http_basic(realm = REALM)]
    struct Constant;

    let refused = Constant::authenticate(&http::HeaderMap::new()).unwrap_err();
    assert_eq!(refused.challenge().as_deref(), Some(r#"Basic realm="constant""#));
}

/// A scheme that is written by hand has the same values as one with an attribute.
#[test]
fn a_configuration_may_be_written_by_hand() {
    struct ByHand;

    impl Scheme for ByHand {
        type Credential = BearerToken;
        const CONFIG: doorward::scheme::SchemeConfig = doorward::scheme::SchemeConfig::new::<
            BearerToken,
        >("Login")
        .with_flows(
            Flows::new()
                .with_authorization_code(
                    Flow::new()
                        .with_authorization_url(TextOrSetting::Setting(&AUTHORIZE))
                        .with_token_url(TextOrSetting::Setting(&TOKEN))
                        .with_scopes(SCOPES),
                )
                .with_client_credentials(
                    Flow::new()
                        .with_token_url(TextOrSetting::Text("/token"))
                        .with_refresh_url(TextOrSetting::Setting(&TOKEN))
                        .with_scopes(SCOPES),
                )
                .with_password(
                    Flow::new().with_token_url(TextOrSetting::Text("/token")).with_scopes(SCOPES),
                ),
        )
        .with_realm(TextOrSetting::Setting(&REALM))
        .with_resource(TextOrSetting::Setting(&API))
        .with_authorization_servers(
            const {
                &[TextOrSetting::Text("https://other.example.com"), TextOrSetting::Setting(&ISSUER)]
            },
        );
    }
    const SCOPES: &[doorward::scheme::Scope] =
        &[doorward::scheme::Scope::new("items", "Read items.")];

    assert_eq!(ByHand::CONFIG, Login::CONFIG);
    assert_ne!(ByHand::CONFIG, ByHand::CONFIG.with_realm(TextOrSetting::Setting(&API)));
}
