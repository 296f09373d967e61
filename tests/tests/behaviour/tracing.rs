//! The events that a decision records. They contain no secrets.

mod decisions;
mod opaque_tokens;
mod refused_tokens;

use std::io;
use std::pin::Pin;
use std::sync::{Arc, LazyLock, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use super::asking::{block_on, form_headers, head};
use super::frameworks::salvo::body_of_answer;
use bytes::Bytes;
use doorward::form::{FormBody, RequestForm, read_form};
use doorward::head::FromExtensions;
use doorward::jwt::{Algorithm, Issuers, SigningKey, TokenAuthority, TokenVerifier};
use doorward::openapi::SecurityAddon;
use doorward::scheme::Setting;
use doorward::testing::TestAuthority;
use doorward::token_endpoint::{Client, TokenRequest, read_client};
use doorward::verify::{FetchError, Fetched};
use doorward::{
    BearerToken, OAuth2PasswordRequestForm, Rejection, Scheme, SecurityScopes, Shared, dependency,
    layer, oauth2_password_bearer, plan, secured,
};
use doorward_tests::grants::Grant;
use doorward_tests::schemes::Password;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body::Frame;
use http_body_util::Full;
use salvo::Writer as _;
use tracing::{Dispatch, subscriber::NoSubscriber};
use tracing_subscriber::fmt::MakeWriter;
use utoipa::OpenApi;

/// A writer that collects the lines of a log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// A second subscriber, which lives as long as the process.
///
/// Another test may be the first to reach an event. With one subscriber alone, `tracing` then asks
/// the thread of that test whether anybody listens, and keeps the answer for all threads.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

/// Runs `work` and returns its log.
pub(super) fn log_of(work: impl FnOnce()) -> String {
    LazyLock::force(&SECOND);
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
        .without_time()
        .finish();
    tracing::subscriber::with_default(subscriber, work);
    String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
}

/// Runs `work` to its end and returns its log.
fn log_of_async(work: impl Future<Output = ()>) -> String {
    log_of(|| block_on(work))
}

fn headers(authorization: &'static str) -> HeaderMap {
    let mut headers = form_headers();
    headers.insert(AUTHORIZATION, HeaderValue::from_static(authorization));
    headers
}

#[test]
fn each_decision_is_recorded_with_its_kind() {
    let log = log_of(|| {
        let _ = Password::authenticate(&headers("Bearer t0ps3cret"));
        let _ = Password::authenticate(&HeaderMap::new());
        let _ = OAuth2PasswordRequestForm::decode(b"username=t0ps3cret&password=t0ps3cret");
        let _ = OAuth2PasswordRequestForm::decode(b"username=t0ps3cret&username=t0ps3cret");
        let _ = OAuth2PasswordRequestForm::decode_request(&HeaderMap::new(), b"");
        let _ = Client::find(&headers("Basic dDBwczNjcmV0OnQwcHMzY3JldA=="), None, None);
        let _ = Client::find(&headers("Basic t0ps3cret"), None, None);
        let _ = Client::find(&HeaderMap::new(), Some("t0ps3cret\n"), None);
        let _ = Client::find(&HeaderMap::new(), None, None);
    });
    assert_recorded(
        &log,
        &[
            "a credential was found scheme=\"Password\"",
            "no credential was found scheme=\"Password\" reason=\"missing\"",
            "a form was read",
            "a form was refused error=`username` is sent more than once; `password` is missing",
            "a form was refused error=the body must be application/x-www-form-urlencoded",
            "a client's credentials were found",
            "a client's credentials were refused error=invalid_request: the Authorization header is malformed",
            "a client's credentials were refused error=invalid_request: a client's credentials are visible ASCII and spaces",
            "the client has sent no credentials, and the handler decides",
        ],
    );
}

#[test]
fn a_token_request_is_recorded_as_it_is_answered() {
    let decode = |authorization, body: &str| {
        let mut answer = None;
        let log = log_of(|| {
            let headers = headers(authorization);
            answer = Some(TokenRequest::<Grant>::decode_request(&headers, body.as_bytes()));
        });
        assert!(!log.contains("t0p") && !log.contains("dDBwczN"), "{log}");
        (answer.unwrap(), log)
    };
    let form = "grant_type=refresh_token&refresh_token=t0ps3cret";
    let basic = "Basic dDBwczNjcmV0OnQwcHMzY3JldA==";
    let read = "a form was read";
    let malformed = "a client's credentials were refused error=invalid_request: the Authorization header is malformed";
    for (authorization, is_taken, found) in [
        (basic, true, "a client's credentials were found"),
        ("-", true, "the client has sent no credentials, and the handler decides"),
        ("Basic t0ps3cret", false, malformed),
    ] {
        let (answer, log) = decode(authorization, form);
        assert_eq!(answer.is_ok(), is_taken);
        let lines: Vec<_> = log.lines().collect();
        assert!(
            matches!(*lines, [first, second] if first.contains(read) && second.contains(found)),
            "{log}"
        );
    }
    for body in [
        "",
        "refresh_token=t0ps3cret&client_id=%ff",
        "grant_type=t0ps3cret&refresh_token=t0ps3cret",
        "grant_type=refresh_token&refresh_token=t0ps3cret&scope=%ff",
        "grant_type=refresh_token&grant_type=password&scope=%ff",
        "grant_type=t0ps3cret%ff&scope=%ff",
        &"t0ps3cret".repeat(10_000),
    ] {
        let (answer, log) = decode(basic, body);
        let answer = answer.unwrap_err().to_string();
        let (_, description) = answer.split_once(": ").unwrap();
        let refused = format!("a form was refused error={description}\n");
        assert!(log.ends_with(&refused) && log.lines().count() == 1, "{answer}\n{log}");
    }
}

/// Refuses the request after it has received the token, so a log could show the token.
#[dependency]
async fn refused(#[security(Password)] token: BearerToken) -> Result<String, Rejection> {
    drop(token);
    Err(Rejection::NOT_AUTHENTICATED)
}

/// An error whose response has a success status.
struct Granted;

impl From<Granted> for Response<String> {
    fn from(_: Granted) -> Self {
        Self::new("t0ps3cret".to_owned())
    }
}

#[dependency]
fn granted() -> Result<String, Granted> {
    Err(Granted)
}

/// A dependency whose extractor fails, because the extension is missing.
#[dependency]
fn unstated(state: FromExtensions<String>) -> Result<String, Rejection> {
    Ok(state.0)
}

/// Refuses with an argument.
#[dependency]
async fn limited(
    #[argument] limit: usize,
    #[security(Password)] token: BearerToken,
) -> Result<String, Rejection> {
    if token.as_str().len() < limit { Ok(String::new()) } else { Err(Rejection::NOT_AUTHENTICATED) }
}

/// The extractor of a dependency with an argument fails.
#[dependency]
fn unstated_at(
    #[argument] _name: &str,
    state: FromExtensions<String>,
) -> Result<String, Rejection> {
    Ok(state.0)
}

#[test]
fn the_arguments_of_a_refusal_are_recorded() {
    let log = log_of_async(async {
        let mut head = head(&[("authorization", "Bearer t0ps3cret")]);
        let _ = plan!(limited(2 + 1)).resolve(&mut head).await;
        let _ = plan!(limited(99)).resolve(&mut head).await;
        let _ = plan!(unstated_at("here")).resolve(&mut head).await;
    });
    assert_recorded(
        &log,
        &[
            "reason=\"dependency\" dependency=limited(3) status=401",
            "reason=\"dependency\" dependency=unstated_at(\"here\") parameter=\"state\" status=500",
        ],
    );
}

#[test]
fn a_refusal_by_a_dependency_is_recorded() {
    let log = log_of_async(async {
        let mut head = head(&[("authorization", "Bearer t0ps3cret")]);
        let _ = plan!(refused).resolve(&mut head).await;
        let _ = plan!(granted).resolve(&mut head).await;
        let _ = plan!(unstated).resolve(&mut head).await;
    });
    assert_recorded(
        &log,
        &[
            "DEBUG doorward::decision: outcome=\"refused\" place=\"plan\" handler=\"refused\" reason=\"dependency\" dependency=refused status=401",
            "outcome=\"failed\" place=\"plan\" handler=\"granted\" reason=\"dependency\" dependency=granted status=500",
            "outcome=\"failed\" place=\"plan\" handler=\"unstated\" reason=\"dependency\" dependency=unstated parameter=\"state\" status=500",
            "ERROR doorward::trace: a dependency refused the request with a status of success; the answer is a 500 status=200",
        ],
    );
}

/// The body of a client that disconnects before it sends any data.
struct CutShort;

impl http_body::Body for CutShort {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Poll::Ready(Some(Err(io::Error::other("t0ps3cret"))))
    }
}

