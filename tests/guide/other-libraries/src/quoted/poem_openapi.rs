//! Methods of an `#[OpenApi]` block, and what each requires in the document.

use doorward::openapi::{Document, DocumentError, Operation, audit};
use doorward::routes::Routes;
use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer};
use poem::http::Method;
use poem::{Route, test::TestClient};
use poem_openapi::{ApiResponse, OpenApi, OpenApiService, payload::PlainText};

#[http_bearer(scopes("items" = "Read items."), realm = "items")]
struct Api;

fn verified(token: &str) -> Option<(String, String)> {
    token.split_once(':').map(|(name, granted)| (name.to_owned(), granted.to_owned()))
}

#[dependency]
fn caller(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    let (name, granted) = verified(token.as_str()).ok_or_else(|| scopes.invalid_token())?;
    scopes.check(&*granted)?;
    Ok(name)
}

struct Reader(String);

#[dependency(extract)]
fn reader(#[security(caller, scopes("items"))] name: String) -> Reader {
    Reader(name)
}

#[derive(ApiResponse)]
#[oai(bad_request_handler = "bad_request")]
enum Items {
    #[oai(status = 200)]
    Found(PlainText<String>),
    #[oai(status = 400)]
    BadRequest(PlainText<String>),
}

fn bad_request(error: poem::Error) -> Items {
    Items::BadRequest(PlainText(error.to_string()))
}

struct Service;

#[OpenApi]
impl Service {
    #[oai(path = "/me", method = "get")]
    async fn me(&self, reader: Reader) -> PlainText<String> {
        PlainText(reader.0)
    }

    /// The type of the response has a `bad_request_handler`.
    #[oai(path = "/items", method = "get")]
    async fn items(&self, reader: poem::Result<Reader>) -> poem::Result<Items> {
        Ok(Items::Found(PlainText(reader?.0)))
    }

    #[oai(path = "/swallowed", method = "get")]
    async fn swallowed(&self, reader: Reader) -> Items {
        Items::Found(PlainText(reader.0))
    }

    #[oai(path = "/security", method = "get")]
    async fn security(&self, token: doorward::Security<Api>) -> Items {
        Items::Found(PlainText(token.0.as_str().to_owned()))
    }
}

/// The description, and the table of routes.
fn described() -> Result<(Document, Routes), DocumentError> {
    let mut document: Document = OpenApiService::new(Service, "Items", "1.0").spec().parse()?;
    for path in ["/me", "/items"] {
        document.operation_at(&Method::GET, path)?.secure(&Operation::of::<reader>())?;
    }
    let routes = audit(&document)?;
    Ok((document, routes))
}

/// A `bad_request_handler` takes the refusal of a parameter, unless the parameter is a `Result`.
#[tokio::test]
async fn a_method_refuses_by_an_extracted_value() {
    let (document, routes) = described().unwrap();
    // A document of OpenAPI 3.0 has no scopes at a scheme of HTTP.
    assert_eq!(
        routes.to_string(),
        "GET  /items      Api\nGET  /me         Api\nGET  /security   undecided\nGET  /swallowed  undecided\n"
    );
    let text = document.into_json().to_string();
    assert!(text.contains(r#""security":[{"Api":[]}]"#) && text.contains(r#""401""#), "{text}");
    let client =
        TestClient::new(Route::new().nest("/", OpenApiService::new(Service, "Items", "1.0")));
    for (path, token, status, challenge) in [
        ("/me", "", 401, Some(r#"Bearer realm="items", scope="items""#)),
        ("/me", "ann", 401, Some(r#"Bearer realm="items", error="invalid_token""#)),
        ("/me", "ann:me", 403, Some(r#"Bearer realm="items", error="insufficient_scope""#)),
        ("/me", "ann:items", 200, None),
        ("/items", "", 401, Some(r#"Bearer realm="items", scope="items""#)),
        ("/items", "ann", 401, Some(r#"Bearer realm="items", error="invalid_token""#)),
        ("/items", "ann:me", 403, Some(r#"Bearer realm="items", error="insufficient_scope""#)),
        ("/items", "ann:items", 200, None),
        ("/swallowed", "", 400, None),
        ("/swallowed", "ann:me", 400, None),
        ("/swallowed", "ann:items", 200, None),
        ("/security", "", 400, None),
    ] {
        let request = client.get(path);
        let request = match token {
            "" => request,
            token => request.header("authorization", format!("Bearer {token}")),
        };
        let answer = request.send().await.0;
        assert_eq!(answer.status(), status, "{path} {token}");
        let found = answer.headers().get("www-authenticate").map(|line| line.to_str().unwrap());
        assert_eq!(found.is_some(), challenge.is_some(), "{path} {token} {found:?}");
        assert!(
            found.unwrap_or_default().starts_with(challenge.unwrap_or_default()),
            "{path} {token} {found:?}"
        );
    }
}
