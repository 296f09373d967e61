use aide::OperationInput;
use aide::axum::ApiRouter;
use aide::axum::routing::{get, post};
use aide::generate::GenContext;
use aide::openapi::{OpenApi, Operation};
use doorward::openapi::{Document, DocumentError, Operation as Required, audit};
use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer};
use http::Method;
use serde_json::Value;

/// Describes the extracted values of dependencies in documents of aide.
macro_rules! described {
    ($($value:ty: $dependency:ident),*) => {
        $(impl OperationInput for $value {
            fn operation_input(_: &mut GenContext, operation: &mut Operation) {
                let extension = operation.extensions.entry("x-requires".to_owned());
                extension.or_insert_with(|| stringify!($dependency).into());
            }
        })*

        /// Returns the document with the schemes, and with what each operation requires.
        fn described(api: &OpenApi) -> Result<Document, DocumentError> {
            let mut document = Document::new(api)?;
            for (path, item) in api.paths.iter().flat_map(|paths| &paths.paths) {
                for (method, operation) in item.as_item().into_iter().flat_map(|item| item.iter()) {
                    let requires = operation.extensions.get("x-requires").and_then(Value::as_str);
                    let required = match requires {
                        $(Some(stringify!($dependency)) => Required::of::<$dependency>(),)*
                        _ => continue,
                    };
                    let method = Method::from_bytes(method.to_uppercase().as_bytes());
                    document.operation_at(&method.unwrap_or_default(), path)?.secure(&required)?;
                }
            }
            Ok(document)
        }
    };
}

described!(Reader: reader, Writer: writer);

#[http_bearer(scopes("items" = "Read items.", "items:write" = "Add items."), realm = "items")]
struct Api;

#[dependency]
fn caller(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    scopes.check(token.as_str())?; // verify a real token here
    Ok("johndoe".to_owned())
}

struct Reader(String);

#[dependency(extract)]
fn reader(#[security(caller, scopes("items"))] name: String) -> Reader {
    Reader(name)
}

struct Writer(String);

#[dependency(extract)]
fn writer(#[security(caller, scopes("items:write"))] name: String) -> Writer {
    Writer(name)
}

async fn items(reader: Reader) -> String {
    format!("the items of {}", reader.0)
}

async fn add(writer: Writer) -> String {
    format!("an item of {}", writer.0)
}

async fn forgotten() -> String {
    "everyone sees this".to_owned()
}

/// Returns the router, and the document of aide.
fn app() -> (axum::Router, OpenApi) {
    let mut api = OpenApi::default();
    let router = ApiRouter::new()
        .api_route("/items", get(items).post(add))
        .api_route("/forgotten", post(forgotten))
        .finish_api(&mut api);
    (router, api)
}

#[test]
fn the_document_says_what_each_operation_requires() {
    let (_, api) = app();
    let document = described(&api).unwrap();
    let undecided = audit(&document).unwrap();
    let undecided = undecided.undecided().map(|route| format!("{} {}", route.method(), route.path()));
    assert_eq!(Vec::from_iter(undecided), ["POST /forgotten"]);
    let json = serde_json::to_value(document.into_json()).unwrap();
    let items = &json["paths"]["/items"];
    assert_eq!(items["get"]["security"], serde_json::json!([{ "Api": ["items"] }]));
    assert_eq!(items["post"]["security"], serde_json::json!([{ "Api": ["items:write"] }]));
    assert!(items["get"]["responses"]["403"].is_object());
    assert_eq!(json["components"]["securitySchemes"]["Api"]["scheme"], "bearer");
}

#[tokio::test]
async fn a_request_is_refused() {
    use tower::ServiceExt as _;

    let (router, _) = app();
    for (token, expected) in [("items", 200), ("other", 403)] {
        let request = http::Request::get("/items").header("authorization", format!("Bearer {token}"));
        let request = request.body(axum::body::Body::empty()).unwrap();
        assert_eq!(router.clone().oneshot(request).await.unwrap().status(), expected);
    }
}
