//! Serves every component on its own route, on each framework, so any HTTP client can check it
//! against the contract.
//!
//! `--framework NAME` sets the framework, by default `axum`. `--listen ADDR` sets the address, by
//! default `127.0.0.1:8000`.

mod actix_web;
mod axum;
mod hyper;
mod poem;
mod rocket;
mod salvo;
mod warp;

use std::error::Error;
use std::net::{SocketAddr, TcpListener};

type Serve = fn(TcpListener) -> Result<(), Box<dyn Error>>;

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
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let place = match &*argument {
            "--framework" => &mut framework,
            "--listen" => &mut address,
            _ => return Err(usage()),
        };
        *place = arguments.next().ok_or_else(usage)?;
    }
    let serve = FRAMEWORKS.iter().find(|(name, _)| *name == framework);
    let (_, serve) = serve.ok_or_else(usage)?;
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    serve(listener)
}

/// Prints the address of the server once it listens.
fn announce(address: SocketAddr) {
    println!("Listening on http://{address}");
}

fn usage() -> Box<dyn Error> {
    let names = FRAMEWORKS.map(|(name, _)| name).join("|");
    format!("usage: conformance [--framework {names}] [--listen ADDR]").into()
}

/// Creates a runtime for the frameworks that do not bring one.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
}
