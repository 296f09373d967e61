//! The arguments of the program.

use std::path::PathBuf;

use axum::http::Uri;
use clap::Parser;

/// A small service with accounts: notes, their owners, and the clients that act for them.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Arguments {
    /// The address to listen at
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8000")]
    pub(crate) listen: String,
    /// The file of the database
    #[arg(long, value_name = "PATH", default_value = "notes.db")]
    pub(crate) database: PathBuf,
    /// The URL by which others reach the service: the issuer of its tokens, and their audience
    /// [default: the address to listen at]
    #[arg(long, value_name = "URL", value_parser = public_url)]
    pub(crate) public_url: Option<String>,
}

/// An issuer has no query and no fragment (RFC 8414, 2).
fn public_url(url: &str) -> Result<String, String> {
    let parsed: Uri = url.parse().map_err(|_| "it is not a URL")?;
    if !matches!(parsed.scheme_str(), Some("http" | "https")) {
        return Err("write it with `https://`".to_owned());
    }
    if url.contains(['?', '#', '@']) {
        return Err("it has a host and a path, and nothing else".to_owned());
    }
    Ok(url.trim_end_matches('/').to_owned())
}
