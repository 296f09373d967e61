//! The client of gRPC's own library, in Python, asks services whose methods have scopes of their own.

use std::process::Command;

use doorward::Shared;
use doorward_grpc::notes::{Revoked, serve, serve_behind_layers};

/// The Python for which the package `python3-grpcio` is installed.
const PYTHON: &str = "/usr/bin/python3";

#[tokio::test(flavor = "multi_thread")]
async fn python_asks_each_method() {
    let revoked = Shared::new(Revoked::default());
    let (layered, _) = serve_behind_layers(revoked.clone()).await.unwrap();
    for (address, layers) in [(serve(revoked).await.unwrap(), None), (layered, Some("layers"))] {
        let client = concat!(env!("CARGO_MANIFEST_DIR"), "/services.py");
        let mut command = Command::new(PYTHON);
        let command = command.arg(client).arg(address.to_string()).args(layers);
        let mut client = command.spawn().unwrap();
        let status = tokio::task::spawn_blocking(move || client.wait().unwrap()).await.unwrap();
        assert!(status.success(), "{status}");
    }
}
