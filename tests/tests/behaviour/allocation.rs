//! The allocations made to check a header and to read a form.

use std::borrow::Cow;
use std::hint::black_box;
use std::pin::Pin;
use std::task::{Context, Poll};

use allocation_counter::measure;
use bytes::{Bytes, BytesMut};
use doorward::adapter::Resolve;
use doorward::form::{FormBody, RequestForm, RequestedScopes};
use doorward::head::Head;
use doorward::jwt::TokenVerifier;
use doorward::testing::{TestAuthority, TestToken};
use doorward::token_endpoint::{RefreshTokenGrant, TokenRequest};
use doorward::{
    BearerError, BearerToken, Dependency, Grant, OAuth2PasswordRequestForm, PasswordRequestForm,
    Plan, Rejection, Scheme, SecurityScopes, dependency, oauth2_password_bearer, plan,
};
use doorward_tests::credentials::{
    ApiKeyCookie, ApiKeyHeader, ApiKeyQuery, Basic, Digest, HttpBearer, OpenId,
};
use doorward_tests::grants::Grant;
use doorward_tests::rfc;
use doorward_tests::schemes::{Base, Code, Password, PasswordOptional, PasswordStrict};
use futures_util::FutureExt as _;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, StatusCode};
use http_body::Frame;
use serde_json::{Value, json};

use super::asking::form_headers;

/// Builds headers as a server does: every value is a slice of the buffer that contains the request.
fn headers(lines: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in lines {
        let mut buffer = BytesMut::from("Authorization: ");
        buffer.extend(line.as_bytes());
        let value = buffer.split_off("Authorization: ".len()).freeze();
        headers.append(AUTHORIZATION, HeaderValue::from_maybe_shared(value).unwrap());
    }
    headers
}

fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

/// Counts the allocations of a scheme's three functions, including those of the first use.
fn of_scheme<S: Scheme>(lines: &[&str]) -> u64 {
    let headers = headers(lines);
    let lines: Vec<_> = lines.iter().map(|line| ("authorization", line.as_bytes())).collect();
    allocations(|| drop(black_box(S::authenticate(&headers))))
        + allocations(|| drop(black_box(S::authenticate_ref(&headers))))
        + allocations(|| drop(black_box(S::authenticate_ref(lines.as_slice()))))
}

#[test]
fn a_scheme_allocates_nothing() {
    let token = format!("Bearer {}", "a".repeat(900));
    let requests: [&[&str]; 7] = [
        &["Bearer a"],
        &[&token],
        &["Bearer"],
        &[],
        &["Basic YTpi"],
        &["Bearer a b"],
        &["Bearer a", "Bearer b"],
    ];
    for lines in requests {
        assert_eq!(of_scheme::<Base>(lines), 0, "{lines:?}");
        assert_eq!(of_scheme::<Password>(lines), 0, "{lines:?}");
        assert_eq!(of_scheme::<PasswordOptional>(lines), 0, "{lines:?}");
        assert_eq!(of_scheme::<PasswordStrict>(lines), 0, "{lines:?}");
        assert_eq!(of_scheme::<Code>(lines), 0, "{lines:?}");
    }
}

