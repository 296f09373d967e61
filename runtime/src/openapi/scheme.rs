//! The objects generated from const data: a scheme, its flows, and its response to a refused
//! request.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::{ApiKeyLocation, Flow, Flows, Rejection, SchemeConfig, SchemeKind, Scope};

/// The [Security Scheme Object](https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object).
impl Serialize for SchemeConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut scheme = match self.kind {
            SchemeKind::OAuth2 | SchemeKind::OAuth2Bearer => {
                json!({ "type": "oauth2", "flows": self.flows })
            }
            SchemeKind::OpenIdConnect { url } => {
                json!({ "type": "openIdConnect", "openIdConnectUrl": url })
            }
            SchemeKind::HttpBearer { format: None } => http("bearer"),
            SchemeKind::HttpBearer {
                format: Some(format),
            } => json!({ "type": "http", "scheme": "bearer", "bearerFormat": format }),
            SchemeKind::HttpBasic => http("basic"),
            // The names of authentication schemes are usually in lower case here.
            SchemeKind::Http { scheme } => http(&scheme.to_ascii_lowercase()),
            SchemeKind::ApiKey(location) => {
                json!({ "type": "apiKey", "name": location.name(), "in": place(location) })
            }
        };
        if let Some(description) = self.description {
            scheme["description"] = description.into();
        }
        scheme.serialize(serializer)
    }
}

fn http(scheme: &str) -> Value {
    json!({ "type": "http", "scheme": scheme })
}

fn place(location: ApiKeyLocation) -> &'static str {
    match location {
        ApiKeyLocation::Header(_) => "header",
        ApiKeyLocation::Query(_) => "query",
        ApiKeyLocation::Cookie { .. } => "cookie",
    }
}

/// The [OAuth Flows Object](https://spec.openapis.org/oas/v3.1.1.html#oauth-flows-object).
impl Serialize for Flows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [implicit, password, client_credentials, authorization_code] = self.all();
        let flows = [
            ("implicit", implicit),
            ("password", password),
            ("clientCredentials", client_credentials),
            ("authorizationCode", authorization_code),
        ];
        serializer.collect_map(
            flows
                .into_iter()
                .filter_map(|(name, flow)| flow.map(|flow| (name, flow))),
        )
    }
}

/// The [OAuth Flow Object](https://spec.openapis.org/oas/v3.1.1.html#oauth-flow-object).
impl Serialize for Flow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scopes: Map<_, Value> = self
            .scopes
            .iter()
            .map(|scope| (scope.name.to_owned(), description(scope).into()))
            .collect();
        let mut flow = json!({ "scopes": scopes });
        for (name, url) in [
            ("authorizationUrl", self.authorization_url),
            ("tokenUrl", self.token_url),
            ("refreshUrl", self.refresh_url),
        ] {
            if let Some(url) = url {
                flow[name] = url.into();
            }
        }
        flow.serialize(serializer)
    }
}

/// Returns the description of a scope, and what it implies.
fn description(scope: &Scope) -> String {
    let mut description = scope.description.to_owned();
    if let [first, rest @ ..] = scope.implies {
        description.push_str(if description.is_empty() {
            "Implies `"
        } else {
            " Implies `"
        });
        description.push_str(first);
        for scope in rest {
            description.push_str("`, `");
            description.push_str(scope);
        }
        description.push_str("`.");
    }
    description
}

/// The [Response Object](https://spec.openapis.org/oas/v3.1.1.html#response-object).
impl Serialize for Rejection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let description = self.status().canonical_reason().unwrap_or("Refused");
        let mut response = json!({ "description": description });
        if self.has_challenge() {
            response["headers"] = json!({ "WWW-Authenticate": { "schema": { "type": "string" } } });
        }
        if let Some((content_type, body)) = self.content() {
            let json = content_type
                .contains("json")
                .then(|| serde_json::from_str(&body).ok());
            let example = json.flatten().unwrap_or_else(|| Value::from(body));
            let schema = schema_of(&example);
            response["content"] = json!({ content_type: { "schema": schema, "example": example } });
        }
        response.serialize(serializer)
    }
}

/// Returns the schema of a body that is always the same.
fn schema_of(example: &Value) -> Value {
    match example {
        Value::Null => json!({ "type": "null" }),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "number" }),
        Value::String(_) => json!({ "type": "string" }),
        Value::Array(items) => match items.first() {
            Some(item) => json!({ "type": "array", "items": schema_of(item) }),
            None => json!({ "type": "array" }),
        },
        Value::Object(members) => {
            let properties: Map<_, _> = members
                .iter()
                .map(|(name, member)| (name.clone(), schema_of(member)))
                .collect();
            let required: Value = members.keys().map(String::as_str).collect();
            json!({ "type": "object", "properties": properties, "required": required })
        }
    }
}
