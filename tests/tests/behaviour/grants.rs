//! Forms of any grant, enums of grants, and the answers of a token endpoint that serves them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::time::Duration;

use bytes::Bytes;
use doorward::form::{FormBody, FormConfig, RequestForm, RequestedScopes};
use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::token_endpoint::{
    AuthorizationCodeGrant, ClientCredentialsGrant, ClientForm, CodeVerifier, RefreshTokenGrant,
    RevocationForm, TokenError, TokenRequest, TokenResponse,
};
use doorward::{Grant, OAuth2PasswordRequestForm, PasswordRequestForm};
use doorward_tests::grants::Grant;
use doorward_tests::shown::fault_pairs;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Response};
use http_body_util::Full;
use serde_json::{Value, json};

use super::asking::form_headers as headers;
use super::forms::{Lowercase, Plan, Tenant, faults};

#[derive(RequestForm)]
#[request_form(grant_type = "urn:example:all")]
struct All<'a> {
    text: Cow<'a, str>,
    option: Option<Cow<'a, str>>,
    secret: SecretString,
    own: Lowercase,
    number: u32,
    maybe: Option<i8>,
    choice: Plan,
    texts: Vec<Cow<'a, str>>,
    set: HashSet<String>,
    owns: BTreeSet<Lowercase>,
    numbers: Vec<u32>,
    choices: VecDeque<Plan>,
    secrets: Vec<SecretString>,
    #[request_form(rename = "größe")]
    size: Option<f64>,
    r#type: Vec<String>,
}

/// The body of a refresh.
const REFRESH: &[u8] = b"grant_type=refresh_token&refresh_token=r";

const ALL: &str = "grant_type=urn:example:all&text=a&secret=b&own=c&number=1&choice=free";