#[test]
fn a_key_or_other_credentials_allocate_nothing() {
    let shared = |value: &'static str| {
        // A clone, so the buffer is shared, as in a server.
        let buffer = Bytes::from_owner(value);
        let _keeper = buffer.clone();
        HeaderValue::from_maybe_shared(buffer).unwrap()
    };
    let mut request = http::Request::post("/?a=b&key=v").body(()).unwrap();
    for (name, value) in [
        ("x-api-key", " k "),
        ("cookie", "a=b; key=\"v\""),
        ("origin", "https://api.example.com"),
        ("host", "api.example.com:443"),
    ] {
        request.headers_mut().insert(name, shared(value));
    }
    // A clone, so the buffer is shared, as in a server.
    let target = request.uri().path_and_query().unwrap().clone();
    assert_eq!(of_request::<ApiKeyHeader>(&request), 0);
    assert_eq!(of_request::<ApiKeyQuery>(&request), 0);
    assert_eq!(of_request::<ApiKeyCookie>(&request), 0);
    let key = ApiKeyQuery::authenticate(&request).unwrap();
    let sent = &target.as_str()["/?a=b&key=".len()..];
    assert!(std::ptr::eq(&sent.as_bytes()[0], &key.as_str().as_bytes()[0]));
    for (authorization, scheme) in [("Bearer a", 0), ("Digest a", 1)] {
        let headers = request.headers_mut();
        headers.insert(AUTHORIZATION, shared(authorization));
        let allocations = match scheme {
            0 => of_request::<HttpBearer>(&request) + of_request::<OpenId>(&request),
            _ => of_request::<Digest>(&request),
        };
        assert_eq!(allocations, 0, "{authorization}");
    }
    request.headers_mut().clear();
    *request.uri_mut() = http::Uri::default();
    assert_eq!(of_request::<ApiKeyHeader>(&request), 0);
    assert_eq!(of_request::<ApiKeyQuery>(&request), 0);
    assert_eq!(of_request::<ApiKeyCookie>(&request), 0);
    assert_eq!(of_request::<Basic>(&request), 0);
}

fn of_request<S: Scheme>(request: &http::Request<()>) -> u64 {
    allocations(|| drop(black_box(S::authenticate(request))))
        + allocations(|| drop(black_box(S::authenticate_ref(request))))
}

#[test]
fn a_value_that_owns_its_bytes_alone_is_shared_by_one_allocation() {
    let headers =
        HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str("Bearer a").unwrap())]);
    let authenticate = || allocations(|| drop(black_box(Password::authenticate(&headers))));
    assert_eq!((authenticate(), authenticate()), (1, 0));
    let borrow =
        || allocations(|| assert!(black_box(Password::authenticate_ref(&headers)).is_ok()));
    assert_eq!(borrow(), 0);
}

#[test]
fn a_token_is_read_and_cloned_without_allocation() {
    let token = Password::authenticate(&headers(&["Bearer a"])).unwrap();
    assert_eq!(allocations(|| drop(black_box((token.clone(), token.as_str())))), 0);
}

#[test]
fn the_bytes_of_a_token_are_those_of_the_request() {
    let headers = headers(&["Bearer a"]);
    let token = Password::authenticate(&headers).unwrap();
    let sent = headers[AUTHORIZATION].as_bytes();
    assert!(std::ptr::eq(&sent["Bearer ".len()], &token.as_str().as_bytes()[0]));
}

#[dependency]
fn token_and_scopes(
    #[security(Password)] token: BearerToken,
    scopes: SecurityScopes,
) -> (BearerToken, SecurityScopes) {
    (token, scopes)
}

#[dependency]
async fn passed_on(
    #[security(token_and_scopes, scopes("me"))] found: (BearerToken, SecurityScopes),
) -> (BearerToken, SecurityScopes) {
    found
}

#[test]
fn a_chain_of_dependencies_allocates_nothing() {
    let mut head = http::Request::new(()).into_parts().0;
    head.headers = headers(&["Bearer a"]);
    let resolved = allocations(|| {
        let found = plan!(passed_on, scopes("items")).resolve(&mut head).now_or_never();
        let (token, scopes) = found.unwrap().unwrap();
        assert_eq!(
            (token.as_str(), scopes.scope_str(), scopes.scopes().len()),
            ("a", "items me", 2)
        );
    });
    assert_eq!(resolved, 0);
}

#[derive(Clone, Copy, PartialEq)]
enum Length {
    Short,
    Long,
}

#[dependency]
fn token_of_length(
    #[argument] length: Length,
    #[argument] limit: usize,
    #[security(Password)] token: BearerToken,
) -> Result<BearerToken, BearerError> {
    let is_long = token.as_str().len() > limit;
    if is_long == (length == Length::Long) { Ok(token) } else { Err(BearerError::invalid_token()) }
}

