//! Public types that implement `Debug` or `Display` never show a secret that they contain or were
//! made from. The types are taken from the listing of the public interface.

use std::collections::BTreeSet;
use std::fmt::Debug;

use super::asking::{self, block_on};
use super::frameworks::salvo::body_of_answer;
use ::salvo::Writer;
use doorward::adapter::{Cursor, LocalContext, LocalResolve, Resolve, SendContext};
use doorward::axum08::Router;
use doorward::axum08::routing::{MethodRouter, get};
use doorward::form::{FormBody, RequestForm};
use doorward::layers::LateRefusal;
use doorward::metadata::AuthorizationServerMetadata;
use doorward::openapi::{Document, DocumentError};
use doorward::scheme::{Flow, Setting, TextOrSetting};
use doorward::testing::Overrides;
use doorward::token_endpoint::{
    AuthorizationCodeGrant, Client, ClientAuthentication, ClientCredentialsGrant, ClientForm,
    ExtraMember, RefreshTokenGrant, RevocationForm, TokenRequest, TokenResponse,
};
use doorward::{
    BearerError, BearerToken, Dependency, OAuth2PasswordRequestForm,
    OAuth2PasswordRequestFormStrict, PasswordForm, PasswordRequestForm, Rejection, Scheme, Secured,
    Security, dependency, layer, plan, rocket05, salvo1, secured, security_scopes,
};
use doorward::{jwt, verify};
use doorward_tests::rfc;
use doorward_tests::schemes::{Base, Password, PasswordStrict};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};

pub(crate) const SECRET: &str = "hunter2";

static RESOURCE: Setting = Setting::resource("RESOURCE");

#[derive(Debug, PasswordRequestForm)]
#[allow(dead_code, reason = "only its decoding counts")]
pub(crate) struct Numbered {
    username: String,
    password: String,
    otp: u32,
}

pub(crate) fn printed(value: &dyn Debug) -> String {
    format!("{value:?} {value:#?}")
}

pub(crate) fn headers(line: &str) -> HeaderMap {
    HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(line).unwrap())])
}

/// A dependency that prints the context of a request, and the context's refusal.
struct Printed;

impl Dependency for Printed {
    type Output = String;

    const NODE: &'static doorward::__rt::Node =
        &doorward::__rt::Function::new("Printed").fails().node(&[]);
}

impl<C: SendContext<Rejection: Debug> + Debug> Resolve<'_, C, String> for Printed {
    async fn resolve(cx: &mut C, at: Cursor) -> Result<String, C::Rejection> {
        let refusal = cx.refuse(Rejection::NOT_AUTHENTICATED);
        Ok(format!("{cx:?} {cx:#?} {refusal:?} {refusal:#?} {at:?}"))
    }
}

impl<C: LocalContext<Rejection: Debug> + Debug> LocalResolve<'_, C, String> for Printed {
    async fn resolve(cx: &mut C, _: Cursor) -> Result<String, C::Rejection> {
        Ok(format!("{cx:?} {cx:#?}"))
    }
}

#[secured]
#[rocket::get("/")]
async fn printed_by_rocket(#[security(Printed)] printed: String) -> String {
    printed
}

#[secured]
#[salvo::handler]
async fn printed_by_salvo(#[security(Printed)] printed: String) -> String {
    printed
}

