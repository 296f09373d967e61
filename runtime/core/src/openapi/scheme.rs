//! The objects generated from const data: a scheme, its flows, and its response to a refused
//! request.

use http::StatusCode;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

use crate::credential::kind::{ApiKeyLocation, SchemeKind};
use crate::openapi::deciding::in_words;
use crate::refusal::rejection::Rejection;
use crate::scheme::config::SchemeConfig;
use crate::scheme::flow::{Flow, Flows};
use crate::scheme::scope::Scope;
use crate::scheme::setting::SettingError;
use crate::scheme::setting::rule::Rule;
use crate::scheme::setting::text_or_setting::TextOrSetting;
use crate::syntax::json::tree::{Object, Tree};

/// The [Security Scheme Object](https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object).
///
/// Fails if it has a setting that is not set.
impl Serialize for SchemeConfig {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(serializer, |fault| scheme(self, fault))
    }
}

/// The parts of a description for which OpenAPI has no word.
const WEBSOCKET: &str =
    "A WebSocket may have the token in `Sec-WebSocket-Protocol`, as `bearer, TOKEN`.";

const DPOP: &str = "A token that is bound to a key comes as `Authorization: DPoP TOKEN`, with a proof in the header `DPoP` (RFC 9449).";

/// Serializes an object, or fails with the error for the first of its settings that cannot be used.
fn serialize<S: Serializer>(
    serializer: S,
    describe: impl FnOnce(&mut Option<SettingError>) -> Tree,
) -> Result<S::Ok, S::Error> {
    let mut fault = None;
    let object = describe(&mut fault);
    match fault {
        None => object.serialize(serializer),
        Some(error) => Err(S::Error::custom(error)),
    }
}

/// Returns a URL, or notes why it cannot be used.
fn usable(url: TextOrSetting, fault: &mut Option<SettingError>) -> Option<&'static str> {
    url.usable(Rule::Url).map_err(|error| fault.get_or_insert(error)).ok()
}

/// Describes a scheme. Without a setting, `fault` is the first one, and what is left is true: a
/// flow is left out, and OpenID Connect is described as the bearer tokens that it has.
pub(super) fn scheme(config: &SchemeConfig, fault: &mut Option<SettingError>) -> Tree {
    let mut scheme = match config.kind {
        SchemeKind::OAuth2 | SchemeKind::OAuth2Bearer => {
            Tree::object([("type", "oauth2".into()), ("flows", flows(&config.flows, fault))])
        }
        SchemeKind::OpenIdConnect { url } => match usable(url, fault) {
            Some(url) => {
                Tree::object([("type", "openIdConnect".into()), ("openIdConnectUrl", url.into())])
            }
            None => http("bearer"),
        },
        SchemeKind::HttpBearer { format } => {
            let mut bearer = http("bearer");
            if let Some(format) = format {
                bearer.make_object().push("bearerFormat", format.into());
            }
            bearer
        }
        SchemeKind::HttpBasic => http("basic"),
        // The names of authentication schemes are usually in lower case here.
        SchemeKind::Http { scheme } => http(&scheme.to_ascii_lowercase()),
        SchemeKind::ApiKey(location) => Tree::object([
            ("type", "apiKey".into()),
            ("name", location.name().into()),
            ("in", place(location).into()),
        ]),
    };
    let websocket = config.websocket.then_some(WEBSOCKET);
    let dpop = config.dpop.then_some(DPOP);
    let description = config.description.into_iter().chain(websocket).chain(dpop);
    let description = Vec::from_iter(description);
    if !description.is_empty() {
        scheme.make_object().push("description", description.join("\n\n").as_str().into());
    }
    scheme
}

/// Returns the member in which two schemes of one name differ, such as `flows.password.tokenUrl`. A
/// `description` tells no two schemes apart.
pub(super) fn difference(first: &Tree, second: &Tree) -> Option<String> {
    let without_description = |scheme: &Tree| {
        let mut scheme = scheme.clone();
        scheme.make_object().remove("description");
        scheme
    };
    differing_member(&without_description(first), &without_description(second))
}

fn differing_member(first: &Tree, second: &Tree) -> Option<String> {
    let (Some(members), Some(others)) = (first.as_object(), second.as_object()) else {
        return (first != second).then(String::new);
    };
    let names = members.iter().chain(others.iter()).map(|(name, _)| name);
    names.into_iter().find_map(|name| {
        let (Some(member), Some(other)) = (members.get(name), others.get(name)) else {
            return Some(name.to_owned());
        };
        let below = differing_member(member, other)?;
        Some(if below.is_empty() { name.to_owned() } else { format!("{name}.{below}") })
    })
}

