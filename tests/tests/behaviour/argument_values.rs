//! What the table, the log and the documents say of the values of arguments, and of roles.

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

use doorward::axum08::Router;
use doorward::axum08::routing::get;
use doorward::http::StatusCode;
use doorward::openapi::{Document, Operation, audit};
use doorward::{
    ApiKey, BearerToken, Rejection, SecurityScopes, api_key, dependency, http_bearer,
    oauth2_password_bearer, one_of, open_id_connect, operation, plan, secured,
};
use doorward_tests::description::assert_valid;
use serde_json::{Value, json};

use super::asking::{block_on, head};

#[oauth2_password_bearer(token_url = "token", scopes("notes" = "Notes."))]
struct Login;

#[open_id_connect(
    url = "https://id.example.com/.well-known/openid-configuration",
    scopes("notes" = "Notes.")
)]
struct OpenId;

#[http_bearer(scopes("notes" = "Notes.", "admin" = "Everything."))]
struct Token;

#[api_key(cookie = "session")]
struct Session;

/// A role, by the name that documents have.
#[derive(Clone, Copy, Debug)]
enum Role {
    Administrator,
    Typist,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Administrator => "administrator",
            Self::Typist => "typist",
        })
    }
}

const STAFF: &[Role] = &[Role::Typist, Role::Administrator, Role::Typist];

type Rule = fn(&str) -> bool;

struct Opaque;

fn forbidden() -> Rejection {
    Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights")
}

fn decide(is_allowed: bool) -> Result<(), Rejection> {
    if is_allowed { Ok(()) } else { Err(forbidden()) }
}

#[dependency]
fn authorized(
    #[argument(roles)] allowed: &[Role],
    #[security(Session)] _key: ApiKey,
) -> Result<(), Rejection> {
    decide(allowed.is_empty())
}

#[dependency]
fn named(
    #[argument] name: &str,
    #[argument] _limits: (f64, Option<u32>),
    #[argument(as_written)] key: &str,
    #[security(Session)] session: ApiKey,
) -> Result<(), Rejection> {
    decide(session.as_str() == name || session.as_str() == key)
}

#[dependency]
fn unprintable(
    #[argument] rule: Rule,
    #[argument] rules: &[(Rule, u8)],
    #[argument] _place: *const u8,
    #[argument] _opaque: Opaque,
    #[security(Session)] session: ApiKey,
) -> Result<(), Rejection> {
    decide(rule(session.as_str()) && rules.is_empty())
}

const NAME: &str = "a\"\nb";
const PARTNER: &str = "s3cret";
const TWO: u32 = 2;

const fn is_short(name: &str) -> bool {
    name.len() < 3
}

#[secured(authorized(STAFF))]
async fn staff() {}

#[secured(named(NAME, (0.5 + 1.0, Some(TWO * 1_000u32)), PARTNER))]
async fn of_partner() {}

#[secured(unprintable(is_short, &[(is_short, 1)], core::ptr::null(), Opaque))]
async fn ruled() {}

fn routes() -> String {
    let app: Router = Router::new()
        .route("/partner", get(of_partner))
        .route("/ruled", get(ruled))
        .route("/staff", get(staff));
    app.routes().to_string()
}

#[test]
fn the_table_prints_values() {
    assert_eq!(
        routes(),
        r#"GET  /partner  Session via named("a\"\nb", (1.5, Some(2000)), PARTNER)
GET  /ruled    Session via unprintable(is_short, &[(is_short, 1)], core::ptr::null(), Opaque)
GET  /staff    Session(typist) | Session(administrator) via authorized([Typist, Administrator, Typist])
"#
    );
    assert_eq!(routes(), routes());
}

#[test]
fn a_long_value_is_cut() {
    const LONG: &[&str] = &["12345678"; 200];
    let operation = plan!(named("", (0.0, None), "")).operation();
    assert_eq!(Vec::from_iter(operation.via()), [r#"named("", (0.0, None), "")"#]);

    #[dependency]
    fn long(#[argument] all: &[&str], #[security(Session)] _key: ApiKey) -> Result<(), Rejection> {
        decide(all.is_empty())
    }

    let operation = plan!(long(LONG)).operation();
    let via = Vec::from_iter(operation.via());
    let value = format!("{LONG:?}");
    assert_eq!(value.len(), 2400);
    let expected = format!("long({}… (1400 characters left out))", &value[..1000]);
    assert_eq!(via, [&*expected]);
}

/// Counts how often its text is made.
struct Counting;

static TEXTS: AtomicUsize = AtomicUsize::new(0);

impl fmt::Debug for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        TEXTS.fetch_add(1, Ordering::Relaxed);
        f.write_str("counting")
    }
}