#[test]
fn fields_are_texts_values_and_lists_of_both() {
    let form = All::decode(ALL.as_bytes()).unwrap();
    assert!(matches!(form.text, Cow::Borrowed("a")));
    assert_eq!((&*form.own.0, form.number), ("c", 1));
    assert_eq!((form.secret.expose_secret(), form.choice), ("b", Plan::Free));
    assert_eq!((form.option, form.maybe, form.size), (None, None, None));
    assert!(form.texts.is_empty() && form.set.is_empty() && form.owns.is_empty());
    assert!(form.numbers.is_empty() && form.choices.is_empty());
    assert!(form.secrets.is_empty() && form.r#type.is_empty());

    let more = "option=x+y&maybe=-7&texts=t&texts=u%20v&set=1&set=1&set=2&owns=b&owns=a&owns=b\
        &numbers=3&numbers=%34&numbers=3&choices=paid&choices=free&secrets=s&secrets=&secrets=%73\
        &gr%C3%B6%C3%9Fe=1.5&type=1&typ%65=2";
    let body = format!("{ALL}&{more}");
    let form = All::decode(body.as_bytes()).unwrap();
    assert_eq!(form.option.as_deref(), Some("x y"));
    assert_eq!((form.maybe, form.size), (Some(-7), Some(1.5)));
    assert!(matches!(form.texts[..], [Cow::Borrowed("t"), Cow::Owned(ref text)] if text == "u v"));
    assert_eq!(form.set, HashSet::from(["1".to_owned(), "2".to_owned()]));
    let owns = ["a", "b"].map(|text| Lowercase(text.to_owned()));
    assert_eq!(form.owns, BTreeSet::from(owns));
    assert_eq!(form.numbers, [3, 4, 3]);
    assert_eq!(form.choices, [Plan::Paid, Plan::Free]);
    let secrets = form.secrets.iter().map(ExposeSecret::expose_secret);
    assert!(secrets.eq(["s", "s"]));
    assert_eq!(form.r#type, ["1", "2"]);
}

#[test]
fn a_list_has_the_first_fault_that_holds_for_any_item() {
    let faults = |more: &str| {
        let body = format!("{ALL}&{more}");
        fault_pairs(&All::decode(body.as_bytes()).err().unwrap())
    };
    assert_eq!(faults("texts=a&texts=%ff&texts=b"), [("not_utf8", Some("texts"))]);
    assert_eq!(
        faults("numbers=1&numbers=x&numbers=%ff&owns=%ff&owns=A"),
        [("not_utf8", Some("owns")), ("not_utf8", Some("numbers"))]
    );
    assert_eq!(faults("numbers=1&numbers=x&numbers=2"), [("invalid", Some("numbers"))]);
    assert_eq!(
        faults(
            "type=%ff&secrets=%ff&choices=other&numbers=-1&owns=B&set=%ff&texts=%ff&maybe=128&number=2"
        ),
        [
            ("duplicate", Some("number")),
            ("invalid", Some("maybe")),
            ("not_utf8", Some("texts")),
            ("not_utf8", Some("set")),
            ("invalid", Some("owns")),
            ("invalid", Some("numbers")),
            ("invalid", Some("choices")),
            ("not_utf8", Some("secrets")),
            ("not_utf8", Some("type")),
        ]
    );
}

#[test]
fn a_login_may_have_lists_too() {
    #[derive(PasswordRequestForm)]
    struct Login {
        username: String,
        password: String,
        resource: Vec<String>,
        tenant: HashSet<u32>,
    }
    let body = b"username=u&password=p&resource=b&resource=a&tenant=1&tenant=2&tenant=1";
    let form = Login::decode(body).unwrap();
    assert_eq!((&*form.username, &*form.password), ("u", "p"));
    assert_eq!(form.resource, ["b", "a"]);
    assert_eq!(form.tenant, HashSet::from([1, 2]));
}

#[test]
fn standard_names_keep_their_place_in_any_form() {
    #[derive(RequestForm)]
    #[request_form(grant_type = "urn:example:standard")]
    #[expect(dead_code, reason = "only its decoding counts")]
    struct Standard<'a> {
        own: String,
        client_secret: SecretString,
        client_id: Lowercase,
        scopes: RequestedScopes<'a>,
        password: Option<SecretString>,
        #[request_form(from)]
        username: Tenant,
        grant_type: Cow<'a, str>,
    }
    let name = "grant_type=urn%3Aexample%3Astandard";
    let good = format!("{name}&own=o&client_secret=s&client_id=c&scope=b+a&username=7");
    let form = Standard::decode(good.as_bytes()).unwrap();
    assert_eq!(form.grant_type, "urn:example:standard");
    assert_eq!(form.username.0, 7);
    assert!(form.scopes.iter().eq(["b", "a"]) && form.password.is_none());
    let faulty = format!("own=%ff&client_id=C&scope=%ff&password=a&password=&username=a&{name}");
    assert_eq!(
        fault_pairs(&Standard::decode(faulty.as_bytes()).err().unwrap()),
        [
            ("invalid", Some("username")),
            ("duplicate", Some("password")),
            ("not_utf8", Some("scope")),
            ("invalid", Some("client_id")),
            ("missing", Some("client_secret")),
            ("not_utf8", Some("own")),
        ]
    );
}

#[test]
fn a_form_knows_only_what_it_has() {
    #[derive(RequestForm)]
    struct Least {
        token: String,
    }
    let body = "token=t&grant_type=a&grant_type=%ff&username=%ff&password=a&password=b&scope=%ff";
    assert_eq!(Least::decode(body.as_bytes()).unwrap().token, "t");
    // Any client may send these.
    assert_eq!(
        faults::<Least>("token=t&client_secret=%ff&client_id=a&client_id=b"),
        [("duplicate", Some("client_id")), ("not_utf8", Some("client_secret"))]
    );
    assert_eq!(Least::CONFIG, FormConfig::new());

    #[derive(RequestForm)]
    struct Nothing {}
    assert!(Nothing::decode(b"x=y&%ff").is_ok());
}

#[test]
fn the_grant_type_of_a_form_is_required() {
    for (body, fault) in [
        ("refresh_token=r", "missing"),
        ("grant_type=&refresh_token=r", "missing"),
        ("grant_type=refresh_token%ff&refresh_token=r", "not_utf8"),
        ("grant_type=password&refresh_token=r&scope=%ff", "grant_type"),
        ("grant_type=refresh_token&refresh_token=r&grant_type=refresh_token", "duplicate"),
    ] {
        let expected = [(fault, Some("grant_type"))];
        assert_eq!(faults::<RefreshTokenGrant>(body), expected, "{body}");
    }
    // Here the form is known, so every fault is reported.
    assert_eq!(
        faults::<RefreshTokenGrant>("scope=%ff&resource=%ff"),
        [
            ("missing", Some("grant_type")),
            ("not_utf8", Some("scope")),
            ("missing", Some("refresh_token")),
            ("not_utf8", Some("resource")),
        ]
    );
    assert_eq!(faults::<Grant>("scope=%ff&resource=%ff"), [("missing", Some("grant_type"))]);
}

#[derive(Grant)]
#[expect(clippy::large_enum_variant, reason = "a form has as many fields as it needs")]
enum Borrowing<'a> {
    All(All<'a>),
    Refresh(RefreshTokenGrant),
    #[grant("urn:example:short")]
    Short(Short<'a>),
}

#[derive(RequestForm)]
#[request_form(max_bytes = 40)]
struct Short<'body> {
    text: Cow<'body, str>,
}

#[test]
fn an_enum_may_borrow_from_the_body() {
    let all = Borrowing::decode(ALL.as_bytes());
    assert!(matches!(all, Ok(Borrowing::All(All { text: Cow::Borrowed("a"), .. }))));
    let request =
        TokenRequest::<Borrowing<'_>>::decode_request(&headers(), ALL.as_bytes()).unwrap();
    assert!(matches!(request.grant, Borrowing::All(_)) && request.client.is_none());
    let refresh = Borrowing::decode(REFRESH);
    assert!(
        matches!(refresh, Ok(Borrowing::Refresh(form)) if form.refresh_token.expose_secret() == "r")
    );
}

#[test]
fn each_form_of_an_enum_has_its_own_limit() {
    const { assert!(Borrowing::CONFIG.max_bytes() == 64 * 1024) };
    let short = "grant_type=urn:example:short&text=";
    let body = |text: &str| format!("{short}{text}");
    let longest = body("abcdef");
    let grant = Borrowing::decode(longest.as_bytes());
    assert!(matches!(grant, Ok(Borrowing::Short(Short { text })) if text == "abcdef"));
    assert_eq!(longest.len(), 40);
    let too_large = [("too_large", None)];
    for body in [
        body("abcdefg"),
        body("abcdef&"),
        body("&client_id=a&client_id=b"),
        // The second grant is not looked for in a body that is too large for the first.
        body("&grant_type=refresh_token"),
    ] {
        let error = Borrowing::decode(body.as_bytes()).err().unwrap();
        assert_eq!((fault_pairs(&error), error.status().as_u16()), (too_large.to_vec(), 413));
    }
    // The other forms still take as much as they did.
    let long = format!("grant_type=refresh_token&refresh_token={}", "r".repeat(1000));
    assert!(matches!(Borrowing::decode(long.as_bytes()), Ok(Borrowing::Refresh(_))));
    let error = Borrowing::decode(&[b'a'; 64 * 1024 + 1]).err().unwrap();
    assert_eq!(fault_pairs(&error), too_large);
}

#[test]
fn the_largest_limit_of_the_forms_is_that_of_the_enum() {
    const LONG: usize = 100_000;

    #[derive(RequestForm)]
    #[request_form(grant_type = "urn:example:long", max_bytes = LONG)]
    struct Long {
        text: String,
    }
    #[derive(Grant)]
    enum Both {
        Refresh(RefreshTokenGrant),
        Long(Long),
    }
    const { assert!(Both::CONFIG.max_bytes() == LONG) };
    let body = |grant_type: &str, name: &str| {
        let start = format!("grant_type={grant_type}&{name}=");
        format!("{start}{}", "a".repeat(LONG - start.len()))
    };
    let long = body("urn:example:long", "text");
    let grant = Both::decode(long.as_bytes());
    assert!(matches!(grant, Ok(Both::Long(form)) if form.text.len() > 64 * 1024));
    let refresh = Both::decode(REFRESH);
    assert!(
        matches!(refresh, Ok(Both::Refresh(form)) if form.refresh_token.expose_secret() == "r")
    );
    let error = faults::<Both>(&body("refresh_token", "refresh_token"));
    assert_eq!(error, [("too_large", None)]);
    assert_eq!(
        faults::<Both>(&body("urn:example:other", "x")),
        [("grant_type", Some("grant_type"))]
    );
    assert_eq!(faults::<Both>(&(long + "a")), [("too_large", None)]);
}

#[test]
fn a_login_in_an_enum_must_name_its_grant() {
    #[derive(PasswordRequestForm)]
    struct Login {
        username: String,
        password: String,
        otp: Option<u32>,
    }
    #[derive(Grant)]
    enum Both {
        Login(Login),
        #[grant("refresh_token")]
        Refresh(RefreshTokenGrant),
    }
    #[derive(Grant)]
    enum Lenient {
        Password(OAuth2PasswordRequestForm),
    }
    let fields = "username=u&password=p&otp=7";
    let Ok(Both::Login(form)) = Both::decode(format!("grant_type=password&{fields}").as_bytes())
    else {
        panic!("another grant");
    };
    assert_eq!((&*form.username, &*form.password, form.otp), ("u", "p", Some(7)));
    let missing = [("missing", Some("grant_type"))];
    assert_eq!(faults::<Both>(fields), missing);
    assert_eq!(faults::<Lenient>(fields), missing);
    assert!(Login::decode(fields.as_bytes()).is_ok());
    let refresh = Both::decode(REFRESH);
    assert!(
        matches!(refresh, Ok(Both::Refresh(form)) if form.refresh_token.expose_secret() == "r")
    );
    let grant = Lenient::decode(b"username=u&password=p&grant_type=password");
    let Lenient::Password(form) = grant.unwrap();
    assert_eq!(form.grant_type.as_deref(), Some("password"));
}

#[test]
fn a_code_verifier_is_a_field_of_any_form() {
    #[derive(Debug, RequestForm)]
    struct Proof {
        verifier: CodeVerifier,
        others: Vec<CodeVerifier>,
    }
    let good = "a".repeat(43);
    let form = Proof::decode(format!("verifier={good}&others={good}").as_bytes()).unwrap();
    assert!(form.verifier.verify_plain(&good) && form.others.len() == 1);
    assert_eq!(
        faults::<Proof>(&format!("others={good}&others=a")),
        [("missing", Some("verifier")), ("invalid", Some("others"))]
    );
}

#[test]
fn a_form_body_is_decoded_into_a_grant() {
    let body = |text: &str| FormBody::<65_536>::new(&headers(), Bytes::from(text.to_owned()));
    let body = body("grant_type=client_credentials&scope=items&resource=a").unwrap();
    let Ok(Grant::ClientCredentials(form)) = body.decode::<Grant>() else {
        panic!("another grant");
    };
    assert_eq!((&*form.scopes[0], &*form.resource[0]), ("items", "a"));
    let body = FormBody::<65_536>::new(&headers(), Bytes::from_static(ALL.as_bytes())).unwrap();
    let all = body.decode::<Borrowing<'_>>();
    assert!(matches!(all, Ok(Borrowing::All(All { text: Cow::Borrowed("a"), .. }))));
    let error = body.decode::<Grant>().err().unwrap();
    assert_eq!(error.code(), "unsupported_grant_type");
}

#[test]
fn a_single_form_is_a_token_request_too() {
    let decode = |body: &'static str| {
        let body = body.as_bytes();
        TokenRequest::<ClientCredentialsGrant>::decode_request(&headers(), body)
    };
    let request = decode("grant_type=client_credentials&client_id=cron&client_secret=s").unwrap();
    assert!(request.client.unwrap().secret_eq("s") && request.grant.scopes.is_empty());
    let error = decode("grant_type=password&client_id=%ff").unwrap_err();
    assert_eq!(error.code(), "unsupported_grant_type");
    let error = decode("client_id=%ff").unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid_request: `grant_type` is missing; `client_id` is not UTF-8"
    );
}

