//! The settings that the guide names for each provider, with tokens made after what the provider
//! publishes. `tests/data/README.md` says where the shapes are from.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use doorward::jwt::{BuildError, TokenVerifier, VerifierSettings};
use doorward::verify::{FetchError, Fetched, Verified, VerifyError};
use doorward::{BearerToken, SecurityScopes};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::repository::{hold, root};

type Tokens = TokenVerifier<Value>;

/// What a provider publishes, and a section of the guide.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Provider {
    section: String,
    metadata: Option<Metadata>,
    /// The public key, without its values.
    jwk: Option<Map<String, Value>>,
    /// The claims that the section checks itself.
    #[serde(default)]
    requires: Vec<Required>,
    /// The first one is the code of the section.
    cases: Vec<Case>,
    /// Changes of the first token for which it is refused.
    refused: Vec<Change>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metadata {
    url: String,
    document: Value,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Required {
    claim: String,
    is: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    settings: Map<String, Value>,
    header: Map<String, Value>,
    /// Times are in seconds from now.
    claims: Map<String, Value>,
    scopes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    why: String,
    #[serde(default)]
    header: Map<String, Value>,
    #[serde(default)]
    claims: Map<String, Value>,
}

impl Change {
    fn of_claim(name: &str, value: Value) -> Self {
        let claims = Map::from_iter([(name.to_owned(), value)]);
        Self { why: format!("another `{name}`"), header: Map::new(), claims }
    }
}

fn providers() -> Vec<Provider> {
    let files = fs::read_dir(root().join("tests/data/providers")).unwrap();
    let read = |path| serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    files.map(|file| read(file.unwrap().path())).collect()
}

fn provider(section: &str) -> Provider {
    providers().into_iter().find(|provider| provider.section == section).unwrap()
}

/// The key of the provider for an algorithm.
fn signing_key(algorithm: Algorithm, settings: &Map<String, Value>) -> EncodingKey {
    let _ = jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER.install_default();
    match algorithm {
        Algorithm::HS256 => {
            EncodingKey::from_secret(settings["secret"].as_str().unwrap().as_bytes())
        }
        Algorithm::ES256 => {
            EncodingKey::from_ec_pem(include_bytes!("../../data/keys/p256.pem")).unwrap()
        }
        Algorithm::EdDSA => {
            EncodingKey::from_ed_pem(include_bytes!("../../data/keys/ed25519.pem")).unwrap()
        }
        _ => EncodingKey::from_rsa_pem(include_bytes!("../../data/keys/rsa-2048.pem")).unwrap(),
    }
}

impl Provider {
    /// The documents at their URLs.
    fn documents(&self) -> HashMap<String, String> {
        let mut documents = HashMap::new();
        let urls = self.cases.iter().filter_map(|case| case.settings.get("jwks_url").cloned());
        let mut urls = Vec::from_iter(urls);
        if let Some(metadata) = &self.metadata {
            documents.insert(metadata.url.clone(), metadata.document.to_string());
            urls.push(metadata.document["jwks_uri"].clone());
        }
        for url in urls {
            documents.insert(url.as_str().unwrap().to_owned(), self.jwks());
        }
        documents
    }

    fn jwks(&self) -> String {
        let mut jwk = self.jwk.clone().unwrap();
        let algorithm = match jwk["kty"].as_str().unwrap() {
            "EC" => Algorithm::ES256,
            "OKP" => Algorithm::EdDSA,
            _ => Algorithm::RS256,
        };
        let key = Jwk::from_encoding_key(&signing_key(algorithm, &Map::new()), algorithm).unwrap();
        let values = serde_json::to_value(key).unwrap();
        for (name, value) in values.as_object().unwrap() {
            if ["n", "e", "x", "y"].contains(&&**name) {
                jwk.insert(name.clone(), value.clone());
            }
        }
        json!({ "keys": [jwk] }).to_string()
    }

    fn fetch(
        &self,
    ) -> impl Fn(String) -> std::future::Ready<Result<Fetched, FetchError>> + Send + Sync + 'static
    {
        let documents = self.documents();
        move |url| {
            std::future::ready(match documents.get(&url) {
                Some(document) => Ok(Fetched::new(url, document.as_bytes())),
                None => Err(FetchError::new(format!("there is nothing at {url}"))),
            })
        }
    }

    /// The verifier that the section shows.
    async fn tokens(&self, case: &Case) -> Result<Tokens, BuildError> {
        let settings = Value::Object(case.settings.clone());
        let settings: VerifierSettings = serde_json::from_value(settings).unwrap();
        let requires = self.requires.clone();
        let lacks_one = move |claims: Verified<Value>| {
            requires.iter().any(|required| match (&required.is, claims.get(&required.claim)) {
                (_, None) => true,
                (Some(expected), Some(found)) => found != expected,
                (None, Some(_)) => false,
            })
        };
        Tokens::from_settings(settings, self.fetch()).refuse_if(lacks_one).build().await
    }
}

impl Case {
    fn sign(&self, change: Option<&Change>) -> BearerToken {
        let now = jsonwebtoken::get_current_timestamp();
        let (mut header, mut claims) = (self.header.clone(), self.claims.clone());
        for name in ["iat", "nbf", "exp"] {
            if let Some(time) = claims.get_mut(name) {
                let exact = time.as_i64().map(|seconds| json!(now.checked_add_signed(seconds)));
                *time = exact.unwrap_or_else(|| json!(now as f64 + time.as_f64().unwrap()));
            }
        }
        if let Some(change) = change {
            let changes = [(&mut header, &change.header), (&mut claims, &change.claims)];
            for (object, changes) in changes {
                object.extend(changes.clone());
                object.retain(|_, value| !value.is_null());
            }
        }
        let header: jsonwebtoken::Header = serde_json::from_value(json!(header)).unwrap();
        let key = signing_key(header.alg, &self.settings);
        let token = jsonwebtoken::encode(&header, &claims, &key).unwrap();
        BearerToken::try_from(&*token).unwrap()
    }

    /// The claims that say whom the token is for, and by whom it is.
    fn changes(&self) -> Vec<Change> {
        let is_for = match self.settings.contains_key("client_id") {
            true => ["client_id", "azp"].iter().find(|name| self.claims.contains_key(**name)),
            false => Some(&"aud"),
        };
        let is_for = is_for.unwrap();
        let mut changes = vec![
            Change::of_claim(is_for, json!("https://another.example.com")),
            Change::of_claim("iss", json!("https://another.example.com")),
            Change::of_claim("exp", json!(jsonwebtoken::get_current_timestamp() - 3600)),
        ];
        // What has neither an issuer nor an audience is taken.
        if !self.settings.contains_key("without_issuer") {
            changes.push(Change::of_claim(is_for, Value::Null));
        }
        changes
    }
}

async fn verify(tokens: &Tokens, token: &BearerToken) -> Result<Vec<String>, VerifyError> {
    let verified = tokens.verify(token, SecurityScopes::NONE).await?;
    Ok(verified.scopes().to_vec())
}

#[tokio::test]
async fn settings_of_the_guide_accept_tokens_of_each_provider() {
    for provider in providers() {
        for case in &provider.cases {
            let tokens = provider.tokens(case).await.unwrap();
            let granted = verify(&tokens, &case.sign(None)).await;
            assert_eq!(granted.unwrap(), case.scopes, "{}", provider.section);
        }
    }
}

#[tokio::test]
async fn settings_of_the_guide_refuse_other_tokens() {
    for provider in providers() {
        for (number, case) in provider.cases.iter().enumerate() {
            let tokens = provider.tokens(case).await.unwrap();
            let own = provider.refused.iter().filter(|_| number == 0);
            for change in case.changes().iter().chain(own) {
                let granted = verify(&tokens, &case.sign(Some(change))).await;
                assert!(granted.is_err(), "{}: {}", provider.section, change.why);
            }
        }
    }
}

/// Their metadata is not where the `iss` of an access token says, so the sections give the URL of
/// the keys.
#[tokio::test]
async fn ad_fs_and_azure_ad_b2c_are_not_discovered() {
    for section in ["AD FS", "Azure AD B2C"] {
        let provider = provider(section);
        let settings = &provider.cases[0].settings;
        let published = &provider.metadata.as_ref().unwrap().document;
        assert_eq!(settings["jwks_url"], published["jwks_uri"]);
        let issuer = published.get("access_token_issuer").unwrap_or(&published["issuer"]);
        assert_eq!(&settings["issuer"], issuer);
        let discovered = Tokens::discover(issuer.as_str().unwrap(), provider.fetch());
        assert!(discovered.build().await.is_err(), "{section}");
    }
}

/// How the page's tables begin.
const HEAD: &str = "| setting | value |\n|---|---|\n";

/// The settings that the tables may have, in their order.
const SETTINGS: [&str; 9] = [
    "issuer",
    "without_issuer",
    "jwks_url",
    "pem",
    "secret",
    "audience",
    "client_id",
    "token_type",
    "scopes_in",
];

/// The table of a section: the settings of the first case, and the claims that the section checks.
fn table(provider: &Provider) -> String {
    let mut table = HEAD.to_owned();
    let settings = &provider.cases[0].settings;
    let unknown = settings.keys().find(|name| !SETTINGS.contains(&&***name));
    assert_eq!(unknown, None, "{}", provider.section);
    for name in SETTINGS {
        match (name, settings.get(name)) {
            (_, None) => {}
            ("pem" | "secret", Some(_)) => table.push_str(&format!("| `{name}` | … |\n")),
            (_, Some(value)) => table.push_str(&format!("| `{name}` | `{value}` |\n")),
        }
    }
    for Required { claim, is } in &provider.requires {
        table.push_str(&match is {
            Some(is) => format!("| `refuse_if` | `claims.{claim} != \"{is}\"` |\n"),
            None => format!("| in `Claims` | `{claim}: String` |\n"),
        });
    }
    table
}

/// The tables of the page are made from the data.
#[test]
fn copies_of_the_settings_of_providers() {
    let path = Path::new("runtime/docs/providers.md");
    let mut page = fs::read_to_string(root().join(path)).unwrap();
    let providers = providers();
    assert_eq!(page.matches(HEAD).count(), providers.len());
    for provider in &providers {
        let section = page.find(&format!("\n# {}\n", provider.section));
        let section = section.expect(&provider.section);
        let start = section + page[section..].find(HEAD).expect(&provider.section);
        let end = start + page[start..].find("\n\n").unwrap() + 1;
        page.replace_range(start..end, &table(provider));
    }
    hold(path, &page);
}

/// Returns a setting as code writes it.
fn calls(name: &str, value: &Value) -> Vec<String> {
    let values = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let list = Vec::from_iter(values.iter().map(Value::to_string)).join(", ");
    match (name, values.len()) {
        ("issuer" | "jwks_url", _) => vec![list],
        ("token_type", 2..) => vec![format!(".token_types([{list}])")],
        ("allow_http_hosts", _) => vec![format!(".{name}([{list}])")],
        _ => values.iter().map(|value| format!(".{name}({value})")).collect(),
    }
}

/// Returns the sections of a page by their headings. Hidden lines of code begin as a heading does.
fn sections(page: &str) -> HashMap<String, String> {
    let mut sections = HashMap::new();
    let (mut heading, mut is_code) = ("", false);
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        match line.strip_prefix("# ") {
            Some(title) if !is_code => heading = title,
            _ => {
                let text: &mut String = sections.entry(heading.to_owned()).or_default();
                text.extend([line, "\n"]);
            }
        }
    }
    sections.remove(""); // the introduction
    sections
}

/// The text of a section has the settings of its other cases, as far as they differ from the table.
#[test]
fn sections_of_the_guide_name_the_settings() {
    let page = fs::read_to_string(root().join("runtime/docs/providers.md")).unwrap();
    let mut sections = sections(&page);
    for provider in providers() {
        let text = sections.remove(&provider.section).expect(&provider.section);
        let first = &provider.cases[0].settings;
        for case in &provider.cases[1..] {
            for (name, value) in &case.settings {
                if first.get(name) == Some(value) {
                    continue;
                }
                for call in calls(name, value) {
                    assert!(text.contains(&call), "{}: {call}", provider.section);
                }
            }
        }
    }
    // Opaque tokens have no shape. `tests/issuers/provider` asks a running provider about them.
    sections.retain(|_, text| !text.contains("Introspection::"));
    assert!(sections.is_empty(), "without data: {:?}", sections.keys());
}
