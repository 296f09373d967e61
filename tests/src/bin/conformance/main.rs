//! Serves every component on its own route, on each framework, so any HTTP client can check it
//! against the contract.
//!
//! `--framework NAME` sets the framework, by default `axum`. `--listen ADDR` sets the address, by
//! default `127.0.0.1:8000`.
//!
//! `--decisions` writes each decision to standard error, as a line of JSON.
//!
//! `--describe VERSION` only prints the description of the server, in this version of OpenAPI.
//!
//! `--issuer URL --audience A` adds the routes `/jwt/me` and `/jwt/items`, on which a dependency
//! verifies the tokens of this issuer, and `/jwt/one` and `/jwt/one-items`, on which a scheme does.
//! `--token-type T` sets their type, where `any` stands for all, `--remember BYTES` how much memory
//! those take that are remembered, `--cool-down SECONDS` the time between two fetches of the keys,
//! `--stale-if-error SECONDS` how long old keys are used while none can be fetched, `--leeway SECONDS`
//! how far clocks may differ, and `--requires CLAIM` a claim without which a token is refused. The
//! routes `/dpop/me` and `/dpop/items` take tokens with a proof, and others as well unless
//! `--dpop-required true` is there.
//!
//! `--introspect URL --client ID:SECRET` adds the routes `/opaque/me` and `/opaque/items`, on which a
//! scheme asks the issuer about its tokens, as this client. `--of-client ID` takes the tokens of a
//! client that have no audience.

/// A dependency with one of the framework's extractors and one of doorward's errors.
macro_rules! own_user {
    ($method:ty) => {
        #[doorward::dependency]
        async fn own_user(
            #[security(any_token, scopes("me"))] token: BearerToken,
            scopes: SecurityScopes,
            method: $method,
        ) -> Result<User, doorward::BearerError> {
            if token.as_str() == "mallory" {
                return Err(scopes.insufficient_scope());
            }
            let scopes = scopes.scope_str();
            Ok(User(format!("{method} {} {scopes}", token.as_str())))
        }
    };
}

/// The object of the path, for a caller who may do this to it.
macro_rules! object {
    ($id:ident: $type:ty => $value:expr) => {
        #[doorward::dependency]
        async fn object(
            #[argument] action: Action,
            #[security(act::caller)] caller: act::Caller,
            $id: $type,
        ) -> Result<Object, Rejection> {
            Object::find(action, $value, caller)
        }
    };
}

/// A handler that shows what a plan resolves to.
macro_rules! handler {
    ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
        #[secured]
        async fn $name(#[security($($plan)*)] found: $value) -> Json<Value> {
            Json(found.shown())
        }
    };
}

/// The same, where the framework has an attribute for handlers.
macro_rules! endpoint {
    ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
        #[secured]
        #[handler]
        async fn $name(#[security($($plan)*)] found: $value) -> Json<Value> {
            Json(found.shown())
        }
    };
}

/// The handlers of all plans.
macro_rules! handlers {
    ($handler:ident) => {
        $handler!("/own", own, (own_user, scopes("items")), User);
        for_each_plan!($handler);
        for_each_challenged!($handler);
        $handler!("/reports", reports, (proof::proved), proof::Target);
        for_each_verified!($handler);
        for_each_opaque!($handler);
        for_each_bound!($handler);
        $handler!("/format/me", format_me, (Format), Verified<Known>);
        $handler!("/visit", visit, (Visitor), Visitor);
        $handler!("/act/read/{id}", act_read, (object(Action::Read)), Object);
        $handler!("/act/change/{id}", act_change, (object(Action::Change)), Object);
    };
}

