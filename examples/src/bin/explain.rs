//! Says why a service refuses a token: `explain --issuer URL --audience TEXT < token`.
//!
//! Each setting of the verifier is an option: `--token-type JWT` is `token_type`. The token is read
//! from the standard input, so it is in no history of a shell. The keys are fetched from the issuer,
//! unless they are an option. The status is 1 if the token is refused.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Debug;
use std::io::{Read as _, stdin};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use doorward::jwt::{TokenVerifier, VerifierSettings};
use doorward::{BearerToken, SecurityScopes};
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// The events of the verifier, each as its fields.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<Fields>>>);

#[derive(Default)]
struct Fields(BTreeMap<&'static str, String>);

impl<S: Subscriber> Layer<S> for Events {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target().starts_with("doorward") {
            let mut fields = Fields::default();
            event.record(&mut fields);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(fields);
        }
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
}

impl Fields {
    fn print(&self) {
        let field = |name: &str| self.0.get(name).map(String::as_str);
        let text = field("reason").or(field("message")).unwrap_or_default();
        println!("  {text}");
        for name in ["expected", "found", "setting", "url", "error"] {
            if let Some(value) = field(name) {
                println!("    {name:<9}{value}");
            }
        }
        for other in field("also").into_iter().flat_map(|also| also.split("; ")) {
            println!("  also {other}");
        }
    }
}

/// Reads the options as settings. One that is given twice is a list.
fn settings(arguments: impl IntoIterator<Item = String>) -> Result<VerifierSettings, String> {
    let mut settings = Map::new();
    let mut arguments = arguments.into_iter();
    while let Some(option) = arguments.next() {
        let name = option.strip_prefix("--").map(|name| name.replace('-', "_"));
        let (Some(name), Some(value)) = (name, arguments.next()) else {
            return Err("usage: explain --issuer URL --audience TEXT [--SETTING VALUE …] < token"
                .to_owned());
        };
        let value = match &*name {
            "leeway" | "max_bytes" | "cool_down" | "stale_if_error" | "remember"
            | "without_issuer" | "without_audience" | "any_client" | "without_expiry" => {
                value.parse().unwrap_or(Value::String(value))
            }
            _ => Value::String(value),
        };
        match settings.get_mut(&name) {
            Some(Value::Array(list)) => list.push(value),
            Some(one) => *one = Value::Array(vec![one.take(), value]),
            None => {
                settings.insert(name, value);
            }
        }
    }
    serde_json::from_value(Value::Object(settings)).map_err(|error| error.to_string())
}

/// Decodes a part of a token, if it is JSON.
fn decoded(part: &str) -> Option<Value> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

/// Prints what the token says, and what the settings expect.
fn print_parts(token: &str, settings: &VerifierSettings) {
    let mut parts = token.split('.').map(decoded);
    let (header, claims) = (parts.next().flatten(), parts.next().flatten());
    let listed = |texts: &[String], usual: &str| match texts {
        [] => usual.to_owned(),
        texts => texts.join(" or "),
    };
    let audience = listed(&settings.audience, "the `resource` of the scheme");
    let scopes = listed(&settings.scopes_in, "scope or scp");
    println!("        {:<44}found", "expected");
    for (part, name, expected) in [
        (&header, "typ", listed(&settings.token_type, "at+jwt")),
        (&header, "alg", listed(&settings.algorithms, "one that a key of the issuer allows")),
        (&header, "kid", "a key of the issuer".to_owned()),
        (&claims, "iss", settings.issuer.clone()),
        (&claims, "aud", audience),
        (&claims, "azp", listed(&settings.client_id, "-")),
        (&claims, "exp", "later than now, in seconds".to_owned()),
        (&claims, "nbf", "earlier than now, in seconds".to_owned()),
        (&claims, "scope", format!("the scopes, in {scopes}")),
    ] {
        let found = part.as_ref().and_then(|part| part.get(name));
        let found = found.map_or_else(|| "-".to_owned(), Value::to_string);
        println!("{name:<8}{expected:<44}{}", found.escape_debug());
    }
}

#[tokio::main]
async fn main() -> Result<ExitCode, Box<dyn Error>> {
    let settings = settings(std::env::args().skip(1))?;
    let mut token = String::new();
    stdin().read_to_string(&mut token)?;
    let token = token.trim();
    let events = Events::default();
    tracing_subscriber::registry().with(events.clone()).init();
    print_parts(token, &settings);
    let tokens = TokenVerifier::<Value>::from_settings(settings, reqwest::Client::new());
    let tokens = tokens.build().await?;
    let verified = match BearerToken::try_from(token) {
        Ok(token) => {
            tokens.verify(&token, SecurityScopes::NONE).await.map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    let events = std::mem::take(&mut *events.0.lock().unwrap_or_else(PoisonError::into_inner));
    match verified {
        Ok(verified) => {
            println!("\nAccepted, with these scopes: {}", verified.scopes().join(" "));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            println!("\nRefused: {error}");
            events.iter().for_each(Fields::print);
            Ok(ExitCode::FAILURE)
        }
    }
}