fn of_rocket() -> String {
    let config = rocket::Config {
        log_level: rocket::config::LogLevel::Off,
        ..rocket::Config::debug_default()
    };
    let app = rocket::custom(config)
        .attach(rocket05::Doorward)
        .mount("/", rocket::routes![printed_by_rocket]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    let line = rocket::http::Header::new("authorization", format!("Bearer {SECRET}"));
    client.get("/").header(line).dispatch().into_string().unwrap()
}

struct RefusedByRocket(rocket05::Refused);

#[rocket::async_trait]
impl<'r> rocket::request::FromRequest<'r> for RefusedByRocket {
    type Error = ();

    async fn from_request(request: &'r rocket::Request<'_>) -> rocket::request::Outcome<Self, ()> {
        type Token = Secured<BearerToken, __secured_never_called_0>;
        let refused = Token::from_request(request).await;
        rocket::outcome::Outcome::Success(Self(refused.failed().unwrap().1))
    }
}

#[rocket::get("/")]
async fn kept_by_rocket(refused: RefusedByRocket) {
    KEPT_BY_ROCKET.set(refused.0).unwrap();
}

static KEPT_BY_ROCKET: std::sync::OnceLock<rocket05::Refused> = std::sync::OnceLock::new();

/// Returns the error of a secured parameter on rocket.
fn refused_by_rocket() -> rocket05::Refused {
    let config = rocket::Config {
        log_level: rocket::config::LogLevel::Off,
        ..rocket::Config::debug_default()
    };
    let app = rocket::custom(config).mount("/", rocket::routes![kept_by_rocket]);
    rocket::local::blocking::Client::untracked(app).unwrap().get("/").dispatch();
    *KEPT_BY_ROCKET.get().unwrap()
}

fn of_salvo() -> String {
    let service = salvo::Service::new(salvo::Router::new().get(printed_by_salvo));
    body_of_answer(service, "/", Some(&format!("Bearer {SECRET}")))
}

#[secured]
#[salvo::handler]
async fn never_called(#[security(Password)] _token: BearerToken) {}

/// Returns the error of a secured parameter on salvo.
fn refused_by_salvo() -> salvo1::Refusal {
    use salvo::Extractible as _;

    type Token = Secured<BearerToken, __secured_never_called_0>;
    let (mut request, mut depot) = (salvo::Request::default(), salvo::Depot::new());
    block_on(Token::extract(&mut request, &mut depot)).unwrap_err()
}

/// Returns the head of a request with a secret.
fn secret_head() -> http::request::Parts {
    asking::head(&[("authorization", &format!("Bearer {SECRET}"))])
}

/// An error that keeps what it is made from.
struct Kept(doorward::scheme::RefusedRequest);

impl From<doorward::scheme::RefusedRequest> for Kept {
    fn from(refusal: doorward::scheme::RefusedRequest) -> Self {
        Self(refusal)
    }
}

impl From<Kept> for http::Response<String> {
    fn from(Kept(refusal): Kept) -> Self {
        let mut response = Self::new(format!("{refusal:?}"));
        *response.status_mut() = refusal.status();
        response
    }
}

#[doorward::api_key(header = "x-absent", error = Kept)]
struct Keeping;

fn of_refusal() -> String {
    let refused = block_on(plan!(Keeping).resolve(&mut secret_head()));
    refused.unwrap_err().into_body()
}

fn of_head() -> (String, String) {
    let plan = plan!(Printed);
    (
        block_on(plan.resolve(&mut secret_head())).unwrap(),
        block_on(plan.resolve_local(&mut secret_head())).unwrap(),
    )
}

/// Sets up a verifier with the secret, which is too short unless it is repeated.
fn secret_verifier(times: usize) -> jwt::TokenVerifierBuilder<()> {
    jwt::TokenVerifier::secret("https://id.example.com", SECRET.repeat(times)).audience("a")
}

fn verifier_settings() -> jwt::VerifierSettings {
    let settings = serde_json::json!({ "issuer": "https://id.example.com", "secret": SECRET });
    serde_json::from_value(settings).unwrap()
}

fn client_login() -> verify::ClientLogin {
    verify::ClientLogin::basic("items-api", SECRET)
}

fn introspection() -> verify::IntrospectionBuilder<()> {
    verify::Introspection::at("https://id.example.com/introspect", client_login()).audience("a")
}

fn introspection_settings() -> verify::IntrospectionSettings {
    let login = format!(r#"{{ "bearer": "{SECRET}" }}"#);
    let settings = format!(r#"{{ "url": "https://id.example.com", "login": {login} }}"#);
    serde_json::from_str(&settings).unwrap()
}

fn signing_key() -> jwt::SigningKey {
    jwt::SigningKey::secret(SECRET.repeat(5))
}

fn own_authority() -> jwt::TokenAuthorityBuilder {
    let service = "https://id.example.com";
    jwt::TokenAuthority::builder(service, signing_key())
}

#[dependency]
fn refused(#[security(Password)] _token: BearerToken) -> Result<(), Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

fn late_refusal() -> LateRefusal {
    block_on(plan!(refused).resolve_late(&mut secret_head())).unwrap_err()
}

/// Returns every public type that can be printed, with the output of a value that contains a secret
/// or was made from one.
fn printed_types() -> Vec<(&'static str, String)> {
    let authority = doorward::testing::TestAuthority::new("https://api.example.com").unwrap();
    let headers = headers(&format!("Bearer {SECRET}"));
    let token = || Password::authenticate(&headers).unwrap();
    let value = || Base::authenticate(&headers).unwrap();
    let refused =
        PasswordStrict::authenticate(&self::headers(&format!("Bearer {SECRET} é"))).unwrap_err();
    let body =
        format!("grant_type=password&username=u&password={SECRET}&client_secret={SECRET}&scope=a");
    let body = body.as_bytes();
    let form_headers = asking::form_headers();
    let client = || Client::find(&self::headers("Basic d2ViOmh1bnRlcjI="), None, None);
    let client = || client().unwrap().unwrap();
    let with_client = |fields: &str| format!("client_id=web&client_secret={SECRET}&{fields}");
    let code = || {
        // A code verifier has at least 43 characters.
        let verifier = SECRET.repeat(7);
        let fields =
            format!("code={SECRET}&code_verifier={verifier}&grant_type=authorization_code");
        AuthorizationCodeGrant::decode(with_client(&fields).as_bytes()).unwrap()
    };
    let refresh = || {
        let body = with_client(&format!("grant_type=refresh_token&refresh_token={SECRET}"));
        let form =
            TokenRequest::<RefreshTokenGrant>::decode_request(&form_headers, body.as_bytes());
        form.unwrap()
    };
    let revocation = || {
        let body = with_client(&format!("token={SECRET}"));
        let form = ClientForm::<RevocationForm>::decode_request(&form_headers, body.as_bytes());
        form.unwrap()
    };
    let faulty =
        || Numbered::decode(format!("otp={SECRET}&username={SECRET}%ff").as_bytes()).unwrap_err();
    let missing = security_scopes!["items"].check(&[SECRET]).unwrap_err();
    let operation = || plan!(doorward_tests::chains::any_token, scopes("me")).operation();
    let document =
        || Document::new(serde_json::json!({ "paths": { "/": { "get": {} } } })).unwrap();
    let (head, local_head) = of_head();
    macro_rules! debug {
        ($($name:literal: $value:expr;)*) => {
            vec![$(($name, printed(&$value))),*]
        };
    }
    macro_rules! display {
        ($($name:literal: $value:expr;)*) => {
            vec![$(($name, { let value = $value; format!("{} {value}", printed(&value)) })),*]
        };
    }
    let debugged = debug! {
        "openapi::Document": document();
        "openapi::FormSchema": OAuth2PasswordRequestForm::schema();
        "openapi::Json": document().into_json();
        "openapi::Operation": operation();
        "openapi::OperationMut": document().operation_at(&http::Method::GET, "/").unwrap();
        "openapi::SecurityAddon": doorward::openapi::SecurityAddon;
        "axum08::Router": axum_router();
        "axum08::routing::Extended": block_on(tower::Service::call(&mut doorward::axum08::Router::new().extension(token()).into_make_service(), ())).unwrap();
        "axum08::routing::MethodRouter": axum_route();
        "utoipa_axum02::OpenApiRouter": doorward::utoipa_axum02::OpenApiRouter::from(axum_router());
        "utoipa_axum03::OpenApiRouter": doorward::utoipa_axum03::OpenApiRouter::from(axum_router());
        "routes::Public": doorward::public("its reason", token());
        "routes::Requirement": axum_router().routes().iter().next().unwrap().requirement();
        "routes::Route": axum_router().routes().iter().next().unwrap();
        "routes::Routes": axum_router().routes();
        "rocket05::Doorward": rocket05::Doorward;
        "salvo1::Attempt": salvo1::Attempt::<_, Rejection>(Ok(Security::<Password>(token())));
        "form::FaultKind": faulty().faults()[0].kind;
        "scheme::RejectionReason": refused.reason();
        "scheme::RefusedRequest": of_refusal();
        "ApiKey": doorward::ApiKey::from(SECRET);
        "scheme::ApiKeyLocation": doorward::scheme::ApiKeyLocation::Header("x-api-key");
        "AuthorizationValue": value();
        "BasicCredentials": doorward::BasicCredentials::new("john", SECRET);
        "HttpCredentials": {
            let line = format!("Digest {SECRET}");
            let found = doorward_tests::credentials::Digest::authenticate(&self::headers(&line));
            found.unwrap()
        };
        "scheme::SchemeKind": Password::CONFIG.kind();
        "metadata::AuthorizationServerMetadata": AuthorizationServerMetadata::of::<rfc::Api>("https://id.example.com").unwrap();
        "token_endpoint::AuthorizationCodeGrant": code();
        "BearerToken": token();
        "token_endpoint::ClientAuthentication": ClientAuthentication(Some(client()));
        "token_endpoint::Client": client();
        "token_endpoint::ClientCredentialsGrant": {
            let body = with_client("grant_type=client_credentials");
            ClientCredentialsGrant::decode(body.as_bytes()).unwrap()
        };
        "token_endpoint::ClientForm": revocation();
        "token_endpoint::CodeVerifier": code().code_verifier.unwrap();
        "token_endpoint::ExtraMember": ExtraMember::from(SECRET);
        "head::FromExtensions": doorward::head::FromExtensions(token());
        "scheme::Flow": Flow::new();
        "scheme::Flows": Password::CONFIG.flows();
        "form::FormBody": FormBody::<1024>::new(&form_headers, body.to_vec().into()).unwrap();
        "form::FormConfig": OAuth2PasswordRequestForm::CONFIG;
        "scheme::HeaderLine": doorward::scheme::HeaderLine::from(SECRET.as_bytes());
        "jwt::Algorithm": jwt::Algorithm::EdDsa;
        "verify::ClientCertificate": verify::ClientCertificate::from_der(SECRET);
        "verify::Presented": verify::Presented::of(token(), secret_head());
        "verify::CertificateBound": verify::CertificateBound::new(block_on(secret_verifier(5).build()).unwrap()).header(HeaderName::from_static("client-cert"));
        "verify::KeyBound": verify::KeyBound::new(block_on(secret_verifier(5).build()).unwrap(), "https://a").unwrap();
        "verify::Fetched": verify::Fetched::new("https://id.example.com", SECRET);
        "jwt::Issuers": jwt::Issuers::new([block_on(secret_verifier(5).build()).unwrap()]);
        "jwt::Remembered": block_on(secret_verifier(5).build()).unwrap().remembered();
        "jwt::SigningKey": signing_key();
        "testing::TestAuthority": authority.clone();
        "testing::TestKey": doorward::testing::TestKey::new().unwrap();
        "testing::TestToken": authority.token("johndoe");
        "jwt::TokenAuthority": own_authority().build().unwrap();
        "jwt::TokenAuthorityBuilder": own_authority();
        "jwt::TokenVerifier": block_on(secret_verifier(5).build()).unwrap();
        "jwt::TokenVerifierBuilder": secret_verifier(1);
        "jwt::UnsignedToken": own_authority().build().unwrap().token("johndoe").claim("secret", SECRET);
        "jwt::VerifierSettings": verifier_settings();
        "verify::ClientLogin": client_login();
        "verify::Introspection": introspection().build().unwrap();
        "verify::IntrospectionBuilder": introspection();
        "verify::IntrospectionSettings": introspection_settings();
        "verify::TestIssuer": verify::TestIssuer::new("https://api.example.com");
        "verify::Verified": verify::Verified::new((), ["me".to_owned()]);
        "OAuth2PasswordRequestForm": OAuth2PasswordRequestForm::decode(body).unwrap();
        "OAuth2PasswordRequestFormStrict": OAuth2PasswordRequestFormStrict::decode(body).unwrap();
        "testing::Callers": axum_router().routes().asked_by("reader", token());
        "testing::Overrides": Overrides::new().with::<Printed>(|| SECRET.to_owned());
        "testing::RefuseUndecided": doorward::testing::RefuseUndecided::new();
        "PasswordForm": PasswordForm(OAuth2PasswordRequestForm::decode(body).unwrap());
        "Plan": plan!(Password);
        "live::Live": plan!(Password).live(&head_with_token());
        "live::Around": plan!(Password).live(&head_with_token()).around(futures_util::stream::pending::<()>());
        "token_endpoint::RefreshTokenGrant": refresh().grant;
        "token_endpoint::RevocationForm": revocation().form;
        "scheme::TextOrSetting": TextOrSetting::Setting(&RESOURCE);
        "metadata::ResourceMetadata": rfc::metadata().unwrap();
        "scheme::SchemeConfig": Password::CONFIG;
        "scheme::Setting": {
            let setting = Setting::url("TOKEN_URL");
            setting.set(format!("https://user:{SECRET}@id.example.com")).unwrap();
            setting
        };
        "scheme::Scope": Password::CONFIG.flows().password().unwrap().scopes()[0];
        "rocket05::Refused": refused_by_rocket();
        "salvo1::Refusal": refused_by_salvo();
        "form::RequestedScopes": doorward::form::RequestedScopes::default();
        "Secured": Secured::<_, ()>::from(token());
        "Security": Security::<Base>(value());
        "SecurityLayer": layer!(Printed);
        "SecurityScopes": missing.required();
        "layers::LateRefusals": doorward::layers::LateRefusals::new();
        "layers::SecurityService": tower::Layer::layer(&layer!(Printed), ());
        "Shared": doorward::Shared::new(token());
        "token_endpoint::TokenRequest": refresh();
        "token_endpoint::TokenResponse": TokenResponse::bearer(SECRET).with_refresh_token(SECRET).with_extra("id_token", SECRET);
    };
    let displayed = display! {
        "openapi::DocumentError": DocumentError::NoOperation(String::new());
        "BearerError": missing.required().invalid_token();
        "form::Fault": faulty().faults()[0];
        "form::FormError": faulty();
        "scheme::InvalidParameter": BearerError::invalid_token().with_realm(format!("\"{SECRET}")).unwrap_err();
        "form::InvalidText": doorward::form::InvalidText::new();
        "scheme::InvalidToken": BearerToken::try_from(format!("{SECRET} é").as_str()).unwrap_err();
        "layers::LateRefusal": late_refusal();
        "routes::May": doorward::routes::May::Depends;
        "testing::AccessMatrix": access_matrix();
        "testing::MatrixError": access_matrix().diff("reader", "writer").unwrap_err();
        "jwt::BuildError": block_on(secret_verifier(1).build()).unwrap_err();
        "verify::FetchError": verify::FetchError::new("no answer");
        "verify::VerifyError": verify::VerifyError::invalid_token(missing.required());
        "verify::MissingScopes": missing;
        "Rejection": refused;
        "scheme::SettingError": Setting::resource("").set(format!("//{SECRET}@")).unwrap_err();
        "token_endpoint::TokenError": client().invalid_client();
    };
    let contexts = vec![("head::Head", head), ("head::LocalHead", local_head)];
    [debugged, displayed, contexts].concat()
}

#[test]
fn no_public_type_shows_a_secret() {
    let listing = include_str!("../../package/interface/doorward.txt");
    let implements = |name: &str| {
        let name = format!("core::fmt::{name}");
        let of_line = |text: &str| {
            let (traits, ty) = text.split_once(" for doorward::")?;
            let ty = ty.split('<').next().unwrap_or(ty);
            let has_it = traits.split(' ').any(|word| word == name);
            // The tests of the example `mcp` and of `peers/grpc` print those, because they have rmcp
            // and tonic.
            let is_elsewhere = ty.starts_with("rmcp3::") || ty.starts_with("tonic014::");
            (text.starts_with("impl") && has_it && !is_elsewhere).then(|| ty.to_owned())
        };
        let types: BTreeSet<_> = listing.lines().filter_map(of_line).collect();
        types
    };
    let printed = printed_types();
    let names: BTreeSet<_> = printed.iter().map(|(name, _)| (*name).to_owned()).collect();
    let expected = implements("Debug");
    assert_eq!(names, expected);
    assert!(names.is_superset(&implements("Display")));
    assert!(names.len() > 40);
    let contexts = [("rocket's context", of_rocket()), ("salvo's context", of_salvo())];
    for (name, text) in printed.into_iter().chain(contexts) {
        assert!(!text.trim().is_empty() && !text.contains(SECRET), "{name}: {text}");
    }
}

fn axum_route() -> MethodRouter {
    get(doorward::public("everyone reads it", async || "ok"))
}

fn access_matrix() -> doorward::testing::AccessMatrix {
    let app = axum_router();
    let routes = app.routes();
    let callers = routes.asked_by("reader", BearerToken::try_from(SECRET).unwrap());
    let ask = |ask| tower::ServiceExt::oneshot(app.clone(), doorward::axum08::asked(ask));
    block_on(callers.table(ask)).unwrap()
}

fn axum_router() -> Router {
    Router::new().route("/", axum_route())
}

/// Returns the paths of the crate in a line of the listing.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let is_of_a_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = line.split(move |c: char| !is_of_a_path(c));
    let words = words.map(|word| word.trim_end_matches(':'));
    words.filter(|word| word.starts_with("doorward::"))
}

/// Returns the items that the listing declares, and its modules.
fn declared(listing: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let lines = listing
        .lines()
        .map(|line| line.trim_start_matches("#[non_exhaustive] "))
        .filter_map(|line| line.strip_prefix("pub "));
    let is_module = |line: &&str| line.starts_with("mod ");
    let (modules, items) = lines.partition::<Vec<_>, _>(is_module);
    let path = |line| paths(line).next();
    (items.into_iter().filter_map(path).collect(), modules.into_iter().filter_map(path).collect())
}

/// The head of a request with a token.
fn head_with_token() -> http::request::Parts {
    let request = http::Request::get("/").header("authorization", format!("Bearer {SECRET}"));
    request.body(()).unwrap().into_parts().0
}

/// Adapters are outside of Semantic Versioning, so the listing has only their private paths. Each
/// of these is a name of `doorward::adapter`, or of its framework's module.
const OF_ADAPTERS: [&str; 13] = [
    "doorward::adapters::rocket05::context::RocketRequest",
    "doorward::adapters::salvo1::context::Salvo",
    "doorward::dependency::LocalResolve",
    "doorward::dependency::Resolve",
    "doorward::dependency::cache::Cache",
    "doorward::dependency::cache::LocalCache",
    "doorward::dependency::context::Context",
    "doorward::dependency::context::Extract",
    "doorward::dependency::context::LocalContext",
    "doorward::dependency::context::LocalExtract",
    "doorward::dependency::context::Reject",
    "doorward::dependency::context::SendContext",
    "doorward::dependency::handler::SecuredParameter",
];

#[test]
fn a_signature_names_what_its_reader_can_name() {
    let listing = include_str!("../../package/interface/doorward.txt");
    let (declared, modules) = declared(listing);
    // A path may lead to a member of a type, such as a field of a variant.
    let is_declared = |path: &&str| {
        let mut ends = path.match_indices("::").skip(1).map(|(end, _)| end);
        declared.contains(path)
            || modules.contains(path)
            || ends.any(|end| declared.contains(&path[..end]))
    };
    let unknown: BTreeSet<_> = listing
        .lines()
        .flat_map(paths)
        .filter(|path| !is_declared(path) && !OF_ADAPTERS.contains(path))
        .collect();
    // What seals a trait has no name, and neither have the bounds of doors and documents, which a
    // reader meets in the compiler's errors alone.
    let nameless = BTreeSet::from([
        "doorward::adapters::axum08::at_door::Arguments",
        "doorward::adapters::axum08::bounds::RouteLayer",
        "doorward::adapters::axum08::bounds::RouteService",
        "doorward::adapters::axum08::served::Answer",
        "doorward::adapters::axum08::router::DeclaredRouter",
        "doorward::adapters::http::declared_service::DeclaredService",
        "doorward::adapters::rmcp3::entry::EntryRouter",
        "doorward::adapters::http::send_refusal::SendRefusal",
        "doorward::bound::Bindable",
        "doorward::credential::sealed::Sealed",
        "doorward::openapi::utoipa::UtoipaDocument",
        "doorward::refuse_if::sealed::IsRefused",
        "doorward::routes::entry::Entry",
    ]);
    assert_eq!(unknown, nameless);
}

#[test]
fn the_root_has_at_most_forty_two_names() {
    let listing = include_str!("../../package/interface/doorward.txt");
    let (declared, modules) = declared(listing);
    let names =
        declared.iter().filter(|path| path.matches("::").count() == 1 && !modules.contains(*path));
    let names = Vec::from_iter(names);
    assert!(names.contains(&&"doorward::BearerToken"));
    assert!(names.len() <= 42, "{}: {names:#?}", names.len());
}