#[dependency]
async fn short_and_long(
    #[security(token_of_length(Length::Short, 3))] short: BearerToken,
    #[security(token_of_length(Length::Long, 1))] _long: BearerToken,
) -> BearerToken {
    short
}

#[test]
fn arguments_allocate_nothing() {
    let mut head = http::Request::new(()).into_parts().0;
    head.headers = headers(&["Bearer abc"]);
    let resolved = allocations(|| {
        let found = plan!(short_and_long).resolve(&mut head).now_or_never();
        assert_eq!(found.unwrap().unwrap().as_str(), "abc");
    });
    assert_eq!(resolved, 0);
}

#[derive(PasswordRequestForm)]
struct Borrowing<'a> {
    username: Cow<'a, str>,
    password: Cow<'a, str>,
    scopes: RequestedScopes<'a>,
    client_id: Option<Cow<'a, str>>,
}

#[test]
fn a_form_that_borrows_allocates_only_for_escapes() {
    let read = |body: &[u8]| {
        allocations(|| {
            let form = Borrowing::decode(body).unwrap();
            black_box((
                &form.username,
                &form.password,
                &form.client_id,
                form.scopes.iter().count(),
            ));
        })
    };
    assert_eq!(read(b"grant_type=password&username=johndoe&password=secret&scope=me+items&client_id=app&x=y"), 0);
    assert_eq!(read(b"username=john+doe&password=%41&scope=%41"), 3);
}

#[test]
fn an_owned_form_allocates_its_fields_only() {
    let body = b"username=johndoe&password=secret&scope=me";
    // The user name, the password, the list of scopes and its one scope.
    assert_eq!(allocations(|| drop(black_box(OAuth2PasswordRequestForm::decode(body)))), 4);
}

#[test]
fn unknown_pairs_allocate_nothing() {
    let body = ["k%41=v&".repeat(9000), "username=u&password=p".to_owned()].concat();
    assert_eq!(allocations(|| assert!(black_box(Borrowing::decode(body.as_bytes())).is_ok())), 0);
}

#[derive(Grant)]
enum Borrowed<'a> {
    Login(Borrowing<'a>),
    Exchange(Exchange<'a>),
}

#[derive(RequestForm)]
#[request_form(grant_type = "urn:example:exchange")]
struct Exchange<'a> {
    token: Cow<'a, str>,
    number: u32,
    scopes: RequestedScopes<'a>,
    resource: Vec<Cow<'a, str>>,
}

#[test]
fn the_choice_of_a_grant_allocates_nothing() {
    let read = |body: &[u8]| {
        allocations(|| match Borrowed::decode(body).unwrap() {
            Borrowed::Login(form) => drop(black_box((form.username, form.password))),
            Borrowed::Exchange(form) => drop(black_box((
                form.token,
                form.number,
                form.scopes.iter().count(),
                form.resource,
            ))),
        })
    };
    assert_eq!(read(b"grant_type=password&username=johndoe&password=secret"), 0);
    let exchange = "grant_type=urn%3Aexample%3Aexchange&token=a&number=7&scope=me+items";
    assert_eq!(read(exchange.as_bytes()), 0);
    let late = ["k%41=v&".repeat(9000), exchange.to_owned()].concat();
    assert_eq!(read(late.as_bytes()), 0);
    // The list.
    assert_eq!(read(format!("{exchange}&resource=a&resource=b").as_bytes()), 1);
    // The texts of both resources, too.
    assert_eq!(read(format!("{exchange}&resource=a+b&resource=%41").as_bytes()), 3);
}