#[test]
fn a_body_that_is_not_read_is_recorded() {
    let log = log_of_async(async {
        let large = "t0ps3cret".repeat(10_000);
        let _ =
            read_form::<OAuth2PasswordRequestForm, _>(&headers("-"), Full::<Bytes>::from(large))
                .await;
        let _ = read_form::<OAuth2PasswordRequestForm, _>(&headers("-"), CutShort).await;
        let _ = read_client(&headers("-"), CutShort).await;
        let form = FormBody::<4>::new(&headers("-"), Bytes::from_static(b"t0ps3cret"));
        assert!(form.is_err());
    });
    assert_recorded(
        &log,
        &[
            "a form was refused error=the body is too large",
            "a form was refused error=the body is incomplete",
            "a form was refused error=the body is too large",
        ],
    );
}

/// An extractor that tries to read the body and hides the failure.
#[derive(Debug)]
struct Peek;

impl<'r> poem::FromRequest<'r> for Peek {
    async fn from_request(
        request: &'r poem::Request,
        body: &mut poem::RequestBody,
    ) -> poem::Result<Self> {
        let _ = String::from_request(request, body).await;
        Ok(Self)
    }
}

#[dependency]
fn peeked(_peek: Peek) -> Result<(), Rejection> {
    Ok(())
}