#[dependency]
fn counted(#[argument] _value: Counting) -> Result<(), Rejection> {
    decide(false)
}

#[test]
fn the_log_makes_a_text_only_if_somebody_listens() {
    let refuse = || {
        let refused = block_on(plan!(counted(Counting)).resolve(&mut head(&[])));
        assert!(refused.is_err());
    };
    refuse();
    assert_eq!(TEXTS.load(Ordering::Relaxed), 0);
    let log = super::tracing::log_of(refuse);
    assert_eq!(TEXTS.load(Ordering::Relaxed), 1);
    assert!(log.contains("dependency=counted(counting) "), "{log}");
}

#[test]
fn the_log_has_no_value_that_is_kept_as_written() {
    let log = super::tracing::log_of(|| {
        let mut head = head(&[("cookie", "session=other")]);
        let plan = plan!(named("me", (0.5, None), PARTNER));
        assert!(block_on(plan.resolve(&mut head)).is_err());
    });
    assert!(log.contains(r#"dependency=named("me", (0.5, None), PARTNER) "#), "{log}");
    assert!(!log.contains(PARTNER), "{log}");
}

/// A role above schemes of each kind, behind alternatives and scopes.
mod chain {
    use super::*;

    #[dependency(unverified)]
    fn token(#[security(Token)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
        token
    }

    #[dependency(unverified)]
    fn login(#[security(Login)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
        token
    }

    #[one_of]
    #[expect(dead_code, reason = "described")]
    pub(super) enum Caller {
        #[security(token, scopes("admin"))]
        Token(BearerToken),
        #[security(Session, unscoped)]
        Session(ApiKey),
    }

    #[dependency]
    pub(super) fn role(
        #[argument] _least: u8,
        #[argument(roles)] role: Role,
        #[security(Caller)] _caller: Caller,
        #[security(login)] _login: BearerToken,
        #[security(OpenId)] _of_openid: BearerToken,
    ) -> Result<(), Rejection> {
        decide(matches!(role, Role::Administrator))
    }

    /// The name of a role that is a scope, too.
    #[dependency]
    pub(super) fn same(
        #[argument(roles)] role: &str,
        #[security(token, scopes("admin"))] _token: BearerToken,
    ) -> Result<(), Rejection> {
        decide(role.is_empty())
    }

    #[dependency]
    pub(super) fn above(
        #[security(role(1, Role::Administrator), scopes("notes"))] _role: (),
        #[security(authorized(&[Role::Typist]))] _authorized: (),
    ) {
    }
}

#[test]
fn roles_are_listed_at_schemes_that_have_no_scopes_of_oauth2() {
    let security = |operation: &Operation| json!(operation.security());
    let above = plan!(chain::above).operation();
    assert_eq!(
        security(&above),
        json!([
            {
                "Token": ["notes", "admin", "administrator"],
                "Login": ["notes"],
                "OpenId": ["notes"],
                "Session": ["typist"],
            },
            { "Session": ["administrator", "typist"], "Login": ["notes"], "OpenId": ["notes"] },
        ])
    );
    assert_eq!(security(&plan!(chain::same("admin")).operation()), json!([{ "Token": ["admin"] }]));
    let both = plan!(authorized(STAFF)).operation();
    let both = both.and(&plan!(authorized(&[Role::Typist])).operation());
    assert_eq!(security(&both), json!([{ "Session": ["typist"] }]));
    let any = json!([{ "Session": ["typist"] }, { "Session": ["administrator"] }]);
    assert_eq!(security(&plan!(authorized(STAFF)).operation()), any);
    let none = plan!(authorized(&[])).operation();
    assert_eq!(security(&none), json!([{ "Session": [] }]));
    assert_eq!(json!(none)["responses"]["403"]["description"], "Forbidden: `authorized([])`");
}

const STAFF_403: &str = "`typist` or `administrator` (roles)";

/// A document of any tool, with responses of the service.
fn document(version: &str) -> Value {
    let shared = |name: &str| json!({ "$ref": format!("#/components/responses/{name}") });
    json!({
        "openapi": version,
        "info": { "title": "Staff", "version": "1" },
        "paths": {
            "/none": { "get": { "responses": { "200": { "description": "" } } } },
            "/own": { "get": { "responses": { "403": { "description": "You may not." } } } },
            "/shared": { "get": { "responses": { "403": shared("Forbidden") } } },
            "/elsewhere": { "get": { "responses": { "403": shared("Missing") } } },
        },
        "components": { "responses": { "Forbidden": { "description": "Not for you" } } },
    })
}

fn secured(mut document: Document, operation: &Operation) -> Value {
    document.secure(operation).unwrap();
    document.into_json().into()
}

#[test]
fn each_403_names_what_decides() {
    let mut others = document("3.1.0");
    others["paths"]["/shared"]["get"]["responses"]["403"]["description"] = json!("Really not");
    for (document, description_of_shared) in
        [(document("3.1.0"), "Not for you"), (others, "Really not")]
    {
        let document = Document::new(document).unwrap();
        let document = secured(document, &operation!(staff));
        // Sometimes there is no such component.
        let description = |path: &str| {
            let response = &document["paths"][path]["get"]["responses"]["403"];
            response["description"].as_str().unwrap().to_owned()
        };
        assert_eq!(description("/none"), format!("Forbidden: {STAFF_403}"));
        assert_eq!(description("/own"), format!("You may not. {STAFF_403}"));
        assert_eq!(description("/shared"), format!("{description_of_shared}: {STAFF_403}"));
        assert_eq!(description("/elsewhere"), format!("Forbidden: {STAFF_403}"));
        let shared = &document["paths"]["/shared"]["get"]["responses"]["403"];
        assert_eq!(shared["$ref"], "#/components/responses/Forbidden");
        let component = &document["components"]["responses"]["Forbidden"];
        assert_eq!(*component, json!({ "description": "Not for you" }));
        assert_valid(&document);
        // A second time, nothing is added, and another decision once.
        let again = Document::new(&document).unwrap();
        assert_eq!(secured(again, &operation!(staff)), document);
        let more = secured(Document::new(&document).unwrap(), &operation!(of_partner));
        assert_eq!(
            more["paths"]["/own"]["get"]["responses"]["403"]["description"],
            format!(r#"You may not. {STAFF_403}, `named("a\"\nb", (1.5, Some(2000)), PARTNER)`"#)
        );
    }
}

#[test]
fn a_document_of_3_0_has_roles_in_the_403_alone() {
    let document = secured(Document::new(document("3.0.4")).unwrap(), &operation!(staff));
    assert_valid(&document);
    for path in ["/none", "/own", "/shared", "/elsewhere"] {
        let operation = &document["paths"][path]["get"];
        assert_eq!(operation["security"], json!([{ "Session": [] }]), "{path}");
        let response = &operation["responses"]["403"];
        match response["$ref"] {
            Value::Null => {
                let description = response["description"].as_str().unwrap();
                assert!(description.ends_with(STAFF_403), "{description}");
            }
            // 3.0 ignores what is beside a reference.
            _ => assert_eq!(response.as_object().unwrap().len(), 1, "{path}"),
        }
    }
}

/// A document that named its roles by hand stays what it was.
#[test]
fn roles_that_are_written_already_are_not_repeated() {
    let mut written = document("3.1.0");
    written["components"]["securitySchemes"]["Session"] =
        json!({ "type": "apiKey", "name": "session", "in": "cookie" });
    for path in ["/none", "/own", "/shared", "/elsewhere"] {
        written["paths"][path]["get"]["security"] =
            json!([{ "Session": ["typist", "administrator"] }]);
    }
    let secured = secured(Document::new(&written).unwrap(), &operation!(staff));
    assert_eq!(
        secured["paths"]["/own"]["get"]["security"],
        written["paths"]["/own"]["get"]["security"]
    );
    assert_eq!(secured["components"]["securitySchemes"], written["components"]["securitySchemes"]);
}

/// The line of the document is that of the router.
#[test]
fn the_audit_of_a_document_prints_the_values() {
    let mut document = document("3.1.0");
    document["paths"] =
        json!({ "/partner": { "get": {} }, "/ruled": { "get": {} }, "/staff": { "get": {} } });
    let mut document = Document::new(document).unwrap();
    for (path, operation) in [
        ("/partner", operation!(of_partner)),
        ("/ruled", operation!(ruled)),
        ("/staff", operation!(staff)),
    ] {
        let mut place = document.operation_at(&http::Method::GET, path).unwrap();
        place.secure(&operation).unwrap();
    }
    assert_eq!(audit(&document).unwrap().to_string(), routes());
    let text = document.into_json().to_string();
    assert!(!text.contains(PARTNER), "{text}");
}
