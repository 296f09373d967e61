//! A small service with accounts, ready to deploy: notes, their owners, and the clients that act
//! for them.
//!
//! ```sh
//! cargo run -p doorward-example-service -- --public-url https://notes.example.com
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `scopes.rs` | the scopes, and the dependencies that check a token or an API key |
//! | `notes.rs` | the routes of the application, and who may do what with a note |
//! | `token_endpoint.rs` | `/token`, `/revoke`, and the clients that call them |
//! | `introspection.rs` | `/introspect`: whether a token is still good |
//! | `logins.rs` | refresh tokens, each of which is valid once |
//! | `accounts.rs` | registration, login, and a changed password |
//! | `passwords.rs`, `limits.rs` | how passwords are hashed, and how many may be tried |
//! | `signing.rs`, `secrets.rs` | access tokens and the keys that sign them; random secrets |
//! | `database.rs`, `migrations/` | SQLite or PostgreSQL |
//! | `administration.rs` | what operators add and revoke, and what the first start adds |
//! | `error.rs`, `routes.rs` | failures; the routes, their layers and their description |
//! | `connections.rs` | limits on slow or numerous clients, and on the length of bodies |
//! | `health.rs` | what probes are told |
//!
//! The first start creates an account `admin`, a client `reporter` and an API key for a job, and
//! prints their secrets to stdout, once. The log goes to stderr and contains no secrets. With
//! `RUST_LOG=info,doorward=debug` it says why requests were refused. `--routes` prints what each
//! route requires, or why it is public. A test compares it with `tests/service/routes.txt`, so a
//! change of rights is seen in review.
//!
//! **Several nodes** share a PostgreSQL database and a Valkey server. `--help` lists the arguments,
//! and `README.md` says what to check before you go live, and what each limit and fault costs.
//!
//! **To make it yours**, change the scopes, the origins whose pages may call (`routes.rs`) and the
//! clients. For a new grant, add a variant in `token_endpoint.rs` and its name in
//! `administration.rs`, and list it in the `grants` of its clients. For another table, write a
//! second migration.
//!
//! **Not included**: TLS, which a proxy in front can provide, and pages for operators. The form
//! that takes passwords is for your own page alone (RFC 9700, 2.4).

mod accounts;
mod administration;
mod connections;
mod database;
mod error;
mod health;
mod introspection;
mod limits;
mod logins;
mod notes;
mod passwords;
mod routes;
mod scopes;
mod secrets;
mod signing;
mod token_endpoint;
#[cfg(test)]
mod who;

use std::io::{Write, stderr, stdout};
use std::{process::ExitCode, time::Duration};

use axum::middleware::map_request;
use clap::Parser;
use doorward::{Shared, axum08::Router};
use tokio::net::TcpListener;
use tracing_subscriber::{filter::Targets, fmt, prelude::*};

use crate::signing::Signer;
use crate::{administration::Command, error::Internal, health::Health, passwords::Passwords};

/// A small service with accounts: notes, their owners, and the clients that act for them.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The address to listen at
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8000")]
    listen: String,
    /// The file of the database, or the URL of PostgreSQL: postgres://user@host/name, and the
    /// password in PGPASSWORD
    #[arg(long, value_name = "PATH|URL", default_value = "notes.db")]
    database: String,
    /// The URL of Valkey, which counts logins for all nodes: valkey://host
    /// [default: each node counts]
    #[arg(long, value_name = "URL")]
    shared: Option<String>,
    /// The URL by which others reach the service: the issuer of its tokens, and their audience
    /// [default: the address to listen at; several nodes need one that is the same]
    #[arg(long, value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,
    /// Take the address of a client from `X-Forwarded-For`, which a proxy sets
    #[arg(long)]
    behind_proxy: bool,
    /// How long to serve on when asked to stop, with `/readyz` at 503
    #[arg(long, value_name = "SECONDS", default_value_t = 0)]
    drain: u64,
    /// Print the routes, and what each of them requires
    #[arg(long)]
    routes: bool,
    /// Add a signing key, which takes the place of the present one after ten minutes
    #[arg(long)]
    rotate_key: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Checks that a URL can be an issuer (RFC 8414, 2).
fn public_url(url: &str) -> Result<String, String> {
    let url = url.trim_end_matches('/');
    signing::metadata(url).map_err(|Internal(error)| error.to_string())?;
    Ok(url.to_owned())
}

#[tokio::main]
async fn main() -> ExitCode {
    if let Err(Internal(error)) = run(Arguments::parse()).await {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

async fn run(arguments: Arguments) -> error::Result<()> {
    if arguments.routes {
        let local_url = format!("http://{}", arguments.listen);
        let url = arguments.public_url.unwrap_or(local_url);
        write!(stdout(), "{}", routes::router(&url)?.routes())?;
        return Ok(());
    }

    let levels = std::env::var("RUST_LOG").unwrap_or_else(|_| "info,sqlx=warn".to_owned());
    tracing_subscriber::registry()
        .with(fmt::layer().with_writer(stderr))
        .with(levels.parse::<Targets>()?)
        .init();

    let place = database::name(&arguments.database);
    let db = database::open(&arguments.database).await;
    let db = Shared::new(db.map_err(|Internal(error)| format!("{place}: {error}"))?);
    match (arguments.command, arguments.rotate_key) {
        (None, false) => (),
        (None, true) => return administration::rotate_key(&db).await,
        (Some(command), false) => return administration::run(command, &db).await,
        (Some(_), true) => return Err("write `--rotate-key` without a command".into()),
    }

    // Bound first: secrets of a first start must not be lost because the address is taken.
    let listener = TcpListener::bind(&arguments.listen).await;
    let listener = listener.map_err(|error| format!("{}: {error}", arguments.listen))?;
    let local_url = format!("http://{}", listener.local_addr()?);
    let url = arguments.public_url.unwrap_or_else(|| local_url.clone());
    let router = routes::router(&url)?;
    let valkey = arguments.shared.as_deref().map(limits::connect).transpose()?;
    let passwords = Passwords::new(valkey.as_ref())?;
    let counter = valkey.map_or("this node alone counts", |_| "Valkey counts");
    // Unlike `println!`, `writeln!` does not panic if nobody reads.
    writeln!(
        stdout(),
        "Listening on {local_url}\nThe database is {place}; {counter} logins\nBrowse: {url}/docs"
    )?;
    administration::fill(&db, &url).await?;

    let signer = Shared::new(Signer { url, db });
    let health = Shared::new(Health::default());
    let behind_proxy = arguments.behind_proxy;
    let router = with_values(router, signer, passwords, health.clone())
        .await?
        .layer(map_request(move |request| connections::client_address(behind_proxy, request)));
    let drain = Duration::from_secs(arguments.drain);
    Ok(connections::serve(listener, router, health, drain).await?)
}

/// Gives the routes the values that they take.
async fn with_values(
    router: Router,
    signer: Shared<Signer>,
    passwords: Passwords,
    health: Shared<Health>,
) -> error::Result<Router> {
    let routes = Shared::new(router.routes());
    let tokens = signing::verifier(signer.clone()).await?;
    let db = signer.db.clone();
    Ok(router
        .extension(routes)
        .extension(Shared::new(tokens))
        .extension(signer)
        .extension(Shared::new(passwords))
        .extension(health)
        .extension(db))
}
