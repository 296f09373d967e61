//! A service whose callers log in elsewhere: an issuer signs their tokens, and the service verifies them.

mod auth;
mod routes;
#[cfg(test)]
mod tests;

use std::env;
use std::error::Error;

use doorward::jwt::{TokenVerifier, VerifierSettings};
use tokio::net::TcpListener;
use tokio::signal;
use tracing_subscriber::EnvFilter;

use crate::auth::Users;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // The log says why a token is refused. The answer does not.
    tracing_subscriber::fmt().with_env_filter(EnvFilter::from_default_env()).init();
    // A setting that is misspelt or missing stops the service here.
    let settings: VerifierSettings = serde_json::from_str(&setting("TOKENS")?)?;
    let tokens = TokenVerifier::from_settings(settings, reqwest::Client::new()).build().await?;
    let app = routes::app(tokens, Users::default());
    print!("{}", app.routes());
    let listener = TcpListener::bind(setting("LISTEN")?).await?;
    axum::serve(listener, app).with_graceful_shutdown(asked_to_stop()).await?;
    Ok(())
}

fn setting(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("{name}: {error}"))
}

/// Waits for Ctrl-C, or for the SIGTERM of Docker, Kubernetes and systemd.
async fn asked_to_stop() {
    #[cfg(unix)]
    if let Ok(mut terminate) = signal::unix::signal(signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    // If Ctrl-C cannot be heard either, the service runs until it is killed.
    if signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
