//! Pages in a browser: what other sites may ask, and the description.

use serde_json::{Value, json};

use crate::server::{Database, Server, send};

#[tokio::test]
async fn only_the_own_site_may_call() {
    let database = Database::new();
    let server = Server::start(&database);
    let preflight = |origin| {
        let request = server.options("/token").header("origin", origin);
        let request = request.header("access-control-request-method", "POST");
        send(request.header("access-control-request-headers", "authorization"))
    };
    let own = preflight("https://notes.example.com").await;
    own.assert_status(200);
    assert_eq!(
        own.header("access-control-allow-origin"),
        ["https://notes.example.com"]
    );
    assert!(own.header("access-control-allow-methods")[0].contains("POST"));
    assert!(own.header("access-control-allow-headers")[0].contains("authorization"));
    assert_eq!(own.header("access-control-allow-credentials"), [""; 0]);
    let other = preflight("https://evil.example.com").await;
    assert_eq!(other.header("access-control-allow-origin"), [""; 0]);

    // A script sees why it was refused.
    let refused = server
        .get("/notes")
        .header("origin", "https://notes.example.com");
    let refused = send(refused).await;
    refused.assert_status(401);
    assert_eq!(
        refused.header("access-control-allow-origin"),
        ["https://notes.example.com"]
    );
    assert!(refused.header("access-control-expose-headers")[0].contains("www-authenticate"));
}

#[tokio::test]
async fn the_description_has_every_grant_and_requirement() {
    let database = Database::new();
    let server = Server::start(&database);
    let document = send(server.get("/openapi.json")).await.json();
    let paths = &document["paths"];
    let security = |path: &str, method: &str| paths[path][method]["security"].clone();
    assert_eq!(
        security("/notes", "get"),
        json!([{ "Login": ["notes:read"] }])
    );
    assert_eq!(
        security("/notes", "post"),
        json!([{ "Login": ["notes:write"] }])
    );
    assert_eq!(
        security("/notes/{id}", "delete"),
        json!([{ "Login": ["notes:write"] }])
    );
    assert_eq!(
        security("/stats", "get"),
        json!([{ "Login": ["stats:read"] }])
    );
    let either = json!([{ "Login": ["maintenance"] }, { "JobKey": ["maintenance"] }]);
    assert_eq!(security("/purge", "post"), either);
    for path in ["/token", "/revoke", "/accounts"] {
        assert_eq!(security(path, "post"), Value::Null, "{path}");
    }

    let form = |path: &str| {
        let content = &paths[path]["post"]["requestBody"]["content"];
        let schema = &content["application/x-www-form-urlencoded"]["schema"];
        let name = schema["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        document["components"]["schemas"][name].clone()
    };
    assert_eq!(form("/token")["oneOf"].as_array().unwrap().len(), 3);
    assert!(form("/revoke")["properties"]["token"].is_object());
    let flows = &document["components"]["securitySchemes"]["Login"]["flows"];
    for flow in ["password", "clientCredentials"] {
        assert_eq!(flows[flow]["tokenUrl"], "/token");
        assert_eq!(flows[flow]["scopes"].as_object().unwrap().len(), 5);
    }
}
