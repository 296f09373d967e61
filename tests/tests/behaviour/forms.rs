//! The fields of a form: their types, their names, and the faults that they report.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use doorward::form::{FormError, FromText, InvalidText, OwnedForm, RequestForm, RequestedScopes};
use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::token_endpoint::{TokenError, TokenRequest};
use doorward::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, PasswordRequestForm};
use doorward_tests::shown::{Pair, fault_pairs};
use http::HeaderMap;
use serde::Deserialize;

const REQUIRED: &str = "username=u&password=p";

/// Decodes a body of the required parameters, followed by `more`.
fn read<T: OwnedForm>(more: &str) -> Result<T, FormError> {
    T::decode(format!("{REQUIRED}&{more}").as_bytes())
}

pub(crate) fn faults<T: OwnedForm>(body: &str) -> Vec<Pair> {
    fault_pairs(&T::decode(body.as_bytes()).err().unwrap())
}

#[test]
fn standard_fields_are_any_text() {
    #[derive(PasswordRequestForm)]
    struct Login {
        client_secret: Option<SecretString>,
        client_id: Option<Arc<str>>,
        scopes: Vec<Box<str>>,
        password: Rc<str>,
        username: Box<str>,
        grant_type: Option<String>,
    }

    let form: Login = read("grant_type=password&client_id=c&client_secret=s&scope=me").unwrap();
    assert_eq!(
        (form.grant_type.as_deref(), &*form.username, &*form.password),
        (Some("password"), "u", "p")
    );
    assert_eq!(
        (form.client_id.as_deref(), form.client_secret.unwrap().expose_secret()),
        (Some("c"), "s")
    );
    assert_eq!(&*form.scopes[0], "me");
    let form: Login = read("").unwrap();
    assert!(form.grant_type.is_none() && form.client_id.is_none() && form.client_secret.is_none());
}

#[test]
fn fields_may_be_left_out_and_are_still_checked() {
    #[derive(Debug, PasswordRequestForm)]
    #[allow(dead_code, reason = "only its decoding counts")]
    struct Least {
        username: String,
        password: String,
    }

    assert!(read::<Least>("grant_type=password&scope=me&client_id=c&client_secret=s").is_ok());
    let body = "client_secret=a&client_secret=b&client_id=%ff&scope=%ff&grant_type=%ff&username=&password=%ff";
    assert_eq!(
        faults::<Least>(body),
        [
            ("not_utf8", Some("grant_type")),
            ("missing", Some("username")),
            ("not_utf8", Some("password")),
            ("not_utf8", Some("scope")),
            ("not_utf8", Some("client_id")),
            ("duplicate", Some("client_secret")),
        ]
    );
}

#[test]
fn a_form_of_another_grant_has_no_other_fault() {
    for body in [
        "grant_type=refresh_token&refresh_token=8xLOxBtZp8",
        "username=a&username=b&password=%ff&scope=%ff&grant_type=urn%3Aexample%3Aotp",
    ] {
        assert_eq!(faults::<OAuth2PasswordRequestForm>(body), [("grant_type", Some("grant_type"))]);
        let error = OAuth2PasswordRequestFormStrict::decode(body.as_bytes()).unwrap_err();
        assert_eq!((error.code(), error.status().as_u16()), ("unsupported_grant_type", 400));
        assert_eq!(error.to_string(), "`grant_type` must be `password`");
    }
    // These do not clearly name another grant, so every fault is reported.
    for grant_type in
        ["grant_type=a&grant_type=b", "grant_type=%ff", "grant_type=", "grant_type=password"]
    {
        let error = OAuth2PasswordRequestFormStrict::decode(grant_type.as_bytes()).unwrap_err();
        assert_eq!(error.code(), "invalid_request", "{grant_type}");
        assert!(error.faults().len() >= 2, "{grant_type}");
    }
}

#[test]
fn a_strict_form_requires_the_grant_type_whether_it_has_the_field_or_not() {
    #[derive(PasswordRequestForm)]
    #[password_form(strict)]
    struct WithField {
        grant_type: String,
        username: String,
        password: String,
    }
    #[derive(PasswordRequestForm)]
    #[password_form(strict)]
    struct Without {
        username: String,
        password: String,
    }

    const { assert!(WithField::CONFIG.is_strict() && Without::CONFIG.is_strict()) };
    assert_eq!(faults::<WithField>(REQUIRED), [("missing", Some("grant_type"))]);
    assert_eq!(faults::<Without>(REQUIRED), [("missing", Some("grant_type"))]);
    let form: WithField = read("grant_type=password").unwrap();
    assert_eq!((&*form.grant_type, &*form.username, &*form.password), ("password", "u", "p"));
    let form: Without = read("grant_type=password").unwrap();
    assert_eq!((&*form.username, &*form.password), ("u", "p"));
}

