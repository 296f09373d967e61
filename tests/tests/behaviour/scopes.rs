//! The scopes of a chain, and the errors that name them.

use doorward::Dependency;
use doorward::openapi::Document;
use doorward::verify::MissingScopes;
use doorward::{
    ApiKey, BearerError, Plan, SecurityScopes, api_key, dependency, plan, security_scopes,
};
use doorward::{adapter::Resolve, head::Head};
use doorward_tests::chains::collected;
use doorward_tests::shown::Shown;
use doorward_tests::vectors::load_json;
use http::Response;
use serde_json::{Value, json};

use super::asking::{block_on, head};

macro_rules! chain {
    ($($name:ident: $($scope:literal),* => $inner:ident;)*) => {$(
        #[dependency]
        fn $name(#[security($inner, scopes($($scope),*))] scopes: SecurityScopes) -> SecurityScopes {
            scopes
        }
    )*};
}

chain! {
    needs_me: "me" => collected;
    needs_scope1: "scope1" => collected;
    needs_a: "a" => collected;
    needs_b_twice: "b", "b" => collected;
    needs_b: "b" => needs_a;
}

/// Returns the scopes that the leaf of a vector's chain sees.
fn collect(id: &str) -> SecurityScopes {
    match id {
        "scope-d-001-collect-none" => see(plan!(collected)),
        "scope-d-004-collect-outer-first" => see(plan!(needs_me, scopes("items"))),
        "scope-d-005-collect-fastapi-scope3" => see(plan!(needs_scope1, scopes("scope3"))),
        "scope-d-006-collect-same-twice" => see(plan!(needs_a, scopes("a"))),
        "scope-d-010-collect-inner-dup" => see(plan!(needs_b_twice, scopes("a"))),
        "scope-d-011-collect-aba" => see(plan!(needs_b, scopes("a"))),
        "scope-d-013-collect-order-kept" => see(plan!(collected, scopes("b", "a"))),
        _ => panic!("{id} has no chain here"),
    }
}

fn see<D>(plan: Plan<D>) -> SecurityScopes
where
    D: Dependency<Output = SecurityScopes> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    block_on(plan.resolve(&mut head(&[]))).unwrap()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn vectors() {
    let mut seen = 0;
    for case in load_json("scope.json").as_array().unwrap() {
        let (id, expect) = (case["id"].as_str().unwrap(), &case["expect"]);
        seen += 1;
        match case["kind"].as_str().unwrap() {
            "collect" => {
                let expected =
                    json!({ "scopes": expect["scopes"], "scope_str": expect["scope_str"] });
                assert_eq!(collect(id).shown(), expected, "{id}");
            }
            "challenge" => {
                let error = match case["error"].as_str() {
                    None => BearerError::unauthorized("Not authenticated"),
                    Some("invalid_token") => BearerError::invalid_token(),
                    Some("invalid_request") => BearerError::invalid_request(),
                    Some(other) => panic!("{id}: {other}"),
                };
                match (
                    error.with_scopes(strings(&case["scopes"])),
                    expect["outcome"].as_str().unwrap(),
                ) {
                    (Ok(error), "value") => {
                        assert_eq!(error.challenge().unwrap().as_ref(), expect["value"], "{id}");
                    }
                    (Ok(error), "reject") => {
                        assert_eq!(
                            error.challenge().unwrap().as_ref(),
                            expect["www_authenticate"],
                            "{id}"
                        );
                        assert_eq!(error.status().as_u16(), expect["status"], "{id}");
                    }
                    (Err(_), "error") => assert_eq!(expect["kind"], "invalid_scope_token", "{id}"),
                    (found, expected) => panic!("{id}: {found:?} instead of {expected}"),
                }
            }
            "check" => {
                let required = match strings(&case["required"])[..] {
                    [] => security_scopes![],
                    ["me"] => security_scopes!["me"],
                    ["read"] => security_scopes!["read"],
                    ["read:all"] => security_scopes!["read:all"],
                    _ => panic!("{id}: no such scopes here"),
                };
                let missing = required.check(&strings(&case["granted"])).err();
                let missing = missing.as_ref().map_or(&[][..], MissingScopes::missing);
                assert_eq!(json!(missing), expect["missing"], "{id}");
            }
            other => panic!("{id}: {other}"),
        }
    }
    assert_eq!(seen, 20);
}

#[test]
fn errors_name_the_required_scopes() {
    let scopes = security_scopes!["items", "me"];
    for (error, status, challenge) in [
        (scopes.invalid_token(), 401, r#"Bearer error="invalid_token", scope="items me""#),
        (
            scopes.insufficient_scope(),
            403,
            r#"Bearer error="insufficient_scope", scope="items me""#,
        ),
        (scopes.unauthorized("No"), 401, r#"Bearer scope="items me""#),
        (SecurityScopes::NONE.unauthorized("No"), 401, "Bearer"),
        (
            scopes.invalid_token().with_realm("a b").unwrap(),
            401,
            r#"Bearer realm="a b", error="invalid_token", scope="items me""#,
        ),
        (
            BearerError::from(scopes.check(&["me"]).unwrap_err()),
            403,
            r#"Bearer error="insufficient_scope", scope="items me""#,
        ),
    ] {
        let response = Response::<String>::from(error);
        assert_eq!(response.status(), status);
        assert_eq!(response.headers()["www-authenticate"], challenge);
        assert_eq!(response.headers()["content-type"], "application/json");
    }
}

#[test]
fn no_text_breaks_out_of_its_string() {
    let error = BearerError::unauthorized("No").with_detail("\"é\"\n");
    let body = Response::<String>::from(error).into_body();
    assert_eq!(serde_json::from_str::<Value>(&body).unwrap(), json!({ "detail": "\"é\"\n" }));
}

/// Schemes without flows declare scopes too: they are required, implied and described.
#[tokio::test]
async fn scopes_of_a_scheme_without_flows() {
    #[api_key(
        header = "x-api-key",
        scopes(
            "report" as REPORT = "Read reports.",
            "admin" implies("report") = "Everything."
        )
    )]
    struct Key;

    /// The key is its own scope.
    #[dependency]
    fn customer(#[security(Key)] key: ApiKey, scopes: SecurityScopes) -> Result<(), BearerError> {
        scopes.check(key.as_str())?;
        Ok(())
    }

    for (key, expected) in [("report", None), ("admin", None), ("other", Some(403))] {
        let plan = plan!(customer, scopes(Key::REPORT));
        let refused = plan.resolve(&mut head(&[("x-api-key", key)])).await.err();
        assert_eq!(refused.map(|refused| refused.status().as_u16()), expected);
    }

    let operation = plan!(customer, scopes("report")).operation();
    let paths = json!({ "/": { "get": { "operationId": "report", "responses": {} } } });
    let json =
        json!({ "openapi": "3.1.0", "info": { "title": "", "version": "" }, "paths": paths });
    let mut document = Document::new(json).unwrap();
    document.operation("report").unwrap().secure(&operation).unwrap();
    let document = serde_json::Value::from(document.into_json());
    let security = &document["paths"]["/"]["get"]["security"];
    assert_eq!(*security, json!([{ "Key": ["report"] }]));
}