/// Handlers that read the same on several frameworks, with the framework's attribute if it has one.
macro_rules! plain_handlers {
    ($(#[$handler:ident])?) => {
        /// A handler with a guard and an optional parameter.
        #[secured(any_value)]
        $(#[$handler])?
        async fn guarded(#[security(PasswordOptional)] token: Option<BearerToken>) -> Json<Value> {
            Json(json!({ "credential": token.shown() }))
        }

        $(#[$handler])?
        async fn found_client(found: ClientAuthentication) -> Json<Value> {
            Json(client(found.0.as_ref()))
        }

        $(#[$handler])?
        async fn grant(form: TokenRequest<Grant>) -> Json<Value> {
            Json(form.shown())
        }

        $(#[$handler])?
        async fn revoke(form: ClientForm<RevocationForm>) -> Json<Value> {
            Json(form.shown())
        }
    };
}

/// Handlers below a check that waits, each with a number in the path, the query and the body.
macro_rules! first {
    ($(#[$handler:ident])? $name:ident: $path:ty, $query:ty, $body:ty) => {
        mod $name {
            use super::*;

            // The attributes of frameworks know a type by its name.
            type InPath = $path;
            type InQuery = $query;
            type InBody = $body;

            #[secured(waited)]
            $(#[$handler])?
            pub(super) async fn guard(_path: InPath, _query: InQuery, _body: InBody) -> &'static str {
                "in"
            }

            #[secured]
            $(#[$handler])?
            pub(super) async fn parameter(
                #[security(waited)] _waited: Waited,
                _path: InPath,
                _query: InQuery,
                _body: InBody,
            ) -> &'static str {
                "in"
            }

            #[secured(layer = waited)]
            $(#[$handler])?
            pub(super) async fn layer(_path: InPath, _query: InQuery, _body: InBody) -> &'static str {
                "in"
            }

            $(#[$handler])?
            pub(super) async fn value(
                _waited: Waited,
                _path: InPath,
                _query: InQuery,
                _body: InBody,
            ) -> &'static str {
                "in"
            }
        }
    };
}

mod actix_web;
mod axum;
mod hyper;
mod poem;
mod prelude;
mod rocket;
mod salvo;
mod warp;

use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use doorward_tests::decisions::subscriber;
use doorward_tests::description::conformance_of;
use doorward_tests::{bound, jwt, opaque};
use socket2::SockRef;
use tracing_subscriber::util::SubscriberInitExt as _;

type Serve = fn(TcpListener, opaque::Verifiers) -> Result<(), Box<dyn Error>>;

const FRAMEWORKS: [(&str, Serve); 7] = [
    ("axum", axum::serve),
    ("actix-web", actix_web::serve),
    ("hyper", hyper::serve),
    ("poem", poem::serve),
    ("rocket", rocket::serve),
    ("salvo", salvo::serve),
    ("warp", warp::serve),
];

fn main() -> Result<(), Box<dyn Error>> {
    let (mut framework, mut address) = ("axum".to_owned(), "127.0.0.1:8000".to_owned());
    let mut settings = jwt::Settings::default();
    let mut opaque = opaque::Settings::default();
    let mut dpop_required = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--decisions" {
            subscriber(|decision| eprintln!("{decision}")).init();
            continue;
        }
        let value = arguments.next().ok_or_else(usage)?;
        match &*argument {
            "--framework" => framework = value,
            "--listen" => address = value,
            "--describe" => {
                println!("{}", conformance_of(&value)?);
                return Ok(());
            }
            "--introspect" => opaque.url = value,
            "--client" => opaque.client = value,
            "--of-client" => opaque.client_id = Some(value),
            "--issuer" => settings.issuer = value,
            "--audience" => settings.audience = value,
            "--token-type" => settings.token_type = Some(value),
            "--remember" => settings.remember = Some(value.parse()?),
            "--cool-down" => settings.cool_down = Some(Duration::from_secs(value.parse()?)),
            "--stale-if-error" => {
                settings.stale_if_error = Some(Duration::from_secs(value.parse()?));
            }
            "--leeway" => settings.leeway = Some(Duration::from_secs(value.parse()?)),
            "--dpop-required" => dpop_required = value.parse()?,
            "--requires" => settings.requires = Some(value),
            _ => return Err(usage()),
        }
    }
    let serve = FRAMEWORKS.iter().find(|(name, _)| *name == framework);
    let (_, serve) = serve.ok_or_else(usage)?;
    if settings.issuer.is_empty() != settings.audience.is_empty()
        || opaque.url.is_empty() != opaque.client.is_empty()
    {
        return Err(usage());
    }
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    // Checks open a thousand connections at once. Beyond the usual 128, the system drops some, and their
    // clients try again after up to half a minute.
    SockRef::from(&listener).listen(4096)?;
    let mut verifiers = opaque::Verifiers::default();
    if !opaque.url.is_empty() {
        verifiers.opaque = Some(opaque.verifier()?);
    }
    if settings.issuer.is_empty() {
        return serve(listener, verifiers);
    }
    // It lives as long as the server, since it keeps the connections to the issuer.
    let runtime = runtime()?;
    verifiers.dpop = Some(runtime.block_on(bound::verifier(settings.clone(), dpop_required))?);
    verifiers.jwt = Some(runtime.block_on(settings.verifier())?);
    serve(listener, verifiers)
}

/// Prints the address of the server once it listens.
fn announce(address: SocketAddr) {
    println!("Listening on http://{address}");
}

fn usage() -> Box<dyn Error> {
    let names = FRAMEWORKS.map(|(name, _)| name).join("|");
    format!(
        "usage: conformance [--framework {names}] [--listen ADDR] [--decisions] [--describe VERSION] [--issuer URL --audience A \
         [--token-type T] [--remember BYTES] [--cool-down SECONDS] \
         [--stale-if-error SECONDS] [--leeway SECONDS] [--requires CLAIM] [--dpop-required BOOL]] [--introspect URL --client ID:SECRET [--of-client ID]]"
    )
    .into()
}

/// Creates a runtime for the frameworks that do not bring one.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()
}
