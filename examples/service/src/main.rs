//! A small service with accounts, as one would deploy it: notes, their owners, and the clients that
//! act for them.
//!
//! ```sh
//! cargo run -p tollgate-example-service -- --public-url https://notes.example.com
//! ```
//!
//! | file | says |
//! |---|---|
//! | `scopes.rs` | who may do what |
//! | `notes.rs`, `operations.rs` | what the service does |
//! | `token_endpoint.rs` | how clients get tokens, and give them back |
//! | `logins.rs` | refresh tokens, which are good once |
//! | `accounts.rs`, `passwords.rs`, `clients.rs` | who asks for a token |
//! | `signing.rs` | access tokens and the key that signs them |
//! | `store.rs`, `migrations/` | the database |
//! | `limits.rs`, `error.rs`, `secrets.rs` | how many tries, what is answered, what is hashed |
//! | `connections.rs`, `body.rs` | how many clients, how slow, and what they may send |
//! | `first_start.rs` | what a new database has |
//! | `arguments.rs` | what `--help` prints |
//! | `routes.rs` | how it all comes together |
//!
//! The first start makes an account `admin`, a client `reporter` and a key for a job. It prints
//! their secrets to stdout, once: do it in a terminal, so that they do not end up in a log. The log
//! goes to stderr and has no secrets. With `RUST_LOG=info,tollgate=debug` it also says what the
//! crate has refused, and why.
//!
//! **To make it yours**: the scopes, the sites whose pages may call (`SITES` in `routes.rs`), the
//! address behind a proxy (`limits.rs`), and the clients (`first_start.rs`). A new grant is a
//! variant in `token_endpoint.rs`, and a word in the `grants` of the clients that may use it.
//!
//! **Not here**: another password for an account, a page to add clients and keys, a change of the
//! signing key, TLS. A proxy in front does the last one.

mod accounts;
mod arguments;
mod body;
mod clients;
mod connections;
mod error;
mod first_start;
mod limits;
mod logins;
mod notes;
mod operations;
mod passwords;
mod routes;
mod scopes;
mod secrets;
mod signing;
mod store;
mod token_endpoint;

use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use tokio::net::TcpListener;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// What every request needs.
#[derive(Clone)]
struct App {
    store: store::Store,
    passwords: passwords::Passwords,
    signer: Arc<signing::Signer>,
    tokens: Arc<scopes::Tokens>,
    limits: limits::Limits,
}

/// How long running requests may go on after the service was asked to stop.
const GRACE: Duration = Duration::from_secs(15);

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let arguments::Arguments {
        listen,
        database: path,
        public_url,
    } = arguments::Arguments::parse();
    let levels = std::env::var("RUST_LOG").unwrap_or_else(|_| "info".to_owned());
    let log = tracing_subscriber::fmt::layer().with_writer(stderr);
    tracing_subscriber::registry()
        .with(log)
        .with(levels.parse::<Targets>()?)
        .init();

    // First of all: what the first start makes must not be lost because the address is taken.
    let listener = TcpListener::bind(&listen).await;
    let listener = listener.map_err(|error| format!("{listen}: {error}"))?;
    let local_url = format!("http://{}", listener.local_addr()?);
    let store = store::Store::open(&path);
    let store = store.map_err(|error| format!("{}: {error}", path.display()))?;
    // Not `println!`, which panics if nobody reads.
    writeln!(stdout(), "Listening on {local_url}")?;
    writeln!(stdout(), "The database is {}", path.display())?;
    let url = public_url.unwrap_or(local_url);
    writeln!(stdout(), "Browse: {url}/docs")?;
    let printed = url.clone();
    store
        .write(move |database| first_start::fill(database, &printed))
        .await?;

    let signer = store.read(move |database| signing::Signer::load(database, url));
    let signer = signer.await?;
    let router = routes::router(App {
        store,
        passwords: passwords::Passwords::new()?,
        tokens: Arc::new(signer.verifier().await?),
        signer: Arc::new(signer),
        limits: limits::Limits::start(),
    })?;
    tokio::select! {
        served = connections::serve(listener, router, asked_to_stop()) => served?,
        () = async { asked_to_stop().await; tokio::time::sleep(GRACE).await } => {
            tracing::warn!("requests were still running");
        }
    }
    Ok(())
}

/// Waits for Ctrl-C, or for SIGTERM.
async fn asked_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => drop(terminated.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
