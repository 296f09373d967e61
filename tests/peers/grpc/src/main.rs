//! Serves the routes, so that any client can call them.

use std::future::pending;
use std::io;

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = doorward_grpc::serve(doorward_grpc::routes()).await?;
    println!("Listening on http://{address}");
    pending().await
}
