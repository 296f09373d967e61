//! A small service with accounts, ready to deploy: notes, their owners, and the clients that act
//! for them.
//!
//! ```sh
//! cargo run -p tollgate-example-service -- --public-url https://notes.example.com
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `scopes.rs` | the scopes, and the dependencies that check a token or an API key |
//! | `notes.rs` | the routes that do something |
//! | `token_endpoint.rs` | `/token`, `/revoke`, and the clients that call them |
//! | `logins.rs` | refresh tokens, each of which is valid once |
//! | `accounts.rs`, `passwords.rs` | registration and login, and how many passwords may be tried |
//! | `signing.rs`, `secrets.rs` | access tokens and the key that signs them; random secrets |
//! | `database.rs`, `migrations/` | the database, and what the first start puts there |
//! | `error.rs`, `routes.rs` | failures; the routes, their layers and their description |
//! | `connections.rs` | limits on clients that are slow or many, and on the length of bodies |
//!
//! The first start creates an account `admin`, a client `reporter` and an API key for a job, and
//! prints their secrets to stdout, once. The log goes to stderr and contains no secrets. With
//! `RUST_LOG=info,tollgate=debug` it says why requests were refused. `--routes` prints what each
//! route requires, or why it is public. A test compares it with `tests/service/routes.txt`, so a
//! change of rights is seen in review.
//!
//! **To make it yours**, change the scopes, the origins whose pages may call (`routes.rs`), the
//! address behind a proxy (`passwords.rs`) and the clients (`database.rs`, `migrations/`). For a
//! new grant, add a variant in `token_endpoint.rs`, and list it in the `grants` of its clients.
//!
//! **Not included**: a way to change a password, pages to manage clients and keys, rotation of the
//! signing key, and TLS, which a proxy in front can provide.

mod accounts;
mod connections;
mod database;
mod error;
mod logins;
mod notes;
mod passwords;
mod routes;
mod scopes;
mod secrets;
mod signing;
mod token_endpoint;

use std::io::{Write, stderr, stdout};
use std::{path::PathBuf, process::ExitCode};

use axum::Extension;
use clap::Parser;
use tokio::net::TcpListener;
use tollgate::Shared;
use tracing_subscriber::{filter::Targets, fmt, prelude::*};

use crate::{error::Internal, passwords::Passwords, signing::Signer};

/// A small service with accounts: notes, their owners, and the clients that act for them.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The address to listen at
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8000")]
    listen: String,
    /// The file of the database
    #[arg(long, value_name = "PATH", default_value = "notes.db")]
    database: PathBuf,
    /// The URL by which others reach the service: the issuer of its tokens, and their audience
    /// [default: the address to listen at]
    #[arg(long, value_name = "URL", value_parser = public_url)]
    public_url: Option<String>,
    /// Print the routes, and what each of them requires
    #[arg(long)]
    routes: bool,
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

    let levels = std::env::var("RUST_LOG").unwrap_or_else(|_| "info".to_owned());
    tracing_subscriber::registry()
        .with(fmt::layer().with_writer(stderr))
        .with(levels.parse::<Targets>()?)
        .init();

    // Bound first: secrets of a first start must not be lost because the address is taken.
    let listener = TcpListener::bind(&arguments.listen).await;
    let listener = listener.map_err(|error| format!("{}: {error}", arguments.listen))?;
    let local_url = format!("http://{}", listener.local_addr()?);
    let path = arguments.database.display();
    let db = database::open(&arguments.database).await;
    let db = db.map_err(|Internal(error)| format!("{path}: {error}"))?;
    // Unlike `println!`, `writeln!` does not panic if nobody reads.
    writeln!(stdout(), "Listening on {local_url}\nThe database is {path}")?;
    let url = arguments.public_url.unwrap_or(local_url);
    writeln!(stdout(), "Browse: {url}/docs")?;
    database::fill(&db, &url).await?;

    let signer = Signer::load(&db, url.clone()).await?;
    let router = routes::router(&url)?
        .layer(Extension(Shared::new(signer.verifier().await?)))
        .layer(Extension(Shared::new(signer)))
        .layer(Extension(Shared::new(Passwords::new()?)))
        .layer(Extension(Shared::new(db)));
    Ok(connections::serve(listener, router).await?)
}
