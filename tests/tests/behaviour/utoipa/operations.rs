//! Operations outside of the paths of a document, which utoipa has since version 6.

use doorward::openapi::{Document, secure, secure_all};
use doorward::{
    BearerToken, Scheme, SecurityScopes, dependency, http_bearer, oauth2_password_bearer, plan,
    secured,
};
use serde_json::json;

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Items."))]
struct OAuth2;

#[http_bearer]
struct Code;

#[dependency(unverified)]
fn token_of(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

#[dependency(unverified)]
fn of_code(#[security(Code)] _token: BearerToken) {}

/// An operation that utoipa documents, with the requirement of its handler.
fn carried<P: utoipa::Path>() -> utoipa::openapi::path::Operation {
    P::operation()
}

#[secured(token_of, scopes("items"))]
#[utoipa::path(post, path = "/event", responses((status = 200, description = "OK")))]
async fn event() {}

/// Returns a document that has the operation of `event` wherever OpenAPI has operations.
fn everywhere() -> utoipa::openapi::OpenApi {
    use utoipa::openapi::path::{
        HttpMethod, OperationBuilder, PathItem, PathItemBuilder, PathsBuilder,
    };
    use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApiBuilder, RefOr};

    let item = || PathItem::new(HttpMethod::Post, carried::<__path_event>());
    let callback = |item: PathItem| RefOr::T([("{$url}".to_owned(), RefOr::T(item))].into());
    let mut inner = carried::<__path_event>();
    inner.callbacks.insert("Inner".to_owned(), callback(item()));
    let outer = OperationBuilder::from(carried::<__path_event>())
        .callback("Outer", callback(PathItem::new(HttpMethod::Put, inner)));
    let route = PathItemBuilder::new()
        .operation(HttpMethod::Post, outer)
        .query(Some(carried::<__path_event>()))
        .additional_operation("COPY", carried::<__path_event>())
        .build();
    let shared = PathItemBuilder::new().ref_path(Some("#/components/pathItems/Shared")).build();
    let mut components = ComponentsBuilder::new().callback("Event", callback(item())).build();
    components.path_items.insert("Shared".to_owned(), item());
    components.path_items.insert("Unused".to_owned(), item());
    OpenApiBuilder::new()
        .info(InfoBuilder::new().title("test").version("1").build())
        .paths(PathsBuilder::new().path("/event", route).path("/shared", shared))
        .webhooks(Some(PathsBuilder::new().path("created", item()).build()))
        .components(Some(components))
        .build()
}

/// The places of the operations in that document, and whether they are routes of the service.
const EVERYWHERE: [(&str, bool); 9] = [
    ("/paths/~1event/post", true),
    ("/paths/~1event/query", true),
    ("/paths/~1event/additionalOperations/COPY", true),
    ("/components/pathItems/Shared/post", true),
    ("/components/pathItems/Unused/post", false),
    ("/components/callbacks/Event/{$url}/post", false),
    ("/webhooks/created/post", false),
    ("/paths/~1event/post/callbacks/Outer/{$url}/put", false),
    ("/paths/~1event/post/callbacks/Outer/{$url}/put/callbacks/Inner/{$url}/post", false),
];

#[test]
fn webhooks_and_callbacks_are_described() {
    let carried = json!(everywhere());
    assert_eq!(carried.to_string().matches("x-doorward").count(), EVERYWHERE.len());
    let mut secured = everywhere();
    secure(&mut secured).unwrap();
    let document = Document::try_from(everywhere()).unwrap();
    for described in [json!(secured), document.into_json().into()] {
        assert!(!described.to_string().contains("x-doorward"), "{described}");
        for (place, _) in EVERYWHERE {
            let operation = described.pointer(place).unwrap_or_else(|| panic!("{place}"));
            assert_eq!(operation["security"], json!([{ "OAuth2": ["items"] }]), "{place}");
            assert_eq!(operation["responses"]["401"]["description"], "Unauthorized", "{place}");
        }
        let scheme = &described["components"]["securitySchemes"]["OAuth2"];
        assert_eq!(*scheme, json!(OAuth2::CONFIG));
    }
}

#[test]
fn a_layer_is_described_on_the_routes_alone() {
    let requirement = plan!(of_code).operation();
    let mut secured = everywhere();
    secure_all(&mut secured, &requirement).unwrap();
    secure(&mut secured).unwrap();
    let mut document = Document::try_from(everywhere()).unwrap();
    document.secure(&requirement).unwrap();
    for described in [json!(secured), document.into_json().into()] {
        for (place, is_route) in EVERYWHERE {
            let security = &described.pointer(place).unwrap()["security"][0];
            assert_eq!(security.get("Code").is_some(), is_route, "{place}");
        }
    }
}