#[test]
fn a_token_request_allocates_its_fields_and_its_client_only() {
    let form = "grant_type=refresh_token&refresh_token=r&scope=me&resource=a";
    let headers = |line: Option<&str>| {
        let mut headers = headers(&Vec::from_iter(line));
        headers.extend(form_headers());
        headers
    };
    let read = |line: Option<&str>, more: &str| {
        let (headers, body) = (headers(line), format!("{form}{more}"));
        allocations(|| {
            let read = TokenRequest::<Grant>::decode_request(&headers, body.as_bytes());
            assert!(black_box(read).is_ok());
        })
    };
    // The token, and each list with its item.
    let of_form = allocations(|| drop(black_box(RefreshTokenGrant::decode(form.as_bytes()))));
    assert_eq!(of_form, 5);
    assert_eq!(allocations(|| drop(black_box(Grant::decode(form.as_bytes())))), of_form);
    assert_eq!(read(None, ""), of_form);
    // The identifier and the secret, once from the form and once in the credentials.
    assert_eq!(read(None, "&client_id=web"), of_form + 2);
    assert_eq!(read(None, "&client_id=web&client_secret=hunter2"), of_form + 4);
    // What is decoded from the header, and the identifier and the secret.
    let in_header = Some("Basic d2ViOmh1bnRlcjI=");
    assert_eq!(read(in_header, ""), of_form + 3);
    assert_eq!(read(in_header, "&client_id=web"), of_form + 4);
}

/// A body of many one-byte frames, each of which keeps its 4 KiB read buffer alive.
struct Parts {
    left: usize,
}

impl http_body::Body for Parts {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let start = b"username=a&password=";
        let sent = LENGTH - self.left;
        if self.left == 0 {
            return Poll::Ready(None);
        }
        self.left -= 1;
        let mut buffer = vec![0; 4096];
        buffer[0] = start.get(sent).copied().unwrap_or(b'b');
        Poll::Ready(Some(Ok(Frame::data(Bytes::from(buffer).slice(..1)))))
    }
}

const LENGTH: usize = 65_000;

#[test]
fn a_body_of_many_parts_takes_at_most_twice_the_limit() {
    let headers = form_headers();
    let taken = measure(|| {
        let read = FormBody::<65_536>::read(&headers, Parts { left: LENGTH }).now_or_never();
        let body = read.unwrap().unwrap();
        let form: Borrowing<'_> = body.decode().unwrap();
        assert_eq!(form.password.len(), LENGTH - "username=a&password=".len());
    });
    assert!(taken.bytes_max <= 2 * 65_536, "{}", taken.bytes_max);
}

/// Counts the allocations of a request to a plan and its answer.
fn of_answer<D>(plan: Plan<D>, line: Option<&str>) -> u64
where
    D: Dependency + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    let count = || {
        let (mut head, ()) = http::Request::new(()).into_parts();
        head.headers = headers(&Vec::from_iter(line));
        allocations(|| {
            assert!(plan.resolve(&mut head).now_or_never().is_some());
        })
    };
    count();
    count()
}

/// Declares a dependency that takes the token for the list of its scopes.
macro_rules! checks_scopes {
    ($name:ident, $scheme:path) => {
        #[dependency]
        fn $name(
            #[security($scheme)] token: BearerToken,
            scopes: SecurityScopes,
        ) -> Result<(), BearerError> {
            Ok(scopes.check(token.as_str())?)
        }
    };
}

checks_scopes!(plain, Password);
checks_scopes!(complete, rfc::Api);

const REPLACED: Rejection =
    Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found").with_challenge("Bearer");

#[oauth2_password_bearer(token_url = "token", scopes("me" = "", "items" = ""), realm = "a", rejection = REPLACED)]
struct Replaced;

checks_scopes!(replaced_once, Replaced);

/// Reaches the scheme in three ways.
#[dependency]
fn replaced(
    #[security(replaced_once)] _first: (),
    #[security(replaced_once)] _second: (),
    #[security(replaced_once)] _third: (),
) {
}

