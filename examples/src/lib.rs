//! Code shared by the example servers.

use std::net::SocketAddr;

/// Returns the listen address: the one given by `--listen ADDR`, or `127.0.0.1:8000`.
///
/// # Errors
///
/// Returns a message if the command line is not valid.
pub fn listen_address() -> Result<SocketAddr, String> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(SocketAddr::from(([127, 0, 0, 1], 8000))),
        ["--listen", address] => {
            address.parse().map_err(|error| format!("--listen {address}: {error}"))
        }
        _ => Err("usage: [--listen ADDR], such as `--listen 127.0.0.1:8000`".to_owned()),
    }
}
