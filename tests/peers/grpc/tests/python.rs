//! The client of gRPC's own library, in Python, reads the refusals.

use std::process::Command;

use doorward_grpc::{routes, serve, serve_behind_a_layer};

/// The Python for which the package `python3-grpcio` is installed.
const PYTHON: &str = "/usr/bin/python3";

#[tokio::test(flavor = "multi_thread")]
async fn python_reads_the_refusals() {
    let addresses = [serve_behind_a_layer().await.unwrap(), serve(routes()).await.unwrap()];
    for address in addresses {
        let client = concat!(env!("CARGO_MANIFEST_DIR"), "/client.py");
        let mut client = Command::new(PYTHON).arg(client).arg(address.to_string()).spawn().unwrap();
        let status = tokio::task::spawn_blocking(move || client.wait().unwrap()).await.unwrap();
        assert!(status.success(), "{status}");
    }
}