/// The fields of the client are checked before the header is looked at.
#[test]
fn faults_of_a_form_come_before_those_of_its_client() {
    let mut headers = headers();
    headers.insert(AUTHORIZATION, HeaderValue::from_static("Basic x"));
    for (body, description) in [
        ("token=t", "the Authorization header is malformed"),
        ("client_secret=a", "`token` is missing"),
        ("token=t&client_id=a&client_id=a", "`client_id` is sent more than once"),
    ] {
        let found = ClientForm::<RevocationForm>::decode_request(&headers, body.as_bytes());
        assert_eq!(found.unwrap_err().to_string(), format!("invalid_request: {description}"));
    }
    headers.remove(CONTENT_TYPE);
    let found = ClientForm::<RevocationForm>::decode_request(&headers, b"token=%ff");
    assert_eq!(
        found.unwrap_err().to_string(),
        "invalid_request: the body must be application/x-www-form-urlencoded"
    );
}

#[tokio::test]
async fn a_grant_is_read_as_its_body_arrives() {
    let read = async |body: String| {
        let read = TokenRequest::<Grant>::read(&headers(), Full::new(Bytes::from(body))).await;
        read.map(|request| request.grant.fields().0)
    };
    let body = "grant_type=refresh_token&refresh_token=";
    let with = |length: usize| format!("{body}{}", "r".repeat(length - body.len()));
    assert_eq!(read(with(64 * 1024)).await.unwrap(), "refresh_token");
    assert_eq!(read(with(64 * 1024 + 1)).await.unwrap_err().status(), 413);
    let error = read("grant_type=implicit".to_owned()).await.unwrap_err();
    assert_eq!(error.code(), "unsupported_grant_type");

    let body = Full::new(Bytes::from_static(b"token=t&client_id=web"));
    let request = ClientForm::<RevocationForm>::read(&headers(), body).await;
    assert_eq!(request.unwrap().client.unwrap().client_id(), "web");
    let body = Full::new(Bytes::from_static(b"token=t"));
    let request = ClientForm::<RevocationForm>::read(&HeaderMap::new(), body).await;
    assert_eq!(request.unwrap_err().code(), "invalid_request");
}