#[test]
fn a_complete_challenge_takes_two_allocations_more() {
    let plain = |line| of_answer(plan!(plain, scopes("me", "items")), line);
    let complete = |line| of_answer(plan!(complete, scopes("me", "items")), line);
    assert_eq!(complete(Some("Bearer items")), plain(Some("Bearer items")) + 2);
    assert_eq!(complete(None), plain(None) + 2);
    let good = Some("Bearer me items");
    assert_eq!((complete(good), of_scheme::<rfc::Api>(&["Bearer a"])), (plain(good), 0));
    let replaced = of_answer(plan!(replaced, scopes("me", "items")), Some("Bearer items"));
    assert_eq!(replaced, plain(Some("Bearer items")) + 2);
    assert_eq!(complete(Some("Basic YTpi")), plain(Some("Basic YTpi")) + 2);
}

/// Returns how many bytes a verifier keeps after it has verified these tokens, and the
/// verifier itself as text.
fn kept(authority: &TestAuthority, tokens: &[BearerToken]) -> (usize, String) {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.unwrap();
    let verifier = authority.verifier().remember(8 * 16 * KIB).build();
    let verifier: TokenVerifier<Value> = runtime.block_on(verifier).unwrap();
    let kept = measure(|| {
        for token in tokens {
            let verified = verifier.verify(token, SecurityScopes::NONE);
            runtime.block_on(verified).unwrap();
        }
    });
    let bytes = usize::try_from(kept.bytes_current).unwrap();
    (bytes, format!("{verifier:?}"))
}

const KIB: usize = 1024;

#[test]
fn remembered_tokens_are_bounded_in_bytes() {
    type Shape = fn(TestToken<'_>, usize) -> TestToken<'_>;
    let shapes: [(&str, Shape); 8] = [
        ("members", |token, n| {
            (0..n).fold(token, |token, index| token.claim(format!("{index}"), 0))
        }),
        ("maps", |token, n| token.claim("a", vec![json!({ "": 0 }); n])),
        ("maps in maps", |token, n| {
            let nested = (0..n.min(100)).fold(json!(0), |inner, _| json!({ "": inner }));
            token.claim("a", vec![nested; n.div_ceil(100)])
        }),
        ("numbers", |token, n| token.claim("a", vec![0; n])),
        ("texts", |token, n| token.claim("a", vec!["b"; n])),
        ("lists", |token, n| token.claim("a", vec![json!([0]); n])),
        ("scopes", |token, n| token.scopes(vec!["b"; n])),
        ("audiences", |token, n| token.claim("aud", [vec![""; n], vec!["api"]].concat())),
    ];
    let authority = TestAuthority::new("api").unwrap();
    for (shape, shaped) in shapes {
        let mut n = 25;
        loop {
            let token = |index| shaped(authority.token(format!("{index}")), n).sign();
            let tokens: Vec<BearerToken> = (0..8).map(|index| token(index).unwrap()).collect();
            if tokens[7].as_str().len() > 16 * KIB {
                break;
            }
            let (bytes, verifier) = kept(&authority, &tokens);
            assert!(bytes <= 8 * 16 * KIB, "{shape} {n}: {bytes}, {verifier}");
            n = n * 3 / 2;
        }
    }
}

#[test]
fn a_usual_token_takes_less_than_16_kib() {
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let tokens: Vec<BearerToken> = (0..8)
        .map(|index| {
            let token = authority.token(format!("{index}")).scopes(["items", "me"]);
            let uuid = "6e74172b-be56-4843-9ff4-e66a39bb12e3";
            let token = token.claim("roles", vec![uuid; 10]);
            let token = token.claim("realm_access", json!({ "roles": ["user", "admin"] }));
            let claims = 0..18;
            let token =
                claims.fold(token, |token, index| token.claim(format!("claim_{index}"), uuid));
            token.sign().unwrap()
        })
        .collect();
    let length = tokens[0].as_str().len();
    assert!((2 * KIB..3 * KIB).contains(&length), "{length}");
    let (bytes, verifier) = kept(&authority, &tokens);
    assert!(verifier.contains("Remembered(8 in "), "{verifier}");
    assert!((8 * length..8 * 16 * KIB).contains(&bytes), "{bytes}");
}
