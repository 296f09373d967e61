use doorward::verify::Verified;
use doorward::{http_bearer, openapi::SecurityAddon, secured};
use utoipa::OpenApi;

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// Tokens from our identity provider.
#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api;

#[secured]
#[utoipa::path(get, path = "/items", responses((status = 200, description = "The items")))]
async fn items(#[security(Api, scopes("items"))] caller: Verified<Claims>) -> String {
    format!("the items of {}", caller.sub)
}

#[derive(OpenApi)]
#[openapi(paths(items), modifiers(&SecurityAddon))]
struct ApiDoc;

#[test]
fn the_document_has_the_security() -> Result<(), serde_json::Error> {
    use doorward::axum08::{Router, routing::get};

    let _app: Router = Router::new().route("/items", get(items));
    let document = serde_json::to_value(ApiDoc::openapi())?;
    let items = &document["paths"]["/items"]["get"];
    assert_eq!(items["security"], serde_json::json!([{ "Api": ["items"] }]));
    assert_eq!(items["responses"]["401"]["description"], "Unauthorized");
    let scheme = &document["components"]["securitySchemes"]["Api"];
    assert_eq!(scheme["description"], "Tokens from our identity provider.");
    Ok(())
}