/// Returns the body of an answer, and the same as JSON.
fn answered(answer: TokenResponse) -> (String, Value) {
    let body = Response::<String>::from(answer).into_body();
    let json = serde_json::from_str(&body).unwrap();
    (body, json)
}

#[test]
fn an_answer_has_members_of_any_kind() {
    let (body, _) = answered(
        TokenResponse::bearer("t")
            .with_extra("id_token", "i")
            .with_refresh_token("r")
            .with_extra("refresh_expires_in", 86_400_u32)
            .with_extra("largest", u64::MAX)
            .with_scopes(["a", "b"])
            .with_extra("first", true)
            .with_extra("last", false)
            .with_extra("owned", String::from("o"))
            .with_extra("secret", SecretString::from("s"))
            .with_expires_in(Duration::from_secs(60)),
    );
    assert_eq!(
        body,
        "{\"access_token\":\"t\",\"token_type\":\"bearer\",\"expires_in\":60,\"refresh_token\":\"r\",\
         \"scope\":\"a b\",\"id_token\":\"i\",\"refresh_expires_in\":86400,\
         \"largest\":18446744073709551615,\"first\":true,\"last\":false,\"owned\":\"o\",\
         \"secret\":\"s\"}"
    );
}

#[test]
fn an_extra_member_replaces_one_of_its_name() {
    let standard = || {
        TokenResponse::bearer("t")
            .with_expires_in(Duration::from_secs(60))
            .with_refresh_token("r")
            .with_scopes(["a"])
    };
    for (name, value) in [
        ("access_token", "another"),
        ("token_type", "DPoP"),
        ("expires_in", "soon"),
        ("refresh_token", "r2"),
        ("scope", "b c"),
    ] {
        let (mut expected, (body, found)) =
            (answered(standard()).1, answered(standard().with_extra(name, value)));
        expected[name] = json!(value);
        assert_eq!(found, expected, "{name}");
        assert_eq!(body.matches(&format!("\"{name}\":")).count(), 1, "{body}");
        // Whatever is set first.
        let late = TokenResponse::bearer("t").with_extra(name, value);
        let late = late.with_expires_in(Duration::from_secs(60)).with_refresh_token("r");
        assert_eq!(answered(late.with_scopes(["a"])).1, expected, "{name}");
    }
    let (body, _) = answered(
        TokenResponse::bearer("t")
            .with_extra("a", "1")
            .with_extra("b", 2_u32)
            .with_extra("a", false)
            .with_extra("token_type", "N_A")
            .with_extra("token_type", "DPoP"),
    );
    assert_eq!(body, r#"{"access_token":"t","b":2,"a":false,"token_type":"DPoP"}"#);
}

#[test]
fn the_text_of_an_extra_member_is_escaped() {
    let text: String = ('\0'..='\u{ff}').chain(['\u{2028}', '😀']).collect();
    let (_, found) = answered(TokenResponse::bearer("t").with_extra("x", text.as_str()));
    assert_eq!(found["x"], text);
}

#[test]
fn the_name_of_an_extra_member_is_escaped() {
    let name = "a\"b\\c\n";
    let (_, found) = answered(TokenResponse::bearer("t").with_extra(name, true));
    assert_eq!(found[name], true);
}

#[test]
fn each_error_has_its_code_and_status() {
    for (error, status, code, description) in [
        (TokenError::invalid_request("no"), 400, "invalid_request", "no"),
        (
            TokenError::invalid_client_with_challenge(),
            401,
            "invalid_client",
            "client authentication failed",
        ),
        (TokenError::invalid_client(), 400, "invalid_client", "client authentication failed"),
        (TokenError::invalid_grant("no"), 400, "invalid_grant", "no"),
        (TokenError::unauthorized_client("no"), 400, "unauthorized_client", "no"),
        (TokenError::unsupported_grant_type("no"), 400, "unsupported_grant_type", "no"),
        (TokenError::invalid_scope("no"), 400, "invalid_scope", "no"),
        (TokenError::invalid_target("no"), 400, "invalid_target", "no"),
        (
            TokenError::authorization_pending(),
            400,
            "authorization_pending",
            "the user has not decided yet",
        ),
        (TokenError::slow_down(), 400, "slow_down", "the requests are too frequent"),
        (TokenError::access_denied("no"), 400, "access_denied", "no"),
        (TokenError::expired_token("no"), 400, "expired_token", "no"),
        (TokenError::unsupported_token_type("no"), 400, "unsupported_token_type", "no"),
    ] {
        assert_eq!((error.status().as_u16(), error.code()), (status, code));
        assert_eq!(error.to_string(), format!("{code}: {description}"));
        let response = Response::<String>::from(error);
        assert_eq!(response.status(), status, "{code}");
        let body: Value = serde_json::from_str(response.body()).unwrap();
        let expected = json!({ "error": code, "error_description": description });
        assert_eq!(body, expected);
        let headers = response.headers();
        assert_eq!(headers["content-type"], "application/json");
        assert_eq!(
            (&headers["cache-control"], &headers["pragma"]),
            (&HeaderValue::from_static("no-store"), &HeaderValue::from_static("no-cache"))
        );
        let has_challenge = headers.contains_key("www-authenticate");
        assert_eq!(has_challenge, status == 401, "{code}");
    }
}

/// The example of RFC 7636, appendix B, and what else a client may send.
#[test]
fn a_code_is_proven_by_its_verifier() {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    let body = format!("grant_type=authorization_code&code=c&code_verifier={verifier}");
    let grant = AuthorizationCodeGrant::decode(body.as_bytes()).unwrap();
    let sent = grant.code_verifier.unwrap();
    assert!(sent.verify(challenge) && sent.verify_plain(verifier));
    for wrong in ["", verifier, &challenge[1..], &challenge.to_lowercase()] {
        assert!(!sent.verify(wrong), "{wrong}");
    }
    assert!(!sent.verify_plain(challenge) && !sent.verify_plain(""));
}

#[test]
fn an_optional_list_is_there_if_one_item_is() {
    #[derive(RequestForm)]
    struct Form {
        audience: Option<Vec<String>>,
    }
    for (body, expected) in [
        ("", None),
        ("audience=", None),
        ("audience=&audience=", None),
        ("audience=a", Some(&["a"][..])),
        ("audience=a&audience=&audience=b", Some(&["a", "b"])),
    ] {
        let form = Form::decode(body.as_bytes()).unwrap();
        let found = form.audience.as_deref();
        let found = found.map(|list| list.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(found.as_deref(), expected, "{body}");
    }
    let error = Form::decode(b"audience=a&audience=%ff").err().unwrap();
    assert_eq!(fault_pairs(&error), [("not_utf8", Some("audience"))]);
}

#[test]
fn grant_types_are_compared_after_they_are_decoded() {
    #[derive(RequestForm)]
    struct Form {
        n: u8,
    }
    #[derive(Grant)]
    enum Grant {
        #[grant("a+b")]
        Plus(Form),
        #[grant("a b")]
        Space(Form),
        #[grant("a%20b")]
        Percent(Form),
        #[grant("a&b")]
        Ampersand(Form),
    }
    for (value, grant_type) in
        [("a+b", "a b"), ("a%20b", "a b"), ("a%2Bb", "a+b"), ("a%2520b", "a%20b"), ("a%26b", "a&b")]
    {
        for body in [format!("grant_type={value}&n=1"), format!("n=1&grant_type={value}")] {
            let grant = Grant::decode(body.as_bytes()).unwrap();
            assert_eq!(grant.grant_type(), grant_type, "{body}");
            let (Grant::Plus(form)
            | Grant::Space(form)
            | Grant::Percent(form)
            | Grant::Ampersand(form)) = grant;
            assert_eq!(form.n, 1);
        }
    }
    let error = Grant::decode(b"grant_type=a&b&n=1").err().unwrap();
    assert_eq!(error.code(), "unsupported_grant_type");
}