#[test]
fn a_type_without_a_value_for_absence_makes_its_field_required() {
    #[derive(PasswordRequestForm)]
    struct Login {
        username: Option<String>,
        password: String,
        client_id: String,
    }

    assert_eq!(
        faults::<Login>("password=p"),
        [("missing", Some("username")), ("missing", Some("client_id"))]
    );
    let form: Login = read("client_id=c").unwrap();
    assert_eq!(
        (form.username.as_deref(), &*form.password, &*form.client_id),
        (Some("u"), "p", "c")
    );
}

#[test]
fn scopes_are_any_collection() {
    macro_rules! collected {
        ($($ty:ty),*) => {$({
            #[derive(PasswordRequestForm)]
            struct Login {
                #[allow(dead_code, reason = "the scopes count")]
                username: String,
                #[allow(dead_code, reason = "the scopes count")]
                password: String,
                scopes: $ty,
            }
            let scopes: $ty = read::<Login>("scope=b+a+b%20%C3%A9").unwrap().scopes;
            assert!(scopes.iter().any(|scope| **scope == *"é") && scopes.len() >= 3);
            assert_eq!(read::<Login>("").unwrap().scopes.len(), 0);
        })*};
    }
    collected!(Vec<String>, HashSet<String>, BTreeSet<Box<str>>, VecDeque<Arc<str>>);
}

#[derive(Debug, PartialEq)]
pub(crate) struct Tenant(pub(crate) u8);

impl TryFrom<String> for Tenant {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

#[derive(Debug, PartialEq)]
struct Name<'a>(Cow<'a, str>);

impl<'a> From<Cow<'a, str>> for Name<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self(text)
    }
}

#[test]
fn a_newtype_is_made_from_a_type_that_is_made_from_text() {
    #[derive(PasswordRequestForm)]
    struct Login<'a> {
        #[password_form(from(Cow<'a, str>))]
        username: Name<'a>,
        #[password_form(from(SecretString))]
        password: Password,
        #[password_form(from)]
        client_id: Option<Tenant>,
        #[password_form(from)]
        client_secret: Tenant,
        #[password_form(rename = "plan")]
        #[password_form()]
        tier: Option<u8>,
    }
    struct Password(SecretString);
    impl From<SecretString> for Password {
        fn from(text: SecretString) -> Self {
            Self(text)
        }
    }

    let form = Login::decode(b"username=u&password=p&client_secret=7").unwrap();
    assert!(matches!(form.username, Name(Cow::Borrowed("u"))));
    assert_eq!(form.password.0.expose_secret(), "p");
    assert_eq!((form.client_id, form.client_secret, form.tier), (None, Tenant(7), None));
    let error = Login::decode(b"username=u&password=p&client_id=a").err().unwrap();
    assert_eq!(
        fault_pairs(&error),
        [("invalid", Some("client_id")), ("missing", Some("client_secret"))]
    );
}

#[test]
fn what_is_made_from_an_option_may_be_absent() {
    struct Id(Option<String>);
    impl From<Option<String>> for Id {
        fn from(id: Option<String>) -> Self {
            Self(id)
        }
    }
    #[derive(PasswordRequestForm)]
    #[password_form(max_bytes = 128)]
    struct Login {
        username: String,
        password: String,
        #[password_form(from(Option<String>))]
        client_id: Id,
        #[password_form(from)]
        client_secret: Option<String>,
    }

    let form: Login = read("").unwrap();
    assert_eq!(
        (&*form.username, &*form.password, form.client_id.0, form.client_secret),
        ("u", "p", None, None)
    );
    let form: Login = read("client_id=a&client_secret=b").unwrap();
    assert_eq!(
        (form.client_id.0.as_deref(), form.client_secret.as_deref()),
        (Some("a"), Some("b"))
    );
}

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lowercase(pub(crate) String);

impl<'a> FromText<'a> for Lowercase {
    fn from_text(text: Cow<'a, str>) -> Result<Self, InvalidText> {
        if text.chars().all(char::is_lowercase) {
            Ok(Self(text.into_owned()))
        } else {
            Err(InvalidText::new())
        }
    }
}

