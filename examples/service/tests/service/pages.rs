//! Pages in a browser: what other sites may ask, and the description.

use reqwest::redirect::Policy;
use serde_json::json;

use crate::server::{Database, PUBLIC, Server, send};

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
    assert_eq!(own.header("access-control-allow-origin"), ["https://notes.example.com"]);
    assert!(own.header("access-control-allow-methods")[0].contains("POST"));
    assert!(own.header("access-control-allow-headers")[0].contains("authorization"));
    assert_eq!(own.header("access-control-allow-credentials"), [""; 0]);
    let other = preflight("https://evil.example.com").await;
    assert_eq!(other.header("access-control-allow-origin"), [""; 0]);

    // A script sees why it was refused.
    let refused = server.get("/notes").header("origin", "https://notes.example.com");
    let refused = send(refused).await;
    refused.assert_status(401);
    assert_eq!(refused.header("access-control-allow-origin"), ["https://notes.example.com"]);
    assert!(refused.header("access-control-expose-headers")[0].contains("www-authenticate"));
}

#[tokio::test]
async fn the_metadata_says_where_everything_is() {
    let database = Database::new();
    let server = Server::start(&database);
    let found = send(server.get("/.well-known/oauth-authorization-server")).await;
    found.assert_status(200);
    let found = found.json();
    assert_eq!(found["issuer"], PUBLIC);
    assert_eq!(found["token_endpoint"], format!("{PUBLIC}/token"));
    assert_eq!(
        found["grant_types_supported"],
        json!(["password", "client_credentials", "refresh_token"])
    );
    assert_eq!(found["introspection_endpoint"], format!("{PUBLIC}/introspect"));
    let keys = found["jwks_uri"].as_str().unwrap();
    let keys = send(server.get(keys.strip_prefix(PUBLIC).unwrap())).await;
    assert_eq!(keys.json()["keys"][0]["alg"], "ES256");
}

#[tokio::test]
async fn the_description_has_every_grant_and_requirement() {
    let database = Database::new();
    let server = Server::start(&database);
    let document = send(server.get("/openapi.json")).await.json();
    let paths = &document["paths"];
    let security = |path: &str, method: &str| paths[path][method]["security"].clone();
    assert_eq!(security("/notes", "get"), json!([{ "Login": ["notes:read"] }]));
    assert_eq!(security("/notes", "post"), json!([{ "Login": ["notes:write"] }]));
    assert_eq!(security("/notes/{id}", "delete"), json!([{ "Login": ["notes:write"] }]));
    assert_eq!(security("/stats", "get"), json!([{ "Login": ["stats:read"] }]));
    let either = json!([{ "Login": ["maintenance"] }, { "JobKey": ["maintenance"] }]);
    assert_eq!(security("/purge", "post"), either);
    for path in ["/token", "/revoke", "/accounts"] {
        assert_eq!(security(path, "post"), json!([]), "{path}");
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

#[tokio::test]
async fn the_description_has_each_parameter_limit_and_refusal() {
    let database = Database::new();
    let server = Server::start(&database);
    let document = send(server.get("/openapi.json")).await.json();
    let id = &document["paths"]["/notes/{id}"]["delete"]["parameters"][0];
    assert_eq!((&id["name"], &id["in"]), (&json!("id"), &json!("path")));
    assert_eq!(id["schema"]["type"], "integer");

    let schemas = &document["components"]["schemas"];
    let account = &schemas["NewAccount"]["properties"];
    assert_eq!(account["username"]["pattern"], "^[a-z0-9_-]{1,32}$");
    assert_eq!(account["password"]["minLength"], 8);
    assert_eq!(account["password"]["maxLength"], 256);
    assert_eq!(schemas["NewNote"]["properties"]["text"]["maxLength"], 10_000);

    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.contains_key("default"), "{method} {path}");
            for (status, response) in responses {
                let schema = &response["content"]["application/json"]["schema"];
                let has_body = !status.starts_with('2');
                assert!(!has_body || schema.is_object(), "{method} {path} {status}");
            }
        }
    }
}

#[tokio::test]
async fn a_browser_comes_to_the_page_and_keeps_it_to_itself() {
    let database = Database::new();
    let server = Server::start(&database);
    let client = reqwest::Client::builder().redirect(Policy::none());
    let client = client.build().unwrap();
    for path in ["/", "/docs"] {
        let there = client.get(format!("http://{}{path}", server.address));
        let there = send(there).await;
        there.assert_status(303);
        assert_eq!(there.header("location"), ["/docs/"]);
    }
    for (path, status) in [("/", 200), ("/docs/", 200), ("/notes", 401), ("/nowhere", 404)] {
        let answer = send(server.get(path)).await;
        answer.assert_status(status);
        let [policy] = answer.header("content-security-policy")[..] else {
            panic!("{answer:?}");
        };
        assert!(policy.starts_with("default-src 'self';"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("x-frame-options"), ["DENY"]);
        assert_eq!(answer.header("x-content-type-options"), ["nosniff"]);
    }
}