#[secured(peeked)]
#[poem::handler]
async fn guarded_by_the_body() {}

#[secured(refused)]
#[salvo::handler]
async fn secured_hoop() {}

#[salvo::handler]
async fn next_hoop(response: &mut salvo::Response) {
    response.render("reached");
}

/// salvo continues after the refusal. The documentation says so, and the log records it.
#[test]
fn a_secured_hoop_at_which_salvo_goes_on_is_an_error() {
    let log = log_of(|| {
        let service = salvo::Service::new(salvo::Router::new()).hoop(secured_hoop).hoop(next_hoop);
        let body = body_of_answer(service, "/none", None);
        assert!(body.contains("reached"), "{body}");
    });
    assert_recorded(
        &log,
        &["ERROR doorward::trace: a secured handler refused the request as a hoop"],
    );
}

static RESOURCE: Setting = Setting::resource("API_URL");

#[oauth2_password_bearer(token_url = "token", resource = &RESOURCE)]
struct NotReady;

/// Accepts every token.
#[dependency]
fn accepted(#[security(Password)] _token: BearerToken) -> Result<(), Rejection> {
    Ok(())
}

/// Refuses a request that no layer has seen, and one that a service has answered.
async fn refused_late() {
    let (mut head, ()) = Request::new(()).into_parts();
    let _ = plan!(refused).resolve_late(&mut head).await;
    let service = tower::service_fn(async |request: Request<()>| {
        let (head, ()) = request.into_parts();
        Ok::<_, std::convert::Infallible>(Response::new(Kept(Some(head))))
    });
    let layer = layer!(accepted).with_late_refusals();
    let request = Request::get("/").header(AUTHORIZATION, "Bearer t0ps3cret");
    let service = tower::Layer::layer(&layer, service);
    let response = tower::ServiceExt::oneshot(service, request.body(()).unwrap());
    let mut head = response.await.unwrap().into_body().0.unwrap();
    let _ = plan!(refused).resolve_late(&mut head).await;
}

/// The body of an answer, which is the head of the request.
struct Kept(Option<http::request::Parts>);

impl From<String> for Kept {
    fn from(_: String) -> Self {
        Self(None)
    }
}

#[test]
fn faults_of_the_service_are_errors() {
    let log = log_of(|| {
        let _ = NotReady::authenticate(&headers("Bearer t0ps3cret"));
        block_on(async {
            let client = poem::test::TestClient::new(guarded_by_the_body);
            let _ = client.post("/").body("t0ps3cret").send().await;
        });
        block_on(refused_late());
    });
    assert_recorded(
        &log,
        &[
            "ERROR doorward::trace: a setting of a scheme cannot be used, so every request is answered with a 500 scheme=\"NotReady\" reason=the resource `API_URL` is not set; call `Setting::set` before the service starts",
            "ERROR doorward::trace: a dependency tried to read the body, which is for the handler; the answer is a 500 extractor=\"behaviour::tracing::Peek\"",
            "ERROR doorward::trace: a late refusal is not the answer to the request reason=\"no layer above takes it; call `layer!(…).with_late_refusals()`\"",
            "ERROR doorward::trace: a late refusal is not the answer to the request reason=\"the answer has begun\"",
        ],
    );
}