#[test]
fn a_type_of_ones_own_refuses_a_value() {
    #[derive(PasswordRequestForm)]
    struct Login {
        username: Lowercase,
        password: String,
        scopes: Vec<Lowercase>,
    }

    let form: Login = read("scope=a+b").unwrap();
    assert_eq!((&*form.username.0, &*form.password, &*form.scopes[1].0), ("u", "p", "b"));
    assert_eq!(
        faults::<Login>("username=U&password=p&scope=a+B"),
        [("invalid", Some("username")), ("invalid", Some("scope"))]
    );
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Plan {
    Free,
    Paid,
}

#[derive(PasswordRequestForm)]
struct Own {
    tenant: u32,
    username: String,
    otp: Option<String>,
    plan: Plan,
    #[password_form(rename = "größe")]
    size: Option<f64>,
    password: String,
    r#type: Option<SecretString>,
}

#[test]
fn further_fields_are_any_deserialize_type() {
    let form: Own = read("tenant=%342&otp=1+2%263&plan=paid&gr%C3%B6%C3%9Fe=1.5&type=x").unwrap();
    assert_eq!((form.tenant, form.otp.as_deref(), form.plan), (42, Some("1 2&3"), Plan::Paid));
    assert_eq!((form.size, form.r#type.unwrap().expose_secret()), (Some(1.5), "x"));
    assert_eq!((&*form.username, &*form.password), ("u", "p"));

    let form: Own = read("tenant=1&plan=free&otp=&type").unwrap();
    assert_eq!(
        (form.otp, form.size, form.r#type.is_none(), form.plan),
        (None, None, true, Plan::Free)
    );
}

#[derive(PasswordRequestForm)]
struct Awkward {
    username: String,
    password: String,
    #[password_form(rename = "a+b")]
    plus: Option<String>,
    #[password_form(rename = "a%62")]
    percent: Option<String>,
    #[password_form(rename = "a&b")]
    ampersand: Option<String>,
    #[password_form(rename = "a=b")]
    equals: Option<String>,
    a: Option<String>,
}

#[test]
fn a_name_is_what_it_stands_for_and_not_its_bytes_on_the_wire() {
    let form: Awkward = read("a+b=1&a=b=4").unwrap();
    assert_eq!((form.plus, form.equals), (None, None));
    let form: Awkward = read("a%62=2&a&b=3").unwrap();
    assert_eq!((form.percent, form.ampersand), (None, None));
    assert_eq!((&*form.username, &*form.password), ("u", "p"));

    let form: Awkward = read("a%2Bb=1&a%2562=2&a%26b=3&a%3Db=4&a=b=5").unwrap();
    let values = [form.plus, form.percent, form.ampersand, form.equals, form.a];
    assert_eq!(values.map(Option::unwrap), ["1", "2", "3", "4", "b=5"]);
}

#[test]
fn a_field_has_several_names_in_any_case() {
    #[derive(Debug, RequestForm)]
    #[request_form(grant_type = "password")]
    struct Login {
        #[request_form(alias = "granttype")]
        #[allow(dead_code, reason = "only its name counts")]
        grant_type: String,
        #[request_form(alias = "client_id", alias = "clientid")]
        client_id: Option<String>,
        #[request_form(rename = "deviceType", alias = "device_type", alias = "devicetype")]
        device: Option<u8>,
        #[request_form(alias = "resources")]
        resource: Vec<String>,
        scopes: Vec<String>,
    }

    let read = |more: &str| Login::decode(format!("GrantType=password&{more}").as_bytes());
    for name in ["deviceType", "device_type", "DEVICETYPE", "Device%5FType", "DeviceType"] {
        assert_eq!(read(&format!("{name}=7")).unwrap().device, Some(7), "{name}");
    }
    for name in ["client_id", "Client_Id", "clientId", "ClientID"] {
        assert_eq!(read(&format!("{name}=web")).unwrap().client_id.as_deref(), Some("web"));
    }
    let form = read("resource=a&Resources=b&resource=c&Scope=me&client_id").unwrap();
    assert_eq!(form.resource, ["a", "b", "c"]);
    // A name without an alias is itself alone.
    assert!(form.scopes.is_empty() && form.client_id.is_none());
    let faults = |more: &str| fault_pairs(&read(more).err().unwrap());
    assert_eq!(
        faults("deviceType=1&device_type=1&clientid=a&client_id=b"),
        [("duplicate", Some("client_id")), ("duplicate", Some("deviceType"))]
    );
    assert_eq!(faults("devicetype=x"), [("invalid", Some("deviceType"))]);
    assert_eq!(faults("granttype=password"), [("duplicate", Some("grant_type"))]);
}

/// The client of a token request is found by the names of the form.
#[test]
fn a_client_is_found_by_another_name() {
    #[derive(PasswordRequestForm)]
    struct Login {
        #[password_form(alias = "user")]
        username: String,
        #[password_form(keep_empty)]
        password: String,
        #[password_form(alias = "clientid")]
        client_id: Option<String>,
    }

    let body = b"user=u&password=&ClientId=web";
    let form = Login::decode(body).unwrap();
    assert_eq!((&*form.username, &*form.password), ("u", ""));
    assert_eq!(form.client_id.as_deref(), Some("web"));
    let mut headers = HeaderMap::new();
    headers.insert("content-type", "application/x-www-form-urlencoded".parse().unwrap());
    let request = TokenRequest::<Login>::decode_request(&headers, body).unwrap();
    assert_eq!(request.client.map(|client| client.client_id().to_owned()).as_deref(), Some("web"));
}

#[test]
fn an_empty_value_is_kept_where_the_field_says_so() {
    #[derive(Debug, RequestForm)]
    struct Twofactor {
        #[request_form(keep_empty)]
        username: String,
        #[request_form(keep_empty, alias = "otp")]
        token: Option<String>,
        #[request_form(keep_empty)]
        remembered: Vec<String>,
        #[request_form(keep_empty)]
        device: Option<String>,
        other: Option<String>,
    }

    let form = Twofactor::decode(b"username=&OTP=&device&other=&remembered=&remembered=a").unwrap();
    assert_eq!(
        (&*form.username, form.token.as_deref(), form.device.as_deref(), form.other),
        ("", Some(""), Some(""), None)
    );
    assert_eq!(form.remembered, ["", "a"]);
    assert_eq!(faults::<Twofactor>("token="), [("missing", Some("username"))]);
    assert_eq!(faults::<Twofactor>("username=&username="), [("duplicate", Some("username"))]);
    let absent = Twofactor::decode(b"username=").unwrap();
    assert!(absent.token.is_none() && absent.device.is_none() && absent.remembered.is_empty());
    let schema = serde_json::to_value(Twofactor::schema()).unwrap();
    assert_eq!(schema["properties"]["username"], serde_json::json!({"type": "string"}));
}

#[test]
fn an_error_of_the_token_endpoint_can_be_read() {
    let error = TokenError::from(OAuth2PasswordRequestForm::decode(b"username=u").unwrap_err());
    assert_eq!((error.code(), error.description()), ("invalid_request", "`password` is missing"));
    let [fault] = error.faults() else { panic!("{error:?}") };
    assert_eq!(fault.field, Some("password"));
    let error = TokenError::invalid_grant("wrong password");
    assert_eq!((error.description(), error.faults()), ("wrong password", &[][..]));
}

#[test]
fn faults_of_further_fields_come_last_as_declared() {
    let body = "type=a&type=b&gr%C3%B6%C3%9Fe=x&plan=%ff&otp=a&otp=&tenant=-1&password=p&username=";
    assert_eq!(
        faults::<Own>(body),
        [
            ("missing", Some("username")),
            ("invalid", Some("tenant")),
            ("duplicate", Some("otp")),
            ("not_utf8", Some("plan")),
            ("invalid", Some("größe")),
            ("duplicate", Some("type")),
        ]
    );
    assert_eq!(faults::<Own>(REQUIRED), [("missing", Some("tenant")), ("missing", Some("plan"))]);
}

#[test]
fn the_limit_is_the_forms_own() {
    #[derive(PasswordRequestForm)]
    #[password_form(max_bytes = 21)]
    struct Short {
        username: String,
        password: String,
    }

    let form = Short::decode(REQUIRED.as_bytes()).unwrap();
    assert_eq!((&*form.username, &*form.password, REQUIRED.len()), ("u", "p", 21));
    assert_eq!(faults::<Short>("username=u&password=pp"), [("too_large", None)]);
}

#[test]
fn a_form_borrows_what_is_not_escaped() {
    #[derive(PasswordRequestForm)]
    struct Login<'a> {
        username: Cow<'a, str>,
        password: Cow<'a, str>,
        scopes: RequestedScopes<'a>,
        client_id: Option<Cow<'a, str>>,
    }

    let form = Login::decode(b"username=u&password=p%41&scope=me+items&client_id=c").unwrap();
    assert!(matches!(form.username, Cow::Borrowed("u")));
    assert!(matches!(form.password, Cow::Owned(ref password) if password == "pA"));
    assert!(form.scopes.iter().eq(["me", "items"]));
    assert!(matches!(form.client_id, Some(Cow::Borrowed("c"))));
}