fn http(scheme: &str) -> Tree {
    Tree::object([("type", "http".into()), ("scheme", scheme.into())])
}

fn place(location: ApiKeyLocation) -> &'static str {
    match location {
        ApiKeyLocation::Header(_) => "header",
        ApiKeyLocation::Query(_) => "query",
        ApiKeyLocation::Cookie { .. } => "cookie",
    }
}

/// The [OAuth Flows Object](https://spec.openapis.org/oas/v3.1.1.html#oauth-flows-object).
///
/// Fails if it has a setting that is not set.
impl Serialize for Flows {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(serializer, |fault| flows(self, fault))
    }
}

fn flows(flows: &Flows, fault: &mut Option<SettingError>) -> Tree {
    let [implicit, password, client_credentials, authorization_code] = flows.all();
    let flows = [
        ("implicit", implicit),
        ("password", password),
        ("clientCredentials", client_credentials),
        ("authorizationCode", authorization_code),
    ];
    let flows = flows
        .into_iter()
        .filter_map(|(name, declared)| Some((name.to_owned(), flow(declared.as_ref()?, fault)?)));
    Tree::Object(flows.collect())
}

/// The [OAuth Flow Object](https://spec.openapis.org/oas/v3.1.1.html#oauth-flow-object).
///
/// Fails if it has a setting that is not set.
impl Serialize for Flow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(serializer, |fault| flow(self, fault).unwrap_or(Tree::Null))
    }
}

/// Describes a flow, unless one of its URLs cannot be used.
fn flow(flow: &Flow, fault: &mut Option<SettingError>) -> Option<Tree> {
    let scopes =
        flow.scopes().iter().map(|scope| (scope.name.to_owned(), description(scope).into()));
    let mut object = Object::default();
    for (name, url) in [
        ("authorizationUrl", flow.authorization_url()),
        ("tokenUrl", flow.token_url()),
        ("refreshUrl", flow.refresh_url()),
    ] {
        if let Some(url) = url {
            object.push(name, usable(url, fault)?.into());
        }
    }
    object.push("scopes", Tree::Object(scopes.collect()));
    Some(Tree::Object(object))
}

/// Returns the description of a scope, and the scopes that it implies. Swagger UI shows it as plain
/// text.
fn description(scope: &Scope) -> String {
    let mut description = scope.description.to_owned();
    if !scope.implies.is_empty() {
        if !description.is_empty() {
            description.push(' ');
        }
        description.push_str("Implies ");
        description.push_str(&scope.implies.join(", "));
        description.push('.');
    }
    description
}

/// The [Response Object](https://spec.openapis.org/oas/v3.1.1.html#response-object).
impl Serialize for Rejection {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Tree::Object(response(self)).serialize(serializer)
    }
}

pub(super) fn response(rejection: &Rejection) -> Object {
    let mut response = described(rejection.status()).into_object();
    if rejection.has_challenge() {
        response.push("headers", challenge_header());
    }
    if let Some((content_type, body)) = rejection.content() {
        let json = content_type.contains("json").then(|| Tree::parse(&body));
        let example = json.and_then(Result::ok).unwrap_or_else(|| body.into());
        let media_type = Tree::object([("schema", schema_of(&example)), ("example", example)]);
        response.push("content", Tree::object([(content_type, media_type)]));
    }
    response
}

/// Returns a response that has only a description.
pub(super) fn described(status: StatusCode) -> Tree {
    Tree::object([("description", in_words(Some(status)).into())])
}

/// The headers of a response with a challenge.
pub(super) fn challenge_header() -> Tree {
    let header = Tree::object([("schema", Tree::object([("type", "string".into())]))]);
    Tree::object([("WWW-Authenticate", header)])
}

/// Returns the schema of a body that is always the same.
fn schema_of(example: &Tree) -> Tree {
    let ty = |ty: &str| Tree::object([("type", ty.into())]);
    match example {
        Tree::Null => ty("null"),
        Tree::Bool(_) => ty("boolean"),
        Tree::Number(_) => ty("number"),
        Tree::Text(_) => ty("string"),
        Tree::Array(items) => {
            let item = items.first().map_or_else(|| Tree::object([]), schema_of);
            Tree::object([("type", "array".into()), ("items", item)])
        }
        Tree::Object(members) => {
            let properties =
                members.iter().map(|(name, member)| (name.to_owned(), schema_of(member)));
            let required = members.iter().map(|(name, _)| name.into());
            Tree::object([
                ("type", "object".into()),
                ("properties", Tree::Object(properties.collect())),
                ("required", required.collect()),
            ])
        }
    }
}