static TOKEN_URL: Setting = Setting::url("TOKEN_URL");

#[oauth2_password_bearer(token_url = &TOKEN_URL)]
struct NotDescribed;

#[secured]
#[utoipa::path(get, path = "/a", responses((status = 200, description = "OK")))]
async fn first(#[security(NotDescribed)] _token: BearerToken) {}

#[secured]
#[utoipa::path(get, path = "/b", responses((status = 200, description = "OK")))]
async fn second(#[security(NotDescribed)] _token: BearerToken) {}

#[derive(OpenApi)]
#[openapi(paths(first, second), modifiers(&SecurityAddon))]
struct ApiDoc;

#[test]
fn a_description_that_is_not_complete_is_one_error() {
    let log = log_of(|| drop(ApiDoc::openapi()));
    let event = "ERROR doorward::trace: the description of a scheme is not complete scheme=\"NotDescribed\" reason=\"the \
                 URL `TOKEN_URL` is not set; call `Setting::set` before the service starts\"";
    assert_eq!(log.matches(event).count(), 1, "{log}");
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn a_rejection_that_is_not_sent_as_written_is_an_error() {
    let log = log_of(|| {
        for rejection in [
            Rejection::new(StatusCode::OK).with_detail("t0ps3cret"),
            Rejection::new(StatusCode::UNAUTHORIZED)
                .with_detail("t0ps3cret")
                .with_challenge("t0ps3cret \u{e9}"),
            Rejection::new(StatusCode::BAD_REQUEST)
                .with_detail("t0ps3cret")
                .with_headers(&[("t0ps3cret:", "t0ps3cret")]),
            Rejection::new(StatusCode::BAD_REQUEST)
                .with_detail("t0ps3cret")
                .with_headers(&[("Connection", "t0ps3cret")]),
        ] {
            let _ = Response::<String>::from(rejection);
        }
    });
    assert_recorded(
        &log,
        &[
            "ERROR doorward::trace: in a `Rejection`: a rejection must have a status of 300 or above, other than 304; the answer is a 500 status=500",
            "ERROR doorward::trace: in a `Rejection`: a header value must consist of visible ASCII and spaces; the header is left out status=401",
            "in a `Rejection`: a header name must consist of letters, digits and `-`, and not be empty; the header is left out status=400",
            "in a `Rejection`: the body and the connection have their own headers; write `.with_body(content_type, body)`; the header is left out status=400",
        ],
    );
    assert_eq!(log.lines().count(), 4, "{log}");
}

/// Each framework has a place of its own.
#[test]
fn a_missing_shared_value_is_an_error_that_says_where_to_install_it() {
    use super::shared::{self, Tokens};

    type Answer = fn(&str, Option<Shared<Tokens>>) -> (u16, String);
    let extensions = "insert it into the request's extensions, outside of `layer!(…)`; on warp, call `security_with(plan, shared)`";
    let frameworks: [(Answer, &str); 7] = [
        (
            shared::of_axum,
            "call `.extension(shared)` on the router, or `.layer(axum::Extension(shared))` on one of axum's own, after its routes",
        ),
        (
            shared::of_actix_web,
            "call `.app_data(shared)` on the `App`, without a `web::Data` around it",
        ),
        (shared::of_poem, "call `.data(shared)` on the route or on what is around it"),
        (shared::of_rocket, "call `.manage(shared)` on the `Rocket`"),
        (
            shared::of_salvo,
            "call `.hoop(affix_state::inject(shared))` on the router, before the hoops that need it",
        ),
        (shared::of_warp, extensions),
        (shared::of_head, extensions),
    ];
    for (answer, how) in frameworks {
        let log = log_of(|| assert_eq!(answer(shared::TAKEN, None).0, 500));
        let event = format!(
            "ERROR doorward::trace: `Shared<behaviour::shared::Tokens>` is not installed, so the answer is a 500; {how}"
        );
        let refused = "reason=\"dependency\" dependency=user parameter=\"tokens\" status=500";
        assert_recorded(&log, &[&event, refused]);
    }
}

#[test]
fn keys_that_cannot_be_fetched_or_are_withdrawn_are_errors() {
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let answers = Mutex::new(vec![
        Ok(r#"{"keys":[]}"#.to_owned()),
        Err("connection refused"),
        Ok(authority.jwks().to_owned()),
        Err("connection refused"),
    ]);
    let fetch = move |url: String| {
        let answer = answers.lock().unwrap().pop().unwrap();
        async move { answer.map(|jwks| Fetched::new(url, jwks)).map_err(FetchError::new) }
    };
    let log = log_of_async(async {
        let url = "https://authority.test/keys";
        let tokens = TokenVerifier::<serde_json::Value>::jwks_url(authority.issuer(), url, fetch)
            .audience("https://api.example.com")
            .stale_if_error(Duration::from_secs(60))
            .cool_down(Duration::ZERO);
        let tokens = tokens.build().await.unwrap();
        for (is_named, is_good) in [(true, false), (true, true), (false, false), (false, false)] {
            let token = authority.token("johndoe");
            let token = if is_named { token } else { token.header("kid", "other") };
            let token = token.sign().unwrap();
            let verified = tokens.verify(&token, SecurityScopes::NONE).await;
            assert_eq!(verified.is_ok(), is_good);
        }
    });
    assert_recorded(
        &log,
        &[
            "ERROR doorward::trace: the keys of an issuer could not be fetched error=\"https://authority.test/keys: connection refused\" old_keys_for_seconds=0",
            "ERROR doorward::trace: an issuer publishes no key for signatures, so its tokens are refused url=\"https://authority.test/keys\"",
        ],
    );
    // A quarter of an hour, and a minute, less a moment.
    assert!(log.contains("old_keys_for_seconds=95"), "{log}");
}

#[test]
fn keys_that_are_there_again_are_one_event() {
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let jwks = authority.jwks().to_owned();
    let answers = [Ok(""), Err("down"), Err("down"), Ok(""), Ok(""), Ok("")];
    let answers = Mutex::new(answers.into_iter());
    let fetch = move |url: String| {
        let answer = answers.lock().unwrap().next().unwrap();
        let answer = answer.map(|_| Fetched::new(url, jwks.clone())).map_err(FetchError::new);
        async move { answer }
    };
    let log = log_of_async(async {
        let url = "https://authority.test/keys";
        let tokens = TokenVerifier::<serde_json::Value>::jwks_url(authority.issuer(), url, fetch);
        let tokens = tokens.audience("https://api.example.com").cool_down(Duration::ZERO);
        let tokens = tokens.build().await.unwrap();
        for _ in 0..5 {
            // A key that is not known is asked for.
            let token = authority.token("a").header("kid", "other").sign().unwrap();
            let _ = tokens.verify(&token, SecurityScopes::NONE).await;
        }
    });
    let again = "INFO doorward::trace: the keys of an issuer could be fetched again url=\"https://authority.test/keys\"";
    assert_eq!(log.matches(again).count(), 1, "{log}");
    assert_eq!(log.matches("could be fetched again").count(), 1, "{log}");
    assert_eq!(log.matches("could not be fetched").count(), 2, "{log}");
}

#[test]
fn a_weak_secret_is_a_warning_at_each_start() {
    let issuer = "https://a.example";
    let log = |secret: &str, algorithms: &[Algorithm]| {
        let tokens = TokenVerifier::<serde_json::Value>::secret(issuer, "s".repeat(64));
        let tokens = tokens.weak_secret(secret).audience(issuer);
        let tokens = tokens.algorithms(algorithms.iter().copied());
        log_of_async(async { drop(tokens.build().await.unwrap()) })
    };
    let warning = "WARN doorward::trace: tokens of a shared secret that is too short are accepted; anyone who has one can guess the \
                   secret, and sign others bytes=17\n";
    let all = [Algorithm::Hs256, Algorithm::Hs384, Algorithm::Hs512];
    let weak = log("t0ps3cret-17bytes", &all);
    assert_eq!(weak.matches("WARN").count(), 1, "{weak}");
    assert_recorded(&weak, &[warning]);
    assert!(!log(&"t0ps3cret".repeat(8), &all).contains("WARN"));
    // Long enough for HS256 alone.
    let long = "t0ps3cret".repeat(4);
    assert!(log(&long, &all).contains("WARN"));
    assert!(!log(&long, &[Algorithm::Hs256]).contains("WARN"));
}

#[test]
fn a_key_that_may_have_signed_is_named_if_it_is_left_out() {
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let log = |member: &str| {
        let other = format!(r#"{{"kty":"RSA","kid":"k2",{member},"n":"AQ","e":"AQAB"}},{{"#);
        let keys = authority.jwks().replacen('{', &other, 2).replacen(&other, "{", 1);
        log_of_async(async {
            let tokens = TokenVerifier::<serde_json::Value>::jwks("https://id.example.com", keys);
            tokens.audience("https://api.example.com").build().await.unwrap();
        })
    };
    let event = "WARN doorward::trace: a key of a set is left out, so tokens that it has signed are refused reason=\"key `k2`: ";
    assert_recorded(&log(r#""use":"sig""#), &[event]);
    // Keycloak publishes one that encrypts in each realm.
    assert!(!log(r#""use":"enc""#).contains("WARN"));
}

#[test]
fn an_issuer_that_a_token_alone_names_is_not_recorded() {
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    for (fetched, named) in [("metadata", true), ("keys", true), ("nothing", false)] {
        let tokens: Issuers<serde_json::Value> =
            Issuers::resolve(move |issuer: String| async move {
                let fetch = async |_: String| Err::<Fetched, _>(FetchError::new("t0ps3cret"));
                if !named {
                    return Err(FetchError::new(format!("no row for {issuer}")));
                }
                let url = format!("{issuer}/keys");
                Ok(Some(match fetched {
                    "metadata" => TokenVerifier::discover(issuer, fetch),
                    _ => TokenVerifier::jwks_url(issuer, url, fetch),
                }))
            });
        let log = log_of_async(async {
            for issuer in ["https://t0ps3cret.test/1", "https://t0ps3cret.test/2"] {
                let token = authority.token("ann").claim("iss", issuer).sign().unwrap();
                let refused = tokens.verify(&token, SecurityScopes::NONE).await.unwrap_err();
                assert_eq!(refused.status(), 503);
            }
        });
        let event = "DEBUG doorward::trace: an issuer that has had no verifier yet could not be looked up, or not be asked";
        assert_recorded(&log, &[event]);
        assert!(!log.contains("ERROR"), "{log}");
    }
}

#[test]
fn a_service_that_cannot_decide_about_a_token_is_told() {
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let log = log_of_async(async {
        let tokens = authority.verifier::<serde_json::Value>();
        let tokens = tokens.refuse_if(|claims| Err(format!("t0ps3cret {}", claims["sub"])));
        let token = authority.token("t0ps3cret").sign().unwrap();
        let refused = tokens.build().await.unwrap().verify(&token, SecurityScopes::NONE).await;
        assert_eq!(refused.unwrap_err().status(), 503);
    });
    assert_recorded(
        &log,
        &[
            "ERROR doorward::trace: a function of `refuse_if` returned an error, so the answer is a 503",
            "DEBUG doorward::trace: a token was refused reason=\"the service cannot say now whether it refuses the token\"",
        ],
    );
}

#[test]
fn a_token_that_cannot_be_signed_is_recorded() {
    let key = SigningKey::secret("t0ps3cret".repeat(8));
    let authority = TokenAuthority::builder("https://notes.example.com", key).build().unwrap();
    let log = log_of(|| {
        let failed = authority.token("t0ps3cret").claim("exp", "t0ps3cret");
        assert_eq!(failed.response().unwrap_err().status(), 500);
    });
    assert_recorded(
        &log,
        &[
            "ERROR doorward::trace: a token could not be signed, so the answer is a 500 error=`lifetime` sets the claim `exp`; leave it out",
        ],
    );
}

/// Checks that a log contains the lines, and no secret.
fn assert_recorded(log: &str, lines: &[&str]) {
    for line in lines {
        assert!(log.contains(line), "{line} is not in\n{log}");
    }
    assert!(!log.contains("t0p") && !log.contains("dDBwczN"), "{log}");
}
